"""Items to one queue: which queue is meant, which shares and environment are its own, and what is left over.

What the files do not say is either refused or noted, never filled in silently: an environment that is only assumed, or
that is not given at all, becomes a note. A queue that cannot have quota shares is named as such (rules 1 and 2).
Trusted: `of_queue`, that no share of the queue is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ..model import LARGEST, EnvironmentCapacityLimit, ServiceEnvironment
from .document import Pointer
from .errors import InputError, listed, nearest, shown
from .items import EnvironmentItem, Item, PolicyItem, QueueItem, ShareItem, Spot

QUOTA_TYPE = "SAGEMAKER_TRAINING"

_K = TypeVar("_K")
_I = TypeVar("_I", ShareItem, EnvironmentItem, QueueItem, PolicyItem)


@dataclass
class Assembled:
    """One queue's items; `environment` is None when its capacity is taken as the sum of the limits."""

    name: str
    shares: list[ShareItem]
    capacity: ServiceEnvironment
    environment: EnvironmentItem | None
    used: list[Item]
    notes: list[str] = field(default_factory=list)
    unused: list[tuple[Item, str]] = field(default_factory=list)
    """Items that do not count, with the reason."""


@dataclass
class _Inputs:
    """Every item once."""

    shares: dict[tuple[str, str], ShareItem] = field(default_factory=dict)
    environments: dict[str, EnvironmentItem] = field(default_factory=dict)
    queues: dict[str, QueueItem] = field(default_factory=dict)
    policies: dict[str, PolicyItem] = field(default_factory=dict)
    repeated: list[tuple[Item, Item]] = field(default_factory=list)
    """Items given again with the same meaning, each after the one that counts."""

    def add(self, item: Item) -> None:
        if isinstance(item, ShareItem):
            self._once(self.shares, (item.queue, item.name), item, f"share {item.name}")
        elif isinstance(item, EnvironmentItem):
            self._once(self.environments, item.name, item, f"service environment {item.name}")
        elif isinstance(item, QueueItem):
            self._once(self.queues, item.name, item, f"job queue {item.name}")
        else:
            self._once(self.policies, item.name, item, f"scheduling policy {item.name}")

    def _once(self, known: dict[_K, _I], key: _K, item: _I, what: str) -> None:
        first = known.setdefault(key, item)
        if first is item:
            return
        same_file = first.spot.document is item.spot.document
        if same_file or first.meaning() != item.meaning():
            how = "twice in one file" if same_file else "in two files with different content"
            raise item.spot.error(
                (),
                f"{what} is given {how}",
                why=f"The other is at {first.spot.place(())}, and nothing says which of the two counts.",
                fix="delete one of the two." if same_file else "leave out the file that is out of date.",
            )
        self.repeated.append((item, first))


def assemble(items: Iterable[Item], queue: str | None) -> Assembled:
    """The one queue in `items`, or the one called `queue`. Raises InputError."""
    inputs = _Inputs()
    for item in items:
        inputs.add(item)
    name = _pick(inputs, queue)
    described = inputs.queues.get(name)
    policy = inputs.policies.get(described.policy) if described else None
    if described:
        _check_queue(described, policy)
    shares = of_queue(inputs.shares.values(), name)
    if not shares:
        place = described.spot.place(("jobQueueName",)) if described else "input"
        raise InputError(
            f"queue {name} has no quota shares here",
            where=place,
            why="Without shares there is no promise that could be judged.",
            fix=f"add the output of `aws batch list-quota-shares --job-queue {name}`, or the create-quota-share files.",
        )
    _check_home([*shares, described] if described else shares)
    notes = [s.note for s in shares if s.note]
    environment, capacity = _environment(inputs, name, described, shares, notes)
    used: list[Item] = [*shares, *(i for i in (described, policy, environment) if i)]
    found = Assembled(name, shares, capacity, environment, used, notes)
    counted = set(map(id, used))
    found.used += [again for again, first in inputs.repeated if id(first) in counted]
    found.unused = list(_unused(inputs, found))
    return found


def of_queue(shares: Iterable[ShareItem], name: str) -> list[ShareItem]:
    """The shares of the queue, in the order given."""
    return [s for s in shares if s.queue == name]


def _pick(inputs: _Inputs, queue: str | None) -> str:
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
            where=_where([*inputs.environments.values(), *inputs.policies.values()]),
            why="Service environments and scheduling policies alone promise nothing to anybody.",
            fix="add the output of `aws batch list-quota-shares --job-queue NAME`.",
        )
    if len(names) > 1:
        raise InputError(
            f"the files are of {len(names)} queues: {listed(names)}",
            where=_where([*inputs.queues.values(), *inputs.shares.values()]),
            why="One queue is judged at a time; an environment serves one queue only (rule 3).",
            fix=f"add --queue {names[0]}.",
        )
    return names[0]


def _where(items: Sequence[Item]) -> str:
    return listed(dict.fromkeys(i.spot.document.name for i in items), most=3) or "input"


