"""Make a failing scenario small: fewer jobs, steps, shares and instance types, lower numbers, and it still fails.

Large parts are tried first: half of the jobs, half of the steps, a whole share; then one by one. The same scenario and the
same question give the same answer. Trusted: the question; what is small here is small only in what `reduce` can take away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from ...spec.formats.scenario import Scenario
from ..witness.reduce import jobs, lower, merged, much_less, simpler, single, without

TRIES = 1_000
Still = Callable[[Scenario], bool]


def shrink(scenario: Scenario, still: Still, *, tries: int = TRIES) -> Scenario:
    """A small scenario for which `still` is true as it is for this one; it is asked at most `tries` times.

    Nothing that `reduce` can take away may be taken from it any more, unless the tries are used up.
    """
    shrinking = _Shrinking(scenario, still, tries)
    before = None
    while before is not shrinking.best:
        before = shrinking.best
        shrinking.drop(jobs)
        shrinking.drop(single)
        shrinking.reduce(merged)
        shrinking.reduce(partial(simpler, less=much_less))
        shrinking.reduce(partial(lower, less=much_less))
    return shrinking.best


class _Shrinking:
    def __init__(self, scenario: Scenario, still: Still, tries: int) -> None:
        self.best = scenario
        self._still, self._left = still, tries
        self._refused: set[str] = set()

    def drop(self, parts: Callable[[Scenario], list[frozenset[int]]]) -> None:
        """Leave out parts of the steps: half of them at once, then a quarter, down to one."""
        many = len(parts(self.best)) // 2 or 1
        while many:
            at = 0
            while at < len(found := parts(self.best)):
                gone = frozenset[int]().union(*found[at : at + many])
                at += 0 if self._take(without(self.best, gone)) else many
            many //= 2

    def reduce(self, ways: Callable[[Scenario], Iterator[Scenario]]) -> None:
        """Reduce as often as one of the ways works; after one that did the next ones are those of the new scenario."""
        at = 0
        while (smaller := next(islice(ways(self.best), at, None), None)) is not None:
            at += 0 if self._take(smaller) else 1

    def _take(self, smaller: Scenario) -> bool:
        known = repr((smaller.config, smaller.steps))
        if not smaller.steps or known in self._refused or self._left <= 0:
            return False
        self._left -= 1
        if self._still(smaller):
            self.best = smaller
            return True
        self._refused.add(known)
        return False
