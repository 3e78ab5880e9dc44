"""What a lesson is: a queue, and parts in order: something told, something that happens, a question about what comes next.

Every choice of a question says what would be true then, so that which one is right is played and not believed. Where AWS
leaves it open a choice names the readings that make it true instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ....spec.formats.scenario import Breaks, Expect, Step
from ....spec.model import QueueConfig
from ....spec.readings import Readings
from ....spec.rules.sources import DOCUMENTED, IMPLIED, OPEN, least

CERTAINTY: Mapping[str, str] = {
    DOCUMENTED: "AWS says so.",
    IMPLIED: "It follows from AWS's text or code, which does not say it in so many words.",
    OPEN: "AWS does not say. This is how quotaproof reads it, unless told otherwise.",
}
"""From the firmest to the least firm."""
LETTERS = "ABCD"
"""What the choices of a question are called."""


@dataclass(frozen=True)
class Tell:
    """Sentences."""

    says: tuple[str, ...]


@dataclass(frozen=True)
class Happen:
    """What users, the platform and an administrator do, and the scheduler with `settle`."""

    moves: tuple[Step, ...]


@dataclass(frozen=True)
class Choice:
    """One answer to a question."""

    says: str
    expect: Expect
    """What would be true after the moves that follow the question."""
    under: tuple[Mapping[str, str], ...] = ()
    """Readings, each on top of the lesson's own, under any of which this answer is right instead."""


@dataclass(frozen=True)
class Ask:
    """A question, the moves that answer it, and why."""

    asks: str
    choices: tuple[Choice, ...]
    right: int
    """Index of the choice that is right under the lesson's readings."""
    then: tuple[Step, ...]
    why: tuple[str, ...]
    source: tuple[str, ...]
    """Rules and readings that the answer rests on: 'rule 36', 'A26'."""
    certainty: str


Part: TypeAlias = Tell | Happen | Ask


@dataclass(frozen=True)
class Advice:
    """What to do about it."""

    says: str
    source: tuple[str, ...]


@dataclass(frozen=True)
class Lesson:
    """One lesson. Texts have their numbers in them: those of the play at that point."""

    number: int
    name: str
    """Its file's, without number and ending."""
    subject: str
    """What it is about: said before its questions, so that it answers none."""
    title: str
    """What it shows, as the summary; both are said when its questions have been answered."""
    summary: str
    audience: str
    config: QueueConfig
    parts: tuple[Part, ...]
    advice: tuple[Advice, ...]
    explain: tuple[str, ...]
    """Topics of `quotaproof explain`."""
    readings: Readings = field(default_factory=Readings)
    breaks: Breaks | None = None
    """The guarantee that the whole play breaks, as a scenario says it."""
    repeats_from: int | None = None
    """Number, from 1, of the move from which on the moves can be repeated for ever."""

    @property
    def questions(self) -> tuple[Ask, ...]:
        """Its questions, in order."""
        return tuple(part for part in self.parts if isinstance(part, Ask))

    @property
    def moves(self) -> tuple[Step, ...]:
        """Everything that happens, from the beginning to the end."""
        return tuple(move for part in self.parts for move in moves_of(part))

    @property
    def certainty(self) -> str:
        """That of its least certain answer."""
        return least(q.certainty for q in self.questions)

    def before(self, index: int) -> tuple[Step, ...]:
        """What has happened before part `index`."""
        return tuple(move for part in self.parts[:index] for move in moves_of(part))

    def asked(self) -> Iterator[tuple[int, Ask]]:
        """Every question with the index of its part."""
        return ((i, part) for i, part in enumerate(self.parts) if isinstance(part, Ask))


def moves_of(part: Part) -> tuple[Step, ...]:
    """What happens in a part."""
    return part.moves if isinstance(part, Happen) else part.then if isinstance(part, Ask) else ()
