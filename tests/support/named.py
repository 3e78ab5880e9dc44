"""Schedulers under a name that a command line can give: `tests.support.named:never_reclaims` is a planted one, and
`account_123456789012` the reference under another name.

`leaves_at_times` ends its process, and `errs_at_times` gives up, in some scenarios; both obey in all others.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from quotaproof.checker.conform.backend import Answer, Declaration, Unable
from quotaproof.checker.conform.features import FEATURES
from quotaproof.checker.conform.reference import Reference
from quotaproof.spec.formats.scenario import Scenario

from .wrong import WRONG

LEAVES = "QUOTAPROOF_TEST_LEAVES"
"""Name in the environment."""


@dataclass(frozen=True)
class LeavesAtTimes(Reference):
    """Takes the whole process with it when a scenario has as many steps as `LEAVES` says."""

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        for scenario, answer in zip(scenarios, super().run(scenarios), strict=True):
            if len(scenario.steps) >= int(os.environ[LEAVES]):
                os._exit(3)
            yield answer


@dataclass(frozen=True)
class ErrsAtTimes(Reference):
    """Cannot count to odd numbers."""

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        for scenario, answer in zip(scenarios, super().run(scenarios), strict=True):
            yield Unable("it does not like odd numbers of steps", code="odd") if len(scenario.steps) % 2 else answer


@dataclass(frozen=True)
class Errs(Reference):
    """Runs nothing."""

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        for _ in scenarios:
            yield Unable("it likes nothing")


@dataclass(frozen=True)
class Without(Reference):
    """Has all features but one."""

    without: str = ""

    def declare(self) -> Declaration:
        return replace(super().declare(), features=frozenset(FEATURES) - {self.without})


class Moody(Reference):
    """Borrows one machine more, and only when it runs for the first time."""

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        fresh, self.__dict__["_known"] = not self.__dict__.get("_known"), True
        return (WRONG["borrows-one-more"].backend() if fresh else Reference()).run(scenarios)


errs = Errs("errs")
moody = Moody("moody")
no_gangs = Without("no-gangs", without="gangs")
no_in_share = Without("no-in-share", without="in-share-preemption")
no_stages = Without("no-stages", without="stages")
leaves_at_times = LeavesAtTimes("leaves-at-times")
errs_at_times = ErrsAtTimes("errs-at-times")


def __getattr__(name):
    if name.startswith("account_"):
        return Reference(name)
    wrong = WRONG.get(name.replace("_", "-"))
    if wrong is None:
        raise AttributeError(name)
    return wrong.backend(name.replace("_", "-"))
