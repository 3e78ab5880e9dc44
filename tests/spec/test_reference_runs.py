"""What the reference does in random runs is what it did when this was recorded, step for step and state for state."""

from __future__ import annotations

import hashlib
import random

from quotaproof.reference.run import signature

from ..support.runs import Run

RECORDED = "48a79449800e45705d8b6b81715d5a81fe5a11e64a288a5fdc918328c83fa7e4"
"""Changes when a rule of the reference, or what random runs do, is meant to change; never for speed."""
EVENTS = 8789


def test_random_runs_are_those_that_were_recorded() -> None:
    digest, events = hashlib.sha256(), 0
    for seed in range(40):
        for run in (
            Run(random.Random(seed)),
            Run(random.Random(seed), busy=True),
            Run(random.Random(seed), admin=False, units=("u",)),
        ):
            for event in run.steps(60):
                digest.update(f"{event!r}{signature(run.queue)!r}".encode())
                events += 1
    assert (digest.hexdigest(), events) == (RECORDED, EVENTS)
