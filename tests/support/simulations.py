"""Small workloads for simulations, and what a run of them gave."""

from __future__ import annotations

from dataclasses import replace

from quotaproof.checker.rollout.simulate.compare import Asked, simulate
from quotaproof.checker.rollout.simulate.measure import Window, measure
from quotaproof.checker.rollout.simulate.policies import Settings
from quotaproof.checker.rollout.simulate.runs import prepare
from quotaproof.checker.simulated import Simulation
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import UNSAID, Work, Workload

from .queues import queue, share
from .reference import job

TWO = queue(2, share("a", 1, "LEND_AND_BORROW"), share("b", 1, "LEND"))
HOUR = 3_600_000


def work(at, runs, name, *, deadline=None, checkpoints=UNSAID, was=None, **more):
    """`a-job` of share a; times in milliseconds."""
    return Work(at, runs, job(name, **more), deadline, checkpoints, was)


RECLAIMED = (work(0, 5000, "a-1"), work(0, 1000, "a-2"), work(350, 150, "b-1"))
"""In TWO: a-2 borrows, and is stopped for b-1."""


def measured(*jobs, config=TWO, policy="lend-borrow", window=(0, 2000), **settings):
    """What a run of these jobs gave."""
    settings = Settings(**{"drain": 100, **settings})
    setup = prepare(config, Workload(config, jobs), policy, settings)
    resolved = {w.submit.job: w.checkpoints for w in setup.work}
    jobs = [replace(w, checkpoints=resolved[w.submit.job]) for w in jobs]
    return measure(policy, setup.moments(), jobs, config, Readings(), Window(*window), claims=not setup.tells)


def compared(config, jobs, *policies, queues=None, **asked):
    """A comparison of policies in one queue."""
    settings = Settings(drain=asked.pop("drain", 100), checkpoints=asked.pop("checkpoints", UNSAID))
    workload = Workload(config, tuple(jobs))
    return Simulation.of(simulate(Asked(workload, "jobs", queues or {"q": config}, policies, settings, **asked)))


def ms(hours):
    """Machine-milliseconds of machine-hours."""
    return round(hours * HOUR, 3)
