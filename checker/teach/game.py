"""What is played: a queue, the moves made so far, and who schedules. Every picture follows from it and from nothing else.

A move is a step of a scenario (something users, the platform or an administrator do, or a choice of the scheduler that
is given), `Settle`, or `Tick`: one step of whoever schedules. Moves say what to do, so that the same ones can be played
with another scheduler or under other readings; that is the `beside` of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ...spec.formats.scenario import Breaks, Step
from ...spec.model import QueueConfig

VERSION = 1
REFERENCE = "reference"
"""The scheduler that obeys."""


@dataclass(frozen=True)
class Tick:
    """One step of the scheduler; of the platform (a drain ends) when the scheduler has none."""


Move: TypeAlias = Step | Tick


@dataclass(frozen=True)
class Side:
    """Who schedules, and what is assumed where AWS leaves it open: reading code -> choice."""

    scheduler: str = REFERENCE
    assume: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Shows:
    """What a witness shows once its moves have been played, where a replay confirms it."""

    breaks: Breaks
    moves: int
    """After so many, the first ones of the game."""
    repeats_from: int | None = None


@dataclass(frozen=True)
class Record:
    """Part of a history of a real queue, and what an audit found in it when it was opened."""

    trace: str
    """As `quotaproof explain trace` says, its header first."""
    opening: int = 0
    """So many of its observations make up the state at which the part begins; they are not shown."""
    faults: tuple[tuple[int, str, str], ...] = ()
    """Number of an observation, from 0, the guarantee that it breaks, and how."""
    kept: Mapping[str, int] = field(default_factory=dict[str, int])
    """Guarantees that came up, and the number of the observation at which each first did."""
    unknown: Mapping[str, str] = field(default_factory=dict[str, str])
    """Guarantee -> what is missing of what it needs."""


@dataclass(frozen=True)
class Game:
    """A play as it stands in the address of the page and in what is saved."""

    name: str
    config: QueueConfig
    moves: tuple[Move, ...] = ()
    side: Side = field(default_factory=Side)
    beside: Side | None = None
    """The same moves, played by another scheduler or under other readings."""
    about: str = ""
    shows: Shows | None = None
    history: Record | None = None
    """What is looked at instead of played; such a game has no moves."""
