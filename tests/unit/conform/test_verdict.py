"""A trace of a scenario is judged; a trace of anything else is an error."""

from __future__ import annotations

import random
from dataclasses import replace

from quotaproof.checker.conform.backend import Report, Unable
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.reference.decide import decide
from quotaproof.reference.run import platform_step
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.observations import Rejected, Settled

from ...support.legal_schedulers import LEGAL
from ...support.queues import queue, share

CONFIG = queue(2, share("a", 1, "LEND"), share("b", 1, "LEND_AND_BORROW"))
STEPS = (
    ev.Submit("b1", "b", {"u": 1}), ev.Submit("b2", "b", {"u": 1}), Settle(drains=False), ev.Submit("a1", "a", {"u": 1}),
    Settle(drains=False), ev.Stopped("b1"), ev.Stopped("b2"), Settle(),
)  # fmt: skip
SCENARIO = Scenario("reclaim", "", CONFIG, STEPS)
SETTLED = replace(SCENARIO, steps=(*STEPS[:5], Settle()))
REFERENCE = Reference()


def answered(scenario=SCENARIO, backend=REFERENCE):
    (answer,) = backend.run([scenario])
    return answer


def test_the_reference_passes_and_reclaim_comes_up():
    tested = judged(SCENARIO, answered(), REFERENCE.declare())
    assert tested.status is Status.PASSED
    assert {"G3", "G5x", "G14", "G16"} <= tested.exercised.keys()


def test_a_step_that_is_impossible_is_left_out_and_one_that_is_possible_may_not_be():
    seen = list(answered().seen)
    assert sum(type(s).__name__ == "Preempted" for s in seen) == 1
    for gone in range(len(seen)):
        if type(seen[gone]).__name__ in ("Submitted", "Preempted"):
            tested = judged(SCENARIO, Report(seen[:gone] + seen[gone + 1 :]), REFERENCE.declare())
            assert tested.status in (Status.ERRORED, Status.FAILED)


def test_a_step_that_was_impossible_when_its_turn_came_may_be_left_out_though_it_is_possible_later():
    steps = (ev.Submit("b1", "b", {"u": 1}), ev.Finish("b1"), Settle(), ev.SetPriority("b1", 1), Settle())
    scenario = replace(SCENARIO, steps=steps)
    answer = answered(scenario)
    assert not any(isinstance(s, ev.Finish) for s in answer.seen)
    assert judged(scenario, answer, REFERENCE.declare()).status is Status.PASSED
    unasked = replace(scenario, steps=(*steps[:3], *steps[4:]))
    assert judged(unasked, answer, REFERENCE.declare()).status is Status.ERRORED


def test_saying_settled_too_early_is_a_fault():
    seen = [s for s in answered().seen if not isinstance(s, ev.Dispatch)]
    tested = judged(SCENARIO, Report(seen), REFERENCE.declare())
    assert (tested.status, tested.code) == (Status.FAILED, "G16")


def test_never_saying_settled_is_an_error_and_no_pass():
    seen = [s for s in answered().seen if not isinstance(s, Settled)]
    tested = judged(SCENARIO, Report(seen), REFERENCE.declare())
    assert tested.status is Status.ERRORED
    assert tested.failure == "not-the-scenario"


def test_a_victim_that_never_stops_breaks_g20():
    lazy = replace(SCENARIO, steps=(*STEPS[:5], Settle()))
    tested = judged(lazy, answered(lazy, Reference(platform=lambda _queue: None)), REFERENCE.declare())
    assert (tested.status, tested.code) == (Status.FAILED, "G20")


def test_going_round_breaks_g18_where_the_trace_shows_it():
    config = queue(3, *(share(name, 1, "LEND_AND_BORROW") for name in "abc"))
    steps = (ev.Submit("a1", "a", {"u": 2}), ev.Submit("b1", "b", {"u": 2}), Settle())
    scenario = Scenario("exchange", "", config, steps)
    backend = Reference(choices={"A24": "b"})
    answer = answered(scenario, backend)
    assert isinstance(answer, Unable)
    tested = judged(scenario, answer, backend.declare())
    assert (tested.status, tested.code) == (Status.FAILED, "G18")
    assert judged(scenario, replace(answer, seen=()), backend.declare()).status is Status.ERRORED


