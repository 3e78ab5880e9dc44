"""Who finds a mistake: theorems, the explorer, the corpus, generated scenarios. Used by the kill matrix."""
