"""A backend in this process as the `Scheduler` that a test of somebody's own would write: a queue, and a step at a time."""

from __future__ import annotations

from collections.abc import Iterable

from quotaproof.checker.conform.backend import Declaration
from quotaproof.checker.conform.reference import Reference, Session
from quotaproof.spec.formats.scenario import Step
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.observations import Observation


class Driven:
    """The reference, or a scheduler made of it, as a `Scheduler`."""

    def __init__(self, backend: Reference) -> None:
        self.backend = backend
        self._session: Session | None = None

    @property
    def declaration(self) -> Declaration:
        """What the backend declares."""
        return self.backend.declare()

    def configure(self, config: QueueConfig) -> None:
        """Begin with this queue, without jobs."""
        self._session = Session(self.backend, config)

    def step(self, step: Step) -> Iterable[Observation]:
        """What happens because of a step."""
        assert self._session is not None, "configure comes first"
        return self._session.do(step)
