"""Every state that a model reaches, breadth first, many states at a time.

Guards and updates run over columns of NumPy; a state is a whole number or a few (`packed`). The search ends when nothing
new is reached, or at a number of states: then the space is not `complete`, and nobody may call what was not seen absent.
Trusted: nothing of the model; an update that leaves its variable's bounds is an error.
"""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...spec.expr.columns import compile_columns
from ...spec.expr.nodes import Int, Node
from ...spec.expr.walk import variables
from .model import Model, Transition
from .packed import Array, Digits, Known

MOST = 5_000_000
"""States after which a search ends unless told otherwise."""
_ROWS = 16_384
"""States whose guards are worked out at once: their columns stay in a core's cache."""


class OutOfBounds(ValueError):
    """A model's update leaves the bounds of its variable: a fault of the model."""


@dataclass(frozen=True)
class Edges:
    """Every step between states: three columns of the same length, in the order of `source`."""

    source: Array
    transition: Array
    target: Array


class Space:
    """The states reached, numbered in the order of their distance from the first."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.complete = True
        """False: the search ended before everything was seen."""
        self.expanded = 0
        """States, the first ones, of which every step was followed."""
        self.seconds = 0.0
        self.steps = 0
        """Steps looked at: edges between states, states that look the same counted once."""
        self.levels: list[int] = [0]
        """Number of the first state at each distance."""
        self.digits = Digits([v.high + 1 for v in model.variables])
        self.known = Known(self.digits)
        self.names = [v.name for v in model.variables]
        unknown = variables(*_formulas(model)).keys() - set(self.names)
        if unknown:
            raise KeyError(f"{model.name} speaks of {', '.join(sorted(unknown))}, which are no variables of it")

    def __len__(self) -> int:
        return self.known.states.shape[1]

    def distance(self, number: int) -> int:
        """Steps from the first state."""
        return bisect_right(self.levels, number) - 1

    def columns(self, first: int = 0, end: int | None = None) -> list[Array]:
        """The values of the variables in a range of states."""
        return self.digits.columns(self.known.states[:, first:end])

    def state(self, number: int) -> dict[str, int]:
        """The values of the variables in one state."""
        found = self.columns(number, number + 1)
        return {name: int(column[0]) for name, column in zip(self.names, found, strict=True)}

    def values(self, *formulas: Node) -> list[Array]:
        """The value of each formula in every state."""
        import numpy as np

        run = compile_columns(formulas, self.names)
        parts: list[list[Array]] = [[] for _ in formulas]
        for first in range(0, len(self), _ROWS):
            columns = self.columns(first, first + _ROWS)
            for part, value in zip(parts, run(columns), strict=True):
                part.append(np.broadcast_to(np.asarray(value), columns[0].shape))
        return [np.concatenate(part) for part in parts]

    @cached_property
    def stepper(self) -> _Stepper:
        """The model, compiled."""
        return _Stepper(self.model, self.digits, self.names)

    @cached_property
    def edges(self) -> Edges:
        """Every step from the states of which all were followed, worked out again: a search does not keep them."""
        import numpy as np

        parts: list[tuple[Array, Array, Array]] = []
        for first in range(0, self.expanded, _ROWS):
            found = self.stepper.steps(self.known.states[:, first : min(first + _ROWS, self.expanded)])
            numbers, _ = self.known.find(found.targets)
            order = np.argsort(found.source, kind="stable")
            parts.append((found.source[order] + first, found.transition[order], numbers[order]))
        source, transition, target = (np.concatenate(column) for column in zip(*parts, strict=True))
        return Edges(source, transition, target)

    def path(self, to: int) -> list[tuple[int, int]]:
        """A shortest run from the first state: (transition, state after it), by number."""
        steps: list[tuple[int, int]] = []
        while to:
            level = self.distance(to)
            transition, before = self._before(to, self.levels[level - 1], self.levels[level])
            steps.append((transition, to))
            to = before
        return steps[::-1]

    def _before(self, to: int, first: int, end: int) -> tuple[int, int]:
        """The first step from a state of a range that leads to a state."""
        wanted = self.known.states[:, to]
        for start in range(first, end, _ROWS):
            found = self.stepper.steps(self.known.states[:, start : min(start + _ROWS, end)])
            hits = (found.targets == wanted[:, None]).all(axis=0).nonzero()[0]
            if len(hits):
                hit = min(hits, key=lambda h: (found.source[h], found.transition[h]))
                return int(found.transition[hit]), int(found.source[hit]) + start
        raise AssertionError("a state without a step to it")


def search(model: Model, most: int = MOST) -> Space:
    """Every state that the model reaches from its start, or the first `most`."""
    import numpy as np

    began = time.perf_counter()
    space = Space(model)
    known, digits = space.known, space.digits
    start = np.array([digits.pack([v.start for v in model.variables])], dtype=np.int64).T
    known.add(start)
    first = 0
    while first < len(space):
        end = len(space)
        for chunk in range(first, end, _ROWS):
            found = space.stepper.steps(known.states[:, chunk : min(chunk + _ROWS, end)])
            space.steps += len(found.source)
            known.add(found.targets)
            space.expanded = min(chunk + _ROWS, end)
            if len(space) > most:
                space.complete = False
                break
        if not space.complete:
            break
        first = end
        if first < len(space):
            space.levels.append(first)
    space.seconds = time.perf_counter() - began
    return space


@dataclass(frozen=True)
class _Steps:
    source: Array
    transition: Array
    targets: Array


class _Stepper:
    """The transitions of a model, compiled."""

    def __init__(self, model: Model, digits: Digits, names: Sequence[str]) -> None:
        self._guards = compile_columns([t.guard for t in model.transitions], names)
        self._moves = [_Move(t, digits, names) for t in model.transitions]

    def steps(self, states: Array) -> _Steps:
        """Every step from these states: positions of sources, transitions, words of targets."""
        import numpy as np

        columns = self._moves[0].digits.columns(states) if self._moves else []
        sources: list[Array] = [np.empty(0, dtype=np.int64)]
        transitions: list[Array] = [np.empty(0, dtype=np.int32)]
        targets: list[Array] = [np.empty((len(states), 0), dtype=np.int64)]
        guards = self._guards(columns) if self._moves else ()
        for number, (guard, move) in enumerate(zip(guards, self._moves, strict=True)):
            rows = np.broadcast_to(np.asarray(guard), states.shape[1:]).nonzero()[0]
            if len(rows):
                sources.append(rows)
                transitions.append(np.full(len(rows), number, dtype=np.int32))
                targets.append(move.targets(states, columns, rows))
        return _Steps(np.concatenate(sources), np.concatenate(transitions), np.concatenate(targets, axis=1))


class _Move:
    """The updates of one transition as an addition on words."""

    def __init__(self, transition: Transition, digits: Digits, names: Sequence[str]) -> None:
        self.digits = digits
        self._name = transition.name
        self._changes = [(names.index(name), name, update) for name, update in transition.updates.items()]
        self._changes = [(at, name, update) for at, name, update in self._changes if update is not _variable(name)]
        self._asked = [names.index(name) for name in variables(*[u for _, _, u in self._changes])]
        asked = [names[at] for at in self._asked]
        self._run = compile_columns([update for _, _, update in self._changes], asked)

    def targets(self, states: Array, columns: Sequence[Array], rows: Array) -> Array:
        """The words after the step, from the states in `rows`."""
        words = states[:, rows]
        values = self._run([columns[at][rows] for at in self._asked])
        for (at, name, _), value in zip(self._changes, values, strict=True):
            base = self.digits.bases[at]
            low, high = (value, value) if isinstance(value, int) else (value.min(), value.max())
            if low < 0 or high >= base:
                raise OutOfBounds(
                    f"{self._name} sets {name} to {low if low < 0 else high}; its bounds are 0 and {base - 1}"
                )
            word, worth = self.digits.places[at]
            words[word] += (value - columns[at][rows]) * worth
        return words


def _variable(name: str) -> Int:
    from ...spec.expr.nodes import int_var

    return int_var(name)


def _formulas(model: Model) -> Iterator[Node]:
    for transition in model.transitions:
        yield transition.guard
        yield from transition.updates.values()
    yield from model.facts.values()
