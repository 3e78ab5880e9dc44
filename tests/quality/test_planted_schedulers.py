"""A scheduler with one thing wrong breaks the guarantee that this is about before any other; the reference breaks none."""

from __future__ import annotations

import pytest
from quotaproof.reference.clock import run
from quotaproof.spec.readings import Readings

from ..support.weeks import TIMES, busy_week, first_fault
from ..support.wrong import IN_WEEKS, WRONG

READINGS = Readings()
WEEKS = range(3)


def test_the_reference_breaks_nothing_in_busy_weeks():
    for seed in WEEKS:
        week = busy_week(150, seed)
        assert first_fault(week.config, run(week.config, READINGS, week.work, **TIMES), READINGS) is None


@pytest.mark.parametrize("name", IN_WEEKS)
def test_a_planted_scheduler_breaks_its_own_guarantee_first(name):
    wrong, found = WRONG[name], []
    for seed in WEEKS:
        week = busy_week(300, seed, reserve=wrong.code != "G1")  # what is kept idle is in the way before E is (G2)
        moments = run(week.config, READINGS, week.work, **TIMES, **wrong.options(READINGS))
        fault = first_fault(week.config, moments, READINGS)
        if fault is not None:
            found.append(fault.code)
            break
    assert found == [wrong.code]
