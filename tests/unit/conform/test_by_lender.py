"""Capacity per lender: who waits for whose machines, who may take back what, and where a lender is told falsely."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.conform.backend import Declaration, Report, Unable
from quotaproof.checker.conform.corpus import corpus, find
from quotaproof.checker.conform.distinct import shrunk
from quotaproof.checker.conform.drawing import drawn
from quotaproof.checker.conform.features import lacking
from quotaproof.checker.conform.in_process import InProcess
from quotaproof.checker.conform.profiles import LEND_BORROW
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.spec import events as ev
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.model import Stage, Strategy
from quotaproof.spec.observations import Preempted, Preempting, Settled, Submitted

from ...support.per_lender import FEATURES, LEGAL, WRONG
from ...support.queues import queue, share

PER_LENDER, POOLED = LEGAL.declare(), replace(LEGAL.declare(), capacity="pooled")
UNITS = replace(PER_LENDER, features=FEATURES - {"gangs"})
BORROWS = "LEND_AND_BORROW"
THREE = queue(3, share("a", 1), share("b", 1, BORROWS), share("c", 1))
SETTLED = Settled()


def submitted(name, priority=0, n=1):
    return Submitted(name, name[0], {"u": n}, priority, None)


def verdict(*seen, config=THREE, declared=PER_LENDER):
    """A trace judged; a dispatch is written job@lender."""
    steps, trace, lenders = [], [], []
    for what in seen:
        if isinstance(what, str):
            job, _, lender = what.partition("@")
            trace.append(ev.Dispatch(job))
            lenders.append(lender)
            continue
        trace.append(what)
        if isinstance(what, Submitted):
            steps.append(ev.Submit(what.job, what.share, what.size, what.priority))
        elif isinstance(what, Settled):
            steps.append(Settle(drains=False))
        elif isinstance(what, Preempted):
            steps.append(ev.Stopped(what.job))
        elif not isinstance(what, Preempting):
            steps.append(what)
    lenders = lenders if declared.capacity == "per-lender" else ()
    return judged(Scenario("", "", config, tuple(steps)), Report(trace, lenders), declared)


def codes(*seen, config=THREE, declared=PER_LENDER):
    tested = verdict(*seen, config=config, declared=declared)
    assert tested.status in (Status.PASSED, Status.FAILED), tested.why
    return tested.codes


LENT = (submitted("b1"), "b1@b", submitted("b2"), "b2@a")
"""b has its own machine and a's; c's is idle."""


def test_an_owner_takes_its_own_back_though_somebody_elses_machine_is_idle():
    taken = (*LENT, submitted("a1"), Preempting("b2", "a1"), SETTLED)
    assert codes(*taken) == ()
    assert "G6" in codes(*taken, declared=POOLED)


def test_an_owner_whose_machines_are_lent_may_not_be_left_waiting():
    assert codes(*LENT, submitted("a1"), SETTLED) == ("G14",)
    assert codes(*LENT, submitted("a1"), SETTLED, declared=POOLED) == ("G16",)


def test_an_owner_takes_nothing_back_while_its_own_machine_is_idle():
    two = queue(4, share("a", 2), share("b", 1, BORROWS), share("c", 1))
    assert codes(*LENT, submitted("a1"), Preempting("b2", "a1"), SETTLED, config=two) == ("G6", "G16")


def test_nobody_takes_back_a_third_shares_machine():
    seen = (submitted("b1"), "b1@b", submitted("b2"), "b2@c", submitted("b3"), "b3@a", submitted("a1"))
    assert codes(*seen, Preempting("b2", "a1"), Preempting("b3", "a1"), SETTLED) == ("G5x",)
    assert codes(*seen, Preempting("b3", "a1"), SETTLED) == ()


def test_a_stop_of_which_nobody_says_why_may_have_been_for_the_lender_only():
    seen = (submitted("b1"), "b1@b", submitted("b2"), "b2@c", submitted("b3"), "b3@a", submitted("a1"))
    assert codes(*seen, Preempting("b3"), SETTLED) == ()
    assert codes(*seen, Preempting("b2"), Preempting("b3"), SETTLED) == ("G5x",)


def test_a_borrower_leaves_an_owner_its_machine_and_may_have_another():
    waits = (submitted("b1"), "b1@b", submitted("a1"), submitted("b2"))
    assert codes(*waits, "b2@a", Preempting("b2", "a1"), SETTLED)[0] == "G8"
    assert codes(*waits, "b2@c", "a1@a", SETTLED) == ()


def test_a_borrower_is_not_left_waiting_while_a_lender_has_a_machine_idle():
    assert codes(submitted("b1"), "b1@b", submitted("b2"), SETTLED) == ("G16",)
    reserved = queue(2, share("a", 1, "RESERVE"), share("b", 1, BORROWS))
    assert codes(submitted("b1"), "b1@b", submitted("b2"), SETTLED, config=reserved) == ()


def test_a_job_of_two_machines_needs_two_of_one_lender():
    seen = (submitted("b1"), "b1@b", submitted("b2", n=2), SETTLED)
    assert codes(*seen) == ()
    assert codes(*seen, declared=POOLED) == ("G16",)
    two = queue(5, share("a", 2), share("b", 1, BORROWS), share("c", 2))
    assert codes(*seen, config=two) == ("G16",)


def test_the_machines_of_a_reserve_share_are_nobody_elses():
    reserved = queue(3, share("a", 1, "RESERVE"), share("b", 1, BORROWS), share("c", 1))
    assert codes(*LENT, SETTLED, config=reserved) == ("G2",)


def test_two_jobs_do_not_hold_one_machine():
    assert codes(*LENT, submitted("b3"), "b3@a", SETTLED) == ("G1",)


def test_a_share_that_may_not_borrow_has_no_machine_of_another():
    assert codes(submitted("a1"), "a1@c", SETTLED) == ("G4",)


def test_a_share_with_a_job_on_loan_still_owns_its_own_machines():
    """b1 runs on loan though b's own machine is idle: b's next job is an owner at home, whoever counts b's jobs."""
    assert codes(submitted("b1"), "b1@a", submitted("b2"), SETTLED) == ("G16",)
    assert codes(submitted("b1"), "b1@a", submitted("b2"), "b2@b", SETTLED) == ()


