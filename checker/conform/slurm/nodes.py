"""The mapping *a node a share*, without a database: a share's limits are a node of its own.

A job within its share's limit is sent to the share's own partition only, any other also to the partition of the nodes that
lend, if the share may borrow; one that waits is sent there too when it is within the limit no more. Priority tiers let own
jobs stop loans on their node, and higher priorities of a share its lower ones. A licence for each machine keeps a share
within limit and borrow limit. Whether partitions take jobs and start them is their state. Rules 14, 19-21, 27, 36, 39, 48,
50, 52.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from ....spec import events as ev
from ....spec.administered import Administered as Now
from ....spec.model import QuotaShare, Size, State, Strategy
from ....spec.readings import Readings
from ..backend import Bounds
from ..real.cluster import Administered, CannotExpress, Loss
from .layout import GHOST, WAITED_LONGEST, WHOLE, Layout, SlurmJob

OWN_TIER, LEND_TIER = 10, 1
_NEEDS_SEVERAL = "needs machines of several shares together, and a job runs on one share's: Slurm would never start it"


class Nodes(Layout):
    """Each share has a node, and its jobs above the limit are also sent to the nodes that lend."""

    features: ClassVar = frozenset({"borrowing", "gangs", "several-units", "mixed-jobs", "priorities", "in-share-preemption",
                                    "terminations", "timed-stops", "early-ends", "limit-changes", "in-share-changes",
                                    "share-states", "environment-states", "queue-states"})  # fmt: skip
    choices: ClassVar = {"A13": "a", "A5": "void", "A34": "requeued"}
    capacity: ClassVar = "per-lender"
    profile: ClassVar = "lend-borrow"
    bounds: ClassVar = Bounds(filled=True, usable=True, whole=True)
    decided: ClassVar = "what is within the limit is sent to the own node only, anything else also to what others lend"
    """Who is on loan."""

    most_time: ClassVar = "INFINITE"
    """What Slurm believes a job to run at most."""

    def node(self, share: str) -> str:
        return f"{self.lane}n{self.index(share)}"

    def own(self, share: str, priority: int) -> str:
        return f"{self.lane}o{self.index(share)}p{self.levels.index(priority)}"

    def loans(self, share: str) -> str:
        return f"{self.lane}b{self.index(share)}"

    def lenders(self, share: str) -> list[str]:
        """Nodes that lend to a share."""
        return [self.node(s.name) for s in self.shares if s.name != share and lends(s)]

    def borrows(self, share: QuotaShare) -> bool:
        """Whether it may borrow anything: with a borrow limit of 0 its own node is all that it has."""
        able = any(share.grant(unit, Readings()).borrowable != 0 for unit in share.limits)
        return share.strategy is Strategy.LEND_AND_BORROW and able and bool(self.lenders(share.name))

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
            for rank, level in enumerate(self.levels):
                yield partition(self.own(share.name, level), [self.node(share.name), GHOST], OWN_TIER + rank,
                                _mode(share), self._state(share), self.most_time)  # fmt: skip
            if self.borrows(share):
                yield partition(
                    self.loans(share.name),
                    self.lenders(share.name),
                    LEND_TIER,
                    "REQUEUE",
                    self._state(share),
                    self.most_time,
                )

    def stands_for(self, share: QuotaShare) -> Iterator[tuple[str, str]]:
        yield "node", self.node(share.name)
        for level in reversed(self.levels):
            yield "own partition", f"{self.own(share.name, level)}, jobs of priority {level}"
        if self.borrows(share):
            yield "on loan", f"partition {self.loans(share.name)}, on {', '.join(self.lenders(share.name))}"
        licences = dict(self.licences())
        for unit in share.limits:
            if (cap := self.cap(share, unit)) and cap[0] in licences:
                yield (
                    "licence",
                    f"{cap[0]}, {cap[1]} of them, for each machine of {unit}: limit and borrow limit together",
                )

    def _state(self, share: QuotaShare) -> str:
        """Of the share's partitions: whether they take jobs, and start those that wait."""
        takes = self.now.queue_enabled and share.state is State.ENABLED
        return _STATES[takes, self.now.environment_enabled]

    def check(self) -> list[Loss]:
        losses = [WAITED_LONGEST, WHOLE, Loss("who is on loan", self.decided)]
        if any(share.in_share and self.borrows(share) for share in self.shares):
            losses.append(
                Loss("that a share's higher priorities may stop its lower ones on loan", "only those at home")
            )
        now = self.now
        losses += self._spare(now)
        for step in self.scenario.steps:
            if isinstance(step, ev.Submit) and step.share in now.shares:
                self._can_ever_run(step, now)
            elif isinstance(step, ev.SetLimits) and step.share in now.shares:
                self._same_licences(step, now)
            if isinstance(step, ev.ADMINISTRATOR):
                after = now.after(step, Readings())
                now = now if isinstance(after, str) else after
                self._spare(now)
        return losses

    def _spare(self, now: Now) -> list[Loss]:
        """What is given to no share. Raises CannotExpress where more is given than exists."""
        losses: list[Loss] = []
        for unit, there in now.capacity.items():
            given = sum(s.limits.get(unit, 0) for s in now.shares.values())
            if there < given:
                raise CannotExpress(
                    f"{given} {unit} are given to shares and {there} exist: every share has its own node"
                )
            if there > given:
                losses.append(Loss(f"{there - given} {unit} beyond what shares are given", "they do not exist"))
        return losses

    def _same_licences(self, step: ev.SetLimits, now: Now) -> None:
        """A type without a limit is not lent to the share at all (A4), which would need a licence too. Raises CannotExpress."""
        before, after = now.shares[step.share], now.after(step, Readings())
        shares = [before] if isinstance(after, str) else [before, after.shares[step.share]]
        units = (*before.limits, *step.limits)
        if any(self.cap(share, unit) for share in shares for unit in units):
            raise CannotExpress(f"the limits of {step.share} change, and with them its borrow limit: Slurm loses "
                                "count of licences that are in use when their number is changed")  # fmt: skip

    def _can_ever_run(self, step: ev.Submit, now: Now) -> None:
        """Slurm refuses a job that asks for more licences than there are, and a job runs on one node. Raises CannotExpress."""
        for unit, n in step.size.items():
            if (cap := self.cap(now.shares[step.share], unit)) and cap[1] < n:
                raise CannotExpress(f"{step.job} is larger than what its share may ever use, and Slurm refuses it")
        if self._needs_several(step, now):
            raise CannotExpress(f"{step.job} {_NEEDS_SEVERAL}")

    def _needs_several(self, step: ev.Submit, now: Now) -> bool:
        """Whether a job could start on machines of several shares together, and on those of none alone."""
        share = now.shares[step.share]
        borrows = share.strategy is Strategy.LEND_AND_BORROW
        others = [s.limits for s in now.shares.values() if borrows and s != share and lends(s)]
        together = {unit: share.limits.get(unit, 0) + sum(o.get(unit, 0) for o in others) for unit in step.size}
        alone = others if self._may_be_lent(share, step.size) else []
        return _holds(together, step.size) and not any(_holds(one, step.size) for one in (share.limits, *alone))

    def _may_be_lent(self, share: QuotaShare, size: Size) -> bool:  # noqa: ARG002
        """Whether a loan of the share may be as large. What it may hold at all has been asked."""
        return True

    def refusal(self, step: Administered, jobs: Sequence[SlurmJob]) -> str:
        if not isinstance(step, ev.SetLimits):
            return ""
        after = self.now.after(step, Readings())
        assert not isinstance(after, str)
        for job in jobs:
            if job.live and self._needs_several(job.submit, after):
                return f"{job.submit.job} then {_NEEDS_SEVERAL}"
        held: dict[str, int] = {}
        for job in jobs:
            if job.node == self.node(step.share):
                for unit, n in job.submit.size.items():
                    held[unit] = held.get(unit, 0) + n
        below = [unit for unit, n in held.items() if n > step.limits.get(unit, 0)]
        return f"machines of {step.share} are taken away that are in use ({', '.join(below)})" if below else ""

    def route(self, step: ev.Submit, jobs: Sequence[SlurmJob]) -> tuple[tuple[str, ...], list[str]]:
        share = self.now.shares[step.share]
        taken = [f"{cap[0]}:{n}" for u, n in step.size.items() if (cap := self.cap(share, u))]
        return self._to(step, jobs), [f"--licenses={','.join(taken)}"] if taken else []

    def _to(self, step: ev.Submit, before: Sequence[SlurmJob]) -> tuple[str, ...]:
        """Where a job is sent that waits, with those that were submitted before it."""
        share, own = self.now.shares[step.share], self.own(step.share, step.priority or 0)
        if not self.borrows(share) or self._within(share, step, before):
            return (own,)
        return own, self.loans(step.share)

    def _within(self, share: QuotaShare, step: ev.Submit, before: Sequence[SlurmJob]) -> bool:
        """Whether the share's own node suffices for the job, beside own jobs there and those that go before it."""
        held = dict.fromkeys(step.size, 0)
        for job in before:
            goes_first = not job.partition and (job.submit.priority or 0) >= (step.priority or 0)
            if job.live and job.submit.share == share.name and (goes_first or self._at_home(job)):
                for unit in held:
                    held[unit] += job.submit.size.get(unit, 0)
        return all(held[u] + n <= share.limits.get(u, 0) for u, n in step.size.items())

    def _at_home(self, job: SlurmJob) -> bool:
        return bool(job.partition) and job.partition != self.loans(job.submit.share)

    def moves(self, jobs: Sequence[SlurmJob]) -> Iterator[tuple[SlurmJob, tuple[str, ...], list[str]]]:
        for at, job in enumerate(jobs):
            waits = job.live and not job.partition and len(job.partitions) == 1
            others = (*jobs[:at], *(j for j in jobs[at + 1 :] if j.partition or _above(j, job)))
            if waits and len(to := self._to(job.submit, others)) > 1:
                yield job, to, []

    def lender(self, node: str, partition: str, share: str) -> str:  # noqa: ARG002
        return self.shares[int(node.removeprefix(f"{self.lane}n"))].name

    def change(self, step: Administered) -> str:
        after = self.now.after(step, Readings())
        assert not isinstance(after, str)
        self.now = after
        match step:
            case ev.SetLimits():
                gres = self.gres({unit: step.limits.get(unit, 0) for unit in self.units})
                return f"update nodename={self.node(step.share)} gres={gres}\n"
            case ev.SetInShare():
                share = after.shares[step.share]
                names = [self.own(step.share, level) for level in self.levels]
                return "".join(f"update partitionname={name} preemptmode={_mode(share)}\n" for name in names)
            case ev.SetShareState():
                return self._states([after.shares[step.share]])
            case ev.SetEnvironmentState() | ev.SetQueueState():
                return self._states(self.shares)
            case _:
                raise CannotExpress(f"{ev.describe(step)} cannot be told to Slurm while it runs")

    def _states(self, shares: Sequence[QuotaShare]) -> str:
        return "".join(
            f"update partitionname={name} state={self._state(share)}\n"
            for share in shares
            for name in (*(self.own(share.name, level) for level in self.levels),
                         *([self.loans(share.name)] if self.borrows(share) else []))
        )  # fmt: skip


_STATES: Mapping[tuple[bool, bool], str] = {
    (True, True): "UP", (True, False): "DOWN", (False, True): "DRAIN", (False, False): "INACTIVE",
}  # fmt: skip
"""Whether jobs are taken, and whether they are started -> the state of a partition."""


def lends(share: QuotaShare) -> bool:
    return share.strategy is not Strategy.RESERVE


def _holds(limits: Size, size: Size) -> bool:
    return all(n <= limits.get(unit, 0) for unit, n in size.items())


def _mode(share: QuotaShare) -> str:
    """What becomes of own jobs for which a higher priority of their share waits."""
    return "REQUEUE" if share.in_share else "OFF"


def _above(job: SlurmJob, other: SlurmJob) -> bool:
    return (job.submit.priority or 0) > (other.submit.priority or 0)


def partition(name: str, nodes: Sequence[str], tier: int, mode: str, state: str, most_time: str) -> str:
    """A partition as slurm.conf says it."""
    return (f"PartitionName={name} Nodes={','.join(nodes)} PriorityTier={tier} PreemptMode={mode} MaxTime={most_time} "
            f"State={state} OverSubscribe=NO")  # fmt: skip
