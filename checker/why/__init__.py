"""Why one job was stopped or waits, what would help, and how the queue stands now."""
