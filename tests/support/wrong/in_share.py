"""Schedulers that let higher priorities of a share wait which could take the place of its lower ones (rules 39, 40)."""

from __future__ import annotations

from quotaproof.checker.teach.bugs import never_where
from quotaproof.reference.fit import lacking_physically, within_limit
from quotaproof.reference.queue import Queue


class RemembersPriorities(Queue):
    """Knows with which priority each job came."""

    def __init__(self, config, readings):
        super().__init__(config, readings)
        self.came_with = {}

    def add(self, job):
        super().add(job)
        self.came_with[job.name] = job.priority


on_arrival = never_where(
    lambda queue, job, own: any(queue.came_with[j.name] != j.priority for j in (job, *own))
)  # fmt: skip
"""Looks for lower priorities when a job comes, and not when a priority is changed."""

when_full = never_where(
    lambda queue, job, _own: all(lacking_physically(queue, queue.due(), job, unit) <= 0 for unit in job.size)
)
"""Stops lower priorities when the environment is full, and not when it is the share's own limit that binds."""

one_victim = never_where(lambda _queue, _job, own: len(own) > 1)
"""Lets a higher priority in only where one victim suffices."""

loans_only = never_where(lambda _queue, _job, own: not all(any(victim.borrowed.values()) for victim in own))
"""Stops lower priorities only where they were lent what they hold."""

owners_reclaim = never_where(lambda queue, job, _own: within_limit(queue, queue.due(), job))
"""Lets a head that is within its share's limit wait for what others borrow, also when that is nothing."""
