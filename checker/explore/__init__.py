"""Small queues searched state by state.

`explored` goes through all runs of a small queue: is every entitled head served, does preemption end? `closed` looks for
preemption that goes round among a few jobs; `experiment` for the jobs that settle an open question.
"""
