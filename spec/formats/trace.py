"""Traces: NDJSON, a header and then one observation a line, written and read back equal. Schema: trace.schema.json.

Reading goes line by line, so that the size of a file is no limit; the file is opened again each time the history is read.
A line that cannot be used is a `Problem` with its place, and the others are read on. Lines stand by time: in an ordered
trace a time that goes back is a problem and the line counts at the time before it; in others the line is sorted in, unless
it comes too late. Trusted: nothing that is read; `trace_words` says what a line may be.
"""

from __future__ import annotations

import json
from bisect import insort_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TextIO

from .. import events as ev
from ..model import QueueConfig, Stage
from ..observations import History, Preempted, Preempting, Rejected, Seen, Submitted
from ..readings import Readings
from . import json_text, trace_header, trace_lines
from .conform import Conform
from .document import Document
from .errors import InputError, nearest, shown
from .trace_problems import Problems
from .trace_words import EVERY, LATEST, TIMES, form, observations, plan

_WINDOW = 50_000
"""Observations held back in a trace without an order, so that lines that stand late can be sorted in."""
_REMEMBERED = 100_000
"""Ended jobs that are known by name, so that one that was never submitted can be told from one that has ended."""
_CHECK = Conform("trace")
_DECODE = json.JSONDecoder().raw_decode


