"""Accounts of machine time: what became of every moment for which an attempt of a job held its machines.

Useful, lost, spent on checkpoints, on reading them, on starting, on draining; `simulated.MachineTime` defines each. What a
checkpoint saves is `Checkpoints`'s. Trusted: when attempts began, ran, were told to stop and ended (`audit.follow`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ....spec.workload import Work
from ...audit.jobs import Live


@dataclass(slots=True)
class Time:
    """Machine-milliseconds, by the fields of `MachineTime`."""

    useful: int = 0
    lost: int = 0
    saving: int = 0
    restarting: int = 0
    starting: int = 0
    draining: int = 0

    def add(self, other: Time) -> None:
        self.useful += other.useful
        self.lost += other.lost
        self.saving += other.saving
        self.restarting += other.restarting
        self.starting += other.starting
        self.draining += other.draining

    @property
    def cost(self) -> int:
        """What stops and checkpoints cost."""
        return self.lost + self.saving + self.restarting + self.draining


@dataclass(slots=True)
class Life:
    """A job, as far as it is counted."""

    work: Work
    counts: bool
    left: int
    saved: int = 0
    started: bool = False
    stopped_at: int | None = None
    stops: int = 0
    preemptions: int = 0
    """Stops that count against its retries (A38)."""
    scheduled: bool = False
    """It was only SCHEDULED when it was told to stop."""
    on_loan: bool = False
    spent: bool = False
    """It was stopped once more than it allows."""
    time: Time = field(default_factory=Time)


def account(at: int, job: Live, life: Life, *, succeeded: bool) -> None:
    """What became of the attempt that ends: of each moment for which it held its machines."""
    machines, time = sum(job.size.values()), life.time
    worked_to = at if job.told is None else job.told
    unseen = job.held_since if succeeded else worked_to
    ran_from = unseen if job.ran_since is None else job.ran_since
    time.starting += machines * (ran_from - job.held_since)
    time.draining += machines * (at - worked_to)
    saves, ran, resumes = life.work.checkpoints, worked_to - ran_from, life.saved > 0
    if succeeded:
        restarting = min(ran, (saves.restart or 0) * resumes)
        saving = min(ran - restarting, saves.saves(life.left) * (saves.save or 0))
        time.useful += machines * (life.saved + ran - restarting - saving)
        life.saved = 0
    else:
        effort = saves.after(ran, life.left, resumes=resumes)
        restarting, saving = effort.restarting, effort.saving
        time.lost += machines * effort.lost
        life.saved += effort.saved
        life.left -= effort.saved
    time.restarting += machines * restarting
    time.saving += machines * saving
