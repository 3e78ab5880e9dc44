"""Strict order of borrowers (A16b): whom a scheduler at rest should have served (G16), in both writings of the judge."""

from __future__ import annotations

from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.rest import at_rest
from quotaproof.checker.judge.stepwise import Violation
from quotaproof.checker.teach.frame import BROKEN
from quotaproof.checker.teach.game import Side
from quotaproof.checker.teach.planted import PLANTED
from quotaproof.checker.teach.run import Play
from quotaproof.checker.teach.scenarios import played
from quotaproof.checker.witness.play import play
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Expect, Scenario, Settle
from quotaproof.spec.model import QueueConfig, State
from quotaproof.spec.observations import Settled
from quotaproof.spec.readings import Readings

from ..support.plain import Plain
from ..support.queues import queue, share

BORROWS = "LEND_AND_BORROW"
THREE = queue(5, share("a", 1, BORROWS), share("b", 1, BORROWS), share("l", 3))
"""Two that borrow without maximum from one that lends three machines."""
OWN = ("a-own", 1, True), ("b-own", 1, True)


def left(config: QueueConfig, *jobs: tuple[str, int, bool] | ev.Event, choice: str = "strict", **more: str) -> str:
    """Code and job of what a scheduler breaks that rests after these jobs of so many machines, which run or wait."""
    found = resting(config, *jobs, choice=choice, **more)
    return f"{found.code} {found.job}" if found else ""


def resting(config: QueueConfig, *jobs: tuple[str, int, bool] | ev.Event, choice: str, **more: str) -> Violation | None:
    readings = Readings().assuming({"A16b": choice, **more})
    book, plain = Book(config, readings), Plain(config, readings)
    for job in jobs:
        events = [job] if not isinstance(job, tuple) else [ev.Submit(job[0], job[0].split("-")[0], {"u": job[1]})]
        events += [ev.Dispatch(job[0])] if isinstance(job, tuple) and job[2] else []
        for event in events:
            book.record(event)
            plain.record(event)
    found = at_rest(book)
    assert plain.judge(Settled()) == ([found.code] if found else [])
    return found


def test_the_only_borrower_is_the_first():
    assert left(THREE, *OWN, ("a-loan", 1, False)) == "G16 a-loan"
    assert left(THREE, *OWN, ("a-gang", 4, False)) == ""


def test_behind_a_borrower_that_does_not_fit_another_may_wait_and_skipping_does_not_excuse():
    jobs = *OWN, ("a-gang", 4, False), ("b-loan", 1, False)
    assert left(THREE, *jobs) == ""
    assert left(THREE, *jobs, choice="skip") == "G16 b-loan"


def test_where_every_borrower_fits_the_first_does_whoever_it_is():
    jobs = *OWN, ("a-loan", 2, False), ("b-loan", 2, False)
    assert left(THREE, *jobs) == "G16 a-loan"
    found = resting(THREE, *jobs, choice="strict")
    assert found is not None
    assert found.sentence == ("a-loan is the head of a and fits, and so does every borrower that may be in front of it")


def test_of_equals_that_may_be_the_head_one_that_does_not_fit_excuses_the_other_shares():
    jobs = *OWN, ("a-loan", 1, False), ("a-gang", 4, False), ("b-loan", 1, False)
    assert left(THREE, *jobs) == ""
    assert left(THREE, *jobs, ev.SetPriority("a-loan", 1)) == "G16 a-loan"


def test_owners_and_shares_that_may_not_borrow_stand_in_no_line():
    gang = ("l-gang", 4, False)
    assert left(THREE, *OWN, gang, ("a-loan", 1, False)) == "G16 a-loan"
    owner = ("l-back", 3, False)
    assert left(THREE, *OWN, ("b-loan", 1, True), owner, ("a-loan", 1, False)) == "G14 l-back"


def test_a_share_that_is_void_stands_in_no_line():
    jobs = *OWN, ("a-gang", 4, False), ("b-loan", 1, False)
    gone = ev.SetShareState("a", State.DISABLED), ev.DeleteShare("a")
    assert left(THREE, *jobs, *gone) == ""
    assert left(THREE, *jobs, *gone, A48="void") == "G16 b-loan"


def test_the_reference_serves_a_borrower_behind_a_share_that_may_not_borrow():
    jobs = (ev.Submit("l-gang", "l", {"u": 4}), ev.Submit("a-own", "a", {"u": 1}), ev.Submit("a-loan", "a", {"u": 1}))
    steps = (*jobs, Settle(), Expect(dispatched=("a-loan", "a-own"), runnable=("l-gang",)))
    shown = play(Scenario("in line", "", THREE, steps, Readings().assuming({"A16b": "strict"})))
    assert (shown.wrong, shown.violations, shown.unserved) == ([], [], None)


def test_a_scheduler_that_lends_nothing_is_caught_under_the_strict_order_too():
    game = played(PLANTED["starts-no-loans"].shows)
    strict = {**game.side.assume, "A16b": "strict"}
    plays = {name: Play(game, Side(name, strict)) for name in ("starts-no-loans", "reference")}
    red = {name: {lamp.code for lamp in p.lamps.at(p.count - 1) if lamp.state == BROKEN} for name, p in plays.items()}
    assert "G16" in red["starts-no-loans"]
    assert red["reference"] == set()