def test_caps_count_all_jobs_of_a_share_wherever_they_run():
    capped = queue(3, share("a", 1), share("b", 1, BORROWS, 0), share("c", 1))
    assert codes(submitted("b1"), "b1@a", submitted("b2"), "b2@b", SETTLED, config=capped) == ("G3",)
    assert codes(submitted("b1"), "b1@a", submitted("b2"), SETTLED, config=capped) == ()


IN_SHARE = queue(2, share("a", 1), share("b", 1, BORROWS, in_share=True))


def test_a_lower_priority_is_stopped_only_when_no_lender_has_room():
    first = (submitted("b1"), "b1@b", submitted("b2", 1))
    assert codes(*first, Preempting("b1", "b2"), SETTLED, config=IN_SHARE) == ("G6",)
    full = (*first, "b2@a", submitted("b3", 2))
    assert codes(*full, Preempting("b1", "b3"), SETTLED, config=IN_SHARE) == ()
    assert codes(*full, SETTLED, config=IN_SHARE) == ("G21",)


def test_a_lower_priority_on_loan_gives_its_place_too():
    full = (submitted("b1", 2), "b1@b", submitted("b2", 1), "b2@a", submitted("b3", 2))
    assert codes(*full, SETTLED, config=IN_SHARE) == ("G21",)
    stopped = (*full, Preempting("b2", "b3"), Preempted("b2", Stage.RUNNABLE, 1))
    assert codes(*stopped, "b3@a", SETTLED, config=IN_SHARE) == ()


def test_a_new_share_brings_machines_and_a_changed_one_has_its_new_number():
    made = (submitted("b1"), "b1@b", ev.CreateShare(share("d", 1)), submitted("b2"), "b2@d", SETTLED)
    more = replace(PER_LENDER, features=FEATURES | {"share-creation", "limit-changes", "sharing-changes"})
    config = queue(3, share("b", 1, BORROWS))
    assert codes(*made, config=config, declared=more) == ()
    assert codes(*made, Submitted("d1", "d", {"u": 1}, 0), SETTLED, config=config, declared=more) == ("G14",)
    larger = (ev.SetLimits("b", {"u": 2}), submitted("b3"))
    assert codes(*made, *larger, SETTLED, config=config, declared=more) == ("G16",)
    assert codes(*made, *larger, "b3@b", SETTLED, config=config, declared=more) == ()
    closed = (ev.SetSharing("d", Strategy.RESERVE), ev.Finish("b2"), submitted("b3"))
    assert codes(*made, *closed, SETTLED, config=config, declared=more) == ()
    assert codes(*made, *closed, "b3@d", SETTLED, config=config, declared=more) == ("G2",)


