"""Schedulers that, as public reports tell, do not take back what they should: some plan is refused, for a bad reason."""

from __future__ import annotations

from quotaproof.checker.teach.bugs import passing_over
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev

from .base import heads, limit


def _plan(bad):
    """The reference without the plans that are `bad`: (queue, the job, its victims)."""

    def passed(queue, step):
        victims = [queue.jobs[name] for name in step.victims] if isinstance(step, ev.Claim) else []
        return bool(victims) and bad(queue, queue.jobs[step.job], victims)

    return passing_over(passed)


smaller_frees_nothing = _plan(
    lambda _q, job, victims: any(v.size.get(u, 0) < n for v in victims for u, n in job.size.items())
)
"""Takes no victim that is smaller than the job in a unit, though several together suffice."""

nothing_while_it_runs = _plan(lambda queue, job, _v: any(j.share == job.share for j in queue.stoppable()))
"""Takes nothing back for a share that runs a job."""

nothing_at_a_limit = _plan(
    lambda queue, job, _v: any(queue.usage[job.share, u] >= n for u, n in queue.shares[job.share].limits.items())
)
"""Takes nothing back for a share that is at its limit in any unit, also one of which the job asks nothing."""

nothing_without_all_limits = _plan(lambda queue, job, _v: queue.capacity.keys() - queue.shares[job.share].limits.keys())
"""Takes nothing back for a share without a limit in every unit of the environment."""

idle_does_not_count = _plan(
    lambda _q, job, victims: any(sum(v.size.get(u, 0) for v in victims) < n for u, n in job.size.items())
)
"""Takes nothing back unless the victims alone free the whole job, whatever is idle."""

unservable_blocks = _plan(
    lambda queue, job, _v: any(
        queue.due()[h.share, u] + n > limit(queue, h.share, u)
        for h in heads(queue) if h.share != job.share for u, n in h.size.items()
    )
)  # fmt: skip
"""Takes nothing back while another share asks for more than its own limit."""


def _largest_loan(queue, share):
    return max(queue.usage[share, u] - limit(queue, share, u) for u in queue.capacity)


largest_loan_decides = _plan(
    lambda queue, job, victims: any(_largest_loan(queue, v.share) <= _largest_loan(queue, job.share) for v in victims)
)
"""Takes back only from a share with a larger loan, also where the loans are of different units."""

too_large_ends_the_search = _plan(
    lambda queue, job, victims: any(
        n > limit(queue, job.share, u) - queue.usage[job.share, u] for u, n in victims[0].size.items() if u in job.size
    )
)
"""Gives up where the first candidate is larger than what the share has left of its limit."""

usage_within_all_limits = _plan(
    lambda queue, job, _v: any(
        sum(queue.usage[s, u] for s in queue.shares) + n > queue.limits(u) for u, n in job.size.items()
    )
)
"""Takes nothing back where usage with the job would be above the sum of all limits, though the victims leave."""

own_victims_only = _plan(lambda _q, job, victims: any(v.share != job.share for v in victims))
"""Looks for victims in the job's own share only."""

larger_than_its_limit = _plan(lambda queue, job, _v: any(n > limit(queue, job.share, u) for u, n in job.size.items()))
"""Stops nobody, not even in its own share, for a job that alone is above its share's limit."""

one_machine_only = _plan(lambda _q, job, _v: any(n > 1 for n in job.size.values()))
"""Takes nothing back for a job of more than one machine."""


class Parks(Queue):
    """A queue that keeps a list of heads that it looks at no more."""

    def __init__(self, config, readings):
        super().__init__(config, readings)
        self.parked = set()


def _parks(queue, job, _victims):
    if any(queue.draining()):
        queue.parked.add(job.name)
    return job.name in queue.parked


parks_while_others_drain = _plan(_parks)
"""Passes over a plan while victims of another drain, and never comes back to its job."""
