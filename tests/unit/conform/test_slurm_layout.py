"""How a queue is told to Slurm where each share has a node: what stands in slurm.conf, where a job is sent, what changes."""

from typing import Any

import pytest
from quotaproof.checker.conform.real.cluster import CannotExpress
from quotaproof.checker.conform.slurm.layout import SlurmJob, loosens
from quotaproof.checker.conform.slurm.nodes import Nodes
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Step
from quotaproof.spec.model import State, Strategy

from tests.support.queues import queue, share

BORROWER = share("b", 2, "LEND_AND_BORROW", 50, in_share=True)


def layout(*steps: Step, capacity: int = 6, shares: Any = None) -> Nodes:
    given = shares or (share("a", 2, "LEND"), BORROWER, share("r", 2, "RESERVE"))
    return Nodes("l7", Scenario("s", "", queue({"u": capacity}, *given), steps), ("other", "u"))


def submit(name: str, to: str = "b", n: int = 1, priority: int = 0) -> ev.Submit:
    return ev.Submit(name, to, {"u": n}, priority, None)


def sent(made: Nodes, *steps: ev.Submit) -> list[SlurmJob]:
    """Jobs that wait, each sent where it belongs when it comes."""
    jobs: list[SlurmJob] = []
    for number, step in enumerate(steps, 1):
        jobs.append(SlurmJob("l7", number, step, made.route(step, jobs)[0]))
    return jobs


def test_a_share_is_a_node_and_only_what_lends_is_in_the_partition_of_loans() -> None:
    made = layout(submit("x", priority=4))
    assert list(made.nodes()) == [("l7n0", "u1:2"), ("l7n1", "u1:2"), ("l7n2", "u1:2")]
    assert list(made.licences()) == [("l7c1u1", 3)]
    loans = [text for text in made.partitions() if "PartitionName=l7b" in text]
    assert [text.split(" MaxTime")[0] for text in loans] == [
        "PartitionName=l7b1 Nodes=l7n0 PriorityTier=1 PreemptMode=REQUEUE"
    ]


def test_a_higher_priority_is_a_higher_tier_and_stops_the_lower_where_the_share_says_so() -> None:
    told = [text.split()[:4] for text in layout(submit("x", priority=4)).partitions() if "o" in text.split()[0][15:]]
    assert told == [
        [f"PartitionName=l7o{i}p{rank}", f"Nodes=l7n{i},ghost", f"PriorityTier={10 + rank}", f"PreemptMode={mode}"]
        for i, mode in enumerate(("OFF", "REQUEUE", "OFF")) for rank in range(2)
    ]  # fmt: skip


def test_a_job_within_the_limit_stays_at_home_and_any_other_may_be_a_loan() -> None:
    jobs = sent(layout(), *(submit(name) for name in "xyz"))
    assert [job.partitions for job in jobs] == [("l7o1p0",), ("l7o1p0",), ("l7o1p0", "l7b1")]
    assert layout().route(submit("x", n=2), [])[1] == ["--licenses=l7c1u1:2"]
    assert layout().route(submit("x", to="a", n=9), []) == (("l7o0p0",), [])


def test_a_job_that_a_higher_one_has_gone_before_may_be_a_loan_then() -> None:
    made = layout(submit("low"), submit("high", priority=1))
    jobs = sent(made, submit("low", n=2), submit("high", n=1, priority=1))
    assert [job.partitions for job in jobs] == [("l7o1p0",), ("l7o1p1",)]
    assert list(made.moves(jobs)) == [(jobs[0], ("l7o1p0", "l7b1"), [])]
    jobs[0].partition, jobs[0].node = "l7o1p0", "l7n1"
    assert list(made.moves(jobs)) == [(jobs[1], ("l7o1p1", "l7b1"), [])]


