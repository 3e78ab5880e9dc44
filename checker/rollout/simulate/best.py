"""The split of a queue's capacity that was waited for least, as far as a bounded search finds one.

Shares that neither lend nor borrow do not meet: each share's waits depend on its own part alone, so that a split is
looked at by running only the shares whose part it changes. Trusted: the runs that it is given, `splits.by_limits`.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....spec import events as ev
from ....spec.model import QueueConfig
from ....spec.workload import Work
from . import splits
from .splits import Split

Play = Callable[[QueueConfig, tuple[Work, ...]], Iterable[tuple[int, object]]]
"""What happens to jobs in a queue."""
SAMPLE = 20_000
"""Jobs of a workload that splits are tried on."""
JOB_RUNS = 150_000
"""Jobs that are run in all before the search ends, each as often as its share is."""
_UNSTARTED = 10**15
"""The wait of a job that never starts: a split that leaves one behind is worse than any other."""


@dataclass(frozen=True)
class Found:
    """The best split of those that were tried."""

    split: Split
    told: str


def best_split(config: QueueConfig, work: Sequence[Work], seed: int, play: Play) -> Found:
    """Moves machines of one unit from one share to another while that shortens the mean wait to the first start: first
    many at once, then one by one, then as many as jobs ask for or lack. No share is left with less than its largest
    job of those that fit at first needs, whether or not splits are tried on it.
    """
    sample = work
    if len(work) > SAMPLE:
        first = random.Random(seed).randrange(len(work) - SAMPLE)
        sample = work[first : first + SAMPLE]
    search = _Search(config, work, sample, play)
    before = search.mean()
    for unit in config.units:
        steps = search.steps(unit)
        while steps and not search.spent:
            if not search.move(unit, steps[0]):
                steps.pop(0)
    jobs = "all jobs" if sample is work else f"{SAMPLE:,} of {len(work):,} jobs in a row (seed {seed})"
    return Found(
        search.split,
        f"the best of {search.tried:,} splits compared on {jobs} with {search.runs:,} runs of single shares, not the best "
        f"there is: mean wait {_told(*before)} by limits, {_told(*search.mean())} so"
        + ("; the search ended at its bound" if search.spent else ""),
    )


def _told(mean: float, never: int) -> str:
    return f"{mean / 1000:,.1f} s" + (f" ({never:,} never start)" if never else "")


class _Search:
    """A split, and what is known of each share's waits."""

    def __init__(self, config: QueueConfig, work: Sequence[Work], sample: Sequence[Work], play: Play) -> None:
        self._config, self._play = config, play
        self.split = dict(splits.by_limits(config))
        self._jobs: Mapping[str, list[Work]] = defaultdict(list)
        self._sizes: dict[tuple[str, str], set[int]] = defaultdict(set)
        for w in filter(self._fits, work):
            for unit, n in w.submit.size.items():
                self._sizes[w.submit.share, unit].add(n)
        for w in filter(self._fits, sample):
            self._jobs[w.submit.share].append(w)
        self._known: dict[tuple[str, tuple[int, ...]], int] = {}
        self.tried, self.runs, self._job_runs = 1, 0, 0

    def _fits(self, w: Work) -> bool:
        return all(n <= self.split[w.submit.share, unit] for unit, n in w.submit.size.items())

    def _largest(self, share: str, unit: str) -> int:
        return max(self._sizes.get((share, unit), ()), default=0)

    def steps(self, unit: str) -> list[int]:
        """How many machines are moved at once: from an eighth of them all by halves to one, then what jobs ask for and what
        a share lacks for one job more."""
        most = self._config.environment.capacity.get(unit, 0)
        halves = [1 << k for k in reversed(range(max(1, (most // 8).bit_length())))]
        sizes = {(share, n) for (share, of), sizes in self._sizes.items() if of == unit for n in sizes}
        jobs = {m for share, n in sizes for m in (n, n - self.split[share, unit] % n)}
        return [*halves, *sorted(jobs.difference(halves), reverse=True)]

    @property
    def spent(self) -> bool:
        return self._job_runs >= JOB_RUNS

    def mean(self) -> tuple[float, int]:
        """The mean wait under the split of jobs that start, in milliseconds; and how many never do."""
        never, waits = divmod(sum(self._waits(share) for share in self._jobs), _UNSTARTED)
        return waits / max(1, sum(map(len, self._jobs.values())) - never), never

    def move(self, unit: str, step: int) -> bool:
        """Make the best move of so many machines, if one is better than none."""
        gains = {s: self._waits(s) - self._waits(s, unit, step) for s in self._jobs}
        losses = {s.name: self._waits(s.name, unit, -step) - self._waits(s.name)
                  for s in self._config.shares if self.split[s.name, unit] - step >= self._largest(s.name, unit)}  # fmt: skip
        pairs = [(gains[to] - losses[of], to, of) for to in gains for of in losses if to != of]
        self.tried += len(pairs)
        best, to, of = max(pairs, default=(0, "", ""), key=lambda pair: pair[0])
        if best <= 0:
            return False
        self.split[to, unit] += step
        self.split[of, unit] -= step
        return True

    def _waits(self, share: str, unit: str = "", more: int = 0) -> int:
        """What the share's jobs wait in all, with `more` machines than it has."""
        jobs = self._jobs.get(share)
        if not jobs:
            return 0
        parts = tuple(self.split[share, u] + more * (u == unit) for u in self._config.units)
        if (share, parts) not in self._known:
            self.runs += 1
            self._job_runs += len(jobs)
            self._known[share, parts] = sum(self._each(share, parts, jobs))
        return self._known[share, parts]

    def _each(self, share: str, parts: tuple[int, ...], jobs: list[Work]) -> Iterator[int]:
        came = {w.submit.job: w.at for w in jobs}
        for at, event in self._play(splits.alone(self._config, share, parts), tuple(jobs)):
            if isinstance(event, ev.Dispatch) and event.job in came:
                yield at - came.pop(event.job)
        yield len(came) * _UNSTARTED
