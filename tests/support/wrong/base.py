"""What a planted scheduler is: the reference with one thing wrong, a few lines long, and the guarantee that it breaks.

`as_if` makes a `decide` that looks at a queue to which something has happened that has not. Some schedulers are on the menu
of `play` (`checker.teach.bugs`). Trusted: nothing; the judge has to find them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from quotaproof.checker.conform.backend import Answer
from quotaproof.checker.conform.reference import Platform, Reference
from quotaproof.reference.clock import Decide
from quotaproof.reference.decide import decide
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Job, Queue
from quotaproof.reference.run import platform_step
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario
from quotaproof.spec.observations import Observation

Telling = Callable[[Iterable[Observation]], Iterator[Observation]]
"""What a scheduler reports of what happened."""


@dataclass(frozen=True)
class Reporting(Reference):
    """A scheduler that reports something else than what happened."""

    telling: Telling = iter

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        for answer in super().run(scenarios):
            yield replace(answer, seen=tuple(self.telling(answer.seen)))


@dataclass(frozen=True)
class Wrong:
    """A planted scheduler. `code`: the guarantee that it breaks."""

    code: str
    queue: type[Queue] = Queue
    decide: Decide = decide
    policy: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What it reads wrongly of its `Policy`."""
    platform: Platform = platform_step
    telling: Telling = iter
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    """What it declares."""
    jobs: int = 5
    """Jobs that are enough to show it."""

    def _policy(self, readings):
        return replace(Policy.of(readings), **self.policy)

    def options(self, readings):
        """What `reference.clock.run` needs to run it."""
        return {"queue": self.queue, "decide": self.decide, "policy": self._policy(readings)}

    def backend(self, name: str = "wrong") -> Reporting:
        """The scheduler as a backend under test."""
        return Reporting(name, self.choices, self.decide, self.queue, self._policy, self.platform, self.telling)


def as_if(happened: Callable[[Queue], None]) -> Decide:
    """The reference that decides as if something had happened."""

    def decides(queue: Queue, policy: Policy) -> ev.SchedulerEvent | None:
        imagined = queue.copy()
        happened(imagined)
        return decide(imagined, policy)

    return decides


def heads(queue: Queue) -> Iterator[Any]:
    """The first waiting job of every share."""
    return (next(queue.waiting(share)) for share in queue.shares if any(queue.waiting(share)))


def limit(queue: Queue, share: str, unit: str) -> int:
    """The limit of a share as it is configured now."""
    return queue.grant(share, unit).limit


def over(queue: Queue, used: Mapping[tuple[str, str], int], share: str, unit: str) -> bool:
    """Whether a share uses more than its limit."""
    return used[share, unit] > limit(queue, share, unit)


def of_others(queue: Queue, job: Job) -> list[Job]:
    """Jobs of other shares that may be told to stop."""
    return [victim for victim in queue.stoppable() if victim.share != job.share]
