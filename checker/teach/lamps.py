"""Every guarantee up to a step of a play: it never came up, was kept, or is broken since when and why; or it is not promised
to a job that waits now.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ...spec.rules.guarantees import GUARANTEES
from ..judge.book import Book
from ..judge.unpromised import unpromised
from .frame import BROKEN, DARK, KEPT, UNPROMISED, Lamp

EXPECTED = "EXPECT"
"""Code of the lamp for what a scenario expects; lit only where something is expected."""
_EXPECTATIONS = ("expectations", "Everything is as the scenario expects.")


class Lamps:
    """What came up and what broke first, by number of frame. Trusted: whoever tells."""

    def __init__(self, unknown: Mapping[str, str] | None = None) -> None:
        """`unknown`: guarantee -> what is missing of what it needs."""
        self._unknown = unknown or {}
        self._came_up: dict[str, int] = {}
        self._broken: dict[str, tuple[int, str]] = {}

    def count(self, number: int, counts: Mapping[str, int]) -> None:
        """Guarantees that came up at a frame."""
        for code, times in counts.items():
            if times:
                self._came_up.setdefault(code, number)

    def broke(self, number: int, code: str, because: str) -> None:
        """A guarantee that a frame breaks."""
        self._broken.setdefault(code, (number, because))

    def first(self, code: str) -> int | None:
        """The first frame that breaks a guarantee."""
        return self._broken[code][0] if code in self._broken else None

    def forget(self, last: int) -> None:
        """What came after a frame has not happened."""
        self._came_up = {code: n for code, n in self._came_up.items() if n <= last}
        self._broken = {code: told for code, told in self._broken.items() if told[0] <= last}

    def at(self, number: int) -> tuple[Lamp, ...]:
        """All lamps at a frame, in the order of the guarantees."""
        named = [(g.code, g.name, g.sentence) for g in GUARANTEES.values()]
        if self._came_up.get(EXPECTED, number + 1) <= number:
            named.append((EXPECTED, *_EXPECTATIONS))
        return tuple(self._lamp(number, *one) for one in named)

    def now(self, number: int, book: Book) -> tuple[Lamp, ...]:
        """The same, with what is not promised to those who wait at that frame. `book`: as it is there."""
        reasons: dict[str, list[str]] = {}
        for one in unpromised(book):
            reasons.setdefault(one.code, []).append(one.sentence)
        return tuple(
            replace(lamp, state=UNPROMISED, because=". ".join(dict.fromkeys(reasons[lamp.code])))
            if lamp.code in reasons and lamp.state != BROKEN
            else lamp
            for lamp in self.at(number)
        )

    def _lamp(self, number: int, code: str, name: str, sentence: str) -> Lamp:
        since, because = self._broken.get(code, (number + 1, ""))
        if since <= number:
            return Lamp(code, name, sentence, BROKEN, since, because)
        kept = self._came_up.get(code, number + 1) <= number
        missing = f"Not known: {self._unknown[code]}." if code in self._unknown else ""
        return Lamp(code, name, sentence, KEPT if kept else DARK, because=missing)
