"""One scenario run by one backend, and what is to be said of it: PASSED, FAILED with its faults, SKIPPED or ERRORED.

Every observation is judged against the specification before it is recorded; what a backend calls settled must be so. A
trace that is not one of the scenario, or that names what cannot be, is an error and never a pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Step
from ...spec.observations import Observation, Preempting, Settled
from ...spec.readings import Readings
from ..judge.book import HOLDING, Book
from ..judge.observe import begun, look, record
from ..judge.stepwise import Violation
from ..witness.play import signature
from .backend import Answer, Declaration, Loss, Unable
from .by_lender import ByLender
from .in_process import MOST, NoObservation, observation, unable
from .inputs import Inputs, NotTheScenario


class Status(StrEnum):
    """What became of one scenario."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    SKIPPED = "SKIPPED"
    ERRORED = "ERRORED"
    FLAKY = "FLAKY"
    """A promise was broken in one run of it; all others came to their end and kept it."""


@dataclass(frozen=True)
class Broken:
    """A promise that the trace breaks: the observation's number from 0, and what is false there."""

    number: int
    violation: Violation
    follows: bool = False
    """Whether something impossible was reported before: where the scheduler and the books went apart, nothing that comes
    after is a fault of its own."""

    @property
    def code(self) -> str:
        return self.violation.code

    @property
    def impossible(self) -> bool:
        """Whether what was reported cannot have happened to the job in its stage (G10), or to no job at all (G12)."""
        return self.code in ("G10", "G12")


@dataclass(frozen=True)
class Flake:
    """A promise that was broken in one run of a scenario and not in the others, and what was different."""

    code: str
    why: str


@dataclass(frozen=True)
class Tested:
    """One scenario, judged."""

    scenario: Scenario
    status: Status
    seen: tuple[Observation, ...] = ()
    broken: tuple[Broken, ...] = ()
    """In the order of the trace, each judged relative to what the earlier ones left."""
    exercised: Mapping[str, int] = field(default_factory=dict[str, int])
    """Guarantee -> how often it came up."""
    why: str = ""
    """Of a scenario that was skipped or that went wrong."""
    failure: str = ""
    """Code of the failure class."""
    hint: str = ""
    flakes: tuple[Flake, ...] = ()
    losses: tuple[Loss, ...] = ()
    """What the scheduler was not told of the scenario."""
    lenders: tuple[str, ...] = ()
    """Where capacity is per lender: for each dispatch of `seen` whose machines the job runs on."""
    others: tuple[Tested, ...] = ()
    """Further runs of it that break what this one keeps."""

    @property
    def code(self) -> str:
        """The guarantee that is broken first, '' when none is."""
        return self.broken[0].code if self.broken else ""

    @property
    def codes(self) -> tuple[str, ...]:
        """The guarantees that are broken, in any run, each once, without those that only follow."""
        return tuple(dict.fromkeys(b.code for run in self.runs for b in run.broken if not b.follows))

    @property
    def runs(self) -> tuple[Tested, ...]:
        """The runs that break something, this one first."""
        return (self, *self.others)

    def showing(self, code: str) -> Tested:
        """The first run in which a guarantee of `codes` is broken."""
        return next(run for run in self.runs if any(b.code == code and not b.follows for b in run.broken))

    def first(self, code: str) -> Broken:
        """Where in the run that shows it a guarantee of `codes` is broken first."""
        return next(b for b in self.showing(code).broken if b.code == code and not b.follows)


def judged(scenario: Scenario, answer: Answer, declared: Declaration) -> Tested:
    """Judge what a backend answered."""
    watch = Watch(scenario, declared)
    starts = sum(isinstance(what, ev.Dispatch) for what in answer.seen)
    if declared.capacity == "per-lender" and len(answer.lenders) != starts:
        why = f"it tells whose machines {len(answer.lenders)} jobs run on, and dispatches {starts}"
        return watch.tested(Unable(why, code="not-the-scenario"))
    lenders = iter(answer.lenders)
    for what in answer.seen:
        if watch.lately >= MOST:
            watch.stopped_short()
            return watch.tested(Unable(f"more than {MOST:,} observations follow one step", code="never-settles"))
        try:
            watch.take(observation(what), next(lenders, "") if isinstance(what, ev.Dispatch) else "")
        except NoObservation as error:
            return watch.tested(unable(error))
        except NotTheScenario as error:
            return watch.tested(Unable(str(error), code="not-the-scenario"))
    if isinstance(answer, Unable):
        watch.stopped_short()
        return watch.tested(answer)
    return replace(watch.ended(), losses=tuple(answer.losses))


