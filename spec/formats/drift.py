"""Drift: what two sources say differently about one share, environment, queue or policy.

The source given first counts; every other one is compared with it, and only in what both say. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from . import places
from .document import Document
from .items import EnvironmentItem, Item, PolicyItem, QueueItem, ShareItem

NOT_COUNTED = "not counted"


@dataclass(frozen=True)
class Difference:
    """One field that two sources give differently. Values are as a message shows them; for an object that is in one
    source only `value` is '' or `NOT_COUNTED`."""

    what: str
    """The object: "share foundation"."""
    field: str
    """"limit of ml.p5.48xlarge", "strategy"; '' when the object as a whole is in one source only."""
    value: str
    place: str
    """Of the source that counts, file:line."""
    other: str
    other_place: str
    """file:line, or the file alone when the object is not in it."""
    share: str = ""
    unit: str = ""


def differences(item: Item, other: Item) -> Iterator[Difference]:
    """What `other` says differently from `item`, which counts; both are of one kind and have one name."""
    if isinstance(item, ShareItem) and isinstance(other, ShareItem):
        yield from _of_shares(item, other)
    elif isinstance(item, EnvironmentItem) and isinstance(other, EnvironmentItem):
        yield from of_environments(item, other)
    elif isinstance(item, QueueItem) and isinstance(other, QueueItem):
        yield from _of_queues(item, other)
    elif isinstance(item, PolicyItem) and isinstance(other, PolicyItem) and item.quota != other.quota:
        kinds = ["quotaSharePolicy" if i.quota else "fairsharePolicy" for i in (item, other)]
        at = [i.spot.place(()) for i in (item, other)]
        yield Difference(f"policy {item.name}", "kind", kinds[0], at[0], kinds[1], at[1])


def absent(shares: Iterable[ShareItem], listing: Iterable[ShareItem]) -> Iterator[Difference]:
    """Shares that a source which lists the shares of the queue does not have. `listing`: the shares of such sources."""
    known: dict[int | str, set[str]] = {}
    files: dict[int | str, str] = {}
    for item in listing:
        source = item.stack or id(item.spot.document)
        known.setdefault(source, set()).add(item.name)
        files.setdefault(source, item.spot.document.name)
    for item in shares:
        for source, names in known.items():
            if item.name not in names:
                place = places.of_share(item.spot, "share", None, ())
                yield Difference(f"share {item.name}", "", "", place, "", files[source], item.name)


def not_counted(item: ShareItem, whole: Document) -> Difference:
    """A share that an earlier source which lists all of them does not have."""
    place = places.of_share(item.spot, "share", None, ())
    return Difference(f"share {item.name}", "", NOT_COUNTED, place, "", whole.name, item.name)


def _of_shares(item: ShareItem, other: ShareItem) -> Iterator[Difference]:
    ours, theirs = _fields(item), _fields(other)
    what = f"share {item.name}"
    for unit in dict.fromkeys((*item.share.limits, *other.share.limits)):
        values = [_number(i.share.limits.get(unit)) for i in (item, other)]
        if values[0] != values[1]:
            at = [places.of_share(i.spot, "limit", unit, tuple(i.share.limits)) for i in (item, other)]
            yield Difference(what, f"limit of {unit}", values[0], at[0], values[1], at[1], item.name, unit)
    for field, value in ours.items():
        if value != theirs[field]:
            at = [places.of_share(i.spot, field, None, ()) for i in (item, other)]
            yield Difference(what, field, value, at[0], theirs[field], at[1], item.name)


def _fields(item: ShareItem) -> Mapping[str, str]:
    share = item.share
    borrow = "no maximum" if share.borrow_limit in (None, -1) else f"{share.borrow_limit} %"
    return {
        "strategy": share.strategy.value,
        "borrowLimit": borrow if share.strategy.value == "LEND_AND_BORROW" else "none",
        "inSharePreemption": "ENABLED" if share.in_share else "DISABLED",
        "state": share.state.value,
    }


def of_environments(item: EnvironmentItem, other: EnvironmentItem) -> Iterator[Difference]:
    """What `other` says differently about the capacity a queue dispatches into, under whatever name."""
    what = f"environment {item.name}"
    ours, theirs = item.environment.capacity, other.environment.capacity
    for unit in dict.fromkeys((*ours, *theirs)):
        values = [_number(capacity.get(unit)) for capacity in (ours, theirs)]
        if values[0] != values[1]:
            at = [places.of_environment(i.spot, unit, tuple(i.environment.capacity)) for i in (item, other)]
            yield Difference(what, f"capacity of {unit}", values[0], at[0], values[1], at[1], unit=unit)
    fields = {"state": [i.environment.state.value for i in (item, other)], "type": [item.type, other.type]}
    for field, (value, otherwise) in fields.items():
        if value and otherwise and value != otherwise:
            yield Difference(what, field, value, item.spot.place(()), otherwise, other.spot.place(()))


def _of_queues(item: QueueItem, other: QueueItem) -> Iterator[Difference]:
    fields = {
        "environment": [", ".join(i.environments) for i in (item, other)],
        "policy": [item.policy, other.policy],
        "type": [item.type, other.type],
    }
    for field, (value, otherwise) in fields.items():
        if value and otherwise and value != otherwise:
            yield Difference(f"queue {item.name}", field, value, item.spot.place(()), otherwise, other.spot.place(()))


def _number(count: int | None) -> str:
    return "none" if count is None else str(count)
