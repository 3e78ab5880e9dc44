"""Every item once: what is given again is compared with what counts, which is always the one given first.

The same object twice in one file is an error; in two files the difference is drift. Trusted: `drift`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from .document import Document
from .drift import Difference, absent, differences, not_counted
from .items import EnvironmentItem, Item, JobItem, PolicyItem, QueueItem, ShareItem

_K = TypeVar("_K")
_I = TypeVar("_I", ShareItem, EnvironmentItem, QueueItem, PolicyItem)


@dataclass
class Inputs:
    """Items by name, each as it was given first."""

    shares: dict[tuple[str, str], ShareItem] = field(default_factory=dict)
    environments: dict[str, EnvironmentItem] = field(default_factory=dict)
    queues: dict[str, QueueItem] = field(default_factory=dict)
    policies: dict[str, PolicyItem] = field(default_factory=dict)
    jobs: list[JobItem] = field(default_factory=list)
    surplus: list[tuple[ShareItem, Document]] = field(default_factory=list)
    """Shares that do not count: an earlier document, named here, lists every share of the queue and lacks them."""
    again: list[tuple[Item, Item]] = field(default_factory=list)
    """Items given again, each after the one that counts."""

    _whole: dict[str, Document] = field(default_factory=dict)
    """Queue -> the first document that lists every share of it."""

    @classmethod
    def of(cls, items: Iterable[Item]) -> Inputs:
        """Raises InputError for an object that stands twice in one file."""
        inputs = cls()
        for item in items:
            inputs._add(item)
        return inputs

    def _add(self, item: Item) -> None:
        if isinstance(item, ShareItem):
            document = item.spot.document
            whole = (
                self._whole.setdefault(item.queue, document) if item.whole else self._whole.get(item.queue, document)
            )
            if whole is not document and (item.queue, item.name) not in self.shares:
                self.surplus.append((item, whole))
                return
            self._once(self.shares, (item.queue, item.name), item, f"share {item.name}")
        elif isinstance(item, EnvironmentItem):
            self._once(self.environments, item.name, item, f"service environment {item.name}")
        elif isinstance(item, QueueItem):
            self._once(self.queues, item.name, item, f"job queue {item.name}")
        elif isinstance(item, JobItem):
            self.jobs.append(item)
        else:
            self._once(self.policies, item.name, item, f"scheduling policy {item.name}")

    def _once(self, known: dict[_K, _I], key: _K, item: _I, what: str) -> None:
        first = known.setdefault(key, item)
        if first is item:
            return
        if first.spot.document is item.spot.document:
            raise item.spot.error(
                (),
                f"{what} is given twice in one file",
                why=f"The other is at {first.spot.place(())}, and nothing says which of the two counts.",
                fix="delete one of the two.",
            )
        self.again.append((item, first))

    def described(self, queue: str) -> list[QueueItem]:
        """Every description of the queue, the one given first before the others."""
        first = self.queues.get(queue)
        return [first, *(i for i, of in self.again if of is first and isinstance(i, QueueItem))] if first else []

    def drift(self, used: Iterable[Item]) -> Iterator[Difference]:
        """What other sources say differently about the items that are used, and which shares they lack."""
        counted = {id(i): i for i in used}
        for item, first in self.again:
            if id(first) in counted:
                yield from differences(first, item)
        shares = [i for i in counted.values() if isinstance(i, ShareItem)]
        again = [i for i, first in self.again if isinstance(i, ShareItem) and id(first) in counted]
        yield from absent(shares, [i for i in (*shares, *again) if i.whole or i.stack])
        queues = {s.queue for s in shares}
        yield from (not_counted(item, whole) for item, whole in self.surplus if item.queue in queues)
