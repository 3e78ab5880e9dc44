"""Lessons as the page is given them, JSON: up to the first question, then with each answer what leads to the next.

Each part has the game as it stands at its end, for the page to draw; `before` says how many of its moves were there
before the part. Trusted: nothing of what is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ....spec import events as ev
from ....spec.formats.errors import InputError, shown
from ....spec.formats.scenario import Expect, Step
from ....spec.readings import READINGS
from ....spec.rules.sources import RULES
from ..form import as_form
from ..game import Game, Side
from ..run import Play
from .model import CERTAINTY, LETTERS, Ask, Happen, Lesson, Part, Tell


def listed(lessons: Iterable[Lesson]) -> list[dict[str, Any]]:
    """What a menu says of each lesson."""
    return [{"number": one.number, "subject": one.subject, "certainty": one.certainty} for one in lessons]


def as_json(lesson: Lesson) -> dict[str, Any]:
    """The lesson up to its first question. Nothing in it depends on what is right, or on what comes later."""
    return {
        "number": lesson.number,
        "subject": lesson.subject,
        "for": lesson.audience,
        "certainty": lesson.certainty,
        "means": CERTAINTY[lesson.certainty],
        "assume": assumptions(lesson.readings.chosen),
        "parts": _until_asked(lesson, 0),
        "length": len(lesson.parts),
    }


def ending(lesson: Lesson) -> dict[str, Any]:
    """What the lesson has shown, and what to do about it."""
    return {
        "title": lesson.title,
        "summary": lesson.summary,
        "advice": [{"says": one.says, "source": sources(one.source)} for one in lesson.advice],
        "explain": list(lesson.explain),
    }


def answered(lesson: Lesson, question: object, choice: object) -> dict[str, Any]:
    """Whether a choice, from 0, of a question, from 0, is right, why, and what follows. Raises InputError."""
    asked = list(lesson.asked())
    index, ask = asked[_number("question", question, len(asked))]
    chosen = _number("choice", choice, len(ask.choices))
    before = lesson.before(index)
    return {
        "question": question,
        "choice": chosen,
        "right": chosen == ask.right,
        "answer": ask.right,
        "letter": LETTERS[ask.right],
        "why": list(ask.why),
        "certainty": ask.certainty,
        "means": CERTAINTY[ask.certainty],
        "source": sources(ask.source),
        "under": assumptions((s, lesson.readings[s]) for s in ask.source if s in READINGS and READINGS[s].modelled),
        "others": [
            {
                "choice": i,
                "letter": LETTERS[i],
                "assume": assumptions(other.items()),
                "earlier": differs(lesson, before, other),
                "game": as_form(game_at(lesson, (*before, *ask.then), other)),
            }
            for i, one in enumerate(ask.choices)
            for other in one.under
        ],
        "before": len(before),
        "game": as_form(game_at(lesson, (*before, *ask.then))),
        "parts": _until_asked(lesson, index + 1),
        "ends": ending(lesson) if question == len(asked) - 1 else None,
    }


def game_at(lesson: Lesson, moves: tuple[Step, ...], beside: Mapping[str, str] | None = None) -> Game:
    """The lesson's game after `moves`; `beside` it the same under other readings, on top of the lesson's."""
    assume = dict(lesson.readings.chosen)
    other = None if beside is None else Side(assume=assume | dict(beside))
    return Game(f"lesson-{lesson.number:02}", lesson.config, moves, Side(assume=assume), other, lesson.subject)


def differs(lesson: Lesson, moves: tuple[Step, ...], readings: Mapping[str, str]) -> bool:
    """Whether other things happen in `moves` under other readings than the lesson has told."""
    own, other = (
        Play(game_at(lesson, moves), Side(assume=dict(lesson.readings.chosen) | dict(more))) for more in ({}, readings)
    )
    return _seen(own) != _seen(other)


def _seen(play: Play) -> list[tuple[type[object], str, tuple[str, ...]]]:
    """What can be seen of a play: which claims keep something, and when they end, cannot."""
    events = [event for n in range(play.count) if (event := play.step(n)) is not None]
    seen = [event for event in events if not isinstance(event, ev.Release | Expect)]
    return [(type(event), getattr(event, "job", ""), getattr(event, "victims", ())) for event in seen]


def sources(codes: Iterable[str]) -> list[dict[str, str]]:
    """Rules and readings, with what they say."""
    return [{"code": code, "text": _text(code)} for code in codes]


def assumptions(chosen: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """Choices, with the question and what the choice means."""
    return [
        {"code": code, "choice": choice, "question": READINGS[code].question, "meaning": READINGS[code].choices[choice]}
        for code, choice in chosen
    ]


def _text(code: str) -> str:
    if code.startswith("rule "):
        return RULES[int(code.removeprefix("rule "))]
    reading = READINGS[code]
    return f"{reading.question} ({reading.favoured})"


def _until_asked(lesson: Lesson, first: int) -> list[dict[str, Any]]:
    """The parts from one on to the next question."""
    asked = next((i for i, _ in lesson.asked() if i >= first), len(lesson.parts))
    return [_part(lesson, i, lesson.parts[i]) for i in range(first, min(asked + 1, len(lesson.parts)))]


def _part(lesson: Lesson, index: int, part: Part) -> dict[str, Any]:
    before = lesson.before(index)
    moves = (*before, *part.moves) if isinstance(part, Happen) else before
    stands = {"before": len(before), "game": as_form(game_at(lesson, moves))}
    match part:
        case Tell():
            return {"kind": "tell", "says": list(part.says), **stands}
        case Happen():
            return {"kind": "moves", **stands}
        case Ask():
            number = lesson.questions.index(part)
            return {
                "kind": "ask",
                "question": number,
                "asks": part.asks,
                "choices": [c.says for c in part.choices],
                **stands,
            }


def _number(what: str, value: object, count: int) -> int:
    if type(value) is not int or not 0 <= value < count:
        raise InputError(f"{what} is {shown(value)}", where="request", why=f"This lesson has {what} 0 to {count - 1} here.",
                         fix="reload the page.")  # fmt: skip
    return value
