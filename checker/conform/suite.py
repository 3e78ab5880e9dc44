"""The suite as tests of pytest: one for each scenario, and one for the profile.

A scenario that the scheduler cannot run is skipped, one that went wrong is an error of the setup, one that it fails is a
failure. Trusted: `judged`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from ...spec.formats.errors import InputError
from ...spec.formats.scenario import Scenario
from .backend import Backend, BackendError, Declaration
from .drawing import drawn
from .features import lacking
from .opening import opened
from .profiles import Profile, profile
from .told import told
from .verdict import Status, Tested, judged

GENERATED = 100
"""Scenarios of a seed."""


@dataclass
class Asked:
    """What is tested, and what came up so far."""

    name: str
    backend: Backend
    declared: Declaration
    profile: Profile
    seed: int | None = None
    exercised: Counter[str] = field(default_factory=Counter[str])
    tried: int = 0

    def judge(self, scenario: Scenario) -> Tested:
        """Run one scenario and judge it."""
        (answer,) = self.backend.run([scenario])
        tested = judged(scenario, answer, self.declared)
        self.exercised.update(tested.exercised)
        self.tried += 1
        return tested

    def summary(self) -> Iterator[str]:
        """What was tested, and what it says nothing about."""
        scenarios = f"{self.tried} scenario" + ("s" if self.tried != 1 else "")
        yield f"{self.declared.name} {self.declared.version}".rstrip() + f", profile {self.profile.name}: {scenarios}"
        never = self.profile.never_came_up(self.declared, self.exercised)
        if never:
            yield f"never came up, so nothing is said of them: {', '.join(never)}"
        yield f"the whole verdict: quotaproof conform {self.name} --profile {self.profile.name}"


def asked(config: pytest.Config) -> Asked:
    """What the options ask for, started. Raises UsageError."""
    options: Any = config.option
    name: str = options.quotaproof_backend
    try:
        wanted = profile(options.quotaproof_profile, where="--quotaproof-profile")
        backend = opened(name)
        config.add_cleanup(backend.close)
        declared = backend.declare()
        wanted.check(declared, where=name)
    except (BackendError, InputError) as error:
        raise pytest.UsageError(
            "\n".join(part for part in (error.what, error.why, f"Fix: {error.fix}") if part)
        ) from None
    return Asked(name, backend, declared, wanted, options.quotaproof_seed)


class Suite(pytest.Collector):
    """All tests of one backend."""

    def __init__(self, *, asked: Asked, **given: Any) -> None:
        super().__init__(**given)
        self.asked = asked

    def collect(self) -> Iterator[pytest.Item]:
        """The corpus, what is generated, the profile."""
        from .corpus import corpus

        for scenario in corpus():
            yield Try.from_parent(self, name=scenario.name, scenario=scenario)
        if self.asked.seed is not None:
            for number in range(GENERATED):
                made = drawn(self.asked.seed, number, self.asked.declared)
                yield Try.from_parent(self, name=f"generated-{self.asked.seed}-{number}", scenario=made)
        yield Whole.from_parent(self, name="profile")


class _Test(pytest.Item):
    asked: Asked

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        assert isinstance(self.parent, Suite)
        self.asked = self.parent.asked

    def reportinfo(self) -> tuple[Any, None, str]:
        return self.path, None, f"quotaproof::{self.name}"


class Try(_Test):
    """One scenario."""

    def __init__(self, *, scenario: Scenario, **given: Any) -> None:
        super().__init__(**given)
        self.scenario = scenario
        self._tested: Tested | None = None

    def setup(self) -> None:
        """Run it: what keeps it from being judged is no failure of the scheduler's decisions."""
        lacks = lacking(self.scenario, self.asked.declared.features)
        if lacks:
            pytest.skip(f"needs {', '.join(lacks)}, which {self.asked.declared.name} does not declare")
        tested = self._tested = self.asked.judge(self.scenario)
        if tested.status is Status.SKIPPED:
            pytest.skip(tested.why)
        if tested.status is Status.ERRORED:
            pytest.fail(told(tested, name=self.asked.declared.name), pytrace=False)

    def runtest(self) -> None:
        """Tell what it broke."""
        assert self._tested is not None
        if self._tested.status is Status.FAILED:
            about = f"{self.scenario.name}: {self.scenario.about}"
            pytest.fail(f"{about}\n{told(self._tested, name=self.asked.declared.name)}", pytrace=False)


class Whole(_Test):
    """Whether the scheduler declares every core feature: else it is conformant in part at most, which is no pass."""

    def runtest(self) -> None:
        missing = self.asked.profile.lacks(self.asked.declared.features)
        if missing:
            part = f"{self.asked.declared.name} conforms to {self.asked.profile.name} in part at most"
            pytest.fail(f"{part}: it does not declare {', '.join(missing)}", pytrace=False)
