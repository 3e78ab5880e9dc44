"""How planted schedulers are found: the first seed within a budget whose scenario breaks the guarantee, shrunk.

`saved` reads the shrunk scenario of each from `tests/quality/kills`; this module, run, finds and writes them anew:
`python -m tests.support.wrong.kills [NAME ...]`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from quotaproof.checker.conform.backend import Backend
from quotaproof.checker.conform.features import FEATURES, needs
from quotaproof.checker.conform.shrink import shrink
from quotaproof.checker.conform.verdict import Tested, judged
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Found, Scenario, as_form
from quotaproof.spec.formats.scenario_text import load_scenario

from . import WRONG

BUDGET = 2_000
"""Seeds that are tried on each scheduler."""
FOLDER = Path(__file__).resolve().parents[2] / "quality" / "kills"


def run(backend: Backend, scenario: Scenario) -> Tested:
    """One scenario, run and judged."""
    (answer,) = backend.run([scenario])
    return judged(scenario, answer, backend.declare())


@dataclass(frozen=True)
class Kill:
    """A planted scheduler found out: the seed, and its scenario shrunk."""

    name: str
    seed: int
    scenario: Scenario

    @property
    def examples(self) -> int:
        return self.seed + 1

    @property
    def jobs(self) -> int:
        return sum(isinstance(step, ev.Submit) for step in self.scenario.steps)


def killing(name: str, budget: int = BUDGET) -> Iterator[tuple[int, Scenario]]:
    """The seeds whose scenario shows the guarantee that the scheduler breaks, broken before any other."""
    wrong = WRONG[name]
    backend = wrong.backend(name)
    tried = ((seed, seeded(seed)) for seed in range(budget))
    return ((seed, scenario) for seed, scenario in tried if run(backend, scenario).code == wrong.code)


def shrunk(name: str, seed: int, scenario: Scenario) -> Kill:
    """The smallest scenario within reach in which the scheduler breaks its guarantee first."""
    wrong = WRONG[name]
    backend = wrong.backend(name)
    small = shrink(scenario, lambda s: run(backend, s).code == wrong.code)
    needed = needs(small)
    told = replace(
        small, name=f"planted-{name}", about=f"Found by the planted scheduler {name}, which breaks {wrong.code}.",
        checks=(wrong.code,), features=tuple(f for f in FEATURES if f in needed), found=Found(name, wrong.code, seed=seed),
    )  # fmt: skip
    return Kill(name, seed, told)


def kill(name: str, budget: int = BUDGET) -> Kill | None:
    """The first seed within the budget that shrinks to few jobs."""
    every = (shrunk(name, seed, scenario) for seed, scenario in killing(name, budget))
    return next((found for found in every if found.jobs <= WRONG[name].jobs), None)


def kills() -> dict[str, Scenario]:
    """Each planted scheduler's scenario, found and shrunk anew."""
    found = {name: kill(name) for name in WRONG}
    return {name: one.scenario for name, one in found.items() if one is not None}


def saved(name: str) -> Scenario:
    """The scenario in which a planted scheduler was found, shrunk."""
    return load_scenario(str(FOLDER / f"{name}.json"))


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or WRONG:
        found = kill(name)
        if found is None:
            sys.exit(f"{name} is not found in {BUDGET} seeds")
        (FOLDER / f"{name}.json").write_text(json.dumps(as_form(found.scenario), indent=1) + "\n")
        print(f"{name:24} {WRONG[name].code:4} {found.examples:5} examples, {found.jobs} jobs", flush=True)
