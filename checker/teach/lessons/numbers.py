"""The numbers in a lesson's texts: `{lender.used instances}` is what lender uses at that point of the play.

A text names a share, a job or `queue`, then a quantity; a word after it is the noun, in the plural, which loses its s
after 1. No other number stands in a text: so none can be wrong. Trusted: the reference, which plays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from ....reference.apply import apply
from ....reference.policy import Policy
from ....reference.queue import Job, Queue, Share
from ....reference.run import settle
from ....spec.formats.scenario import Expect, Settle, Step
from ....spec.model import QueueConfig, Strategy
from ....spec.readings import Readings
from ...judge.book import Book

_PLACE = re.compile(r"\{([^{}]*)\}")
_FORM = re.compile(r"(?P<of>[\w-]+)\.(?P<what>[a-z]+)(?: (?P<noun>[a-z]+s))?")
_NUMBER = re.compile(r"[\w.%-]*\d[\w.%-]*")
_CODE = re.compile(r"A\d+b?|G\d+[xs+]?|QP\d+")
_RULE = re.compile(r"\brules? \d+")


class Point:
    """A point of a play: the queue as the reference sees it, whose numbers texts may use."""

    def __init__(self, config: QueueConfig, readings: Readings, names: Iterable[str] = ()) -> None:
        """At the start. `names` may have digits in them without being numbers."""
        (self.unit,) = config.environment.capacity
        self.queue = Queue(config, readings)
        self.policy = Policy.of(readings)
        self._book = Book(config, readings)
        self._names = {self.unit, *names, *self.queue.shares}

    def go(self, moves: Iterable[Step]) -> None:
        """Play on. Raises Impossible where a move names a job or a share that is not there, GoesRound without end."""
        for move in moves:
            if isinstance(move, Settle):
                for event in settle(self.queue, self.policy, drains=move.drains):
                    self._book.record(event)
            elif not isinstance(move, Expect):
                self._book.record(move)
                apply(self.queue, move)

    def filled(self, text: str) -> str:
        """The text with its numbers in it. Raises ValueError in words."""
        return _PLACE.sub(lambda found: self._number(found[1]), text)

    def _number(self, place: str) -> str:
        form = _FORM.fullmatch(place)
        if form is None:
            raise ValueError(f"{{{place}}} is not a number of the play: write {{share.quantity noun}}")
        of, what, noun = form["of"], form["what"], form["noun"]
        known, kind = self._quantities(of)
        if what not in known:
            raise ValueError(f"{kind} has no quantity {what!r}; it has {', '.join(known)}")
        value = known[what]()
        if value is None:
            raise ValueError(f"{of} has no {what} to write down")
        return f"{value}" if noun is None else f"{value} {noun.removesuffix('s') if value == 1 else noun}"

    def _quantities(self, of: str) -> tuple[Mapping[str, Callable[[], int | None]], str]:
        if of == "queue":
            return {name: lambda f=f: f(self) for name, f in _QUEUE.items()}, "the queue"
        if of in self.queue.shares:
            share = self.queue.shares[of]
            return {name: lambda f=f: f(self, share) for name, f in _SHARE.items()}, "a share"
        if of in self.queue.jobs:
            job = self.queue.jobs[of]
            return {name: lambda f=f: f(self, job) for name, f in _JOB.items()}, "a job"
        raise ValueError(f"there is no share and no job {of!r} here")

    def no_number(self, text: str) -> None:
        """Raises ValueError in words for a number that is not the play's."""
        for word in _NUMBER.findall(_RULE.sub("", _PLACE.sub("", text))):
            if word.strip(".-") not in self._names and not _CODE.fullmatch(word.strip(".-")):
                raise ValueError(f"the number {word} stands in the text; write it as {{share.quantity}}")


def _used(point: Point, share: Share) -> int:
    return point.queue.usage[share.name, point.unit]


def _limit(point: Point, share: Share) -> int:
    return share.limits.get(point.unit, 0)


_SHARE: Mapping[str, Callable[[Point, Share], int | None]] = {
    "limit": _limit,
    "used": _used,
    "borrows": lambda p, s: max(0, _used(p, s) - _limit(p, s)),
    "unused": lambda p, s: max(0, _limit(p, s) - _used(p, s)),
    "percent": lambda _, s: s.borrow_limit,
    "waiting": lambda p, s: len(list(p.queue.waiting(s.name))),
}
_JOB: Mapping[str, Callable[[Point, Job], int | None]] = {
    "size": lambda p, j: j.size.get(p.unit, 0),
    "priority": lambda _, j: j.priority,
    "preemptions": lambda _, j: j.preemptions,
    "retries": lambda _, j: j.retries,
}
_QUEUE: Mapping[str, Callable[[Point], int | None]] = {
    "capacity": lambda p: p.queue.capacity[p.unit],
    "used": lambda p: sum(_used(p, s) for s in p.queue.shares.values()),
    "free": lambda p: p.queue.capacity[p.unit] - sum(_used(p, s) for s in p.queue.shares.values()),
    "limits": lambda p: sum(_limit(p, s) for s in p.queue.shares.values()),
    "lent": lambda p: sum(_limit(p, s) for s in p.queue.shares.values() if s.strategy is not Strategy.RESERVE),
}
