"""What happens as sentences: what, why that is allowed, and where AWS says so. Each has its code and its source.

The judge's book says what there is; nothing is decided here. Where AWS does not say whose a loan is, it is told as a range.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ...spec import events as ev
from ...spec.formats.scenario import verb as verb_of
from ...spec.model import NEXT, Stage
from ...spec.readings import READINGS
from ...spec.rules.guarantees import GUARANTEES
from ...spec.rules.sources import CLAUSES
from ..audit.drawing import Told
from ..judge import rules
from ..judge.book import Book
from ..judge.jobs import Entry
from ..judge.state import Situation
from ..why import sums
from ..why.claimants import CROSS, IN_SHARE, guard_holds
from ..why.told import Job, Lender
from ..why.waits import waits_in
from ..why.words import LENT
from ..why.words import waiting as waits_for
from ..witness.words import amount, words
from . import impossible
from .frame import Broken, Said
from .game import REFERENCE

Lent: TypeAlias = Mapping[str, Mapping[str, tuple[int, int]]]
"""Unit -> share -> how much it lends, at least and at most."""
_LENDERS = 4
"""Lenders that are told one by one."""


def _source(kind: type[ev.Event]) -> str:
    """The rules that stand with an event."""
    found = re.search(r"\(([^()]*)\)\.", (kind.__doc__ or "").splitlines()[0])
    return found.group(1) if found else ""


_SOURCES: Mapping[type[ev.Event], str] = {kind: _source(kind) for kind in ev.EVENTS}
_DRAINING: Mapping[type[ev.Event], str] = {ev.Finish: "rule 29", ev.Terminate: "rule 53"}
"""The rules of what may also happen while a job drains, where it does not."""


_BEGINNINGS = ("room is made ", "what is free ", "the claim ", "the limits ", "the environment ", "the queue ",
               "in-share preemption ")  # fmt: skip
"""How sentences begin that do not begin with a name."""


def verb(event: ev.Event) -> str:
    """The kind of the event as scenarios write it."""
    return verb_of(type(event))


def source(event: ev.Event, book: Book) -> str:
    """The rules that stand with an event, seen from the state before it."""
    kind = type(event)
    job = book.jobs.get(getattr(event, "job", ""))
    drains = job is not None and job.stage is Stage.DRAINING
    return _SOURCES[kind] if drains else _DRAINING.get(kind, _SOURCES[kind])


def opening(event: ev.Event, book: Book | None = None) -> str:
    """The event as a sentence of its own; a name that it begins with stays as it is. `book`: the state before it."""
    told = words(event).removesuffix(".")
    if isinstance(event, ev.Advance) and book is not None and event.job in book.jobs:
        stage = book.job(event.job).stage
        told = f"{event.job} is {NEXT[stage]} now" if stage in NEXT else told
    begins = told.startswith(_BEGINNINGS)
    return f"{told[0].upper() if begins else told[0]}{told[1:]}."


def broken(code: str, sentence: str, job: str = "") -> Broken:
    """A guarantee that is broken, with the numbers; `job`: the one that it is broken to."""
    return Broken(code, GUARANTEES[code].name, f"{sentence.removesuffix('.')}.", job)


def before(book: Book, event: ev.Event, scheduler: str = REFERENCE) -> Iterator[Said]:
    """What happens, and why, seen from the state before it."""
    yield Said(opening(event, book), "", source(event, book))
    match event:
        case ev.Dispatch() if event.job in book.jobs:
            yield from _starts(book, book.job(event.job))
        case ev.Claim() if event.job in book.jobs:
            yield from _claims(book, event, scheduler)
        case ev.SetLimits():
            yield from _cut(book, event)
        case ev.SetCapacity():
            short = {u: n for u in book.units() if (n := sums.of_all(book, "usage", u)) > event.capacity.get(u, 0)}
            if short:
                yield Said(
                    f"{amount(short)} are in use: nothing is stopped for that; only new jobs wait.", "", "rule 49"
                )
        case ev.SetShareState() if event.state == "DISABLED":
            yield Said(f"{event.share} takes no new jobs; those that it has go on.", "G13", "rule 50; A46")
        case _:
            return


def after(book: Book, event: ev.Event, first: str = "") -> Iterator[Said]:
    """What has come of it, seen from the state after it. `first`: the job that is first in the line of its share now."""
    match event:
        case ev.Stopped() if event.job in book.jobs:
            yield _stopped(book.job(event.job))
        case ev.Misconfigured() if event.job in book.jobs:
            blocks = READINGS["A52"].choices[book.readings["A52"]]
            yield Said(f"It stays where it is and {blocks}.", "A52", "rule 33; A52")
        case ev.Terminate() | ev.Finish() if event.job in book.jobs and book.job(event.job).stage is Stage.RUNNABLE:
            yield Said(f"{event.job} was to stop: it waits again.", "A34", "A34")
        case ev.SetPriority() if event.job in book.jobs and book.job(event.job).stage is Stage.RUNNABLE:
            if first == event.job:
                line = f"the line of {book.job(event.job).share}"
                yield Said(f"{event.job} is first in {line} now.", "", "rules 27, 42")
        case _:
            return


def _starts(book: Book, job: Entry) -> Iterator[Said]:
    """On whose machines a job starts."""
    if book.promise(job.name) is not None:
        yield Said(f"{_promised(book)} was kept for it.", "G7", "A23, A58")
    for unit, n in job.size.items():
        used, limit = book.usage(job.share, unit), book.grant(job.share, unit).limit
        lends = min(n, max(0, used + n - limit))
        numbers = f"{used + n} in use, limit {limit}"
        if not lends:
            yield Said(f"{job.share} stays within its own limit of {unit}: {numbers}.", "", "rules 14, 26")
        else:
            whose = [*_whose(book, job.share, unit, lends)]
            told = f" {whose[0][1]}" if len(whose) == 1 else f" ({', '.join(f'{k} {of}' for k, of in whose)})"
            yield Said(f"{job.share} borrows {lends} {unit}{told}: {numbers}.", "G2", "rules 19, 22, 23; A12")


def _whose(book: Book, share: str, unit: str, lends: int) -> Iterator[tuple[int, str]]:
    """Of what is lent to a share: how much is whose, as far as that follows from the numbers (A12)."""
    sources = {s: n for s in book.now.shares if s != share and (n := sums.of_share(book, "lendable_idle", s, unit)) > 0}
    of = {s: f"of what {s} leaves idle" for s in sources}
    spare = book.now.capacity.get(unit, 0) - sums.of_all(book, "limit", unit)
    if spare > 0 and book.readings["A5"] == "borrowable":
        sources[""], of[""] = spare, "that no share owns"
    there = sum(sources.values())
    left = min(lends, max(0, there - sums.of_all(book, "borrowed", unit)))
    if left == there or len(sources) == 1:
        yield from ((min(left, n), of[s]) for s, n in sources.items() if left)
    elif left:
        able = [s for s in sources if s]
        idle = f"of what {' or '.join(able)} {'leaves' if len(able) == 1 else 'leave'} idle"
        yield left, f"{idle}{' or that no share owns' if '' in sources else ''} (AWS does not say whose it is)"
    if lends > left:
        yield lends - left, "that no lender leaves idle"


def _claims(book: Book, event: ev.Claim, scheduler: str) -> Iterator[Said]:
    job = book.job(event.job)
    victims = [book.jobs[name] for name in event.victims if name in book.jobs]
    own = [v for v in victims if v.share == job.share]
    others = [v for v in victims if v.share != job.share]
    for share in dict.fromkeys(v.share for v in others):
        yield from _taken_back(book, job, share, [v for v in others if v.share == share])
    if others:
        compared = ", ".join(f"{v.name} {_priority(v)}" for v in others)
        theirs = " and ".join(f"{share}'s" for share in dict.fromkeys(v.share for v in others))
        plays = f"Priorities of {job.share}'s jobs are not compared with {theirs}"
        yield Said(f"{plays} ({job.name} {_priority(job)}, {compared}).", "G5x", "rule 38")
    if own:
        lower = ", ".join(f"{v.name} {_priority(v)}" for v in own)
        state = "on" if book.now.shares[job.share].in_share else "off"
        why = f"In-share preemption of {job.share} is {state}: {job.name} has priority {_priority(job)}, {lower}."
        yield Said(why, "G5s", "rules 39, 40")
    yield from _instead(book, job, victims, scheduler)
    if event.holds:
        yield Said(f"{_promised(book, job.name)} is kept for it until it starts.", "G7", "A23, A58")
    elif victims and book.readings["A23"] == "no":
        freely = READINGS["A23"].choices["no"]
        yield Said(f"Nothing is kept for {job.name}: here, {freely}.", "A23", "A23=no")
    elif victims and not Situation(book, job.share, job).holds(rules.entitled):
        yield Said(
            f"Nothing is kept for {job.name}: part of what it asks for is not its share's own.", "A31", "A23, A31"
        )
    elif victims:
        yield Said(
            f"Nothing is kept for {job.name}: not everything that is promised already is there.", "G7", "A23, A58"
        )


def _promised(book: Book, job: str = "it") -> str:
    """What a claim holds (A58)."""
    return f"What {job} asks for" if book.readings["A58"] == "whole" else f"What is freed for {job}"


def _priority(job: Entry) -> str:
    """Its priority, where that is known."""
    return "not known" if job.priority is None else str(job.priority)


def _taken_back(book: Book, job: Entry, share: str, victims: Sequence[Entry]) -> Iterator[Said]:
    """What a share holds beyond its own of which its jobs are stopped."""
    for unit in dict.fromkeys(u for v in victims for u in v.size if u in job.size):
        made, used = book.grant(share, unit), sums.of_share(book, "settled_usage", share, unit)
        over = used - made.limit
        numbers = f"{used} in use{_settled(book, share, unit)}, limit {made.limit}"
        lent = [v for v in victims if v.borrowed.get(unit)] if book.readings["A13"] == "a" else []
        if over <= 0 and lent:
            loans = " and ".join(f"{v.name} was lent {v.borrowed[unit]} {unit}" for v in lent)
            yield Said(f"When it started, {loans}: {job.share} takes back what is its own.", "G5x", "rules 36, 37; A13")
            continue
        if over <= 0:
            yield Said(f"{share} borrows no {unit}: {numbers}.", "G5x", "rules 36, 37; A13")
            continue
        cut = made.borrowable is not None and over > made.borrowable
        because = f"more {unit} than it may ever use" if cut else f"{over} {unit} more than its own"
        mine = f"{job.share} takes back what is its own"
        allows = "rules 36, 37, 48; A13" if cut else "rules 36, 37; A13"
        yield Said(f"{share} uses {because} ({numbers}): {mine}.", "G5x", allows)


def _settled(book: Book, share: str, unit: str) -> str:
    """When a share uses what is told of it, where that is not now."""
    drains, claimed = (sums.of_share(book, name, share, unit) for name in ("draining", "claimed"))
    then = [*["what drains has stopped"] * (drains > 0), *["what is kept for it is taken"] * (claimed > 0)]
    return f" once {' and '.join(then)}" if then else ""


def told_to_stop(victim: str, told: Told) -> Iterator[Said]:
    """That a job was told to stop, where nobody saw the claim: for whom that may have been, as the audit tells it."""
    whom = f" for {told.whom}" if told.by else f"; for whom is not published, by what was seen: {told.whom}"
    yield Said(f"{victim} is told to stop{whom}.", "", "rules 35, 46")
    why, _, rules_ = told.why.partition(": AWS rules ")
    code, assumed = {CROSS: ("G5x", "; A13"), IN_SHARE: ("G5s", "")}.get(told.kind, ("", ""))
    yield Said(f"{why[0].upper()}{why[1:]}." if why.startswith("a job of ") else f"{why}.", code,
               f"rules {rules_ or '35'}{assumed}")  # fmt: skip
    if told.by:
        yield Said(f"Could another have been stopped instead? {told.instead[0].upper()}{told.instead[1:]}.", "A26",
                   "rule 41; A26")  # fmt: skip


def _instead(book: Book, job: Entry, victims: Sequence[Entry], scheduler: str) -> Iterator[Said]:
    """Which reading decided whom to stop, where another could have been."""
    shares = dict.fromkeys(v.share for v in victims)
    others = (other for share in shares for other in book.running(share) if other not in victims)
    if victims and any(guard_holds(book, job, other) for other in others):
        how = READINGS["A26"].choices[book.readings["A26"]]
        of = " and ".join(f"{share}'s" for share in shares)
        takes = f"; among {of} jobs we assume: {how}" if scheduler == REFERENCE else ""
        yield Said(f"Others could have been stopped instead: AWS does not publish its choice{takes}.", "A26",
                   "rule 41; A26")  # fmt: skip


def _cut(book: Book, event: ev.SetLimits) -> Iterator[Said]:
    """What a share uses beyond its new limits, settled: what drains is going already."""
    used = book.in_use(event.share) if event.share in book.now.shares else {}
    settled = {u: sums.of_share(book, "settled_usage", event.share, u) for u in used}
    over = {u: n - event.limits.get(u, 0) for u, n in settled.items() if n > event.limits.get(u, 0)}
    if over:
        when = next((when for u in over if (when := _settled(book, event.share, u))), "")
        why = f"{event.share} uses {amount(over)} more than that{when}: its jobs may be stopped when somebody else needs them."
        yield Said(why, "G17", "rule 48; A42, A43")


def _stopped(job: Entry) -> Said:
    """What became of a job that was stopped."""
    times = f"preemption {job.preemptions}"
    if job.stage is Stage.FAILED:
        if job.retries is None:
            return Said(
                f"It fails, though no number of preemptions was set after which it does: {times}.", "G11", "rule 43"
            )
        retries = "1 retry after preemption was" if job.retries == 1 else f"{job.retries} retries after preemption were"
        return Said(f"It fails: this was {times}, {retries} allowed.", "G11", "rule 43")
    limit = "without limit" if job.retries is None else f"of at most {job.retries} that it survives"
    return Said(f"It waits again in {job.share}: {times}, {limit}.", "G11", "rules 43, 44")


def waits(book: Book, job: Entry, never: str = "", lent: Lent | None = None) -> Said:
    """Why a job that is first in the line of its share does not start: the first false clause.

    `never`: why it never can. `lent`: unit -> what shares lend, where that has been worked out.
    """
    never = never or impossible.never(book, job)
    if never:
        return Said(f"{job.name} can never run: {never.removesuffix('.')}.", "", "rule 33; A52")
    told = waits_in(book, [job], "", job, _job)
    if told.in_line:
        return Said(f"{job.name} fits; it waits where another share's job that borrows goes before it.", "A16b", "A16b")
    if told.unseen:
        return Said(f"{job.name} may start now, unless others have claims: those are not published.", "A23", "A23")
    if not told.clause:
        return Said(f"{job.name} may start now.", "G16", "rule 26")
    found = [*waits_for(replace(told, lenders=()), _job(job))]
    if told.clause in LENT:
        found += _lending(book, told.lenders, lent or {})
    if book.promise(job.name) is not None:
        found.append(f"{_promised(book)} is kept for it.")
    return Said(f"{job.name} waits for {' '.join(found)}", told.clause, CLAUSES.get(told.clause, ""))


def _lending(book: Book, lenders: Sequence[Lender], lent: Lent) -> Iterator[str]:
    """What lenders use and lend, the first of them; as a range where it does not follow from the numbers."""
    several = len(book.units()) > 1
    told = lenders[:_LENDERS]
    known = {unit: lent.get(unit) or sums.lent(book, unit) for unit in dict.fromkeys(one.unit for one in told)}
    for one in told:
        least, most = known[one.unit][one.share]
        lends = f"{most}" if least == most else f"{least} to {most}"
        of = f" {one.unit}" if several else ""
        numbers = (
            f"{one.used} of its {one.limit}{of}"
            if one.used <= one.limit
            else f"{one.used}{of}, its limit is {one.limit}"
        )
        yield f"{one.share} uses {numbers}{f' and lends {lends}' if most else ''}."
    if len(lenders) > _LENDERS:
        yield f"There are {len(lenders) - _LENDERS} more that lend."


def _job(entry: Entry) -> Job:
    return Job(entry.name, entry.name, entry.share, entry.size, entry.priority)
