"""Legal schedulers: the reference with other choices where AWS leaves the choice free. Each must pass everything.

Victims, the order of shares, ties, when a claim is opened, who ends while it drains: none of this is promised to anybody.
Where a scheduler reads an open question otherwise, it declares that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random

from quotaproof.checker.conform.reference import Reference
from quotaproof.reference.decide import candidates, decide, refuses, shares
from quotaproof.reference.policy import VICTIM, Policy
from quotaproof.reference.run import platform_step
from quotaproof.spec import events as ev


def _reading(**fields) -> Callable[..., Policy]:
    """The policy of some readings with these choices of its own."""
    return lambda readings: replace(Policy.of(readings), **fields)


def _by(key, **fields) -> Reference:
    """Victims in the order of a key of the job."""
    return Reference(policy=_reading(victim=lambda _queue, _used, job: (key(job),), **fields))


def _at_random(queue, _used, job):
    return (Random(f"{queue.clock} {job.name}").random(),)


def rotating(queue, policy):
    """A scheduler that begins its round with another share each time."""
    first = queue.clock % max(1, len(queue.shares))
    order = [s.name for s in queue.shares.values()]
    order = order[first:] + order[:first]
    return decide(queue, replace(policy, share_order=lambda share: (order.index(share.name),)))


def one_victim_a_pass(queue, policy):
    """A scheduler that tells one victim at a time; the claim holds from the last one on."""
    step = decide(queue, policy)
    if isinstance(step, ev.Claim) and len(step.victims) > 1:
        return replace(step, victims=step.victims[:1], holds=False)
    return step


def one_claim_at_a_time(queue, policy):
    """A scheduler that opens no claim while victims of another drain."""
    step = decide(queue, policy)
    return _instead(queue, policy) if isinstance(step, ev.Claim) and any(queue.draining()) else step


def claims_last(queue, policy):
    """A scheduler that claims only when nothing at all can start."""
    step = decide(queue, policy)
    found = _instead(queue, policy) if isinstance(step, ev.Claim) else None
    return found if isinstance(found, ev.Dispatch) else step


def _instead(queue, policy):
    """What the reference does when it makes no claim: owners that may start have started."""
    ready = [j for s in shares(queue, policy) for j in candidates(queue, policy, s.name)]
    able = [j for j in ready if not refuses(queue, policy, j)]
    first = min(able, key=lambda j: policy.fifo(queue.shares[j.share], j), default=None)
    return ev.Dispatch(first.name) if first else None


def ends_by_itself(queue):
    """A platform on which every other victim ends by itself before it is stopped."""
    step = platform_step(queue)
    return ev.Finish(step.job) if isinstance(step, ev.Stopped) and queue.clock % 2 else step


def last_told_stops_first(queue):
    """A platform on which victims stop in the opposite order."""
    told = max(queue.draining(), key=lambda j: (j.drains_for, j.name), default=None)
    return ev.Stopped(told.name) if told else platform_step(queue)


@dataclass(frozen=True)
class _Size:
    sign: int

    def __call__(self, job):
        return self.sign * sum(job.size.values())


def _read(**choices: str) -> Reference:
    """The reference with a choice that it declares."""
    return Reference(choices=choices)


LEGAL: Mapping[str, Reference] = {
    "kueue-fill-back": Reference(policy=_reading(victim=VICTIM["priority"], prune=True)),
    "most-borrowed-greedy": Reference(policy=_reading(victim=VICTIM["borrowed"], prune=False)),
    "youngest-victim": _by(lambda job: -job.dispatched),
    "oldest-victim": _by(lambda job: job.dispatched),
    "largest-victim": _by(_Size(-1)),
    "smallest-victim": _by(_Size(1), prune=False),
    "random-victim": Reference(policy=_reading(victim=_at_random)),
    "random-victim-greedy": Reference(policy=_reading(victim=_at_random, prune=False)),
    "rotating-shares": Reference(decide=rotating),
    "shares-by-name": Reference(policy=_reading(share_order=lambda share: (share.name,))),
    "shares-reversed": Reference(policy=_reading(share_order=lambda share: (-share.created,))),
    "one-victim-a-pass": Reference(
        decide=one_victim_a_pass, policy=_reading(insufficient=False, prune=True), choices={"A28": "greedy"}
    ),
    "one-claim-at-a-time": Reference(decide=one_claim_at_a_time),
    "claims-last": Reference(decide=claims_last),
    "own-victims-first": Reference(policy=_reading(own_victims_first=True)),
    "no-mixed-plans": Reference(policy=_reading(mixed_plans=False)),
    "victims-end-by-themselves": Reference(platform=ends_by_itself),
    "last-told-stops-first": Reference(platform=last_told_stops_first),
    "labels-per-job": _read(A13="a"),
    "minimal-plans": _read(A28="minimal"),
    "strict-borrowers": _read(A16b="strict"),
    "surplus-void": _read(A5="void"),
    "surplus-borrowable": _read(A5="borrowable"),
    "newest-first": _read(A20="newest", A21="requeued"),
}
"""By what they choose."""
