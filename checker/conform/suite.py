"""The suite as tests of pytest: one for each scenario, and one for the profile.

A scenario that needs a feature which is not declared is skipped, one that went wrong is an error of the setup, one that the
scheduler fails, or skips though it is of the core, is a failure. The profile is a test of the whole corpus: what another
worker of pytest-xdist ran, or `-k` left out, is run for it. Trusted: `judged`.
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
from .profiles import Profile, asked_of
from .sometimes import Sometimes
from .tested import tests
from .told import told
from .verdict import Status, Tested

_FEW = 5
"""Names that are told."""
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
    ran: set[int] = field(default_factory=set[int])
    """Which scenarios, by `id`: a generated one may be called as one of the corpus."""
    undecided: list[str] = field(default_factory=list[str])
    """Names of those that went wrong, or are of the core and were skipped."""
    sometimes: Sometimes = field(init=False)

    def __post_init__(self) -> None:
        self.sometimes = Sometimes(self.declared, self.profile.asked_for(self.declared))

    def judge(self, scenario: Scenario) -> Tested:
        """Run one scenario and judge it; one that needs what is not declared is not run."""
        (tested,) = tests(self.backend, self.declared, [scenario])
        self.exercised.update(tested.exercised)
        self.sometimes.take(tested)
        self.ran.add(id(scenario))
        self.tried += tested.status is not Status.SKIPPED
        if tested.status is Status.ERRORED or self.skips_core(tested):
            self.undecided.append(scenario.name)
        return tested

    def skips_core(self, tested: Tested) -> bool:
        """Whether it did not run what every scheduler of the profile must be able to."""
        return tested.status is Status.SKIPPED and self.profile.is_core(tested.scenario)

    def lacks(self) -> Iterator[str]:
        """Why it is conformant in part at most. Runs what was not run of the corpus."""
        from .corpus import corpus

        for scenario in corpus():
            if id(scenario) not in self.ran:
                self.judge(scenario)
        missing = self.profile.lacks(self.declared.features)
        if missing:
            yield f"it does not declare {', '.join(missing)}"
        if self.undecided:
            yield f"{len(self.undecided)} scenarios were not run to an end: {_few(self.undecided)}"
        never = self.profile.never_came_up(self.declared, self.exercised)
        if never:
            yield f"these never came up: {', '.join(never)}"
        if self.sometimes.missing:
            yield f"never reached: {', '.join(self.sometimes.missing)}"

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
        backend = opened(name)
        config.add_cleanup(backend.close)
        declared = backend.declare()
        wanted = asked_of(declared, options.quotaproof_profile, where=name, option="--quotaproof-profile")
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
        tested = self._tested = self.asked.judge(self.scenario)
        declared = not lacking(self.scenario, self.asked.declared.features)
        if tested.status is Status.SKIPPED and not (declared and self.asked.skips_core(tested)):
            pytest.skip(tested.why)
        if tested.status is Status.ERRORED:
            pytest.fail(told(tested, name=self.asked.declared.name), pytrace=False)

    def runtest(self) -> None:
        """Tell what it broke."""
        assert self._tested is not None
        if self._tested.status is Status.SKIPPED:
            said = f"{self.asked.declared.name} skipped a scenario of the core: {self._tested.why}"
            pytest.fail(said, pytrace=False)
        if self._tested.status is Status.FAILED:
            about = f"{self.scenario.name}: {self.scenario.about}"
            pytest.fail(f"{about}\n{told(self._tested, name=self.asked.declared.name)}", pytrace=False)


class Whole(_Test):
    """Whether the scheduler was asked for, and ran, all that the profile requires: else it is conformant in part at most,
    which is no pass."""

    def runtest(self) -> None:
        """Tell what is missing."""
        lacks = list(self.asked.lacks())
        if lacks:
            part = f"{self.asked.declared.name} conforms to {self.asked.profile.name} in part at most"
            pytest.fail("\n".join([f"{part}:", *lacks]), pytrace=False)


def _few(names: list[str]) -> str:
    return ", ".join([*names[:_FEW], *(["..."] if len(names) > _FEW else [])])
