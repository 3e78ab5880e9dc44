"""What no game may get: laws of a whole run, whatever priorities, splits and fillers a share brings.

An entitled head (it fits within its share's own limit, settled) of any other share waits for one round of stops at most,
once no higher priority of its own share comes before it, where the limits fit the environment (Theorem R); none waits when
nothing happens any more. And a share never holds more than its limit and what it may borrow. Runs are the clock's
(`reference.clock`), of the reference or of another scheduler; `GAMES` make the gamed workload from the honest one.
Trusted: the clock, `reference.fit` for "entitled".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ....reference.apply import apply
from ....reference.clock import Decide, run
from ....reference.decide import decide as obey
from ....reference.fit import within_limit
from ....reference.queue import Queue
from ....spec.events import EVENTS, Dispatch, Event, Submit
from ....spec.model import MAX_PRIORITY, QueueConfig
from ....spec.observations import Rejected, Settled
from ....spec.readings import Readings
from ....spec.workload import Work

Change = Callable[[Sequence[Work], str], list[Work]]


def inflated(work: Sequence[Work], share: str) -> list[Work]:
    """Every job of the share has the highest priority."""
    return [replace(w, submit=replace(w.submit, priority=MAX_PRIORITY)) if w.submit.share == share else w for w in work]


def split(work: Sequence[Work], share: str) -> list[Work]:
    """Every job of the share in jobs of one machine, of each unit that it asks for."""
    parts: list[Work] = []
    for w in work:
        pieces = [
            replace(w.submit, job=f"{w.submit.job}-{unit}-{k}", size={unit: 1})
            for unit, n in w.submit.size.items()
            for k in range(n)
        ]
        parts += [replace(w, submit=piece) for piece in pieces] if w.submit.share == share else [w]
    return parts


def padded(work: Sequence[Work], share: str) -> list[Work]:
    """The share keeps fillers of one machine running from the first moment to the last, as many as jobs ask for."""
    last = max((w.at + w.runs for w in work), default=0)
    asked = {unit: n for w in work for unit, n in w.submit.size.items()}
    fillers = [
        Work(0, last, Submit(f"{share}-filler-{unit}-{k}", share, {unit: 1}, 0))
        for unit in asked
        for k in range(len(work))
    ]
    return [*fillers, *work]


GAMES: dict[str, Change] = {"inflating": inflated, "splitting": split, "padding": padded}


@dataclass(frozen=True)
class Broken:
    """A law that a run breaks: at what time (ms), which share, how."""

    law: str
    at: int
    share: str
    says: str


def broken(
    config: QueueConfig, readings: Readings, work: Sequence[Work], gamer: str, *, drain: int, decide: Decide = obey
) -> Iterator[Broken]:
    """Laws that a run of this workload breaks: "own", an entitled head of another share than the gamer waits longer than
    `drain` or is left waiting at the end; "limit", the gamer holds more than it may. The limits have to fit the
    environment."""
    queue, since, now = Queue(config, readings), dict[str, int](), 0
    for now, event in run(config, readings, work, drain=drain, decide=decide):
        if isinstance(event, Settled):
            yield from _late(queue, since, now, gamer, drain)
        elif not isinstance(event, Rejected):
            _overtaken(queue, since, event)
            _follow(queue, event)
            yield from _beyond(queue, now, gamer)
    if not queue.draining():
        for name in since:
            yield Broken("own", now, queue.jobs[name].share, f"{name} waits for its own, and nothing happens any more")


def _follow(queue: Queue, event: Event) -> None:
    assert isinstance(event, EVENTS)
    apply(queue, event)


def _overtaken(queue: Queue, since: dict[str, int], event: Event) -> None:
    """A job of its own share with a higher priority starts before a head: that one's wait begins anew (R7)."""
    if isinstance(event, Dispatch):
        first = queue.jobs[event.job]
        for name in [
            n for n in since if queue.jobs[n].share == first.share and queue.jobs[n].priority < first.priority
        ]:
            del since[name]


def _late(queue: Queue, since: dict[str, int], now: int, gamer: str, drain: int) -> Iterator[Broken]:
    """Heads that are owed their machines now, and since when."""
    settled = queue.due()
    owed: dict[str, int] = {}
    for share in queue.awaited():
        head = queue.first(share.name)
        if (
            head is not None
            and share.name != gamer
            and (queue.claim_of(head.name) or within_limit(queue, settled, head))
        ):
            owed[head.name] = since.get(head.name, now)
            if now - owed[head.name] > drain:
                yield Broken("own", now, share.name, f"{head.name} has waited {now - owed[head.name]} ms for its own")
    since.clear()
    since.update(owed)


def _beyond(queue: Queue, now: int, gamer: str) -> Iterator[Broken]:
    for (share, unit), n in queue.usage.items():
        grant = queue.grant(share, unit)
        if share == gamer and grant.borrowable is not None and n > grant.limit + grant.borrowable:
            yield Broken("limit", now, share, f"{share} holds {n} {unit}; it may hold {grant.limit + grant.borrowable}")
