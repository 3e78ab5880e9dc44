"""A scheduler whose capacity is per lender, and what it can do wrong: each share's machines are its own, loans are of one
lender's machines, and a share takes back its own. It names no claims.

`PerLender` is legal; `WRONG` has schedulers of a few lines that are not, each with the guarantee that it breaks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from quotaproof.checker.conform.backend import Declaration
from quotaproof.checker.conform.in_process import InProcess
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Settle
from quotaproof.spec.model import Stage, Strategy
from quotaproof.spec.observations import Observation, Preempted, Preempting, Settled, Submitted
from quotaproof.spec.readings import Readings

FEATURES = frozenset({
    "borrowing", "several-units", "mixed-jobs", "gangs", "priorities", "priority-updates", "in-share-preemption", "retries",
    "terminations", "timed-stops", "early-ends",
})  # fmt: skip
HOLDS = (Stage.RUNNING, Stage.DRAINING)
READINGS = Readings()


@dataclass
class Job:
    """One job. `at`: the share whose machines it holds."""

    name: str
    share: str
    size: Mapping[str, int]
    priority: int
    retries: int | None
    number: int
    stage: Stage = Stage.RUNNABLE
    at: str = ""
    preemptions: int = 0


class PerLender:
    """Owners first, on their own machines; then loans of what a lender does not need; then in-share preemption."""

    declaration = Declaration("per-lender", features=FEATURES, capacity="per-lender")

    def configure(self, config):
        self.shares = {share.name: share for share in config.shares}
        self.jobs: dict[str, Job] = {}

    def lender(self, job):
        return self.jobs[job].at

    def step(self, step) -> Iterator[Observation]:
        job = self.jobs.get(getattr(step, "job", ""))
        match step:
            case ev.Submit():
                self.jobs[step.job] = Job(
                    step.job, step.share, step.size, step.priority or 0, step.retries, len(self.jobs)
                )
                yield Submitted(step.job, step.share, step.size, step.priority or 0, step.retries)
            case Settle():
                yield from self.settle(step.drains)
                yield Settled()
            case ev.Stopped() if job and job.stage is Stage.DRAINING:
                yield self.stopped(job)
            case ev.Finish() if job and job.stage in HOLDS:
                job.stage = Stage.SUCCEEDED
                yield step
            case ev.Terminate() if job and job.stage in (Stage.RUNNABLE, *HOLDS):
                job.stage = Stage.FAILED
                yield step
            case ev.SetPriority() if job and job.stage in (Stage.RUNNABLE, *HOLDS):
                job.priority = step.priority
                yield step

    def settle(self, drains):
        while True:
            acted = [*self.acts()]
            yield from acted
            draining = [job for job in self.jobs.values() if job.stage is Stage.DRAINING]
            if not acted and not (drains and draining):
                return
            if not acted:
                yield self.stopped(draining[0])

    def stopped(self, job):
        job.preemptions += 1
        job.stage = Stage.FAILED if job.retries is not None and job.preemptions > job.retries else Stage.RUNNABLE
        return Preempted(job.name, job.stage, job.preemptions)

    # what there is

    def head(self, share):
        waiting = [job for job in self.jobs.values() if job.share == share and job.stage is Stage.RUNNABLE]
        return min(waiting, key=lambda job: (-job.priority, job.number), default=None)

    def used(self, unit, *, at=None, share=None, settled=False):
        """Machines that are held of somebody's, by somebody's jobs; `settled` without those that drain."""
        stages = (Stage.RUNNING,) if settled else HOLDS
        return sum(
            job.size.get(unit, 0)
            for job in self.jobs.values()
            if job.stage in stages and at in (None, job.at) and share in (None, job.share)
        )

    def owned(self, share, unit):
        return self.shares[share].limits.get(unit, 0)

    def fits(self, job, at, *, settled=False, beside=None):
        """Whether there is room for the job among the machines of `at`; `beside`: and for this one too."""
        return all(
            self.used(unit, at=at, settled=settled) + n + (beside.size.get(unit, 0) if beside else 0)
            <= self.owned(at, unit)
            for unit, n in job.size.items()
        )

    def owns(self, job):
        """Whether the job would be within what its share owns, at home."""
        home = {"at": job.share, "share": job.share, "settled": True}
        return all(self.used(unit, **home) + n <= self.owned(job.share, unit) for unit, n in job.size.items())

    def capped(self, job, *, settled=False):
        """Whether the job would leave its share above limit and borrow limit."""
        share = self.shares[job.share]
        for unit, n in job.size.items():
            grant = share.grant(unit, READINGS)
            over = self.used(unit, share=job.share, settled=settled) + n - grant.limit
            if grant.borrowable is not None and over > grant.borrowable:
                return True
        return False

    def lends(self, share):
        return self.shares[share].strategy is not Strategy.RESERVE

    def owed(self, share):
        """The head that waits for the share's own machines."""
        head = self.head(share)
        return head if head and self.owns(head) and not self.capped(head, settled=True) else None

    # what is done

    def acts(self):
        for share in self.shares:
            yield from self.serve(share)
        for share in self.shares:
            yield from self.lend(share)
        for share in self.shares:
            yield from self.prefer(share)

    def start(self, job, at):
        job.stage, job.at = Stage.RUNNING, at
        return ev.Dispatch(job.name)

    def stop(self, victim, job):
        victim.stage = Stage.DRAINING
        return Preempting(victim.name, job.name)

    def serve(self, share):
        """An owner starts, or takes back what is lent of its machines."""
        job = self.owed(share)
        if job is None:
            return
        if self.fits(job, share) and not self.capped(job):
            yield self.start(job, share)
            return
        for victim in self.loans(share):
            if not self.fits(job, share, settled=True) and victim.size.keys() & self.lacks(job, share):
                yield self.stop(victim, job)

    def loans(self, share):
        return [j for j in self.jobs.values() if j.at == share != j.share and j.stage is Stage.RUNNING]

    def lacks(self, job, at):
        return {unit for unit, n in job.size.items() if self.used(unit, at=at, settled=True) + n > self.owned(at, unit)}

    def lend(self, share):
        """A borrower starts with the first lender that has room and does not need it."""
        job = self.head(share)
        if job is None or self.owns(job) or self.capped(job) or not self.borrows(share):
            return
        for lender in self.lenders(job):
            if self.fits(job, lender) and self.fits(job, lender, settled=True, beside=self.needs(lender, job)):
                yield self.start(job, lender)
                return

    def borrows(self, share):
        return self.shares[share].strategy is Strategy.LEND_AND_BORROW

    def lenders(self, job):
        return [name for name in self.shares if name != job.share and self.lends(name)]

    def needs(self, lender, job):
        """The lender's head, where it is owed machines of which the job takes some."""
        head = self.owed(lender)
        return head if head and head.size.keys() & job.size.keys() else None

    def prefer(self, share):
        """A head that nobody has room for takes the place of lower priorities of its share."""
        job = self.head(share)
        if job is None or self.owns(job) or not self.shares[share].in_share or self.covered(job):
            return
        for at in (share, *(self.lenders(job) if self.borrows(share) else ())):
            lower = [j for j in self.jobs.values() if j.share == share and j.at == at and j.stage is Stage.RUNNING]
            victims: list[Job] = []
            for victim in sorted((j for j in lower if j.priority < job.priority), key=lambda j: (j.priority, j.name)):
                if victim.size.keys() & self.lacks(job, at) and not self.served(job, at):
                    victim.stage = Stage.DRAINING
                    victims.append(victim)
            served = self.served(job, at)
            for victim in victims:
                victim.stage = Stage.RUNNING
            if victims and served:
                yield from (self.stop(victim, job) for victim in victims)
                return

    def served(self, job, at):
        """Whether the job has room once what drains has stopped: among the machines of `at`, or elsewhere."""
        beside = self.needs(at, job) if at != job.share else None
        here = self.fits(job, at, settled=True, beside=beside) and not self.capped(job, settled=True)
        return here or self.covered(job)

    def covered(self, job):
        """Whether the job has room somewhere once what drains has stopped."""
        if self.capped(job, settled=True):
            return False
        places = self.lenders(job) if self.borrows(job.share) else []
        return any(self.fits(job, at, settled=True, beside=self.needs(at, job)) for at in places)


