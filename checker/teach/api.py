"""What the page may ask, as functions from what it sends to what it gets; a mistake in it is one InputError.

Every question carries the whole game. Nothing is remembered between two questions but what makes the next answer quick.
Trusted: nothing that is sent.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ...spec.formats.errors import InputError, shown
from ...spec.readings import READINGS
from ...spec.rules.guarantees import GUARANTEES
from .game import REFERENCE, Game
from .scenarios import seeds

if TYPE_CHECKING:
    from .frame import Frame, JobState

_BODIES = {
    "play": ({"game", "at", "since"}, {"game"}),
    "cut": ({"game", "at"}, {"game", "at"}),
    "open": ({"name", "text"}, {"name", "text"}),
    "save": ({"game", "at"}, {"game"}),
    "answer": ({"question", "choice"}, {"question", "choice"}),
}
"""What a body may hold, and what it must."""
_LONGEST = 10.0
"""Seconds that one question may take."""
_AT_ONCE = 50
"""Moves that are played before the clock is looked at."""
_CAN: dict[str, tuple[str, ...]] = {
    "finish": ("SCHEDULED", "STARTING", "RUNNING", "DRAINING"),
    "terminate": ("RUNNABLE", "SCHEDULED", "STARTING", "RUNNING", "DRAINING"),
    "set-priority": ("RUNNABLE", "SCHEDULED", "STARTING", "RUNNING", "DRAINING"),
    "advance": ("SCHEDULED", "STARTING"),
    "return": ("SCHEDULED",),
    "stopped": ("DRAINING",),
}
"""What can be done to a job, by its stage."""


class Api:
    """The answers. `start`: what the command line names; `explained`: what a code means, in a few lines."""

    def __init__(self, start: Callable[[], Game], explained: Callable[[str], str]) -> None:
        self._start = start
        self._explained = explained

    def ready(self) -> None:
        """Load what the first questions need, while the page is still on its way."""
        self.menu()

    def menu(self) -> dict[str, Any]:
        """Everything there is to choose from."""
        from .form import as_form
        from .planted import PLANTED

        obeys = {"name": REFERENCE, "says": "It keeps every rule.", "code": "", "shows": ""}
        return {
            "scenarios": [{"name": s.name, "about": s.about, "source": source} for source, s in seeds().values()],
            "schedulers": [obeys, *({k: getattr(p, k) for k in obeys} for p in PLANTED.values())],
            "readings": [
                {"code": r.code, "question": r.question, "default": r.default, "choices": dict(r.choices)}
                for r in READINGS.values()
                if r.modelled
            ],
            "guarantees": [{"code": g.code, "name": g.name, "sentence": g.sentence} for g in GUARANTEES.values()],
            "lessons": [],
            "start": as_form(self._start()),
        }

    def play(self, body: dict[str, Any]) -> dict[str, Any]:
        """A game, played: one of its frames, and what there is to say of its steps."""
        game = _game(body, "play")
        with self._plays.play(game) as play:
            at = _number(body, "at", play.count - 1, play.count - 1)
            since = _number(body, "since", 0, None)
            frame = play.frame(at)
            answer = {"count": play.count, "at": at, "frame": frame, "lines": play.lines(since)}
        return answer | {"game": as_form(game), "label": label(game.side), "possible": possible(frame)}

    def cut(self, body: dict[str, Any]) -> dict[str, Any]:
        """A game without what comes after one of its frames."""
        game = _game(body, "cut")
        with self._plays.play(game) as play:
            return {"game": as_form(play.cut(_number(body, "at", None, play.count - 1)))}

    def explain(self, code: str) -> dict[str, Any]:
        """What a code means."""
        return {"code": code, "text": self._explained(code)}


def possible(frame: Frame) -> dict[str, Any]:
    """What forms need: the shares that accept jobs and all others, units, and jobs by what can be done to them."""
    return {
        "submit": [s.name for s in frame.shares if s.enabled and not s.deleting],
        "shares": [s.name for s in frame.shares if not s.deleting],
        "units": [u.unit for u in frame.units],
        "jobs": {what: [j.name for j in frame.jobs if j.stage in stages] for what, stages in _CAN.items()},
    }


def _game(body: dict[str, Any], what: str) -> Game:
    may, must = _BODIES[what]


def _number(body: dict[str, Any], key: str, default: int | None, most: int | None) -> int:
    """A number of a frame in a body. Raises InputError."""
    value = body.get(key, default)
    if type(value) is not int or value < 0 or (most is not None and value > most):
        raise InputError(
            f"{key} is {shown(value)}",
            where="request",
            why=f"The play has frames 0 to {most}." if most is not None else "",
            fix="give the number of a frame.",
        )
    return value
