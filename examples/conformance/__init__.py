"""AWS's own cases as scenarios, one file each; shipped, so that they can be played everywhere."""
