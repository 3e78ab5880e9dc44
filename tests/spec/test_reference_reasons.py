"""The reasons that the reference names for a job that can never run."""

from __future__ import annotations

from pathlib import Path

import pytest
from quotaproof.reference import impossible
from quotaproof.reference.apply import apply
from quotaproof.reference.impossible import reason
from quotaproof.reference.policy import Policy
from quotaproof.spec import events as ev
from quotaproof.spec.model import QueueConfig, Stage, Strategy

from ..support.queues import queue, share
from ..support.reference import job, settled, told

REFERENCE = Path(__file__).resolve().parents[2] / "reference"
MODULES = sorted(REFERENCE.glob("*.py"))
ALLOWED = {"quotaproof.spec.model", "quotaproof.spec.readings", "quotaproof.spec.events"}
LONGEST_FIT = 100
BORROWS = "LEND_AND_BORROW"


REASONS = {
    "fits the limit": (queue(9, share("a", 3)), 3, ""),
    "above the limit of LEND": (queue(9, share("a", 3)), 4, impossible.OWN),
    "above the limit of RESERVE": (queue(9, share("a", 3, "RESERVE")), 4, impossible.OWN),
    "fits limit and borrow limit": (queue(9, share("a", 2, BORROWS, 100), share("l", 7)), 4, ""),
    "above limit and borrow limit": (queue(9, share("a", 2, BORROWS, 100), share("l", 7)), 5, impossible.BORROW),
    "borrow limit 0": (queue(9, share("a", 2, BORROWS, 0), share("l", 7)), 3, impossible.BORROW),
    "borrow limit 50 % of 3": (queue(9, share("a", 3, BORROWS, 50), share("l", 6)), 5, impossible.BORROW),
    "fits all that is lent": (queue(9, share("a", 2, BORROWS), share("l", 3)), 5, ""),
    "above all that is lent": (queue(9, share("a", 2, BORROWS), share("l", 3)), 6, impossible.POOL),
    "nobody lends": (queue(9, share("a", 2, BORROWS), share("r", 7, "RESERVE")), 3, impossible.POOL),
    "above everything": (queue(9, share("a", 2, BORROWS), share("l", 7)), 10, impossible.ENVIRONMENT),
}


@pytest.mark.parametrize(("config", "n", "expected"), REASONS.values(), ids=REASONS.keys())
def test_the_reason_of_a_job_that_can_never_run(config: QueueConfig, n: int, expected: str) -> None:
    made = told(config, job("a-job", n=n))
    assert reason(made, Policy.of(made.readings), made.jobs["a-job"]) == expected
    settled(made)
    assert made.jobs["a-job"].reason == expected
    assert made.jobs["a-job"].stage is (Stage.RUNNABLE if expected else Stage.SCHEDULED)


@pytest.mark.parametrize(
    ("config", "n", "share_reason"),
    [
        (queue(3, share("a", 2)), 4, impossible.OWN),
        (queue(3, share("a", 1, BORROWS, 100), share("l", 2)), 4, impossible.BORROW),
        (queue(3, share("a", 1, BORROWS), share("l", 2)), 4, impossible.POOL),
    ],
)
def test_when_two_reasons_match_a_reading_says_which_comes_first(
    config: QueueConfig, n: int, share_reason: str
) -> None:
    for choice, expected in (("environment", impossible.ENVIRONMENT), ("share", share_reason)):
        made = told(config, job("a-job", n=n), A51=choice)
        assert reason(made, Policy.of(made.readings), made.jobs["a-job"]) == expected


def test_one_reason_is_given_whichever_reading_is_first() -> None:
    for choice in ("environment", "share"):
        made = told(queue(9, share("a", 2)), job("a-job", n=3), A51=choice)
        assert reason(made, Policy.of(made.readings), made.jobs["a-job"]) == impossible.OWN
        made = told(queue(1, share("a", 2)), job("a-job", n=2), A51=choice)
        assert reason(made, Policy.of(made.readings), made.jobs["a-job"]) == impossible.ENVIRONMENT


def test_unallotted_machines_count_as_borrowable_only_when_they_are_read_so() -> None:
    for choice, expected in (("owners", impossible.POOL), ("void", impossible.POOL), ("borrowable", "")):
        made = told(queue(4, share("a", 1, BORROWS), share("l", 1)), job("a-job", n=4), A5=choice)
        assert reason(made, Policy.of(made.readings), made.jobs["a-job"]) == expected


def test_a_reason_goes_when_the_administrator_makes_the_job_possible() -> None:
    made = told(queue(4, share("a", 2)), job("a-job", n=3))
    settled(made)
    assert made.jobs["a-job"].reason == impossible.OWN
    apply(made, ev.SetLimits("a", {"u": 3}))
    assert made.jobs["a-job"].reason == ""
    settled(made)
    assert made.jobs["a-job"].stage is Stage.SCHEDULED


def test_a_reason_is_named_once() -> None:
    made = told(queue(4, share("a", 2)), job("a-job", n=3))
    assert settled(made) == [ev.Misconfigured("a-job", impossible.OWN)]
    assert settled(made) == []


def test_a_strategy_that_may_not_borrow_any_more_changes_the_reason() -> None:
    made = told(queue(9, share("a", 2, BORROWS, 50), share("l", 7)), job("a-job", n=5))
    settled(made)
    assert made.jobs["a-job"].reason == impossible.BORROW
    apply(made, ev.SetSharing("a", Strategy.LEND))
    settled(made)
    assert made.jobs["a-job"].reason == impossible.OWN
