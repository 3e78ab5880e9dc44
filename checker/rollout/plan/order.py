"""In which order to send the requests of a change, so that every configuration in between is safe.

Safe is a configuration in which
- no share is sure of less of any unit than in the weaker of both ends (nothing, for one that is new or goes);
- no unit's limits exceed the environment by more than at the worse of both ends;
- there are no more than 20 shares, or as many as at an end (rule 3);
- every promise that both ends keep is kept.
Requests for one share stay in the order in which they are asked for: a share is disabled before it is deleted (rule 51).
The search goes depth-first through sets of requests, each judged once. Up to 12 requests that is every set; of more,
`MOST_SETS` are tried, and no order found is then said to be just that.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from ....spec.changes import Edit, Verb, after
from ....spec.model import MAX_SHARES, QueueConfig
from ....spec.readings import Readings
from ...findings.check import listed, short_units
from ...findings.table import lots
from .requests import joined, parts, poorer, rank, sure, told

MOST_SETS = 4096
"""Two to the power of 12."""


@dataclass(frozen=True)
class Lost:
    """Promises that both ends keep and a configuration does not, and those of which that was not decided, by name."""

    broken: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()


Loses = Callable[[QueueConfig], Lost]


def nothing_promised(_config: QueueConfig) -> Lost:
    return Lost()


@dataclass(frozen=True)
class Order:
    """The requests in a safe order; or in the order asked for, and why there is no safe one."""

    edits: tuple[Edit, ...]
    found: bool
    why: tuple[str, ...] = ()
    """Why a request comes only after another, by their numbers; without an order, what blocks each request."""
    split: tuple[str, ...] = ()
    exhausted: bool = True
    """False: not every set of requests was tried, or of some it was not decided whether they are safe."""
    undecided: tuple[str, ...] = ()
    """Promises, by name, of which it was not decided whether each configuration in between keeps them."""
    between: tuple[QueueConfig, ...] = ()
    """The configuration after each of `edits`."""


def order(
    old: QueueConfig,
    edits: Sequence[Edit],
    readings: Readings,
    *,
    loses: Loses = nothing_promised,
    notice: bool = False,
) -> Order:
    """The order to send `edits` in. With `notice`, what takes nothing comes first where it can: the rest has to wait."""
    ends = Ends(old, after(old, edits, readings), readings, loses)
    found = _Search(ends, tuple(edits), notice).run()
    if found.found or not found.exhausted:
        return found
    divided = {i: some for i, edit in enumerate(edits) if len(some := parts(old, edit)) > 1}
    best = _divided(ends, edits, divided, notice)
    if not divided or not best.found:
        return found
    for i, k in [(i, k) for i, some in divided.items() for k in reversed(range(len(some) - 1))]:
        some = divided[i]
        fewer = {**divided, i: (*some[:k], joined(some[k], some[k + 1]), *some[k + 2 :])}
        tried = _divided(ends, edits, fewer, notice)
        if tried.found:
            divided, best = fewer, tried
    return best


def _divided(ends: Ends, edits: Sequence[Edit], divided: Mapping[int, Sequence[Edit]], notice: bool) -> Order:
    every = tuple(part for i, edit in enumerate(edits) for part in divided.get(i, (edit,)))
    split = tuple(edits[i].subject for i, some in divided.items() if len(some) > 1)
    return replace(_Search(ends, every, notice).run(), split=split)


@dataclass(frozen=True)
class Ends:
    """The configurations before and after, and what they have in common."""

    old: QueueConfig
    new: QueueConfig
    readings: Readings
    loses: Loses

    @cached_property
    def sure(self) -> Mapping[tuple[str, str], int]:
        """(Share, unit) -> what it is sure of at the weaker end."""
        before, now = (sure(config, self.readings) for config in (self.old, self.new))
        return {key: min(before[key], now[key]) for key in before.keys() & now.keys()}

    @cached_property
    def excess(self) -> Mapping[str, int]:
        """Unit -> by how much the limits exceed the environment at the worse end."""
        before, now = (_excess(config, self.readings) for config in (self.old, self.new))
        return {unit: max(before.get(unit, 0), now.get(unit, 0)) for unit in before.keys() | now.keys()}

    @cached_property
    def touched(self) -> Collection[str]:
        """Shares that are not as they were."""
        before, now = ({s.name: s.canonical() for s in config.shares} for config in (self.old, self.new))
        return {name for name in before.keys() | now.keys() if before.get(name) != now.get(name)}

    @cached_property
    def short(self) -> Mapping[str, str]:
        return short_units([*dict.fromkeys([*self.old.units, *self.new.units])])

    def unsafe(self, config: QueueConfig, edit: Edit) -> str:
        """Why the configuration, reached by the edit, is not safe, as the rest of "... would"; '' when it is."""
        most = max(MAX_SHARES, len(self.old.shares), len(self.new.shares))
        if len(config.shares) > most:
            return f"make {len(config.shares)} shares of at most {most} (rule 3)"
        here = sure(config, self.readings)
        less = [key for key, least in self.sure.items() if here.get(key, 0) < least]
        for lot in lots(config, self.readings):
            if max(0, lot.given - lot.capacity) > self.excess.get(lot.unit, 0):
                waits = [s.name for i, s in enumerate(config.shares) if lot.sure(i) < lot.grants[i].limit]
                waits.sort(key=lambda name: (name != edit.share, name not in self.touched))
                who = " or ".join(waits[:2])
                return f"give {lot.given} of {lot.capacity} {self.short[lot.unit]}: {who} could wait for ever (QP101)"
        if less:
            share, unit = less[0]
            found = f"{here.get(less[0], 0)} {self.short[unit]}, not of {self.sure[less[0]]}"
            return f"leave {share} sure of {found}"
        if broken := self.loses(config).broken:
            return f"break {listed(broken)}, which {'is' if len(broken) == 1 else 'are'} kept before and after"
        return ""


@dataclass
class _Search:
    """Depth-first through the sets of requests that can have been sent; a set without a way on is entered once."""

    ends: Ends
    edits: tuple[Edit, ...]
    notice: bool
    configs: dict[int, QueueConfig] = field(default_factory=dict[int, QueueConfig])
    reasons: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    """(Set, next request) -> why not."""
    dead: set[int] = field(default_factory=set[int])
    undecided: dict[str, None] = field(default_factory=dict[str, None])
    """Names of promises for which a set was passed by without knowing."""

    def run(self) -> Order:
        everything = (1 << len(self.edits)) - 1
        self.configs[0] = self.ends.old
        path: list[int] = []
        found = self._on(0, everything, path)
        if not found:
            exhausted = len(self.configs) <= MOST_SETS and not self.undecided
            between = tuple(
                after(self.ends.old, self.edits[: i + 1], self.ends.readings) for i in range(len(self.edits))
            )
            why, unsure = tuple(self._blocked()), tuple(self.undecided)
            return Order(self.edits, False, why, exhausted=exhausted, undecided=unsure, between=between)
        between = tuple(self.configs[sum(1 << k for k in path[: i + 1])] for i in range(len(path)))
        return Order(tuple(self.edits[k] for k in path), True, tuple(self._before(path)), between=between)

    def _on(self, sent: int, everything: int, path: list[int]) -> bool:
        if sent == everything:
            return True
        for k in self._next(sent):
            then = sent | 1 << k
            if then in self.dead or len(self.configs) > MOST_SETS or self._refused(sent, k):
                continue
            path.append(k)
            if self._on(then, everything, path):
                return True
            path.pop()
        self.dead.add(sent)
        return False

    def _refused(self, sent: int, k: int) -> str:
        """Why request `k` must not come next; '' when it may."""
        if (sent, k) not in self.reasons:
            then = sent | 1 << k
            if then not in self.configs:
                self.configs[then] = after(self.configs[sent], [self.edits[k]], self.ends.readings)
            last = then == (1 << len(self.edits)) - 1
            self.reasons[sent, k] = "" if last else self._unsafe(self.configs[then], self.edits[k])
        return self.reasons[sent, k]

    def _unsafe(self, config: QueueConfig, edit: Edit) -> str:
        why = self.ends.unsafe(config, edit)
        if why or not (unsure := self.ends.loses(config).undecided):
            return why
        self.undecided |= dict.fromkeys(unsure)
        return f"leave {listed(unsure)} not decided"

    @cached_property
    def _first(self) -> Sequence[int]:
        """The requests, those first that make room, and with notice those that nobody has to wait for."""
        ranks = [rank(self.ends.old, edit) for edit in self.edits]
        waits = [self.notice and self._takes(k) for k in range(len(self.edits))]
        return sorted(range(len(self.edits)), key=lambda k: (waits[k], ranks[k], k))

    def _takes(self, k: int) -> bool:
        """Whether the request takes something of a share, sent as soon as it can be."""
        earlier = [edit for j, edit in enumerate(self.edits) if self._needs[k] >> j & 1]
        before = after(self.ends.old, earlier, self.ends.readings)
        return bool(poorer(before, self.edits[k], self.ends.readings))

    @cached_property
    def _needs(self) -> Sequence[int]:
        """For each request the set of those that must have been sent: earlier ones for the same subject."""
        same = [[(e.verb is Verb.ENVIRONMENT, e.subject) == (other.verb is Verb.ENVIRONMENT, other.subject)
                 for other in self.edits] for e in self.edits]  # fmt: skip
        return [sum(1 << j for j in range(k) if same[k][j]) for k in range(len(self.edits))]

    def _next(self, sent: int) -> Iterator[int]:
        for k in self._first:
            if not sent >> k & 1 and self._needs[k] & ~sent == 0:
                yield k

    def _before(self, path: Sequence[int]) -> Iterator[str]:
        """Why a request does not come one place earlier."""
        sent = 0
        for number, (k, then) in enumerate(pairwise(path), 1):
            if self._needs[then] & ~sent == 0 and (why := self._refused(sent, then)):
                yield f"{number + 1} before {number} would {why}."
            sent |= 1 << k

    def _blocked(self) -> Iterator[str]:
        """What stands against each request where most have been sent and none can follow."""
        furthest = max(self.dead, key=lambda sent: (sent.bit_count(), -sent))
        sent = [told(self.edits[k]) for k in range(len(self.edits)) if furthest >> k & 1]
        yield f"After {listed(sent)} nothing more is safe:" if sent else "None of them is safe as the first:"
        for k in self._next(furthest):
            why = self._refused(furthest, k) or "leave no safe way on"
            yield f"{told(self.edits[k])} would {why}."


def _excess(config: QueueConfig, readings: Readings) -> dict[str, int]:
    return {lot.unit: max(0, lot.given - lot.capacity) for lot in lots(config, readings)}
