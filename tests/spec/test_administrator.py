"""The administrator's steps that leave an excess: nobody is blamed for the step, only for making the excess larger.

Share r keeps two machines for itself in every case, so that its owner can be seen to start beside somebody else's debt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.rest import at_rest
from quotaproof.checker.judge.stepwise import judge
from quotaproof.reference.apply import apply
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import STOPPABLE, Queue
from quotaproof.reference.run import settle
from quotaproof.spec import events as ev
from quotaproof.spec.model import QueueConfig, Stage, State, Strategy
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share

BORROWS = "LEND_AND_BORROW"


def job(name: str, n: int = 1, priority: int = 0) -> ev.Submit:
    """`a-more` is a job of share a, of n machines of unit u."""
    return ev.Submit(name, name.split("-")[0], {"u": n}, priority)


@dataclass(frozen=True)
class Excess:
    """One administrator's step, what runs before it, and a job whose start would make the excess larger."""

    config: QueueConfig
    runs: tuple[ev.Submit, ...]
    steps: tuple[ev.Event, ...]
    more: ev.Submit
    code: str
    """What the start of `more` breaks."""
    excess: Mapping[str, int]
    """What the step leaves."""
    readings: Mapping[str, str] = field(default_factory=dict[str, str])
    owner_fits: bool = True
    """Whether one more machine is physically there for share r."""


def reserving(capacity: int, *shares: object) -> QueueConfig:
    return queue(capacity, *shares, share("r", 2, "RESERVE"))


LOAN = reserving(5, share("b", 1, BORROWS), share("l", 2))
CASES = {
    "1 lower the limit of a share that may not borrow": Excess(
        reserving(7, share("a", 3), share("b", 2)), (job("a-1", 2), job("b-1")),
        (ev.SetLimits("a", {"u": 1}),), job("a-more"), "G4", {"limits": 1}),
    "1 lower the limit of a share that borrows": Excess(
        reserving(7, share("a", 2, BORROWS, 200), share("b", 3)), (job("a-1", 4),),
        (ev.SetLimits("a", {"u": 1}),), job("a-more"), "G3", {"limits": 1}),
    "2 raise a limit beyond the environment": Excess(
        reserving(4, share("b", 2)), (job("b-1"),),
        (ev.SetLimits("r", {"u": 5}),), job("b-more"), "G2", {"kept": 2}),
    "2 create a share beyond the environment": Excess(
        reserving(4, share("b", 2)), (job("b-1"),),
        (ev.CreateShare(share("new", 3, "RESERVE")),), job("b-more"), "G2", {"kept": 2}),
    "3 LEND becomes RESERVE with a loan out": Excess(
        LOAN, (job("b-1", 2),),
        (ev.SetSharing("l", Strategy.RESERVE),), job("b-more"), "G2", {"kept": 1, "loans": 1}),
    "3 LEND_AND_BORROW becomes RESERVE with a loan out": Excess(
        reserving(5, share("b", 1, BORROWS), share("l", 2, BORROWS)), (job("b-1", 2),),
        (ev.SetSharing("l", Strategy.RESERVE),), job("b-more"), "G2", {"kept": 1, "loans": 1}),
    "4 cut a borrow limit": Excess(
        reserving(6, share("b", 1, BORROWS), share("l", 3)), (job("b-1", 3),),
        (ev.SetSharing("b", Strategy.LEND_AND_BORROW, 100),), job("b-more"), "G3", {"limits": 1}),
    "4 take the right to borrow": Excess(
        reserving(6, share("b", 1, BORROWS), share("l", 3)), (job("b-1", 3),),
        (ev.SetSharing("b", Strategy.LEND),), job("b-more"), "G4", {"limits": 2}),
    "5 lower the environment to usage": Excess(
        reserving(6, share("a", 2), share("b", 2)), (job("a-1", 2), job("b-1")),
        (ev.SetCapacity({"u": 3}),), job("b-more"), "G1", {"kept": 2}, owner_fits=False),
    "5 lower the environment below usage": Excess(
        reserving(6, share("a", 2), share("b", 2)), (job("a-1", 2), job("b-1")),
        (ev.SetCapacity({"u": 2}),), job("b-more"), "G1", {"environment": 1, "kept": 3}, owner_fits=False),
    "5 lower the environment to usage and what is kept": Excess(
        reserving(6, share("a", 2), share("b", 2)), (job("a-1", 2), job("b-1")),
        (ev.SetCapacity({"u": 4}),), job("b-more"), "G2", {"kept": 1}),
    "6 delete a lender whose capacity is nobody's at once": Excess(
        LOAN, (job("b-1", 2),),
        (ev.SetShareState("l", State.DISABLED), ev.DeleteShare("l")), job("b-more"), "G2", {"loans": 1},
        {"A48": "void"}),
    "7 disable a lender that then stops lending": Excess(
        LOAN, (job("b-1", 2),),
        (ev.SetShareState("l", State.DISABLED),), job("b-more"), "G2", {"kept": 1, "loans": 1}, {"A47": "no"}),
}  # fmt: skip
every_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())


def excesses(book: Book) -> dict[str, int]:
    """Usage above the environment, or with what is kept; above limits and borrow limits; loans that nobody lends."""
    grants = {name: book.grant(name, "u") for name in book.now.shares}
    used = {name: book.usage(name, "u") for name in book.now.shares}
    capacity = book.now.capacity.get("u", 0)
    found = {
        "environment": sum(used.values()) - capacity,
        "kept": sum(max(used[s], g.kept) for s, g in grants.items()) - capacity,
        "limits": sum(
            max(0, used[s] - g.limit - g.borrowable) for s, g in grants.items() if g.borrowable is not None
        ),
        "loans": sum(max(0, used[s] - g.limit) for s, g in grants.items())
        - sum(min(g.lendable, max(0, g.limit - used[s])) for s, g in grants.items()),
    }  # fmt: skip
    return {name: n for name, n in found.items() if n > 0}


