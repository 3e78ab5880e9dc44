"""A part of a file of promises that knows where it stands, so that whatever is wrong with it is said with its line.

Each method reads the part as something and raises `InputError` where it is something else. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, TypeVar

from ...model import LARGEST
from ..document import Document, Pointer, as_field
from ..errors import InputError, kind, listed, nearest, shown
from . import values

T = TypeVar("T")
LONGEST = 1000
"""Letters of a sentence."""
_TIME = "write a time such as 15m, 90s, 2h or 1d, or at-once."
_MISSPELT = "A field that is misspelt would count as absent, and a promise would be lost."


@dataclass(frozen=True)
class Part:
    """The part of `document` at `pointer`; `about` names the promise or exception that it belongs to."""

    document: Document
    pointer: Pointer
    value: Any
    about: str = ""
    _start: int = 0

    @classmethod
    def of(cls, document: Document) -> Part:
        return cls(document, (), document.value)

    @property
    def place(self) -> str:
        return self.document.place(self.pointer)

    @property
    def where(self) -> str:
        """As messages say it: the line, what it is part of, the field."""
        field = as_field(self.pointer[self._start :])
        return ", ".join(part for part in (self.place, self.about, field) if part)

    @property
    def key(self) -> str:
        return str(self.pointer[-1])

    def called(self, about: str) -> Part:
        """The same part, which messages call by this name."""
        return replace(self, about=about, _start=len(self.pointer))

    def wrong(self, what: str, fix: str, why: str = "So it is not known what is promised.") -> InputError:
        """The error about this part."""
        return InputError(what, where=self.where, why=why, fix=fix)

    def at(self, step: str | int) -> Part:
        return replace(self, pointer=(*self.pointer, step), value=self.value[step])

    def fields(self, known: Iterable[str], needed: Iterable[str] = ()) -> dict[str, Part]:
        """The fields of an object that has no others than `known`, and every one of `needed`."""
        parts, names = self.entries(), list(known)
        for name, part in parts.items():
            if name not in names:
                near = nearest(name, names)
                fix = f"did you mean {near}?" if near else f"delete it; the fields here are {listed(names)}."
                raise part.wrong(f"there is no field {shown(name)}", fix, _MISSPELT)
        for name in needed:
            if name not in parts:
                raise self.wrong(f"{name} is missing", f"add {name}; `quotaproof explain promises` shows the form.")
        return parts

    def entries(self) -> dict[str, Part]:
        """The parts of an object with free names."""
        if type(self.value) is not dict:
            raise self._not("an object")
        return {name: self.at(name) for name in self.value}

    def parts(self) -> list[Part]:
        """The parts of a list."""
        if type(self.value) is not list:
            raise self._not("a list")
        return [self.at(index) for index in range(len(self.value))]

    def text(self) -> str:
        """Text that is not empty, without blanks around it."""
        if type(self.value) is not str:
            raise self._not("text")
        text = self.value.strip()
        if not text:
            raise self.wrong(f"{self.key} is empty", f"write {self.key}, or delete the field if it may be absent.")
        if len(self.value) > LONGEST:
            raise self.wrong(f"{self.key} is {len(self.value):,} letters long", f"use {LONGEST:,} letters at most.",
                             why="Reports show it whole.")  # fmt: skip
        return text

    def texts(self) -> tuple[Part, ...]:
        """One text, or a list of texts that is not empty; each once."""
        if type(self.value) is not list:
            self.text()
            return (self,)
        seen: set[str] = set()
        for part in self.parts():
            if part.text() in seen:
                raise part.wrong(f"{shown(part.text())} is given twice", "delete one of the two.",
                                 why="One of the two was meant to be another one, perhaps.")  # fmt: skip
            seen.add(part.text())
        if not seen:
            raise self.wrong(f"{self.key} is empty", "name at least one.")
        return tuple(self.parts())

    def flag(self) -> bool:
        if type(self.value) is not bool:
            raise self._not("true or false")
        return self.value

    def count(self, least: int = 0, most: int = LARGEST) -> int:
        """A whole number."""
        if type(self.value) is not int:
            raise self._not("a whole number")
        if not least <= self.value <= most:
            raise self.wrong(f"{shown(self.value)} is out of range", f"write {least} to {most}.")
        return self.value

    def word(self, words: Sequence[str]) -> str:
        """One of the words."""
        if self.value not in words or type(self.value) is not str:
            near = nearest(self.value, words) if isinstance(self.value, str) else ""
            fix = f"did you mean {near}?" if near else f"write {' or '.join(words)}."
            raise self.wrong(f"{self.key} cannot be {shown(self.value)}", fix)
        return self.value

    def duration(self) -> int:
        """Milliseconds."""
        return self._read(values.duration, "a time", _TIME)

    def day(self) -> date:
        return self._read(values.day, "a day", "write the day as 2027-01-31.")

    def _read(self, parse: Callable[[object], T | None], noun: str, fix: str) -> T:
        found = parse(self.value)
        if found is None:
            raise self.wrong(f"{shown(self.value)} is not {noun}", fix)
        return found

    def notice(self) -> values.Notice:
        return self._read(values.notice, "a notice", "write 5 working days, or 5 days.")

    def percent(self) -> float:
        return self._read(values.percent, "a percentage", "write a number from 0 to 100, such as 2 %.")

    def _not(self, expected: str) -> InputError:
        found = shown(self.value) if isinstance(self.value, str | int | float) else kind(self.value)
        fix = f"write {expected}."
        if expected == "text" and isinstance(self.value, int | float):
            fix = "put it in quotes."
        elif expected == "an object" and isinstance(self.value, str) and ":" in self.value:
            fix = "put a space after each colon: YAML reads key:value as one word."
        return self.wrong(f"{found} stands where {expected} is expected", fix,
                          why="It is not converted, because a guess could be wrong.")  # fmt: skip