class Watch:
    """A trace judged as it happens."""

    def __init__(
        self, scenario: Scenario, declared: Declaration, on_fault: Callable[[Broken], None] | None = None
    ) -> None:
        self.scenario = scenario
        self.readings = Readings().assuming(declared.choices)
        self.book = Book(scenario.config, self.readings, claims_known=declared.claims, stages_known=True)
        self.counts: Counter[str] = Counter()
        self.broken: list[Broken] = []
        self.seen: list[Observation] = []
        per_lender = declared.capacity == "per-lender"
        self._lenders = ByLender(scenario.config, self.readings, self.book) if per_lender else None
        self._told: list[str] = []
        """For each dispatch that was seen, whose machines the job runs on."""
        self._inputs = Inputs(scenario.steps, self.book, own_time=declared.own_time)
        self._on_fault = on_fault
        self._settled_from = 0
        """The observation from which on nobody but scheduler and platform has acted."""
        self._stopped = False
        """Whether the scheduler has told anybody to stop, or claimed, since then."""
        self._owners: set[str] = set()
        """Where claims are not told: waiting jobs for which one of another share was told to stop."""

    def take(self, what: Observation, lender: str = "") -> None:
        """Judge and record one observation. `lender`: whose machines the job of a dispatch runs on, where capacity is per
        lender. Raises NotTheScenario."""
        stopped = self._stopped
        if self._inputs.take(what):
            self._settled_from, self._stopped = len(self.seen) + 1, False
        lenders = self._lenders
        found = lenders.look(what, lender, self.counts) if lenders else look(self.book, what, self.counts)
        self._take_back(what)
        if isinstance(what, Settled):
            self.counts["G18"] += stopped
            found = found or self._left_over()
        note = self._note(found) if found is not None else None
        if note is None or not note.impossible:
            record(self.book, what)
            if self._lenders is not None:
                self._lenders.record(what, lender)
        else:
            begun(self.book, what)
        self.seen.append(what)
        if isinstance(what, ev.Dispatch):
            self._told.append(lender)
        self._stopped = self._stopped or isinstance(what, ev.Claim | Preempting)

    def _take_back(self, what: Observation) -> None:
        """Where claims are not told G14 comes up when a job starts for which one of another share was stopped."""
        if isinstance(what, Preempting) and what.claimant is not None and not self.book.claims_known:
            shares = {self.book.jobs[name].share for name in (what.job, what.claimant) if name in self.book.jobs}
            self._owners |= {what.claimant} if len(shares) > 1 else set()
        elif isinstance(what, ev.Dispatch) and what.job in self._owners:
            self._owners.remove(what.job)
            self.counts["G14"] += 1

    @property
    def lately(self) -> int:
        """Observations since anybody but scheduler and platform has acted."""
        return len(self.seen) - self._settled_from

    def owed(self) -> Violation | None:
        """What would be broken if the scheduler had nothing left to do now. Nothing is recorded."""
        return self._lenders.look(Settled(), "", Counter()) if self._lenders else look(self.book, Settled(), Counter())

    def _note(self, found: Violation) -> Broken:
        self.broken.append(Broken(len(self.seen), found, any(b.impossible for b in self.broken)))
        if self._on_fault:
            self._on_fault(self.broken[-1])
        return self.broken[-1]

    def asked(self, step: Step) -> None:
        """The scenario goes on with this step: for a scheduler that is told one after another."""
        self._inputs.asked(step)

    def done(self) -> None:
        """Every step so far was done. Raises NotTheScenario."""
        self._inputs.end()

    def ended(self) -> Tested:
        """The verdict at the end of the trace."""
        try:
            self.done()
        except NotTheScenario as error:
            return self.tested(Unable(str(error), code="not-the-scenario"))
        return self.tested()

    def stopped_short(self) -> None:
        """The trace ends in the middle: preemption goes round when the scheduler has come back to a state (G18)."""
        book = Book(self.scenario.config, self.readings, claims_known=self.book.claims_known, stages_known=True)
        met: dict[tuple[object, ...], int] = {}
        stops, impossible = 0, {b.number for b in self.broken if b.impossible}
        lenders, places = iter(self._told), dict[str, str]()
        for number, what in enumerate(self.seen):
            (begun if number in impossible else record)(book, what)
            if isinstance(what, ev.Dispatch):
                places[what.job] = next(lenders)
            if number >= self._settled_from:
                stops += isinstance(what, ev.Claim | Preempting)
                held = tuple(
                    (j, at) for j, at in sorted(places.items()) if j in book.jobs and book.jobs[j].stage in HOLDING
                )
                if met.setdefault((signature(book), held), stops) < stops:
                    why = "the same state again by steps of scheduler and drains alone, with a preemption in between"
                    self._note(Violation("G18", "the scheduler goes round", "", why))
                    return

    def tested(self, unable: Unable | None = None) -> Tested:
        """The verdict on what was seen. What was broken before something went wrong is broken all the same."""
        kept = (Status.SKIPPED if unable.skipped else Status.ERRORED) if unable else Status.PASSED
        status = Status.FAILED if self.broken else kept
        why, failure, hint = (unable.why, unable.code, unable.hint) if unable else ("", "", "")
        lenders = tuple(self._told) if self._lenders else ()
        return Tested(self.scenario, status, tuple(self.seen), tuple(self.broken), dict(+self.counts), why, failure, hint,
                      lenders=lenders)  # fmt: skip

    def _left_over(self) -> Violation | None:
        """What a settle with drains leaves and must not: victims that still drain (G20), a deleted share (G19)."""
        settle = self._inputs.settles
        if settle is None or not settle.drains:
            return None
        drains = next(iter(self.book.draining()), None)
        if drains is not None:
            return Violation(
                "G20",
                f"{drains.name} drains",
                "",
                f"all is settled and {drains.name} has not stopped: there is no `preempted` for it",
            )
        gone = next(iter(sorted(self.book.now.deleting)), "")
        if gone:
            return Violation(
                "G19",
                f"{gone} is DELETING",
                "",
                f"all is settled and {gone} still exists: there is no `share-gone` for it",
            )
        return None
