"""Runs of the reference as AWS would record them: whatever is late, doubled, shuffled or lost, nothing is called broken."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from quotaproof.checker.judge.history import judge_history
from quotaproof.checker.judge.judged import Judged
from quotaproof.spec.readings import Readings

from ..support.aws_records import Recorded, recorded
from ..support.aws_runs import timed_run
from ..support.histories import history
from ..support.weeks import TIMES, busy_week

STEPS = ((1000, 1700, 2300, 20_000), (100, 900, 5000), (4000, 20_000), (60_000, 3_600_000))
"""Milliseconds between steps."""


def late(made: Recorded, rng: random.Random) -> None:
    """Completed comes up to three seconds late."""
    for event in made.events:
        if event["detail-type"].endswith("Completed"):
            at = datetime.fromisoformat(event["time"].replace("Z", "+00:00")) + timedelta(seconds=rng.randint(0, 3))
            event["time"] = at.isoformat().replace("+00:00", "Z")


def loses(made: Recorded, rng: random.Random) -> None:
    """Some events are not delivered: here and there, or all of some time."""
    if rng.random() < 0.5:
        made.events[:] = [e for e in made.events if rng.random() >= 0.03]
    else:
        times = sorted(e["time"] for e in made.events)
        first = rng.randrange(len(times))
        last = min(len(times) - 1, first + max(2, len(times) // 8))
        made.events[:] = [e for e in made.events if not times[first] <= e["time"] <= times[last]]


def judged(seed: int, folder: Path, how: str) -> Judged | None:
    rng = random.Random(seed)
    run, timed, _ = timed_run(seed, rounds=rng.choice((40, 80)), steps=rng.choice(STEPS))
    if len(timed) < 3:
        return None
    made = recorded(run.config, timed, readings=run.readings, rng=random.Random(seed))
    late(made, rng)
    if how == "events are lost":
        loses(made, rng)
    made = made.doubled(rng).shuffled(rng) if rng.random() < 0.5 else made
    found = history(made.write(folder / str(seed), cloudtrail=how != "no CloudTrail"))
    return judge_history(found, Readings())


HOW = ("everything is there", "events are lost", "no CloudTrail")


@pytest.mark.parametrize("how", HOW)
def test_a_recorded_run_is_never_called_broken(how: str, tmp_path: Path) -> None:
    came_up: Counter[str] = Counter()
    for seed in range(60):
        found = judged(seed, tmp_path, how)
        if found is not None:
            assert not found.faults, f"seed {seed}: {found.faults[:1]}"
            came_up.update(found.exercised)
    assert not {c for c in ("G1", "G2", "G3", "G4", "G5x", "G6", "G10", "G11", "G13") if not came_up[c]}


@pytest.mark.campaign
@pytest.mark.parametrize("how", HOW)
def test_hundreds_of_recorded_runs_are_never_called_broken(how: str, tmp_path: Path) -> None:
    """A lost record that no other one proves cannot be told from a fault: one run in a hundred, no more."""
    wrong: list[str] = []
    for seed in range(1000, 1300):
        found = judged(seed, tmp_path, how)
        if found is not None and found.faults:
            wrong.append(f"seed {seed}: {found.faults[0]}")
    assert len(wrong) <= (3 if how == "events are lost" else 0), wrong


@pytest.mark.parametrize("seed", range(2))
def test_a_victim_that_starts_again_in_the_second_of_its_end_was_stopped_once(seed: int, tmp_path: Path) -> None:
    from quotaproof.reference.clock import run
    from quotaproof.spec.observations import Rejected, Settled

    week = busy_week(120, seed)
    moments = run(week.config, Readings(), week.work, **TIMES)
    timed = [(1_793_631_600_000 + at, step) for at, step in moments if not isinstance(step, Rejected | Settled)]
    found = history(recorded(week.config, timed).write(tmp_path))
    assert found.completeness.seen == found.completeness.expected
    assert not judge_history(found, Readings()).faults
