"""The one error that bad input raises, and how text from outside is shown in it.

An `InputError` says what is wrong, where, why that matters and how to mend it, in at most three lines. Nothing from
outside reaches a terminal unescaped or at full length. Trusted: `shown`, which every echoed value goes through.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

_LONGEST_VALUE = 60
_LONGEST_PART = 600
_MOST_COMPARED = 1000


class InputError(Exception):
    """Input that cannot be used.

    `where` is a file or file:line, then the share, queue or environment, then the field, as far as they are known.
    """

    def __init__(self, what: str, *, where: str, why: str, fix: str) -> None:
        self.what = _shorten(escaped(what), _LONGEST_PART)
        self.where = _shorten(escaped(where), _LONGEST_PART)
        self.why = _shorten(escaped(why), _LONGEST_PART)
        self.fix = _shorten(escaped(fix), _LONGEST_PART)
        super().__init__(self.what, self.where, self.why, self.fix)

    def __str__(self) -> str:
        return f"{self.where}: {self.what}\n{self.why}\nFix: {self.fix}"


def escaped(text: str) -> str:
    """`text` with every character that a terminal could act on written as a backslash escape."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in text)


def shown(value: object) -> str:
    """A value as a message quotes it: short, on one line, in the words of JSON and YAML."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{_shorten(escaped(value), _LONGEST_VALUE)}"'
    if isinstance(value, int | float):
        return _shorten(repr(value), _LONGEST_VALUE)
    return kind(value)


def kind(value: object) -> str:
    """What sort of value it is, in plain words."""
    if value is None:
        return "null"
    for types, words in _KINDS:
        if isinstance(value, types):
            return words
    return type(value).__name__


_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (int, "a whole number"),
    (float, "a number with a fraction"),
    (str, "text"),
    (list, "a list"),
    (dict, "an object"),
)


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name most like `name`, '' when none is."""
    from difflib import get_close_matches

    by_case = {k.casefold(): k for k in islice(known, _MOST_COMPARED)}
    close = get_close_matches(name[:200].casefold(), by_case, 1)
    return by_case[close[0]] if close else ""


def listed(names: Iterable[str], *, most: int = 12) -> str:
    """Names with commas between them, the tail of a long list counted."""
    every = [_shorten(escaped(n), _LONGEST_VALUE) for n in names]
    more = len(every) - most
    return ", ".join(every[:most]) + (f" and {more} more" if more > 0 else "")


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 15]}...{text[-12:]}"
