"""`plan --give SHARE.UNIT=N`: where capacity can come from, so that the share's own limit of the unit is N.

Asked of `promises.solve` with that limit as the goal: up to three ways of the least change, from different shares. First
those under which every promise that is kept now stays kept; then others, with the promises that they break. Where no way
keeps them all, which promises stand in the way: a minimal set, each with its owner. Every way was judged as a whole
configuration before it is said: no new ERROR finding, limits add up to no more than they may. Trusted: `solve`, the judges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ....spec.expr.nodes import any_of
from ....spec.model import QueueConfig
from ...planned import Given, Giving, Stands
from ..promises.case import Case
from ..promises.changes import changes, costs
from ..promises.solve import GaveUp, Impossible, Search, Solved
from ..promises.suggest import Guard, kept_now, sums
from ..promises.symbolic import Freedom, Symbolic

WAYS = 3


def give(case: Case, share: str, unit: str, wanted: int) -> Giving:
    """Where the share's limit of `wanted` of the unit can come from. Raises KeyError for a share that is not there."""
    had = case.config.share(share).limits.get(unit, 0)
    asked = Giving(share, unit, wanted, had)
    if had == wanted:
        return replace(asked, none=f"{share} has {wanted} {unit} already")
    giving = _Giving(case, share, unit, wanted)
    kept = giving.search(keeps=True)
    found = kept.best()
    in_the_way: tuple[Stands, ...] = ()
    none = found.reason if isinstance(found, GaveUp) else ""
    if isinstance(found, Impossible):
        in_the_way = tuple(giving.stands(giving.minimal(kept, found.core)))
        none = "no way keeps every promise that is kept now: proved" if in_the_way else giving.why_none()
    ways = list(giving.ways(kept, found, WAYS))
    if in_the_way or none:
        free = giving.search(keeps=False)
        ways += giving.ways(free, free.best(), WAYS - len(ways))
    undecided = isinstance(found, GaveUp)
    return replace(asked, ways=tuple(ways), in_the_way=in_the_way, none=none, undecided=undecided)


@dataclass(frozen=True)
class _Giving:
    case: Case
    share: str
    unit: str
    wanted: int

    def search(self, *, keeps: bool) -> Search:
        """With every promise that is kept now, or with findings alone."""
        refuses = self._guard.refuses if keeps else self._guard.finds_errors
        has = self.unit in self.case.config.share(self.share).limits
        free = Freedom(frozenset({self.unit}), places=not has or self.wanted == 0)
        symbolic = Symbolic(self.case.config, self.case.readings, free)
        made = Search(symbolic, tuple(kept_now(self.case)) if keeps else (), self.case.solver, refuses)
        made.require(*sums(symbolic), symbolic.limit(self.case.config.share(self.share), self.unit) == self.wanted)
        return made

    def ways(self, search: Search, found: object, most: int) -> Iterator[Given]:
        """The way that was found, and then each with other givers."""
        for _ in range(most):
            if not isinstance(found, Solved):
                return
            way = self._said(found.config)
            yield way
            if not way.givers:
                return
            giving = {name for name, _ in way.givers}
            shares = [s for s in self.case.config.shares if s.name in giving]
            search.require(any_of(*[search.symbolic.limit(s, self.unit) >= s.limits[self.unit] for s in shares]))
            found = search.best()

    def _said(self, config: QueueConfig) -> Given:
        old = self.case.config
        told = tuple(changes(old, config))
        given = [
            (s.name, s.limits.get(self.unit, 0) - config.share(s.name).limits.get(self.unit, 0)) for s in old.shares
        ]
        givers = tuple((name, n) for name, n in given if n > 0 and name != self.share)
        more = self.wanted - old.share(self.share).limits.get(self.unit, 0)
        fresh = sorted({promise.code for promise in self._guard.breaks(config)})
        return Given(
            tuple(c.words for c in told),
            {s.name: s.limits.get(self.unit, 0) for s in config.shares if s.limits != old.share(s.name).limits},
            sum(c.amount for c in told),
            max(0, more - sum(n for _, n in givers)),
            givers,
            tuple(costs(old, config, self.case.readings)),
            tuple(self.stands(fresh)),
        )

    @cached_property
    def _guard(self) -> Guard:
        return Guard.of(self.case)

    def stands(self, codes: Sequence[str]) -> Iterator[Stands]:
        return (Stands(p.code, p.says, p.owner) for p in self.case.promises.promises if p.code in codes)

    def minimal(self, search: Search, core: tuple[str, ...]) -> tuple[str, ...]:
        """The promises of the core without those that leave no way either when they are left out."""
        every = {demand.name for demand in search.demands}
        left, search.refuses = list(core), self._guard.finds_errors
        for name in core:
            fewer = [other for other in left if other != name]
            if isinstance(search.best(without=sorted(every.difference(fewer))), Impossible):
                left = fewer
        return tuple(left)

    def why_none(self) -> str:
        capacity = self.case.config.environment.capacity.get(self.unit, 0)
        return (
            f"no change of limits gives {self.share} {self.wanted} of the {capacity} {self.unit} in the environment: every "
            "other share with a limit keeps 1 at least: proved"
        )
