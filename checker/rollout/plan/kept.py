"""Promises before, after and in between: which a change breaks, mends, or cannot be about any more; and when it may be made.

A promise is judged by `promises.judge`, on each configuration alone. What was broken before the change is told and does
not count: the change did not break it. Notice is not judged on a configuration: it says from which day on a request that
takes something of an allocation may be sent.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cached_property

from ....spec.changes import Edit
from ....spec.model import QueueConfig
from ....spec.promises import (
    KEYS,
    BorrowsAtMost,
    Changes,
    Fits,
    Gets,
    HoldsAtMost,
    IdleWhileWaiting,
    Notice,
    Promise,
    Promises,
    Undisturbed,
)
from ...planned import Direction, PromiseChange
from ...promised import Promised
from ...results import HOLDS, Result, Verdict, Witness
from ..promises.case import Case
from ..promises.judge import judged
from .requests import shrinks

PROVABLE = (Gets, Fits, Undisturbed, HoldsAtMost, BorrowsAtMost, IdleWhileWaiting)
"""Terms that a configuration alone decides."""
_RANK = {
    **dict.fromkeys(HOLDS, 2),
    **dict.fromkeys((Verdict.BROKEN, Verdict.BROKEN_IF, Verdict.BROKEN_HERE), 0),
}
Key = tuple[str, str, str]
"""Promise, term, and whom the judgement is about."""


@dataclass(frozen=True)
class Judgements:
    """The promises about one configuration, judged."""

    case: Case
    made: Mapping[Key, Promised]
    witnesses: Mapping[str, Witness]

    @cached_property
    def kept(self) -> Collection[str]:
        """Codes of the promises in force that a configuration alone decides, and that this one keeps."""
        terms = {KEYS[kind] for kind in PROVABLE}
        lost = {p.code for p in self.made.values() if p.term in terms and p.result.verdict not in HOLDS}
        asked = [p for p in self.case.promises.promises if any(isinstance(t, PROVABLE) for t in p.terms)]
        return [p.code for p in asked if p.valid.has(self.case.today) and p.code not in lost]

    @classmethod
    def of(cls, case: Case) -> Judgements:
        made: dict[Key, Promised] = {}
        witnesses: dict[str, Witness] = {}
        for event in judged(case):
            if isinstance(event, Witness):
                witnesses[event.name] = event
            else:
                key = event.code, event.term, event.result.subject
                made[key] = worse(made[key], event) if key in made else event
        return cls(case, made, witnesses)


def worse(one: Promised, other: Promised) -> Promised:
    """Of two judgements about the same the one that is less of a yes."""
    return min(one, other, key=lambda p: _RANK.get(p.result.verdict, 1))


def keeps(before: Judgements, after: Judgements) -> Callable[[QueueConfig], Collection[str]]:
    """Which of the promises that both ends keep a configuration keeps, by their codes.

    In between only the readings in force are asked about, which is what makes a promise kept or broken: a search asks of
    many configurations. One about none of its shares is kept.
    """
    case = before.case
    both = [p for p in case.promises.promises if p.code in before.kept and p.code in after.kept]
    provable = [replace(p, terms=tuple(t for t in p.terms if isinstance(t, PROVABLE))) for p in both]
    asked, codes = replace(case.promises, promises=tuple(provable)), [p.code for p in both]
    known: dict[QueueConfig, Collection[str]] = {}
    known |= dict.fromkeys((before.case.config, after.case.config), codes)

    def kept(config: QueueConfig) -> Collection[str]:
        if config not in known:
            made = judged(replace(case, promises=asked, config=config, in_force=True))
            lost = {p.code for p in made if isinstance(p, Promised) and p.result.verdict not in HOLDS}
            known[config] = [code for code in codes if code not in lost]
        return known[config]

    return kept


def compared(old: Judgements, new: Judgements) -> Iterator[PromiseChange | Promised | Witness]:
    """Every promise about the two configurations; a `Promised` for each that counts."""
    about = {p.code: p for p in new.case.promises.promises}
    for key in dict.fromkeys([*old.made, *new.made]):
        was, now = old.made.get(key), new.made.get(key)
        one = now or was
        assert one is not None
        change = _change(was, now)
        if now is None and _still_about(about[one.code], new.case.config, one.result.subject):
            continue  # the same promise is told of others there, which say what became of it
        yield change
        if now is None and was is not None and was.result.verdict in HOLDS:
            gone = Result(one.code, Verdict.BROKEN, change.because, one.result.subject, place=one.result.place)
            yield replace(was, result=replace(gone, waiver=one.result.waiver))
        elif now is not None and not _broken_before(was, now):
            if now.result.witness:
                yield new.witnesses[now.result.witness]
            yield now


def _broken_before(was: Promised | None, now: Promised) -> bool:
    return was is not None and _RANK.get(was.result.verdict) == 0 and _RANK.get(now.result.verdict) == 0


def _still_about(promise: Promise, config: QueueConfig, subject: str) -> bool:
    """Whether the subject has shares there, so that what was judged before is judged of them in another way."""
    name = subject.partition(",")[0]
    there = {s.name for s in promise.scope.of(config)}
    return name in there or (bool(there) and name not in promise.scope.shares)


def _change(was: Promised | None, now: Promised | None) -> PromiseChange:
    one = now or was
    assert one is not None
    before, after = (p.result.verdict if p else None for p in (was, now))
    name = one.result.subject.partition(",")[0]
    because = one.result.because if now else f"{name or 'what it is about'} is gone, and what was promised to it"
    if was is None or now is None:
        found = Direction.NEW if was is None else Direction.GONE
    else:
        ranks = [_RANK.get(p.result.verdict, 1) for p in (was, now)]
        found = (
            Direction.SAME if ranks[0] == ranks[1] else Direction.STRONGER if ranks[1] > ranks[0] else Direction.WEAKER
        )
    return PromiseChange(
        one.code, one.term, one.says, one.result.subject, one.owner, before, after, found, because,
        in_force=one.in_force,
    )  # fmt: skip


@dataclass(frozen=True)
class Waits:
    """From which day on a request may be sent, for a promise of notice."""

    promise: Promise
    notice: Notice
    day: date

    def says(self, steps: Sequence[int]) -> str:
        """The days in words, for the steps that wait."""
        which = f"step{'' if len(steps) == 1 else 's'} {', '.join(map(str, steps))}"
        return f"earliest start of {which}: {self.day.isoformat()}, if it is said on the day of this plan"


def waits(promises: Promises, config: QueueConfig, edit: Edit, today: date) -> Waits | None:
    """The promise of notice that the request has to wait for longest; None where it shrinks nothing that has one."""
    if not shrinks(config, edit):
        return None
    found: list[Waits] = []
    for promise in promises.promises:
        about = {s.name for s in promise.scope.of(config)}
        exempt = any(
            e.to == promise.code and e.share in ("", edit.share) and today <= e.until for e in promises.exemptions
        )
        if edit.share not in about or exempt or not promise.valid.has(today):
            continue
        found += [
            Waits(promise, term.shrink_notice, earliest(today, term.shrink_notice))
            for term in promise.terms
            if isinstance(term, Changes)
        ]
    return max(found, key=lambda w: w.day, default=None)


def earliest(today: date, notice: Notice) -> date:
    """The first day on which something may shrink that is announced today."""
    day, left = today, notice.days
    while left:
        day += timedelta(days=1)
        left -= not notice.working or day.weekday() < 5
    return day


def notices(waiting: Mapping[int, Waits]) -> Iterator[PromiseChange]:
    """For each promise of notice the steps that wait for it. `waiting`: number of the step -> what it waits for."""
    for promise in dict.fromkeys(w.promise.code for w in waiting.values()):
        steps = [number for number, w in waiting.items() if w.promise.code == promise]
        one = waiting[steps[0]]
        yield PromiseChange(
            promise, "changes", one.promise.says, "", one.promise.owner, None, None, Direction.SAME,
            "it is kept by waiting", needs_time=one.says(steps),
        )  # fmt: skip
