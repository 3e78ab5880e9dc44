"""Power: theorems as they must come out, and planted bugs that must be found."""