class World:
    """The reference and the book, fed the same events; every event is judged."""

    def __init__(self, case: Excess) -> None:
        readings = Readings().assuming(case.readings)
        self.queue, self.book, self.policy = (
            Queue(case.config, readings),
            Book(case.config, readings),
            Policy.of(readings),
        )
        self.violations: list[str] = []
        self.grown: list[str] = []
        self.dispatched: list[str] = []

    def happens(self, *events: ev.Event) -> None:
        for event in events:
            self._see(event)
            apply(self.queue, event)

    def settles(self) -> None:
        for event in settle(self.queue, self.policy):
            self._see(event)
        rest = at_rest(self.book)
        self.violations += [str(rest)] if rest else []

    def _see(self, event: ev.Event) -> None:
        violation = judge(self.book, event)
        self.violations += [str(violation)] if violation else []
        old = excesses(self.book)
        self.book.record(event)
        new = excesses(self.book)
        if not isinstance(event, (*ev.ADMINISTRATOR, ev.ShareGone)):
            self.grown += [f"{event}: {name}" for name, n in new.items() if name != "loans" and n > old.get(name, 0)]
        if isinstance(event, ev.Dispatch):
            self.dispatched.append(event.job)

    def running(self) -> list[str]:
        return [j.name for j in self.queue.jobs.values() if j.stage in STOPPABLE]


def at_work(case: Excess) -> World:
    """The case with its jobs running and no excess."""
    world = World(case)
    world.happens(*case.runs)
    world.settles()
    assert world.running() == [j.job for j in case.runs]
    assert excesses(world.book) == {}
    return world


@every_case
def test_the_step_leaves_an_excess_and_no_guarantee_blames_anybody_for_it(case: Excess) -> None:
    world = at_work(case)
    world.happens(*case.steps)
    assert excesses(world.book) == case.excess
    assert world.violations == []


@every_case
def test_nothing_that_the_scheduler_does_afterwards_breaks_a_promise_or_enlarges_an_excess(case: Excess) -> None:
    world = at_work(case)
    world.happens(*case.steps)
    world.settles()
    assert world.running() == [j.job for j in case.runs], "the step alone stops nobody"
    for round_ in range(2):
        for name, s in list(world.queue.shares.items()):
            if s.enabled:
                world.happens(job(f"{name}-{round_}-later", 1, round_), job(f"{name}-{round_}-gang", 2, round_))
        world.settles()
        if world.running():
            world.happens(ev.Finish(world.running()[0]))
        world.settles()
    while world.running():
        world.happens(ev.Finish(world.running()[0]))
        world.settles()
    assert world.violations == []
    assert world.grown == []
    assert len(world.dispatched) > len(case.runs)


@every_case
def test_a_start_that_makes_the_excess_larger_breaks_exactly_the_promise_it_should(case: Excess) -> None:
    world = at_work(case)
    world.happens(*case.steps, case.more)
    violation = judge(world.book, ev.Dispatch(case.more.job))
    assert violation is not None
    assert violation.code == case.code
    assert violation.sentence
    world.settles()
    assert case.more.job not in world.dispatched
    assert world.violations == []


@every_case
def test_the_same_start_breaks_nothing_without_the_step(case: Excess) -> None:
    world = at_work(case)
    world.happens(case.more)
    assert judge(world.book, ev.Dispatch(case.more.job)) is None


@every_case
def test_a_reserving_owner_starts_beside_the_debt_where_there_is_a_machine(case: Excess) -> None:
    world = at_work(case)
    world.happens(*case.steps, job("r-own"))
    violation = judge(world.book, ev.Dispatch("r-own"))
    assert (violation is None) is case.owner_fits
    assert violation is None or violation.code == "G1"
    world.settles()
    assert ("r-own" in world.dispatched) is case.owner_fits
    assert all(j.stage is not Stage.DRAINING and j.preemptions == 0 for j in world.queue.jobs.values())
    assert world.violations == []


def test_all_seven_kinds_of_step_have_a_case_and_all_four_promises_are_broken_by_some() -> None:
    assert {name[0] for name in CASES} == set("1234567")
    assert {case.code for case in CASES.values()} == {"G1", "G2", "G3", "G4"}


def test_an_over_limit_share_shrinks_once_another_share_needs_it() -> None:
    world = at_work(CASES["1 lower the limit of a share that borrows"])
    world.happens(ev.SetLimits("a", {"u": 1}), job("b-back", 2))
    world.settles()
    assert world.book.usage("a", "u") == 0
    assert world.running() == ["b-back"]
    assert world.violations == []


def test_an_environment_cut_is_paid_by_the_next_claim() -> None:
    loans = job("b-1", 1, 3), job("b-2", 1, 2), job("b-3", 1, 1)
    case = Excess(LOAN, loans, (ev.SetCapacity({"u": 4}),), job("l-back"), "", {})
    world = at_work(case)
    world.happens(*case.steps)
    world.settles()
    assert world.running() == ["b-1", "b-2", "b-3"]
    world.happens(job("l-back"))
    world.settles()
    assert world.running() == ["b-1", "l-back"]
    assert world.violations == []
