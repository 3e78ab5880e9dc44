"""Small queues searched state by state. `closed` looks for preemption that goes round."""