def _check_queue(queue: QueueItem, policy: PolicyItem | None) -> None:
    path: Pointer = ()
    because = ""
    if queue.type not in ("", QUOTA_TYPE):
        path, because = ("jobQueueType",), f"its jobQueueType is {shown(queue.type)}"
    elif queue.has_compute and not queue.environments:
        path, because = ("computeEnvironmentOrder",), "it has compute environments and no service environment"
    elif len(queue.environments) > 1:
        path, because = ("serviceEnvironmentOrder",), f"it has {len(queue.environments)} service environments"
    elif policy and not policy.quota:
        path, because = ("schedulingPolicyArn",), f"its scheduling policy {policy.name} is a fairsharePolicy"
    if because:
        raise _not_quota(queue.spot, path, queue.name, because)


def _not_quota(spot: Spot, path: Pointer, queue: str, because: str) -> InputError:
    return spot.error(
        path,
        f"{queue} is not a quota-share queue: {because}",
        why="Quota shares need a SAGEMAKER_TRAINING queue with a quotaSharePolicy and one service environment in "
        "instance types (rules 1, 2).",
        fix="give the files of a quota-share queue, or name it with --queue.",
    )


def _environment(
    inputs: _Inputs, name: str, described: QueueItem | None, shares: list[ShareItem], notes: list[str]
) -> tuple[EnvironmentItem | None, ServiceEnvironment]:
    """The queue's environment by name, else the only one that can be, else the sum of the limits; says so in notes."""
    referred = described.environments[0] if described and described.environments else ""
    item = described.own_environment if described else None
    if item is None and referred:
        item = inputs.environments.get(referred)
    elif item is None:
        item = _only(inputs, name, shares)
        if item:
            fits = any(u in item.environment.capacity for s in shares for u in s.share.limits)
            why = "no other environment here has these units" if fits else "no other environment is given"
            notes.append(f"environment {item.name} is assumed to be the one of {name}: no file says it, and {why}")
    if item:
        _check_environment(item, name)
        _check_home([*shares, item])
        return item, item.environment
    missing = f"environment {referred} of {name} is not given" if referred else f"no environment is given for {name}"
    notes.append(f"{missing}: its capacity is taken as the sum of the shares' limits")
    return None, _sum_of_limits(name, shares)


def _only(inputs: _Inputs, name: str, shares: list[ShareItem]) -> EnvironmentItem | None:
    """The only environment no other queue has that has the units of the shares: all of them, else some, else any."""
    taken = {e for q in inputs.queues.values() if q.name != name for e in q.environments}
    free = [e for e in inputs.environments.values() if e.name not in taken]
    units = {u for s in shares for u in s.share.limits}
    candidates = [e for e in free if units <= set(e.environment.capacity)]
    candidates = candidates or [e for e in free if units & set(e.environment.capacity)] or free
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    names = listed(e.name for e in candidates)
    raise InputError(
        f"any of {len(candidates)} environments may be the one of {name}: {names}",
        where=_where(candidates),
        why="No file says which environment the queue dispatches into, and a guess could be wrong.",
        fix=f"add the output of `aws batch describe-job-queues --job-queues {name}`.",
    )


def _check_environment(item: EnvironmentItem, queue: str) -> None:
    path: Pointer = ()
    because = ""
    if item.type not in ("", QUOTA_TYPE):
        path, because = ("serviceEnvironmentType",), f"its service environment is of type {shown(item.type)}"
    for index, unit in enumerate(item.environment.capacity):
        if unit == "NUM_INSTANCES":
            path = ("capacityLimits", index, "capacityUnit")
            because = f"its service environment {item.name} is limited in NUM_INSTANCES"
    if because:
        raise _not_quota(item.spot, path, queue, because)


def _check_home(items: Sequence[Item]) -> None:
    """One name in two accounts or Regions is two queues."""
    homes: dict[str, Item] = {}
    for item in items:
        if item.spot.home:
            homes.setdefault(item.spot.home, item)
    if len(homes) > 1:
        first, second = list(homes.values())[:2]
        raise second.spot.error(
            (),
            f"the files are of two accounts or Regions: {listed(homes)}",
            why=f"The ARN at {first.spot.place(())} is in {first.spot.home}, this one in {second.spot.home}.",
            fix="give the files of one account and Region.",
        )


def _sum_of_limits(name: str, shares: list[ShareItem]) -> ServiceEnvironment:
    total: dict[str, int] = {}
    for item in shares:
        for unit, limit in item.share.limits.items():
            total[unit] = total.get(unit, 0) + limit
            if total[unit] > LARGEST:
                raise item.spot.error(
                    ("capacityLimits", list(item.share.limits).index(unit), "maxCapacity"),
                    f"the limits of {shown(unit)} add up to more than {LARGEST:,}",
                    why="No environment is given, and no cluster has so many instances.",
                    fix="write the numbers that were meant.",
                )
    limits = tuple(EnvironmentCapacityLimit(max_capacity=n, capacity_unit=u) for u, n in total.items())
    return ServiceEnvironment(service_environment_name=name, capacity_limits=limits)


def _unused(inputs: _Inputs, found: Assembled) -> Iterator[tuple[Item, str]]:
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
    for item in inputs.policies.values():
        if id(item) not in used:
            yield item, f"no file says that policy {item.name} is the one of {found.name}"
