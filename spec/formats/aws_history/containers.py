"""Files as people have them to the JSON values in them: one object, NDJSON, arrays, objects with nothing between them.

A value is decoded as soon as it is complete, and the elements of a list that is an export's whole content one by one,
so that memory does not grow with the file. Lines may open with a timestamp, as exports of CloudWatch Logs do. What
cannot be decoded is a `Broken` value with its line, and reading goes on at the next line that opens an object. Trusted:
the json module and the pattern that finds the next object.
"""

from __future__ import annotations

import json
import re
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedIOBase
from typing import Any

from .. import json_text
from ..trace_lines import opened

_CHUNK = 1 << 18
LARGEST_RECORD = 16 << 20
"""Characters. CloudTrail's largest event is 256 KiB; a list that is read whole may be larger."""
_OTHER = {b"PK\x03\x04": "it is a zip archive; unpack it", b"PAR1": "it is a Parquet file"}
_DAMAGED = (EOFError, OSError, zlib.error)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_LISTS = re.compile(r'\{\s*"(?:Records|events|Events|logEvents|Messages|jobSummaryList)"\s*:\s*\[')
"""An object that opens with its list: exports of CloudTrail and CloudWatch Logs, answers of list-service-jobs."""
_NEXT = re.compile(r'\n(?:[^\s{"\[\]}][^\n{"]{0,80}[ \t])?(?=[{\[])|(?<=\})\s*(?=\{"(?:version|eventVersion)")')
_BAD_BYTE = re.compile("[\udc80-\udcff]")
_SPACE = re.compile(r"[\s,\ufeff]*")


@dataclass(frozen=True, slots=True)
class Broken:
    """Text that is no JSON, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class Value:
    """A JSON value and the line on which it starts."""

    what: Any
    line: int


def values(path: str) -> Iterator[Value]:
    """Every JSON value in the file at `path` ("-": standard input). Raises InputError when it cannot be read."""
    with opened(path) as raw:
        yield from _Scanner(raw).values()


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} is not a number")


def decode(text: str) -> Any:
    """The value in `text`, which may have a timestamp before it. Raises ValueError."""
    start = min((i for i in (text.find("{"), text.find("[")) if i >= 0), default=0)
    try:
        return _DECODER.raw_decode(text, start)[0]
    except RecursionError:
        raise ValueError("brackets are nested too deeply") from None


_DECODER = json.JSONDecoder(parse_constant=_refuse)


class _Scanner:
    """A window that moves over a file's text."""

    def __init__(self, raw: BufferedIOBase) -> None:
        self._text = ""
        self._at = 0
        self._line = 1
        self._ended = False
        self._failed = ""
        self._raw = raw
        self._head = self._read(_CHUNK)
        wide = self._head.startswith(_UTF16)
        for start, why in _OTHER.items():
            if self._head.startswith(start) or (not wide and b"\0" in self._head):
                self._failed = why if self._head.startswith(start) else "it is not text"
                self._ended = True
        errors = "replace" if wide else "surrogateescape"
        self._decoder = getincrementaldecoder("utf-16" if wide else "utf-8")(errors=errors)

    def _read(self, size: int) -> bytes:
        try:
            return self._raw.read1(size)  # what was unpacked before the damage is not lost
        except _DAMAGED:
            self._failed = "the gzip data is damaged or ends early"
            return b""

    def _more(self) -> bool:
        """Read on; what is behind the window's start is forgotten. False at the end of the file."""
        if self._ended:
            return False
        wanted = max(_CHUNK, len(self._text) - self._at)
        content, self._head = self._head or self._read(wanted), b""
        self._ended = not content
        self._text = self._text[self._at :] + self._decoder.decode(content, final=self._ended)
        self._at = 0
        return True

    def _move(self, to: int) -> None:
        self._line += self._text.count("\n", self._at, to)
        self._at = to

    def _skip(self) -> str:
        """Go to the next character that is neither space nor comma; '' at the end."""
        while True:
            found = _SPACE.match(self._text, self._at)
            self._move(found.end() if found else self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def values(self) -> Iterator[Value]:
        inside = 0
        self._more()
        while first := self._skip():
            line = self._line
            if first in "]}" and inside:
                self._move(self._at + 1)
                inside -= 1
            elif first == "[" and not inside:
                self._move(self._at + 1)
                inside += 1
            elif first == '"' and inside:
                yield from self._rest_of_list()
            elif first == "{":
                opening = self._list_opening() if not inside else None
                if opening:
                    self._move(opening)
                    inside += 2
                else:
                    yield from self._value(line)
            elif not self._prefix():
                yield Value(Broken(f"{json.dumps(first)} opens no JSON object"), line)
                self._resume()
        if inside:
            yield Value(Broken("the file ends inside a list"), self._line)
        if self._failed:
            yield Value(Broken(self._failed), self._line)

    def _list_opening(self) -> int | None:
        """Where the list begins that the object opens with."""
        if len(self._text) - self._at < 64:
            self._more()
        found = _LISTS.match(self._text, self._at)
        return found.end() if found else None

    def _rest_of_list(self) -> Iterator[Value]:
        """A key behind the list, nextToken say, or text among the elements: neither is a record."""
        line = self._line
        try:
            key = self._decode()
            if self._skip() == ":":
                self._move(self._at + 1)
                self._skip()
                value = self._decode()
                if key in ("nextToken", "NextToken") and value:
                    yield Value(Broken("the list is incomplete: it ends with a nextToken"), line)
            else:
                yield Value(key, line)
        except ValueError:
            yield Value(Broken("no JSON where a list goes on"), line)
            self._resume()

    def _prefix(self) -> bool:
        """Skip what stands before the object on a line that opens with a timestamp."""
        while "\n" not in self._text[self._at : self._at + 120] and len(self._text) - self._at < 120 and self._more():
            pass
        end = self._text.find("\n", self._at)
        brace = self._text.find("{", self._at, self._at + 120)
        if brace < 0 or 0 <= end < brace or not self._text[self._at].isalnum():
            return False
        self._move(brace)
        return True

    def _decode(self) -> Any:
        """The value at the window's start, which then moves behind it. Raises ValueError."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated string") or error.pos + 12 >= len(self._text)
                if not cut or len(self._text) - self._at > LARGEST_RECORD or not self._more():
                    raise
            except RecursionError:
                raise ValueError("brackets are nested too deeply") from None
            else:
                whole = self._text[self._at : end]
                self._move(end)
                if not whole.isascii() and _BAD_BYTE.search(whole):
                    raise _Undecoded("it is not UTF-8")
                return value

    def _value(self, line: int) -> Iterator[Value]:
        try:
            yield Value(self._decode(), line)
        except _Undecoded as error:
            yield Value(Broken(str(error)), line)
        except json.JSONDecodeError as error:
            near = self._ended and error.pos + 12 >= len(self._text) and not error.msg.startswith("Invalid")
            cut = near or error.msg.startswith("Unterminated")
            yield Value(Broken("the record is cut off" if cut else f"it is not JSON: {json_text.mistake(error)}"), line)
            self._resume()
        except ValueError as error:
            yield Value(Broken(str(error)), line)
            self._resume()

    def _resume(self) -> None:
        """Go on at the next place where a record may begin."""
        while True:
            found = _NEXT.search(self._text, self._at + 1)
            if found:
                self._move(found.end())
                return
            end = len(self._text)
            self._move(end if self._ended else min(end, max(self._at + 1, end - 200)))
            if not self._more():
                return


class _Undecoded(ValueError):
    """A value with bytes that are no text."""
