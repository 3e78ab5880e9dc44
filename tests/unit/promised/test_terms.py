"""Terms that are proved: an example kept and one broken of each kind, with the numbers a person reads."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from quotaproof.checker.prove.solver import Solver
from quotaproof.checker.results import Verdict
from quotaproof.checker.rollout.promises import scenarios
from quotaproof.checker.rollout.promises.case import Case
from quotaproof.checker.rollout.promises.judge import JUDGES
from quotaproof.checker.witness.play import play
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Expect, Settle
from quotaproof.spec.model import State
from quotaproof.spec.promises import (
    BorrowsAtMost,
    By,
    Fits,
    Gets,
    HoldsAtMost,
    IdleWhileWaiting,
    Promise,
    Promises,
    Scope,
    Undisturbed,
)
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share
from .judging import MINUTE, judge
from .small import drawn

BORROWS = "LEND_AND_BORROW"
STOPS = {"stop_takes": {"u": 10 * MINUTE}}


def lending():
    """a and b borrow what c lends; nothing is left over."""
    return queue(4, share("a", 2, BORROWS, in_share=True), share("b", 1, BORROWS, 100), share("c", 1))


def one(proofs, config, term, *shares, **more):
    (made,) = judge(proofs, config, term, *shares, **more)
    if made.result.verdict in (Verdict.BROKEN, Verdict.BROKEN_IF):
        assert made.scenario is not None
        played = play(made.scenario)
        assert not played.violations
        assert played.shows
        assert made.scenario.breaks or (made.scenario.promise, made.scenario.about) == ("P1", "it is promised.")
    else:
        assert made.scenario is None
    return made.result


# gets


def test_what_is_kept_is_had_at_once(proofs):
    config = queue(4, share("a", 2, BORROWS), share("c", 2, "RESERVE"))
    found = one(proofs, config, Gets({"u": 2}, 0), "c")
    assert (found.verdict, found.because) == (Verdict.HOLDS_HERE, "2 u: at once, kept for it: 2 <= 2")


def test_what_was_lent_is_had_after_one_round_of_stops(proofs):
    found = one(proofs, lending(), Gets({"u": 1}, 15 * MINUTE), "c", **STOPS)
    because = "1 u: 1 <= 1 sure, by stopping borrowed jobs; one round of stops, 10 min <= 15 min"
    assert (found.verdict, found.subject, found.because) == (Verdict.HOLDS_IF, "c, u", because)
    assert {"A23": "no"} in found.combinations
    assert "every drain ends" in found.assumes


def test_one_round_of_stops_may_be_too_long(proofs):
    found = one(proofs, lending(), Gets({"u": 1}, 5 * MINUTE), "c", **STOPS)
    because = "a uses 4 u: a job of 1 u of c waits until borrowed jobs have stopped: 10 min > 5 min"
    assert (found.verdict, found.because) == (Verdict.BROKEN, because)


def with_w():
    """a borrows u of c, and may hold w in the same job."""
    return queue({"u": 4, "w": 2}, share("a", {"u": 2, "w": 1}, BORROWS), share("c", {"u": 2}), share("d", {"w": 1}))


def test_a_job_that_holds_another_unit_too_gives_back_what_it_borrowed_when_all_of_it_is_free(proofs):
    found = one(proofs, with_w(), Gets({"u": 1}, 5 * MINUTE), "c", stop_takes={"u": 4 * MINUTE, "w": 10 * MINUTE})
    because = "a uses 4 u and 1 w, perhaps in one job: a job of 1 u of c waits until it has stopped: 10 min > 5 min"
    assert (found.verdict, found.because) == (Verdict.BROKEN, because)
    found = one(proofs, with_w(), Gets({"u": 1}, 10 * MINUTE), "c", stop_takes={"u": 4 * MINUTE, "w": 10 * MINUTE})
    assert found.verdict is Verdict.HOLDS_IF
    found = one(proofs, with_w(), Gets({"u": 1}, 5 * MINUTE), "c", stop_takes={"u": 4 * MINUTE})
    assert found.verdict is Verdict.UNKNOWN
    assert "a job that is stopped for it may hold w as well" in found.because


def test_a_unit_that_no_borrower_can_hold_takes_no_time(proofs):
    config = queue(
        {"u": 4, "w": 2}, share("a", {"u": 2}, BORROWS, 100), share("c", {"u": 2}), share("d", {"w": 2}, "RESERVE")
    )
    found = one(proofs, config, Gets({"u": 1}, 5 * MINUTE), "c", stop_takes={"u": 4 * MINUTE})
    assert found.verdict is Verdict.HOLDS_IF


def test_what_was_lent_is_not_had_at_once(proofs):
    found = one(proofs, lending(), Gets({"u": 1}, 0), "c")
    because = "a uses 4 u: a job of 1 u of c waits until borrowed jobs have stopped"
    assert (found.verdict, found.because) == (Verdict.BROKEN, because)


def test_without_a_stop_time_it_is_not_decided_and_says_what_to_write(proofs):
    found = one(proofs, lending(), Gets({"u": 1}, 15 * MINUTE), "c")
    assert found.verdict is Verdict.UNKNOWN
    assert found.because.endswith("no stop time of u is stated: write assume: {stop_takes: {u: 10m}}")


def test_without_a_stop_time_what_is_had_at_once_is_had_in_time(proofs):
    config = queue(4, share("a", 2, BORROWS, 0), share("c", 2))
    assert one(proofs, config, Gets({"u": 2}, MINUTE), "c").verdict is not Verdict.UNKNOWN


def test_a_limit_beyond_the_environment_is_not_had_whoever_is_stopped(proofs):
    config = queue(3, share("a", 2), share("b", 1), share("c", 1))
    found = one(proofs, config, Gets({"u": 1}, 15 * MINUTE), "c", **STOPS)
    assert found.verdict is Verdict.BROKEN
    assert found.because == "a uses 2 u, b 1: a job of 1 u of c waits, and nobody borrows"


def test_more_than_the_limit_is_not_had_when_others_are_busy(proofs):
    found = one(proofs, lending(), Gets({"u": 3}, 15 * MINUTE), "a", **STOPS)
    assert found.verdict is Verdict.BROKEN
    assert found.because.endswith("are beyond its limit of 2")


def test_more_than_everything_is_never_had(proofs):
    found = one(proofs, lending(), Fits({"u": 9}), "a")
    because = "nothing is in use: a job of 9 u of a waits: 9 u are beyond its limit of 2"
    assert (found.verdict, found.because) == (Verdict.BROKEN, because)


@pytest.mark.parametrize("term", [Gets({"u": 0}, 0), Gets({"u": 0}, MINUTE), Fits({"u": 0})])
def test_a_promise_of_nothing_is_kept_and_says_so(proofs, term):
    found = one(proofs, lending(), term, "c")
    assert (found.verdict, found.because) == (Verdict.HOLDS_HERE, "0 u: nothing is promised")


def test_a_unit_that_the_environment_lacks_is_never_had(proofs):
    config = queue({"u": 2}, share("a", {"u": 1, "w": 1}), share("b", 1))
    found = one(proofs, config, Gets({"w": 1}, 0), "a")
    because = "nothing is in use: a job of 1 w of a waits: the environment has no w (rule 13)"
    assert (found.verdict, found.because) == (Verdict.BROKEN, because)


def test_a_disabled_share_is_judged_for_the_jobs_it_has(proofs):
    config = queue(2, share("a", 1, "LEND", state="DISABLED"), share("b", 1))
    found = one(proofs, config, Gets({"u": 1}, 0), "a")
    assert found.verdict is Verdict.HOLDS_IF
    assert found.combinations == ({"A46": "no"},)
    assert found.because.endswith("it is DISABLED and takes no new jobs (rule 50): judged for those it has")


def test_a_disabled_share_that_starts_nothing_gets_nothing(proofs):
    config = queue(2, share("a", 1, "LEND", state="DISABLED"), share("b", 1))
    found = one(proofs, config, Gets({"u": 1}, 0), "a", readings=Readings.of(A46="no"))
    assert found.verdict is Verdict.BROKEN
    assert "waits: nothing starts (DISABLED)" in found.because


def test_in_a_disabled_environment_nobody_gets_anything(proofs):
    config = queue(2, share("a", 1), share("b", 1))
    environment = config.environment.model_copy(update={"state": State.DISABLED})
    found = one(proofs, config.model_copy(update={"environment": environment}), Fits({"u": 1}), "a")
    assert found.verdict is Verdict.BROKEN


# several units


def test_a_job_of_two_units_takes_both_back(proofs):
    config = queue({"u": 2, "w": 2}, share("a", {"u": 1, "w": 1}, BORROWS), share("b", {"u": 1, "w": 1}))
    assert one(proofs, config, Fits({"u": 1, "w": 1}), "b").verdict is Verdict.HOLDS_IF


def test_a_job_of_two_units_waits_where_it_is_beyond_its_limit_in_one(proofs):
    """w is there whatever happens, but beyond the limit: so nobody is stopped for u."""
    config = queue(
        {"u": 2, "w": 2},
        share("a", {"u": 1, "w": 1}, BORROWS, 100), share("b", {"u": 1}, BORROWS), share("c", {"w": 1}, state="DISABLED"),
    )  # fmt: skip
    term = Gets({"u": 1, "w": 2}, MINUTE)
    readings, times = Readings.of(A46="no", A47="yes", A4="nothing"), {"u": MINUTE, "w": MINUTE}
    one_unit, other, both = judge(proofs, config, term, "a", readings=readings, stop_takes=times)
    assert (one_unit.result.subject, other.result.subject, both.result.subject) == ("a, u", "a, w", "a")
    assert one_unit.result.verdict is Verdict.HOLDS_IF
    assert other.result.verdict is Verdict.HOLDS_HERE
    assert both.result.verdict is Verdict.BROKEN
    (job,) = [s for s in both.scenario.steps if isinstance(s, ev.Submit) and s.share == "a"]
    assert job.size == {"u": 1, "w": 2}


def test_machines_of_a_measure_are_had_in_any_units(proofs):
    config = queue({"u": 2, "w": 9}, share("a", {"u": 1, "w": 8}, "RESERVE"), share("b", {"u": 1, "w": 1}))
    weights = {"weights": {"GPU": {"u": 8, "w": 1}}}
    assert one(proofs, config, Gets({"GPU": 8}, 0), "a", **weights).verdict is Verdict.HOLDS_HERE
    assert one(proofs, config, Gets({"GPU": 9}, 0), "a", **weights).verdict is Verdict.BROKEN


# bounds


def test_shares_together_hold_a_measure_over_several_units(proofs):
    config = queue({"u": 3, "w": 4}, share("a", {"u": 1, "w": 2}, BORROWS), share("b", {"u": 2, "w": 2}))
    weights = {"weights": {"GPU": {"u": 8, "w": 1}}}
    found = one(proofs, config, HoldsAtMost({"GPU": 28}), "a", "b", group="both", **weights)
    assert (found.verdict, found.because) == (Verdict.HOLDS_HERE, "can hold at most 28 <= 28 GPU")
    found = one(proofs, config, HoldsAtMost({"GPU": 20}), "b", group="both", **weights)
    assert (found.verdict, found.because) == (Verdict.HOLDS_HERE, "can hold at most 18 <= 20 GPU")
    found = one(proofs, config, HoldsAtMost({"GPU": 20}), "a", **weights)
    assert (found.verdict, found.subject, found.because) == (Verdict.BROKEN, "a, GPU", "can hold 28 > 20 GPU")


def test_a_unit_without_a_weight_is_said_to_count_nothing(proofs):
    config = queue({"u": 3, "w": 4}, share("a", {"u": 1, "w": 2}), share("b", {"u": 2, "w": 2}))
    found = one(proofs, config, HoldsAtMost({"GPU": 8}), "a", weights={"GPU": {"u": 8}})
    assert found.because == "can hold at most 8 <= 8 GPU; w counts 0 GPU"


def test_what_is_borrowed_is_what_is_beyond_the_limit(proofs):
    assert one(proofs, lending(), BorrowsAtMost({"u": 2}), "a").because == "can borrow at most 2 <= 2 u"
    found = one(proofs, lending(), BorrowsAtMost({"u": 1}), "a")
    assert (found.verdict, found.because) == (Verdict.BROKEN, "can borrow 2 > 1 u")


def test_a_bound_of_nothing_is_kept_by_a_share_that_never_borrows(proofs):
    assert one(proofs, lending(), BorrowsAtMost({"u": 0}), "c").verdict is Verdict.HOLDS_HERE
    assert one(proofs, lending(), HoldsAtMost({"u": 0}), "c").verdict is Verdict.BROKEN


def test_the_verdict_names_the_rounding_that_breaks_it(proofs):
    config = queue(5, share("a", 3, BORROWS, 25), share("b", 2))
    found = one(proofs, config, BorrowsAtMost({"u": 0}), "a")
    assert (found.verdict, found.combinations) == (Verdict.HOLDS_IF, ({"A6": "ceil"}, {"A6": "round"}))
    found = one(proofs, config, BorrowsAtMost({"u": 0}), "a", readings=Readings.of(A6="ceil"))
    assert found.verdict is Verdict.BROKEN


def test_what_only_one_reading_breaks_is_broken_if_and_counts_where_it_is_the_default(proofs):
    config = queue(6, share("a", 2), share("b", 2))
    found = one(proofs, config, Gets({"u": 2}, 0), "a", readings=Readings())
    assert found.verdict is Verdict.HOLDS_HERE
    config = queue(4, share("a", 2, BORROWS, 50), share("b", 1), share("c", 1))
    found = one(proofs, config, BorrowsAtMost({"u": 0}), "a")
    assert found.verdict is Verdict.BROKEN
    config = queue(4, share("a", 2, BORROWS, 0), share("b", 1))
    found = one(proofs, config, IdleWhileWaiting("u", MINUTE), "a")
    assert (found.verdict, found.combinations, found.asked) == (Verdict.BROKEN_IF, ({"A8": "none"},), True)


# idle, undisturbed


def test_a_borrow_limit_leaves_a_machine_idle_while_its_share_waits(proofs):
    found = judge(proofs, lending(), IdleWhileWaiting("u", MINUTE))
    assert [j.result.subject for j in found] == ["a, u", "b, u"]
    assert [j.result.verdict for j in found] == [Verdict.HOLDS_HERE, Verdict.BROKEN]
    assert found[1].result.because.endswith("b waits for one: its borrow limit allows 1 more than its 1")


def test_a_share_within_its_limit_is_left_alone_by_others_unless_jobs_are_labelled_for_life(proofs):
    found = one(proofs, lending(), Undisturbed(By.OTHER_SHARES), "a")
    assert (found.verdict, found.combinations) == (Verdict.HOLDS_IF, ({"A13": "a"},))
    assert one(proofs, lending(), Undisturbed(By.OTHER_SHARES), "c").verdict is Verdict.HOLDS_HERE
    found = one(proofs, lending(), Undisturbed(By.OTHER_SHARES), "a", readings=Readings.of(A13="a"))
    assert (found.verdict, found.asked) == (Verdict.BROKEN_IF, True)
    found = one(proofs, lending(), Undisturbed(By.OTHER_SHARES), "a", readings=Readings.of(A13="b"))
    assert found.verdict is Verdict.HOLDS_ALWAYS


def test_never_stopped_is_broken_for_a_share_that_borrows(proofs):
    found = one(proofs, lending(), Undisturbed(By.OTHER_SHARES, always=True), "a")
    assert found.verdict is Verdict.BROKEN
    assert found.because.startswith("a uses 4 u: a is above its limit, and a job of it is stopped for a job of 1 u of ")
    alone = queue(4, share("a", 2, BORROWS), share("r", 2, "RESERVE"))
    assert one(proofs, alone, Undisturbed(By.OTHER_SHARES, always=True), "a").verdict is Verdict.HOLDS_HERE


def test_by_anyone_needs_in_share_preemption_off(proofs):
    found = one(proofs, lending(), Undisturbed(By.ANYONE), "a")
    assert found.verdict is Verdict.BROKEN
    assert "a is within its limit, and its job is stopped for" in found.because
    found = one(proofs, lending(), Undisturbed(By.ANYONE), "b")
    assert (found.verdict, found.because.endswith("; in-share preemption is off")) == (Verdict.HOLDS_IF, True)


# readings of reclaim, limits of the solver, scenarios


def test_under_readings_outside_the_theorem_a_job_sequence_breaks_it_or_it_is_not_decided(proofs):
    found = one(proofs, lending(), Fits({"u": 1}), "c", readings=Readings.of(A23="no"))
    assert (found.verdict, found.combinations, found.asked) == (Verdict.BROKEN_IF, ({"A23": "no"},), True)
    found = one(proofs, lending(), Fits({"u": 1}), "c", readings=Readings.of(A24="b"))
    assert found.verdict is Verdict.UNKNOWN
    assert found.because.startswith("A24=b is outside Theorem R")


def test_a_smaller_job_than_the_limit_is_interrupted_too(proofs):
    config = queue(6, share("a", 2, BORROWS), share("b", 2), share("c", 2))
    found = one(proofs, config, Fits({"u": 1}), "c", readings=Readings.of(A23="no", A15="no"))
    assert (found.verdict, found.asked) == (Verdict.BROKEN_IF, True)


@pytest.mark.parametrize("term", [Gets({"u": 1}, 0), Fits({"u": 1}), HoldsAtMost({"u": 1}), IdleWhileWaiting("u", 1),
                                  Undisturbed(By.ANYONE, always=True)])  # fmt: skip
def test_without_time_nothing_is_decided(proofs, term):
    promise = Promise("P1", "it is promised.", Scope(("a",)), (term,), "owner")
    case = Case(Promises((promise,)), lending(), Readings(), proofs, date(2026, 11, 30), solver=Solver(seconds=0))
    (made,) = JUDGES[type(term)](case, promise, term)
    assert made.result.verdict is Verdict.UNKNOWN
    assert "--timeout" in made.result.because


def test_what_no_scenario_shows_is_not_decided(proofs, monkeypatch):
    monkeypatch.setattr(scenarios, "MOST_STEPS", 0)
    (made,) = judge(proofs, lending(), Gets({"u": 1}, 0), "c")
    assert (made.result.verdict, made.scenario) == (Verdict.UNKNOWN, None)
    assert made.result.because.endswith("; no scenario shows it")


def shown(scenario):
    played = play(scenario)
    return not (played.wrong or played.violations or played.unusable)


def reduced(scenario, term):
    """Every scenario with one job less, or one machine less in one job; a job that is to fit has its size."""
    for i, step in enumerate(scenario.steps):
        if isinstance(step, ev.Submit) and not (isinstance(term, Fits) and step.job == "a-job"):
            rest = [s for s in scenario.steps if getattr(s, "job", None) != step.job]
            yield replace(scenario, steps=tuple(rest))
            for unit, n in step.size.items():
                size = {u: m for u, m in {**step.size, unit: n - 1}.items() if m}
                if size:
                    fewer = replace(step, size=size)
                    yield replace(scenario, steps=(*scenario.steps[:i], fewer, *scenario.steps[i + 1 :]))


@pytest.mark.parametrize(
    "term", [Gets({"u": 1}, 0), Gets({"u": 2}, 0), Fits({"u": 2}), HoldsAtMost({"u": 2}), IdleWhileWaiting("u", 1),
             Undisturbed(By.ANYONE), Undisturbed(By.OTHER_SHARES, always=True)])  # fmt: skip
def test_no_job_can_be_left_out_and_no_number_lowered(proofs, term):
    seen = 0
    for config, readings in drawn(42, 6):
        for made in judge(proofs, config, term, "a", readings=readings, **STOPS):
            if made.scenario is not None:
                seen += 1
                assert isinstance(made.scenario.steps[-1], Expect)
                assert not [s for s in reduced(made.scenario, term) if shown(s)]
                assert not any(isinstance(s, Settle) for s in made.scenario.steps[:-2])
    assert seen