class NeverReclaims(PerLender):
    """Leaves a loan on an owner's machine though the owner waits."""

    def loans(self, _share):
        return []


class TakesFromOthers(PerLender):
    """Takes back a third share's machine, where one is lent."""

    def loans(self, share):
        loans = [j for j in self.jobs.values() if j.at != j.share != share and j.stage is Stage.RUNNING]
        return sorted(loans, key=lambda j: j.at == share)


class ReclaimsTooMuch(PerLender):
    """Takes back a loan for an owner that has a machine idle."""

    def serve(self, share):
        job = self.owed(share)
        loans = self.loans(share) if job else []
        if loans:
            yield self.stop(loans[0], job)
        yield from super().serve(share)


class TakesBackAnyType(PerLender):
    """Takes back what is lent of any type until its head has room, also what the head does not lack."""

    def serve(self, share):
        job = self.owed(share)
        if job is None or self.fits(job, share):
            yield from super().serve(share)
            return
        for victim in self.loans(share):
            if not self.fits(job, share, settled=True):
                yield self.stop(victim, job)


class BorrowersFirst(PerLender):
    """Starts a loan on a lender's machine while its owner's head waits, unless the job has been stopped before."""

    def lend(self, share):
        job = self.head(share)
        if job is not None and not job.preemptions:
            yield from super().lend(share)

    def acts(self):
        for share in self.shares:
            yield from self.lend(share)
        yield from super().acts()

    def needs(self, _lender, _job):
        return None


