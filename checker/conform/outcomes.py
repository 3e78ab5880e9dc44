"""What became of one scenario, as events: its result, and the file that keeps one which failed, was flaky or went wrong.

It is a result of the code SCENARIO, or FLAKE where it broke a promise in one run and not in others; CAMPAIGN, PROFILE and
GOAL are results that no scenario stands for. What counts as failed is `verdict`'s to say.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

from ...spec.formats.scenario import Found, Scenario, as_form
from ..results import Event, Result, Verdict, Witness
from .account import FOLDER, file_of
from .distinct import falsity
from .profiles import Profile
from .verdict import Status, Tested

ERRED = "errored"
"""The failure class of what a backend tells itself."""
SCENARIO, CAMPAIGN, PROFILE, GOAL, FLAKE = "SCENARIO", "CAMPAIGN", "PROFILE", "GOAL", "FLAKE"
_WHICH = {True: "core", False: "extended"}


class Outcomes:
    """The results of one run of a backend. `backend` is the text that names it, `name` what it calls itself."""

    def __init__(self, backend: str, name: str, profile: Profile, seed: int) -> None:
        self._backend, self._name, self._profile, self._seed = backend, name, profile, seed
        self._gone_wrong: set[str] = set()
        """Failure classes of which a scenario is kept."""

    def result(self, tested: Tested, seconds: float) -> Iterator[Event]:
        """What became of one scenario, and in what time."""
        scenario = tested.scenario
        core = self._profile.is_core(scenario)
        hint = fix(tested.hint)
        match tested.status:
            case Status.PASSED:
                yield Result(SCENARIO, Verdict.HOLDS_HERE, f"{_WHICH[core]}, {len(tested.seen)} events",
                             scenario.name, seconds=seconds)  # fmt: skip
            case Status.SKIPPED:
                verdict = Verdict.UNKNOWN if core else Verdict.NOT_APPLICABLE
                yield Result(SCENARIO, verdict, f"{_WHICH[core]}, skipped: {tested.why}", scenario.name, more=hint,
                             skipped=True, seconds=seconds)  # fmt: skip
            case Status.ERRORED:
                what, *more = f"{tested.failure}: {tested.why}".removeprefix(": ").splitlines()
                name = yield from self.went(tested.failure, scenario)
                yield Result(SCENARIO, Verdict.UNKNOWN, what, scenario.name, more=(*more, *hint), witness=name,
                             seconds=seconds)  # fmt: skip
            case Status.FLAKY:
                pass
            case Status.FAILED:
                name = file_of(scenario)
                yield self.witness(name, scenario, tested.code)
                yield Result(SCENARIO, Verdict.BROKEN_HERE, falsity(tested, tested.code), scenario.name, witness=name,
                             seconds=seconds, breaks=tested.codes)  # fmt: skip
        for flake in tested.flakes:
            yield from self.flake(flake.code, scenario, flake.why)

    def flake(self, code: str, scenario: Scenario, why: str) -> Iterator[Event]:
        """A promise that was broken once: no failure, and no pass; its scenario is kept."""
        name = file_of(scenario)
        yield self.witness(name, scenario, code)
        yield Result(FLAKE, Verdict.UNKNOWN, f"{code} {why}", scenario.name, witness=name, breaks=(code,))

    def witness(self, name: str, scenario: Scenario, code: str) -> Witness:
        found = Found(self._backend, code, self._profile.name, self._seed)
        return Witness(name, as_form(replace(scenario, found=found)))

    def went(self, failure: str, scenario: Scenario) -> Generator[Event, None, str]:
        """Keep a scenario that went wrong, the first of each failure class; the name of its file, '' for another one."""
        if failure in self._gone_wrong:
            return ""
        self._gone_wrong.add(failure)
        name = f"ERROR-{failure or ERRED}"
        about = f"{self._name} went wrong: {failure or ERRED}."
        yield self.witness(f"{FOLDER}/{name}.json", replace(scenario, name=name, about=about), "")
        return f"{FOLDER}/{name}.json"


def fix(hint: str) -> tuple[str, ...]:
    return (f"Fix: {hint}",) if hint else ()
