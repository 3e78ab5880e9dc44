"""Keeps the corpus in order: `python -m quotaproof.checker.conform.corpus.make [--check | --generate]`.

A scenario written by hand gives its name, what it is about, what it rests on, its queue, its steps and the guarantees it
is about; what it needs is worked out, and the file is written in one form. `--check` changes nothing and says what would
change; `--generate` first makes the generated ones anew. Trusted: nothing; tests read whatever is written with a
validator that knows nothing of this.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from ....spec.formats.scenario import Scenario
from ....spec.formats.scenario_text import load_scenario
from ....spec.rules.guarantees import GUARANTEES
from ..features import FEATURES, needs
from ..portable import text, why_not
from . import INDEX, KINDS

FOLDER = Path(__file__).parent


def in_order(scenario: Scenario) -> Scenario:
    """The scenario with the features that it needs, and what it checks in order.

    Raises ValueError when not every backend can run it.
    """
    if why := why_not(scenario):
        raise ValueError(f"{scenario.name} is not portable: {why}")
    needed = needs(scenario)
    checks = tuple(code for code in GUARANTEES if code in scenario.checks)
    return replace(scenario, checks=checks, features=tuple(f for f in FEATURES if f in needed))


def present() -> Iterator[tuple[str, Scenario]]:
    """File name and scenario of every file that is there, whatever the index says."""
    for path in sorted(FOLDER.glob("*.json")):
        if path.name != INDEX:
            yield path.name, load_scenario(str(path))


def made() -> dict[str, str]:
    """File name -> text, of every file as it should be, the index included."""
    ordered = {name: in_order(scenario) for name, scenario in present()}
    order = {kind: at for at, kind in enumerate(KINDS)}
    listed = sorted(ordered.items(), key=lambda item: (order[_kind(item[0])], item[0]))
    rows = [
        {
            "name": s.name,
            "file": name,
            "kind": _kind(name),
            "about": s.about,
            "checks": s.checks,
            "features": s.features,
        }
        for name, s in listed
    ]
    lines = ",\n".join(f"    {json.dumps(row, sort_keys=True)}" for row in rows)
    about = {"corpus": 1, "kinds": KINDS}
    index = json.dumps(about, indent=2)[:-2] + f',\n  "scenarios": [\n{lines}\n  ]\n}}\n'
    return {**{name: text(s) for name, s in ordered.items()}, INDEX: index}


def _kind(file: str) -> str:
    first = file.split("-")[0]
    return first if first in KINDS else "seed"


def main(arguments: list[str]) -> int:
    """Write what is not in order, or with --check only name it."""
    if "--generate" in arguments:
        from .goals import generated

        anew = list(generated())
        for path in FOLDER.glob("goal-*.json"):
            path.unlink()
        for scenario in anew:
            (FOLDER / f"{scenario.name}.json").write_text(text(scenario), encoding="utf-8")
    out = 0
    for name, wanted in made().items():
        path = FOLDER / name
        if path.is_file() and path.read_text(encoding="utf-8") == wanted:
            continue
        out = 1
        if "--check" in arguments:
            print(f"{name} is not in order")
        else:
            path.write_text(wanted, encoding="utf-8")
            print(f"{name} written")
    return out if "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
