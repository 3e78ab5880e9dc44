"""What one judgement of promises is made from, and what a judge of one term answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from ....spec.model import QueueConfig
from ....spec.promises import Promise, Promises, Term
from ....spec.readings import Readings
from ...promised import How
from ...prove.solver import Solver
from ...results import Result

if TYPE_CHECKING:
    from ....spec.formats import JobItem
    from ....spec.formats.scenario import Scenario
    from ...prove.theorems import Proofs
    from .envelopes import Envelopes


@dataclass(frozen=True)
class Case:
    """A configuration, the promises about it, and what is known beside it."""

    promises: Promises
    config: QueueConfig
    readings: Readings
    proofs: Proofs
    today: date
    jobs: tuple[JobItem, ...] = ()
    """Jobs that are to be submitted."""
    solver: Solver = field(default_factory=Solver)
    """What decides; its time is one for all promises, and for every other configuration that is tried for them."""
    in_force: bool = False
    """Only whether promises are kept under the readings in force is asked, not on which of them that rests."""

    @cached_property
    def envelopes(self) -> Envelopes:
        """What the configuration may come to, under any readings."""
        from .envelopes import Envelopes

        return Envelopes(self.config, self.readings, self.solver, alone=self.in_force)

    def with_config(self, config: QueueConfig) -> Case:
        """The same promises about another configuration."""
        return replace(self, config=config)


@dataclass(frozen=True)
class Judgement:
    """What a judge says of one term of a promise for one share, group or unit."""

    how: How
    result: Result
    """Its code is the promise's."""
    scenario: Scenario | None = None
    """What shows that it is refuted; it has been replayed."""


Judge: TypeAlias = Callable[[Case, Promise, Term], Iterator[Judgement]]
