"""How fast a campaign is on one core, part by part, and what its time goes to.

    python benchmarks/conform.py [SCENARIOS] [--profile]

SCENARIOS (1000) generated scenarios are drawn, run by the reference and judged, in rows of 50 as campaigns do it, each part
timed by itself in processor time; a figure is told for scenarios of 50 observations. The least of three rounds counts:
other work on the machine counts less in it. `--profile` lists the functions that take most of it. Figures
and machine: docs/explanation/performance.md.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from collections.abc import Callable
from typing import Any

AIM, OBSERVATIONS, ROUNDS, SEED = 1000, 50, 3, 20
ROW = 50
TOP = 25


def campaign(number: int) -> None:
    """Scenarios a second of 50 judged observations: drawn, run by the reference, judged."""
    from quotaproof.checker.conform.batch import uncollected
    from quotaproof.checker.conform.drawing import drawn
    from quotaproof.checker.conform.reference import Reference
    from quotaproof.checker.conform.verdict import Status, judged

    backend = Reference()
    declared = backend.declare()
    rounds: list[dict[str, list[float]]] = []
    seen = 0
    for _ in range(ROUNDS):
        took: dict[str, list[float]] = {"drawn": [], "run": [], "judged": []}
        seen = 0
        for first in range(0, number, ROW):
            row = range(first, min(first + ROW, number))
            with uncollected():
                scenarios = timed(took["drawn"], lambda row=row: [drawn(SEED, k, declared) for k in row])
                answers = timed(took["run"], lambda given=scenarios: list(backend.run(given)))
                pairs = list(zip(scenarios, answers, strict=True))
                tested = timed(took["judged"], lambda given=pairs: [judged(s, a, declared) for s, a in given])
            assert all(t.status is Status.PASSED for t in tested)
            seen += sum(len(t.seen) for t in tested)
        rounds.append(took)
    each = {name: min(sum(took[name]) for took in rounds) / seen for name in rounds[0]}
    whole = sum(each.values())
    print(f"{number} scenarios, {seen} observations, {seen / number:.0f} in each")
    for name, seconds in each.items():
        print(f"{name:7} {1e6 * seconds:6.1f} us an observation {seconds / whole:5.0%}")
    rate = 1 / (OBSERVATIONS * whole)
    print(f"campaign {rate:,.0f} scenarios/s of {OBSERVATIONS} observations on one core, {1 / whole:,.0f} events/s"
          + (f"   MISSED the aim of {AIM:,}" if rate < AIM else ""), flush=True)  # fmt: skip


def timed(into: list[float], what: Callable[[], Any]) -> Any:
    """What it gives; its processor time is noted."""
    begun = time.process_time()
    found = what()
    into.append(time.process_time() - begun)
    return found


def profile(number: int) -> None:
    """The functions that take most of a campaign's time."""
    from quotaproof.checker.conform.batch import Work, tried

    profiler = cProfile.Profile()
    profiler.enable()
    tried(Work("reference", SEED, 0, 0, number))
    profiler.disable()
    pstats.Stats(profiler).sort_stats("tottime").print_stats(TOP)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser()
    options.add_argument("scenarios", nargs="?", type=int, default=1000)
    options.add_argument("--profile", action="store_true")
    chosen = options.parse_args()
    campaign(chosen.scenarios)
    if chosen.profile:
        profile(chosen.scenarios)


if __name__ == "__main__":
    main()
