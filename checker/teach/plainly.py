"""The guarantees for who never wrote a scheduler: each in one plain sentence, with an everyday example and what breaks it.

What exactly is promised, under which readings, is said in `spec.rules.guarantees` alone. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Plainly:
    """One guarantee."""

    says: str
    example: str
    breaks: str


PLAINLY: Mapping[str, Plainly] = {
    "G1": Plainly(
        "A job starts only where the machines for it are there.",
        "Three machines, all in use: a fourth job waits, whatever its priority.",
        "A job starts, and more machines are in use than the environment has.",
    ),
    "G2": Plainly(
        "What a RESERVE share leaves idle stays idle for it, and others borrow only what lenders leave idle.",
        "team-a keeps its one machine in reserve and runs nothing. team-b has a job more than it owns machines: that job "
        "waits, though a machine is idle.",
        "A job starts on a machine that is kept for another share, or on a loan that no lender has to give.",
    ),
    "G3": Plainly(
        "A share borrows no more than its borrow limit lets it.",
        "Limit 2 and borrow limit 50 %: the share may use 3. While it uses 3 its next job waits, though others leave "
        "machines idle.",
        "A job starts that takes its share above limit and borrow limit together.",
    ),
    "G4": Plainly(
        "A share that may not borrow starts nothing above its limit.",
        "Limit 2, strategy LEND, 2 machines in use: the next job waits, though others leave machines idle.",
        "A job starts that takes such a share above its limit.",
    ),
    "G5x": Plainly(
        "A job is stopped for another share only where its own share uses more than it owns, and the other asks for no more "
        "than its own.",
        "team-b owns 1 machine and uses 2. When team-a, which lent it one, submits a job, a job of team-b may be stopped. "
        "No job of team-c is, which uses only what it owns.",
        "A job is stopped for another share though its own uses no more than its limit, or for a job that would borrow.",
    ),
    "G5s": Plainly(
        "In a share a job is stopped for another one only where the share has switched that on, and only for a higher "
        "priority.",
        "In-share preemption is on: a job of priority 9 that does not fit may stop one of priority 3, but none of priority 9.",
        "A job is stopped for one of its own share that has no higher priority, or with the switch off.",
    ),
    "G6": Plainly(
        "Nobody is stopped for machines that are free already or about to be.",
        "A job asks for 1 machine, and one is being given back already: no second job is stopped for it.",
        "A job is told to stop for one that lacks nothing any more.",
    ),
    "G6+": Plainly(
        "Jobs are stopped for another one only if that is enough for it to start.",
        "A job lacks 2 machines, and only one job, with 1 machine, may be stopped for it: then none is.",
        "Jobs are told to stop, and when they have stopped the one that they make room for still does not fit.",
    ),
    "G7": Plainly(
        "What has been freed for a job is there for it when all that had to stop has stopped.",
        "Two jobs must stop for one that needs two machines. One has stopped: its machine stays idle until the other has "
        "stopped too, and nobody else gets it.",
        "Somebody else starts on a machine that was freed for a job that still waits.",
    ),
    "G8": Plainly(
        "Who would borrow lets an owner go first.",
        "A machine that was on loan comes free. A job of its owner waits, and one of a borrower: the borrower's does not "
        "start in front of the owner's.",
        "A job starts on a loan, and what is left is too little for an owner's job that could have had its own.",
    ),
    "G9": Plainly(
        "In a share the higher priority goes first.",
        "A job of priority 5 waits for two machines, one of priority 1 for one. One machine is free: the small job does not "
        "pass the large one.",
        "A job starts while one of its share with a higher priority waits.",
    ),
    "G10": Plainly(
        "A job goes from stage to stage as AWS lists them.",
        "It waits, is scheduled, starts, runs and ends. Stopped on the way it waits again; what has ended never runs again.",
        "A job runs that was never started, say, or stops that does not run.",
    ),
    "G11": Plainly(
        "A job that was stopped for another one waits again; it fails only when the preemption retries set for it are used up.",
        "One preemption retry: stopped once the job waits again, stopped a second time it has failed. Without a number it "
        "always waits again.",
        "A stopped job fails too early, or waits again though its retries are used up.",
    ),
    "G12": Plainly(
        "The machines in use are those that jobs hold, each counted once.",
        "Jobs of 1, 2 and 4 machines run: 7 machines are in use.",
        "A job runs twice, or machines are counted as used that no job holds.",
    ),
    "G13": Plainly(
        "A disabled share takes no new jobs, and a disabled environment starts none.",
        "team-a is disabled: a new job is refused, and those that wait in its line still start one after the other.",
        "A disabled share accepts a job, or a job starts in a disabled environment.",
    ),
    "G14": Plainly(
        "Where all limits together fit into the environment, a share gets back what it has lent when its next job needs it.",
        "team-a owns 1 machine and lends it to team-b. team-a submits a job: a job of team-b stops, and that of team-a starts. "
        "Where limits of 4 are given out on 3 machines this cannot be promised.",
        "The owner's job waits for what is its own while others use more than theirs, and nobody is told to stop.",
    ),
    "G15": Plainly(
        "What a RESERVE share keeps is at its disposal at once: no loan stands in the way.",
        "team-a keeps 1 idle machine, and team-b has borrowed all there is to borrow. A job of team-a starts, and nobody stops "
        "for it.",
        "A job that needs no more than its share keeps waits, because others have borrowed.",
    ),
    "G16": Plainly(
        "Nothing that could be used is left idle: when nothing moves, no job that is first in its line and fits still waits.",
        "A machine is idle, its owner lends it, and the first job in a borrower's line needs one: it starts.",
        "The scheduler has nothing left to do, and such a job still waits.",
    ),
    "G17": Plainly(
        "A share that uses more than it may does not grow, and gives back what others need.",
        "The limit of team-a is lowered from 3 to 2 while it uses 3. It starts nothing new; when an owner needs that machine, "
        "a job of team-a is stopped.",
        "Such a share starts another job, or an owner waits because its jobs are spared.",
    ),
    "G18": Plainly(
        "Stopping jobs comes to an end.",
        "team-a takes its machine back from team-b, and all is quiet. They do not stop each other's jobs in turn for ever.",
        "The same jobs are stopped and started again and again, though nobody submits or changes anything.",
    ),
    "G19": Plainly(
        "A share that is deleted has no jobs in the end.",
        "team-a is disabled and deleted while a job of it runs: the job ends or is terminated, and then the share is gone.",
        "A job of a deleted share waits or runs for ever.",
    ),
    "G20": Plainly(
        "A job that was told to stop does stop.",
        "It may take two minutes to save its work. It does not keep its machines for ever.",
        "A job that was told to stop holds its machines without end.",
    ),
    "G21": Plainly(
        "Where a share has in-share preemption on, its highest priority does not wait behind lower ones.",
        "A job of priority 1 has the share's only machine. One of priority 9 arrives: the first is stopped, the second starts.",
        "Nothing moves, and a job waits that would fit if lower priorities of its own share had been stopped.",
    ),
}
