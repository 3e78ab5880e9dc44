"""A queue as Slurm is told it: the mapping *a node a share*, without a database.

Each share has a node of its own whose counted resources (GRES) are its limits. Jobs within the limit go to the share's own
partition; a share that may borrow has also a partition of the nodes that lend. Priority tiers let own jobs stop loans on
their node, and higher priorities of a share its lower ones. What a share may borrow is a count of licences. Rules 14, 19-21,
27, 36, 39, 50.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ....spec import events as ev
from ....spec.formats.scenario import Scenario
from ....spec.model import QuotaShare, Size, State, Strategy
from ....spec.readings import Readings
from ..real.cluster import CannotExpress, Loss

OWN_TIER, LEND_TIER = 10, 1


@dataclass(frozen=True)
class Layout:
    """One lane: a scenario's queue, and names for it that are nobody else's."""

    lane: str
    scenario: Scenario
    units: tuple[str, ...]
    """Of all lanes: unit k is the GRES `u<k>`."""

    @property
    def shares(self) -> tuple[QuotaShare, ...]:
        return self.scenario.config.shares

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """The priorities that occur, lowest first."""
        found = {0}
        for step in self.scenario.steps:
            if isinstance(step, ev.Submit | ev.SetPriority):
                found.add(step.priority or 0)
        return tuple(sorted(found))

    def node(self, share: str) -> str:
        return f"{self.lane}n{self._index(share)}"

    def _index(self, share: str) -> int:
        return [s.name for s in self.shares].index(share)

    def lender(self, node: str) -> str:
        """The share whose node it is."""
        return self.shares[int(node.removeprefix(f"{self.lane}n"))].name

    def own(self, share: str, priority: int) -> str:
        return f"{self.lane}o{self._index(share)}p{self.levels.index(priority)}"

    def loans(self, share: str) -> str:
        return f"{self.lane}b{self._index(share)}"

    def gres(self, size: Size) -> str:
        return ",".join(f"u{self.units.index(u)}:{n}" for u, n in size.items())

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
        return f"{self.lane}c{self._index(share.name)}u{self.units.index(unit)}", grant.limit + grant.borrowable

    def licences(self) -> Iterator[tuple[str, int]]:
        """Every licence and its count."""
        for share in self.shares:
            for unit in share.limits:
                cap = self.cap(share, unit)
                if cap:
                    yield cap

    def nodes(self) -> Iterator[tuple[str, Mapping[str, int]]]:
        """Every node with its GRES."""
        for share in self.shares:
            yield self.node(share.name), {f"u{self.units.index(u)}": n for u, n in share.limits.items()}

    def partitions(self) -> Iterator[str]:
        """Every partition as slurm.conf says it."""
        for share in self.shares:
            mode = "REQUEUE" if share.in_share else "OFF"
            state = "UP" if share.state is State.ENABLED else "DRAIN"
            for rank, level in enumerate(self.levels):
                yield _partition(self.own(share.name, level), [self.node(share.name)], OWN_TIER + rank, mode, state)
            if self.borrows(share):
                yield _partition(self.loans(share.name), self.lenders(share.name), LEND_TIER, "REQUEUE", state)

    def check(self) -> list[Loss]:
        """What Slurm is not told. Raises CannotExpress."""
        config = self.scenario.config
        losses = [Loss("when a job was submitted to the share, beyond its place in line", "Slurm's own order of submission")]
        for unit, there in config.environment.capacity.items():
            given = sum(s.limits.get(unit, 0) for s in self.shares)
            if there < given:
                raise CannotExpress(f"{given} {unit} are given to shares and {there} exist: every share has its own node")
            if there > given:
                losses.append(Loss(f"{there - given} {unit} beyond what shares are given", "they do not exist"))
        return losses


def _partition(name: str, nodes: list[str], tier: int, mode: str, state: str) -> str:
    return (f"PartitionName={name} Nodes={','.join(nodes)} PriorityTier={tier} PreemptMode={mode} MaxTime=INFINITE "
            f"State={state} OverSubscribe=NO")  # fmt: skip
