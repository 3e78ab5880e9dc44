"""Schedulers that put jobs in the wrong order, or lose, count or move them wrongly."""

from __future__ import annotations

from dataclasses import replace

from quotaproof.reference.decide import decide
from quotaproof.reference.queue import Queue
from quotaproof.reference.run import deletion, platform_step
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempted


class FailsOneEarly(Queue):
    """Fails a job at preemption N, not at N+1."""

    def add(self, job):
        super().add(job)
        job.retries = max(0, job.retries - 1) if job.retries else job.retries


class SmallestFirst(Queue):
    """Puts small jobs first in line, whatever their priority."""

    def turn(self, job):
        return sum(job.size.values()), *super().turn(job)


class PriorityAtSubmit(Queue):
    """Does not line a job up again when its priority changes."""

    def line_up(self, job):
        if job.stage is not Stage.RUNNABLE or job.name not in self._turns:
            super().line_up(job)


class LosesRequeued(Queue):
    """Does not line a job up again that was preempted."""

    def line_up(self, job):
        if job.preemptions:
            self._leave_line(job)
        else:
            super().line_up(job)


class LosesReturned(Queue):
    """Does not line a job up again that came back for lack of machines."""

    def move(self, job, stage):
        returned = job.stage is Stage.SCHEDULED and stage is Stage.RUNNABLE
        super().move(job, stage)
        if returned:
            self._leave_line(job)


class ReturnIsAPreemption(Queue):
    """Counts a return for lack of machines as a preemption."""

    def move(self, job, stage):
        job.preemptions += job.stage is Stage.SCHEDULED and stage is Stage.RUNNABLE
        super().move(job, stage)


class RequeuesForEver(Queue):
    """Does not look how often a job may be preempted."""

    def add(self, job):
        super().add(job)
        job.retries = None


class TakesWhileDisabled(Queue):
    """Accepts jobs while the queue is DISABLED."""

    queue_enabled = property(lambda _: True, lambda _self, _value: None)


class StartsWhileDisabled(Queue):
    """Starts jobs while the environment is DISABLED."""

    environment_enabled = property(lambda _: True, lambda _self, _value: None)


def one_step(queue, policy):
    """Says that it is settled after every single step."""
    queue.acted = not getattr(queue, "acted", False)
    return decide(queue, policy) if queue.acted else None


def stops_only(queue):
    """Victims stop; deleted shares stay as they are."""
    step = platform_step(queue)
    return step if isinstance(step, ev.Stopped) else None


def deletes_only(queue):
    """Deleted shares end; victims never stop."""
    return deletion(queue)


def counts_from_zero(seen):
    """Reports one preemption less than there were."""
    return (replace(s, count=s.count - 1) if isinstance(s, Preempted) else s for s in seen)


def names_the_attempt(seen):
    """Reports a job that starts again under the name of its new training job."""
    started = set()
    for s in seen:
        again = isinstance(s, ev.Dispatch) and s.job in started
        started |= {s.job} if isinstance(s, ev.Dispatch) else set()
        yield ev.Dispatch(f"{s.job}-again") if again else s


def starts_unsaid(seen):
    """Reports no start of a job that was preempted before."""
    stopped = set()
    for s in seen:
        stopped |= {s.job} if isinstance(s, Preempted) else set()
        if not (isinstance(s, ev.Dispatch) and s.job in stopped):
            yield s
