"""What a command finds out, as one stream of typed events: the only thing that reports are made from.

A stream opens with `Began` and closes with `Ended`; between them stand what was judged (`Finding`, `Result`), what it
was judged from (`UnitTotal`, `Row`, `Theorem`, `Rests`, `Step`; of a history what `measured` defines) and the scenarios
that show it (`Witness`). Two classes are kept apart everywhere: what holds for *every* configuration (a theorem) and what
holds or fails *here*, on the numbers of this configuration.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from .conformed import AboutConformance, Conformed
from .drawn import Timeline
from .measured import Audited, Measured
from .planned import AboutPlan, Plan
from .promised import Promised

SPEC_VERSION = "1.0"


class Verdict(StrEnum):
    """Outcome of one guarantee on one configuration, or on one history."""

    HOLDS_ALWAYS = "HOLDS for every configuration"
    HOLDS_HERE = "HOLDS here"
    HOLDS_IF = "HOLDS IF"
    BROKEN_IF = "BROKEN IF"
    BROKEN = "BROKEN whatever AWS does"
    UNKNOWN = "UNKNOWN"
    NOT_APPLICABLE = "NOT APPLICABLE"
    KEPT = "KEPT"
    """In a history: it came up and was kept each time."""
    BROKEN_HERE = "BROKEN here"
    """In a history: an observation that nothing allowed explains."""
    NEVER_CAME_UP = "NEVER CAME UP"
    NOT_SEEN = "CANNOT BE SEEN"
    """In a history: a field is missing."""
    PENDING = "PENDING"
    """In a history: an answer was still due at its end."""


HOLDS = (Verdict.HOLDS_ALWAYS, Verdict.HOLDS_HERE, Verdict.HOLDS_IF)
"""On a configuration, under the readings in force."""
BROKEN = (Verdict.BROKEN, Verdict.BROKEN_IF, Verdict.BROKEN_HERE)
SHOWN_BY_HISTORY = (Verdict.NEVER_CAME_UP, Verdict.NOT_SEEN, Verdict.PENDING)
"""What a history does not decide, by its nature."""


class Severity(StrEnum):
    """How much a finding matters; ERROR decides the exit code."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


Combination = Mapping[str, str]
"""Readings that together have an effect: reading code -> choice."""


@dataclass(frozen=True)
class Result:
    """One guarantee judged on one configuration (or on one share or unit of it, named in `subject`).

    A played scenario has results of two more codes: EXPECT, an expectation of it, and SHOWS, whether it shows what it
    says. A conformance run has SCENARIO, a scenario of it, and CAMPAIGN, what no scenario stands for.
    """

    code: str
    verdict: Verdict
    because: str
    """Theorem ids for what holds always; the numbers for what holds or fails here; the reason of an UNKNOWN."""
    subject: str = ""
    combinations: tuple[Combination, ...] = ()
    """Minimal combinations of readings under which it is BROKEN (verdicts HOLDS IF and BROKEN IF)."""
    witnesses: tuple[str, ...] = ()
    """For each combination the name of the scenario that shows it, '' when there is none; or nothing at all."""
    assumes: tuple[str, ...] = ()
    witness: str = ""
    """Name of the scenario that shows it under the readings in force; '' when there is none."""
    asked: bool = False
    """True when a BROKEN IF is under default readings or under readings the user chose with --assume: it counts."""
    waiver: Waiver | None = None
    """Set on a BROKEN that only repeats an accepted finding: then it does not count."""
    open: bool = False
    """True for an UNKNOWN that is an open theorem, not a limit that was reached: it counts only with --strict."""
    more: tuple[str, ...] = ()
    """Further sentences on why, of a played scenario."""
    place: str = ""
    """file:line of what it is about, '' when no file says it."""
    count: int = 0
    """Of a history: how often it came up."""
    skipped: bool = False
    """Of a conformance run: nothing went wrong, but a scenario was not run, or those that check a guarantee were not."""
    seconds: float | None = None
    """How long it took, where that was measured."""
    breaks: tuple[str, ...] = ()
    """Of a scenario of a conformance run: every guarantee that it breaks, or that it broke once."""


@dataclass(frozen=True)
class Source:
    """A file that was read: its name as places write it, its path as it was given, its kind."""

    name: str
    path: str
    kind: str


@dataclass(frozen=True)
class Began:
    """What a command set out to judge."""

    command: str
    subject: str
    """The queue's name, or the scenario's."""
    sources: tuple[Source, ...] = ()
    left_out: tuple[str, ...] = ()
    """What was found beside the sources and not used, with the reason."""
    notes: tuple[str, ...] = ()
    """How the input was understood: an assumed environment, parameters at their defaults."""
    remarks: tuple[str, ...] = ()
    """The same where nothing is in doubt; only who wants everything reads them."""
    assumed: Mapping[str, str] = field(default_factory=dict[str, str])
    """Readings the user fixed with --assume, or the scenario itself."""
    about: str = ""
    """What the scenario is said to show."""
    rests_on: tuple[str, ...] = ()
    """Rules and readings that the scenario rests on."""
    jobs: tuple[str, ...] = ()
    """Names of jobs that stand in what was read; not reported, --redact replaces them."""
    files: tuple[Source, ...] = ()
    """Every file that was found, also what is left out; not reported, no report and no scenario replaces them."""
    backends: tuple[str, ...] = ()
    """Schedulers that were run, as they were named; not reported, --redact replaces the command that starts one."""


@dataclass(frozen=True)
class Waiver:
    """Somebody's decision to accept a finding for a time."""

    reason: str
    until: str
    """ISO date, the last day on which it counts."""
    place: str
    """file:line of the decision."""


