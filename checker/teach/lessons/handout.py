"""Lessons on paper: one HTML file that stands alone, with boxes to tick, pictures, and the answers on the last pages.

Whatever shows the answer to a question stands on a later page than the question; on a screen it is folded. Trusted:
`hypertext`, which escapes, and the scripts and sheets of `assets`, which draw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ....spec.formats.scenario import Step
from ...report.hypertext import Drawn, Tag, document, listed, paragraphs, tag
from ..assets import inlined, sheet
from ..frame import Line
from ..run import Play
from .forms import answered, as_json, ending, game_at
from .model import LETTERS, Ask, Happen, Lesson, Tell

_TICK = "\N{CHECK MARK}"
_HOW = (
    "Teams share machines here: each share has a limit of its own, lends what it leaves idle, or borrows what others leave.",
    "Read what is told, look at the picture, and tick what you think will happen before you turn the page, or open on a "
    "screen what stands below the question. What happened stands behind each question; why, and what to do about it, on the "
    "last pages.",
)
"""What stands before the first lesson."""


def handout(*lessons: Lesson, answers: bool = False) -> str:
    """The file. With `answers` the right boxes are ticked, for who teaches."""
    handouts = [_Handout(lesson, ticked=answers) for lesson in lessons]
    pictures: list[Mapping[str, Any]] = []
    story = [tag("section", *one.story(pictures), css="lesson") for one in handouts]
    last = [
        tag("section", tag("h1", "Answers"), *(t for one in handouts for t in one.answers(pictures)), css="answers")
    ]
    title = f"Lend and borrow: {lessons[0].subject if len(lessons) == 1 else 'lessons'}"
    story.insert(0, tag("section", tag("h1", title), *paragraphs(_HOW), css="how"))
    drawn = Drawn(inlined("handout.js"), {"pictures": pictures}, sheet("picture.css", "handout.css"))
    return document(title, [*story, *last], drawn)


class _Handout:
    """One lesson, and its play as far as it has been told."""

    def __init__(self, lesson: Lesson, *, ticked: bool) -> None:
        self._lesson = lesson
        self._form = as_json(lesson)
        self._ticked = ticked
        self._play = Play(game_at(lesson, ()))
        self._told: list[Line] = []
        """What the last question leads to, not shown yet."""
        self._drawn = False
        """Whether it has a picture, the first of which explains the signs."""

    def story(self, pictures: list[Mapping[str, Any]]) -> Iterator[Tag]:
        """All that is told and asked, what happened after a question on the page behind it."""
        form = self._form
        yield tag("h1", f"{form['number']}. {form['subject']}")
        yield tag("p", f"For: {form['for']}", css="small")
        yield from paragraphs([f"Assumed: {_assumed(form['assume'])}."] if form["assume"] else [], css="small")
        yield from self._from(0, pictures)

    def _from(self, index: int, pictures: list[Mapping[str, Any]]) -> Iterator[Tag]:
        """The parts from one on. What comes after a question is folded away on a screen."""
        for at, part in enumerate(self._lesson.parts[index:], index):
            match part:
                case Tell():
                    yield tag("p", " ".join(part.says))
                case Happen():
                    yield from self._happened(self._go(part.moves))
                    yield self._picture(pictures)
                case Ask():
                    if not self._drawn:
                        yield self._picture(pictures)
                    yield self._question(self._lesson.questions.index(part) + 1, part)
                    self._told = self._go(part.then)
                    if at + 1 < len(self._lesson.parts):
                        behind = [*self._meanwhile(pictures), *self._from(at + 1, pictures)]
                        yield tag("details", tag("summary", "What happened"), *behind, css="then")
                    return

    def answers(self, pictures: list[Mapping[str, Any]]) -> Iterator[Tag]:
        """Why each answer is right, how the play ends, and what to do about it."""
        ends = ending(self._lesson)
        yield tag("h2", f"{self._form['number']}. {ends['title']}")
        yield tag("p", ends["summary"], css="summary")
        for question, ask in enumerate(self._lesson.questions):
            yield self._answer(question, ask)
        if isinstance(self._lesson.parts[-1], Ask):
            yield from self._meanwhile(pictures)
        yield tag("h3", "What to do about it")
        yield from listed([f"{one['says']} ", tag("span", _codes(one), css="small")] for one in ends["advice"])
        yield tag("p", "More: ", tag("code", " ".join(["quotaproof explain", *ends["explain"]])), css="small")

    def _meanwhile(self, pictures: list[Mapping[str, Any]]) -> Iterator[Tag]:
        """What the last question has led to, on a page of its own."""
        yield from self._happened(self._told)
        yield self._picture(pictures)
        self._told = []

    def _question(self, number: int, ask: Ask) -> Tag:
        choices = [
            tag("div", tag("span", _TICK if self._ticked and i == ask.right else "", css="box"),
                tag("span", f"{LETTERS[i]}. {one.says}"), css="choice")
            for i, one in enumerate(ask.choices)
        ]  # fmt: skip
        return tag("div", tag("p", f"Question {number}. {ask.asks}"), *choices, css="question")

    def _answer(self, question: int, ask: Ask) -> Tag:
        form = answered(self._lesson, question, ask.right)
        others = [_other(one) for one in form["others"]]
        right = f"Question {question + 1}: {form['letter']}. {ask.choices[ask.right].says}"
        certain = f" {form['means']} Source: {_codes(form)}"
        return tag(
            "div", tag("p", tag("strong", right)), tag("p", " ".join(form["why"])),
            tag("p", tag("strong", form["certainty"].capitalize()), f".{certain}", css="small"),
            *paragraphs(others, css="small"), css="answer",
        )  # fmt: skip

    def _go(self, moves: Sequence[Step]) -> list[Line]:
        since = self._play.count
        self._play.take(moves)
        return list(self._play.lines(since))

    def _happened(self, lines: Sequence[Line]) -> list[Tag]:
        said = [tag("li", line.said[0].sentence) for line in lines if line.kind != "rest"]
        return [tag("ol", *said, css="happens")] if said else [tag("p", "Nothing happens.")]

    def _picture(self, pictures: list[Mapping[str, Any]]) -> Tag:
        pictures.append({"frame": asdict(self._play.frame(self._play.count - 1)), "legend": not self._drawn})
        self._drawn = True
        return tag("div", css="picture", place=f"picture-{len(pictures) - 1}")


def _other(form: Mapping[str, Any]) -> str:
    earlier = "the play would go otherwise before this question already, and " if form["earlier"] else ""
    return f"With {_assumed(form['assume'])} {earlier}the answer would be {form['letter']}."


def _assumed(assume: Sequence[Mapping[str, str]]) -> str:
    return " and ".join(f"{one['code']}={one['choice']} ({one['question']}: {one['meaning']})" for one in assume)


def _codes(form: Mapping[str, Any]) -> str:
    return f"({', '.join(one['code'] for one in form['source'])})"
