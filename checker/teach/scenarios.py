"""The scenarios that come with quotaproof: AWS's cases and our own (`examples/`, packages too), and the corpus.

Trusted: nothing; each is read as any file is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import takewhile

from ...spec.formats.errors import InputError, nearest, shown
from ...spec.formats.scenario import Scenario, Settle
from ...spec.formats.scenario_text import read
from ...spec.formats.yaml_text import parse
from ..conform.corpus import index
from .game import Game
from .opened import game_of

_PACKAGES: Mapping[str, str] = {"aws": "quotaproof.examples.conformance", "seed": "quotaproof.examples.scenarios"}
"""Source of a scenario -> the package of its file; all others are the corpus's."""
_LISTED = ("seed", "report", "bug")
"""Kinds of the corpus that a menu offers; its AWS cases are offered from their own package, and the rest is for machines."""
WALKTHROUGH = "DEMO-1"
_WALKTHROUGH = (
    "Three shares with one machine each: QS1 lends and borrows, QS2 lends, QS3 keeps its own. "
    "Three jobs have arrived in QS1."
)


@dataclass(frozen=True)
class Offered:
    """What a menu says of a scenario."""

    name: str
    about: str
    source: str


def offered() -> tuple[Offered, ...]:
    """Every scenario that a menu offers: AWS's, our own, then public reports and what planted bugs were found by."""
    own = [Offered(s.name, s.about, source) for source, s in _own().values()]
    more = [Offered(o.name, o.about, o.kind) for o in index() if o.kind in _LISTED and o.name not in _own()]
    order = ("aws", *_LISTED)
    return tuple(sorted([*own, *more], key=lambda one: order.index(one.source)))


def scenario(name: str) -> Scenario:
    """The scenario of that name, also one that is not offered. Raises InputError with the nearest one."""
    if name in _own():
        return _own()[name][1]
    for listed in index():
        if listed.name == name:
            return listed.scenario()
    near = nearest(name, [one.name for one in offered()])
    raise InputError(f"there is no scenario {shown(name)}", where="scenarios", why="They are known by name.",
                     fix=f"did you mean {near}?" if near else "choose one of the list.")  # fmt: skip


def played(name: str) -> Game:
    """The whole scenario of that name as a game. Raises InputError."""
    return game_of(scenario(name))


def walkthrough() -> Game:
    """AWS's walkthrough, as far as its first jobs: what happens then is for the player to see."""
    game = played(WALKTHROUGH)
    first = takewhile(lambda step: not isinstance(step, Settle), game.moves)
    return replace(game, name="walkthrough", moves=tuple(first), about=_WALKTHROUGH)


@cache
def _own() -> Mapping[str, tuple[str, Scenario]]:
    """Name -> source and scenario, of those that are no part of the corpus."""
    return {scenario.name: (source, scenario) for source in _PACKAGES for scenario in _in(source)}


def _in(source: str) -> Iterator[Scenario]:
    for file in sorted(files(_PACKAGES[source]).iterdir(), key=lambda f: f.name):
        if file.name.endswith(".yaml"):
            yield read(parse(file.name, file.read_text(encoding="utf-8")))
