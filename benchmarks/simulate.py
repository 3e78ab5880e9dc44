"""How many scheduling decisions a second a simulation makes, at 20 shares on one core.

    python benchmarks/simulate.py [JOBS]... [--profile]

A decision is one look of the scheduler at the queue, with its answer: a dispatch, a claim with its victims, a claim that
is given up, a job named that can never run, or that nothing moves. Where it is asked and nothing has changed since it said
so, it does not look, and that is not counted. Also told: how many looks ended in a step, and all steps of jobs (arrivals,
stages and ends besides). Times are of the processor, with the counting; nothing is judged or measured besides. The target
is one of decisions, at every size and in every case. The workload is made from a fixed
seed: jobs of 1 to 8 machines that come about as fast as 512 machines work them off, to shares of every strategy; shares come
in bursts, so that some borrow while others wait and take back. `busy`: about as much work as machines, with what is lost to
stops a little more, so that in a long run jobs wait in every share; `crowded`: a tenth more, so that they soon do; `types`:
three kinds of machine, one job in four asks for two.
Figures and machine: docs/explanation/performance.md.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass

from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.model import (
    EnvironmentCapacityLimit,
    Preemption,
    QueueConfig,
    QuotaShare,
    ResourceSharing,
    ServiceEnvironment,
    ShareCapacityLimit,
    State,
    Strategy,
)
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Work, Workload

SHARES, MACHINES, TARGET = 20, 512, 20_000
DAY = 86_400_000
RUNS = 1_800_000
SIZES = (1, 1, 1, 1, 2, 2, 4, 8)
STEPS = (ev.Dispatch, ev.Claim, ev.Release, ev.Misconfigured)


@dataclass(frozen=True)
class Case:
    """Work offered per machine, and kinds of machines."""

    load: float
    units: tuple[str, ...] = ("ml.p5.48xlarge",)


CASES = {
    "busy": Case(0.97),
    "crowded": Case(1.1),
    "types": Case(0.97, ("ml.p4d.24xlarge", "ml.p5.48xlarge", "ml.g5.12xlarge")),
}


def queue(case: Case) -> QueueConfig:
    """Limits that fill the environment: one share reserves, three only lend, the others lend and borrow."""
    shares = []
    for n in range(SHARES):
        strategy = Strategy.RESERVE if n == 0 else Strategy.LEND if n < 4 else Strategy.LEND_AND_BORROW
        sharing = ResourceSharing(strategy=strategy, borrow_limit=(None, 100, 200)[n % 3] if n >= 4 else None)
        limits = tuple(ShareCapacityLimit(max_capacity=_part(n), capacity_unit=unit) for unit in case.units)
        switch = Preemption(in_share_preemption=State.ENABLED if n % 5 == 0 else State.DISABLED)
        shares.append(
            QuotaShare(
                quota_share_name=f"team-{n:02}",
                capacity_limits=limits,
                resource_sharing_configuration=sharing,
                preemption_configuration=switch,
            )
        )
    capacity = tuple(EnvironmentCapacityLimit(max_capacity=MACHINES, capacity_unit=unit) for unit in case.units)
    environment = ServiceEnvironment(service_environment_name="bench", capacity_limits=capacity)
    return QueueConfig(job_queue_name="bench", environment=environment, shares=tuple(shares))


def _part(share: int) -> int:
    """512 machines among 20 shares, from 14 to 38 each."""
    return 26 + 2 * (share % 7) - 6 + (-2 if share >= 14 else 0) + _REST.get(share, 0)


_REST = {0: 6}


def workload(jobs: int, case: Case) -> Workload:
    """Jobs of shares that take turns at being busy."""
    rng = random.Random(20)
    config = queue(case)
    limits = {s.name: s.limits for s in config.shares}
    mean = sum(SIZES) / len(SIZES) * (1.25 if len(case.units) > 1 else 1.0)
    every = mean * RUNS / (case.load * MACHINES * len(case.units))
    at, work = 0.0, list[Work]()
    names = list(limits)
    for number in range(jobs):
        at += rng.expovariate(1 / every)
        hour = int(at // 3_600_000)
        weights = [limits[name][case.units[0]] * (4 if (n + hour) % 5 == 0 else 1) for n, name in enumerate(names)]
        share = rng.choices(names, weights)[0]
        units = rng.sample(case.units, 2 if len(case.units) > 1 and rng.random() < 0.25 else 1)
        size = {unit: min(rng.choice(SIZES), limits[share][unit]) for unit in units}
        submit = ev.Submit(f"j{number}", share, size, rng.choice((0, 0, 0, 1, 2)))
        work.append(Work(round(at), round(rng.expovariate(1 / RUNS)), submit))
    return Workload(config, tuple(work))


def measured(name: str, jobs: int) -> float:
    """Decisions a second; what else there is to tell is printed."""
    from quotaproof.reference.clock import run
    from quotaproof.reference.decide import decide

    made = workload(jobs, CASES[name])
    counts: Counter[type] = Counter()
    looks = 0

    def counted(queue: Queue, policy: Policy) -> ev.SchedulerEvent | None:
        nonlocal looks
        looks += not queue.rests(policy)
        return decide(queue, policy)

    began = time.process_time()
    for _, event in run(made.config, Readings(), made.work, drain=120_000, starting=60_000, decide=counted):
        counts[type(event)] += 1
    took = time.process_time() - began
    led = sum(counts[kind] for kind in STEPS)
    kinds = ", ".join(f"{counts[kind]:,} {kind.__name__}" for kind in (*STEPS, ev.Stopped) if counts[kind])
    print(f"{name:8} {jobs:7,} jobs {looks / took:9,.0f} decisions/s, {led / took:8,.0f} of them steps, "
          f"{sum(counts.values()) / took:9,.0f} steps of jobs/s; {took:.2f} s, {kinds}")  # fmt: skip
    return looks / took


def main() -> int:
    """0 when every case reaches the target at every size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jobs", nargs="*", type=int, default=[4_000, 12_000, 40_000])
    parser.add_argument("--profile", action="store_true", help="where the time goes instead")
    asked = parser.parse_args()
    if asked.profile:
        import cProfile
        import pstats

        for name in CASES:
            profile = cProfile.Profile()
            profile.runcall(measured, name, asked.jobs[0])
            pstats.Stats(profile).sort_stats("tottime").print_stats(22)
        return 0
    speeds = [measured(name, jobs) for name in CASES for jobs in asked.jobs]
    return 0 if min(speeds) >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
