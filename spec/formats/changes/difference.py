"""What has to be asked of AWS so that one configuration becomes another. Trusted: nothing; `after` checks it in tests."""

from __future__ import annotations

from collections.abc import Iterator

from ... import events as ev
from ...model import QueueConfig, QuotaShare, ServiceEnvironment, State, Strategy


def share_events(old: QuotaShare, new: QuotaShare) -> Iterator[ev.AdministratorEvent]:
    """The updates that make a share what it is to be; none where both mean the same."""
    if old.limits != new.limits:
        yield ev.SetLimits(new.name, new.limits)
    old, new = old.canonical(), new.canonical()
    if old.resource_sharing_configuration != new.resource_sharing_configuration:
        borrow = new.borrow_limit
        if borrow is None and new.strategy is Strategy.LEND_AND_BORROW:
            borrow = -1
        yield ev.SetSharing(new.name, new.strategy, borrow)
    if old.in_share != new.in_share:
        yield ev.SetInShare(new.name, new.in_share)
    if old.state != new.state:
        yield ev.SetShareState(new.name, new.state)


def environment_events(old: ServiceEnvironment, new: ServiceEnvironment) -> Iterator[ev.AdministratorEvent]:
    """The updates that give an environment the capacity and the state it is to have."""
    if old.capacity != new.capacity:
        yield ev.SetCapacity(new.capacity)
    if old.state != new.state:
        yield ev.SetEnvironmentState(new.state)


def renames(old: QueueConfig, new: QueueConfig) -> Iterator[tuple[str, str]]:
    """Pairs of a share that goes and one that comes with the same limits and sharing: what looks like a new name."""
    before, now = ({s.name: s for s in config.shares} for config in (old, new))
    come = [share for name, share in now.items() if name not in before]
    for name, share in before.items():
        same = next((s for s in come if _anonymous(s) == _anonymous(share)), None) if name not in now else None
        if same is not None:
            come.remove(same)
            yield name, same.name


def _anonymous(share: QuotaShare) -> QuotaShare:
    return share.canonical().model_copy(update={"quota_share_name": "", "state": State.ENABLED})
