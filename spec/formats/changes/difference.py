"""What has to be asked of AWS so that one configuration becomes another. Trusted: nothing; `after` checks it in tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ... import events as ev
from ...model import QueueConfig, QuotaShare, ServiceEnvironment, State, Strategy


def share_events(old: QuotaShare, new: QuotaShare) -> Iterator[ev.AdministratorEvent]:
    """The updates that make a share what it is to be; none where both mean the same."""
    old, new = old.canonical(), new.canonical()
    if old.limits != new.limits:
        yield ev.SetLimits(new.name, new.limits)
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


def renames(old: QueueConfig, shares: Mapping[str, QuotaShare | None]) -> Iterator[tuple[str, str]]:
    """Pairs of a share that goes and one that comes with the same limits and sharing: what looks like a new name."""
    known = {s.name: s for s in old.shares}
    gone = [known[name] for name, share in shares.items() if share is None and name in known]
    come = [share for name, share in shares.items() if share is not None and name not in known]
    for before in gone:
        for share in come:
            if _anonymous(before) == _anonymous(share):
                yield before.name, share.name
                come.remove(share)
                break


def _anonymous(share: QuotaShare) -> QuotaShare:
    return share.canonical().model_copy(update={"quota_share_name": "", "state": State.ENABLED})
