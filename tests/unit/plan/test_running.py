"""Which running jobs a change exposes or ends: exact lists, job by job."""

from __future__ import annotations

from quotaproof.checker.planned import NeverRuns, OverLimit, Running, Stoppable, Untouched
from quotaproof.checker.rollout.plan.running import Now, affected
from quotaproof.spec.changes import after
from quotaproof.spec.readings import Readings

from tests.support.queues import queue, share, walkthrough
from tests.support.stories import by_minutes, runs, submitted

from . import edits as ask

READINGS = Readings()


def started(*jobs):
    """Jobs that run: (minute, name, machines, facts)."""
    steps = []
    for at, name, n, facts in jobs:
        steps.append((at, submitted(name, n=n, **facts)))
        steps += [(at, what) for what in runs(name)]
    return steps


def told(config, new, *steps, end=600, readings=READINGS, owners=None):
    history = by_minutes(config, *steps, end=1_790_000_000_000 + end * 60_000)
    now = Now.of(history, readings)
    assert now.state.unexplained == []
    return list(affected(now, config, new, readings, owners or {}))


def jobs(events, how):
    return sorted(e.job for e in events if isinstance(e, Stoppable) and e.how == how)


def test_a_lowered_limit_exposes_every_job_of_the_share_and_says_what_each_has_at_stake():
    old = queue(64, share("a", 16, "LEND_AND_BORROW", 150), share("b", 48))
    new = after(old, [ask.limits("a", 12)], READINGS)
    events = told(
        old,
        new,
        *started(
            (0, "a-pre", 12, {"checkpoint": "s3://b/x", "owner": "nlp-team"}),
            (400, "a-rlhf", 2, {"checkpoint": ""}),
            (580, "a-dev", 1, {}),
            (590, "b-eval", 3, {}),
        ),
        owners={"a": "nlp-lead"},
    )
    assert [(o.share, o.uses, o.limit, o.before, o.beyond) for o in events if isinstance(o, OverLimit)] == [
        ("a", 15, 12, 16, 3)
    ]
    assert [
        (s.name, s.machines, s.runs // 60_000, s.checkpoint, s.owner) for s in events if isinstance(s, Stoppable)
    ] == [
        ("a-pre", {"u": 12}, 600, True, "nlp-team"),
        ("a-rlhf", {"u": 2}, 200, False, "nlp-lead"),
        ("a-dev", {"u": 1}, 20, None, "nlp-lead"),
    ]
    [seen] = [e for e in events if isinstance(e, Running)]
    assert (seen.running, seen.waiting, seen.affected) == (4, 0, 3)


def test_a_limit_lowered_to_what_runs_touches_no_job():
    old = queue(64, share("a", 16, "LEND_AND_BORROW", 150), share("b", 48))
    new = after(old, [ask.limits("a", 15)], READINGS)
    events = told(old, new, *started((0, "a-pre", 12, {}), (1, "a-dev", 3, {})))
    assert jobs(events, "reclaim") == []
    assert [e for e in events if isinstance(e, OverLimit)] == []
    [kept] = [e for e in events if isinstance(e, Untouched)]
    assert (kept.share, kept.jobs, kept.why) == ("a", 2, "the share is within its limit of all that they hold (G5x)")


def test_a_share_that_only_lends_is_exposed_by_a_lowered_limit_too():
    old = queue(8, share("a", 4), share("b", 4))
    new = after(old, [ask.limits("a", 2)], READINGS)
    assert jobs(told(old, new, *started((0, "a-1", 3, {}), (1, "a-2", 1, {}))), "reclaim") == ["a-1", "a-2"]


def test_only_jobs_that_hold_the_lowered_unit_can_be_stopped():
    old = queue({"u": 4, "v": 4}, share("a", {"u": 4, "v": 4}))
    new = after(old, [ask.limits("a", {"u": 4, "v": 1})], READINGS)
    gang = submitted("a-v")
    steps = [
        *started((0, "a-u", 3, {})),
        (1, type(gang)("a-v", "a", {"v": 2}, 0, None)),
        *[(1, what) for what in runs("a-v")],
    ]
    events = told(old, new, *steps)
    assert jobs(events, "reclaim") == ["a-v"]
    assert [(e.share, e.jobs) for e in events if isinstance(e, Untouched)] == [("a", 1)]


def test_jobs_on_loan_that_could_be_stopped_before_are_not_told_again():
    old = walkthrough()
    new = after(old, [ask.in_share("QS1", on=False)], READINGS)
    mine = submitted("QS1-high", 3), submitted("QS1-med", 2), submitted("QS1-low", 1)
    steps = [(0, m) for m in mine]
    steps = [(0, type(m)(m.job, m.share, {"u": 1}, m.priority, None)) for m in mine]
    steps += [(1, what) for name in ("QS1-high", "QS1-med") for what in runs(name)]
    events = told(old, new, *steps)
    assert jobs(events, "reclaim") == []
    assert jobs(events, "in-share") == []


def test_switching_in_share_preemption_on_exposes_the_jobs_of_the_share():
    old = queue(4, share("a", 2), share("b", 2))
    new = after(old, [ask.in_share("a", on=True)], READINGS)
    events = told(old, new, *started((0, "a-1", 1, {}), (0, "b-1", 1, {})))
    assert jobs(events, "in-share") == ["a-1"]


def test_taking_the_right_to_lend_from_a_share_does_not_touch_what_others_borrowed_of_it_but_its_reclaim_is_told():
    old = queue(4, share("a", 2, "LEND_AND_BORROW", 100), share("b", 2))
    new = after(old, [ask.sharing("a", "LEND")], READINGS)
    events = told(old, new, *started((0, "a-1", 2, {}), (0, "a-2", 2, {})))
    assert jobs(events, "reclaim") == [], "they were on loan before"


def test_walkthrough_deleting_a_share_ends_its_jobs_and_a_rename_ends_all_of_them():
    old = walkthrough()
    asked = [ask.disable("QS1"), ask.delete("QS1"), ask.create(share("QS1b", 1, "LEND_AND_BORROW", 200, in_share=True))]
    new = after(old, asked, READINGS)
    mine = [submitted(name) for name in ("QS1-high", "QS1-med", "QS1-low", "QS3-x")]
    steps = [(0, m) for m in mine]
    steps += [(1, what) for name in ("QS1-high", "QS1-med", "QS3-x") for what in runs(name)]
    events = told(old, new, *steps)
    assert jobs(events, "ends") == ["QS1-high", "QS1-low", "QS1-med"]
    assert {e.job: e.runs is None for e in events if isinstance(e, Stoppable)} == {
        "QS1-high": False,
        "QS1-med": False,
        "QS1-low": True,
    }


def test_walkthrough_lowering_nothing_that_runs_touches_no_job():
    old = walkthrough()
    new = after(old, [ask.create(share("QS4", 1))], READINGS)
    events = told(old, new, *started((0, "QS1-high", 1, {}), (0, "QS2-1", 1, {})))
    assert [e for e in events if isinstance(e, Stoppable | OverLimit | NeverRuns)] == []


def test_a_waiting_job_that_can_never_run_afterwards_is_told_with_the_words_of_aws():
    old = queue(8, share("a", 4), share("b", 4))
    new = after(old, [ask.limits("a", 2)], READINGS)
    events = told(old, new, *started((0, "b-1", 4, {}), (0, "a-1", 2, {})), (1, submitted("a-big", n=4)))
    [never] = [e for e in events if isinstance(e, NeverRuns)]
    assert (never.job, never.share) == ("a-big", "a")
    assert "exceed quota share capacity limits" in never.why


def test_a_history_under_another_configuration_says_so():
    old = queue(8, share("a", 4), share("b", 4))
    history = by_minutes(queue(8, share("a", 3), share("b", 4)), (0, submitted("a-1")))
    now = Now.of(history, READINGS)
    [seen] = [e for e in affected(now, old, old, READINGS, {}) if isinstance(e, Running)]
    assert seen.notes == ("what runs was recorded under another configuration than the old one: a differs",)
