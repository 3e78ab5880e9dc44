"""A lesson in a terminal: it is told, asks, takes a letter or a number, and shows what then happens. Works from a pipe.

Nothing of an answer is shown before there is one; where the input ends the lesson ends too. Trusted: `layout.plain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...report.layout import entry, items, paragraph, plain
from ..run import Play
from ..text import drawn, legend, told
from .forms import answered, as_json, ending, game_at
from .model import LETTERS, Ask, Happen, Lesson, Tell

Read = Callable[[], str | None]
"""The next line, None at the end of the input."""
Say = Callable[[str], object]
_LEAVES = ("q", "quit", "exit")


@dataclass(frozen=True)
class Score:
    """How many answers were right, of how many questions that were answered, of how many that the lesson has."""

    right: int
    answered: int
    questions: int

    def __str__(self) -> str:
        of = f"{self.right} of {self.answered} answers {'was' if self.answered == 1 else 'were'} right"
        left = self.questions - self.answered
        return f"{of}; {left} {'question was' if left == 1 else 'questions were'} left open." if left else f"{of}."


def give(lesson: Lesson, read: Read, say: Say) -> Score:
    """The whole lesson; how it went."""
    return _Giving(lesson, read, say).give()


class _Giving:
    def __init__(self, lesson: Lesson, read: Read, say: Say) -> None:
        self.lesson = lesson
        self._read = read
        self._say = say
        self._form = as_json(lesson)
        self._play = Play(game_at(lesson, ()))
        self._right: list[bool] = []

    def give(self) -> Score:
        form = self._form
        self._lines(
            f"Lesson {form['number']}: {form['subject']}", *entry("for", form["for"]),
            *(line for one in form["assume"] for line in entry("assumes", _assumes(one))), "",
        )  # fmt: skip
        self._say(legend())
        whole = all(self._part(part) for part in self.lesson.parts)
        score = Score(sum(self._right), len(self._right), len(self.lesson.questions))
        if whole:
            ends = ending(self.lesson)
            self._lines("", ends["title"], *paragraph(ends["summary"]))
            self._lines("", "What to do about it", *(line for one in ends["advice"] for line in _advice(one)))
            self._lines(*entry("more", " ".join(["quotaproof explain", *ends["explain"]])))
        self._lines("", str(score))
        return score

    def _part(self, part: Tell | Happen | Ask) -> bool:
        """One part; False where the input has ended."""
        match part:
            case Tell():
                self._lines("", *(line for sentence in part.says for line in paragraph(sentence)))
                return True
            case Happen():
                self._go(part.moves)
                return True
            case Ask():
                return self._ask(part)

    def _go(self, moves: Sequence[Any]) -> None:
        since = self._play.count
        self._play.take(moves)
        self._say("\n")
        for line in self._play.lines(since):
            self._say(told(line))
        self._say("\n")
        self._say(drawn(self._play.frame(self._play.count - 1)))

    def _ask(self, ask: Ask) -> bool:
        choices = (line for i, one in enumerate(ask.choices) for line in entry(LETTERS[i], one.says))
        self._lines("", *entry("?", ask.asks), *choices)
        chosen = self._chosen(len(ask.choices))
        if chosen is None:
            return False
        form = answered(self.lesson, len(self._right), chosen)
        self._right.append(form["right"])
        self._lines("Right." if form["right"] else f"No: {form['letter']} is right.")
        self._go(ask.then)
        self._lines("", *(line for sentence in form["why"] for line in paragraph(sentence)))
        self._lines(*entry(form["certainty"], form["means"]), *items("source", [s["code"] for s in form["source"]]))
        self._lines(*(line for other in form["others"] for line in entry("else", _other(other))))
        return True

    def _chosen(self, count: int) -> int | None:
        letters = LETTERS[:count]
        while True:
            self._say(f"Your answer, {', '.join(letters[:-1])} or {letters[-1]} (q ends): ")
            line = self._read()
            said = "q" if line is None else line.strip()
            if line is None or said.lower() in _LEAVES:
                self._say("\n")
                return None
            if len(said) == 1 and said.upper() in letters:
                return letters.index(said.upper())
            if said.isascii() and said.isdigit() and 1 <= int(said[:3]) <= count:
                return int(said) - 1
            self._say(f"Answer with one letter, {letters[0]} to {letters[-1]}.\n")

    def _lines(self, *lines: str) -> None:
        self._say("".join(f"{plain(line)}\n" for line in lines))


def _advice(form: dict[str, Any]) -> Iterator[str]:
    yield from entry("-", f"{form['says']} ({', '.join(s['code'] for s in form['source'])})")


def _assumes(form: dict[str, str]) -> str:
    return f"{form['code']}={form['choice']}: {form['question']}: {form['meaning']}"


def _other(form: dict[str, Any]) -> str:
    under = " and ".join(f"{one['code']}={one['choice']} ({one['meaning']})" for one in form["assume"])
    earlier = f"the play would go otherwise before this question already, and {form['letter']}"
    return f"With {under} {earlier if form['earlier'] else form['letter']} would be right."
