"""What is wrong with the lines of a trace, alike ones told once: one mistake of a writer is in every line that it wrote.

The same sentence is one problem, with how many lines it is true of. Of sentences that differ in names and numbers alone
the first are told one by one and the others together. Trusted: nothing that is read.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from ..observations import Problem

_MOST = 1000
_ALIKE = 3
"""Sentences told one by one that differ in names and numbers alone."""
_VARIES = re.compile(r'"[^"]*"|\b\d\w*')


@dataclass
class Problems:
    """The problems of one file."""

    name: str
    found: list[Problem] = field(default_factory=list[Problem])
    _told: dict[str, tuple[int, str, int]] = field(default_factory=dict[str, tuple[int, str, int]])
    """Sentence, or what is the same in many of them -> its place in `found`, its text and how many lines it stands for."""
    _kinds: Counter[str] = field(default_factory=Counter[str])

    def clear(self) -> None:
        self.found.clear()
        self._told.clear()
        self._kinds.clear()

    def add(self, number: int, sentence: str) -> None:
        """Note what is wrong with a line; of very many kinds only the first and how many lines more there are."""
        key = sentence
        if sentence not in self._told:
            kind = _VARIES.sub("", sentence)
            self._kinds[kind] += 1
            key = kind if kind in self._told or self._kinds[kind] > _ALIKE else sentence
        place = f"{self.name}:{number}"
        if key in self._told:
            index, text, lines = self._told[key]
            self._told[key] = index, text, lines + 1
            first = self.found[index].place
            self.found[index] = Problem(first, f"{text} ({lines + 1:,} lines like this, the first {first})")
        elif len(self.found) < _MOST:
            self._told[key] = len(self.found), sentence.rstrip("."), 1
            self.found.append(Problem(place, sentence))
        else:
            self._kinds.clear()
            more = 1
            if len(self.found) > _MOST:
                more += int(self.found.pop().sentence.split(maxsplit=1)[0])
            self.found.append(Problem(place, f"{more} further lines up to here cannot be used"))
