"""Portable scenarios that every scheduler can be asked to run, one JSON file each, and what each is about.

`index.json` lists them; the files say the rest and need nothing of quotaproof to be read. `make` writes the index, what a
scenario needs, and the scenarios that are generated. Trusted: nothing; what a backend does in them is judged.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from ....spec.formats import json_text
from ....spec.formats.errors import InputError, nearest
from ....spec.formats.scenario import Scenario
from ....spec.formats.scenario_text import read

INDEX = "index.json"
KINDS = {
    "aws": "What AWS's guide and its walkthrough show, with their numbers.",
    "seed": "Written by hand, each for one rule, one open question or one fault.",
    "goal": "Generated: they open every guard, shut it by each clause, and reach its edges.",
    "report": "Public bug reports of real schedulers, each in the words of quota shares.",
    "bug": "Generated: each is what is left of a run in which a planted bug was found.",
}


@dataclass(frozen=True)
class Entry:
    """One scenario of the corpus. `kind`: of KINDS."""

    kind: str
    scenario: Scenario


@dataclass(frozen=True)
class Listed:
    """What the index says of a scenario, which is not read for it."""

    name: str
    kind: str
    about: str
    file: str

    def scenario(self) -> Scenario:
        """The scenario itself."""
        return _scenario(folder().joinpath(self.file))


@cache
def index() -> tuple[Listed, ...]:
    """Every scenario as the index has it."""
    rows = json.loads(folder().joinpath(INDEX).read_text(encoding="utf-8"))["scenarios"]
    return tuple(Listed(row["name"], row["kind"], row["about"], row["file"]) for row in rows)


def corpus() -> tuple[Scenario, ...]:
    """Every scenario of the corpus, in the order of the index."""
    return tuple(entry.scenario for entry in entries())


@cache
def entries() -> tuple[Entry, ...]:
    """Every scenario with its kind, in the order of the index."""
    return tuple(Entry(listed.kind, listed.scenario()) for listed in index())


def find(name: str) -> Entry:
    """The scenario of that name. Raises InputError with the nearest one."""
    for entry in entries():
        if entry.scenario.name == name:
            return entry
    near = nearest(name, [e.scenario.name for e in entries()])
    raise InputError(f"there is no scenario {name!r} in the corpus", where="corpus",
                     why="Its scenarios are known by name.",
                     fix=f"did you mean {near}?" if near else "`quotaproof explain corpus` lists them.")  # fmt: skip


def folder() -> Traversable:
    """Where the files are."""
    return files(__name__)


def _scenario(file: Traversable) -> Scenario:
    return read(json_text.parse(file.name, file.read_text(encoding="utf-8")))
