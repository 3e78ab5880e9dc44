"""What Slurm is told of a queue in the mappings with accounting. No Slurm is needed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.conform.backend import Declaration
from quotaproof.checker.conform.drawing import drawn
from quotaproof.checker.conform.real.cluster import CannotExpress
from quotaproof.checker.conform.slurm.backend import MAPPINGS
from quotaproof.checker.conform.slurm.daemons import reclaimed
from quotaproof.checker.conform.slurm.faulty import AccountPool, BothLimits, InOrder, Label, QosCap
from quotaproof.checker.conform.slurm.layout import SlurmJob
from quotaproof.checker.conform.slurm.nodes import Nodes
from quotaproof.checker.conform.slurm.pool import Pool
from quotaproof.checker.conform.slurm.spill import Spill
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario

from tests.support.queues import queue, share

G = "ml.g5.xlarge"
QUEUE = queue(
    {G: 6},
    share("a", {G: 2}, in_share=True),
    share("b", {G: 2}, "LEND_AND_BORROW", borrow=50),
    share("r", {G: 2}, "RESERVE"),
)


def layout(kind, *steps):
    return kind("x", Scenario(name="x", about="", config=QUEUE, steps=tuple(steps)), (G,))


def submit(name, of, n=1, priority=None):
    return ev.Submit(name, of, {G: n}, priority=priority)


def sent(pool, jobs, step, *, runs=True):
    """The job as Slurm has it after it was sent, and started where it was sent."""
    to, _ = pool.route(step, jobs)
    jobs.append(SlurmJob("x", len(jobs) + 1, step, to, partition=to[0] if runs else ""))
    return to[0]


def test_the_pool_counts_the_limit_of_each_share_as_a_resource_of_the_node_and_keeps_reserved_machines_apart():
    assert dict(layout(Pool).nodes()) == {"xpool": "u0:4,o0u0:2,o1u0:2,t1u0:3", "xn2": "u0:2"}


def test_an_own_job_takes_of_the_limit_and_a_loan_only_of_what_the_share_may_use_at_all():
    pool, jobs = layout(Pool), []
    _, own = pool.route(submit("b1", "b", 2), jobs)
    assert "--gres=u0:2,o1u0:2,t1u0:2" in own
    sent(pool, jobs, submit("b1", "b", 2))
    to, loan = pool.route(submit("b2", "b"), jobs)
    assert (to, loan) == (("xb1",), ["--account=xa1", "--qos=xb1", "--gres=u0:1,t1u0:1"])


def test_own_jobs_preempt_the_loans_of_others_and_only_with_in_share_preemption_their_own_kind():
    assert list(layout(Pool).qos()) == [
        "add qos xb1 PreemptMode=requeue",
        "add qos xo0 PreemptMode=requeue,within Preempt=xb1",
        "add qos xo1 PreemptMode=requeue",
        "add qos xo2 PreemptMode=requeue",
    ]
    assert "add qos xo1 PreemptMode=requeue Preempt=xb1" in list(layout(Label).qos())


def test_a_job_that_waits_on_loan_is_own_when_an_own_job_has_ended():
    pool, jobs = layout(Pool), []
    assert sent(pool, jobs, submit("b1", "b", 2)) == "xo1"
    assert sent(pool, jobs, submit("b2", "b"), runs=False) == "xb1"
    assert not list(pool.moves(jobs))
    jobs[0].live = False
    ((moved, to, more),) = pool.moves(jobs)
    assert (moved.submit.job, to, more) == ("b2", ("xo1",), pool.route(submit("b3", "b"), jobs[2:])[1])


def test_a_job_that_its_share_can_never_run_is_not_asked_for():
    with pytest.raises(CannotExpress, match="larger than what its share may ever have"):
        layout(Pool, submit("a1", "a", 3)).check()
    assert layout(Pool, submit("b1", "b", 3)).check()


@pytest.mark.parametrize("kind", MAPPINGS.values())
def test_a_job_that_could_start_only_in_part_on_loan_is_told_to_no_mapping_that_never_starts_it(kind):
    """Borrowing one machine beyond two of its own, a share could have three; only a pool that counts both takes it whole."""
    made = layout(kind, submit("b1", "b", 3))
    if kind in (Pool, AccountPool, Label):
        assert made.check()
        return
    with pytest.raises(CannotExpress, match=r"b1 (needs machines of several shares|is larger than what its share)"):
        made.check()


@pytest.mark.parametrize("kind", MAPPINGS.values())
def test_it_is_said_of_every_mapping_that_a_job_is_wholly_own_or_wholly_on_loan(kind):
    assert "a job is wholly own or wholly on loan" in lost(kind).values()


def test_few_scenarios_that_are_drawn_for_slurm_have_a_job_that_needs_several_shares():
    declared = Declaration("slurm", features=Nodes.features, choices=Nodes.choices, lanes=16, capacity=Nodes.capacity)

    def needing(bounds):
        scenarios = (drawn(11, n, replace(declared, bounds=bounds)) for n in range(60))
        return sum("several shares" in why(Nodes("l", s, s.config.units)) for s in scenarios)

    assert needing(Nodes.bounds) <= 2 < needing(replace(Nodes.bounds, whole=False))


def why(made):
    try:
        made.check()
    except CannotExpress as error:
        return str(error)
    return ""


def test_the_faulty_mappings_write_limits_where_slurm_makes_no_room_for_anybody():
    assert "add qos xo0 PreemptMode=requeue,within GrpTRES=gres/u0=2 Preempt=xb1" in list(layout(QosCap).qos())
    assert dict(layout(QosCap).nodes())["xpool"] == "u0:4"
    accounts = list(layout(AccountPool).accounts())
    assert accounts[0] == "add account xlend GrpTRES=gres/u0=4"
    assert [line for line in accounts if "parent" in line] == [
        "add account xa0 parent=xlend",
        "add account xa1 parent=xlend",
    ]
    assert not any("GrpTRES" in line for line in layout(AccountPool).qos())
    assert "add qos xb1 PreemptMode=requeue GrpTRES=gres/u0=1" in list(layout(BothLimits).qos())


def test_where_slurm_decides_each_job_is_sent_once_to_both_partitions_and_the_loans_have_the_borrow_limit():
    spill = layout(Spill)
    assert spill.route(submit("b1", "b"), []) == (("xo1p0", "xb1"), [])
    assert spill.route(submit("a1", "a"), []) == (("xo0p0",), [])
    assert list(spill.qos()) == ["add qos xb1 GrpTRES=gres/u0=1"]
    assert list(spill.limited()) == [("xb1", "xb1")]


def test_where_a_lower_priority_is_to_wait_every_job_has_a_time_limit():
    assert all("MaxTime=60 " in line for line in layout(InOrder).partitions())
    assert all("MaxTime=INFINITE " in line for line in layout(Nodes).partitions())


@pytest.mark.parametrize(
    ("version", "knows"),
    [("22.05.8", False), ("23.02.0", True), ("23.02.0-0rc1", True), ("24.11.5", True), ("x", False)],
)
def test_a_slurm_that_can_preempt_for_licences_is_told_to(version, knows):
    assert reclaimed(version) == ({"PreemptParameters": "reclaim_licenses"} if knows else {})


@pytest.mark.parametrize("kind", MAPPINGS.values())
def test_no_mapping_chooses_that_a_lower_priority_of_a_share_goes_first(kind):
    assert "A18" not in kind.choices


def lost(kind):
    return {loss.what: loss.instead for loss in layout(kind).check()}


def test_what_is_lost_is_told_as_it_is():
    assert lost(Spill)["who is on loan"].startswith("Slurm decides")
    assert "own node only" in lost(Nodes)["who is on loan"]
    assert lost(AccountPool)["the borrow limit of b"] == "there is none"
    assert "the limit of each share" in lost(AccountPool)
    for kind in (Pool, QosCap, BothLimits, Label):
        assert not {"the borrow limit of b", "the limit of each share"} & set(lost(kind)), kind


def test_a_share_that_borrows_without_maximum_and_loses_a_type_cannot_be_told_that_it_borrows_nothing_of_it_now():
    config = queue({G: 4, "u": 4}, share("a", {G: 2, "u": 2}), share("b", {G: 2, "u": 2}, "LEND_AND_BORROW"))
    drops = ev.SetLimits("b", {G: 2})
    with pytest.raises(CannotExpress, match="the limits of b change, and with them its borrow limit"):
        Nodes("x", Scenario(name="x", about="", config=config, steps=(drops,)), (G, "u")).check()
    lowers = ev.SetLimits("b", {G: 1, "u": 1})
    assert Nodes("x", Scenario(name="x", about="", config=config, steps=(lowers,)), (G, "u")).check()
