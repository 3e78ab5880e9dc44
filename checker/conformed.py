"""What a conformance run says beside its results, as events of the stream: what the backend declared, how much was tried
and how fast, and how to run it again. Trusted: nothing; no verdict is made here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Capacity: TypeAlias = Literal["pooled", "per-lender"]


@dataclass(frozen=True)
class Declared:
    """What a backend said of itself before anything was run, and what the profile asks."""

    backend: str
    """As the user named it."""
    name: str
    version: str = ""
    profile: str = ""
    core: tuple[str, ...] = ()
    """Features that the profile asks of everybody."""
    extended: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    """Of core and extended, those that the backend does not have."""
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    claims: bool = False
    own_time: bool = False
    capacity: Capacity = "pooled"
    issue_url: str = ""
    queue: str = ""
    """Where the one queue was read that the run is about; '' for the corpus and queues that are drawn."""


@dataclass(frozen=True)
class Tried:
    """One part of the run in numbers."""

    part: str
    """'corpus', 'known failures' or 'campaign'."""
    scenarios: int
    passed: int
    failed: int
    skipped: int
    errored: int
    events: int
    """Observations that were judged."""
    seconds: float
    """Of the clock on the wall, an interrupted part included."""
    seed: int | None = None
    resumed: int = 0
    """Scenarios of it that an earlier run had done."""
    workers: str = ""
    """Who worked on it, in words."""
    flaky: int = 0
    """Scenarios that broke a promise in one run and not in the others."""

    @property
    def run(self) -> int:
        """Scenarios that the backend was given."""
        return self.scenarios - self.skipped

    @property
    def per_second(self) -> float:
        return self.run / self.seconds if self.seconds else 0.0

    @property
    def events_per_second(self) -> float:
        return self.events / self.seconds if self.seconds else 0.0


@dataclass(frozen=True)
class Lost:
    """Something of queues that the scheduler was not told, or was told in other terms."""

    what: str
    instead: str
    scenarios: int
    first: str
    """Name of the first of these scenarios."""


@dataclass(frozen=True)
class Again:
    """A command that does it again."""

    what: str
    line: str
    """As it is typed."""


@dataclass(frozen=True)
class Compared:
    """The run beside a list of known failures, which decides the exit code (--expect)."""

    path: str
    differences: tuple[str, ...] = ()
    """What is otherwise than the list says; none: the run is as expected."""


AboutConformance: TypeAlias = Declared | Tried | Lost | Again | Compared


@dataclass(frozen=True)
class Conformed:
    """All of it together."""

    declared: Declared | None = None
    tried: tuple[Tried, ...] = ()
    lost: tuple[Lost, ...] = ()
    again: tuple[Again, ...] = ()
    compared: Compared | None = None

    @classmethod
    def of(cls, events: tuple[AboutConformance, ...]) -> Conformed:
        return cls(
            declared=next((e for e in events if isinstance(e, Declared)), None),
            tried=tuple(e for e in events if isinstance(e, Tried)),
            lost=tuple(e for e in events if isinstance(e, Lost)),
            again=tuple(e for e in events if isinstance(e, Again)),
            compared=next((e for e in events if isinstance(e, Compared)), None),
        )
