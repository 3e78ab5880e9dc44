"""`audit`: one history to one stream of events. The only place where the judge's verdicts and the ledger meet.

Nothing here judges. The history is read once for the ledger, once by the judge, once more where it shows faults, and
once or twice for promises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from time import perf_counter
from typing import Protocol

from ...spec.formats.errors import InputError
from ...spec.observations import History, Seen, Submitted, known_names
from ...spec.promises import Promises
from ...spec.readings import Readings
from ..judge.judged import Fault, Judged
from ..measured import Observed, RuledOut, Unsettled
from ..results import Began, Ended, Event, Source
from .called import ID, Called
from .drawing import StopsTold, drawn
from .ledger import MINUTE, SAVES_EVERY, Ledger, Settings
from .promises.kept import kept
from .promises.watch import Window
from .rules import Told, problems, results, seen_faults
from .timeline import Columns
from .words import instant, interval

PAYLOAD = "serviceRequestPayload"
HIDDEN = "not shown: it holds a payload"
"""In the place of a raw line where names are to be hidden: what users write into a payload is nobody's to know."""
_NAMED = re.compile(r'\bjob "([^"]+)"|' + ID)
"""A job in a sentence: quoted, or by AWS's id."""


class Watch(Protocol):
    """Looks on while a history is read, and changes nothing."""

    def __call__(self, seen: Iterator[Seen], doing: str) -> Iterator[Seen]: ...


def unwatched(seen: Iterator[Seen], doing: str) -> Iterator[Seen]:  # noqa: ARG001
    """Nobody looks on."""
    return seen


@dataclass(frozen=True)
class Asked:
    """What somebody wants to know. Times are milliseconds since 1970; `saves_every` is in minutes."""

    since: int | None = None
    until: int | None = None
    """Not included."""
    before: int | None = None
    saves_every: int = SAVES_EVERY
    promises: Promises | None = None
    """None: nobody judges any."""
    names: bool = False
    """Whether the names of jobs are needed, to hide them."""


Judge = Callable[[History], Judged]
Raw = Callable[[Sequence[Seen]], Sequence[str]]
"""The lines of observations as they stand in their files; '' where there is none."""
RulesOut = Callable[[History], Iterator[RuledOut | Unsettled]]


def nothing_ruled_out(_history: History) -> Iterator[RuledOut | Unsettled]:
    """No choice of an open question is looked at."""
    return iter(())


def audit(
    history: History,
    readings: Readings,
    judge: Judge,
    raw: Raw,
    *,
    asked: Asked = Asked(),
    sources: tuple[Source, ...] = (),
    watch: Watch = unwatched,
    rules_out: RulesOut = nothing_ruled_out,
    stops: StopsTold | None = None,
) -> Iterator[Event]:
    """Tell what the queue did; with `stops` also how it is drawn. Raises InputError where nothing was seen in the time that
    was asked for; the events raise what `judge` raises.
    """
    start = perf_counter()
    columns, within = _bounded(history, asked)

    def events() -> Iterator[Event]:
        yield from _told(within, readings, judge, raw, columns, asked, sources, watch, rules_out, stops)
        yield Ended(perf_counter() - start)

    return events()


def _told(
    history: History,
    readings: Readings,
    judge: Judge,
    raw: Raw,
    columns: Columns,
    asked: Asked,
    sources: tuple[Source, ...],
    watch: Watch,
    rules_out: RulesOut,
    stops: StopsTold | None,
) -> Iterator[Event]:
    ledger = Ledger(history.config, Settings(columns, readings, asked.saves_every), min(history.start, columns.start))
    names: dict[str, None] = {}
    jobs: dict[str, Submitted] = {}
    read = watch(history.seen(), "measuring")
    ledger.read(_noting(read, names, jobs) if asked.names else read, ordered=history.ordered)
    judged = judge(replace(history, seen=lambda: watch(history.seen(), "judging")))
    faults = [f for f in judged.faults if f.seen.until >= columns.start]
    told = [Told(f, line) for f, line in zip(faults, raw([f.seen for f in faults]), strict=True)]
    if asked.names:
        names = dict.fromkeys(known_names({**jobs, **history.jobs})) | _named(history) | names
        names |= dict.fromkeys(json.dumps(name)[1:-1] for name in [*names])  # as raw lines write them
        told = [replace(t, raw=HIDDEN if PAYLOAD in t.raw else t.raw) for t in told]
    yield Began(
        "audit",
        history.config.job_queue_name,
        sources=sources,
        left_out=history.left_out,
        remarks=history.remarks,
        notes=(*history.notes, *_left(history, judged, faults, columns)),
        assumed=dict(readings.chosen),
        jobs=tuple(names),
        files=sources,
    )
    yield _observed(history, ledger, columns)
    called = Called(history, hidden=asked.names)
    yield from called.results(results(history, judged, faults))
    yield from called.results(problems(history.problems))
    if asked.promises is not None:
        counts, saves = Window(columns.start, columns.end + 1), asked.saves_every * MINUTE
        yield from called.promised(kept(history, readings, asked.promises, counts, saves_every=saves))
    yield from called.faults(seen_faults(history, told))
    yield from rules_out(history)
    if ledger.read_any:
        yield from ledger.told()
    if stops is not None and ledger.read_any:
        yield drawn(history, readings, columns, stops, ledger.observations, watch=watch, hidden=asked.names)


