"""The slides of a lesson: one picture for each step of its play, with what happens as its caption.

The pictures are data; `slide` of picture.js draws them, in the page and for docs/lessons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..frame import Frame
from ..run import Play
from .forms import game_at
from .model import Lesson

_SILENT = ("start", "rest")
"""Steps at which nothing happens."""


@dataclass(frozen=True)
class Slide:
    """One of them."""

    number: int
    """From 1."""
    caption: str
    frame: Frame
    part: int
    """Index of the lesson's part to which it belongs."""

    @property
    def file(self) -> str:
        """What its file is called, in a folder of the lesson's."""
        return f"step-{self.number:02}.svg"


def slides(lesson: Lesson) -> Iterator[Slide]:
    """All of a lesson, the answers among them."""
    play = Play(game_at(lesson, lesson.moves))
    ends = [len(lesson.before(i + 1)) for i in range(len(lesson.parts))]
    shown = [line for line in play.lines() if line.kind not in _SILENT]
    for number, line in enumerate(shown, 1):
        part = next(i for i, end in enumerate(ends) if line.move < end)
        yield Slide(number, line.said[0].sentence, play.frame(line.number), part)


def folder(lesson: Lesson) -> str:
    """What the folder of a lesson's slides is called."""
    return f"{lesson.number:02}-{lesson.name}"
