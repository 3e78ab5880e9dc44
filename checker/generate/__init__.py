"""What to try on a scheduler: queues, jobs and courses of events, drawn at random, by an adversary or from bytes.

`choices` is where every draw comes from (Hypothesis, a seeded generator, bytes), so that each generator is written once.
"""
