"""A course of events as it is put together: the steps so far, the jobs that were submitted, and the queue as configured now.

It says what users, the platform and administrators do, never what a scheduler does; whether a step will be possible is
not known here, and need not be.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Settle, Step
from ...spec.model import EnvironmentCapacityLimit, QueueConfig, QuotaShare, ResourceSharing, State, Strategy
from ...spec.readings import Readings
from .choices import Choices
from .configs import share_of
from .jobs import job

_DEFAULTS = Readings()


class Course:
    """A scenario in the making."""

    def __init__(self, config: QueueConfig, readings: Readings = _DEFAULTS) -> None:
        self.config = self.now = config
        self.readings = readings
        self.steps: list[Step] = []
        self.jobs: list[str] = []
        self.environment_enabled = self.queue_enabled = True
        self.deleted: dict[str, QuotaShare] = {}
        """Shares that were deleted, as they were."""
        self._submitted: dict[str, int] = {}

    def scenario(self, name: str, about: str) -> Scenario:
        """What was put together; at its end all settles."""
        if not self.steps or self.steps[-1] != Settle():
            self.settle()
        return Scenario(name, about, self.config, tuple(self.steps), self.readings)

    def do(self, *steps: Step) -> None:
        """More steps."""
        self.steps.extend(steps)

    def settle(self, drains: bool = True) -> None:
        """The scheduler acts until nothing moves; without `drains` no victim stops."""
        self.steps.append(Settle(drains=drains))

    def submit(
        self, share: str, size: Mapping[str, int], priority: int | None = None, retries: int | None = None
    ) -> str:
        """Submit a job; its name."""
        name = self.next_name(share)
        self._submitted[share] = self._submitted.get(share, 0) + 1
        self.steps.append(ev.Submit(name, share, size, priority, retries))
        self.jobs.append(name)
        return name

    def submit_any(self, choose: Choices, *, share: str = "", small: bool = False) -> str:
        """Submit a job that is drawn."""
        drawn = job(choose, self.now, share=share, small=small, readings=self.readings)
        return self.submit(drawn.share, drawn.size, drawn.priority, drawn.retries)

    def next_name(self, share: str) -> str:
        """What the next job of a share is called."""
        return f"{share}{self._submitted.get(share, 0) + 1}"

    def fill(self, share: str, unit: str, most: int = 12) -> list[str]:
        """Jobs of one machine each, as many as there are machines of a unit."""
        return [self.submit(share, {unit: 1}) for _ in range(min(most, self.now.environment.capacity.get(unit, 0)))]

    def each(self, kind: type[ev.Stopped] | type[ev.Advance] | type[ev.Finish], jobs: Iterable[str]) -> None:
        """One step for each job, in this order: victims stop, stages are reached, jobs end."""
        self.steps.extend(kind(name) for name in jobs)

    def sharing(self, share: QuotaShare, strategy: Strategy, borrow_limit: int | None = None) -> None:
        """Change a share's strategy and borrow limit."""
        borrow = borrow_limit if strategy is Strategy.LEND_AND_BORROW else None
        self._with(share, resource_sharing_configuration=ResourceSharing(strategy=strategy, borrow_limit=borrow))
        self.steps.append(ev.SetSharing(share.name, strategy, borrow))

    def limits(self, share: QuotaShare, limits: Mapping[str, int]) -> None:
        """Change a share's limits."""
        changed = share_of(share.name, limits, share.strategy, share.borrow_limit)
        self._with(share, capacity_limits=changed.capacity_limits)
        self.steps.append(ev.SetLimits(share.name, dict(limits)))

    def in_share(self, share: QuotaShare, on: bool) -> None:
        """Switch in-share preemption of a share on or off."""
        preemption = share.preemption_configuration.model_copy(update={"in_share_preemption": _state(on)})
        self._with(share, preemption_configuration=preemption)
        self.steps.append(ev.SetInShare(share.name, on))

    def enable(self, share: QuotaShare, on: bool) -> None:
        """Enable or disable a share."""
        self._with(share, state=_state(on))
        self.steps.append(ev.SetShareState(share.name, _state(on)))

    def delete(self, share: QuotaShare) -> None:
        """Disable a share and delete it (rule 51)."""
        if share.state is State.ENABLED:
            self.steps.append(ev.SetShareState(share.name, State.DISABLED))
        self.steps.append(ev.DeleteShare(share.name))
        self.deleted[share.name] = share
        self._shares([s for s in self.now.shares if s.name != share.name])

    def create(self, share: QuotaShare) -> None:
        """Create a share. One of this name may still be there: then it is impossible and left out."""
        self.deleted.pop(share.name, None)
        self.steps.append(ev.CreateShare(share))
        self._shares([*self.now.shares, share])

    def capacity(self, capacity: Mapping[str, int]) -> None:
        """Change the environment's limits."""
        limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in capacity.items())
        environment = self.now.environment.model_copy(update={"capacity_limits": limits})
        self.now = self.now.model_copy(update={"environment": environment})
        self.steps.append(ev.SetCapacity(dict(capacity)))

    def environment(self, on: bool) -> None:
        """Enable or disable the environment."""
        self.environment_enabled = on
        self.steps.append(ev.SetEnvironmentState(_state(on)))

    def queue(self, on: bool) -> None:
        """Enable or disable the queue."""
        self.queue_enabled = on
        self.steps.append(ev.SetQueueState(_state(on)))

    def undo(self) -> None:
        """Everything that an administrator changed is as it was at first."""
        if not self.environment_enabled:
            self.environment(True)
        if not self.queue_enabled:
            self.queue(True)
        if self.now.environment.capacity != self.config.environment.capacity:
            self.capacity(self.config.environment.capacity)
        for first in self.config.shares:
            self.restore(first)

    def restore(self, first: QuotaShare) -> None:
        """A share is as it was at first; one that was deleted is created again."""
        now = next((s for s in self.now.shares if s.name == first.name), None)
        if now is None:
            self.create(first)
            return
        if now.limits != first.limits:
            self.limits(now, first.limits)
        if (now.strategy, now.borrow_limit) != (first.strategy, first.borrow_limit):
            self.sharing(self.now.share(first.name), first.strategy, first.borrow_limit)
        if now.in_share != first.in_share:
            self.in_share(self.now.share(first.name), first.in_share)
        if now.state != first.state:
            self.enable(self.now.share(first.name), first.state is State.ENABLED)

    def _with(self, share: QuotaShare, **fields: object) -> None:
        changed = share.model_copy(update=fields)
        self._shares([changed if s.name == share.name else s for s in self.now.shares])

    def _shares(self, shares: Sequence[QuotaShare]) -> None:
        self.now = self.now.model_copy(update={"shares": tuple(shares)})


def _state(on: bool) -> State:
    return State.ENABLED if on else State.DISABLED
