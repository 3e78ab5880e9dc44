"""What every finding is made from, and what describes one in `explain`: `Subject` and `Check`. Knows no finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from ...spec.model import QueueConfig
from ...spec.readings import Readings
from ..results import Finding, Severity
from .table import Lot, lots

if TYPE_CHECKING:
    from ...spec.formats import Difference, JobItem, Loaded


class Place(Protocol):
    """Where a field stands, as `spec.formats.Loaded.place`: "file:line", '' when no file says it."""

    def __call__(self, share: str | None, field: str, unit: str | None = None) -> str: ...


def nowhere(share: str | None, field: str, unit: str | None = None) -> str:  # noqa: ARG001
    """A `Place` for configurations that come from no file."""
    return ""


@dataclass(frozen=True)
class Subject:
    """One configuration with all a finding needs to judge it."""

    config: QueueConfig
    readings: Readings
    lots: tuple[Lot, ...]
    place: Place = nowhere
    assumed: bool = False
    """True when no environment was given and its capacity is the sum of the limits."""
    jobs: tuple[JobItem, ...] = ()
    """Jobs that are to be submitted."""
    drift: tuple[Difference, ...] = ()
    """What the sources say differently about one object."""
    games: bool = False
    """Whether somebody asks what a share can get by gaming the queue: in most queues that lend, something."""

    @classmethod
    def of(cls, loaded: Loaded, readings: Readings, *, games: bool = False) -> Subject:
        """What was loaded, as the findings see it."""
        return cls(
            loaded.config,
            readings,
            lots(loaded.config, readings),
            loaded.place,
            loaded.capacity_assumed,
            loaded.jobs,
            loaded.drift,
            games,
        )

    @cached_property
    def capacity(self) -> Mapping[str, int]:
        """Unit -> what the environment has."""
        return self.config.environment.capacity

    @cached_property
    def limits(self) -> Sequence[Mapping[str, int]]:
        """Unit -> own limit, for each share in order."""
        return [share.limits for share in self.config.shares]

    @cached_property
    def _short(self) -> Mapping[str, str]:
        return short_units([lot.unit for lot in self.lots])

    def short(self, unit: str) -> str:
        """The unit as a sentence about this queue names it."""
        return self._short.get(unit, unit)


@dataclass(frozen=True)
class Check:
    """One code QP###: what it is, and the function that finds it."""

    code: str
    severity: Severity
    title: str
    explanation: str
    find: Callable[[Subject], Iterable[Finding]] | None = None
    """None: it is about other findings, and found when waivers are applied to them."""


def short_units(units: Sequence[str]) -> Mapping[str, str]:
    """Each unit by its family ("p5" for ml.p5.48xlarge) where no other of the `units` has the same."""
    families = {unit: unit.split(".") for unit in units}
    plain = {u: p[1] for u, p in families.items() if len(p) == 3 and p[0] == "ml" and p[1].isalnum()}
    number = Counter(parts[1] for parts in families.values() if len(parts) > 1)
    return {unit: plain[unit] if unit in plain and number[plain[unit]] == 1 else unit for unit in units}


def listed(names: Sequence[str], most: int = 3) -> str:
    """The names as a person would list them: "a", "a and b", "a, b, c and 4 more"."""
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
