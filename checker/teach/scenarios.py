"""The scenarios that come with quotaproof: what AWS's texts show, and our own seeds. `examples/` holds them, as a package.

Trusted: nothing; each is read as any file is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from ...spec.formats.errors import InputError, nearest
from ...spec.formats.scenario import Scenario
from ...spec.formats.scenario_text import read
from ...spec.formats.yaml_text import parse

SOURCES: Mapping[str, str] = {"aws": "quotaproof.examples.conformance", "seed": "quotaproof.examples.scenarios"}
"""Source of a scenario -> the package of its file."""
WALKTHROUGH = "DEMO-1"


@cache
def seeds() -> Mapping[str, tuple[str, Scenario]]:
    """Name -> source and scenario, AWS's first."""
    return {scenario.name: (source, scenario) for source in SOURCES for scenario in _in(source)}


def seed(name: str) -> Scenario:
    """The scenario of that name. Raises InputError with the nearest one."""
    if name in seeds():
        return seeds()[name][1]
    near = nearest(name, seeds())
    raise InputError(f"there is no scenario {name!r}", where="scenarios", why="They are known by name.",
                     fix=f"did you mean {near}?" if near else "choose one of the list.")  # fmt: skip


def _in(source: str) -> Iterator[Scenario]:
    for file in sorted(files(SOURCES[source]).iterdir(), key=lambda f: f.name):
        if file.name.endswith(".yaml"):
            yield read(parse(file.name, file.read_text(encoding="utf-8")))
