"""A transition system as data: variables with bounds, and transitions whose guards and updates are expressions.

Everything that looks at states reads this: the explorer compiles it to NumPy, the exporter writes it as Promela, a path
through it becomes a scenario. Trusted: that every update stays within its variable's bounds where the guard holds; the
explorer checks it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ...spec.expr.nodes import Bool, Int, int_var

Who: TypeAlias = Literal["environment", "platform", "scheduler"]
"""Whose step it is: users and jobs that end by themselves, drains that end, the scheduler."""


@dataclass(frozen=True)
class Variable:
    """A bounded number of the state."""

    name: str
    high: int
    start: int = 0

    @property
    def now(self) -> Int:
        """The variable in an expression."""
        return int_var(self.name)


@dataclass(frozen=True)
class Transition:
    """A step: possible where `guard` is true; `updates` give the variables that change, all at once."""

    name: str
    who: Who
    guard: Bool
    updates: Mapping[str, Int]
    fair: str = ""
    """The fairness group it belongs to, '' for a step that nobody has to make."""
    about: Mapping[str, object] = field(default_factory=dict[str, object])
    """What a scenario needs to make it an event: the kind of job, the victims by kind."""
    also: str = ""
    """A second, wider fairness group that it belongs to."""


@dataclass(frozen=True)
class Model:
    """A finite transition system. Every variable is 0 or more and at most its `high`."""

    name: str
    variables: tuple[Variable, ...]
    transitions: tuple[Transition, ...]
    facts: Mapping[str, Bool] = field(default_factory=dict[str, Bool])
    """Named formulas over the variables: that a job waits, that a promise is kept."""
