"""Runs of one workload under policies, on the jobs that each of them can run. Trusted: `policies`, the reference's `room`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ....reference.fit import room
from ....reference.impossible import reason
from ....reference.policy import Policy as Choices
from ....reference.queue import Job, Queue
from ....spec.model import QueueConfig, State
from ....spec.workload import Workload
from .policies import POLICIES, Moment, Settings, Setup

Left = Mapping[str, str]
"""Job -> why it never runs."""


def prepare(config: QueueConfig, workload: Workload, policy: str, settings: Settings) -> Setup:
    """The queue and the jobs as `policy` has them; each job's checkpoints are its own, its share's, or the default."""
    work = []
    for w in workload.work:
        work.append(replace(w, checkpoints=w.checkpoints.over(settings.of(w.submit.share))))
    return POLICIES[policy].prepare(config, tuple(work), settings)


def run(config: QueueConfig, workload: Workload, policy: str, settings: Settings) -> Iterator[Moment]:
    """What happens to the workload in a queue under a policy of `POLICIES`, each step before it is applied.

    A job's share is the workload's; where a policy has put it into another, that one is in the events.
    """
    return prepare(config, workload, policy, settings).moments()


def never(setup: Setup) -> Left:
    """Jobs that can never run: they do not fit into the queue when it is empty, or nobody takes them."""
    if setup.tells:
        return {w.submit.job: "the source does not say when it ran" for w in setup.work if not w.was}
    queue, choices = Queue(setup.config, setup.settings.readings), Choices.of(setup.settings.readings)
    found: dict[str, str] = {}
    known: dict[tuple[str, tuple[tuple[str, int], ...]], str] = {}
    for w in setup.work:
        key = w.submit.share, tuple(sorted(w.submit.size.items()))
        if key not in known:
            known[key] = _why(queue, choices, Job(w.submit.job, w.submit.share, dict(w.submit.size), 0, None, 0))
        if known[key]:
            found[w.submit.job] = known[key]
    return found


def _why(queue: Queue, choices: Choices, job: Job) -> str:
    share = queue.shares.get(job.share)
    if share is None:
        return f"there is no share {job.share}"
    if not share.enabled or not queue.environment_enabled:
        return f"{'the environment' if share.enabled else job.share} is {State.DISABLED}"
    if room(queue, choices, queue.usage, job):
        return ""
    return reason(queue, choices, job) or "it does not fit beside what is kept for other shares, also when nothing runs"


def common(
    configs: Sequence[QueueConfig], workload: Workload, policies: Sequence[str], settings: Settings
) -> tuple[Workload, Mapping[tuple[int, str], Left]]:
    """The jobs that every policy can run in every queue; and of each queue (its index) and policy the jobs it never runs.

    `static-best` never runs what `static` does not: its search leaves every share as much as its largest job needs.
    """
    left = {
        (index, policy): never(prepare(config, workload, "static" if policy == "static-best" else policy, settings))
        for index, config in enumerate(configs)
        for policy in policies
    }
    out = {job for each in left.values() for job in each}
    return replace(workload, work=tuple(w for w in workload.work if w.submit.job not in out)), left
