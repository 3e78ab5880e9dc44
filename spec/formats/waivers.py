"""Waivers: findings that somebody accepts, with a reason and a last day. In a comment, or in a small file of their own.

A comment is `# quotaproof: accept QP112 until 2027-01-31: reason` in YAML; it speaks of findings placed on its own line, or
on the first line after it that is no comment, and on the lines below that are indented further: above a share it speaks
of the whole share. A file has the form of waivers.schema.json. Whatever is not exactly so
is an InputError: a decision that is misspelt must not look like one that counts. Trusted: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from .document import Document, Pointer
from .errors import InputError, shown
from .shapes import Shape, check

VERSION = 1
_SHAPE: Shape = {
    "waivers": int,
    "accept": [{"finding": str, "share": str, "unit": str, "until": str, "reason": str}],
}
_REMARK = re.compile(r"#*\s*quotaproof\s*:(.*)", re.DOTALL)
_AGAIN = re.compile(r"#\s*quotaproof\s*:")
_WORDS = re.compile(r"\s*accept\s+(\S+)\s+until\s+(\S+?)\s*:\s*(\S.*?)\s*")
_CODE = re.compile(r"QP[0-9]{3}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_HOW = "write: # quotaproof: accept QP112 until 2027-01-31: the reason"


@dataclass(frozen=True)
class Waiver:
    """A decision to accept findings of one code. share and unit are '' where it does not say which."""

    finding: str
    until: date
    """The last day on which it counts."""
    reason: str
    place: str
    """file:line of the decision."""
    share: str = ""
    unit: str = ""
    about: tuple[str, int, int] | None = None
    """For a comment: the file and the first and last line that it speaks of."""


def in_comments(document: Document) -> Iterator[Waiver]:
    """The waivers in a document's comments. Raises InputError."""
    for comment in document.find_comments():
        found = _REMARK.match(comment.text)
        if found is None:
            continue
        place = f"{document.name}:{comment.line}"
        words = _WORDS.fullmatch(found.group(1))
        if words is None or _AGAIN.search(words.group(3)):
            raise InputError(
                f"the comment says {shown(found.group(1).strip())}",
                where=place,
                why="A comment to quotaproof accepts one finding, with a last day and a reason.",
                fix=f"{_HOW}.",
            )
        code, until, reason = words.groups()
        try:
            yield Waiver(_code(code), _day(until), reason, place, about=(document.name, *comment.about))
        except ValueError as error:
            raise InputError(
                str(error), where=place, why="So it is not known what is accepted.", fix=f"{_HOW}."
            ) from None


def in_file(document: Document) -> Iterator[Waiver]:
    """The waivers of a document of their own form. Raises InputError."""
    value = document.value
    check(document, value, _SHAPE)
    if value.get("waivers") != VERSION:
        raise document.error(
            ("waivers",),
            f"version {shown(value.get('waivers'))} of the form is not known",
            why=f"This quotaproof reads version {VERSION}.",
            fix=f"write waivers: {VERSION}.",
        )
    if not value.get("accept"):
        raise document.error(
            ("accept",),
            "nothing is accepted",
            why="The list is empty or missing.",
            fix="add a waiver, or leave it out.",
        )
    for index, entry in enumerate(value["accept"]):
        yield _entry(document, entry, ("accept", index))


def _entry(document: Document, entry: Any, pointer: Pointer) -> Waiver:
    for field in ("finding", "until", "reason"):
        if not str(entry.get(field, "")).strip():
            raise document.error(
                (*pointer, field),
                f"{field} is missing",
                why="A waiver says what is accepted, until when, and why.",
                fix=f"add {field}.",
            )
    read = {"finding": _code, "until": _day}
    values: dict[str, Any] = {}
    for field, parse in read.items():
        try:
            values[field] = parse(entry[field])
        except ValueError as error:
            raise document.error(
                (*pointer, field), str(error), why="So it is not known what is accepted.", fix=_FORM[field]
            ) from None
    return Waiver(
        **values,
        reason=entry["reason"].strip(),
        place=document.place(pointer),
        share=entry.get("share", ""),
        unit=entry.get("unit", ""),
    )


_FORM = {
    "finding": "write the finding's code, such as QP112; `quotaproof explain` lists them.",
    "until": "write the last day as 2027-01-31.",
}


def _code(text: str) -> str:
    if not _CODE.fullmatch(text):
        raise ValueError(f"{shown(text)} is not the code of a finding")
    return text


def _day(text: str) -> date:
    if _DAY.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError:
            pass
    raise ValueError(f"{shown(text)} is not a day")
