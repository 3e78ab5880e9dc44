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
from quotaproof.spec.model import QuotaShare, Stage
from quotaproof.spec.observations import Preempted, Reached, Rejected, Settled, Submitted

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


def two_units(*units, borrow=None):
    made = share("c", dict(units), "LEND_AND_BORROW")
    form = made.model_dump(by_alias=True)
    form["resourceSharingConfiguration"]["borrowLimit"] = borrow
    return QuotaShare.model_validate(form)


CREATING = replace(SCENARIO, steps=(ev.CreateShare(two_units(("u", 1), ("v", 2))), Settle()))


def created(made):
    return judged(CREATING, Report([ev.CreateShare(made), Settled()]), REFERENCE.declare())


def test_a_share_is_the_same_in_whatever_order_its_limits_stand():
    for same in (two_units(("v", 2), ("u", 1)), two_units(("u", 1), ("v", 2), borrow=-1)):
        assert created(same).status is Status.PASSED


def test_of_what_is_not_the_scenarios_the_field_that_differs_is_told_first():
    tested = created(two_units(("v", 3), ("u", 1)))
    assert tested.failure == "not-the-scenario"
    assert tested.why.startswith(
        'step 1 is reported with create-share limits {"v": 3, "u": 1} instead of {"u": 1, "v": 2}: {"share-created": '
    )
    other = judged(SETTLED, Report([Submitted("b1", "b", {"u": 2})]), REFERENCE.declare())
    assert other.why.startswith("step 1 is reported with size u 2 instead of 1: ")
    another = judged(SETTLED, Report([ev.Terminate("b1")]), REFERENCE.declare())
    assert another.why == (
        'expected was {"submit": "b1", "share": "b", "size": {"u": 1}} (step 1), and not {"terminate": "b1"}'
    )


def test_a_drain_that_is_advanced_is_one_fault_and_the_job_drains_on():
    steps = (*STEPS[:5], ev.Advance("b1"), ev.Advance("b2"), *STEPS[5:])
    scenario = replace(SCENARIO, steps=steps)
    trace = list(answered(scenario).seen)
    drains = next(s for s in trace if isinstance(s, ev.Claim)).victims[0]
    at = next(n for n, s in enumerate(trace) if isinstance(s, Reached))
    tested = judged(scenario, Report([*trace[:at], Reached(drains, Stage.STARTING), *trace[at:]]), REFERENCE.declare())
    assert (tested.status, tested.codes, len(tested.broken)) == (Status.FAILED, ("G10",), 1)


def test_what_comes_after_something_impossible_only_follows():
    """The scheduler goes on as if b1 ran, which was told to stop: what it takes for itself is no fault of its own."""
    (number,) = [n for n, s in enumerate(answered().seen) if isinstance(s, Preempted)]
    seen = answered().seen
    stops = seen[number].job
    trace = [*seen[:number], ev.Dispatch("a1"), *seen[number:]]
    tested = judged(SCENARIO, Report([*trace[:number], ev.Dispatch(stops), *trace[number:]]), REFERENCE.declare())
    first, *others = tested.broken
    assert (first.code, first.follows, tested.codes) == ("G10", False, ("G10",))
    assert others
    assert all(b.follows for b in others)
    alone = judged(SCENARIO, Report(trace), REFERENCE.declare())
    assert alone.codes[0] == others[0].code


def test_a_claim_with_a_victim_that_drains_still_stops_the_others():
    config = queue(3, share("a", 2, "LEND"), share("b", 1, "LEND_AND_BORROW"))
    steps = (
        *(ev.Submit(f"b{n}", "b", {"u": 1}) for n in (1, 2, 3)), Settle(drains=False), ev.Submit("a1", "a", {"u": 2}),
        Settle(),
    )  # fmt: skip
    scenario = replace(SCENARIO, config=config, steps=steps)
    seen = list(answered(scenario).seen)
    (at,) = [n for n, s in enumerate(seen) if isinstance(s, ev.Claim)]
    twice = replace(seen[at], victims=(*seen[at].victims, seen[at].victims[0]))
    tested = judged(scenario, Report([*seen[:at], twice, *seen[at + 1 :]]), REFERENCE.declare())
    assert tested.codes == ("G10",)
    assert "G20" not in {b.code for b in tested.broken}
    assert not [b for b in tested.broken if "not DRAINING" in b.violation.sentence]
