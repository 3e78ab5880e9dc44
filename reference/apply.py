"""`apply`: the only place that changes a queue. One function per kind of event, in a table.

Trusted to be called with events that are possible in the queue's state; `spec.rules` says which are allowed and the
judge checks it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..spec import events as ev
from ..spec.model import ENDED, NEXT, Stage, State, Strategy
from .policy import PLACE
from .queue import Claim, Job, Queue, Share


def apply(queue: Queue, event: ev.Event) -> None:
    """Change the queue as the event says. KeyError for a job or share that does not exist."""
    queue.clock += 1
    _APPLY[type(event)](queue, event)
    for share, head in queue.new_heads():
        share.head, share.head_since = head, queue.clock


def _submit(queue: Queue, e: ev.Submit) -> None:
    job = Job(e.job, e.share, dict(e.size), e.priority or 0, e.retries, queue.clock)
    job.place = PLACE[queue.readings["A20"]](queue.clock)
    queue.add(job)


def _set_priority(queue: Queue, e: ev.SetPriority) -> None:
    job = queue.jobs[e.job]
    job.priority = e.priority
    job.guard_priority = max(job.guard_priority, e.priority)
    queue.line_up(job)


def _end_claim(queue: Queue, job: Job) -> None:
    if queue.claim_of(job.name):
        queue.claims = [c for c in queue.claims if c.job != job.name]
        queue.line_up(job)


def _leave(queue: Queue, job: Job, stage: Stage) -> None:
    if job.stage is Stage.DRAINING:
        for claim in queue.claims:
            if claim.number == job.drains_for:
                for unit, n in job.size.items():
                    claim.freed[unit] = claim.freed.get(unit, 0) + n
    job.drains_for, job.borrowed = 0, {}
    _end_claim(queue, job)
    queue.move(job, stage)


def _terminate(queue: Queue, e: ev.Terminate) -> None:
    _leave(queue, queue.jobs[e.job], Stage.FAILED)


def _advance(queue: Queue, e: ev.Advance) -> None:
    job = queue.jobs[e.job]
    queue.move(job, NEXT[job.stage])


def _finish(queue: Queue, e: ev.Finish) -> None:
    job = queue.jobs[e.job]
    drained = job.stage is Stage.DRAINING
    choice = queue.readings["A34"] if drained and not e.failed else ("failed" if e.failed else "succeeded")
    to = {"succeeded": Stage.SUCCEEDED, "requeued": Stage.RUNNABLE, "failed": Stage.FAILED}[choice]
    _leave(queue, job, to)


def _return(queue: Queue, e: ev.Return) -> None:
    job = queue.jobs[e.job]
    if queue.readings["A54"] == "requeued":
        job.place = queue.clock
    _leave(queue, job, Stage.RUNNABLE)


def _stopped(queue: Queue, e: ev.Stopped) -> None:
    job = queue.jobs[e.job]
    counts = not job.stopped_scheduled or queue.readings["A38"] == "yes"
    job.preemptions += counts
    spent = job.retries is not None and job.preemptions > job.retries
    if queue.readings["A21"] == "requeued":
        job.place = queue.clock
    _leave(queue, job, Stage.FAILED if spent else Stage.RUNNABLE)


def _dispatch(queue: Queue, e: ev.Dispatch) -> None:
    job = queue.jobs[e.job]
    over = {u: queue.usage[job.share, u] + n - queue.grant(job.share, u).limit for u, n in job.size.items()}
    job.borrowed = {u: min(n, max(0, over[u])) for u, n in job.size.items()}
    job.dispatched, job.guard_priority, job.reason = queue.clock, job.priority, ""
    _end_claim(queue, job)
    queue.move(job, Stage.SCHEDULED)


def _claim(queue: Queue, e: ev.Claim) -> None:
    queue.claims_opened += 1
    for name in e.victims:
        victim = queue.jobs[name]
        victim.stopped_scheduled = victim.stage is Stage.SCHEDULED
        victim.drains_for = queue.claims_opened
        queue.move(victim, Stage.DRAINING)
    if e.holds:
        queue.claims = [*queue.claims, Claim(e.job, queue.claims_opened)]
        queue.line_up(queue.jobs[e.job])


def _release(queue: Queue, e: ev.Release) -> None:
    _end_claim(queue, queue.jobs[e.job])


def _misconfigured(queue: Queue, e: ev.Misconfigured) -> None:
    queue.jobs[e.job].reason = e.reason
    queue.changed()


def _administrator(change: Callable[[Queue, Any], None]) -> Callable[[Queue, Any], None]:
    def step(queue: Queue, e: Any) -> None:
        change(queue, e)
        for share in queue.shares:
            for job in queue.waiting(share):
                job.reason = ""
        queue.reconfigured()

    return step


def _set_limits(queue: Queue, e: ev.SetLimits) -> None:
    queue.shares[e.share].limits = dict(e.limits)


def _set_sharing(queue: Queue, e: ev.SetSharing) -> None:
    share = queue.shares[e.share]
    keep = e.borrow_limit is None and queue.readings["A9"] == "keeps" and e.strategy is Strategy.LEND_AND_BORROW
    share.strategy = e.strategy
    share.borrow_limit = share.borrow_limit if keep else e.borrow_limit


def _set_in_share(queue: Queue, e: ev.SetInShare) -> None:
    queue.shares[e.share].in_share = e.enabled


def _set_share_state(queue: Queue, e: ev.SetShareState) -> None:
    queue.shares[e.share].enabled = e.state is State.ENABLED


def _create_share(queue: Queue, e: ev.CreateShare) -> None:
    queue.shares[e.share.name] = Share.of(e.share, queue.clock)


def _delete_share(queue: Queue, e: ev.DeleteShare) -> None:
    share = queue.shares[e.share]
    share.deleting, share.enabled = True, False


def _share_gone(queue: Queue, e: ev.ShareGone) -> None:
    del queue.shares[e.share]
    for name in [n for n, j in queue.jobs.items() if j.share == e.share and j.stage in ENDED]:
        queue.remove(name)


def _set_capacity(queue: Queue, e: ev.SetCapacity) -> None:
    queue.capacity = dict(e.capacity)


def _set_environment_state(queue: Queue, e: ev.SetEnvironmentState) -> None:
    queue.environment_enabled = e.state is State.ENABLED


def _set_queue_state(queue: Queue, e: ev.SetQueueState) -> None:
    queue.queue_enabled = e.state is State.ENABLED


_APPLY: dict[type[ev.Event], Callable[[Queue, Any], None]] = {
    ev.Submit: _submit,
    ev.SetPriority: _set_priority,
    ev.Terminate: _terminate,
    ev.Advance: _advance,
    ev.Finish: _finish,
    ev.Return: _return,
    ev.Stopped: _stopped,
    ev.Dispatch: _dispatch,
    ev.Claim: _claim,
    ev.Release: _release,
    ev.Misconfigured: _misconfigured,
    ev.SetLimits: _administrator(_set_limits),
    ev.SetSharing: _administrator(_set_sharing),
    ev.SetInShare: _administrator(_set_in_share),
    ev.SetShareState: _administrator(_set_share_state),
    ev.CreateShare: _administrator(_create_share),
    ev.DeleteShare: _administrator(_delete_share),
    ev.ShareGone: _administrator(_share_gone),
    ev.SetCapacity: _administrator(_set_capacity),
    ev.SetEnvironmentState: _administrator(_set_environment_state),
    ev.SetQueueState: _administrator(_set_queue_state),
}
