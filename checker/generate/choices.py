"""Where draws come from: one small interface, so that a generator is written once and used by every source.

Smaller numbers and earlier options are the simpler ones: a source that shrinks moves towards them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

T = TypeVar("T")


class Choices(Protocol):
    """A source of draws."""

    def number(self, low: int, high: int) -> int:
        """A number from low to high, both included."""
        ...


def pick(choose: Choices, options: Sequence[T]) -> T:
    """One of the options, the simplest first."""
    return options[choose.number(0, len(options) - 1)]


def chance(choose: Choices, percent: int) -> bool:
    """True in about so many of a hundred draws; False is simpler."""
    return choose.number(0, 99) >= 100 - percent


@dataclass(frozen=True)
class Seeded:
    """Draws of a seeded generator, straight from its bits: what `randint` does, without what it asks first."""

    rng: random.Random

    def number(self, low: int, high: int) -> int:
        bits = (high - low + 1).bit_length()
        drawn = self.rng.getrandbits(bits)
        while drawn > high - low:
            drawn = self.rng.getrandbits(bits)
        return low + drawn

    def numbers(self, width: int) -> list[int]:
        """The draws of a record."""
        return [self.number(0, WIDEST) for _ in range(width)]


@dataclass
class Bytes:
    """Draws read off bytes; when they are used up every draw is the lowest. Any bytes at all are a valid source."""

    data: bytes
    at: int = 0

    def number(self, low: int, high: int) -> int:
        width = (max(0, high - low).bit_length() + 7) // 8
        value = int.from_bytes(self.data[self.at : self.at + width], "big")
        self.at += width
        return low + value % (high - low + 1)


@dataclass
class Record:
    """Draws that were made at once, so that what one of them means never shifts those of the next record."""

    values: Sequence[int]
    at: int = 0

    def number(self, low: int, high: int) -> int:
        value = self.values[self.at] if self.at < len(self.values) else 0
        self.at += 1
        return low + value % (high - low + 1)


WIDEST = 59
"""Highest draw of a record: 60 numbers are shared out evenly among 2, 3, 4, 5, 6, 10 or 12 options."""


def record(choose: Choices, width: int) -> Record:
    """So many draws at once, each from at most 60 options. A source that has `numbers` knows that they belong together."""
    together = getattr(choose, "numbers", None)
    return Record(together(width) if together else [choose.number(0, WIDEST) for _ in range(width)])
