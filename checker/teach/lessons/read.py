"""Lesson files to lessons, with every mistake named by file, line and field, the numbers of the play put into the texts.

Steps and expectations are read as in scenario files. Trusted: nothing that is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ....reference.run import GoesRound
from ....spec.formats import own
from ....spec.formats.conform import Conform
from ....spec.formats.document import Document, Pointer
from ....spec.formats.errors import InputError, shown
from ....spec.formats.scenario import NAMES, Expect, Step
from ....spec.formats.scenario_text import assumed, read_breaks, read_expect, read_step
from ....spec.readings import READINGS
from ....spec.rules.sources import RULES
from ...judge.book import Impossible
from .model import CERTAINTY, Advice, Ask, Choice, Happen, Lesson, Part, Tell
from .numbers import Point


class _Form(Conform):
    """Has no topic of `quotaproof explain`: lessons are written by who develops quotaproof."""

    def wrong(self, document: Document, at: Pointer, what: str, fix: str) -> InputError:
        return document.error(at, what, why="The lessons that are there show the form.", fix=fix)


_FORM = _Form("lesson")
_LONGEST = {"type": "string", "minLength": 1, "maxLength": 500}
_TITLE = {"type": "string", "minLength": 1, "maxLength": 90}
_SENTENCES = {"type": "array", "items": _LONGEST}
_NUMBER = {"type": "integer", "minimum": 1, "maximum": 99}
_NEEDED = ("lesson", "subject", "title", "summary", "for", "queue", "parts", "advice", "explain")
_KEYS = {*_NEEDED, "assume", "breaks", "repeatsFrom"}
_FILE = re.compile(r"(?:\d+-)?(?P<name>.*?)(?:\.ya?ml|\.json)?")


def read(document: Document) -> Lesson:
    """The lesson in a document. Raises InputError."""
    return _Reader(document).lesson()


class _Reader:
    """One lesson that is being read, and how far its play has come."""

    def __init__(self, document: Document) -> None:
        self.document = document
        _FORM.keys(document, (), document.value, _KEYS, _NEEDED)
        self.readings = assumed(document, ("assume",), document.value.get("assume", {}))
        self.config = own.configuration(document, ("queue",), self.readings)
        if len(self.config.environment.capacity) != 1:
            raise self.wrong(
                ("queue", "environment"),
                "the queue has more than one instance type",
                "keep one: a lesson counts in it.",
            )
        self.point = Point(self.config, self.readings, set(_submitted(document.value)))

    def wrong(self, at: Pointer, what: str, fix: str) -> Exception:
        return _FORM.wrong(self.document, at, what, fix)

    def lesson(self) -> Lesson:
        value = self.document.value
        name = _FILE.fullmatch(self.document.name)
        parts = tuple(self.part(("parts", i), part) for i, part in enumerate(self.some(("parts",), value["parts"])))
        if not any(isinstance(part, Ask) for part in parts):
            raise self.wrong(("parts",), "nothing is asked", "add a part with ask.")
        moves = sum(len(self.moves_in(part)) for part in value["parts"])
        repeats = {"type": "integer", "minimum": 1, "maximum": max(1, moves)}
        return Lesson(
            number=_FORM.value(self.document, ("lesson",), value["lesson"], _NUMBER),
            name=name["name"] if name else self.document.name,
            subject=_FORM.value(self.document, ("subject",), value["subject"], _TITLE),
            title=_FORM.value(self.document, ("title",), value["title"], _TITLE),
            summary=_FORM.value(self.document, ("summary",), value["summary"], _LONGEST),
            audience=_FORM.value(self.document, ("for",), value["for"], _LONGEST),
            config=self.config,
            parts=parts,
            advice=tuple(self.advice(("advice", i), a) for i, a in enumerate(self.some(("advice",), value["advice"]))),
            explain=tuple(_FORM.value(self.document, ("explain",), value["explain"], NAMES)),
            readings=self.readings,
            breaks=read_breaks(self.document, value["breaks"]) if "breaks" in value else None,
            repeats_from=_FORM.value(self.document, ("repeatsFrom",), value["repeatsFrom"], repeats)
            if "repeatsFrom" in value
            else None,
        )

    def moves_in(self, part: Mapping[str, Any]) -> list[Any]:
        return part.get("moves") or part.get("then") or []

    def some(self, at: Pointer, value: Any) -> list[Any]:
        found = _FORM.typed(self.document, at, value, list, "a list")
        if not found:
            raise self.wrong(at, "the list is empty", "write at least one.")
        return found

    def part(self, at: Pointer, value: Any) -> Part:
        kinds: Mapping[str, Callable[[Pointer, Any], Part]] = {"tell": self.tell, "moves": self.happen, "ask": self.ask}
        _FORM.typed(self.document, at, value, dict, "an object with tell, moves or ask")
        known = [key for key in kinds if key in value]
        if len(known) != 1:
            raise self.wrong(at, "a part is one of tell, moves and ask", "write each as a part of its own.")
        return kinds[known[0]](at, value)

    def tell(self, at: Pointer, value: Any) -> Tell:
        _FORM.keys(self.document, at, value, {"tell"})
        return Tell(self.sentences((*at, "tell"), value["tell"], 1, 4))

    def happen(self, at: Pointer, value: Any) -> Happen:
        _FORM.keys(self.document, at, value, {"moves"})
        return Happen(self.moves((*at, "moves"), value["moves"]))

    def ask(self, at: Pointer, value: Any) -> Ask:
        needed = ("ask", "choices", "right", "then", "why", "source", "certainty")
        _FORM.keys(self.document, at, value, needed, needed)
        asks = self.counted((*at, "ask"), _FORM.value(self.document, (*at, "ask"), value["ask"], _LONGEST))
        choices = self.some((*at, "choices"), value["choices"])
        if not 2 <= len(choices) <= 4:
            raise self.wrong((*at, "choices"), f"there are {len(choices)} choices", "write two to four.")
        read = tuple(self.choice((*at, "choices", i), choice) for i, choice in enumerate(choices))
        right = {"type": "integer", "minimum": 1, "maximum": len(choices)}
        then = self.moves((*at, "then"), value["then"])
        return Ask(
            asks=asks,
            choices=read,
            right=_FORM.value(self.document, (*at, "right"), value["right"], right) - 1,
            then=then,
            why=self.sentences((*at, "why"), value["why"], 2, 5),
            source=self.sources((*at, "source"), value["source"]),
            certainty=_FORM.value(
                self.document, (*at, "certainty"), value["certainty"], {"type": "string", "enum": list(CERTAINTY)}
            ),
        )

    def choice(self, at: Pointer, value: Any) -> Choice:
        _FORM.keys(self.document, at, value, {"says", "expect", "under"}, ("says", "expect"))
        says = self.filled((*at, "says"), _FORM.value(self.document, (*at, "says"), value["says"], _LONGEST))
        expect = read_expect(self.document, (*at, "expect"), value["expect"])
        if expect == Expect(why=expect.why):
            raise self.wrong((*at, "expect"), "it expects nothing", "say what would be true if this were right.")
        under = _FORM.typed(self.document, (*at, "under"), value.get("under", []), list, "a list of readings")
        others = tuple(self.reading((*at, "under", i), other) for i, other in enumerate(under))
        return Choice(says, expect, others)

    def reading(self, at: Pointer, value: Any) -> Mapping[str, str]:
        chosen = dict(assumed(self.document, at, value).chosen)
        if all(self.readings[code] == choice for code, choice in chosen.items()):
            raise self.wrong(at, "it is what the lesson assumes anyway", "name another choice.")
        return chosen

    def advice(self, at: Pointer, value: Any) -> Advice:
        _FORM.keys(self.document, at, value, {"says", "source"}, ("says", "source"))
        says = _FORM.value(self.document, (*at, "says"), value["says"], _LONGEST)
        return Advice(says, self.sources((*at, "source"), value["source"]))

    def moves(self, at: Pointer, value: Any) -> tuple[Step, ...]:
        read: list[Step] = []
        for i, move in enumerate(self.some(at, value)):
            step = read_step(self.document, (*at, i), move, self.readings)
            if isinstance(step, Expect):
                raise self.wrong((*at, i), "an expectation is no move", "a choice says what it expects.")
            try:
                self.point.go([step])
            except (Impossible, GoesRound) as error:
                raise self.wrong((*at, i), str(error), "name jobs and shares as they are at this point.") from None
            read.append(step)
        return tuple(read)

    def sentences(self, at: Pointer, value: Any, least: int, most: int) -> tuple[str, ...]:
        said = _FORM.value(self.document, at, value, _SENTENCES)
        if not least <= len(said) <= most:
            raise self.wrong(at, f"there are {len(said)} sentences", f"write {least} to {most}.")
        return tuple(self.counted((*at, i), text) for i, text in enumerate(said))

    def counted(self, at: Pointer, text: str) -> str:
        """The text, all its numbers those of the play."""
        try:
            self.point.no_number(text)
        except ValueError as error:
            raise self.wrong(at, str(error), "write {share.quantity}, or the number as a word.") from None
        return self.filled(at, text)

    def filled(self, at: Pointer, text: str) -> str:
        """The text with the play's numbers in it. A choice may have others: its expectation says them too."""
        try:
            return self.point.filled(text)
        except ValueError as error:
            raise self.wrong(at, str(error), "write {share.quantity noun}, with what is there at this point.") from None

    def sources(self, at: Pointer, value: Any) -> tuple[str, ...]:
        named = _FORM.value(self.document, at, value, NAMES)
        if not named:
            raise self.wrong(at, "no source is given", "name a rule or a reading.")
        known = {*READINGS, *(f"rule {number}" for number in RULES)}
        for i, source in enumerate(named):
            if source not in known:
                raise self.wrong((*at, i), f"there is no source {shown(source)}", "write rule 36, or A26.")
        return tuple(named)


def _submitted(value: Any) -> Iterator[str]:
    """Every text under a key `submit`, however deep: names of jobs."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "submit" and isinstance(inner, str):
                yield inner
            yield from _submitted(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _submitted(inner)
