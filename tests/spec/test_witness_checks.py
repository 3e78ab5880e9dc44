"""A witness is believed only when it shows what it says: for every check of a play, a scenario that fails just that one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.findings.table import lots
from quotaproof.checker.witness.find import Ground, churned, exchanged, oversubscribed
from quotaproof.checker.witness.play import play
from quotaproof.checker.witness.shrink import shrink, smaller
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Breaks, Scenario
from quotaproof.spec.model import State
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share

BORROWS = "LEND_AND_BORROW"


def ground(config, **chosen):
    readings = Readings.of(**chosen)
    return Ground(config, lots(config, readings)[0], readings)


def lasso():
    """C takes what is freed for A, again and again; the loop is the last six steps."""
    config = queue(3, share("A", 1), share("C", 1), share("B", 1, BORROWS))
    made = churned(ground(config, A23="no"), "A23", 0, 1)
    assert made is not None
    return made


def circle():
    config = queue(3, *[share(name, 1, BORROWS) for name in "ABC"])
    made = exchanged(ground(config, A24="b"), "A24")
    assert made is not None
    return made


def stuck():
    return oversubscribed(ground(queue(4, share("A", 3), share("B", 3))), "QP101")


def refused(scenario):
    """Why the play does not believe it."""
    played = play(scenario)
    assert not played.shows
    (why,) = played.wrong
    return why


def with_steps(scenario, *steps, at=None):
    """More steps, at the end of the loop or at an index."""
    at = len(scenario.steps) if at is None else at
    return replace(scenario, steps=(*scenario.steps[:at], *steps, *scenario.steps[at:]))


@pytest.mark.parametrize("made", [lasso, circle, stuck])
def test_the_witnesses_themselves_are_believed(made):
    played = play(made())
    assert played.shows
    assert played.wrong == []


def test_a_loop_that_does_not_come_back_is_no_lasso():
    made = lasso()
    assert "not that before the repeated steps" in refused(replace(made, steps=made.steps[:-2]))
    assert "not that before the repeated steps" in refused(replace(circle(), steps=circle().steps[:-1]))


def test_a_loop_in_which_an_administrator_acts_is_no_lasso():
    off, on = (ev.SetShareState("A", state) for state in (State.DISABLED, State.ENABLED))
    assert refused(with_steps(lasso(), off, on)) == "an administrator acts in the loop"


def test_a_loop_in_which_the_job_is_dispatched_is_no_lasso():
    made = lasso()
    freed = next(i for i, s in enumerate(made.steps) if isinstance(s, ev.Stopped)) + 1
    # After the victim has stopped and C's first job has ended, A's job starts and is returned for lack of machines.
    scenario = with_steps(made, ev.Dispatch("A-job"), ev.Return("A-job"), at=freed + 1)
    assert refused(scenario) == "A-job is dispatched in the loop"


def test_a_job_that_a_scheduler_only_forgets_is_no_lasso():
    config = queue(2, share("A", 1), share("B", 1))
    steps = (ev.Submit("a", "A", {"u": 1}), ev.Submit("b", "B", {"u": 1}), ev.Terminate("b"))
    scenario = Scenario("x", "", config, steps, Readings(), (), Breaks("G14", "lasso", "a"), 2)
    assert refused(scenario) == "a could act throughout the loop and never does: the scheduler only forgets it"


def test_a_victim_that_drains_for_ever_is_no_lasso():
    config = queue(3, share("A", 1), share("C", 1), share("B", 1, BORROWS))
    start = [ev.Submit("b1", "B", {"u": 1}), ev.Dispatch("b1"), ev.Submit("b2", "B", {"u": 2}), ev.Dispatch("b2"),
             ev.Submit("a", "A", {"u": 1}), ev.Claim("a", ("b2",), holds=False)]  # fmt: skip
    loop = [ev.Submit("c", "C", {"u": 1}), ev.Terminate("c")]
    scenario = Scenario("x", "", config, (*start, *loop), Readings.of(A23="no"), (), Breaks("G14", "lasso", "a"), 7)
    assert refused(scenario) == "a victim drains for ever in the loop"


def test_a_job_that_is_not_the_entitled_head_does_not_suffer():
    made = lasso()
    assert "does not wait as the entitled head" in refused(replace(made, breaks=Breaks("G14", "lasso", "B-own")))


def test_a_step_that_breaks_a_promise_itself_makes_no_lasso_circle_or_stuck_state():
    for made in (lasso(), circle(), stuck()):
        bad = with_steps(made, ev.Submit("x", "B", {"u": 9}), ev.Dispatch("x"), at=0)
        bad = replace(bad, repeats_from=None if bad.repeats_from is None else bad.repeats_from + 2)
        assert refused(bad).startswith("a step breaks a promise itself")


def test_a_circle_is_of_scheduler_and_drains_alone_and_preempts():
    made = circle()
    somebody = with_steps(made, ev.SetPriority("A-job", 0))
    assert refused(somebody) == "somebody else than scheduler and drains acts in the loop"
    idle = Scenario("x", "", queue(1, share("A", 1)), (ev.Submit("a", "A", {"u": 2}), ev.Misconfigured("a", "x")),
                    Readings(), (), Breaks("G18", "circle"), 2)  # fmt: skip
    assert refused(idle) == "nobody is preempted in the loop"


def test_a_stuck_job_may_not_start_and_nobody_drains_or_borrows_what_it_lacks():
    fits = Scenario("x", "", queue(2, share("A", 1), share("B", 1)), (ev.Submit("a", "A", {"u": 1}),), Readings(), (),
                    Breaks("G14", "stuck", "a"))  # fmt: skip
    assert refused(fits) == "a may start"
    config = queue(2, share("A", 1), share("B", 1, BORROWS))
    full = (ev.Submit("b1", "B", {"u": 1}), ev.Dispatch("b1"), ev.Submit("b2", "B", {"u": 1}), ev.Dispatch("b2"),
            ev.Submit("a", "A", {"u": 1}))  # fmt: skip
    loans = Scenario("x", "", config, full, Readings(), (), Breaks("G14", "stuck", "a"))
    assert refused(loans) == "the other shares borrow what a lacks"
    draining = replace(loans, steps=(*full, ev.Claim("a", ("b2",), holds=False)), readings=Readings.of(A23="no"))
    assert refused(draining) == "victims are still draining"


def test_a_step_witness_breaks_its_code_at_the_last_step_and_nothing_before():
    config = queue(2, share("A", 1), share("B", 1))
    steps = (ev.Submit("a", "A", {"u": 2}), ev.Dispatch("a"))
    scenario = Scenario("x", "", config, steps, Readings(), (), Breaks("G4", "step", "a"))
    assert play(scenario).shows
    assert refused(replace(scenario, breaks=Breaks("G1", "step", "a"))) == "the last step does not break G1"
    twice = (*steps, ev.Submit("b", "B", {"u": 2}), ev.Dispatch("b"))
    assert refused(replace(scenario, steps=twice)) == "an earlier step breaks a promise"


def test_shrinking_drops_whole_jobs_single_steps_and_lowers_numbers():
    made = stuck()
    padded = with_steps(made, ev.Submit("idle", "A", {"u": 1}, 0), ev.Dispatch("idle"), ev.Finish("idle"), at=0)
    padded = with_steps(padded, ev.SetPriority("A-job", 5))
    steps = [replace(s, size={"u": 3}, priority=2) if isinstance(s, ev.Submit) and s.job == "A-job" else s
             for s in padded.steps]  # fmt: skip
    small = shrink(replace(padded, steps=tuple(steps)))
    b, started, a = small.steps
    assert started == ev.Dispatch("B-job")
    assert [(s.job, s.priority) for s in (b, a)] == [("B-job", 0), ("A-job", 0)]
    assert a.size["u"] + b.size["u"] == 5, "one more than the environment has"
    assert not any(play(less).shows for less in smaller(small) if less.steps)