class LendsReserve(PerLender):
    """Lends the machines of a RESERVE share."""

    def lends(self, _share):
        return True


class LendersBorrow(PerLender):
    """Lends to a share that may not borrow, as long as it is within its limit."""

    def lend(self, share):
        job = self.head(share)
        if job is not None and not self.borrows(share) and not self.capped(job):
            for lender in self.lenders(job):
                if self.fits(job, lender) and self.fits(job, lender, settled=True, beside=self.needs(lender, job)):
                    yield self.start(job, lender)
                    return
        yield from super().lend(share)


class TwoOnOne(PerLender):
    """Starts two jobs on the last machine of a lender."""

    def owned(self, share, unit):
        return super().owned(share, unit) + 1

    def owns(self, job):
        home = {"at": job.share, "share": job.share, "settled": True}
        return all(self.used(u, **home) + n <= self.owned(job.share, u) - 1 for u, n in job.size.items())


class StartsNoLoans(PerLender):
    """Borrows nothing."""

    def borrows(self, _share):
        return False


class StaysAway(PerLender):
    """Lets an owner wait though its machines are idle, while a job of its share is on loan."""

    def serve(self, share):
        if not any(j.share == share != j.at and j.stage in HOLDS for j in self.jobs.values()):
            yield from super().serve(share)


class PrefersAtOnce(PerLender):
    """Stops a lower priority of the share though a lender has room."""

    def covered(self, _job):
        return False

    def acts(self):
        for share in self.shares:
            yield from self.prefer(share)
        yield from super().acts()


class NeverPrefers(PerLender):
    """Stops nobody of the head's own share."""

    def prefer(self, _share):
        yield from ()


class TellsAnotherLender(PerLender):
    """Says that all jobs run on the machines of the first share."""

    def lender(self, _job):
        return next(iter(self.shares))


LEGAL = InProcess.of(PerLender)
FOR_CLUSTERS = InProcess.of(PerLender, replace(PerLender.declaration, profile="lend-borrow"))
WRONG = {
    "G14": NeverReclaims,
    "G5x": TakesFromOthers,
    "G6": ReclaimsTooMuch,
    "G8": BorrowersFirst,
    "G2": LendsReserve,
    "G4": LendersBorrow,
    "G1": TwoOnOne,
    "G16 of a borrower": StartsNoLoans,
    "G16 of an owner": StaysAway,
    "G6 of another type": TakesBackAnyType,
    "G6 in a share": PrefersAtOnce,
    "G21": NeverPrefers,
    "G1 by a false lender": TellsAnotherLender,
}
"""By the guarantee that they break."""
