"""What a change of a queue would mean, as events of the stream: whom it makes stronger or weaker, which promises it breaks,
which running jobs it touches, and in which order its requests keep everybody safe.

Counts are instances, times milliseconds. What counts towards the exit code is a `Finding` or a `Result` beside these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from .results import Row, Verdict


class Direction(StrEnum):
    """How something after a change stands to what it was before, for its own team."""

    SAME = "same"
    STRONGER = "stronger"
    WEAKER = "weaker"
    INCOMPARABLE = "incomparable"
    """Stronger in one way and weaker in another."""
    NEW = "new"
    GONE = "gone"


LOSSES = (Direction.WEAKER, Direction.INCOMPARABLE, Direction.GONE)
"""In which something is less than it was."""


NUMBERS: Mapping[str, str] = {"sure": "sure", "at_once": "at once", "most": "most", "unstopped": "never stopped"}
"""Field of a `Standing` that is compared -> its words."""


@dataclass(frozen=True)
class Standing:
    """What a share has of a unit. The four numbers that are compared stand here; the row says the rest."""

    sure: int
    """A job this big always gets to run, by taking back what is lent where it must."""
    at_once: int
    """Within its limit: so much starts in every state that can be reached, and nobody has to be stopped for it."""
    most: int
    """It can never hold more."""
    unstopped: int
    """Holding so much of this unit, none of its jobs can be stopped for another share."""
    row: Row | None = None


@dataclass(frozen=True)
class UnitChange:
    """One unit of a share, before and after. `before` None: the share is new; `after` None: it is gone."""

    unit: str
    before: Standing | None
    after: Standing | None
    quantities: Mapping[str, Direction]
    """Name of a compared number -> how it changes."""
    direction: Direction
    rests: tuple[str, ...] = ()
    """Choices of open readings with which the direction is another: "A5=void"."""
    shows: str = ""
    """What the example shows, in a sentence."""
    witness: str = ""
    """The example's scenario, in the new configuration."""


@dataclass(frozen=True)
class ShareChange:
    """One share, before and after."""

    share: str
    direction: Direction
    changes: tuple[str, ...] = ()
    """What the requests change of it, in words; empty for a share that only others' changes reach."""
    units: tuple[UnitChange, ...] = ()
    in_share: Direction = Direction.SAME
    state: Direction = Direction.SAME
    owner: str = ""
    place: str = ""
    """file:line of the request that changes it."""

    @property
    def loses(self) -> bool:
        """Whether something of it is less than it was."""
        numbers = [d for unit in self.units for d in (unit.direction, *unit.quantities.values())]
        return any(d in LOSSES for d in (self.direction, self.in_share, self.state, *numbers))


@dataclass(frozen=True)
class PromiseChange:
    """One promise, term and share, before and after."""

    code: str
    term: str
    says: str
    subject: str
    owner: str
    before: Verdict | None
    """None: it is not about the old configuration, as a promise about a new share."""
    after: Verdict | None
    direction: Direction
    because: str
    steps: tuple[int, ...] = ()
    """Steps of the order after which it is broken although both ends keep it."""
    in_force: bool = True
    needs_time: str = ""
    """From when on steps may be made that it speaks of: "step 3 not before 2026-12-07"."""


@dataclass(frozen=True)
class Planned:
    """One request in its place in the order."""

    number: int
    verb: str
    subject: str
    command: str
    """As a shell takes it; '' where none is written."""
    what: str
    """What it changes, in words."""
    not_before: str = ""
    """ISO date."""
    ends: str = ""
    """Which jobs it ends, and how to see them before it is sent."""
    wait: str = ""
    """For what to wait after it."""
    place: str = ""


@dataclass(frozen=True)
class Ordered:
    """Whether there is an order of the requests in which every configuration in between is safe."""

    found: bool
    why: tuple[str, ...] = ()
    """What speaks against other orders; without an order, which requests block each other."""
    split: tuple[str, ...] = ()
    """Subjects whose update became several requests: first what it takes or lowers, then what it raises or gives."""
    exhausted: bool = True
    """False when none was found within the bound of the search, which does not say that there is none."""
    unverified: tuple[str, ...] = ()
    """Promises of which it is not known whether the order keeps them in between: "P1", "P1 for a"."""


@dataclass(frozen=True)
class Stoppable:
    """A running job that the change exposes or ends."""

    job: str
    name: str
    share: str
    machines: Mapping[str, int]
    runs: int | None
    """Milliseconds since its machines were given to it; None: not known."""
    checkpoint: bool | None
    owner: str
    how: str
    """'reclaim', 'in-share' or 'ends' (with its share)."""


