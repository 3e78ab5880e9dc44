"""No guard is idle: each is open in some state of a queue with two shares and jobs of two machines, and each of its
clauses alone closes it in another. Every state is reached from the empty queue by a scenario that plays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from quotaproof.checker.judge import rules
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.rest import at_rest
from quotaproof.checker.judge.start import refusal, situation
from quotaproof.checker.judge.state import Situation
from quotaproof.checker.judge.stepwise import judge
from quotaproof.checker.witness.play import Player
from quotaproof.spec import events as ev
from quotaproof.spec.expr.nodes import Bool, Node
from quotaproof.spec.expr.walk import clauses
from quotaproof.spec.formats.scenario import Scenario, Settle, Step
from quotaproof.spec.model import QueueConfig, State
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules import actions
from quotaproof.spec.rules.view import Running

from ..support.queues import queue, share

BORROWS = "LEND_AND_BORROW"
DEFAULTS = Readings()
REST, NO_DRAINS = Settle(), Settle(drains=False)


def job(name: str, priority: int = 0, n: int = 2) -> ev.Submit:
    """`a-job` is a job of share a, of n machines of unit u."""
    return ev.Submit(name, name.split("-")[0], {"u": n}, priority)


def stop_guard(view: Running) -> Node:
    return actions.stop(view, "victim").guard


def return_guard(view: Running) -> Node:
    return actions.back_to_runnable(view, "victim").guard


def finish_guard(view: Running) -> Node:
    return actions.finish(view, "victim").guard


def submit_guard(view: Running) -> Node:
    return actions.submit(view, "actor").guard


@dataclass(frozen=True)
class Place:
    """A guard in a state: who asks, and who else plays a role."""

    guard: Callable[[Running], Node]
    config: QueueConfig
    steps: tuple[Step, ...]
    asks: str
    victim: str = ""
    other: str = ""
    watched: str = ""
    readings: Readings = DEFAULTS


LENT = queue(4, share("b", 2, BORROWS), share("l", 2))
"""b borrows from l."""
KEPT = queue(4, share("b", 2, BORROWS), share("r", 2, "RESERVE"))
TWO = (job("b-own", 5), job("b-loan", 4), REST)
"""b runs a job of its own and one on loan."""
SWAPS = queue(4, share("a", 2, in_share=True), share("l", 2))
FOUR = queue(6, share("b", 2, BORROWS), share("c", 2, BORROWS), share("l", 2))


def at(guard: Callable[[Running], Node], config: QueueConfig, *steps: Step, asks: str, **roles: object) -> Place:
    return Place(guard, config, steps, asks, **roles)  # type: ignore[arg-type]


OPEN = {
    "dispatch of an owner": at(rules.dispatch_guard, LENT, job("l-job"), asks="l-job"),
    "dispatch of a borrower": at(rules.dispatch_guard, LENT, job("b-own"), REST, job("b-loan"), asks="b-loan"),
    "hold, beside a claim that leaves enough": at(
        rules.holds_guard, queue(6, share("b", 2, BORROWS), share("l", 2), share("r", 2, "RESERVE")),
        *TWO, job("l-job"), NO_DRAINS, job("r-job"), asks="r-job", watched="l-job"),
    "hold, for the claim's own job": at(
        rules.holds_guard, LENT, *TWO, job("l-job"), NO_DRAINS, ev.Stopped("b-loan"), asks="l-job", watched="l-job"),
    "yields, beside a head that is not entitled": at(
        rules.yields_guard, FOUR, job("b-own"), job("c-own"), REST, job("b-loan"), job("c-loan"), asks="b-loan",
        other="c-loan"),
    "preempt cross": at(rules.cross_guard, LENT, *TWO, job("l-job"), asks="l-job", victim="b-loan"),
    "preempt in-share": at(rules.in_share_guard, SWAPS, job("a-low", 1), REST, job("a-high", 2), asks="a-high",
                           victim="a-low"),
    "claim without victims, capacity is free": at(rules.claim_guard, LENT, job("l-job"), asks="l-job"),
    "claim without victims, another claim's drains suffice": at(
        rules.claim_guard, queue(6, share("b", 2, BORROWS), share("l", 2), share("m", 2)),
        job("b-own", 2), job("b-loan", 1, 4), REST, job("l-job"), ev.Claim("l-job", ("b-loan",)), job("m-job"),
        asks="m-job"),
    "release, the job is no longer the head": at(
        rules.release_guard, LENT, *TWO, job("l-job"), NO_DRAINS, job("l-first", 9), asks="l-job", watched="l-job"),
    "release, an administrator left the claim unfunded": at(
        rules.release_guard, LENT, *TWO, job("l-job"), NO_DRAINS, ev.SetCapacity({"u": 2}), asks="l-job",
        watched="l-job"),
    "release, the share is no longer entitled": at(
        rules.release_guard, LENT, *TWO, job("l-job"), NO_DRAINS, ev.SetLimits("l", {"u": 1}), asks="l-job",
        watched="l-job"),
    "stop": at(stop_guard, LENT, *TWO, job("l-job"), NO_DRAINS, asks="l-job", victim="b-loan"),
    "return": at(return_guard, LENT, *TWO, asks="b-own", victim="b-loan"),
    "finish": at(finish_guard, LENT, *TWO, ev.Advance("b-loan"), asks="b-own", victim="b-loan"),
    "submit": at(submit_guard, LENT, *TWO, asks="b-own"),
}  # fmt: skip

CLOSED = {
    ("dispatch.runnable", "it runs already"): at(rules.dispatch_guard, LENT, *TWO, asks="b-loan"),
    ("dispatch.environment-enabled", "the environment is disabled"): at(
        rules.dispatch_guard, LENT, ev.SetEnvironmentState(State.DISABLED), job("l-job"), asks="l-job"),
    ("dispatch.share-kept", "the share is being deleted"): at(
        rules.dispatch_guard, LENT, job("l-job"), ev.SetShareState("l", State.DISABLED), ev.DeleteShare("l"),
        asks="l-job"),
    ("dispatch.share-enabled", "A46 no: the share is disabled"): at(
        rules.dispatch_guard, LENT, job("l-job"), ev.SetShareState("l", State.DISABLED), asks="l-job",
        readings=Readings.of(A46="no")),
    ("dispatch.head", "a more important job waits"): at(
        rules.dispatch_guard, LENT, job("l-low", 1), job("l-high", 2), asks="l-low"),
    ("dispatch.limit", "beyond the limit of a lender"): at(
        rules.dispatch_guard, LENT, job("l-first"), REST, job("l-more"), asks="l-more"),
    ("dispatch.borrow-limit", "beyond the borrow limit"): at(
        rules.dispatch_guard, queue(4, share("b", 2, BORROWS, 50), share("l", 2)), job("b-own"), REST, job("b-more"),
        asks="b-more"),
    ("dispatch.environment", "an owner finds all machines in use"): at(
        rules.dispatch_guard, LENT, *TWO, job("l-job"), asks="l-job"),
    ("dispatch.reserved", "what is idle is kept for its owner"): at(
        rules.dispatch_guard, KEPT, job("b-own"), REST, job("b-more"), asks="b-more"),
    ("dispatch.pool", "what is idle was given to nobody"): at(
        rules.dispatch_guard, queue(6, share("b", 2, BORROWS), share("l", 2)), *TWO, job("b-more"), asks="b-more"),
    ("dispatch.hold", "one machine of a claim is free and promised"): at(
        rules.holds_guard, queue(6, share("b", 2, BORROWS), share("l", 4)), job("b-own", 5), job("b-loan", 4), REST,
        job("l-gang", 0, 4), NO_DRAINS, job("b-more"), asks="b-more", watched="l-gang"),
    ("dispatch.yields", "an entitled head of another share waits for the same machines"): at(
        rules.yields_guard, LENT, job("b-own"), REST, job("b-loan"), job("l-job"), asks="b-loan", other="l-job"),
    ("preempt.dispatched", "the victim drains already"): at(
        rules.cross_guard, LENT, *TWO, job("l-job"), NO_DRAINS, asks="l-job", victim="b-loan"),
    ("preempt.share-kept", "the claimant's share is being deleted"): at(
        rules.cross_guard, LENT, *TWO, job("l-job"), ev.SetShareState("l", State.DISABLED), ev.DeleteShare("l"),
        asks="l-job", victim="b-loan"),
    ("preempt.head", "a more important job of the claimant's share waits"): at(
        rules.cross_guard, LENT, *TWO, job("l-low", 1), job("l-high", 2), asks="l-low", victim="b-loan"),
    ("preempt.entitled", "the claimant would exceed its own limit"): at(
        rules.cross_guard, LENT, *TWO, job("l-gang", 0, 3), asks="l-gang", victim="b-loan"),
    ("preempt.needed", "the victim's share is within its limit"): at(
        rules.cross_guard, queue(3, share("b", 2, BORROWS), share("l", 2)), job("b-own"), REST, job("l-job"),
        asks="l-job", victim="b-own"),
    ("preempt.needed", "the claimant lacks nothing"): at(
        rules.cross_guard, FOUR, *TWO, job("c-job"), asks="c-job", victim="b-loan"),
    ("in-share.enabled", "in-share preemption is off"): at(
        rules.in_share_guard, LENT, job("l-low", 1), REST, job("l-high", 2), asks="l-high", victim="l-low"),
    ("in-share.share-kept", "A46 no: the share is disabled"): at(
        rules.in_share_guard, SWAPS, job("a-low", 1), REST, job("a-high", 2), ev.SetShareState("a", State.DISABLED),
        asks="a-high", victim="a-low", readings=Readings.of(A46="no")),
    ("in-share.higher", "the priorities are equal"): at(
        rules.in_share_guard, SWAPS, job("a-low", 1), REST, job("a-same", 1), asks="a-same", victim="a-low"),
    ("in-share.head", "a more important job waits"): at(
        rules.in_share_guard, SWAPS, job("a-low", 1), REST, job("a-mid", 2), job("a-high", 3), asks="a-mid",
        victim="a-low"),
    ("in-share.needed", "the head fits beside it"): at(
        rules.in_share_guard, queue(6, share("a", 4, in_share=True), share("l", 2)), job("a-low", 1), REST,
        job("a-high", 2), asks="a-high", victim="a-low"),
    ("claim.head", "a more important job waits"): at(
        rules.claim_guard, LENT, job("l-low", 1), job("l-high", 2), asks="l-low"),
    ("claim.entitled", "it would end above the limit"): at(
        rules.claim_guard, LENT, job("b-gang", 0, 3), asks="b-gang"),
    ("claim.suffices", "nothing drains yet"): at(rules.claim_guard, LENT, *TWO, job("l-job"), asks="l-job"),
    ("release.over", "the job still waits, entitled, at the head"): at(
        rules.release_guard, LENT, *TWO, job("l-job"), NO_DRAINS, asks="l-job", watched="l-job"),
    ("stop.draining", "nobody told it to stop"): at(stop_guard, LENT, *TWO, asks="b-own", victim="b-loan"),
    ("return.scheduled", "it is STARTING"): at(
        return_guard, LENT, *TWO, ev.Advance("b-loan"), asks="b-own", victim="b-loan"),
    ("finish.holds", "it waits"): at(finish_guard, LENT, *TWO, job("b-more"), asks="b-own", victim="b-more"),
    ("submit.share-enabled", "the share is disabled"): at(
        submit_guard, LENT, *TWO, ev.SetShareState("b", State.DISABLED), asks="b-own"),
    ("submit.queue-enabled", "the queue is disabled"): at(
        submit_guard, LENT, *TWO, ev.SetQueueState(State.DISABLED), asks="b-own"),
}  # fmt: skip


def reached(state: Place) -> Situation:
    """The state after its scenario, which must play and break nothing."""
    player = Player(Scenario("state", "", state.config, state.steps, state.readings))
    played = player.play()
    assert (played.wrong, played.violations) == ([], [])
    book = player.book
    assert len(book.now.shares) >= 2
    assert book.jobs[state.asks].size["u"] >= 2
    return situation(
        book,
        book.jobs[state.asks],
        victim=book.jobs[state.victim] if state.victim else None,
        other=book.jobs[state.other] if state.other else None,
        watched=book.promise(state.watched) if state.watched else None,
    )


@pytest.mark.parametrize("state", OPEN.values(), ids=OPEN.keys())
def test_the_guard_is_open(state: Place) -> None:
    found = reached(state)
    assert state.watched == "" or found.watched is not None
    assert found.holds(state.guard)
    assert found.why_not(state.guard) is None


@pytest.mark.parametrize(("code", "state"), [(c, s) for (c, _), s in CLOSED.items()], ids=[" ".join(k) for k in CLOSED])
def test_the_guard_is_closed_by_this_clause(code: str, state: Place) -> None:
    found = reached(state)
    assert not found.holds(state.guard)
    false = found.why_not(state.guard)
    assert false is not None
    assert false.code == code
    assert "{" not in false.sentence


def test_every_clause_that_a_guard_can_be_closed_by_closes_it_here() -> None:
    guards = {place.guard for place in (*OPEN.values(), *CLOSED.values())}
    view = Running(("actor", "victim", "other"), ("u0",), Readings.of(A46="no"))
    roots = [guard(view) for guard in guards]
    written = {code for root in roots if isinstance(root, Bool) for code in clauses(root)}
    within = {"preempt.lacks", "preempt.above-limit", "in-share.lacks"}
    within |= {f"settled.{c}" for c in ("limit", "borrow-limit", "environment", "reserved", "pool")}
    assert {code for code, _ in CLOSED} == written - within


EVENTS = {
    "preempt cross": ev.Claim("l-job", ("b-loan",)),
    "preempt in-share": ev.Claim("a-high", ("a-low",)),
    "claim without victims, another claim's drains suffice": ev.Claim("m-job"),
    "release, the job is no longer the head": ev.Release("l-job"),
    "stop": ev.Stopped("b-loan"),
    "return": ev.Return("b-loan"),
    "finish": ev.Finish("b-loan"),
    "dispatch of an owner": ev.Dispatch("l-job"),
    "dispatch of a borrower": ev.Dispatch("b-loan"),
    "hold, for the claim's own job": ev.Dispatch("l-job"),
}


@pytest.mark.parametrize("name", EVENTS)
def test_the_event_of_an_open_guard_plays_and_breaks_nothing(name: str) -> None:
    state = OPEN[name]
    book = reached(state).book
    assert judge(book, EVENTS[name]) is None
    played = Player(Scenario("event", "", state.config, (*state.steps, EVENTS[name]), state.readings)).play()
    assert (played.wrong, played.violations) == ([], [])


BLAMED = {
    ("dispatch.limit", "beyond the limit of a lender"): ("G4", ev.Dispatch("l-more")),
    ("dispatch.borrow-limit", "beyond the borrow limit"): ("G3", ev.Dispatch("b-more")),
    ("dispatch.environment", "an owner finds all machines in use"): ("G1", ev.Dispatch("l-job")),
    ("dispatch.reserved", "what is idle is kept for its owner"): ("G2", ev.Dispatch("b-more")),
    ("dispatch.pool", "what is idle was given to nobody"): ("G2", ev.Dispatch("b-more")),
    ("dispatch.hold", "one machine of a claim is free and promised"): ("G7", ev.Dispatch("b-more")),
    ("dispatch.yields", "an entitled head of another share waits for the same machines"): (
        "G8", ev.Dispatch("b-loan")),
    ("dispatch.head", "a more important job waits"): ("G9", ev.Dispatch("l-low")),
    ("dispatch.runnable", "it runs already"): ("G10", ev.Dispatch("b-loan")),
    ("dispatch.environment-enabled", "the environment is disabled"): ("G13", ev.Dispatch("l-job")),
    ("dispatch.share-kept", "the share is being deleted"): ("G13", ev.Dispatch("l-job")),
    ("preempt.dispatched", "the victim drains already"): ("G10", ev.Claim("l-job", ("b-loan",))),
    ("preempt.entitled", "the claimant would exceed its own limit"): ("G5x", ev.Claim("l-gang", ("b-loan",))),
    ("preempt.head", "a more important job of the claimant's share waits"): (
        "G5x", ev.Claim("l-low", ("b-loan",))),
    ("preempt.needed", "the victim's share is within its limit"): ("G5x", ev.Claim("l-job", ("b-own",))),
    ("preempt.needed", "the claimant lacks nothing"): ("G6", ev.Claim("c-job", ("b-loan",))),
    ("in-share.enabled", "in-share preemption is off"): ("G5s", ev.Claim("l-high", ("l-low",), holds=False)),
    ("in-share.higher", "the priorities are equal"): ("G5s", ev.Claim("a-same", ("a-low",), holds=False)),
    ("in-share.head", "a more important job waits"): ("G5s", ev.Claim("a-mid", ("a-low",), holds=False)),
    ("in-share.needed", "the head fits beside it"): ("G6", ev.Claim("a-high", ("a-low",))),
    ("claim.head", "a more important job waits"): ("G9", ev.Claim("l-low")),
    ("claim.entitled", "it would end above the limit"): ("G5x", ev.Claim("b-gang")),
    ("claim.suffices", "nothing drains yet"): ("G7", ev.Claim("l-job")),
    ("release.over", "the job still waits, entitled, at the head"): ("G7", ev.Release("l-job")),
    ("stop.draining", "nobody told it to stop"): ("G10", ev.Stopped("b-loan")),
    ("return.scheduled", "it is STARTING"): ("G10", ev.Return("b-loan")),
    ("finish.holds", "it waits"): ("G10", ev.Finish("b-more")),
    ("submit.share-enabled", "the share is disabled"): ("G13", job("b-new")),
    ("submit.queue-enabled", "the queue is disabled"): ("G13", job("b-new")),
}  # fmt: skip
"""Closed guard -> the promise that is broken by whoever takes the step all the same."""


@pytest.mark.parametrize("key", BLAMED, ids=" ".join)
def test_the_event_of_a_closed_guard_breaks_the_promise_that_the_guard_is_there_for(key: tuple[str, str]) -> None:
    guarantee, event = BLAMED[key]
    violation = judge(reached(CLOSED[key]).book, event)
    assert violation is not None
    assert violation.code == guarantee
    assert violation.clause in ("", key[0])


def test_what_blocks_a_waiting_job_is_the_first_false_clause_of_all_parts_of_its_guard() -> None:
    for code in ("dispatch.environment", "dispatch.reserved", "dispatch.hold", "dispatch.yields"):
        state = next(place for (closing, _), place in CLOSED.items() if closing == code)
        book = reached(state).book
        false = refusal(book, book.jobs[state.asks])
        assert false is not None
        assert false.code == code
    book = reached(OPEN["dispatch of a borrower"]).book
    assert refusal(book, book.jobs["b-loan"]) is None


def test_a_released_claim_leaves_what_it_held_to_others() -> None:
    state = CLOSED["dispatch.hold", "one machine of a claim is free and promised"]
    gone = replace(state, steps=(*state.steps, ev.Terminate("l-gang")), watched="")
    book = reached(gone).book
    assert refusal(book, book.jobs["b-more"]) is None


# what the judge makes of equal priorities and of claims that keep nothing


def book_after(config: QueueConfig, *steps: Step, **readings: str) -> Book:
    player = Player(Scenario("state", "", config, steps, Readings().assuming(readings)))
    assert player.play().wrong == []
    return player.book


def test_of_equal_jobs_any_may_be_the_head_so_a_borrower_is_blamed_only_if_all_are_owed() -> None:
    steps = job("b-own"), REST, job("l-gang", n=3), job("b-loan")
    assert judge(book_after(LENT, *steps, job("l-job")), ev.Dispatch("b-loan")) is None
    for higher in (job("l-job", 1), job("l-job", 0)):
        book = book_after(LENT, *steps, higher, ev.Terminate("l-gang"))
        violation = judge(book, ev.Dispatch("b-loan"))
        assert violation is not None
        assert violation.code == "G8"


def test_of_equal_jobs_any_may_be_the_head_so_a_scheduler_at_rest_is_blamed_only_if_all_are_owed() -> None:
    tied = job("l-gang", n=3), job("l-job")
    assert at_rest(book_after(LENT, *tied)) is None
    for steps in ((*tied, ev.SetPriority("l-job", 1)), (*tied, ev.Terminate("l-gang"))):
        violation = at_rest(book_after(LENT, *steps))
        assert violation is not None
        assert violation.code == "G16"


def test_a_claim_of_an_entitled_head_keeps_what_it_asks_unless_nothing_is_ever_kept() -> None:
    steps = *TWO, job("l-job")
    kept_not = ev.Claim("l-job", ("b-loan",), holds=False)
    violation = judge(book_after(LENT, *steps), kept_not)
    assert violation is not None
    assert violation.code == "G7"
    assert judge(book_after(LENT, *steps, A23="no"), kept_not) is None
    swaps = queue(4, share("a", 1, BORROWS, in_share=True), share("l", 3))
    inherits = book_after(swaps, job("a-low", 1), REST, job("a-more", 1), REST, job("a-high", 2))
    assert judge(inherits, ev.Claim("a-high", ("a-more",), holds=False)) is None