def is_trace(path: str) -> bool:
    """Whether the first line of a file is the header of a trace. False for what cannot be read."""
    try:
        value = json.loads(_first(path))
    except (InputError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and trace_header.HEADER in value


def lacks_header(path: str) -> bool:
    """Whether the first line of a file is one of a trace, and not the header."""
    try:
        value = json.loads(_first(path))
    except (InputError, ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "at" in value and any(word in value for word in EVERY)


def read_trace(path: str, *, readings: Readings | None = None) -> History:
    """The history in a trace file, or in standard input for "-". Raises InputError for a header that cannot be used.

    Of the readings only A7 matters, as for every configuration.
    """
    chosen = readings or Readings()
    name = path if path == "-" else Path(path).name
    first = _first(path)
    if not first.strip():
        raise InputError("the first line is empty", where=f"{name}:1", why="A trace begins with its header.",
                         fix="write the header, as `quotaproof explain trace` says.")  # fmt: skip
    header = trace_header.read(_document(name, first, 1), chosen)
    reader = Reader(path, name, header, chosen, Problems(name))
    start, end = reader.bounds()
    return History(
        config=header.config,
        seen=reader.seen,
        files=(name,),
        paths=(path,),
        ordered=header.ordered,
        claims=header.claims,
        start=start,
        end=end,
        problems=reader.problems.found,
    )


def write_trace(stream: TextIO, config: QueueConfig, seen: Iterable[Seen], *, ordered: bool, claims: bool) -> None:
    """Write a trace: what `read_trace` gives back."""
    stream.write(trace_header.written(config, ordered=ordered, claims=claims) + "\n")
    opened_claims = 0
    encode = json.JSONEncoder(separators=(",", ":")).encode
    for one in seen:
        opened_claims += isinstance(one.what, ev.Claim)
        times = {"at": one.at} if one.until == one.at else {"at": one.at, "until": one.until}
        stream.write(encode({**times, **form(one.what, opened_claims)}) + "\n")


def _first(path: str) -> str:
    found = trace_lines.of(path, _ignore)
    try:
        return next(found, (0, [""]))[1][0]
    finally:
        found.close()  # type: ignore[attr-defined]


def _ignore(_number: int, _why: str) -> None:
    """The reader proper says it."""


def _document(name: str, text: str, number: int) -> Document:
    """One line as a document. Raises InputError."""
    try:
        return replace(json_text.parse(f"{name}:{number}", text), name=name, find_lines=lambda: {"": number})
    except InputError as error:
        raise InputError(error.what, where=f"{name}:{number}", why=error.why, fix=error.fix) from None


@dataclass
class Reader:
    """Reads one trace, again and again."""

    path: str
    name: str
    header: trace_header.Header
    readings: Readings
    problems: Problems
    _unread: set[str] = field(default_factory=set[str])
    """Jobs whose submission cannot be used."""
    _claims: int = 0

    def seen(self) -> Iterator[Seen]:
        """The observations by time."""
        self.problems.clear()
        self._unread.clear()
        self._claims = 0
        lines = self._lines()
        return self._known(self._forward(lines) if self.header.ordered else self._sorted(lines))

    def bounds(self) -> tuple[int, int]:
        """The time of the first observation that can be read, and of the last line; 0 where there is none."""
        lines = self._lines()
        start = next((one.at for one in lines), 0)
        lines.close()  # type: ignore[attr-defined]
        try:
            end = _times(_document(self.name, trace_lines.last(self.path), 0))[1]
        except InputError:
            end = start
        return start, max(start, end)

    def complain(self, number: int, sentence: str) -> None:
        """Note what is wrong with a line."""
        self.problems.add(number, sentence)

    def _lines(self) -> Iterator[Seen]:
        """What each line says, in the order of the lines."""
        for first, block in trace_lines.of(self.path, self.complain):
            for number, text in enumerate(block, first):
                if not text or number == 1:
                    continue
                try:
                    value, end = _DECODE(text)
                    shape = plan(tuple(value)) if end == len(text) and type(value) is dict else None
                except (ValueError, RecursionError):
                    value, shape = dict[str, Any](), None
                if shape is not None:
                    run, quotes, nested = shape
                    at: Any = value["at"]
                    until: Any = value.get("until", at)
                    if type(at) is int and type(until) is int and 0 <= at <= until <= LATEST:
                        what = run(value)
                        if what is not None:
                            for key in nested:
                                quotes += 2 * len(value[key])
                            # Every key and text has two quotes: with more of them a key stands twice.
                            if text.count('"') == quotes:
                                if type(what) is ev.Claim:
                                    self._numbered(value, number)
                                yield Seen(at, until, what, 0, number)
                                continue
                yield from self._slowly(text, number)

    def _slowly(self, text: str, number: int) -> Iterator[Seen]:
        """A line that is written in an unusual way, or that cannot be used: then a problem."""
        if not text.strip():
            return
        document = None
        try:
            document = _document(self.name, text, number)
            if isinstance(document.value, dict) and trace_header.HEADER in document.value:
                self.complain(number, "a second header: a trace has one configuration, in its first line")
                return
            at, until = _times(document)
            for what in observations(document, self.readings):
                if isinstance(what, ev.Claim):
                    self._numbered(document.value, number)
                yield Seen(at, until, what, 0, number)
        except InputError as error:
            self.complain(number, f"{error.what}; {error.fix}")
            job = document.value.get("submit") if document and isinstance(document.value, dict) else None
            if isinstance(job, str):
                self._unread.add(job)

    def _numbered(self, value: dict[str, Any], number: int) -> None:
        """A claim's number is its place among the claims of the trace; the claim counts all the same."""
        self._claims += 1
        given = value.get("number", self._claims)
        if given != self._claims:
            self.complain(number, f"the claim is number {self._claims} of the trace, not {given}; a claim is missing, or two "
                          "traces were joined")  # fmt: skip

    def _forward(self, lines: Iterator[Seen]) -> Iterator[Seen]:
        before = 0
        for one in lines:
            if one.at < before:
                self.complain(one.line, f"the time goes back by {before - one.at} ms; it counts at the time before it")
                yield replace(one, at=before, until=max(before, one.until))
            else:
                before = one.at
                yield one

    def _sorted(self, lines: Iterator[Seen]) -> Iterator[Seen]:
        held: list[Seen] = []
        before = latest = 0
        for one in lines:
            if one.at >= latest:
                latest = one.at
                held.append(one)
                if len(held) > _WINDOW:
                    half = _WINDOW // 2
                    yield from held[:half]
                    before = held[half - 1].at
                    del held[:half]
            elif one.at >= before:
                insort_right(held, one, key=_at)
            else:
                self.complain(one.line, f"the line stands {_WINDOW // 2} lines or more after its time; sort the lines")
        yield from held

    def _known(self, lines: Iterator[Seen]) -> Iterator[Seen]:
        """Without those that name a job or share that is not there, and without stops that a claim has told already."""
        live: set[str] = set()
        told: dict[str, str] = {}
        ended: dict[str, None] = {}
        shares = {s.name for s in self.header.config.shares}
        for one in lines:
            what: Any = one.what
            kind = type(what)
            if kind is Submitted or kind is Rejected:
                if what.share not in shares:
                    self._no_share(one, what.share, shares)
                    if kind is Submitted:
                        self._unread.add(what.job)
                    continue
                if kind is Submitted:
                    live.add(what.job)
                    told.pop(what.job, None)
            elif hasattr(what, "job"):
                job = what.job
                if job not in live and job not in ended:
                    self._no_job(one, job)
                    continue
                if kind is Preempting and job in told and what.claimant in (None, told[job]):
                    continue
                if kind is not ev.SetPriority:
                    told.pop(job, None)
                if kind is ev.Finish or kind is ev.Terminate or (kind is Preempted and what.stage is Stage.FAILED):
                    live.discard(job)
                    ended[job] = None
                    if len(ended) > _REMEMBERED:
                        del ended[next(iter(ended))]
                elif kind is ev.Claim:
                    unknown = [v for v in what.victims if v not in live and v not in ended]
                    if unknown:
                        self._no_job(one, unknown[0])
                        continue
                    told |= dict.fromkeys(what.victims, job)
                elif kind is ev.Dispatch and job in ended:
                    del ended[job]
                    live.add(job)
                elif kind is Preempting and what.claimant is not None and not {what.claimant} & (live | ended.keys()):
                    self._no_job(one, what.claimant)
                    continue
            elif kind is ev.CreateShare:
                shares.add(what.share.name)
            elif hasattr(what, "share"):
                if what.share not in shares:
                    self._no_share(one, what.share, shares)
                    continue
                if kind is ev.ShareGone:
                    shares.discard(what.share)
            yield one

    def _no_job(self, one: Seen, job: str) -> None:
        why = f"the job {shown(job)} was never submitted; a trace submits a job before it names it"
        if job in self._unread:
            why = "the submission of its job cannot be used, and this line is left out with it"
        self.complain(one.line, why)

    def _no_share(self, one: Seen, share: str, shares: Iterable[str]) -> None:
        near = nearest(share, shares)
        self.complain(one.line, f"there is no share {shown(share)}" + (f"; did you mean {near}?" if near else ""))


def _at(one: Seen) -> int:
    return one.at


def _times(document: Document) -> tuple[int, int]:
    value = document.value
    _CHECK.typed(document, (), value, dict, "an object")
    if "at" not in value:
        raise _CHECK.wrong(document, (), "the line does not say when", "add at: milliseconds since 1970, or ISO 8601.")
    at, until = (_milliseconds(document, key, value.get(key, value["at"])) for key in TIMES)
    if until < at:
        raise _CHECK.wrong(document, ("until",), f"until is {at - until} ms before at", "exchange the two.")
    return at, until


def _milliseconds(document: Document, key: str, value: Any) -> int:
    if type(value) is int and 0 <= value <= LATEST:
        return value
    if type(value) is str:
        try:
            time = datetime.fromisoformat(value)
        except ValueError:
            time = None
        if time is not None and time.tzinfo is not None and (ms := round(time.timestamp() * 1000)) >= 0:
            return ms
    raise _CHECK.wrong(document, (key,), f"{shown(value)} is no time",
                       "write milliseconds since 1970, or ISO 8601 with its offset, such as 2026-03-16T19:57:27Z.")  # fmt: skip
