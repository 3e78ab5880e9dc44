"""Laws that hold in every simulation: no machine time and no job is lost between the numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from quotaproof.checker.rollout.simulate.measure import Window, measure
from quotaproof.checker.rollout.simulate.policies import POLICIES, Settings
from quotaproof.checker.rollout.simulate.runs import common, prepare
from quotaproof.spec import events as ev
from quotaproof.spec.observations import Settled
from quotaproof.spec.workload import Checkpoints

from ..support.simulations import HOUR
from ..support.weeks import busy_week

RUN = [name for name in POLICIES if name not in ("as-it-was", "static-best")]
SAVES = Checkpoints(300_000, 20_000, 40_000)


def held(moments, work):
    """Machine-milliseconds from each dispatch to its end, worked out without the measure."""
    size = {w.submit.job: sum(w.submit.size.values()) for w in work}
    since, total = {}, 0
    for at, event in moments:
        if isinstance(event, ev.Dispatch):
            since[event.job] = at
        elif isinstance(event, ev.Finish | ev.Stopped):
            total += size[event.job] * (at - since.pop(event.job))
    assert not since
    return total


@pytest.mark.parametrize("policy", RUN)
@pytest.mark.parametrize(("seed", "saves"), [(0, Checkpoints()), (1, SAVES)])
def test_machine_time_and_jobs_are_conserved(policy, seed, saves):
    settings = Settings(drain=90_000, scheduled=1_000, starting=20_000, checkpoints=saves)
    week, _ = common([(week := busy_week(300, seed)).config], week, RUN, settings)
    setup = prepare(week.config, week, policy, settings)
    moments = list(setup.moments())
    end = max(at for at, _ in moments)
    work = [replace(w, checkpoints=saves) for w in week.work]
    got = measure(policy, moments, work, week.config, settings.readings, Window(0, end + 1))
    all_, (unit,) = got.all, got.units

    assert all_.work.held * HOUR == pytest.approx(held(moments, work), rel=1e-9)
    assert unit.busy * HOUR == pytest.approx(held(moments, work), rel=1e-9)
    assert unit.busy == pytest.approx(all_.own + all_.borrowed, rel=1e-9)
    assert unit.capacity * HOUR == pytest.approx(12 * (end + 1), rel=1e-9)
    done = {w.submit.job: w for w in week.work if w.submit.job in got.took}
    useful = sum(sum(w.submit.size.values()) * w.runs for w in done.values())
    assert all_.work.useful * HOUR == pytest.approx(useful, rel=1e-9)
    assert (all_.jobs, all_.unended, all_.waits.times) == (len(week.work), 0, len(week.work))
    assert all_.completed + all_.retries_out + all_.failed == all_.jobs
    happened = Counter(type(e) for _, e in moments if not isinstance(e, Settled))
    assert (all_.stops, all_.completed) == (happened[ev.Stopped], happened[ev.Finish])
    for name in ("jobs", "completed", "stops", "stopped", "repeatedly", "beyond_need", "on_loan"):
        assert getattr(all_, name) == sum(getattr(r, name) for r in got.runs[1:]), name
    if policy.startswith("pool"):
        assert (all_.stops, all_.work.lost, all_.work.draining, all_.work.restarting) == (0, 0, 0, 0)
    if policy == "lend-borrow":
        assert all_.stops > 10, "the weeks have to stop jobs, or the laws say little"
