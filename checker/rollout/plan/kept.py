"""Promises before, after and in between: which a change breaks, mends, or cannot be about any more; and when it may be made.

A promise is judged by `promises.judge`, on each configuration alone. What was broken before the change is told and does
not count: the change did not break it. Notice is not judged on a configuration: it says from which day on a request that
takes something of an allocation, or of what a share is sure of, may be sent.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cached_property

from ....spec.changes import Edit, after
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
from ....spec.readings import Readings
from ...planned import Direction, PromiseChange
from ...promised import Promised
from ...results import BROKEN, HOLDS, Result, Verdict, Witness
from ..promises.case import Case
from ..promises.judge import exemption, judged
from .order import Lost
from .requests import poorer, shrinks, sure

PROVABLE = (Gets, Fits, Undisturbed, HoldsAtMost, BorrowsAtMost, IdleWhileWaiting)
"""Terms that a configuration alone decides."""
_RANK = {
    **dict.fromkeys(HOLDS, 2),
    **dict.fromkeys(BROKEN, 0),
}
_TERMS = {KEYS[kind] for kind in PROVABLE}
Key = tuple[str, str, str]
"""Promise, term, and whom the judgement is about."""


@dataclass(frozen=True)
class Judgements:
    """The promises about one configuration, judged."""

    case: Case
    made: Mapping[Key, Promised]
    witnesses: Mapping[str, Witness]

    @cached_property
    def shares(self) -> Collection[str]:
        return {s.name for s in self.case.config.shares}

    def has(self, key: Key, verdicts: Collection[Verdict]) -> bool:
        """Whether it is one of the verdicts on the key; on a share as a whole, also where it is on one of its units."""
        code, term, subject = key
        return any(
            made.result.verdict in verdicts
            for (c, t, s), made in self.made.items()
            if (c, t) == (code, term) and (s == subject or s.startswith(f"{subject}, "))
        )

    @classmethod
    def of(cls, case: Case) -> Judgements:
        made: dict[Key, Promised] = {}
        witnesses: dict[str, Witness] = {}
        for event in judged(case):
            if isinstance(event, Witness):
                witnesses[event.name] = event
            else:
                key = _key(event)
                made[key] = worse(made[key], event) if key in made else event
        return cls(case, made, witnesses)


def worse(one: Promised, other: Promised) -> Promised:
    """Of two judgements about the same the one that is less of a yes."""
    return min(one, other, key=lambda p: _RANK.get(p.result.verdict, 1))


def _key(one: Promised) -> Key:
    """What shares hold together is judged of them all, whichever are there."""
    subject = one.result.subject
    return one.code, one.term, subject.rpartition(", ")[2] if one.term == KEYS[HoldsAtMost] else subject


@dataclass(frozen=True)
class Guard:
    """What both ends keep of the promises in force, each for everybody it is kept for: not where it is broken at an end
    or accepted, nor for a share that one of the ends does not have.

    In between only the readings in force are asked about, which is what makes a promise kept or broken: a search asks of
    many configurations.
    """

    before: Judgements
    after: Judgements
    _known: dict[QueueConfig, Mapping[Key, Verdict]] = field(default_factory=dict[QueueConfig, Mapping[Key, Verdict]])

    def __call__(self, config: QueueConfig) -> Lost:
        made = self.lost(config)
        named = {key: self._named(key) for key in made}
        broken = dict.fromkeys(named[key] for key, verdict in made.items() if verdict in BROKEN)
        return Lost(tuple(broken), tuple(dict.fromkeys(n for k, n in named.items() if made[k] not in BROKEN)))

    def lost(self, config: QueueConfig) -> Mapping[Key, Verdict]:
        """What is guarded and the configuration does not keep, or is not decided of it."""
        if config in (self.before.case.config, self.after.case.config):
            return {}
        if config not in self._known:
            case = replace(self.before.case, promises=self._asked, config=config, in_force=True)
            made = {_key(p): p.result.verdict for p in judged(case) if isinstance(p, Promised)}
            lost = {k: v for k, v in made.items() if v not in (*HOLDS, Verdict.NOT_APPLICABLE) and self.guards(k)}
            self._known[config] = lost
        return self._known[config]

    def guards(self, key: Key) -> bool:
        return self._counts(key) and not any(end.has(key, (Verdict.UNKNOWN,)) for end in self._ends)

    def _counts(self, key: Key) -> bool:
        code, term, subject = key
        if exemption(self.before.case, code, subject) or any(end.has(key, BROKEN) for end in self._ends):
            return False
        name, (old, new) = subject.partition(",")[0], (end.shares for end in self._ends)
        return term == KEYS[HoldsAtMost] or (name in old) == (name in new)

    @cached_property
    def unverified(self) -> tuple[str, ...]:
        """Promises of which an end leaves open whether it keeps them, as a sentence names them."""
        open_ = (key for end in self._ends for key in end.made if end.has(key, (Verdict.UNKNOWN,)))
        return tuple(dict.fromkeys(self._named(key) for key in open_ if key[1] in _TERMS and self._counts(key)))

    @cached_property
    def _asked(self) -> Promises:
        """The promises of which something is guarded, with the terms that a configuration decides."""
        case = self.before.case
        some = {key[0] for end in self._ends for key in end.made if key[1] in _TERMS and self.guards(key)}
        provable = [
            replace(p, terms=tuple(t for t in p.terms if isinstance(t, PROVABLE)))
            for p in case.promises.promises
            if p.code in some and p.valid.has(case.today)
        ]
        return replace(case.promises, promises=tuple(provable))

    def _named(self, key: Key) -> str:
        code, term, subject = key
        every = {k for end in self._ends for k in end.made if k[0] == code and k[1] in _TERMS}
        whole = term == KEYS[HoldsAtMost] or all(self.guards(k) for k in every)
        return code if whole else f"{code} for {subject.partition(',')[0]}"

    @property
    def _ends(self) -> tuple[Judgements, Judgements]:
        return self.before, self.after


def compared(old: Judgements, new: Judgements) -> Iterator[PromiseChange | Promised | Witness]:
    """Every promise about the two configurations; a `Promised` for each that the new one is about, without the
    witness where it was broken before as well."""
    about = {p.code: p for p in new.case.promises.promises}
    for key in dict.fromkeys([*old.made, *new.made]):
        was, now = old.made.get(key), new.made.get(key)
        one = now or was
        assert one is not None
        change = _change(was, now)
        if now is None and _still_about(about[one.code], new.case.config, one.result.subject):
            continue  # the same promise is told of others there, which say what became of it
        yield change
        if now is None and was is not None and was.result.verdict not in (*BROKEN, Verdict.NOT_APPLICABLE):
            gone = Result(one.code, Verdict.BROKEN, change.because, one.result.subject, place=one.result.place)
            yield replace(was, result=replace(gone, waiver=one.result.waiver))
        elif now is not None and _broken_before(was, now):
            yield replace(now, result=replace(now.result, witness="", witnesses=()), already=True)
        elif now is not None:
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


def waiting(
    promises: Promises,
    edits: Sequence[Edit],
    before: Sequence[QueueConfig],
    old: QueueConfig,
    readings: Readings,
    today: date,
) -> Mapping[int, Waits]:
    """Number of the step -> what it has to wait for. `before`: what is in force when each is sent.

    A request takes something where it leaves a share less than it was sure of in the old configuration, or than its limit.
    """
    if not any(isinstance(term, Changes) for p in promises.promises for term in p.terms):
        return {}
    first, found = sure(old, readings), dict[int, Waits]()
    for number, (edit, config) in enumerate(zip(edits, before, strict=False), 1):
        now = sure(after(config, [edit], readings), readings)
        less = {share for (share, unit), n in first.items() if now.get((share, unit), 0) < n}
        takes = [s for s in poorer(config, edit, readings) if s in less or shrinks(old, edit)]
        if wait := waits(promises, takes, old, today):
            found[number] = wait
    return found


def waits(promises: Promises, takes: Collection[str], config: QueueConfig, today: date) -> Waits | None:
    """The promise of notice that a request has to wait for longest that takes something of the shares; None where none
    of them has one."""
    found: list[Waits] = []
    for promise in promises.promises:
        exempt = {e.share for e in promises.exemptions if e.to == promise.code and today <= e.until}
        about = {s.name for s in promise.scope.of(config)} - exempt
        if "" in exempt or about.isdisjoint(takes) or not promise.valid.has(today):
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
