"""A small queue as counters: jobs of a kind are alike, and what the rules call numbers of a share are sums of them.

Of every kind so many wait, run and drain. What drains is counted by the live claim that waits for it, which is the first
one numbered no lower than the claim it was told to stop for; `Waits(None)`: no live claim does. A share has at most one
live claim; `place` is its position among the live ones. What a rule asks of the queue (`view`) is given as expressions
over the counters. Trusted: that this is what `spec.rules.view` calls its numbers; the tests compare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...spec.administered import Administered
from ...spec.expr.nodes import Bool, Int, Node, add, all_of, any_of, const, ite, maximum, minimum
from ...spec.expr.walk import N, rebuild
from ...spec.model import QueueConfig, Stage
from ...spec.readings import Readings
from ...spec.rules import actions
from ...spec.rules.lifecycle import code
from ...spec.rules.view import Enumerated
from .kinds import Discipline, Kind, NotExplored, check
from .model import Variable

Updates = dict[str, Int]
"""Variable -> its number after a step."""


@dataclass(frozen=True)
class Waits:
    """Whose claim a draining job counts for: the live one of a share, or nobody's.

    `told`: it was told to stop for that very claim. Kept apart only where that matters (A58 freed).
    """

    share: str | None
    told: bool = True


NOBODY = Waits(None)


class Counters:
    """The variables of a system, and the queue as the rules see it."""

    def __init__(
        self,
        config: QueueConfig,
        kinds: Sequence[Kind],
        readings: Readings,
        discipline: Discipline,
        in_force: Administered | None = None,
    ) -> None:
        """`in_force`: what an administrator has made of the queue; None: it is as configured."""
        check(config, kinds)
        if readings["A13"] != "b":
            raise NotExplored(f"A13={readings['A13']} tells jobs of a kind apart; the explorer counts them")
        self.config, self.kinds, self.readings, self.discipline = config, tuple(kinds), readings, discipline
        self.shares = tuple(dict.fromkeys(k.share for k in self.kinds))
        self.holds, self.whole = readings["A23"] == "yes", readings["A58"] == "whole"
        self.variables: dict[str, Variable] = {}
        self.classes = [NOBODY]
        if self.holds:
            self.classes += [Waits(s, told) for s in self.shares for told in ((True,) if self.whole else (True, False))]
        for k in self.kinds:
            self._declare(f"waiting.{k.name}", k.jobs)
            self._declare(f"running.{k.name}", k.jobs)
            for waits in self.classes:
                self._declare(self.draining_name(k, waits), k.jobs)
        for k in self.kinds if self.holds else ():
            self._declare(f"place.{k.name}", len(self.shares))
        for s, unit, most in self._freed() if self.holds and not self.whole else ():
            self._declare(f"freed.{s}.{unit}", most)
        for s in self.shares if discipline.order else ():
            self._declare(f"order.{s}", len(self.shares))
        self._numbers_in_force(in_force or Administered.of(config))

    def _declare(self, name: str, high: int) -> None:
        self.variables[name] = Variable(name, high)

    def _freed(self) -> list[tuple[str, str, int]]:
        units = {(k.share, u): 0 for k in self.kinds for u in k.size}
        for k in self.kinds:
            for u, n in k.size.items():
                units[k.share, u] = max(units[k.share, u], n)
        return [(s, u, n) for (s, u), n in units.items()]

    def _numbers_in_force(self, now: Administered) -> None:
        asked = dict.fromkeys(u for k in self.kinds for u in k.size)
        self.units = tuple(dict.fromkeys((*now.units(), *asked)))
        known: dict[tuple[str, ...], int] = {
            ("environment_enabled",): now.environment_enabled,
            ("queue_enabled",): now.queue_enabled,
        }
        for unit in self.units:
            known["capacity", unit] = now.capacity.get(unit, 0)
        for s in now.shares.values():
            known["may_borrow", s.name] = now.may_borrow(s.name, self.readings)
            known["deleting", s.name] = s.name in now.deleting
            known["enabled", s.name] = s.state == "ENABLED"
            known["in_share", s.name] = s.in_share
            for unit in self.units:
                grant = now.grant(s.name, unit, self.readings)
                known["limit", s.name, unit], known["lendable", s.name, unit] = grant.limit, grant.lendable
                known["borrowable", s.name, unit] = grant.borrowable or 0
                known["unlimited", s.name, unit] = grant.borrowable is None
        self._known = known

    # counters

    def draining_name(self, kind: Kind, waits: Waits) -> str:
        """The variable that counts what drains of a kind for a claim."""
        if waits.share is None:
            return f"draining.{kind.name}"
        return f"draining.{kind.name}.for.{waits.share}" + ("" if waits.told else ".since")

    def now(self, name: str) -> Int:
        """A variable."""
        return self.variables[name].now

    def waiting(self, kind: Kind) -> Int:
        return self.now(f"waiting.{kind.name}")

    def running(self, kind: Kind) -> Int:
        return self.now(f"running.{kind.name}")

    def draining(self, kind: Kind, waits: Waits) -> Int:
        return self.now(self.draining_name(kind, waits))

    def place(self, kind: Kind) -> Int:
        """The position of the kind's claim among the live ones, from 1; 0: it has none."""
        return self.now(f"place.{kind.name}") if self.holds else const(0)

    def place_of(self, share: str) -> Int:
        """The same for the claim of a share, whichever of its kinds has it."""
        return add(*[self.place(k) for k in self.of(share)])

    def of(self, share: str) -> list[Kind]:
        """The kinds of a share."""
        return [k for k in self.kinds if k.share == share]

    def alive(self, kind: Kind) -> Int:
        """Jobs of a kind that exist."""
        return add(self.waiting(kind), self.running(kind), *[self.draining(kind, w) for w in self.classes])

    # the queue as the rules see it

    def best_waiting(self, share: str, *, without: Mapping[str, Bool] | None = None) -> Int:
        """The highest priority among the waiting jobs of a share that count (A52), -1 where there is none.

        `without`: kinds that count only where this holds.
        """
        best: Int = const(-1)
        for k in self.of(share):
            counts = all_of(self.waiting(k) > 0, ~self._skipped(k), (without or {}).get(k.name, True))
            best = maximum(best, ite(counts, k.priority, -1))
        return best

    def _skipped(self, kind: Kind) -> Bool:
        view = self.view({kind.share: kind})
        never = any_of(*[actions.never(c) for c in view.cells(kind.share)])
        return all_of(view.reading("A52", "skipped"), never)

    def is_head(self, kind: Kind) -> Bool:
        """A job of the kind waits and no other job of its share outranks it."""
        best = self.best_waiting(kind.share)
        return all_of(self.waiting(kind) > 0, ~self._skipped(kind), best <= kind.priority)

    def view(self, asks: Mapping[str, Kind], watched: str | None = None) -> Enumerated:
        """The queue while jobs of these kinds ask, one of a share, seen from the live claim of a share if any."""
        numbers: dict[tuple[str, ...], Int] = {("stage", "job"): const(code(Stage.RUNNABLE))}
        for s in (share.name for share in self.config.shares):
            job = asks.get(s)
            for unit in self.units:
                size = job.size.get(unit, 0) if job else 0
                numbers |= {(name, s, unit): n for name, n in self._cell(s, unit, watched).items()}
                mine = ite(self.place(job) > 0, size, 0) if job else const(0)
                due = self._due(job.share, watched) if job else const(True)
                numbers |= {
                    ("asks", s, unit): const(size),
                    ("takes", s, unit): const(0),
                    ("own_due", s, unit): ite(due, mine, 0),
                    ("own_later", s, unit): ite(due, 0, mine),
                }
        return Enumerated(tuple(s.name for s in self.config.shares), self.units, self.readings, self._known, numbers)

    def _due(self, share: str, watched: str | None) -> Bool:
        """Whether the claim of a share is the watched one or before it; true of all where none is watched."""
        if watched is None or watched == share:
            return const(True)
        return self.place_of(share) <= self.place_of(watched)

    def _cell(self, share: str, unit: str, watched: str | None) -> dict[str, Int]:
        usage: list[Int] = []
        drains: dict[bool, list[Int]] = {True: [], False: []}
        claims: dict[bool, list[Int]] = {True: [], False: []}
        for k in self.of(share):
            n = k.size.get(unit, 0)
            usage.append(self.running(k) * n)
            for waits in self.classes:
                count = self.draining(k, waits) * n
                usage.append(count)
                if waits.share is None:
                    drains[watched is None].append(count)
                    continue
                due = self._due(waits.share, watched)
                drains[True].append(ite(due, count, 0))
                drains[False].append(ite(due, 0, count))
            due = self._due(share, watched)
            asked = ite(self.place(k) > 0, n, 0)
            claims[True].append(ite(due, asked, 0))
            claims[False].append(ite(due, 0, asked))
        freed = self.variables.get(f"freed.{share}.{unit}")
        return {
            "usage": add(*usage),
            "drains_due": add(*drains[True]),
            "drains_later": add(*drains[False]),
            "claims_due": add(*claims[True]),
            "claims_later": add(*claims[False]),
            "freed": ite(self._due(share, watched), freed.now, 0) if freed else const(0),
        }

    def closed(self, formula: N, *, claims: bool = True) -> N:
        """A rule's formula with everything it asks given by counters; without `claims` nobody's claim counts as one."""

        def fact(node: Node) -> Node | None:
            if node.op != "var" or not str(node.args[0]).startswith("has_claim."):
                return None
            return self.place_of(node.args[0].removeprefix("has_claim.")) > 0 if claims else const(False)

        return rebuild(formula, fact)

    # steps of counters

    def ended(self, share: str) -> Updates:
        """The share's claim, if it has one, is gone: what drains for it counts for the claim after it, if there is one."""
        if not self.holds:
            return {}
        mine = self.place_of(share)
        lives = mine > 0
        updates: Updates = {}
        for k in self.kinds:
            place = self.place(k)
            after = all_of(lives, place > mine)
            own = k.share == share
            updates[f"place.{k.name}"] = const(0) if own else ite(after, place - 1, place)
        for k in self.kinds:
            parts = [self.draining(k, w) for w in self.classes if w.share == share]
            orphans = add(*parts)
            updates |= {self.draining_name(k, w): const(0) for w in self.classes if w.share == share}
            heirs = {s: all_of(lives, self.place_of(s) == mine + 1) for s in self.shares if s != share}
            if not self.discipline.inherited:
                heirs = {}
            for s, heir in heirs.items():
                inherits = Waits(s, told=self.whole)
                updates[self.draining_name(k, inherits)] = self.draining(k, inherits) + ite(heir, orphans, 0)
            nobody = self.draining_name(k, NOBODY)
            updates[nobody] = self.now(nobody) + ite(any_of(*heirs.values()), 0, orphans)
        for name in self.variables:
            if name.startswith(f"freed.{share}."):
                updates[name] = const(0)
        return updates

    def opened(self, kind: Kind, victims: Mapping[str, int], *, holds: bool) -> Updates:
        """A claim opens for a job of the kind, and these running jobs, by kind, drain for it."""
        updates: Updates = {}
        to = Waits(kind.share) if holds else NOBODY
        for k in self.kinds:
            n = victims.get(k.name, 0)
            if n:
                updates[f"running.{k.name}"] = self.running(k) - n
            if not holds:
                if n:
                    updates[self.draining_name(k, to)] = self.draining(k, to) + n
                continue
            idle = self.draining(k, NOBODY)
            updates[self.draining_name(k, NOBODY)] = const(0)
            if self.whole:
                updates[self.draining_name(k, to)] = self.draining(k, to) + idle + n
            else:
                since = Waits(kind.share, told=False)
                updates[self.draining_name(k, to)] = self.draining(k, to) + n
                updates[self.draining_name(k, since)] = self.draining(k, since) + idle
        if holds:
            live = add(*[ite(self.place(k) > 0, 1, 0) for k in self.kinds])
            updates[f"place.{kind.name}"] = live + 1
        return updates

    def joined(self, kind: Kind, victims: Mapping[str, int]) -> Updates:
        """More running jobs drain for the claim that the kind has."""
        updates: Updates = {}
        for k in self.kinds:
            n = victims.get(k.name, 0)
            if n:
                drains = self.draining_name(k, Waits(kind.share))
                updates |= {f"running.{k.name}": self.running(k) - n, drains: self.now(drains) + n}
        return updates

    def stopped(self, kind: Kind, waits: Waits) -> Updates:
        """A draining job of the kind has stopped and waits again."""
        drains = self.draining_name(kind, waits)
        updates: Updates = {drains: self.now(drains) - 1, f"waiting.{kind.name}": self.waiting(kind) + 1}
        if waits.share is not None and waits.told and not self.whole:
            for unit, n in kind.size.items():
                name = f"freed.{waits.share}.{unit}"
                if name in self.variables:
                    most = add(*[ite(self.place(k) > 0, k.size.get(unit, 0), 0) for k in self.of(waits.share)])
                    updates[name] = minimum(self.now(name) + n, most)
        return updates