@dataclass(frozen=True)
class OverLimit:
    """A share that uses more than its new limit (rule 48)."""

    share: str
    unit: str
    uses: int
    limit: int
    before: int
    """Its old limit."""

    @property
    def beyond(self) -> int:
        return self.uses - self.limit


@dataclass(frozen=True)
class Untouched:
    """Running jobs of a share that cannot be the ones, and why (G5x)."""

    share: str
    jobs: int
    why: str


@dataclass(frozen=True)
class NeverRuns:
    """A waiting job that could run before and never can in the new configuration."""

    job: str
    name: str
    share: str
    why: str


@dataclass(frozen=True)
class Running:
    """How the queue stood when the plan was made."""

    at: int
    running: int
    waiting: int
    affected: int
    """Running jobs that the change exposes or ends."""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Place:
    """How a place for a share could be freed, where the queue has its 20 (rule 3)."""

    shares: tuple[str, ...]
    why: str


@dataclass(frozen=True)
class Stands:
    """A promise that a way to give breaks, or that leaves no way."""

    code: str
    says: str
    owner: str


@dataclass(frozen=True)
class Given:
    """One way to give a share the limit that is asked for it."""

    changes: tuple[str, ...]
    """In words, such as "prod ml.p5.48xlarge 6 -> 4"."""
    limits: Mapping[str, int]
    """Share -> its new limit of the unit, for each that changes; 0: it has none any more."""
    total: int
    """Machines by which limits change, added up: what was made least."""
    unallotted: int
    """Of what the share gets, so many that no share had."""
    givers: tuple[tuple[str, int], ...]
    """(share, machines that it gives)."""
    costs: tuple[str, ...]
    """What shares have less of, in words."""
    breaks: tuple[Stands, ...] = ()
    command: str = ""
    """Which plans it, as a shell takes it."""


@dataclass(frozen=True)
class Giving:
    """All that was found out about one `--give`."""

    share: str
    unit: str
    wanted: int
    """The limit that the share shall have, not what it gets in addition."""
    had: int
    ways: tuple[Given, ...] = ()
    in_the_way: tuple[Stands, ...] = ()
    """Promises that together leave no way which keeps them; nothing where there is one."""
    none: str = ""
    """Why there are no ways, or none that keep every promise."""
    undecided: bool = False
    """Whether the solver gave up before it could say whether a way keeps every promise."""


@dataclass(frozen=True)
class Overview:
    """The queue before and after, in numbers."""

    shares_before: int
    shares_after: int
    given: tuple[tuple[str, int, int, int, int], ...]
    """Unit, given before and after, capacity before and after."""
    already: tuple[str, ...] = ()
    """What was broken before and still is: not the change's doing."""


@dataclass(frozen=True)
class Written:
    """A file of the folder that the requests are written to. Its text is for AWS and is not reported."""

    folder: str
    name: str
    text: str = field(repr=False)


AboutPlan: TypeAlias = (
    Overview | ShareChange | PromiseChange | Planned | Ordered | Stoppable | OverLimit | Untouched | NeverRuns
    | Running | Place | Giving | Written
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What a plan says, each kind in its order."""

    overview: Overview | None = None
    shares: tuple[ShareChange, ...] = ()
    promises: tuple[PromiseChange, ...] = ()
    steps: tuple[Planned, ...] = ()
    ordered: Ordered | None = None
    stoppable: tuple[Stoppable, ...] = ()
    over: tuple[OverLimit, ...] = ()
    untouched: tuple[Untouched, ...] = ()
    never: tuple[NeverRuns, ...] = ()
    running: Running | None = None
    places: tuple[Place, ...] = ()
    givings: tuple[Giving, ...] = ()
    folder: str = ""

    @classmethod
    def of(cls, events: Iterable[object]) -> Plan:
        """The events of one stream; those that are not about a plan are left out."""
        every = list(events)
        return cls(
            overview=next((e for e in every if isinstance(e, Overview)), None),
            shares=tuple(e for e in every if isinstance(e, ShareChange)),
            promises=tuple(e for e in every if isinstance(e, PromiseChange)),
            steps=tuple(e for e in every if isinstance(e, Planned)),
            ordered=next((e for e in every if isinstance(e, Ordered)), None),
            stoppable=tuple(e for e in every if isinstance(e, Stoppable)),
            over=tuple(e for e in every if isinstance(e, OverLimit)),
            untouched=tuple(e for e in every if isinstance(e, Untouched)),
            never=tuple(e for e in every if isinstance(e, NeverRuns)),
            running=next((e for e in every if isinstance(e, Running)), None),
            places=tuple(e for e in every if isinstance(e, Place)),
            givings=tuple(e for e in every if isinstance(e, Giving)),
            folder=next((e.folder for e in every if isinstance(e, Written)), ""),
        )
