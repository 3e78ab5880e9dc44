"""Games to JSON and back, with every mistake named by its field. Nothing is accepted that is not known.

Trusted: nothing that is read. Steps, shares and choices are read as in scenario files (`scenario_text`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from ...spec.formats import own
from ...spec.formats.conform import Conform
from ...spec.formats.document import Document, Pointer
from ...spec.formats.errors import InputError, nearest, shown
from ...spec.formats.scenario import HOWS, Breaks, own_form, step_form
from ...spec.formats.scenario_text import assumed, read_step
from ...spec.model import LARGEST
from ...spec.readings import Readings
from ...spec.rules.guarantees import GUARANTEES
from .game import REFERENCE, VERSION, Game, Move, Record, Shows, Side, Tick
from .planted import PLANTED

MOST_MOVES = 20_000
_FORM = Conform("scenario")
"""Queue, steps and choices are written as there."""
_NAMED = {"type": "string", "maxLength": 2_000}
LONGEST_TRACE = 4 << 20
_FAULT: tuple[Mapping[str, Any], ...] = (
    {"type": "integer", "minimum": 0, "maximum": LARGEST}, {"type": "string"}, {"type": "string"},
)  # fmt: skip
"""Number of an observation, code of a guarantee, and how it is broken."""
_KEYS = ("play", "name", "about", "queue", "moves", "scheduler", "assume", "beside", "shows", "history")


def as_form(game: Game) -> dict[str, Any]:
    """A game as JSON; `read` gives it back."""
    form: dict[str, Any] = {
        "play": VERSION,
        "name": game.name,
        "about": game.about,
        "queue": own_form(game.config),
        "moves": [move_form(move) for move in game.moves],
        **_side_form(game.side),
    }
    if (record := game.history) is not None:
        form["history"] = {"trace": record.trace, "opening": record.opening, "faults": [list(f) for f in record.faults],
                           "kept": dict(record.kept), "unknown": dict(record.unknown)}  # fmt: skip
    if (shows := game.shows) is not None:
        breaks = {"guarantee": shows.breaks.guarantee, "how": shows.breaks.how, "job": shows.breaks.job}
        form["shows"] = {**breaks, "moves": shows.moves, "repeatsFrom": shows.repeats_from}
        form["shows"] = {key: value for key, value in form["shows"].items() if value not in ("", None)}
    if game.beside is not None:
        form["beside"] = _side_form(game.beside)
    return form


def move_form(move: Move) -> dict[str, Any]:
    """A move as JSON."""
    return {"tick": 1} if isinstance(move, Tick) else step_form(move)


def _side_form(side: Side) -> dict[str, Any]:
    return {"scheduler": side.scheduler, "assume": dict(side.assume)}


def game_of(value: object, name: str = "the play") -> Game:
    """The game in a value that JSON can express. Raises InputError."""
    return read(Document(name, value, dict))


def read(document: Document) -> Game:
    """The game in a document. Raises InputError."""
    value = document.value
    _FORM.keys(document, (), value, _KEYS, ("play", "queue"))
    if value["play"] != VERSION or value["play"] is True:
        raise _FORM.wrong(
            document, ("play",), f"version {shown(value['play'])} is not known", f"write {VERSION}, or start anew."
        )
    side, readings = _side(document, (), value)
    moves = _FORM.typed(document, ("moves",), value.get("moves", []), list, "a list of moves")
    if len(moves) > MOST_MOVES:
        fix = "settle in one move instead of ticks, or start anew from where the play stands."
        raise _FORM.wrong(document, ("moves",), f"there are {len(moves):,} moves; {MOST_MOVES:,} are played", fix)
    beside = None
    if "beside" in value:
        _FORM.keys(document, ("beside",), value["beside"], ("scheduler", "assume"))
        beside, _ = _side(document, ("beside",), value["beside"])
    return Game(
        name=_FORM.value(document, ("name",), value.get("name", ""), _NAMED),
        about=_FORM.value(document, ("about",), value.get("about", ""), _NAMED),
        config=own.configuration(document, ("queue",), readings),
        moves=tuple(_move(document, ("moves", i), move, readings) for i, move in enumerate(moves)),
        side=side,
        beside=beside,
        shows=_shows(document, value["shows"], len(moves)) if "shows" in value else None,
        history=_history(document, value["history"], moves) if "history" in value else None,
    )


def _history(document: Document, value: Any, moves: Sequence[object]) -> Record:
    at = ("history",)
    _FORM.keys(document, at, value, ("trace", "opening", "faults", "kept", "unknown"), ("trace",))
    if moves:
        raise _FORM.wrong(document, ("moves",), "what was seen of a real queue is looked at, not played",
                          "leave the moves out, or open a configuration or a scenario to play.")  # fmt: skip
    codes = {"enum": list(GUARANTEES)}
    faults = _FORM.typed(document, (*at, "faults"), value.get("faults", []), list, "a list")
    for i, fault in enumerate(faults):
        here = (*at, "faults", i)
        if type(fault) is not list or len(fault) != len(_FAULT):
            raise _FORM.wrong(document, here, "it is no fault", "write the observation, the code, and how.")
        for part, form in zip(fault, (*_FAULT[:1], codes, *_FAULT[2:]), strict=True):
            _FORM.value(document, here, part, form)
    kept = _FORM.value(document, (*at, "kept"), value.get("kept", {}),
                       {"type": "object", "propertyNames": codes, "additionalProperties": _FAULT[0]})  # fmt: skip
    unknown = _FORM.value(document, (*at, "unknown"), value.get("unknown", {}),
                          {"type": "object", "additionalProperties": {"type": "string"}})  # fmt: skip
    return Record(
        _FORM.value(document, (*at, "trace"), value["trace"], {"type": "string", "maxLength": LONGEST_TRACE}),
        _FORM.value(document, (*at, "opening"), value.get("opening", 0), _FAULT[0]),
        tuple((number, code, how) for number, code, how in faults),
        kept,
        unknown,
    )


def _shows(document: Document, value: Any, moves: int) -> Shows:
    at = ("shows",)
    _FORM.keys(document, at, value, ("guarantee", "how", "job", "moves", "repeatsFrom"), ("guarantee", "how", "moves"))
    bounds = {"type": "integer", "minimum": 1, "maximum": moves}
    breaks = Breaks(
        _FORM.value(document, (*at, "guarantee"), value["guarantee"], {"enum": list(GUARANTEES)}),
        _FORM.value(document, (*at, "how"), value["how"], {"enum": list(HOWS)}),
        _FORM.value(document, (*at, "job"), value.get("job", ""), _NAMED),
    )
    repeats = (
        _FORM.value(document, (*at, "repeatsFrom"), value["repeatsFrom"], bounds) if "repeatsFrom" in value else None
    )
    return Shows(breaks, _FORM.value(document, (*at, "moves"), value["moves"], bounds), repeats)


def _side(document: Document, at: Pointer, value: dict[str, Any]) -> tuple[Side, Readings]:
    scheduler = _FORM.typed(document, (*at, "scheduler"), value.get("scheduler", REFERENCE), str, "text")
    if scheduler != REFERENCE and scheduler not in PLANTED:
        near = nearest(scheduler, (REFERENCE, *PLANTED))
        fix = f"did you mean {near}?" if near else "use one of " + ", ".join((REFERENCE, *PLANTED)) + "."
        raise _FORM.wrong(document, (*at, "scheduler"), f"there is no scheduler {shown(scheduler)}", fix)
    readings = assumed(document, (*at, "assume"), value.get("assume", {}))
    return Side(scheduler, dict(readings.chosen)), readings


def _move(document: Document, at: Pointer, value: Any, readings: Readings) -> Move:
    try:
        return _known(json.dumps(value), readings)
    except (InputError, RecursionError, TypeError, ValueError):
        return _read_move(document, at, value, readings)


@lru_cache(4096)
def _known(text: str, readings: Readings) -> Move:
    """A move, which is the same wherever it stands. Raises InputError."""
    return _read_move(Document("", [json.loads(text)], dict), (0,), json.loads(text), readings)


def _read_move(document: Document, at: Pointer, value: Any, readings: Readings) -> Move:
    if isinstance(value, dict) and "tick" in value:
        _FORM.keys(document, at, value, ("tick",))
        if type(value["tick"]) is not int or value["tick"] != 1:
            raise _FORM.wrong(document, (*at, "tick"), f"{shown(value['tick'])} is not one step", "write tick: 1.")
        return Tick()
    return read_step(document, at, value, readings)
