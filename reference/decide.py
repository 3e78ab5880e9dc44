"""`decide` looks at a queue and says the scheduler's next step; it changes nothing.

One pass: claims that are over end, impossible heads are named, owners start, heads that do not fit claim, borrowers
start first-in first-out. A15 no puts owners and borrowers in one plain iteration.
"""

from __future__ import annotations

from itertools import islice

from ..spec import events as ev
from ..spec.events import Dispatch, Misconfigured, Release, SchedulerEvent
from ..spec.model import Stage, Strategy
from .fit import filled, room, within_limit
from .gives_way import keeps_promises, leaves, owed
from .impossible import reason
from .plan import plan
from .policy import Policy
from .queue import Claim, Job, Queue, Share
from .stuck import applies, stuck


def decide(queue: Queue, policy: Policy) -> SchedulerEvent | None:
    """The next step, or None when nothing moves."""
    if queue.rests(policy):
        return None
    step = _release(queue, policy) or _visit(queue, policy)
    if step is None:
        queue.rest(policy, heads_only=not (policy.backfill or policy.skip_impossible))
    return step


def _visit(queue: Queue, policy: Policy) -> SchedulerEvent | None:
    visited = _visited(queue, policy)
    return _name_impossible(queue, policy, visited) or _start_or_claim(queue, policy, _moving(queue, policy, visited))


def shares(queue: Queue, policy: Policy) -> list[Share]:
    """Shares in which jobs wait, in the order in which they are visited (A17)."""
    return sorted(queue.awaited(), key=policy.share_order)


def _visited(queue: Queue, policy: Policy) -> list[Share]:
    """The same without shares whose head has been found to be stuck."""
    if not applies(policy):
        return shares(queue, policy)
    loose = queue.loose(policy)
    return sorted(loose, key=policy.share_order) if len(loose) > 1 else loose


def _moving(queue: Queue, policy: Policy, visited: list[Share]) -> list[Share]:
    """The same without shares whose head is stuck, as is noted."""
    if not applies(policy):
        return visited
    found: list[Share] = []
    for share in visited:
        job = queue.first(share.name)
        until = stuck(queue, policy, job) if job else None
        if until:
            queue.stick(policy, share.name, until)
        else:
            found.append(share)
    return found


def candidates(queue: Queue, policy: Policy, share: str) -> list[Job]:
    """Jobs of a share that may start next: its head, or with A18 backfill every waiting job, in order."""
    if not (policy.backfill or policy.skip_impossible):
        first = queue.first(share)
        return [first] if first else []
    waiting = queue.waiting(share)
    if policy.skip_impossible:
        waiting = (j for j in waiting if not reason(queue, policy, j))
    return list(waiting if policy.backfill else islice(waiting, 1))


def head(queue: Queue, policy: Policy, share: str) -> Job | None:
    """The head of a share."""
    return next(iter(candidates(queue, policy, share)), None) if policy.skip_impossible else queue.first(share)


def refuses(queue: Queue, policy: Policy, job: Job) -> bool:
    """Whether the head may not start now."""
    return not _able(queue, policy, job) or not _lets_owners(queue, policy, job)


def _able(queue: Queue, policy: Policy, job: Job) -> bool:
    """Its share starts jobs, there is room, and claims keep what they were promised."""
    if _stopped(queue, policy, queue.shares[job.share]):
        return False
    return room(queue, policy, queue.usage, job) and keeps_promises(queue, policy, job)


def _stopped(queue: Queue, policy: Policy, share: Share) -> bool:
    return not queue.environment_enabled or _closed(policy, share)


def _lets_owners(queue: Queue, policy: Policy, job: Job, owed_to: list[Job] | None = None) -> bool:
    """A borrower leaves the heads of other shares what is theirs (A15); `owed_to`: heads that are owed, where known."""
    if not policy.entitled_first or within_limit(queue, queue.usage, job):
        return True
    owed_to = _owed_to(queue, policy, queue.awaited()) if owed_to is None else owed_to
    settled = queue.due() if owed_to else queue.usage
    return all(leaves(queue, policy, job, other, settled) for other in owed_to if other.share != job.share)


