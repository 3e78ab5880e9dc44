"""What nobody promises to a job that waits: each guarantee with a premise, where it does not hold, in numbers; and never
what a scheduler that stops would break."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.rest import at_rest
from quotaproof.checker.judge.rules import entitled
from quotaproof.checker.judge.start import kinds
from quotaproof.checker.judge.state import Situation
from quotaproof.checker.judge.unpromised import unpromised
from quotaproof.checker.teach.frame import KEPT, UNPROMISED
from quotaproof.checker.teach.game import Game
from quotaproof.checker.teach.run import Play
from quotaproof.reference.decide import decide
from quotaproof.reference.run import platform_step
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Settle
from quotaproof.spec.model import State
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share
from ..support.runs import Run

BORROWS = "LEND_AND_BORROW"
OVER = queue(3, share("a", 2, BORROWS), share("b", 1), share("c", 1, "RESERVE"))
"""Limits that add up to 4, and an environment of 3."""


def runs(name: str, n: int = 1, priority: int = 1) -> tuple[ev.Event, ...]:
    return *waits(name, n, priority), ev.Dispatch(name)


def waits(name: str, n: int = 1, priority: int = 5) -> tuple[ev.Event, ...]:
    """A job of the share that its name begins with."""
    return (ev.Submit(name, name.split("-")[0], {"u": n}, priority),)


def told(config, *steps, **readings: str) -> dict[str, str]:
    """Guarantee -> what is said of it."""
    book = Book(config, Readings().assuming(readings))
    for step in steps:
        for event in step if isinstance(step, tuple) else (step,):
            book.record(event)
    assert at_rest(book) is None or any(book.draining())
    return {one.code: one.sentence for one in unpromised(book)}


FULL = runs("a-1"), runs("b-1"), runs("c-1")


def test_of_limits_that_add_up_to_more_than_exists_reclaim_is_not_promised_and_the_numbers_are_said():
    assert told(OVER, *FULL, waits("a-2", priority=1)) == {
        "G14": "a-2 waits for what a owns, but with it a uses 2 of its 2 u, and the other shares may use 2 of their own: 4, "
        "and 3 exist; these limits are at fault, as `verify` says, and no step"
    }
    assert told(queue(4, *OVER.shares), *FULL, runs("a-2", priority=9), waits("a-3", priority=1)) == {}, (
        "it would borrow"
    )


@pytest.mark.parametrize(
    ("step", "readings", "said"),
    [
        (ev.SetEnvironmentState(State.DISABLED), {}, "the environment is disabled"),
        (ev.DeleteShare("l"), {}, "l is being deleted"),
        (ev.SetShareState("l", State.DISABLED), {"A46": "no"}, "l is disabled (A46 no)"),
        (ev.SetCapacity({"u": 1}), {"A50": "waits"}, "more is in use than there is, which has to end by itself first "
         "(A50 waits)"),
    ],
)  # fmt: skip
def test_a_share_that_starts_nothing_is_promised_nothing(step, readings, said):
    lent = queue(2, share("b", 1, BORROWS), share("l", 1))
    found = told(lent, runs("b-1"), runs("b-2"), waits("l-1"), step, **readings)
    assert found["G14"] == f"l-1 is l's own to start, and {said}"


def test_what_was_no_loan_when_it_started_is_not_taken_back_under_labels():
    lent = queue(3, share("b", 2, BORROWS), share("l", 1))
    cut = ev.SetLimits("b", {"u": 1})
    found = told(lent, runs("b-1"), runs("b-2"), ev.SetCapacity({"u": 2}), cut, waits("l-1"), A13="a")
    assert found["G14"].endswith("what is in use was no loan when it started (A13 a)")


def test_machines_that_are_kept_and_do_not_exist_are_not_promised():
    found = told(OVER, runs("a-1"), runs("a-2"), runs("b-1"), waits("c-1"))
    assert found["G15"] == "c-1 asks for 1 u that are kept for c, but 3 of 3 are in use"
    assert set(found) == {"G14", "G15"}


def test_a_borrower_that_fits_behind_one_that_does_not_is_promised_nothing_where_the_order_is_strict():
    line = queue(5, share("a", 1, BORROWS), share("b", 1, BORROWS), share("l", 3))
    jobs = runs("a-1"), runs("b-1"), waits("a-gang", 4), waits("b-loan")
    assert told(line, *jobs, A16b="strict") == {
        "G16": "b-loan fits, and a borrower that may be in front of it does not (A16b strict)"
    }


def test_a_share_over_its_limit_shrinks_only_where_that_is_all_that_is_lacked():
    config = queue(4, share("a", 2), share("b", 2), share("c", 2))
    full = runs("b-1"), runs("b-2"), runs("c-1"), runs("c-2")
    found = told(config, *full, ev.SetLimits("b", {"u": 1}), waits("a-gang", 2))
    assert found["G17"] == "b uses more than it may ever, but not by all that a-gang lacks"
    assert set(found) == {"G14", "G17"}


def test_a_higher_priority_is_promised_nothing_where_in_share_preemption_is_off():
    config = queue(2, share("a", 2))
    assert told(config, runs("a-1"), runs("a-2"), waits("a-high")) == {
        "G21": "a-high would fit once a-1, of lower priority in its share, had stopped; in-share preemption of a is off"
    }
    assert told(config, runs("a-1", priority=5), runs("a-2", priority=5), waits("a-high")) == {}


def test_every_owner_that_waits_where_the_reference_rests_is_told_and_nothing_that_is_broken_is():
    seen: Counter[bool] = Counter()
    for seed in range(120):
        run = Run(random.Random(seed))
        for _ in run.steps(40):
            pass
        for _step in run.scheduling():
            pass
        found = {(one.code, one.job) for one in unpromised(run.book)}
        rests = decide(run.queue, run.policy) is None and platform_step(run.queue) is None
        for name in run.book.shares_waiting() if rests and run.readings["A20"] == "created" else ():
            heads = list(kinds(run.book, name))
            if len(heads) == 1 and Situation(run.book, name, heads[0]).holds(entitled):
                seen["G14" in {code for code, job in found if job == heads[0].name}] += 1
    assert set(seen) == {True}, seen
    assert seen[True] >= 20


def test_a_lamp_says_so_as_long_as_somebody_waits_whom_nothing_is_promised():
    steps = (
        *waits("a-1"),
        *waits("b-1"),
        *waits("c-1"),
        Settle(),
        *waits("a-2", priority=1),
        Settle(),
        ev.Finish("b-1"),
        Settle(),
    )
    play = Play(Game("over", OVER, steps))
    lamps = [next(lamp for lamp in play.frame(n).lamps if lamp.code == "G14") for n in range(play.count)]
    states = [lamp.state for lamp in lamps]
    first = states.index(UNPROMISED)
    assert play.line(first).job == "a-2"
    assert "4, and 3 exist" in lamps[first].because
    served = next(n for n in range(play.count) if play.line(n).kind == "dispatch" and play.line(n).job == "a-2")
    assert [n for n, state in enumerate(states) if state == UNPROMISED] == list(range(first, served - 1))
    assert KEPT not in states


def test_nothing_is_said_of_a_job_behind_one_that_has_a_claim():
    config = queue(5, share("a", 2, BORROWS, None), share("c", 4, "LEND"))
    borrowed = [runs(f"a-{n}") for n in range(5)]
    claims = ev.Claim("c-1", ("a-4", "a-3", "a-2"))
    assert told(config, *borrowed, waits("c-1", 3), claims, waits("c-2")) == {}
