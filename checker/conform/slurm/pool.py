"""The mapping *a pool*: the machines of all shares that lend are one node, those of a RESERVE share one of their own.

Whether a job is its share's own or on loan is its QOS for life: own jobs preempt the loans of others, higher priorities of a
share its lower ones (`within`). What a share may hold at most is a counted resource of the node, since Slurm makes room by
preemption where a node is full, and not where a limit of accounting is reached. Jobs may be larger than what one lender has.
The sender labels a job, again while it waits: own while own jobs of its share leave room for it, on loan otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from ....spec import events as ev
from ....spec.model import Grant, QuotaShare, Size, State, Strategy
from ....spec.readings import Readings
from ..backend import Bounds
from ..real.cluster import Administered, CannotExpress, Loss
from .layout import WAITED_LONGEST, WHOLE, Layout, SlurmJob

OWN_PRIORITY, LOAN_PRIORITY = 20_000, 1_000


class Pool(Layout):
    """What lends is one node; a job's QOS says whether it is its share's own or on loan."""

    database: ClassVar = True
    sends_again: ClassVar = True
    settings: ClassVar = {"PreemptType": "preempt/qos"}
    features: ClassVar = frozenset({"borrowing", "gangs", "several-units", "mixed-jobs", "priorities", "in-share-preemption",
                                    "terminations", "timed-stops", "early-ends"})  # fmt: skip
    choices: ClassVar = {"A13": "a", "A5": "void", "A34": "requeued"}
    capacity: ClassVar = "pooled"
    profile: ClassVar = "lend-borrow"
    bounds: ClassVar = Bounds(filled=True, usable=True)
    takes_back_from_itself: ClassVar = False
    """Whether own jobs also preempt loans to their own share."""
    loans_count: ClassVar = True
    """Whether a share's loans count towards its limit when a job is to be its own."""

    def lends(self, share: QuotaShare) -> bool:
        return share.strategy is not Strategy.RESERVE

    def pooled(self, share: QuotaShare) -> bool:
        """Whether the share's machines are part of the pool."""
        return self.lends(share)

    def borrows(self, share: QuotaShare) -> bool:
        others = any(self.lends(s) for s in self.shares if s.name != share.name)
        return share.strategy is Strategy.LEND_AND_BORROW and others

    def own(self, share: str) -> str:
        """Partition and QOS of a share's own jobs."""
        return f"{self.lane}o{self.index(share)}"

    def loans(self, share: str) -> str:
        """Partition and QOS of a share's loans."""
        return f"{self.lane}b{self.index(share)}"

    def account(self, share: str) -> str:
        return f"{self.lane}a{self.index(share)}"

    def node(self, share: QuotaShare) -> str:
        return f"{self.lane}pool" if self.pooled(share) else f"{self.lane}n{self.index(share.name)}"

    def grants(self, share: QuotaShare) -> Iterator[tuple[str, Grant]]:
        for unit in share.limits:
            yield unit, share.grant(unit, Readings())

    def counted(self, share: QuotaShare) -> dict[str, int]:
        """The counted resources that keep the share within its limits, beside the machines, and how many there are."""
        i, found = self.index(share.name), dict[str, int]()
        for unit, grant in self.grants(share) if self.pooled(share) else ():
            k = self.units.index(unit)
            found[f"o{i}u{k}"] = grant.limit
            if self.borrows(share) and grant.borrowable is not None:
                found[f"t{i}u{k}"] = grant.limit + grant.borrowable
        return found

    def taken(self, share: QuotaShare, size: Size, *, own: bool) -> list[str]:
        """What a job takes of them."""
        i, there = self.index(share.name), self.counted(share)
        named = ((f"{kind}{i}u{self.units.index(u)}", n) for u, n in size.items() for kind in ("ot" if own else "t"))
        return [f"{name}:{n}" for name, n in named if name in there]

    def nodes(self) -> Iterator[tuple[str, str]]:
        counted = [f"{name}:{n}" for share in self.shares for name, n in self.counted(share).items()]
        if pool := self._pool():
            yield f"{self.lane}pool", ",".join([self.gres(pool), *counted])
        for share in self.shares:
            if not self.pooled(share):
                yield self.node(share), self.gres(share.limits)

    def partitions(self) -> Iterator[str]:
        for share in self.shares:
            state = "UP" if share.state is State.ENABLED else "DRAIN"
            yield _partition(self.own(share.name), self.node(share), state)
            if self.borrows(share):
                yield _partition(self.loans(share.name), f"{self.lane}pool", state)

    def stands_for(self, share: QuotaShare) -> Iterator[tuple[str, str]]:
        yield "node", self.node(share) + (", with all that lend" if self.pooled(share) else "")
        yield "own jobs", f"partition and QOS {self.own(share.name)}"
        if self.borrows(share):
            yield "on loan", f"partition and QOS {self.loans(share.name)}"
        yield "account", self.account(share.name)
        for name, n in self.counted(share).items():
            most = "its own jobs: the limit" if name[0] == "o" else "all its jobs: limit and borrow limit together"
            yield "GRES", f"{name}, {n} of them, for each machine of {most}"

    def own_limits(self, share: QuotaShare) -> Size:  # noqa: ARG002
        """What the QOS of own jobs allows."""
        return {}

    def loan_limits(self, share: QuotaShare) -> dict[str, int]:  # noqa: ARG002
        """What the QOS of loans allows."""
        return {}

    def qos(self) -> Iterator[str]:
        borrowers = [share for share in self.shares if self.borrows(share)]
        for share in borrowers:
            yield self._qos(self.loans(share.name), share, self.loan_limits(share), [])
        for share in self.shares:
            others = [self.loans(b.name) for b in borrowers if b != share or self.takes_back_from_itself]
            yield self._qos(self.own(share.name), share, self.own_limits(share), others if self.pooled(share) else [])

    def _qos(self, name: str, share: QuotaShare, limits: Size, preempts: Sequence[str]) -> str:
        words = ["add qos", name, f"PreemptMode=requeue{',within' if share.in_share else ''}"]
        words += [f"GrpTRES={self.tres(limits)}"] if limits else []
        return " ".join([*words, f"Preempt={','.join(preempts)}"] if preempts else words)

    def parents(self) -> Iterator[tuple[str, Size]]:
        """Accounts above those of shares, and what each allows."""
        yield from ()

    def parent(self, share: QuotaShare) -> str:  # noqa: ARG002
        """The account above that of the share; '' for the root."""
        return ""

    def accounts(self) -> Iterator[str]:
        for name, limits in self.parents():
            yield f"add account {name} GrpTRES={self.tres(limits)}"
        for share in self.shares:
            above = self.parent(share)
            own = self.own(share.name)
            yield f"add account {self.account(share.name)}" + (f" parent={above}" if above else "")
            qos = ",".join([own, self.loans(share.name)] if self.borrows(share) else [own])
            yield f"add user root account={self.account(share.name)} qos={qos} defaultqos={own}"

    def check(self) -> list[Loss]:
        for unit, there in self.scenario.config.environment.capacity.items():
            given = sum(share.limits.get(unit, 0) for share in self.shares)
            if there != given:
                raise CannotExpress(
                    f"{given} {unit} are given to shares and {there} exist: the nodes are what is given"
                )
        for step in self.scenario.steps:
            if isinstance(step, ev.Submit) and not any(self._may(step, own=own) for own in (True, False)):
                raise CannotExpress(
                    f"{step.job} is larger than what its share may ever have, all its own or all on loan"
                )
            if (
                isinstance(step, ev.Submit)
                and self.now.shares[step.share].in_share
                and max(step.size.values()) > 1
                and (self._may(step, own=False))
            ):
                raise CannotExpress(
                    f"{step.job} may be its share's own in part, which has no label, and is to make room there"
                )
        losses = [WAITED_LONGEST, WHOLE,
                  Loss("who is on loan", "the sender labels a job while it waits, and it runs with that label")]  # fmt: skip
        if any(self.pooled(s) and s.limits and not self.counted(s) and not self.own_limits(s) for s in self.shares):
            losses.append(Loss("the limit of each share", "the sender labels own what is within it"))
        for share in self.shares:
            bound = any(grant.borrowable is not None for _, grant in self.grants(share))
            if self.borrows(share) and bound and not self.counted(share) and not self.loan_limits(share):
                losses.append(Loss(f"the borrow limit of {share.name}", "there is none"))
        return losses

    def _may(self, step: ev.Submit, *, own: bool) -> bool:
        """Whether the job may run as its share's own, or on loan, when nobody else runs."""
        share = self.now.shares[step.share]
        if own:
            return all(n <= share.limits.get(unit, 0) for unit, n in step.size.items())
        if not self.borrows(share):
            return False
        most = {
            unit: grant.limit + grant.borrowable for unit, grant in self.grants(share) if grant.borrowable is not None
        } | self.loan_limits(share)
        return all(n <= min(most.get(unit, n), self._pool().get(unit, 0)) for unit, n in step.size.items())

    def _pool(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for share in self.shares:
            for unit, n in share.limits.items() if self.pooled(share) else ():
                found[unit] = found.get(unit, 0) + n
        return found

    def route(self, step: ev.Submit, jobs: Sequence[SlurmJob]) -> tuple[tuple[str, ...], list[str]]:
        live = [job for job in jobs if job.live]
        own = [job for job in live if self._is_own(job)]
        return self._sent(step, own=self._as_own(step, own, [job for job in live if job.partition]))

    def priority(self, step: ev.Submit, to: Sequence[str]) -> int:
        own = to[0] == self.own(step.share)
        return (OWN_PRIORITY if own else LOAN_PRIORITY) + (step.priority or 0)

    def _sent(self, step: ev.Submit, *, own: bool) -> tuple[tuple[str, ...], list[str]]:
        """The partition, and what else sbatch is told."""
        share = self.now.shares[step.share]
        name = self.own(step.share) if own else self.loans(step.share)
        gres = ",".join([self.gres(step.size), *self.taken(share, step.size, own=own)])
        return (name,), [f"--account={self.account(step.share)}", f"--qos={name}", f"--gres={gres}"]

    def _as_own(self, step: ev.Submit, own: Sequence[SlurmJob], running: Sequence[SlurmJob]) -> bool:
        """Whether a job that waits is its share's own. `own`: own jobs that run or go before it.

        It is where the limit leaves room beside these and loans of its share. It displaces lower
        priorities of its share where no loan would do.
        """
        share = self.now.shares[step.share]
        if not self._may(step, own=True) or not self._may(step, own=False):
            return self._may(step, own=True)
        mine = [job for job in own if job.submit.share == share.name]
        loans = [j for j in running if j.submit.share == share.name and not self._is_own(j)] if self.loans_count else []
        if self._within(share, step, [*mine, *loans]):
            return True
        stay = [job for job in mine if not job.partition or (job.submit.priority or 0) >= (step.priority or 0)]
        displaces = share.in_share and len(stay) < len(mine)
        return displaces and not self._idle(share, step, running) and self._within(share, step, stay)

    def _within(self, share: QuotaShare, step: ev.Submit, own: Sequence[SlurmJob]) -> bool:
        mine = [job.submit.size for job in own if job.submit.share == share.name]
        return all(sum(s.get(u, 0) for s in mine) + n <= share.limits.get(u, 0) for u, n in step.size.items())

    def _idle(self, share: QuotaShare, step: ev.Submit, running: Sequence[SlurmJob]) -> bool:
        """Whether the pool and the borrow limit have room for the job now."""
        pool, run = self._pool(), [job for job in running if self.pooled(self.now.shares[job.submit.share])]
        for unit, n in step.size.items():
            grant = share.grant(unit, Readings())
            most = None if grant.borrowable is None else grant.limit + grant.borrowable
            mine = sum(job.submit.size.get(unit, 0) for job in run if job.submit.share == share.name)
            used = sum(job.submit.size.get(unit, 0) for job in run)
            if used + n > pool.get(unit, 0) or (most is not None and mine + n > most):
                return False
        return True

    def _is_own(self, job: SlurmJob) -> bool:
        return job.partitions == (self.own(job.submit.share),)

    def moves(self, jobs: Sequence[SlurmJob]) -> Iterator[tuple[SlurmJob, tuple[str, ...], list[str]]]:
        running = [job for job in jobs if job.live and job.partition]
        own = [job for job in running if self._is_own(job)]
        waiting = (job for job in jobs if job.live and not job.partition)
        for job in sorted(waiting, key=lambda j: (-(j.submit.priority or 0), j.number)):
            as_own = self._as_own(job.submit, own, running)
            if as_own != self._is_own(job):
                yield (job, *self._sent(job.submit, own=as_own))
            own += [job] if as_own else []

    def lender(self, node: str, partition: str, share: str) -> str:  # noqa: ARG002
        return ""

    def change(self, step: Administered) -> str:
        raise CannotExpress(f"{ev.describe(step)} cannot be told to Slurm while it runs")


def _partition(name: str, node: str, state: str) -> str:
    return f"PartitionName={name} Nodes={node} MaxTime=INFINITE State={state} OverSubscribe=NO"
