"""How fast the explorer goes through states, beside SPIN on the same model, in one run.

    python benchmarks/explorer.py [ROUNDS]

The models are made from the rules; where both do not count the same states and steps, the run fails. Explorer: the best
of ROUNDS (3), wall and processor time from the finished model to all its states, compilation of the guards included.
SPIN: the best of as many, the search alone as SPIN measures it, its program compiled with -O2. Without SPIN its columns
are empty.
"""

from __future__ import annotations

import sys
import time

from quotaproof.checker.explore import oracle
from quotaproof.checker.explore.kinds import Kind
from quotaproof.checker.explore.model import Model
from quotaproof.checker.explore.promela import Export
from quotaproof.checker.explore.search import search
from quotaproof.checker.explore.system import system
from quotaproof.spec.model import QueueConfig

UNIT = "ml.p5.48xlarge"
MODELS = {
    "three shares": (6, ((2, 1, 4), (2, 1, 4), (2, 1, 6))),
    "four shares": (8, ((2, 1, 3), (2, 1, 3), (2, 1, 3), (2, 1, 4))),
}
"""Name -> environment, and each share's limit, size of its jobs and number of them; the last share borrows."""
TARGET = 60_000
"""Distinct states a second."""
TIMES = 10.0
"""How many times slower than SPIN the explorer may be."""


def model(name: str) -> Model:
    """One of the models."""
    capacity, rows = MODELS[name]
    shares = []
    for n, (limit, _, _) in enumerate(rows):
        sharing = {"strategy": "LEND_AND_BORROW", "borrowLimit": -1} if n == len(rows) - 1 else {"strategy": "LEND"}
        shares.append(
            {
                "quotaShareName": f"team-{n}",
                "capacityLimits": [{"maxCapacity": limit, "capacityUnit": UNIT}],
                "resourceSharingConfiguration": sharing,
                "preemptionConfiguration": {"inSharePreemption": "DISABLED"},
            }
        )
    environment = {
        "serviceEnvironmentName": "bench",
        "capacityLimits": [{"maxCapacity": capacity, "capacityUnit": UNIT}],
    }
    config = QueueConfig.model_validate({"jobQueueName": "bench", "environment": environment, "shares": shares})
    kinds = [Kind(f"k{n}", f"team-{n}", {UNIT: size}, jobs=jobs) for n, (_, size, jobs) in enumerate(rows)]
    return system(config, kinds, name=name)


def main(rounds: int) -> int:
    """Measure, print, and say whether the targets are met by the largest model."""
    absent = oracle.available()
    print(f"{'model':14}{'states':>10}{'steps':>12}{'wall s':>9}{'cpu s':>9}{'states/s':>11}{'SPIN/s':>11}{'times':>8}")
    rate = times = 0.0
    for name in MODELS:
        made = model(name)
        wall = processor = float("inf")
        for _ in range(rounds):
            began, used = time.perf_counter(), time.process_time()
            space = search(made)
            wall = min(wall, time.perf_counter() - began)
            processor = min(processor, time.process_time() - used)
        rate = len(space) / wall
        spin = ""
        if not absent:
            program = Export.of(made).text()
            searched = [oracle.search(program, seconds=600, fast=True) for _ in range(rounds)]
            if any((s.states, s.transitions) != (len(space), space.steps) for s in searched):
                sys.exit(f"{name}: SPIN counts {searched[0].states} states and {searched[0].transitions} steps")
            theirs = len(space) / max(0.01, min(s.seconds for s in searched))
            times = theirs / rate
            spin = f"{theirs:11,.0f}{times:8.1f}"
        print(f"{name:14}{len(space):10,}{space.steps:12,}{wall:9.2f}{processor:9.2f}{rate:11,.0f}{spin}")
    if absent:
        print(f"SPIN was not asked: {absent}")
    met = rate >= TARGET and times <= TIMES
    print(f"targets: {TARGET:,} states/s, at most {TIMES:g} times slower than SPIN: {'met' if met else 'MISSED'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 3))
