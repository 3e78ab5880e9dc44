"""Every open question that the model answers: the smallest queue on which its choices make a difference.

A case is a function of a choice that says what came out; the judge looks on under the same reading and finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.stepwise import judge
from quotaproof.reference import impossible
from quotaproof.reference.apply import apply
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import STOPPABLE, Queue
from quotaproof.reference.run import GoesRound, settle
from quotaproof.spec import events as ev
from quotaproof.spec.model import QueueConfig, Stage, State, Strategy
from quotaproof.spec.readings import READINGS, Readings, UnknownReading

from ..support.queues import queue, share

REFERENCE = Path(__file__).resolve().parents[2] / "reference"
BORROWS = "LEND_AND_BORROW"


@dataclass
class Told:
    """A queue under one reading, and what was told about it."""

    config: QueueConfig
    readings: Readings
    stopped: list[str] = field(default_factory=list[str])
    breaks: tuple[str, ...] = ()
    """Guarantees that this reading gives up."""

    def __post_init__(self) -> None:
        self.queue, self.book = Queue(self.config, self.readings), Book(self.config, self.readings)

    def happens(self, *events: ev.Event) -> Told:
        """Events of users, platform or administrator."""
        for event in events:
            self._see(event)
            apply(self.queue, event)
        return self

    def rests(self, *, drains: bool = True) -> Told:
        """The scheduler acts until nothing moves."""
        for event in settle(self.queue, Policy.of(self.readings), drains=drains):
            self._see(event)
        return self

    def _see(self, event: ev.Event) -> None:
        violation = judge(self.book, event)
        assert violation is None or violation.code in self.breaks, str(violation)
        self.book.record(event)
        if isinstance(event, ev.Claim):
            self.stopped += event.victims

    @property
    def running(self) -> str:
        """Names of the jobs that run, in order."""
        return " ".join(sorted(j.name for j in self.queue.jobs.values() if j.stage in STOPPABLE))

    def stage(self, job: str) -> Stage:
        return self.queue.jobs[job].stage


def under(code: str, choice: str, config: QueueConfig, *, breaks: tuple[str, ...] = (), **more: str) -> Told:
    return Told(config, Readings().assuming({code: choice, **more}), breaks=breaks)


def job(name: str, priority: int = 0, n: int = 1, **more: int) -> ev.Submit:
    """`a-low` is a job of share a, of n machines of unit u."""
    return ev.Submit(name, name.split("-")[0], {"u": n}, priority, **more)


Case = Callable[[str], object]
CASES: dict[str, tuple[Case, Mapping[str, object]]] = {}
"""Reading -> what to do under a choice, and what comes out under each."""


def differs(code: str, **outcomes: object) -> Callable[[Case], Case]:
    """Register a case; choices are written with _ for -."""

    def register(case: Case) -> Case:
        CASES.setdefault(code, (case, {c.rstrip("_").replace("_", "-"): o for c, o in outcomes.items()}))
        return case

    return register


def lender_and_borrower(borrower: int = 1, lender: int = 1, **more: object) -> QueueConfig:
    """Share b borrows without maximum from share l; all capacity is given to the two."""
    return queue(borrower + lender, share("b", borrower, BORROWS, **more), share("l", lender))


@differs("A4", nothing="", unlimited="b-job")
def a_unit_that_the_borrower_has_no_limit_for(choice: str) -> object:
    config = queue({"u": 1, "w": 1}, share("b", {"w": 1}, BORROWS), share("l", {"u": 1}))
    return under("A4", choice, config).happens(job("b-job")).rests().running


@differs(
    "A5", void=("b-1 b-2", "a-1 b-1"), owners=("b-1 b-2", "a-1 b-1 b-2"), borrowable=("b-1 b-2 b-3", "a-1 b-1 b-2")
)
def a_machine_that_no_share_was_given(choice: str) -> object:
    told = under("A5", choice, queue(3, share("a", 1), share("b", 1, BORROWS)))
    first = told.happens(job("b-1", 3), job("b-2", 2), job("b-3", 1)).rests().running
    return first, told.happens(job("a-1")).rests().running


def test_with_unallotted_capacity_one_reading_alone_stops_nobody() -> None:
    stopped = {}
    for choice in READINGS["A5"].choices:
        told = under("A5", choice, queue(3, share("a", 1), share("b", 1, BORROWS)))
        told.happens(job("b-1", 3), job("b-2", 2), job("b-3", 1)).rests()
        stopped[choice] = told.happens(job("a-1")).rests().stopped
    assert stopped == {"void": ["b-2"], "owners": [], "borrowable": ["b-3"]}


@differs("A6", floor="", ceil="h-five t-two", round="h-five")
def half_of_three_and_two_fifths_of_one(choice: str) -> object:
    shares = share("h", 3, BORROWS, 50), share("t", 1, BORROWS, 40), share("l", 3)
    return under("A6", choice, queue(7, *shares)).happens(job("h-five", n=5), job("t-two", n=2)).rests().running


@differs("A8", none="", unset="b-two")
def a_borrow_limit_of_nothing(choice: str) -> object:
    return under("A8", choice, lender_and_borrower(borrow=0)).happens(job("b-two", n=2)).rests().running


@differs("A9", resets="b-two", keeps="")
def a_strategy_is_sent_without_its_borrow_limit(choice: str) -> object:
    told = under("A9", choice, lender_and_borrower(borrow=0))
    return told.happens(ev.SetSharing("b", Strategy.LEND_AND_BORROW), job("b-two", n=2)).rests().running


@differs("A13", b=["b-own", "b-first"], a=["b-loan", "b-second"], c=["b-own", "b-second"])
def the_job_on_loan_is_the_more_important_one_then_the_newer_one(choice: str) -> object:
    told = under("A13", choice, lender_and_borrower())
    told.happens(job("b-own", 1)).rests().happens(job("b-loan", 2)).rests().happens(job("l-back")).rests()
    other = under("A13", choice, lender_and_borrower(), A26="oldest")
    other.happens(job("b-first")).rests().happens(job("b-second")).rests().happens(job("l-back")).rests()
    return told.stopped + other.stopped


@differs("A15", yes=[], no=["b-loan"])
def an_owner_and_a_borrower_come_together(choice: str) -> object:
    told = under("A15", choice, lender_and_borrower()).happens(job("b-own")).rests()
    return told.happens(job("b-loan"), job("l-back")).rests().stopped


@differs("A16", head="a-own b-next b-own", created="a-next a-own b-own")
def the_older_job_came_to_the_head_of_its_share_later(choice: str) -> object:
    told = under("A16", choice, queue(3, share("a", 1, BORROWS), share("b", 1, BORROWS), share("l", 1)))
    told.happens(job("a-own"), job("b-own"), job("l-job")).rests()
    told.happens(job("a-first", 2), job("a-next", 1), job("b-next", 1), ev.Terminate("a-first"), ev.Finish("l-job"))
    return told.rests().running


@differs("A16b", skip="a-own b-loan b-own", strict="a-own b-own")
def the_first_borrower_wants_more_than_is_idle(choice: str) -> object:
    told = under("A16b", choice, queue(3, share("a", 1, BORROWS), share("b", 1, BORROWS), share("l", 1)))
    told.happens(job("a-own"), job("b-own")).rests()
    return told.happens(job("a-gang", n=2), job("b-loan")).rests().running


@differs("A17", creation="m-1", name="a-1", newest="z-1")
def three_owners_and_one_machine(choice: str) -> object:
    told = under("A17", choice, queue(1, share("m", 1), share("a", 1), share("z", 1)))
    return told.happens(job("m-1"), job("a-1"), job("z-1")).rests().running


@differs("A18", strict="a-first", backfill="a-first a-small")
def a_small_job_behind_a_head_that_does_not_fit(choice: str) -> object:
    told = under("A18", choice, queue(2, share("a", 2))).happens(job("a-first")).rests()
    return told.happens(job("a-gang", 2, n=2), job("a-small", 1)).rests().running


@differs("A20", created="a-1", newest="a-2")
def two_equal_jobs(choice: str) -> object:
    return under("A20", choice, queue(1, share("a", 1))).happens(job("a-1"), job("a-2")).rests().running


@differs("A21", created="b-loan b-own", requeued="b-other b-own")
def a_victim_and_a_job_that_came_while_it_ran(choice: str) -> object:
    told = under("A21", choice, lender_and_borrower())
    told.happens(job("b-own", 1), job("b-loan")).rests().happens(job("b-other"), job("l-back")).rests()
    return told.happens(ev.Finish("l-back")).rests().running


@differs("A23", yes="a-back b-own", no="b-own l-back")
def another_owner_is_first_in_line_when_the_victim_stops(choice: str) -> object:
    told = under("A23", choice, queue(3, share("l", 1), share("a", 1), share("b", 1, BORROWS)))
    told.happens(job("b-own", 3), job("b-1", 2), job("b-2", 1)).rests()
    told.happens(job("a-back")).rests(drains=False)
    return told.happens(ev.Stopped("b-2"), job("l-back")).rests(drains=False).running


@differs("A24", a="waits", b="goes round")
def a_job_of_two_on_a_limit_of_one_wants_the_own_part_back(choice: str) -> object:
    told = under("A24", choice, queue(3, share("a", 1, BORROWS), share("b", 1, BORROWS), share("l", 1)))
    told.happens(job("a-two", n=2)).rests().happens(job("b-two", n=2))
    try:
        told.rests()
    except GoesRound:
        return "goes round"
    return "waits"


@differs("A26", priority=["b-new"], borrowed=["b-big"], oldest=["b-old"])
def an_old_a_big_and_an_unimportant_victim(choice: str) -> object:
    told = under("A26", choice, lender_and_borrower(1, 3))
    told.happens(job("b-old", 3), job("b-big", 2, n=2), job("b-new", 1)).rests()
    return told.happens(job("l-back")).rests().stopped


@differs("A28", all_or_nothing=[], minimal=[], greedy=["b-loan"])
def one_loan_where_two_machines_are_lacking(choice: str) -> object:
    told = under("A28", choice, queue(3, share("d", 1), share("b", 1, BORROWS), share("l", 2)))
    told.happens(job("d-job"), job("b-own", 2), job("b-loan", 1)).rests()
    return told.happens(job("l-two", n=2)).rests(drains=False).stopped


@differs("A30", reclaim=["b-loan"], in_share=["l-low", "b-loan"])
def a_loan_and_an_own_job_of_lower_priority(choice: str) -> object:
    told = under("A30", choice, queue(3, share("b", 1, BORROWS), share("l", 2, in_share=True)))
    told.happens(job("b-own", 2), job("l-low", 1)).rests().happens(job("b-loan", 1)).rests()
    return told.happens(job("l-high", 2)).rests().stopped


@differs("A31", inherit=["b-low"], own=[])
def a_more_important_job_would_stay_on_loan(choice: str) -> object:
    told = under("A31", choice, lender_and_borrower(in_share=True))
    return told.happens(job("b-high", 3), job("b-low", 1)).rests().happens(job("b-mid", 2)).rests().stopped


@differs("A33", triggers=["a-1"], ignored=[])
def a_running_job_is_made_less_important(choice: str) -> object:
    told = under("A33", choice, queue(1, share("a", 1, in_share=True)))
    told.happens(job("a-1", 5)).rests().happens(job("a-2", 3)).rests()
    return told.happens(ev.SetPriority("a-1", 1)).rests().stopped


@differs("A34", succeeded=Stage.SUCCEEDED, requeued=Stage.RUNNABLE, failed=Stage.FAILED)
def a_victim_ends_before_it_stops(choice: str) -> object:
    told = under("A34", choice, lender_and_borrower())
    told.happens(job("b-own", 1), job("b-loan")).rests().happens(job("l-back")).rests(drains=False)
    return told.happens(ev.Finish("b-loan")).stage("b-loan")


@differs("A38", yes=Stage.FAILED, no=Stage.RUNNABLE)
def a_victim_without_retries_has_only_been_scheduled(choice: str) -> object:
    told = under("A38", choice, lender_and_borrower())
    told.happens(job("b-own", 1), job("b-loan", retries=0)).rests()
    return told.happens(job("l-back")).rests().stage("b-loan")


@differs("A46", yes="a-1", no="")
def a_job_waits_in_a_disabled_share(choice: str) -> object:
    told = under("A46", choice, queue(1, share("a", 1)))
    return told.happens(job("a-1"), ev.SetShareState("a", State.DISABLED)).rests().running


@differs("A47", yes="b-two", no="")
def the_lender_is_disabled(choice: str) -> object:
    told = under("A47", choice, lender_and_borrower()).happens(ev.SetShareState("l", State.DISABLED))
    return told.happens(job("b-two", n=2)).rests().running


@differs("A48", lent="b-own b-two l-job", void="b-own l-job")
def the_lender_is_being_deleted(choice: str) -> object:
    told = under("A48", choice, lender_and_borrower(1, 3)).happens(job("l-job"), job("b-own")).rests()
    told.happens(ev.SetShareState("l", State.DISABLED), ev.DeleteShare("l"))
    return told.happens(job("b-two", n=2)).rests(drains=False).running


@differs("A50", reclaims=["b-2", "b-1"], waits=[])
def the_environment_is_cut_below_usage_and_an_owner_comes(choice: str) -> object:
    told = under("A50", choice, lender_and_borrower(1, 2))
    told.happens(job("b-own", 3), job("b-1", 2), job("b-2", 1)).rests()
    return told.happens(ev.SetCapacity({"u": 2}), job("l-back")).rests().stopped


@differs("A51", environment=impossible.ENVIRONMENT, share=impossible.OWN)
def a_job_larger_than_the_limit_and_the_environment(choice: str) -> object:
    told = under("A51", choice, queue(1, share("a", 1))).happens(job("a-two", n=2)).rests()
    return told.queue.jobs["a-two"].reason


@differs("A52", blocks="", skipped="a-one")
def a_job_that_can_never_run_is_at_the_head(choice: str) -> object:
    told = under("A52", choice, queue(1, share("a", 1)))
    return told.happens(job("a-two", 2, n=2), job("a-one", 1)).rests().running


@differs("A54", keeps="a-1", requeued="a-2")
def a_job_comes_back_for_lack_of_machines(choice: str) -> object:
    told = under("A54", choice, queue(1, share("a", 1)))
    return told.happens(job("a-1"), job("a-2")).rests().happens(ev.Return("a-1")).rests().running


@differs("A58", whole="b-own c-own", freed="b-own c-loan c-own")
def a_machine_is_free_already_while_the_claim_waits_for_another(choice: str) -> object:
    shares = share("b", 1, BORROWS), share("c", 1, BORROWS), share("l", 2)
    told = under("A58", choice, queue(4, *shares), breaks=("G7",) if choice == "freed" else ())
    told.happens(job("b-own", 2), job("b-loan", 1), job("c-own", 1)).rests()
    told.happens(job("l-two", n=2)).rests(drains=False)
    return told.happens(job("c-loan")).rests(drains=False).running


@differs("A59", yes=["l-low", "b-loan"], no=[])
def an_own_and_another_victim_are_needed_together(choice: str) -> object:
    told = under("A59", choice, queue(3, share("b", 1, BORROWS), share("l", 2, in_share=True)))
    told.happens(job("b-own", 2), job("l-low", 1)).rests().happens(job("b-loan", 1)).rests()
    return told.happens(job("l-two", 2, n=2)).rests().stopped


NOT_IN_THE_SCHEDULER = {"A7": "concerns input: whether a borrowLimit with another strategy is an error"}
"""Readings with choices that the reference never asks for, and why."""


@pytest.mark.parametrize("code", CASES)
def test_each_choice_has_the_outcome_that_is_its_meaning(code: str) -> None:
    case, outcomes = CASES[code]
    assert {choice: case(choice) for choice in READINGS[code].choices} == outcomes


@pytest.mark.parametrize("code", CASES)
def test_the_default_is_one_choice_and_another_one_differs_from_it(code: str) -> None:
    _, outcomes = CASES[code]
    assert outcomes.keys() == READINGS[code].choices.keys()
    default = outcomes[READINGS[code].default]
    assert any(outcome != default for outcome in outcomes.values())


def test_every_modelled_reading_has_a_case_or_a_reason_for_having_none() -> None:
    modelled = {code for code, reading in READINGS.items() if reading.modelled}
    assert CASES.keys() | NOT_IN_THE_SCHEDULER.keys() == modelled
    assert not CASES.keys() & NOT_IN_THE_SCHEDULER.keys()


def test_the_readings_without_a_case_are_those_that_the_reference_never_asks_for() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(REFERENCE.glob("*.py")))
    shape = (Path(REFERENCE).parent / "spec" / "model.py").read_text(encoding="utf-8")
    unasked = {code for code in Readings() if f'readings["{code}"]' not in text + shape}
    assert unasked == NOT_IN_THE_SCHEDULER.keys()


def test_minimal_and_all_or_nothing_plans_are_the_same_ones_in_the_reference() -> None:
    policies = [Policy.of(Readings.of(A28=choice)) for choice in ("all-or-nothing", "minimal")]
    assert policies[0] == policies[1]


@pytest.mark.parametrize(("choice", "code"), [("all-or-nothing", None), ("minimal", "G6+")])
def test_a_plan_that_a_smaller_one_replaces_breaks_g6_plus_only_where_plans_must_be_minimal(choice, code) -> None:
    book = Book(queue(4, share("A", 2), share("B", 1, BORROWS), share("C", 1)), Readings.of(A28=choice))
    for name, n in (("own", 1), ("small", 1), ("large", 2)):
        book.record(ev.Submit(name, "B", {"u": n}))
        book.record(ev.Dispatch(name))
    book.record(ev.Submit("a", "A", {"u": 2}))
    assert judge(book, ev.Claim("a", ("large",))) is None
    violation = judge(book, ev.Claim("a", ("small", "large")))
    assert (violation.code if violation else None) == code


def test_an_unknown_reading_or_choice_is_refused_with_what_there_is() -> None:
    with pytest.raises(UnknownReading, match="did you mean A5"):
        Readings.of(a5="void")
    with pytest.raises(UnknownReading, match=r"choose owners \| void \| borrowable"):
        Readings.of(A5="nobody")
    with pytest.raises(UnknownReading, match="A2 has no choices"):
        Readings.of(A2="waits")


def test_choosing_the_default_is_a_choice_that_changes_no_behaviour() -> None:
    assert dict(Readings.of(A5="owners")) == dict(Readings())
    assert Readings.of(A5="void").assuming({"A5": "owners"}).chosen == (("A5", "owners"),)
    assert len(Readings()) == sum(reading.modelled for reading in READINGS.values())
