"""The mapping *Slurm decides*: a node a share, and every job sent once, to its share's own partition and to what others lend.

Slurm itself decides whether a job runs on its share's own machines or on loan; the borrow limit is the QOS of the share's
lend partition, so that accounting is needed. Rules 14, 19-21, 36, 39.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from ....spec import events as ev
from ....spec.model import QuotaShare, Size
from ....spec.readings import Readings
from .layout import SlurmJob
from .nodes import Nodes


class Spill(Nodes):
    """Each share has a node, and every job is also sent to the nodes that lend: Slurm decides who is on loan."""

    database: ClassVar = True
    features: ClassVar = Nodes.features - {"limit-changes", "gangs", "mixed-jobs"}
    capacity: ClassVar = "pooled"
    decided: ClassVar = "Slurm decides at each start, by where it first finds room"

    def licences(self) -> Iterator[tuple[str, int]]:
        yield from ()

    def _may_be_lent(self, share: QuotaShare, size: Size) -> bool:
        grants = ((share.grant(unit, Readings()).borrowable, n) for unit, n in size.items())
        return all(most is None or n <= most for most, n in grants)

    def qos(self) -> Iterator[str]:
        for share in self.shares:
            grants = {unit: share.grant(unit, Readings()).borrowable for unit in share.limits}
            limits = {unit: most for unit, most in grants.items() if most is not None}
            if self.borrows(share):
                yield f"add qos {self.loans(share.name)}" + (f" GrpTRES={self.tres(limits)}" if limits else "")

    def stands_for(self, share: QuotaShare) -> Iterator[tuple[str, str]]:
        yield from super().stands_for(share)
        if self.borrows(share):
            yield "QOS", f"{self.loans(share.name)}, of its partition on loan: the borrow limit"

    def limited(self) -> Iterator[tuple[str, str]]:
        for share in self.shares:
            if self.borrows(share):
                yield self.loans(share.name), self.loans(share.name)

    def route(self, step: ev.Submit, jobs: Sequence[SlurmJob]) -> tuple[tuple[str, ...], list[str]]:  # noqa: ARG002
        own = self.own(step.share, step.priority or 0)
        share = self.scenario.config.share(step.share)
        return (own, self.loans(step.share)) if self.borrows(share) else (own,), []

    def moves(self, jobs: Sequence[SlurmJob]) -> Iterator[tuple[SlurmJob, tuple[str, ...], list[str]]]:  # noqa: ARG002
        yield from ()
