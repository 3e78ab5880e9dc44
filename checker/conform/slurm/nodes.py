"""The mapping *a node a share*, without a database: a share's limits are a node of its own.

A job within its share's limit goes to the share's own partition only, any other also to the partition of the nodes that
lend, if the share may borrow. Priority tiers let own jobs stop loans on their node, and higher priorities of a share its
lower ones. A licence for each machine keeps a share within limit and borrow limit. Rules 14, 19-21, 27, 36, 39, 50.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from ....spec import events as ev
from ....spec.model import QuotaShare, State, Strategy
from ....spec.readings import Readings
from ..real.cluster import Administered, CannotExpress, Loss
from .layout import Layout, SlurmJob

OWN_TIER, LEND_TIER = 10, 1


class Nodes(Layout):
    """Each share has a node."""

    features: ClassVar = frozenset({"borrowing", "several-units", "priorities", "in-share-preemption", "terminations",
                                    "timed-stops", "share-states"})  # fmt: skip
    choices: ClassVar = {"A13": "a", "A5": "void"}

    def node(self, share: str) -> str:
        return f"{self.lane}n{self.index(share)}"

    def own(self, share: str, priority: int) -> str:
        return f"{self.lane}o{self.index(share)}p{self.levels.index(priority)}"

    def loans(self, share: str) -> str:
        return f"{self.lane}b{self.index(share)}"

    def lenders(self, share: str) -> list[str]:
        """Nodes that lend to a share."""
        return [self.node(s.name) for s in self.shares if s.name != share and s.strategy is not Strategy.RESERVE]

    def borrows(self, share: QuotaShare) -> bool:
        return share.strategy is Strategy.LEND_AND_BORROW and bool(self.lenders(share.name))

    def cap(self, share: QuotaShare, unit: str) -> tuple[str, int] | None:
        """The licence that a job of the share takes for each machine of a unit, and how many there are."""
        grant = share.grant(unit, Readings())
        if not self.borrows(share) or grant.borrowable is None:
            return None
        return f"{self.lane}c{self.index(share.name)}u{self.units.index(unit)}", grant.limit + grant.borrowable

    def licences(self) -> Iterator[tuple[str, int]]:
        for share in self.shares:
            for unit in share.limits:
                if cap := self.cap(share, unit):
                    yield cap

    def nodes(self) -> Iterator[tuple[str, str]]:
        for share in self.shares:
            yield self.node(share.name), self.gres(share.limits)

    def partitions(self) -> Iterator[str]:
        for share in self.shares:
            mode = "REQUEUE" if share.in_share else "OFF"
            state = "UP" if share.state is State.ENABLED else "DRAIN"
            for rank, level in enumerate(self.levels):
                yield partition(self.own(share.name, level), [self.node(share.name)], OWN_TIER + rank, mode, state)
            if self.borrows(share):
                yield partition(self.loans(share.name), self.lenders(share.name), LEND_TIER, "REQUEUE", state)

    def check(self) -> list[Loss]:
        losses = [Loss("which borrower has waited longest", "Slurm's own order of submission")]
        for unit, there in self.scenario.config.environment.capacity.items():
            given = sum(s.limits.get(unit, 0) for s in self.shares)
            if there < given:
                raise CannotExpress(
                    f"{given} {unit} are given to shares and {there} exist: every share has its own node"
                )
            if there > given:
                losses.append(Loss(f"{there - given} {unit} beyond what shares are given", "they do not exist"))
        return losses

    def route(self, step: ev.Submit, jobs: Sequence[SlurmJob]) -> tuple[tuple[str, ...], list[str]]:
        share = self.scenario.config.share(step.share)
        own = self.own(step.share, step.priority or 0)
        within = all(self._own(step.share, u, jobs) + n <= share.limits.get(u, 0) for u, n in step.size.items())
        to = (own,) if within or not self.borrows(share) else (own, self.loans(step.share))
        taken = [f"{cap[0]}:{n}" for u, n in step.size.items() if (cap := self.cap(share, u))]
        return to, [f"--licenses={','.join(taken)}"] if taken else []

    def _own(self, share: str, unit: str, jobs: Sequence[SlurmJob]) -> int:
        """What jobs of a share hold, or wait for, of its own node."""
        own = self.loans(share)
        mine = (j for j in jobs if j.submit.share == share and j.live)
        return sum(
            j.submit.size.get(unit, 0) for j in mine if (j.partition != own if j.partition else own not in j.partitions)
        )

    def lender(self, node: str, partition: str, share: str) -> str:  # noqa: ARG002
        return self.shares[int(node.removeprefix(f"{self.lane}n"))].name

    def change(self, step: Administered) -> str:
        if not isinstance(step, ev.SetShareState):
            raise CannotExpress(f"{ev.describe(step)} cannot be told to Slurm while it runs")
        share = self.scenario.config.share(step.share)
        names = [self.own(step.share, level) for level in self.levels]
        names += [self.loans(step.share)] if self.borrows(share) else []
        state = "UP" if step.state is State.ENABLED else "DRAIN"
        return "".join(f"update partitionname={name} state={state}\n" for name in names)


def partition(name: str, nodes: Sequence[str], tier: int, mode: str, state: str) -> str:
    """A partition as slurm.conf says it."""
    return (f"PartitionName={name} Nodes={','.join(nodes)} PriorityTier={tier} PreemptMode={mode} MaxTime=INFINITE "
            f"State={state} OverSubscribe=NO")  # fmt: skip
