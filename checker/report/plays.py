"""Pictures of scenarios in an HTML report: as lists of sentences for paper, and as JSON data for the script.

What does not change from one frame to the next is told once, and so are units, bars, shares and jobs that come back as they
were: a frame has their places in `parts`. `plays.js` puts the frames together again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ..teach.frame import as_json
from .hypertext import Tag, listed, paragraphs, tag
from .layout import plain

if TYPE_CHECKING:
    from ..teach.frame import Line
    from ..teach.scene import Scene

_LAMP = ("code", "name", "sentence")
_LISTS = ("units", "bars", "shares", "jobs")
"""Fields of a frame whose items mostly stay as they are, or come back."""


def play_data(scene: Scene, breaks: str = "") -> dict[str, Any]:
    """A scene, names harmless: its lamps once, its frames without what is as in the frame before. `breaks`: the guarantee
    that it is about."""
    clean = plain(scene)
    frames = [asdict(frame) for frame in clean.frames]
    known = {lamp["code"]: {name: lamp[name] for name in _LAMP} for frame in frames for lamp in frame["lamps"]}
    places = {code: place for place, code in enumerate(known)}
    told: list[dict[str, Any]] = []
    parts: dict[str, tuple[int, dict[str, Any]]] = {}
    before: dict[str, Any] = {}
    for frame in frames:
        old = {lamp["code"]: lamp for lamp in before.get("lamps", ())}
        changed = {name: value for name, value in frame.items() if name not in before or before[name] != value}
        for name in _LISTS:
            if name in changed:
                changed[name] = [parts.setdefault(as_json(item), (len(parts), item))[0] for item in frame[name]]
        changed["lamps"] = [
            [places[lamp["code"]], lamp["state"], lamp["since"], lamp["because"]]
            for lamp in frame["lamps"]
            if old.get(lamp["code"]) != lamp
        ]
        told.append(changed)
        before = frame
    return {
        "title": clean.title,
        "about": clean.about,
        "note": clean.note,
        "breaks": breaks,
        "lamps": [*known.values()],
        "frames": told,
        "parts": [item for _, item in parts.values()],
    }


def told(scene: Scene, place: int) -> Iterator[Tag]:
    """The scene in sentences, and where the script draws it."""
    clean = plain(scene)
    steps = (_line(frame.line) for frame in clean.frames)
    yield tag("div", place=f"play-{place}", css="play")
    yield tag("div", *listed(steps), css="still")
    yield from paragraphs([clean.note] if clean.note else [], "small")


def _line(line: Line) -> list[Tag | str]:
    said = " ".join(s.sentence for s in line.said)
    broken = [tag("strong", f" BROKEN {b.code} {b.name}: {b.sentence}", css="bad") for b in line.broken]
    return [f"{line.number}. {said}", *broken, *([f" ({line.note})"] if line.note else [])]
