"""Make a failing scenario small: fewer jobs, steps, shares and instance types, lower numbers, and it still fails.

Large parts are tried first: half of the jobs, half of the steps, a whole share; then one by one. The same scenario and the
same question give the same answer, whether it is asked for one scenario at a time or for several at once. Trusted: the
question; what is small here is small only in what `reduce` can take away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from ...spec.formats.scenario import Scenario
from ..witness.reduce import jobs, lower, merged, much_less, simpler, single, without

TRIES = 1_000
Still = Callable[[Scenario], bool]
StillEach = Callable[[Sequence[Scenario]], Sequence[bool]]
Parts = Callable[[Scenario], list[frozenset[int]]]
Ways = Callable[[Scenario], Iterator[Scenario]]

_PARTS: tuple[Parts, ...] = (jobs, single)
"""What is left out first: half of it at once, then a quarter, down to one."""
_WAYS: tuple[Ways, ...] = (merged, partial(simpler, less=much_less), partial(lower, less=much_less))
"""Then each of these, as often as one of its ways works."""


def shrink(scenario: Scenario, still: Still, *, tries: int = TRIES) -> Scenario:
    """A small scenario for which `still` is true as it is for this one; it is asked at most `tries` times.

    Nothing that `reduce` can take away may be taken from it any more, unless the tries are used up.
    """
    return shrink_by(scenario, lambda many: [still(one) for one in many], tries=tries, width=1)


def shrink_by(scenario: Scenario, still: StillEach, *, tries: int, width: int) -> Scenario:
    """The same, asked for up to `width` scenarios at once: those that come next if none of them still fails."""
    shrinking = _Shrinking(scenario, still, tries, width)
    while not shrinking.done:
        shrinking.round()
    return shrinking.best


@dataclass(frozen=True)
class _At:
    """How far one pass over everything that can be taken away has come."""

    stage: int = 0
    many: int | None = None
    """Parts that are left out at once; None: the stage begins."""
    at: int = 0
    smaller: bool = False
    """Whether this pass has taken anything away."""


class _Shrinking:
    def __init__(self, scenario: Scenario, still: StillEach, tries: int, width: int) -> None:
        self.best = scenario
        self.done = False
        self._still, self._left, self._width = still, tries, width
        self._refused: set[str] = set()
        self._now = _At()

    def round(self) -> None:
        """Ask once; go on behind the first that still fails, or behind all of them."""
        asked: list[tuple[Scenario, _At]] = []
        now, known = self._now, set(self._refused)
        while len(asked) < min(self._width, self._left) and (found := self._next(now)) is not None:
            smaller, now = found
            mark = _mark(smaller)
            if smaller.steps and mark not in known:
                known.add(mark)
                asked.append(found)
            now = replace(now, at=now.at + (now.many or 1))
        if not asked:
            self.done = True
            return
        self._left -= len(asked)
        for (smaller, at), fails in zip(asked, self._still([s for s, _ in asked]), strict=True):
            if fails:
                self.best, self._now = smaller, replace(at, smaller=True)
                return
            self._refused.add(_mark(smaller))
        self._now = now

    def _next(self, now: _At) -> tuple[Scenario, _At] | None:
        """The next smaller scenario to try, and where it stands in the pass; None when nothing is left to try."""
        while True:
            if now.stage < len(_PARTS):
                found = _PARTS[now.stage](self.best)
                many = len(found) // 2 or 1 if now.many is None else now.many
                if now.at < len(found):
                    gone = frozenset[int]().union(*found[now.at : now.at + many])
                    return without(self.best, gone), replace(now, many=many)
                now = replace(now, many=many // 2, at=0) if many > 1 else self._behind(now)
            elif now.stage < len(_PARTS) + len(_WAYS):
                ways = _WAYS[now.stage - len(_PARTS)](self.best)
                smaller = next(islice(ways, now.at, None), None)
                if smaller is not None:
                    return smaller, now
                now = self._behind(now)
            elif now.smaller:
                now = _At()
            else:
                return None

    def _behind(self, now: _At) -> _At:
        return _At(stage=now.stage + 1, smaller=now.smaller)


def _mark(scenario: Scenario) -> str:
    return repr((scenario.config, scenario.steps))
