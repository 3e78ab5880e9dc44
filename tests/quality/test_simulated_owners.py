"""Real weeks under every policy: an owner waits for one drain where shares lend, whatever the load."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.rollout.simulate.compare import Asked, simulate
from quotaproof.checker.rollout.simulate.fits import scaled
from quotaproof.checker.simulated import Simulation
from quotaproof.spec.formats.workloads import load_workload

from ..support.published import needs_traces, trace

pytestmark = needs_traces
POLICIES = ("lend-borrow", "static", "pool", "pool-backfill")


def week(name, percent, jobs=None):
    found = load_workload([trace(f"philly_week_{name}.csv")])
    found = replace(found, work=found.work[:jobs])
    config, _ = scaled(found.config, percent)
    return Simulation.of(simulate(Asked(found, name, {name: config}, POLICIES)))


def holds(found):
    runs = [found.run(policy) for policy in POLICIES]
    assert len({r.jobs for r in runs}) == 1
    assert all((r.completed, r.unended, r.waits.times) == (r.jobs, 0, r.jobs) for r in runs)
    assert runs[0].stops > 0
    assert runs[0].owner.worst <= 120
    assert [r.stops for r in runs[1:]] == [0, 0, 0]


def test_the_first_jobs_of_a_week_end_under_every_policy_and_an_owner_waits_for_one_drain():
    holds(week("20171127", 30, 250))


@pytest.mark.campaign
@pytest.mark.parametrize("percent", [100, 85, 75])
@pytest.mark.parametrize("name", ["20170925", "20171127"])
def test_a_whole_week_ends_under_every_policy_and_an_owner_waits_for_one_drain(name, percent):
    holds(week(name, percent))
