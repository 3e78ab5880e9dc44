"""The scenarios that come with quotaproof: what AWS's texts show, and our own seeds. `examples/` holds them, as a package.

Trusted: nothing; each is read as any file is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import takewhile

from ...spec.formats.errors import InputError, nearest
from ...spec.formats.scenario import Scenario, Settle
from ...spec.formats.scenario_text import read
from ...spec.formats.yaml_text import parse
from ..conform.corpus import single
from .game import Game
from .opened import game_of
from .planted import PLANTED

SOURCES: Mapping[str, str] = {"aws": "quotaproof.examples.conformance", "seed": "quotaproof.examples.scenarios"}
"""Source of a scenario -> the package of its file."""
WALKTHROUGH = "DEMO-1"
_WALKTHROUGH = (
    "Three shares with one machine each: QS1 lends and borrows, QS2 lends, QS3 keeps its own. "
    "Three jobs have arrived in QS1."
)


@cache
def seeds() -> Mapping[str, tuple[str, Scenario]]:
    """Name -> source and scenario, AWS's first."""
    return {scenario.name: (source, scenario) for source in SOURCES for scenario in _in(source)}


def seed(name: str) -> Scenario:
    """The scenario of that name. Raises InputError with the nearest one."""
    if name in seeds():
        return seeds()[name][1]
    if name in {bug.shows for bug in PLANTED.values()}:
        return single(f"{name}.json")
    near = nearest(name, seeds())
    raise InputError(f"there is no scenario {name!r}", where="scenarios", why="They are known by name.",
                     fix=f"did you mean {near}?" if near else "choose one of the list.")  # fmt: skip


def played(name: str) -> Game:
    """The whole scenario of that name as a game. Raises InputError."""
    return game_of(seed(name))


def walkthrough() -> Game:
    """AWS's walkthrough, as far as its first jobs: what happens then is for the player to see."""
    game = played(WALKTHROUGH)
    first = takewhile(lambda step: not isinstance(step, Settle), game.moves)
    return replace(game, name="walkthrough", moves=tuple(first), about=_WALKTHROUGH)


def _in(source: str) -> Iterator[Scenario]:
    for file in sorted(files(SOURCES[source]).iterdir(), key=lambda f: f.name):
        if file.name.endswith(".yaml"):
            yield read(parse(file.name, file.read_text(encoding="utf-8")))
