"""What each policy of a simulation does: no job is lost, nobody borrows who may not, and the same every time."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace

import pytest
from quotaproof.checker.rollout.simulate import best, recorded
from quotaproof.checker.rollout.simulate.policies import POLICIES, Settings
from quotaproof.checker.rollout.simulate.runs import common, never, prepare, run
from quotaproof.reference.clock import run as play
from quotaproof.spec import events as ev
from quotaproof.spec.formats.workloads.seen import from_history
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.observations import Preempting, Settled
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Attempt, Checkpoints, Work, Workload

from ...support.queues import queue, share
from ...support.weeks import TIMES, busy_week, first_fault, history

SETTINGS = Settings(drain=120_000, scheduled=5_000, starting=60_000)
WEEK = busy_week(150, 4)
SCHEDULERS = [name for name in POLICIES if name != "as-it-was"]
LARGE = replace(WEEK, work=(*WEEK.work, Work(0, 60_000, ev.Submit("huge", "a", {"u": 13}))))


def moments(policy, workload=WEEK, settings=SETTINGS):
    return list(run(workload.config, workload, policy, settings))


def waits(found, workload):
    came, first = {w.submit.job: w.at for w in workload.work}, dict[str, int]()
    for at, event in found:
        if isinstance(event, ev.Dispatch):
            first.setdefault(event.job, at - came[event.job])
    return first


@pytest.mark.parametrize("policy", SCHEDULERS)
def test_the_same_seed_gives_the_same_run(policy):
    assert moments(policy) == moments(policy)


@pytest.mark.parametrize("policy", SCHEDULERS)
def test_no_job_is_lost_and_what_never_fits_is_said(policy):
    workload, left = common([LARGE.config], LARGE, [policy], SETTINGS)
    assert set(left[0, policy]) >= {"huge"}
    ended: Counter[str] = Counter()
    stops: Counter[str] = Counter()
    for _, event in run(workload.config, workload, policy, SETTINGS):
        if isinstance(event, ev.Finish):
            ended[event.job] += 1
        elif isinstance(event, ev.Stopped):
            stops[event.job] += 1
    spent = {
        w.submit.job for w in workload.work if w.submit.retries is not None and stops[w.submit.job] > w.submit.retries
    }
    assert Counter(w.submit.job for w in workload.work) == ended + Counter(spent)


@pytest.mark.parametrize("policy", ["static", "static-best"])
def test_a_share_that_is_alone_never_uses_more_than_its_part(policy):
    workload, _ = common([WEEK.config], WEEK, [policy], SETTINGS)
    setup = prepare(workload.config, workload, policy, SETTINGS)
    assert {s.strategy for s in setup.config.shares} == {Strategy.RESERVE}
    assert sum(s.limits["u"] for s in setup.config.shares) == workload.config.environment.capacity["u"]
    part = {s.name: s.limits["u"] for s in setup.config.shares}
    job = {w.submit.job: w.submit for w in workload.work}
    used: Counter[str] = Counter()
    for _, event in setup.moments():
        if isinstance(event, ev.Dispatch | ev.Finish | ev.Stopped):
            submit = job[event.job]
            used[submit.share] += submit.size["u"] * (1 if isinstance(event, ev.Dispatch) else -1)
            assert used[submit.share] <= part[submit.share]
    assert sum(used.values()) == 0


def test_the_best_split_found_is_never_waited_for_longer_than_the_split_by_limits():
    workload, _ = common([WEEK.config], WEEK, ["static", "static-best"], SETTINGS)
    by_limits = waits(moments("static", workload), workload)
    found = waits(moments("static-best", workload), workload)
    assert by_limits.keys() == found.keys()
    assert sum(found.values()) <= sum(by_limits.values())
    notes = prepare(workload.config, workload, "static-best", SETTINGS).notes
    assert "not the best there is" in notes[0]
    assert f"{sum(found.values()) / len(found) / 1000:,.1f} s so" in notes[0]


def test_the_best_split_of_two_shares_is_the_one_that_trying_all_of_them_finds():
    config = queue(6, share("a", 5), share("b", 1))
    work = tuple(Work(i * 1000, 9000, ev.Submit(f"{'abb'[i % 3]}-{i}", "abb"[i % 3], {"u": 1})) for i in range(30))
    workload = Workload(config, work)
    total = {
        n: sum(waits(run(c, workload, "lend-borrow", SETTINGS), workload).values())
        for n in range(1, 6)
        for c in [queue(6, share("a", n, "RESERVE"), share("b", 6 - n, "RESERVE"))]
    }
    found = prepare(config, workload, "static-best", SETTINGS).config
    assert total[found.share("a").limits["u"]] == min(total.values()) < total[5]


def test_the_best_split_keeps_room_for_the_largest_job_also_where_it_is_not_tried_on_it(monkeypatch):
    monkeypatch.setattr(best, "SAMPLE", 20)
    config = queue(12, share("a", 4), share("b", 8))
    small = [Work(k * 1000, 9000, ev.Submit(f"a-{k}", "a", {"u": 1})) for k in range(60)]
    jobs = (
        *small,
        Work(60_000, 1000, ev.Submit("large", "b", {"u": 8})),
        Work(61_000, 1000, ev.Submit("last", "b", {"u": 1})),
    )
    found = prepare(config, Workload(config, jobs), "static-best", replace(SETTINGS, seed=1)).config
    assert found.share("b").limits["u"] == 8
    assert found.share("a").limits["u"] == 4


def test_the_best_split_is_found_also_where_only_a_whole_job_more_helps():
    config = queue(12, share("a", 6), share("b", 6))  # a runs one job at a time until it has 8
    jobs = tuple(Work(k * 60_000, 290_000, ev.Submit(f"a-{k}", "a", {"u": 4})) for k in range(20))
    found = prepare(config, Workload(config, jobs), "static-best", SETTINGS).config
    assert found.share("a").limits["u"] >= 8


def test_a_pool_is_one_share_of_everything_by_priority_then_arrival():
    found = moments("pool")
    one = queue(12, share("pool", 12, "RESERVE"))
    same = [replace(w, submit=replace(w.submit, share="pool")) for w in WEEK.work]
    assert found == list(play(one, Readings(), same, **TIMES))
    assert not any(isinstance(e, ev.Claim) for _, e in found)
    waiting: dict[str, ev.Submit] = {}
    for _, event in found:
        if isinstance(event, ev.Submit):
            waiting[event.job] = event
        elif isinstance(event, ev.Dispatch):
            best = max(waiting.values(), key=lambda s: s.priority or 0)
            assert waiting.pop(event.job) is best


def test_backfill_lets_a_job_pass_one_that_does_not_fit():
    config = queue(2, share("a", 2))
    sizes = {"one": 1, "two": 2, "three": 1}
    work = tuple(Work(n, 10_000, ev.Submit(job, "a", {"u": size})) for n, (job, size) in enumerate(sizes.items()))
    for policy, order in (("pool", ["one", "two", "three"]), ("pool-backfill", ["one", "three", "two"])):
        happened = moments(policy, Workload(config, work))
        assert [e.job for _, e in happened if isinstance(e, ev.Dispatch)] == order


def test_what_lends_and_borrows_breaks_nothing_that_is_promised():
    found = [(at, e) for at, e in moments("lend-borrow") if not isinstance(e, Preempting)]
    assert sum(len(e.victims) for _, e in found if isinstance(e, ev.Claim)) > 10
    assert first_fault(WEEK.config, found, Readings()) is None


def test_as_it_was_has_the_waits_of_the_history():
    seen = list(run(WEEK.config, WEEK, "lend-borrow", SETTINGS))
    workload = from_history(history(WEEK.config, seen, Readings()))
    told = moments("as-it-was", workload)
    assert waits(told, workload) == waits(seen, WEEK)
    for kind in (ev.Dispatch, ev.Finish, ev.Stopped):
        assert sorted((at, e.job) for at, e in told if isinstance(e, kind)) == sorted(
            (at, e.job) for at, e in seen if isinstance(e, kind)
        )
    stopped = [(at, v) for at, e in seen if isinstance(e, ev.Claim) for v in e.victims]
    assert sorted((at, e.job) for at, e in told if isinstance(e, Preempting)) == sorted(stopped)
    assert not any(isinstance(e, Settled) for _, e in told)


def test_what_a_history_recorded_is_told_in_the_order_of_time_also_at_one_instant():
    jobs = [
        Work(0, 5, ev.Submit("a", "s", {"u": 1}), was=(Attempt(0, 0, 5, "stopped", 5), Attempt(5, 5, 5, "failed"))),
        Work(5, 5, ev.Submit("b", "s", {"u": 1}), was=(Attempt(5),)),
    ]
    told = [(at, type(e).__name__, e.job) for at, e in recorded.moments(jobs)]
    assert told == sorted(told, key=lambda t: t[0])
    of = defaultdict(list)
    for _, kind, job in told:
        of[job].append(kind)
    assert of["a"] == ["Submit", "Dispatch", "Advance", "Advance", "Preempting", "Stopped",
                       "Dispatch", "Advance", "Advance", "Finish"]  # fmt: skip
    assert of["b"] == ["Submit", "Dispatch"]
    assert [at for at, *_ in recorded.moments(jobs, until=4)] == [0, 0, 0, 0]


def test_a_job_that_nobody_takes_or_nobody_saw_is_left_out_with_the_reason():
    config = queue(4, share("a", 3, "RESERVE"), share("b", 2), share("off", 1, state="DISABLED"))
    work = tuple(
        Work(0, 1, ev.Submit(name, of, {"u": n}))
        for name, of, n in (
            ("a1", "a", 3),
            ("b2", "b", 2),
            ("b1", "b", 1),
            ("x", "off", 1),
            ("y", "gone", 1),
            ("z", "a", 5),
        )
    )
    left = never(prepare(config, Workload(config, work), "lend-borrow", SETTINGS))
    assert left["x"] == "off is DISABLED"
    assert left["y"] == "there is no share gone"
    assert left["b2"] == "it does not fit beside what is kept for other shares, also when nothing runs"
    assert left["z"].startswith("MISCONFIGURATION:SERVICE_ENVIRONMENT_MAX_RESOURCE")
    assert left.keys() == {"x", "y", "b2", "z"}
    assert set(never(prepare(config, Workload(config, work), "as-it-was", SETTINGS))) == {w.submit.job for w in work}
    shut = config.model_copy(update={"environment": config.environment.model_copy(update={"state": State.DISABLED})})
    assert never(prepare(shut, Workload(shut, work), "lend-borrow", SETTINGS))["a1"] == "the environment is DISABLED"


def test_a_job_saves_as_it_says_itself_else_as_its_share_does_else_as_all_do():
    settings = replace(SETTINGS, checkpoints=Checkpoints(600_000, 5, 7), by_share={"a": Checkpoints(save=9)})
    own = tuple(replace(w, checkpoints=Checkpoints(every=60_000)) for w in WEEK.work[:1])
    setup = prepare(WEEK.config, replace(WEEK, work=(*own, *WEEK.work[1:])), "pool", settings)
    shares = {w.submit.job: w.submit.share for w in WEEK.work}
    for w in setup.work:
        every = 60_000 if w.submit.job == WEEK.work[0].submit.job else 600_000
        assert w.checkpoints == Checkpoints(every, 9 if shares[w.submit.job] == "a" else 5, 7)
