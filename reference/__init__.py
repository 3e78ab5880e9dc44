"""One scheduler that obeys, in plain Python. Start at `run.settle`; it imports only spec.model, spec.readings, spec.events."""
