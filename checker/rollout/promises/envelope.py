"""Can a configuration come to a state in which a promise is broken? Asked of the solver, with the smallest such state.

A `Question` is a condition of `spec.rules.commitments` about some units; an `Envelope` is one configuration under one
choice of readings, every share named and every number known. What it answers counts for any jobs and arrivals, as long as
no administrator acts. Trusted: `commitments.reachable`, which tests compare with a search, and Z3.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from ....spec.expr.nodes import Bool, Int, add, all_of, const
from ....spec.model import Grant, QueueConfig, State, Strategy
from ....spec.readings import Readings
from ....spec.rules.commitments import reachable
from ....spec.rules.laws import LAWS, parts
from ....spec.rules.quantities import NOW, kept, lendable, limit
from ....spec.rules.view import CELL_FIELDS, Enumerated, Share, Unit
from ...findings.table import Lot, lots
from ...prove.solver import Answer, Outcome, Solver

Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """Whether a state can be reached that is bad."""

    units: tuple[Unit, ...]
    bad: Callable[[Enumerated], Bool]
    members: tuple[Share, ...] = ()
    """Shares of which `members_usage` and `members_loans` speak."""
    about: tuple[Share, ...] = ()
    """Shares that the condition names; where it says which, those that stay idle are put together when states are narrowed."""
    alone: bool = False
    """The condition speaks of what those shares use and of nothing else: it is asked with the others idle. They may have
    ended their jobs, so that what is reached is reached without them."""


@dataclass(frozen=True)
class Proved:
    """No such state can be reached."""


@dataclass(frozen=True)
class Reached:
    """One that can be: what is used, and what is asked for in it. Nothing that is 0 is named."""

    usage: Mapping[tuple[Share, Unit], int]
    asks: Mapping[tuple[Share, Unit], int]

    @property
    def sharers(self) -> tuple[Share, ...]:
        """Shares that use something."""
        return tuple(dict.fromkeys(share for share, _ in self.usage))

    @property
    def machines(self) -> int:
        """Machines used or asked for."""
        return sum(self.usage.values()) + sum(self.asks.values())


@dataclass(frozen=True)
class Undecided:
    """The solver gave up."""

    reason: str


Found: TypeAlias = Proved | Reached | Undecided


OTHERS = "(others)"
"""Shares that use nothing, put together: sums are linear in what they lend and keep. No share can have this name."""


def ground(
    config: QueueConfig, readings: Readings, units: tuple[Unit, ...], members: tuple[Share, ...] = ()
) -> dict[Key, int]:
    """What is known of a configuration in a state without drains and claims; usages and what is asked are left open."""
    return _known(config, lots(config, readings), units, members, range(len(config.shares)))


def _known(
    config: QueueConfig, every: tuple[Lot, ...], units: tuple[Unit, ...], members: tuple[Share, ...], named: Iterable[int]
) -> dict[Key, int]:  # fmt: skip
    known: dict[Key, int] = {("environment_enabled",): config.environment.state is State.ENABLED}
    grants = {lot.unit: lot.grants for lot in every if lot.unit in units}
    known.update({("capacity", lot.unit): lot.capacity for lot in every if lot.unit in units})
    for i in named:
        share = config.shares[i]
        known["may_borrow", share.name] = share.strategy is Strategy.LEND_AND_BORROW
        known["enabled", share.name] = share.state is State.ENABLED
        known["deleting", share.name] = False
        known["in_share", share.name] = share.in_share
        known["member", share.name] = share.name in members
        for unit in units:
            known.update(_cell(share.name, unit, grants[unit][i]))
    return known


def _cell(share: Share, unit: Unit, grant: Grant) -> Iterator[tuple[Key, int]]:
    at = share, unit
    yield from (((name, *at), 0) for name in CELL_FIELDS if name not in ("usage", "limit", "lendable", "borrowable"))
    yield ("limit", *at), grant.limit
    yield ("lendable", *at), grant.lendable
    yield ("borrowable", *at), grant.borrowable or 0
    yield ("unlimited", *at), grant.borrowable is None


@dataclass
class Envelope:
    """A configuration under one choice of readings. Views are built once for all questions about the same units."""

    config: QueueConfig
    readings: Readings
    solver: Solver
    _views: dict[tuple[object, ...], tuple[Enumerated, Bool]] = field(
        default_factory=dict[tuple[object, ...], tuple[Enumerated, Bool]]
    )

    def view(self, units: tuple[Unit, ...], members: tuple[Share, ...] = ()) -> Enumerated:
        """Every share and its numbers in these units."""
        return self._view(units, members)[0]

    def _view(self, units: tuple[Unit, ...], members: tuple[Share, ...]) -> tuple[Enumerated, Bool]:
        """The view, and what every state of it satisfies."""
        key = units, members
        if key not in self._views:
            view = self._made(units, members)
            self._views[key] = view, all_of(reachable(view), *_known_sums(view))
        return self._views[key]

    @cached_property
    def lots(self) -> tuple[Lot, ...]:
        """The numbers of every unit."""
        return lots(self.config, self.readings)

    def _made(
        self, units: tuple[Unit, ...], members: tuple[Share, ...], busy: Collection[Share] | None = None
    ) -> Enumerated:
        """All shares; or those named in `busy`, and the others put together, using nothing."""
        named = [i for i, s in enumerate(self.config.shares) if busy is None or s.name in busy]
        known = _known(self.config, self.lots, units, members, named)
        shares = tuple(self.config.shares[i].name for i in named)
        if len(named) < len(self.config.shares):
            shares = (*shares, OTHERS)
            known.update(
                {(fact, OTHERS): fact == "enabled" for fact in ("may_borrow", "enabled", "deleting", "member")}
            )
            for lot in self.lots:
                if lot.unit in units:
                    rest = [g for i, g in enumerate(lot.grants) if i not in named]
                    known.update(
                        _cell(OTHERS, lot.unit, Grant(sum(g.limit for g in rest), sum(g.lendable for g in rest), 0))
                    )
                    known["usage", OTHERS, lot.unit] = known["asks", OTHERS, lot.unit] = 0
        return Enumerated(shares, units, self.readings, known)

    def can(self, question: Question) -> Answer:
        """PROVED: a bad state can be reached; REFUTED: none can."""
        return self._ask(*self._whole(question)[1]).answer

    def reach(self, question: Question) -> Found:
        """A small bad state that can be reached: no share of it can be left out, and with its shares no state needs fewer
        machines, used or asked for."""
        view, parts = self._whole(question)
        first = self._ask(*parts)
        if first.answer is Answer.REFUTED:
            return Proved()
        if first.answer is Answer.UNKNOWN:
            return Undecided(first.reason)
        found = _state(view, first.values)
        named = tuple(dict.fromkeys((*question.about, *(share for share, _ in found.asks))))
        few = _Few(self, question, named)
        alone = bool(named) and few.suffice(named)
        return self._least(question, named, few.of((), named if alone else found.sharers), found)

    def again(self, question: Question, found: Reached) -> bool:
        """Whether a bad state can be reached in which only the shares of `found` use or ask for anything."""
        named = (*question.about, *(share for share, _ in found.asks))
        _, parts = self.among(question, named, found.sharers)
        return self._ask(*parts).answer is Answer.PROVED

    def largest(
        self, units: tuple[Unit, ...], size: Callable[[Enumerated], Int], members: tuple[Share, ...] = ()
    ) -> int | None:
        """The most that `size`, of the members or of all, can come to, by halving; None where the solver gives up.

        Others use nothing meanwhile: whatever is reached is reached without them, as their jobs may have ended.
        """
        view = self._made(units, members, members or None)
        base, counted = all_of(reachable(view), *_known_sums(view)), size(view)
        low, step = 0, 1
        high: int | None = None
        while high is None or low < high:
            tried = low + step if high is None else (low + high + 1) // 2
            found = self._ask(base, counted >= tried)
            if found.answer is Answer.UNKNOWN:
                return None
            if found.answer is Answer.PROVED:
                low, step = tried, 2 * step
            else:
                high = tried - 1
        return low

    def among(
        self, question: Question, named: Collection[Share], busy: Collection[Share]
    ) -> tuple[Enumerated, tuple[Bool, ...]]:
        """The view in which only `busy` shares use anything and only `named` ask, and that a bad state is reached in it."""
        explicit = {*named, *busy} if question.about else {s.name for s in self.config.shares}
        view = self._made(question.units, question.members, explicit)
        every = [c for share in view.shares for c in view.cells(share)]
        free = [c.usage == 0 if c.share not in busy else c.usage >= 0 for c in every]
        asked = [c.asks >= 0 for c in every]
        return view, (const(True), reachable(view), *_known_sums(view), question.bad(view), *free, *asked)

    def _whole(self, question: Question) -> tuple[Enumerated, tuple[Bool, ...]]:
        """The view in which the question is decided, and that a bad state is reached in it."""
        if question.alone:
            return self.among(question, question.about, question.about)
        view, base = self._view(question.units, question.members)
        return view, (base, question.bad(view))

    def _ask(self, *parts: Bool) -> Outcome:
        return self.solver.possible("promise", "a bad state", *parts)

    def _least(self, question: Question, named: Collection[Share], busy: Collection[Share], best: Reached) -> Reached:
        """The bad state of these shares with fewest machines, by halving; where the solver gives up, the best so far."""
        view, parts = self.among(question, named, busy)
        machines = add(*[c.usage + c.asks for share in view.shares for c in view.cells(share)])
        low, high = 0, None
        while high is None or low < high:
            middle = best.machines if high is None else (low + high) // 2
            found = self._ask(*parts, *([] if high is None else [machines <= middle]))
            if found.answer is Answer.UNKNOWN:
                break
            if found.answer is Answer.PROVED:
                best = _state(view, found.values)
                high = best.machines
            else:
                low = middle + 1
        return best


@dataclass(frozen=True)
class _Few:
    """A smallest choice of shares with which a bad state can be reached: nobody of it can be left out (QuickXplain)."""

    envelope: Envelope
    question: Question
    named: tuple[Share, ...]
    """Shares that are there although they use nothing."""

    def of(self, sure: tuple[Share, ...], among: tuple[Share, ...], *, added: bool = True) -> tuple[Share, ...]:
        """Those of `among` that are needed beside `sure`; `added`: whether `sure` grew since it was last tried."""
        if added and self.suffice(sure):
            return ()
        if len(among) <= 1:
            return among
        first, rest = among[: len(among) // 2], among[len(among) // 2 :]
        second = self.of((*sure, *first), rest)
        return (*self.of((*sure, *second), first, added=bool(second)), *second)

    def suffice(self, busy: tuple[Share, ...]) -> bool:
        _, parts = self.envelope.among(self.question, self.named, busy)
        return self.envelope.solver.possible("promise", "a bad state", *parts).answer is Answer.PROVED


def _known_sums(view: Enumerated) -> Iterator[Bool]:
    """The laws of sums that a start is judged by: they follow from the shares, and spare the solver to find that out."""
    spoken = {*parts(NOW), limit, kept, lendable}
    for law in LAWS:
        if law.given is None and spoken.issuperset(law.terms):
            yield from (law.on(view, lambda q, u=unit: view.total(q, u)) for unit in view.units)


def _state(view: Enumerated, values: Mapping[str, int | bool]) -> Reached:
    """The state of a model; what the model does not name is 0."""
    every = [(share, unit) for share in view.shares for unit in view.units]

    def given(name: str) -> dict[tuple[Share, Unit], int]:
        numbers = ((at, int(values.get(".".join((name, *at)), 0))) for at in every)
        return {at: n for at, n in numbers if n > 0}

    return Reached(given("usage"), given("asks"))