def _owed_to(queue: Queue, policy: Policy, shares: list[Share]) -> list[Job]:
    """Heads that loans have to be left for."""
    heads = (head(queue, policy, share.name) for share in shares if not _closed(policy, share))
    settled = queue.due()
    return [other for other in heads if other and owed(queue, policy, other, settled)]


def _closed(policy: Policy, share: Share) -> bool:
    """Whether the share starts nothing any more (rules 50, 51; A46)."""
    return share.deleting or not (policy.disabled_run or share.enabled)


def _in_line(policy: Policy, share: Share) -> bool:
    """Whether the share is one of those that get what others leave idle, in their order."""
    return share.strategy is Strategy.LEND_AND_BORROW and not _closed(policy, share)


def _release(queue: Queue, policy: Policy) -> Release | None:
    for claim in queue.claims:
        job, held = queue.jobs[claim.job], queue.held(claim)
        share = queue.shares[job.share]
        gone = job.stage is not Stage.RUNNABLE or head(queue, policy, job.share) is not job
        gone = gone or _closed(policy, share)
        settled = queue.due()
        lost = any(settled[job.share, u] > queue.grant(job.share, u).limit for u in job.size) and not policy.part_own
        promised = _nothing_more(job)
        unfunded = any(filled(queue, held, promised, u) > policy.ceiling(queue, u, False) for u in job.size)
        if (
            gone
            or lost
            or unfunded
            or (not policy.claims_whole and _spent(queue, claim) and refuses(queue, policy, job))
        ):
            return Release(claim.job)
    return None


def _spent(queue: Queue, claim: Claim) -> bool:
    """Nothing drains any more for a claim that holds only what its victims free (A58)."""
    return not any(j.drains_for <= claim.number for j in queue.draining())


def _nothing_more(job: Job) -> Job:
    """The job asking for nothing, since its claim is already counted in what is due."""
    return Job(job.name, job.share, {}, job.priority, None, job.created)


def _name_impossible(queue: Queue, policy: Policy, visited: list[Share]) -> Misconfigured | None:
    for share in visited:
        job = queue.first(share.name)
        why = reason(queue, policy, job) if job else ""
        if job and why and why != job.reason:
            return Misconfigured(job.name, why)
    return None


def _start_or_claim(queue: Queue, policy: Policy, visited: list[Share]) -> SchedulerEvent | None:
    if not visited:
        return None
    lines = [line for share in visited if (line := _next(queue, policy, share.name))]
    ready = [job for line in lines for job in line]
    owners = {job for job in ready if within_limit(queue, queue.usage, job)}
    able: set[Job] = set()
    for job in ready:
        if _able(queue, policy, job):
            if job in owners or not policy.entitled_first:
                return Dispatch(job.name)
            able.add(job)
    for job, *_ in lines:
        claimed = None if job in able else claim(queue, policy, job)
        if claimed is not None:
            return claimed
    borrowers = sorted((j for j in ready if j not in owners), key=lambda j: policy.fifo(queue.shares[j.share], j))
    if not able:
        return None
    owed_to = _owed_to(queue, policy, visited)
    for job in borrowers:
        if job in able and _lets_owners(queue, policy, job, owed_to):
            return Dispatch(job.name)
        if policy.strict_fifo and _in_line(policy, queue.shares[job.share]):
            break
    return None


def _next(queue: Queue, policy: Policy, share: str) -> list[Job]:
    """The head of a share, and with A18 backfill the first job in line that may start: none overtakes one that may."""
    found = candidates(queue, policy, share)
    return found[:1] + [j for j in found if not refuses(queue, policy, j)][:1] if policy.backfill else found


def claim(queue: Queue, policy: Policy, job: Job) -> ev.Claim | None:
    """The claim of a head that does not fit, unless it has one."""
    if _stopped(queue, policy, queue.shares[job.share]) or queue.claim_of(job.name):
        return None
    return plan(queue, policy, job)
