"""What the page may ask, as functions from what it sends to what it gets; a mistake in it is one InputError.

Every question carries the whole game. Nothing is remembered between two questions but what makes the next answer quick.
Trusted: nothing that is sent.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from ...spec.formats.errors import InputError, shown
from ...spec.readings import READINGS
from ...spec.rules.guarantees import GUARANTEES
from ...spec.rules.sources import CLAUSES, clause_title
from . import form as forms
from .beside import Pair, alone, label, rests
from .game import REFERENCE, Game
from .lessons.forms import answered, as_json, listed
from .lessons.shelf import lesson, lessons
from .plainly import PLAINLY
from .planted import PLANTED
from .plays import Plays
from .saved import scenario_of, text_of
from .scenarios import offered, played, walkthrough
from .story import Story, story
from .watched import Watched

if TYPE_CHECKING:
    from .frame import Frame

_BODIES = {
    "play": ({"game", "at", "since", "adds"}, {"game"}),
    "cut": ({"game", "at"}, {"game", "at"}),
    "job": ({"game", "job", "at"}, {"game", "job"}),
    "open": ({"files"}, {"files"}),
    "save": ({"game", "at"}, {"game"}),
    "answer": ({"question", "choice"}, {"question", "choice"}),
}
"""What a body may hold, and what it must."""
LONGEST = 10.0
"""Seconds that one question may take."""
_CAN: dict[str, tuple[str, ...]] = {
    "finish": ("SCHEDULED", "STARTING", "RUNNING", "DRAINING"),
    "terminate": ("RUNNABLE", "SCHEDULED", "STARTING", "RUNNING", "DRAINING"),
    "set-priority": ("RUNNABLE", "SCHEDULED", "STARTING", "RUNNING", "DRAINING"),
    "advance": ("SCHEDULED", "STARTING"),
    "return": ("SCHEDULED",),
    "stopped": ("DRAINING",),
}
"""What can be done to a job, by its stage."""


_SEEN = "history of a real queue: its own scheduler decided"
"""Who schedules, where a history is looked at."""


class Api:
    """The answers. `start`: what the command line names, if anything; `explained`: what a code means, in a few lines."""

    def __init__(self, start: Game | None, explained: Callable[[str], str]) -> None:
        self._start = start or walkthrough()
        self._explained = explained
        self._plays = Plays(LONGEST)

    def menu(self) -> dict[str, Any]:
        """Everything there is to choose from."""
        obeys = {"name": REFERENCE, "says": "It keeps every rule.", "code": "", "shows": ""}
        return {
            "scenarios": offered(),
            "schedulers": [obeys, *({k: getattr(p, k) for k in obeys} for p in PLANTED.values())],
            "readings": [
                {"code": r.code, "question": r.question, "default": r.default, "choices": dict(r.choices)}
                for r in READINGS.values()
                if r.modelled
            ],
            "clauses": {code: clause_title(code) for code in CLAUSES},
            "guarantees": [{"code": g.code, "name": g.name, **vars(PLAINLY[g.code])} for g in GUARANTEES.values()],
            "lessons": listed(lessons()),
            "start": forms.as_form(self._start),
        }

    def play(self, body: dict[str, Any]) -> dict[str, Any]:
        """A game, played: one of its frames, and what there is to say of its steps from `since` on. `adds`: its last move is
        new, and refused where it is impossible."""
        game = _game(body, "play")
        with self._plays.shown(game, adds=body.get("adds") is True) as play:
            first = play.opens_at if isinstance(play, Watched) else play.count - 1
            at = _number(body, "at", first, play.count - 1)
            frame = play.frame(at)
            lines = play.lines(_number(body, "since", 0, None))
            count = play.count
            beside = play.beside(at) if isinstance(play, Pair) else None
        return {
            "game": forms.as_form(game),
            "count": count,
            "at": at,
            "frame": frame,
            "lines": lines,
            "beside": beside,
            "beside_label": "" if game.beside is None else label(game.beside),
            "label": label(game.side) if game.history is None else _SEEN,
            "rests": rests(frame, beside),
            "possible": possible(frame),
        }

    def cut(self, body: dict[str, Any]) -> dict[str, Any]:
        """A game without what comes after one of its frames."""
        game = _game(body, "cut")
        with self._plays.shown(game) as play:
            return {"game": forms.as_form(play.cut(_number(body, "at", None, play.count - 1)))}

    def job(self, body: dict[str, Any]) -> Story:
        """What has happened to a job up to a frame, and why."""
        game = _game(body, "job")
        name = body["job"]
        if not isinstance(name, str):
            raise InputError(f"job is {shown(name)}", where="request", why="A job has a name.", fix="reload the page.")
        with self._plays.shown(game) as play:
            return story(play, name, _number(body, "at", play.count - 1, play.count - 1))

    def scenario(self, name: str) -> dict[str, Any]:
        """A scenario that is shipped, as a game."""
        return {"game": forms.as_form(played(name))}

    def open(self, body: dict[str, Any]) -> dict[str, Any]:
        """Files from disk as a game, and what of them is not in the game."""
        from .opened import open_files

        _checked(body, "open")
        files: Any = body["files"]
        if not (isinstance(files, list) and all(map(_is_file, cast("list[Any]", files)))):
            raise InputError("a file is its name and its text", where="request", why="One of them is no text.",
                             fix="reload the page.")  # fmt: skip
        found = open_files([(file["name"], file["text"]) for file in files])
        return {"game": forms.as_form(found.game), "left_out": found.left_out}

    def save(self, body: dict[str, Any]) -> dict[str, Any]:
        """A game up to one of its frames as a scenario, which `replay` plays: the name of a file, and what is in it."""
        game = _game(body, "save")
        with self._plays.shown(game) as play:
            name, text = text_of(scenario_of(*alone(play, _number(body, "at", play.count - 1, play.count - 1))))
        return {"name": name, "text": text}

    def lesson(self, number: str) -> dict[str, Any]:
        """A lesson, without its answers."""
        return as_json(lesson(number, "the address"))

    def answer(self, number: str, body: dict[str, Any]) -> dict[str, Any]:
        """Whether a choice of one of its questions is right, and why."""
        _checked(body, "answer")
        return answered(lesson(number, "the address"), body["question"], body["choice"])

    def explain(self, code: str) -> dict[str, Any]:
        """What a code means."""
        return {"code": code, "text": self._explained(code)}


def possible(frame: Frame) -> dict[str, Any]:
    """What forms need: the shares that accept jobs, all that can be changed, units, jobs by what can be done to them."""
    return {
        "submit": [s.name for s in frame.shares if s.enabled and not s.deleting],
        "shares": [s.name for s in frame.shares if not s.deleting],
        "units": [u.unit for u in frame.units],
        "jobs": {what: [j.name for j in frame.jobs if j.stage in stages] for what, stages in _CAN.items()},
    }


def _is_file(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(part), str) for part in ("name", "text"))


def _game(body: dict[str, Any], what: str) -> Game:
    """The game in a body that has what it must. Raises InputError."""
    _checked(body, what)
    return forms.game_of(body["game"])


def _checked(body: dict[str, Any], what: str) -> None:
    """Raises InputError for a body that lacks something, or has what is not known."""
    may, must = _BODIES[what]
    wrong = [f"{key} is missing" for key in sorted(must - set(body))]
    wrong += [f"{shown(key)} is not known here" for key in body if key not in may]
    if wrong:
        raise InputError(
            wrong[0], where="request", why=f"It holds {' and '.join(sorted(may))}.", fix="reload the page."
        )


def _number(body: dict[str, Any], key: str, default: int | None, most: int | None) -> int:
    """The number of a frame in a body. Raises InputError."""
    value = body.get(key, default)
    if type(value) is not int or value < 0 or (most is not None and value > most):
        why = "Frames are numbered from 0" + ("." if most is None else f"; this play has {most} as the last.")
        raise InputError(f"{key} is {shown(value)}", where="request", why=why, fix="give the number of a frame.")
    return value
