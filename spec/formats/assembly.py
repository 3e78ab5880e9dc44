"""Items to one queue: which queue is meant, which shares and environment are its own, and what is left over.

What the files do not say is either refused or noted, never filled in silently: an environment that is only assumed, or
that is not given at all, becomes a note. What several sources say differently about one object is listed as drift.
Trusted: `of_queue`, that no share of the queue is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..model import ServiceEnvironment
from .checks import check_home, check_queue
from .drift import Difference, of_environments
from .environment import choose, environments
from .errors import InputError, listed, nearest, shown
from .inputs import Inputs
from .items import EnvironmentItem, Item, JobItem, ShareItem, where_of


@dataclass
class Assembled:
    """One queue's items; `environment` is None when its capacity is taken as the sum of the limits."""

    name: str
    shares: list[ShareItem]
    capacity: ServiceEnvironment
    environment: EnvironmentItem | None
    jobs: list[JobItem]
    used: list[Item]
    notes: list[str] = field(default_factory=list)
    drift: list[Difference] = field(default_factory=list)
    unused: list[tuple[Item, str]] = field(default_factory=list)
    """Items that do not count, with the reason."""


def assemble(items: Iterable[Item], queue: str | None) -> Assembled:
    """The one queue in `items`, or the one called `queue`. Raises InputError."""
    inputs = Inputs.of(items)
    name = _pick(inputs, queue)
    every = inputs.described(name)
    described = every[0] if every else None
    policy = next((inputs.policies[q.policy] for q in every if q.policy in inputs.policies), None)
    for one in every:
        check_queue(one, policy)
    shares = of_queue(inputs.shares.values(), name)
    if not shares:
        place = described.spot.place(("jobQueueName",)) if described else "input"
        raise InputError(
            f"queue {name} has no quota shares here",
            where=place,
            why="Without shares there is no promise that could be judged.",
            fix=f"add the output of `aws batch list-quota-shares --job-queue {name}`, or the create-quota-share files.",
        )
    check_home([*shares, *every])
    notes = [note for item in (*shares, *every[:1]) for note in item.notes]
    candidates = environments(inputs, every)
    environment, capacity = choose(inputs, name, every, candidates, shares, notes)
    jobs = [j for j in inputs.jobs if j.queue == name]
    used: list[Item] = [*shares, *every, *candidates, *jobs, *(i for i in (policy, environment) if i)]
    found = Assembled(name, shares, capacity, environment, jobs, used, notes)
    found.drift += inputs.drift(used)
    found.drift += [d for other in candidates[1:] for d in of_environments(candidates[0], other)]
    counted = set(map(id, used))
    found.used += [again for again, first in inputs.again if id(first) in counted]
    found.unused = list(_unused(inputs, found))
    return found


def of_queue(shares: Iterable[ShareItem], name: str) -> list[ShareItem]:
    """The shares of the queue, in the order given."""
    return [s for s in shares if s.queue == name]


def _pick(inputs: Inputs, queue: str | None) -> str:
    names = list(dict.fromkeys([*inputs.queues, *(s.queue for s in inputs.shares.values())]))
    if queue is not None:
        wanted = queue.rsplit("/", 1)[-1] if queue.startswith("arn:") else queue
        if wanted in names:
            return wanted
        close = nearest(wanted, names)
        raise InputError(
            f"there is no queue {shown(wanted)}",
            where="--queue",
            why=f"The files speak of {listed(names) or 'no queue at all'}.",
            fix=f"did you mean --queue {close}?" if close else "give one of these, or the files of that queue.",
        )
    if not names:
        raise InputError(
            "there is no queue and no quota share",
            where=where_of([*inputs.environments.values(), *inputs.policies.values()]),
            why="Service environments and scheduling policies alone promise nothing to anybody.",
            fix="add the output of `aws batch list-quota-shares --job-queue NAME`.",
        )
    if len(names) > 1:
        raise InputError(
            f"the files are of {len(names)} queues: {listed(names)}",
            where=where_of([*inputs.queues.values(), *inputs.shares.values()]),
            why="One queue is judged at a time; an environment serves one queue only (rule 3).",
            fix=f"add --queue {names[0]}.",
        )
    return names[0]


def _unused(inputs: Inputs, found: Assembled) -> Iterator[tuple[Item, str]]:
    used = set(map(id, found.used))
    for item in inputs.shares.values():
        if id(item) not in used:
            yield item, f"shares of another queue, {item.queue}"
    for item in inputs.queues.values():
        if id(item) not in used:
            yield item, f"another queue, {item.name}"
    for item in inputs.environments.values():
        if id(item) not in used:
            yield item, f"environment {item.name} is not the one of {found.name}"
    for item, whole in inputs.surplus:
        if item.queue == found.name:
            yield item, f"share {item.name} is not in {whole.name}, which was given first"
        else:
            yield item, f"shares of another queue, {item.queue}"
    for item in inputs.jobs:
        if id(item) not in used:
            yield item, f"a job of queue {item.queue[:128]}, which is not judged"
    for item in inputs.policies.values():
        if id(item) not in used:
            yield item, f"no file says that policy {item.name} is the one of {found.name}"
