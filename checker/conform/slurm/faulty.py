"""Mappings that are written so in practice and break a promise: each is a configuration that a page of findings is about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from ....spec.model import QuotaShare, Size
from .nodes import Nodes
from .pool import Pool


class QosCap(Pool):
    """As slurm:pool, but a share's limit and borrow limit are limits of its two QOS."""

    def counted(self, share: QuotaShare) -> dict[str, int]:  # noqa: ARG002
        return {}

    def own_limits(self, share: QuotaShare) -> Size:
        return share.limits

    def loan_limits(self, share: QuotaShare) -> dict[str, int]:
        return {unit: grant.borrowable for unit, grant in self.grants(share) if grant.borrowable is not None}


class AccountPool(Pool):
    """As slurm:pool, but all machines are one node, and what lends is the limit of the account above the shares that lend."""

    def pooled(self, share: QuotaShare) -> bool:  # noqa: ARG002
        return True

    def counted(self, share: QuotaShare) -> dict[str, int]:  # noqa: ARG002
        return {}

    def parents(self) -> Iterator[tuple[str, Size]]:
        lent: dict[str, int] = {}
        for share in self.shares:
            for unit, n in share.limits.items() if self.lends(share) else ():
                lent[unit] = lent.get(unit, 0) + n
        if lent:
            yield f"{self.lane}lend", lent

    def parent(self, share: QuotaShare) -> str:
        return f"{self.lane}lend" if self.lends(share) else ""


class BothLimits(AccountPool):
    """As slurm:account-pool, and each QOS has a limit of its own."""

    def own_limits(self, share: QuotaShare) -> Size:
        return share.limits

    def loan_limits(self, share: QuotaShare) -> dict[str, int]:
        return {unit: grant.borrowable for unit, grant in self.grants(share) if grant.borrowable is not None}


class Label(Pool):
    """As slurm:pool, but own jobs preempt every loan, those of their own share too, and are own whatever is on loan to it."""

    takes_back_from_itself: ClassVar = True
    loans_count: ClassVar = False


class RequeueDelay(Nodes):
    """As slurm, but a preempted job waits until Slurm believes that its credential has expired, as it does by default."""

    settings: ClassVar = {"AuthInfo": "socket=/run/q/munge.socket"}
    restarts_at_once: ClassVar = False


class PreemptsOnce(Nodes):
    """As slurm, but a preempted job for which others were preempted stays the job that it is."""

    preempts_again: ClassVar = False


class InOrder(Nodes):
    """As slurm, but no job may run for more than an hour: Slurm then knows when a job that waits will start, and keeps the
    machines for it."""

    most_time: ClassVar = "60"