def test_a_job_that_the_queue_takes_may_not_be_rejected():
    rejected = [Rejected(s.job, s.share) for s in STEPS if isinstance(s, ev.Submit)]
    trace = [*rejected[:2], Settled(), rejected[2], Settled(), Settled()]
    assert judged(SCENARIO, Report(trace), REFERENCE.declare()).status is Status.ERRORED


def test_draws_from_bytes_are_within_bounds_and_never_run_out():
    from quotaproof.checker.generate.choices import Bytes

    rng = random.Random(1)
    source = Bytes(rng.randbytes(50))
    for _ in range(100):
        low, high = sorted((rng.randint(0, 5), rng.randint(0, 1000)))
        assert low <= source.number(low, high) <= high


def test_a_victim_may_end_by_itself_while_all_settles_and_in_no_settle_without_drains():
    def ends(queue):
        step = platform_step(queue)
        return ev.Finish(step.job) if isinstance(step, ev.Stopped) else step

    answer = answered(SETTLED, Reference(platform=ends))
    assert any(isinstance(s, ev.Finish) for s in answer.seen)
    assert judged(SETTLED, answer, REFERENCE.declare()).status is Status.PASSED
    without = replace(SETTLED, steps=(*STEPS[:5], Settle(drains=False)))
    assert judged(without, answer, REFERENCE.declare()).failure == "not-the-scenario"


def test_labels_per_job_leave_loans_that_nobody_holds_when_a_limit_is_lowered():
    """b1 was lent nothing when it started: under A13 a it may not be stopped, and nothing is owed to a."""
    config = queue(3, share("a", 1, "LEND"), share("b", 2, "LEND"))
    steps = (
        ev.Submit("b1", "b", {"u": 2}), Settle(), ev.SetLimits("b", {"u": 1}), ev.SetCapacity({"u": 2}),
        ev.Submit("a1", "a", {"u": 1}), Settle(),
    )  # fmt: skip
    scenario = Scenario("cut", "", config, steps)
    for choice, starts in (("a", False), ("b", True)):
        backend = Reference(choices={"A13": choice})
        answer = answered(scenario, backend)
        assert judged(scenario, answer, backend.declare()).status is Status.PASSED
        assert (ev.Dispatch("a1") in answer.seen) == starts
    lazy = Reference(
        decide=lambda queue, policy: None if queue.claims_opened or "a1" in queue.jobs else decide(queue, policy)
    )
    assert judged(scenario, answered(scenario, lazy), lazy.declare()).code == "G14"


def test_with_backfill_nobody_overtakes_a_job_that_may_borrow():
    config = queue(3, share("a", 2, "LEND"), share("b", 1, "LEND_AND_BORROW"))
    steps = (ev.Submit("b1", "b", {"u": 2}, 1), ev.Submit("b2", "b", {"u": 1}), Settle())
    scenario, backend = Scenario("backfill", "", config, steps), Reference(choices={"A18": "backfill"})
    answer = answered(scenario, backend)
    assert judged(scenario, answer, backend.declare()).status is Status.PASSED
    assert [s.job for s in answer.seen if isinstance(s, ev.Dispatch)] == ["b1", "b2"]


def test_a_borrower_may_wait_for_any_job_that_may_be_the_head_of_another_share():
    """c1 and c2 have one priority: a scheduler for which c1 is first keeps two machines for it, one that takes c2 keeps one."""
    config = queue(5, share("a", 2), share("c", 2), share("b", 1, "LEND_AND_BORROW"))
    steps = (
        *(ev.Submit(f"b{n}", "b", {"u": size}) for n, size in ((1, 3), (2, 1), (3, 1))), Settle(drains=False),
        ev.Submit("a1", "a", {"u": 2}), Settle(drains=False), ev.Stopped("b2"), ev.Terminate("a1"),
        ev.Submit("c1", "c", {"u": 2}), ev.Submit("c2", "c", {"u": 1}), Settle(drains=False),
    )  # fmt: skip
    scenario = Scenario("tie", "", config, steps)
    waits = LEGAL["one-claim-at-a-time"]
    answer = answered(scenario, waits)
    assert ev.Dispatch("b2") not in answer.seen[-2:]
    assert judged(scenario, answer, waits.declare()).status is Status.PASSED
