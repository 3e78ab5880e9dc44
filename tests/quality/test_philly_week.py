"""A real week of a real cluster, run by the reference and by planted schedulers, and judged."""

from __future__ import annotations

import pytest
from quotaproof.reference.clock import run
from quotaproof.spec import events as ev
from quotaproof.spec.readings import Readings

from ..support.published import needs_traces
from ..support.weeks import DAY, TIMES, first, first_fault, history, philly_week
from ..support.wrong import IN_WEEKS, WRONG

pytestmark = needs_traces

READINGS = Readings()
ELSEWHERE = {"lenders-borrow"}
"""No share of the week only lends."""


def whole(week, *, days=7, readings=READINGS, **options):
    return run(week.config, readings, week.work, until=days * DAY, **TIMES, **options)


def test_the_first_jobs_of_the_week_are_run_and_nothing_is_broken():
    week = philly_week(0.2)
    moments = list(run(week.config, READINGS, first(week.work, 200), until=DAY, **TIMES))
    assert any(isinstance(e, ev.Claim) and e.victims for _, e in moments)
    assert first_fault(week.config, moments, READINGS) is None


def test_two_days_of_the_week_are_run_with_every_job_submitted_that_came():
    week = philly_week(0.75)
    happened = [e for _, e in whole(week, days=2)]
    came = [w.submit.job for w in week.work if w.at <= 2 * DAY]
    assert [e.job for e in happened if isinstance(e, ev.Submit)] == came
    assert sum(len(e.victims) for e in happened if isinstance(e, ev.Claim)) > 40


@pytest.mark.campaign
def test_the_whole_week_breaks_nothing_and_exercises_what_it_is_for():
    from quotaproof.checker.judge.history import judge_history

    week = philly_week(0.75)
    judged = judge_history(history(week.config, whole(week), READINGS), READINGS)
    assert judged.faults == ()
    often = {code: judged.exercised.get(code, 0) for code in ("G5x", "G5s", "G6", "G7", "G9", "G14", "G16")}
    assert min(often.values()) > 100, often


@pytest.mark.campaign
@pytest.mark.parametrize("coarse", [1, 1000])
def test_borrowers_yield_in_the_whole_week_as_aws_shows_it(coarse):
    """The reference claims for an entitled head before a borrower starts: that heads are yielded to shows without claims."""
    from quotaproof.checker.judge.history import judge_history

    week = philly_week(0.75)
    seen = history(week.config, whole(week), READINGS, claims=False, claimants=False, coarse=coarse)
    judged = judge_history(seen, READINGS)
    assert (judged.faults, judged.undecided) == ((), {})
    often = {code: judged.exercised.get(code, 0) for code in ("G5x", "G5s", "G6", "G8", "G9")}
    assert min(often.values()) > 100, often


@pytest.mark.campaign
@pytest.mark.parametrize("name", [name for name in IN_WEEKS if name not in ELSEWHERE])
def test_the_week_by_a_planted_scheduler_is_flagged_by_its_code_first(name):
    from quotaproof.checker.judge.history import judge_history

    wrong = WRONG[name]
    week = philly_week(0.75, reserve=wrong.code != "G1")
    judged = judge_history(history(week.config, whole(week, **wrong.options(READINGS)), READINGS), READINGS)
    assert [fault.code for fault in judged.faults[:1]] == [wrong.code]
