"""Bad endings of a run: states in which nobody has to act, and cycles that fairness allows, as shortest real lassos.

A run is fair to a group of steps if it takes one of them again and again or, weakly, if none is possible again and again,
strongly, if none is possible any more. Steps without a group may never happen. A state in which the model's fact
`urgent` is true lasts no time: that a step is not possible there excuses nobody. A cycle is found in a strongly connected
part of the states that the groups leave; what is reported is a closed walk in it, never the part. A step that changes
nothing is none. Trusted: networkx, for strongly connected components.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from .packed import Array
from .search import Space

Moves = tuple[tuple[int, int], ...]
"""Transition and state after it, by number."""
_TRIED = 8
"""States, all nearest to the start, from which a shortest walk is looked for."""


@dataclass(frozen=True)
class Run:
    """A run from the first state: `stem`, then `loop` for ever; without a loop it ends after the stem."""

    stem: Moves
    loop: Moves = ()

    @property
    def turns(self) -> int:
        """Number of the state in which the loop starts, or the run ends."""
        return self.stem[-1][1] if self.stem else 0


class Graph:
    """The steps between states of a space, with their fairness groups."""

    def __init__(self, space: Space) -> None:
        import numpy as np

        self.space, self.edges = space, space.edges
        named = [dict.fromkeys(name for name in (t.fair, t.also) if name) for t in space.model.transitions]
        self.groups = list(dict.fromkeys(name for names in named for name in names))
        self._groups_of = [[self.groups.index(name) for name in names] for names in named]
        self._possible = np.zeros((len(self.groups), len(space)), dtype=bool)
        for number, groups in enumerate(self._groups_of):
            if groups:
                where = self.edges.source[self.edges.transition == number]
                for group in groups:
                    self._possible[group, where] = True
        urgent = space.model.facts.get("urgent")
        passing = space.values(urgent)[0] if urgent is not None else np.zeros(len(space), dtype=bool)
        self._asked = self._possible | passing
        """Where weak fairness asks for a step of the group."""

    def idle(self) -> Array:
        """States in which no step of any group is possible: nobody has to act."""
        import numpy as np

        return ~self._possible.any(axis=0) & (np.arange(len(self.space)) < self.space.expanded)

    def cycle(
        self,
        inside: Array,
        without: Collection[int] = (),
        *,
        strong: bool = False,
        groups: Collection[str] | None = None,
    ) -> Run | None:
        """A shortest fair lasso whose loop stays in the states `inside` and takes none of the transitions `without`.

        Shortest: no fair loop begins nearer to the start, and none that begins in such a state is shorter. `groups`:
        those that must be treated fairly, all of them unless given.
        """
        fair = [i for i, g in enumerate(self.groups) if groups is None or g in groups]
        parts = list(self._parts(inside, set(without), fair, strong))
        if not parts:
            return None
        distance = min(self.space.distance(min(part.states)) for part in parts)
        loops: list[tuple[int, Moves]] = []
        for part in parts:
            nearest = [state for state in sorted(part.states)[:_TRIED] if self.space.distance(state) == distance]
            loops += [(state, self._walk(part, state, fair, strong)) for state in nearest]
        state, loop = min(loops, key=lambda found: (len(found[1]), found[0]))
        return Run(tuple(self.space.path(state)), loop)

    def _parts(self, inside: Array, without: set[int], fair: list[int], strong: bool) -> Iterator[_Part]:
        """The parts of the graph in which a fair run may go round."""
        import networkx as nx
        import numpy as np

        source, transition, target = self.edges.source, self.edges.transition, self.edges.target
        kept = inside[source] & inside[target] & (source != target) & (target < self.space.expanded)
        if without:
            kept &= ~np.isin(transition, list(without))
        steps: dict[int, list[tuple[int, int]]] = {}
        for a, t, b in zip(source[kept].tolist(), transition[kept].tolist(), target[kept].tolist(), strict=True):
            steps.setdefault(a, []).append((t, b))
        todo: list[set[int]] = [set(steps)]
        while todo:
            states = todo.pop()
            graph = nx.DiGraph()
            graph.add_edges_from((a, b) for a in states for _, b in steps.get(a, ()) if b in states)
            for found in nx.strongly_connected_components(graph):
                if len(found) == 1:
                    continue
                part = _Part(frozenset(found), {a: [(t, b) for t, b in steps[a] if b in found] for a in found})
                missed = self._missed(part, fair, strong)
                if not missed:
                    yield part
                elif strong:
                    hurt = self._true(self._possible[missed].any(axis=0))
                    todo.append(found - hurt)

    def _missed(self, part: _Part, fair: list[int], strong: bool) -> list[int]:
        """The groups to which no run that visits all of the part is fair."""
        taken = {g for steps in part.steps.values() for t, _ in steps for g in self._groups_of[t]}
        possible = (self._possible if strong else self._asked)[:, sorted(part.states)]
        may = self._true(possible.any(axis=1) if strong else possible.all(axis=1))
        return [g for g in fair if g in may and g not in taken]

    @staticmethod
    def _true(where: Array) -> set[int]:
        """The positions of what is true."""
        return set(where.nonzero()[0].tolist())

    def _walk(self, part: _Part, start: int, fair: list[int], strong: bool) -> Moves:
        """A shortest closed walk from a state that is fair to every group."""
        bit = {g: 1 << i for i, g in enumerate(fair)}

        def possible(state: int) -> int:
            return sum(bit[g] for g in fair if (self._possible if strong else self._asked)[g, state])

        whole = sum(bit.values())
        memory = {state: possible(state) for state in part.states}

        def after(owed: int, done: int, transition: int, state: int) -> tuple[int, int]:
            """Groups that are owed something, and those that are content for good."""
            done |= sum(bit.get(g, 0) for g in self._groups_of[transition])
            if strong:
                return (owed | memory[state]) & ~done, done
            done |= whole & ~memory[state]
            return whole & ~done, done

        done = 0 if strong else whole & ~memory[start]
        first = start, memory[start] if strong else whole & ~done, done
        before: dict[tuple[int, int, int], tuple[tuple[int, int, int], int]] = {}
        queue = deque([first])
        seen = {first}
        while queue:
            node = queue.popleft()
            state, owed, done = node
            for transition, to in part.steps[state]:
                new = to, *after(owed, done, transition, to)
                if to == start and not new[1]:
                    moves = [(transition, to)]
                    while node != first:
                        moves.append((before[node][1], node[0]))
                        node = before[node][0]
                    return tuple(reversed(moves))
                if new not in seen:
                    seen.add(new)
                    before[new] = node, transition
                    queue.append(new)
        raise AssertionError("a part without a fair walk")


@dataclass(frozen=True)
class _Part:
    states: frozenset[int]
    steps: dict[int, list[tuple[int, int]]]
