"""One file as it was read: its name, its value, and the line on which each part of the value stands.

A *pointer* is the way from the top of the value to a part of it, keys and indices in a tuple. Lines are worked out only
when somebody asks: reading a large configuration that is in order costs none. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .errors import InputError

Pointer = tuple[str | int, ...]

_OWNERS = (
    ("quotaShareName", "share"),
    ("serviceEnvironmentName", "environment"),
    ("jobQueueName", "queue"),
    ("queue", "queue"),
    ("quota_share_name", "share"),
    ("service_environment_name", "environment"),
    ("job_queue_name", "queue"),
    ("address", "resource"),
    ("urn", "resource"),
    ("name", "share"),
)
"""Fields that name the object they stand in, and what that object is called in a message."""
_NAMELESS = {"queues": "queue", "service_environment": "environment", "scheduling_policy": "policy"}
"""What the object is called by where it stands, though its name is called only that."""


@dataclass(frozen=True)
class Comment:
    """A comment on line `line`, without its #, and the first and last line of what it is about."""

    line: int
    text: str
    about: tuple[int, int]


@dataclass(frozen=True)
class Document:
    """A file's content. `value` is what JSON can express: objects, lists, text, numbers, true, false, null."""

    name: str
    """Base name, with folders before it where other files have it too; "-" is standard input."""
    value: Any
    find_lines: Callable[[], Mapping[str, int]]
    """Pointer as text (see `as_text`) -> line, counted from 1."""
    path: str = "-"
    """The path as it was given."""
    find_comments: Callable[[], Iterable[Comment]] = tuple
    """Comments in order; JSON has none."""

    @cached_property
    def _lines(self) -> Mapping[str, int]:
        return self.find_lines()

    def line(self, pointer: Pointer) -> int | None:
        """Line of the part, or of the smallest part around it that has one."""
        for end in range(len(pointer), -1, -1):
            line = self._lines.get(as_text(pointer[:end]))
            if line is not None:
                return line
        return None

    def part(self, pointer: Pointer) -> Document:
        """The part at a pointer as a document of its own, with the lines on which it stands."""
        value: Any = self.value
        for step in pointer:
            value = value[step]
        prefix = as_text(pointer)

        def lines() -> dict[str, int]:
            return {key.removeprefix(prefix): n for key, n in self.find_lines().items() if key.startswith(prefix)}

        return Document(self.name, value, lines, self.path)

    def place(self, *candidates: Pointer) -> str:
        """file:line of the first candidate that exists, else of what surrounds the last one."""
        for pointer in candidates:
            if as_text(pointer) in self._lines:
                return f"{self.name}:{self._lines[as_text(pointer)]}"
        line = self.line(candidates[-1]) if candidates else None
        return self.name if line is None else f"{self.name}:{line}"

    def error(self, pointer: Pointer, what: str, *, why: str, fix: str) -> InputError:
        """An InputError about the part at `pointer`, with file:line, the share it is in, and its field."""
        owner, field = self._owner(pointer)
        where = ", ".join(part for part in (self.place(pointer), owner, field) if part)
        return InputError(what, where=where, why=why, fix=fix)

    def _owner(self, pointer: Pointer) -> tuple[str, str]:
        """The innermost named object around the part, and the part's field within it."""
        at: Any = self.value
        owner, start = "", 0
        for depth in range(len(pointer) + 1):
            if isinstance(at, dict):
                for key, noun in _OWNERS:
                    if isinstance(at.get(key), str) and "scenario" not in at:
                        holder = next((step for step in reversed(pointer[:depth]) if isinstance(step, str)), "")
                        noun = _NAMELESS.get(holder, noun)
                        owner, start = f"{noun} {at[key][:128]}", depth
                        break
            if depth == len(pointer):
                break
            try:
                at = at[pointer[depth]]
            except (LookupError, TypeError):
                break
        return owner, as_field(pointer[start:])


def as_text(pointer: Sequence[str | int]) -> str:
    """The pointer as a key of `find_lines`."""
    return "".join(f"/{step}" for step in pointer)


def as_field(pointer: Sequence[str | int]) -> str:
    """The pointer as people write it: capacityLimits[0].maxCapacity."""
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step[:80]}" for step in pointer)
    return words.removeprefix(".")
