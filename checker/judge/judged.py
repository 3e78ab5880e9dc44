"""What a history decides: for each guarantee how often it came up, what broke it, and what cannot be known and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...spec.observations import Seen


@dataclass(frozen=True)
class Fault:
    """An observation that nothing allowed explains."""

    code: str
    """The first guarantee that it breaks."""
    number: int
    """Of the observation in the history, from 0."""
    seen: Seen
    sentence: str
    """The false clause with its numbers."""
    clause: str = ""
    """Code of the false clause, '' when no clause says it."""
    window: tuple[int, int] = (0, 0)
    """First and last number of the observations whose order was tried."""


@dataclass(frozen=True)
class Judged:
    """A whole history, judged to its end. Codes are guarantees."""

    events: int
    exercised: Mapping[str, int] = field(default_factory=dict[str, int])
    """Code -> how often it came up: its premise was true and it was decided."""
    faults: tuple[Fault, ...] = ()
    """In the order of the history; each is one first cause, judged relative to what the earlier ones left."""
    undecided: Mapping[str, tuple[int, str]] = field(default_factory=dict[str, tuple[int, str]])
    """Code -> how often a limit was reached, and which."""
    unseen: Mapping[str, str] = field(default_factory=dict[str, str])
    """Code -> the field that is missing: why the guarantee, or its strict form, cannot be judged."""
    pending: Mapping[str, int] = field(default_factory=dict[str, int])
    """Code -> answers that were still due when the history ended."""
    first: Mapping[str, int] = field(default_factory=dict[str, int], compare=False)
    """Code -> number of the observation, from 0, at which it first came up, where that was noted."""
