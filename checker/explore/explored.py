"""What all runs of a small queue say: is every entitled head served, and does preemption come to an end?

`explore` goes through all states of a system and looks for a waiting head that nobody has to serve (G14): stuck, or while
others go round for ever, as fairness allows; and for preemption that goes round without users (G18). Each is a shortest
run, which is a scenario. A search that was cut short finds what it saw and never says that a promise is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...spec.formats.scenario import Breaks, Scenario
from ...spec.model import QueueConfig
from ...spec.readings import Readings
from .counters import Counters
from .fairness import Graph, Run
from .kinds import Discipline, Kind
from .search import MOST, Space, search
from .system import system
from .told import scenario


@dataclass(frozen=True)
class Finding:
    """What was found of one promise. `kept` None: not explored to the end, and nothing found until there."""

    kept: bool | None
    stuck: int = 0
    """States in which a head waits, entitled, and nobody has to act."""
    run: Run | None = None
    """A run that breaks it."""
    scenario: Scenario | None = None


@dataclass(frozen=True)
class Explored:
    """All runs of a system."""

    space: Space
    served: Mapping[str, Finding]
    """Kind -> G14 for its jobs."""
    ends: Finding
    """G18."""
    invariants: Mapping[str, int]
    """Guarantee of every state -> states that break it."""


def explore(
    config: QueueConfig,
    kinds: Sequence[Kind],
    readings: Readings | None = None,
    discipline: Discipline | None = None,
    *,
    strong: bool = False,
    most: int = MOST,
    name: str = "",
    ask: Sequence[str] | None = None,
) -> Explored:
    """Go through all states of a queue with jobs of these kinds, under weak fairness or strong.

    `ask`: the kinds of which it is asked whether they are served, all unless given. Raises NotExplored.
    """
    readings, discipline = readings or Readings(), discipline or Discipline()
    counters = Counters(config, kinds, readings, discipline)
    space = search(system(config, kinds, readings, discipline, name), most)
    facts = space.model.facts
    kept = [code for code in facts if code.startswith("kept.")]
    values = space.values(*[facts[code] for code in kept])
    broken = {code.removeprefix("kept."): int((~v).sum()) for code, v in zip(kept, values, strict=True)}
    graph = Graph(space)
    asked = [k for k in counters.kinds if ask is None or k.name in ask]
    served = {k.name: _served(counters, graph, k, strong) for k in asked}
    return Explored(space, served, _ends(counters, graph), broken)


def _served(counters: Counters, graph: Graph, kind: Kind, strong: bool) -> Finding:
    space = graph.space
    (waits,) = space.values(space.model.facts[f"waits.{kind.name}"])
    stuck = (waits & graph.idle()).nonzero()[0]
    if len(stuck):
        run = Run(tuple(space.path(int(stuck[0]))))
        breaks, about = Breaks("G14", "stuck"), f"A job of {kind.name} waits for ever: nobody has to act."
    else:
        own = {n for n, t in enumerate(space.model.transitions) if _starts(t.about, kind.share)}
        run = graph.cycle(waits, own, strong=strong)
        breaks, about = Breaks("G14", "lasso"), f"A job of {kind.name} waits while the others go round."
    if run is None:
        return Finding(True if space.complete else None)
    return Finding(False, len(stuck), run, scenario(counters, space, run, breaks, kind, about))


def _starts(about: Mapping[str, object], share: str) -> bool:
    kind = about.get("kind")
    return about["event"] == "dispatch" and isinstance(kind, Kind) and kind.share == share


def _ends(counters: Counters, graph: Graph) -> Finding:
    import numpy as np

    space = graph.space
    users = {n for n, t in enumerate(space.model.transitions) if t.who == "environment"}
    drains = {g for t in space.model.transitions if t.who == "platform" for g in (t.fair, t.also)}
    run = graph.cycle(np.ones(len(space), dtype=bool), users, groups=drains)
    if run is None:
        return Finding(True if space.complete else None)
    told = scenario(counters, space, run, Breaks("G18", "circle"), None, "Jobs stop each other for ever.")
    return Finding(False, 0, run, told)
