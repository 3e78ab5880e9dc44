"""Columns beside each other: the same jobs in all, what lending is worth, and who paid more than it got."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.rollout.simulate.compare import Asked, simulate
from quotaproof.checker.rollout.simulate.fits import scaled, warnings
from quotaproof.checker.rollout.simulate.worth import enlarged
from quotaproof.checker.simulated import Column
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.workload import Workload

from ...support.queues import queue, share
from ...support.simulations import RECLAIMED, TWO, compared, measured, ms, work
from ...support.weeks import busy_week

FOUR = queue(4, share("a", 2, "LEND_AND_BORROW"), share("b", 2, "LEND"))
BURST = tuple(work(0, 1000, f"a-{n}") for n in range(4))
"""In FOUR all run at once where a borrows, two by two where it does not."""


def test_every_column_runs_the_same_jobs_and_the_others_are_listed_with_the_reason():
    large, huge = work(0, 100, "a-large", n=3), work(0, 100, "a-huge", n=5)
    found = compared(FOUR, (*BURST, large, huge), "lend-borrow", "static", "pool")
    assert {c.column: found.run(c.column).jobs for c in found.columns} == {"lend-borrow": 4, "static": 4, "pool": 4}
    assert (found.simulating.jobs, found.simulating.compared) == (6, 4)
    left = {(e.column, e.examples): e.why for e in found.left_out}
    assert {column for column, _ in left} == {"lend-borrow", "static", "pool"}
    assert left["lend-borrow", ("a-huge",)].startswith("MISCONFIGURATION")
    assert {e.examples: e.why.split(":")[1][:12] for e in found.left_out if e.column == "static"} == {
        ("a-large",): "QUOTA_MANAGE",
        ("a-huge",): "SERVICE_ENVI",
    }


def test_no_order_of_policies_is_assumed_a_column_may_be_any_queue():
    smaller = queue(2, share("a", 1, "LEND"), share("b", 1, "LEND"))
    found = compared(FOUR, BURST, "lend-borrow", queues={"now": FOUR, "less": smaller})
    assert [c.column for c in found.columns] == ["now", "less"]
    assert [found.run(name).waits.mean for name in ("now", "less")] == [0.0, 1.5]
    both = compared(FOUR, BURST, "static", "pool", queues={"now": FOUR, "less": smaller})
    assert [c.column for c in both.columns] == ["now static", "now pool", "less static", "less pool"]


def test_what_lending_is_worth_is_confirmed_by_the_two_runs_around_it():
    found = compared(FOUR, BURST, "lend-borrow", "static")
    (worth,) = found.worth
    # Static halves what no limit covers: with 3 more a has 4 (2 + 1.5 rounded up), with 2 more it has 3.
    assert (worth.wait, worth.machines, worth.reached, worth.before) == (0.0, 3, 0.0, 0.25)
    for more, waits in ((3, 0.0), (2, 0.25)):
        assert measured(*BURST, config=enlarged(FOUR, more), policy="static", window=(0, 1)).all.waits.mean == waits


def test_lending_is_worth_nothing_where_the_split_waits_no_longer():
    (worth,) = compared(FOUR, BURST[:2], "lend-borrow", "static").worth
    assert (worth.machines, worth.runs, worth.reached) == (0, 0, 0.0)


def test_a_wait_that_more_machines_do_not_shorten_is_told_as_not_reached():
    # Without lending b-2 waits for b-1 as long as b has one machine, and b gets none of what is added: it has no limit.
    config = queue({"u": 2, "v": 1}, share("a", {"u": 2}), share("b", {"v": 1}, "LEND_AND_BORROW"))
    jobs = work(0, 1000, "a-1"), work(0, 1000, "a-2"), work(0, 1000, "a-3")
    (worth,) = compared(config, jobs, "lend-borrow", "static").worth
    assert worth.machines == 0
    from quotaproof.checker.rollout.simulate.worth import worth as asked

    lends = measured(*jobs[:2], config=config, window=(0, 1))
    alone = measured(*jobs, config=config, policy="static", window=(0, 1))
    told = asked("lend-borrow", "static", lends, alone, config, lambda _: 1.0)
    assert told is not None
    assert (told.machines, told.tried, told.reached) == (None, 9, 1.0)
    assert told.runs < 10


def test_a_share_is_named_for_which_borrowing_cost_more_than_it_gave():
    # a-2 borrows at 0 for 350 of its 1000, starts anew at 600, and ends at 1600; alone it runs from 5000 on.
    assert compared(TWO, RECLAIMED, "lend-borrow", "static").dearer != ()
    found = {d.share: d for d in compared(TWO, RECLAIMED, "lend-borrow", "static").dearer}
    assert set(found) == {"b"}  # it got its own back 100 later
    assert (found["b"].later, ms(found["b"].spent), ms(found["b"].gained)) == (0.1, 0, -100)


def test_a_share_that_loses_more_work_than_it_gains_is_named_though_no_job_ends_later():
    # a-2 loses 999 and its drain of 1 and then waits for b-1: it ends when it would have, alone.
    jobs = work(0, 2001, "a-1"), work(0, 1001, "a-2"), work(999, 1001, "b-1")
    found = {d.share: d for d in compared(TWO, jobs, "lend-borrow", "static", drain=1).dearer}
    assert found["a"].later is None
    assert (ms(found["a"].spent), ms(found["a"].gained)) == (1000, 0)


def test_the_same_seed_gives_the_same_events():
    week = busy_week(30)
    asked = Asked(week, "week", {"q": week.config}, ("lend-borrow", "static", "static-best", "pool-backfill"))
    found = list(simulate(asked))
    assert list(simulate(asked)) == found
    assert sum(isinstance(e, Column) for e in found) == 4


def test_no_job_that_all_can_run_is_an_error_with_the_reasons():
    with pytest.raises(
        InputError, match=r"no job that every column can run(.|\n)*exceed quota share capacity limits\.\n"
    ):
        compared(FOUR, [work(0, 10, "a-1", n=3)], "lend-borrow", "static")
    with pytest.raises(InputError, match=r"There is none at all"):
        compared(FOUR, [], "pool")


def test_a_time_in_which_no_job_arrives_is_an_error():
    with pytest.raises(InputError, match=r"--since, --until: no job arrives(.|\n)*from 0 s to 0 s"):
        compared(TWO, RECLAIMED, "pool", since=1000)


def test_a_part_of_the_machines_keeps_the_proportions_of_limits_and_at_least_one_each():
    config = queue(10, share("a", 6), share("b", 3), share("c", 1))
    half, note = scaled(config, 50)
    assert (half.environment.capacity, [s.limits["u"] for s in half.shares]) == ({"u": 5}, [2, 2, 1])
    assert note.startswith("50 % of the machines (5 of 10 u)")
    less, _ = scaled(config, 10)
    assert (less.environment.capacity, [s.limits["u"] for s in less.shares]) == ({"u": 1}, [1, 1, 1])
    assert QueueConfig.model_validate(less.model_dump()) == less
    assert scaled(config, 100)[0] == config


@pytest.mark.parametrize(
    ("jobs", "said"),
    [
        ([work(k * 10, 100, f"a-{k}", n=4) for k in range(20)], ["the jobs ask for 10.5 times the u time"]),
        (
            [work(0, 1000, f"a-{k}") for k in range(20)],
            ["the jobs ask for 5.0 times the u time that there is in the time of"],
        ),
        ([work(0, 1000, "a-1"), work(1000, 9000, "a-2", n=2)], []),
        ([work(0, 10, "a-1"), work(1000, 10, "a-2")], ["the jobs ask for 0.5 % of the u time"]),
        (
            [work(0, 10, "a-1", n=9), work(100, 10, "a-2", n=3)],
            ["jobs that ask for more u than the environment has (4): 1"],
        ),
        ([work(0, 1000, "a-1"), work(1000, 1000, "a-2")], []),
    ],
)
def test_a_workload_and_a_queue_that_do_not_belong_together_are_warned_of(jobs, said):
    got = list(warnings(FOUR, Workload(FOUR, tuple(jobs))))
    assert len(got) == len(said)
    for warning, beginning in zip(got, said, strict=True):
        assert warning.startswith(beginning)


def test_jobs_of_shares_that_a_queue_lacks_are_left_out():
    jobs = [*BURST, replace(work(0, 10, "a-9"), submit=work(0, 10, "c-1").submit)]
    found = compared(FOUR, jobs, "lend-borrow", "pool")
    assert [(e.column, e.share, e.why) for e in found.left_out] == [("lend-borrow", "c", "there is no share c")]


def test_costs_and_gains_of_lending_are_those_of_the_same_jobs():
    # Only a-2 is stopped; b-1 comes in the time that counts, a-2 before.
    found = {d.share: d for d in compared(TWO, RECLAIMED, "lend-borrow", "static", since=300).dearer}
    assert set(found) == {"b"}
    late = *RECLAIMED, work(5000, 100, "a-3")
    assert "a" not in {d.share for d in compared(TWO, late, "lend-borrow", "static", since=300).dearer}


def test_a_share_that_is_called_as_the_pool_is_keeps_its_limit():
    config = queue(4, share("pool", 1, "LEND_AND_BORROW"))
    found = compared(config, [work(0, 1000, "pool-1", n=3)], "pool")
    assert (found.columns[0].limits, found.run("pool").on_loan) == ({}, 1)


def test_how_much_of_the_work_is_left_out_is_told_and_who_only_lent():
    found = compared(FOUR, (*BURST, work(0, 2000, "a-huge", n=5)), "lend-borrow")
    assert (ms(found.simulating.hours), ms(found.simulating.hours_compared)) == (14_000, 4_000)
    (dear,) = compared(TWO, RECLAIMED, "lend-borrow", "static").dearer
    assert (dear.share, dear.borrowed) == ("b", 0)
