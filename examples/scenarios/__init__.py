"""Our own small scenarios, each for one rule or one open question; shipped, so that they can be played everywhere."""
