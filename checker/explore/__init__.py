"""Small queues searched state by state.

`closed` looks for preemption that goes round; `experiment` for the jobs that settle an open question.
"""
