"""Two real weeks under every policy: each job that every policy can run ends in each of them, and nothing is broken."""

from __future__ import annotations

import pytest
from quotaproof.checker.rollout.simulate.policies import POLICIES, Settings
from quotaproof.checker.rollout.simulate.runs import common, prepare
from quotaproof.spec import events as ev
from quotaproof.spec.formats.workloads import load_workload
from quotaproof.spec.readings import Readings

from ..support.published import needs_traces, trace
from ..support.weeks import first_fault

pytestmark = [needs_traces, pytest.mark.campaign]

SETTINGS = Settings(starting=60_000)
SCHEDULERS = [name for name in POLICIES if name != "as-it-was"]


@pytest.mark.parametrize("week", ["philly_week_20170925.csv", "philly_week_20171127.csv"])
def test_every_job_ends_under_every_policy_and_lending_breaks_nothing(week):
    found = load_workload([trace(week)])
    workload, left = common([found.config], found, SCHEDULERS, SETTINGS)
    assert len(workload.work) > 0.99 * len(found.work)
    assert not left[0, "lend-borrow"]
    jobs = {w.submit.job for w in workload.work}
    for policy in SCHEDULERS:
        setup = prepare(found.config, workload, policy, SETTINGS)
        assert {e.job for _, e in setup.moments() if isinstance(e, ev.Finish)} == jobs, policy
    moments = prepare(found.config, workload, "lend-borrow", SETTINGS).moments()
    assert first_fault(found.config, moments, Readings()) is None