@dataclass(frozen=True)
class Finding:
    """One thing to mend or to know (code QP###)."""

    code: str
    severity: Severity
    title: str
    """One line: what."""
    place: str = ""
    """file:line, '' when no file says it."""
    body: tuple[str, ...] = ()
    """Further lines: why, the job sequence, the fix."""
    share: str = ""
    shares: tuple[str, ...] = ()
    """All shares that it is about, where there are several."""
    places: tuple[str, ...] = ()
    """Where these shares say it, file:line."""
    unit: str = ""
    witness: str = ""
    fix: str = ""
    """What to change, with the numbers; '' when there is nothing to mend."""
    waiver: Waiver | None = None
    """Set when the finding is accepted: then it does not count."""


@dataclass(frozen=True)
class Row:
    """One share and unit of the table. Counts are instances."""

    share: str
    unit: str
    rule: str
    given: int
    sure: int
    most: int
    borrow: int
    lenders: tuple[str, ...]
    """Whose capacity it may borrow; empty also where there are more lenders than a queue may have shares."""
    loses: int
    """Most machines one reclaim of a single machine can stop: a job that borrows is stopped whole. 0: nothing."""
    own_back: str


@dataclass(frozen=True)
class UnitTotal:
    """One unit over the whole queue. `capacity` None: the environment lacks the unit."""

    unit: str
    capacity: int | None
    given: int
    assumed: bool = False
    """True when the capacity is the sum of the limits because no environment was given."""


@dataclass(frozen=True)
class Theorem:
    """A proof for any number of shares and any numbers."""

    code: str
    statement: str
    status: str
    """'proved', 'refuted' or 'unknown'."""
    conditions: int
    assumes: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Rests:
    """An open reading that the numbers of the table rest on, and what another choice changes."""

    reading: str
    otherwise: str


@dataclass(frozen=True)
class Step:
    """One line of a play: what happened, or what was expected."""

    number: int
    """Of the scenario's step, from 1; several lines may have the same."""
    what: str
    in_use: str = ""
    """What is in use now, where the step changed it."""
    broken: str = ""
    """The promise that the step breaks."""
    note: str = ""
    loops: bool = False
    """True for the first line of the part that goes round."""


@dataclass(frozen=True)
class Witness:
    """A scenario that a finding or a result names: its file name, and its form as it stands in a file. Only drawn."""

    name: str
    """'' for one that was read."""
    form: Mapping[str, Any]
    told: Mapping[str, Any] | None = None
    """What a scheduler made of it, as a scenario in which every choice is a step; None: it is drawn as it stands."""
    fault: str = ""
    """What is false where that breaks a promise."""


@dataclass(frozen=True)
class Ended:
    """The end of the stream: how long it took and which solver answered."""

    seconds: float
    solver: Mapping[str, str] = field(default_factory=dict[str, str])
    unusable: str = ""
    """Why the input could not be judged to its end; '' when it could."""


Event = (
    Began | UnitTotal | Row | Finding | Result | Theorem | Rests | Step | Witness | Measured | AboutConformance | AboutPlan
    | Promised | Timeline | Ended
)  # fmt: skip


@dataclass(frozen=True)
class Verification:
    """The stream of one command, put together for reports that need to see all of it at once."""

    began: Began
    ended: Ended
    units: tuple[UnitTotal, ...] = ()
    rows: tuple[Row, ...] = ()
    findings: tuple[Finding, ...] = ()
    results: tuple[Result, ...] = ()
    theorems: tuple[Theorem, ...] = ()
    rests: tuple[Rests, ...] = ()
    steps: tuple[Step, ...] = ()
    promised: tuple[Promised, ...] = ()
    audited: Audited | None = None
    """What was measured, of `audit`."""
    conformed: Conformed | None = None
    """What was declared and tried, of `conform`."""
    planned: Plan | None = None
    """What a change means, of `plan`."""
    timeline: Timeline | None = None
    """What is drawn of a history."""
    witnesses: tuple[Witness, ...] = ()
    """Scenarios that are drawn."""

    @property
    def judged(self) -> tuple[Finding | Result | Promised, ...]:
        """Everything that has a class of `report.partition`."""
        return (*self.findings, *self.results, *self.promised)

    @classmethod
    def of(cls, events: Iterable[Event]) -> Verification:
        """The events of one stream, each kind in its order."""
        every = list(events)
        began, ended = every[0], every[-1]
        if not isinstance(began, Began) or not isinstance(ended, Ended):
            raise TypeError("a stream opens with Began and closes with Ended")
        return cls(
            began,
            ended,
            units=tuple(e for e in every if isinstance(e, UnitTotal)),
            rows=tuple(e for e in every if isinstance(e, Row)),
            findings=tuple(e for e in every if isinstance(e, Finding)),
            results=tuple(e for e in every if isinstance(e, Result)),
            theorems=tuple(e for e in every if isinstance(e, Theorem)),
            rests=tuple(e for e in every if isinstance(e, Rests)),
            steps=tuple(e for e in every if isinstance(e, Step)),
            promised=tuple(e for e in every if isinstance(e, Promised)),
            audited=Audited.of(tuple(e for e in every if isinstance(e, Measured)))
            if began.command == "audit"
            else None,
            conformed=Conformed.of(tuple(e for e in every if isinstance(e, AboutConformance)))
            if began.command == "conform"
            else None,
            planned=Plan.of(every) if began.command == "plan" else None,
            timeline=next((e for e in every if isinstance(e, Timeline)), None),
            witnesses=tuple(e for e in every if isinstance(e, Witness)),
        )
