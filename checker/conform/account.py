"""What a run of scenarios came to so far, guarantee by guarantee, and what that is called in the end.

A guarantee that is broken, that a scenario leaves open, or that never came up though the profile requires it, is never kept.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...spec.formats.scenario import Scenario
from ..conformed import Lost
from ..results import Result, Verdict
from .backend import Loss
from .distinct import Kept, shape
from .verdict import Status, Tested

FOLDER = "conform"
"""Of failures that are kept, in the folder for what is written."""


class Account:
    """The scenarios of all parts of a run, counted."""

    def __init__(self) -> None:
        self.broken: Counter[str] = Counter()
        """Guarantee -> scenarios that break it."""
        self.flakes: Counter[str] = Counter()
        """Guarantee -> scenarios that broke it in one run alone."""
        self._exercised: Counter[str] = Counter()
        self._where: dict[str, list[str]] = {}
        """Guarantee -> in how many scenarios of each part it is broken, in words."""
        self._scenarios = 0
        """Those that were run."""
        self._wrong: Counter[str] = Counter()
        """Guarantee -> scenarios that check it and went wrong."""
        self._skipped: Counter[str] = Counter()
        """Guarantee -> core scenarios that check it and were not run."""
        self._lost: dict[Loss, tuple[int, str]] = {}
        """What the scheduler was not told -> in how many scenarios, and the first of them."""

    def take(self, tested: Tested, *, core: bool) -> None:
        """One scenario that is known by its name."""
        for loss in tested.losses:
            self.lose(loss, 1, tested.scenario.name)
        self.flakes.update(f.code for f in tested.flakes)
        if tested.status is Status.ERRORED:
            self._wrong.update(tested.scenario.checks)
        elif tested.status is Status.SKIPPED and core:
            self._skipped.update(tested.scenario.checks)

    def count(
        self, of: str, exercised: Mapping[str, int], broken: Mapping[str, int], statuses: Mapping[str, int]
    ) -> None:
        """One part of the run; `of` says in words what its scenarios are."""
        self._exercised.update(exercised)
        self.broken.update(broken)
        self._scenarios += sum(n for status, n in statuses.items() if status != Status.SKIPPED)
        for code, n in broken.items():
            self._where.setdefault(code, []).append(f"{n} {of}")

    def lose(self, loss: Loss, many: int, name: str) -> None:
        """Something that the scheduler was not told in so many scenarios, the first of which has this name."""
        before, first = self._lost.get(loss, (0, name))
        self._lost[loss] = (before + many, first)

    def losses(self) -> Iterator[Lost]:
        """What the scheduler was not told."""
        for loss, (many, first) in self._lost.items():
            yield Lost(loss.what, loss.instead, many, first)

    def guarantee(self, code: str, kept: Sequence[Kept], *, required: bool) -> Result:
        """What a promise came to. `kept`: its failures, the shortest first; one at least where it is broken."""
        times, broken = self._exercised[code], self.broken[code]
        if broken:
            first, *more = kept
            others = tuple(f"Another: {k.false} ({file_of(k.scenario)})" for k in more)
            many = f"{broken} of {self._scenarios} scenarios break it ({', '.join(self._where[code])})"
            why = f"{many}; the shortest: {first.false}"
            return Result(code, Verdict.BROKEN_HERE, why, witness=file_of(first.scenario), more=others, count=broken)
        if self.flakes[code]:
            many = self.flakes[code]
            said = "1 scenario breaks it" if many == 1 else f"{many} scenarios break it"
            return Result(code, Verdict.UNKNOWN, f"{said} in one run and not in others", count=times)
        if self._wrong[code]:
            many = self._wrong[code]
            said = "1 scenario that checks it" if many == 1 else f"{many} scenarios that check it"
            return Result(code, Verdict.UNKNOWN, f"{said} went wrong", count=times)
        if self._skipped[code]:
            why = (
                f"core scenarios that check it were skipped; {f'kept {times:,} times' if times else 'it never came up'}"
            )
            return Result(code, Verdict.UNKNOWN, why, count=times, skipped=True)
        if times:
            return Result(code, Verdict.KEPT, f"kept {times:,} times", count=times)
        if required:
            return Result(code, Verdict.UNKNOWN, "it never came up, and the profile requires that it does")
        return Result(code, Verdict.NEVER_CAME_UP, "nothing that was tried led to it")


def file_of(scenario: Scenario) -> str:
    """The file of a failure that is kept: called as the scenario where a file may be, else by its shape."""
    plain = re.fullmatch(r"[\w][\w.-]{0,80}", scenario.name, re.ASCII)
    return f"{FOLDER}/{scenario.name if plain else shape(scenario)}.json"