def test_whose_machines_a_job_runs_on_is_told_by_its_node() -> None:
    assert [layout().lender(f"l7n{i}", "l7b1", "b") for i in range(3)] == ["a", "b", "r"]


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        ((), "UP"),
        ((ev.SetEnvironmentState(State.DISABLED),), "DOWN"),
        ((ev.SetShareState("a", State.DISABLED),), "DRAIN"),
        ((ev.SetQueueState(State.DISABLED),), "DRAIN"),
        ((ev.SetQueueState(State.DISABLED), ev.SetEnvironmentState(State.DISABLED)), "INACTIVE"),
        ((ev.SetShareState("a", State.DISABLED), ev.SetShareState("a", State.ENABLED)), "UP"),
    ],
)
def test_whether_jobs_are_taken_and_started_is_the_state_of_a_partition(steps: tuple[Any, ...], state: str) -> None:
    made = layout()
    for step in steps:
        told = made.change(step)
        assert "update partitionname=l7o0p0 state=" in told
    assert f" State={state} " in next(iter(made.partitions()))


def test_limits_and_in_share_preemption_change_while_it_runs() -> None:
    made = layout()
    assert made.change(ev.SetLimits("a", {"u": 3})) == "update nodename=l7n0 gres=u0:0,u1:3\n"
    assert made.change(ev.SetInShare("b", False)) == "update partitionname=l7o1p0 preemptmode=OFF\n"
    assert [loosens(ev.SetInShare("b", on)) for on in (True, False)] == [True, False]
    with pytest.raises(CannotExpress, match="cannot be told"):
        made.change(ev.SetSharing("a", Strategy.RESERVE))


def test_machines_that_are_in_use_cannot_be_taken_away() -> None:
    made = layout()
    (job,) = sent(made, submit("x", to="a", n=2))
    assert made.refusal(ev.SetLimits("a", {"u": 1}), [job]) == ""
    job.partition, job.node = "l7o0p0", "l7n0"
    assert made.refusal(ev.SetLimits("a", {"u": 1}), [job]) == "machines of a are taken away that are in use (u)"
    assert made.refusal(ev.SetLimits("a", {"u": 2}), [job]) == ""


def test_a_job_that_one_lender_can_hold_is_told_and_one_that_nobody_could_ever_start_waits() -> None:
    shares = (share("a", 3, "LEND"), BORROWER, share("r", 1, "RESERVE"))
    assert layout(submit("x", n=3), shares=shares).check()
    assert layout(submit("x", to="a", n=9)).check()


def test_limits_do_not_change_so_that_a_job_would_need_machines_of_several_shares() -> None:
    shares = (share("a", 3, "LEND"), share("b", 2, "LEND_AND_BORROW"))
    made = layout(shares=shares, capacity=5)
    (job,) = sent(made, submit("x", n=3))
    assert made.refusal(ev.SetLimits("a", {"u": 2}), [job]).startswith("x then needs machines of several shares")
    job.live = False
    assert made.refusal(ev.SetLimits("a", {"u": 2}), [job]) == ""


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (layout(capacity=5), "6 u are given to shares and 5 exist"),
        (layout(ev.SetLimits("a", {"u": 3})), "7 u are given to shares and 6 exist"),
        (layout(ev.SetLimits("b", {"u": 1})), "the limits of b change"),
        (layout(submit("x", n=4)), "x is larger than what its share may ever use"),
        (layout(submit("x", n=3)), "x needs machines of several shares together"),
    ],
)
def test_what_slurm_cannot_be_told_is_said_before_anything_is_run(made: Nodes, why: str) -> None:
    with pytest.raises(CannotExpress, match=why):
        made.check()


def test_what_is_given_to_no_share_is_a_loss() -> None:
    assert [loss.what for loss in layout(capacity=8).check()][4:] == ["2 u beyond what shares are given"]
    assert len(layout().check()) == 4


def test_names_of_one_lane_are_not_those_of_another() -> None:
    assert [layout().names(name) for name in ("l7n0", "l7o1p0", "l71n0", "l7", "ghost")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_share_with_a_borrow_limit_of_0_has_its_own_node_and_no_licence() -> None:
    made = layout(shares=(share("a", 2, "LEND"), share("b", 2, "LEND_AND_BORROW", 0, in_share=True)))
    assert list(made.licences()) == []
    assert [text for text in made.partitions() if "PartitionName=l7b" in text] == []
    assert [job.partitions for job in sent(made, submit("x", n=2), submit("y", priority=0))] == [
        ("l7o1p0",),
        ("l7o1p0",),
    ]
