"""What is drawn, as the JSON data of a page: timelines with their tables in columns, for `timeline.js` and `report.js`.

`timeline.js` says what a timeline is; times are milliseconds. Numbers are those of the stream, nothing is rounded away:
machine-hours have as many decimals as the JSON report has.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

from ..drawn import DATED, KINDS, NONE, STATES, Series, Timeline
from .measured import HOURS


def timeline_data(t: Timeline) -> dict[str, Any]:
    """One timeline. A column has the name of its field; -1 is what is not known, has not happened or has no bound."""
    table, stops, happened = t.table, t.stops, t.happened
    return {
        "label": t.label,
        "time": "ms" if t.end >= DATED else "since",
        "start": t.start,
        "end": t.end,
        "shares": list(t.shares),
        "units": list(t.units),
        "tracks": [
            {
                "name": k.share,
                "unit": k.unit,
                "limit": _series(k.limit),
                "most": _series(k.most, bound=True),
                "used": _series(k.used),
                "draining": _series(k.draining),
                "waiting": _series(k.waiting),
            }
            for k in t.tracks
        ],
        "capacity": [{"unit": s.unit, "capacity": _series(s.capacity), "used": _series(s.used)} for s in t.supplies],
        "gaps": [{"from": g.start, "to": g.end, "why": g.why} for g in t.gaps],
        "jobs": {
            "name": list(table.name),
            "sizes": [[[unit, n] for unit, n in size.items()] for size in table.sizes],
            "states": list(STATES),
            "borrowed": [round(n, HOURS) for n in table.borrowed],
            **_columns(table, ("share", "size", "priority", "submitted", "started", "ended", "ran", "stops", "state")),
        },
        "stops": {
            "kinds": list(KINDS),
            "texts": list(stops.texts),
            **_columns(stops, ("at", "job", "by", "kind", "drained", "whom", "why", "instead")),
        },
        "happened": {
            "kinds": list(happened.kinds),
            "texts": list(happened.texts),
            **_columns(happened, ("at", "kind", "job", "text")),
        },
        "notes": list(t.notes),
    }


def _columns(table: object, names: Sequence[str]) -> dict[str, list[int]]:
    return {name: list(getattr(table, name)) for name in names}


def _series(s: Series, *, bound: bool = False) -> list[list[int | None]]:
    return [list(s.at), _bounds(s.n) if bound else list(s.n)]


def _bounds(n: array[int]) -> list[int | None]:
    return [None if one == NONE else one for one in n]