@pytest.mark.parametrize(("seen", "why"), [
    ((submitted("b1"), "b1@x", SETTLED), "no such share"),
    ((submitted("b1"), "b1", SETTLED), "no such share"),
    ((submitted("b1"), ev.Claim("b1", ()), SETTLED), "claims are not told"),
])  # fmt: skip
def test_a_lender_that_is_none_and_a_claim_are_errors_of_the_trace(seen, why):
    told = verdict(*seen)
    assert (told.status, told.failure) == (Status.ERRORED, "not-the-scenario")
    assert why in told.why


def test_each_dispatch_needs_its_lender():
    scenario = Scenario("", "", THREE, (ev.Submit("b1", "b", {"u": 1}, 0), Settle()))
    trace = (submitted("b1"), ev.Dispatch("b1"), SETTLED)
    told = judged(scenario, Report(trace), PER_LENDER)
    assert (told.status, told.why) == (Status.ERRORED, "it tells whose machines 0 jobs run on, and dispatches 1")
    unable = Unable("it stopped", seen=trace, lenders=("c",))
    assert judged(scenario, unable, PER_LENDER).status is Status.ERRORED


def scenarios(declared, many, seed=1):
    written = [s for s in corpus() if not lacking(s, declared.features)]
    return [*written, *(drawn(seed, number, declared) for number in range(many))]


def run(backend, scenario, declared):
    (answer,) = backend.run([scenario])
    return judged(scenario, answer, declared)


def passes(declared, many, seed=1):
    pooled = set()
    for scenario in scenarios(declared, many, seed):
        tested = run(LEGAL, scenario, declared)
        assert (tested.status, tested.broken) == (Status.PASSED, ()), scenario
        pooled |= {*run(LEGAL, scenario, POOLED).codes}
    return pooled


def test_a_legal_scheduler_passes_the_corpus_and_is_not_what_a_pooled_one_is():
    assert passes(UNITS, 60) >= {"G6", "G16"}


@pytest.mark.campaign
@pytest.mark.parametrize("declared", [UNITS, PER_LENDER], ids=["one machine", "gangs"])
def test_a_legal_scheduler_passes_a_campaign(declared):
    assert passes(declared, 3_000, seed=7) >= {"G6", "G8", "G16"}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_scheduler_is_found_and_shrinks_to_a_few_jobs(name):
    code, backend = name.split()[0], InProcess.of(WRONG[name])
    found = (s for s in scenarios(UNITS, 150) if code in run(backend, s, UNITS).codes)
    scenario = next(found, None)
    assert scenario is not None
    small = shrunk(scenario, code, lambda s: run(backend, s, UNITS))
    assert sum(isinstance(step, ev.Submit) for step in small.scenario.steps) <= 6


def test_the_corpus_tells_a_share_that_takes_back_a_type_that_its_head_does_not_lack():
    scenario = find("a-loan-of-another-type-is-left").scenario
    assert run(LEGAL, scenario, UNITS).status is Status.PASSED
    (fault,) = run(InProcess.of(WRONG["G6 of another type"]), scenario, UNITS).broken
    assert (fault.code, fault.violation.event) == ("G6", "stop of other")


@pytest.mark.parametrize(("declared", "why"), [
    (replace(PER_LENDER, claims=True), "claims are told"),
    (replace(PER_LENDER, features=None), "overcommitment"),
    (replace(PER_LENDER, features=FEATURES | {"overcommitment"}), "overcommitment"),
])  # fmt: skip
def test_what_cannot_be_judged_per_lender_is_refused(declared, why):
    with pytest.raises(InputError) as caught:
        LEND_BORROW.check(declared, where="x")
    assert why in caught.value.what
    assert caught.value.fix
    LEND_BORROW.check(PER_LENDER, where="x")


def test_pooled_schedulers_may_tell_lenders_and_nothing_depends_on_it():
    scenario = Scenario("", "", THREE, (ev.Submit("b1", "b", {"u": 1}, 0), Settle()))
    trace = (submitted("b1"), ev.Dispatch("b1"), SETTLED)
    assert judged(scenario, Report(trace, ("x", "y")), Declaration("pooled")).status is Status.PASSED
