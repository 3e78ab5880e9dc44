"""The state of a followed queue as a queue of the reference: from here on the reference says what would happen.

Ended jobs are left out; a priority that is not known is 0. Trusted: that the two keep the same books, which tests
compare run by run.
"""

from __future__ import annotations

from ...reference.queue import Claim, Job, Queue, Share
from ...spec.model import QueueConfig, Stage
from ..judge.book import ENDED, HOLDING
from ..judge.jobs import Entry
from .follow import Following


def queue_of(state: Following, config: QueueConfig) -> Queue:
    """An independent queue in the same state. `config` is any configuration that the queue had."""
    book = state.book
    queue = Queue(config, book.readings)
    queue.clock = state.clock
    queue.capacity = dict(book.now.capacity)
    queue.environment_enabled, queue.queue_enabled = book.now.environment_enabled, book.now.queue_enabled
    queue.shares = {name: Share.of(share, i) for i, (name, share) in enumerate(book.now.shares.items())}
    for share in queue.shares.values():
        share.deleting = share.name in book.now.deleting
        front = state.front.get(share.name)
        if front is not None:
            share.head, share.head_since = front.job, front.clock
    queue.claims = [Claim(p.job.name, p.number, dict(p.freed)) for p in book.promises]
    queue.claims_opened = book.claims
    for entry in book.jobs.values():
        if entry.stage not in ENDED:
            queue.add(_job(state, entry))
            for unit, n in entry.size.items() if entry.stage in HOLDING else ():
                queue.usage[entry.share, unit] += n
    queue.reconfigured()
    return queue


def _job(state: Following, entry: Entry) -> Job:
    return Job(
        entry.name,
        entry.share,
        dict(entry.size),
        entry.priority or 0,
        entry.retries,
        created=state.made[entry.name],
        stage=entry.stage,
        preemptions=entry.preemptions,
        place=state.place[entry.name],
        dispatched=entry.dispatched,
        guard_priority=entry.priority_since_dispatch or 0,
        borrowed=dict(entry.borrowed),
        drains_for=entry.claim,
        stopped_scheduled=entry.stage is Stage.DRAINING and entry.was_scheduled,
    )
