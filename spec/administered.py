"""What an administrator decides of a queue: shares, limits, environment, and what is switched on. Values, not changes.

Trusted: the mapping of AWS's fields to the three numbers (spec.model.grant).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from . import events as ev
from .model import Grant, QueueConfig, QuotaShare, ResourceSharing, ShareCapacityLimit, State, grant
from .readings import Readings


@dataclass(frozen=True)
class Administered:
    """The configuration in force."""

    shares: Mapping[str, QuotaShare]
    capacity: Mapping[str, int]
    deleting: frozenset[str] = frozenset()
    environment_enabled: bool = True
    queue_enabled: bool = True

    @classmethod
    def of(cls, config: QueueConfig) -> Administered:
        """A queue as it starts."""
        enabled = config.environment.state is State.ENABLED
        return cls({s.name: s for s in config.shares}, dict(config.environment.capacity), environment_enabled=enabled)

    @cached_property
    def _grants(self) -> dict[tuple[str, str], Grant]:
        return {}

    def grant(self, share: str, unit: str, readings: Readings) -> Grant:
        """The three numbers in force (A47, A48)."""
        made = self._grants.get((share, unit))
        if made is None:
            s = self.shares[share]
            made = grant(s.limits.get(unit), s.strategy, s.borrow_limit, readings)
            if share in self.deleting and readings["A48"] == "void":
                made = Grant(0, 0, 0)
            elif s.state is State.DISABLED and readings["A47"] == "no":
                made = Grant(made.limit, 0, made.borrowable)
            self._grants[share, unit] = made
        return made

    def may_borrow(self, share: str, readings: Mapping[str, str]) -> bool:
        """Whether the share's strategy lets it borrow (A48: one that is void does not)."""
        void = share in self.deleting and readings["A48"] == "void"
        return self.shares[share].strategy == "LEND_AND_BORROW" and not void

    def units(self) -> dict[str, None]:
        """Every unit that the environment or a share names."""
        return dict.fromkeys((*self.capacity, *(u for s in self.shares.values() for u in s.limits)))

    def impossible(self, event: ev.Event) -> str:
        """Why an administrator's step cannot be done, '' when it can."""
        if isinstance(event, ev.CreateShare):
            return f"the share {event.share.name!r} exists already" if event.share.name in self.shares else ""
        named = getattr(event, "share", None)
        return f"there is no share {named!r}" if isinstance(named, str) and named not in self.shares else ""

    def after(self, event: ev.Event, readings: Readings) -> Administered | str:
        """The configuration after an administrator's step, or why there is none."""
        if why := self.impossible(event):
            return why
        match event:
            case ev.SetCapacity():
                return replace(self, capacity=dict(event.capacity))
            case ev.SetEnvironmentState():
                return replace(self, environment_enabled=event.state is State.ENABLED)
            case ev.SetQueueState():
                return replace(self, queue_enabled=event.state is State.ENABLED)
            case ev.CreateShare():
                return replace(self, shares={**self.shares, event.share.name: event.share})
            case ev.SetLimits():
                limits = tuple(ShareCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in event.limits.items())
                return self._with(event.share, capacity_limits=limits)
            case ev.SetSharing():
                old = self.shares[event.share].borrow_limit
                keeps = event.borrow_limit is None and readings["A9"] == "keeps" and event.strategy == "LEND_AND_BORROW"
                sharing = ResourceSharing(strategy=event.strategy, borrow_limit=old if keeps else event.borrow_limit)
                return self._with(event.share, resource_sharing_configuration=sharing)
            case ev.SetInShare():
                switch = {"in_share_preemption": State.ENABLED if event.enabled else State.DISABLED}
                before = self.shares[event.share].preemption_configuration
                return self._with(event.share, preemption_configuration=before.model_copy(update=switch))
            case ev.SetShareState():
                return self._with(event.share, state=event.state)
            case ev.DeleteShare():
                return replace(self._with(event.share, state=State.DISABLED), deleting=self.deleting | {event.share})
            case ev.ShareGone():
                left = {name: s for name, s in self.shares.items() if name != event.share}
                return replace(self, shares=left, deleting=self.deleting - {event.share})
            case _:
                return f"{type(event).__name__} is no event of a queue"

    def _with(self, share: str, **fields: object) -> Administered:
        return replace(self, shares={**self.shares, share: self.shares[share].model_copy(update=fields)})