def _bounded(history: History, asked: Asked) -> tuple[Columns, History]:
    """The columns that were asked for, and the history without what is after them. Raises InputError."""
    first, last = (history.start, history.end) if history.end > history.start else _span(history)
    until = asked.until
    if not last and (asked.since or until or asked.before):
        raise InputError(
            "--since, --until and --before leave nothing", where="audit", why="In this history nothing was seen at all.",
            fix="leave them out, or name the folder with the records.",
        )  # fmt: skip
    start = first if asked.since is None else max(first, asked.since)
    end = last if until is None else min(last, until)
    if (asked.since or asked.until) and start >= end:
        raise _outside("--since and --until leave nothing", "Nothing was seen in that time.", first, last)
    if asked.before is not None and not start < asked.before < end:
        raise _outside(
            "--before does not part the time that counts", "One of the two columns would be empty.", start, end
        )
    columns = Columns.of(start, max(start, end), asked.before)
    if until is None or until > last:
        return columns, replace(history, start=first, end=last)
    cut = replace(history, start=first, end=end, seen=lambda: takewhile(lambda s: s.at < until, history.seen()))
    return columns, cut


def _outside(what: str, why: str, start: int, end: int) -> InputError:
    return InputError(what, where="audit", why=why, fix=f"name a time of {interval(start, end)}.")


def _span(history: History) -> tuple[int, int]:
    """From the first to the last observation of a history that does not say it."""
    first, last = None, 0
    for seen in history.seen():
        first = seen.at if first is None else first
        last = max(last, seen.until)
    return first or 0, last


def _named(history: History) -> dict[str, None]:
    """Names of attempts, and of jobs that what is said of the history speaks of."""
    names = dict.fromkeys(history.attempts)
    sentences = (
        *history.notes,
        *history.remarks,
        *history.left_out,
        *history.completeness.notes,
        *(p.sentence for p in history.problems),
    )
    names |= dict.fromkeys(found.group(1) or found.group() for text in sentences for found in _NAMED.finditer(text))
    return names


def _noting(seen: Iterator[Seen], names: dict[str, None], jobs: dict[str, Submitted]) -> Iterator[Seen]:
    """The observations; the jobs that are submitted, and names of jobs and people that they speak of, are noted."""
    for one in seen:
        if isinstance(one.what, Submitted):
            jobs[one.what.job] = one.what
        facts = getattr(one.what, "facts", None)
        who = (one.by, facts.owner if facts else "")
        for name in (getattr(one.what, "job", ""), getattr(one.what, "attempt", ""), facts.name if facts else "", *who):
            if name:
                names[name] = None
        yield one


def _left(history: History, judged: Judged, faults: Sequence[Fault], columns: Columns) -> Iterator[str]:
    before = len(judged.faults) - len(faults)
    if before:
        many = "1 broken rule" if before == 1 else f"{before:,} broken rules"
        yield f"{many} before {instant(columns.start)} {'does' if before == 1 else 'do'} not count."
    if history.start < columns.start:
        yield "How often a rule was kept is counted over the whole history, also before the time that counts."


def _observed(history: History, ledger: Ledger, columns: Columns) -> Observed:
    complete = history.completeness
    return Observed(
        columns.start,
        columns.end,
        observations=ledger.observations,
        jobs=ledger.jobs,
        shares=len(ledger.shares),
        expected=complete.expected,
        seen=complete.seen,
        gaps=complete.gaps,
        notes=(*complete.notes, *ledger.notes()),
        saves_every=ledger.saves_every,
    )
