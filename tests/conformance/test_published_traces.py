"""Traces that others published become workloads and usage series, whole."""

from __future__ import annotations

import pytest
from quotaproof.spec.formats.workloads import load_usage, load_workload

from ..support.published import needs_traces, trace

pytestmark = needs_traces

JOBS = {
    "philly_week_20170925": (4998, 12, 864, ()),
    "philly_week_20171127": (3758, 12, 496, ()),
    "openb_gpu_pods": (3713 - 538, 4, 61, ("538 jobs have no run time", "1317 jobs ask for a fraction")),
    "chronus_mix1_42h": (4932, 11, 1496, ("536 jobs were there before",)),
}


@pytest.mark.parametrize("name", JOBS)
def test_every_job_is_in_the_workload_or_is_said_to_be_left_out(name):
    found = load_workload([trace(f"{name}.csv")])
    jobs, shares, capacity, said = JOBS[name]
    assert (len(found.work), len(found.config.shares)) == (jobs, shares)
    assert found.config.environment.capacity == {"gpu": capacity}
    assert sum(s.limits["gpu"] for s in found.config.shares) == capacity
    for words in said:
        assert any(words in note for note in found.notes), words


def test_what_helios_published_beyond_its_quotas_is_found():
    found = load_usage([trace("helios_earth_vc_hourly_202005.csv"), trace("helios_earth_quota_changes.csv")])
    assert (len(found.uses), len(found.changes)) == (11904, 79)
    over = found.exceeded()
    assert sum(use.over for use in found.uses) == sum(use.over for use in over) == 3230 * 60_000
    assert sum(use.over for use in over if use.share == "vchbv") == 2054 * 60_000
