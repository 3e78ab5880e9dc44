"""The search of small closed queues for preemption that goes round."""

from __future__ import annotations

from quotaproof.checker.explore.closed import JOBS, search
from quotaproof.checker.prove.theorems import prove
from quotaproof.checker.prove.verify import verdicts
from quotaproof.checker.results import Verdict
from quotaproof.checker.witness.play import play
from quotaproof.spec.events import Claim
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share, walkthrough


def three():
    """Three shares of one machine that all borrow without maximum."""
    return queue(3, *[share(name, 1, "LEND_AND_BORROW") for name in "ABC"])


def test_the_walkthrough_has_no_circle_in_any_set_of_jobs():
    # QS1: sizes 1 and 2, priorities 0 and 1; QS2 and QS3: one kind each. Sets of 3 of 6 kinds, less those of size 1.
    found = search(walkthrough(), Readings(), "u", {"QS1": 2, "QS2": 1, "QS3": 1})
    assert found is not None
    assert (found.tried, found.circle) == (56 - 20, None)


def test_the_exchange_of_part_own_jobs_is_found_and_plays():
    found = search(three(), Readings.of(A24="b"), "u", dict.fromkeys("ABC", 3))
    assert found is not None
    assert found.circle is not None
    assert play(found.circle).shows
    assert sum(isinstance(step, Claim) for step in found.circle.steps) >= 2


def test_without_the_exchange_there_is_no_circle():
    found = search(three(), Readings(), "u", dict.fromkeys("ABC", 3))
    assert found is not None
    assert found.circle is None
    assert found.tried == 165 - 10, f"sets of {JOBS} of 9 kinds, less those of single machines"


def test_a_queue_with_many_kinds_of_jobs_is_not_small():
    assert search(three(), Readings(), "u", dict.fromkeys("ABC", 5)) is None


def test_what_was_tried_is_said_and_stays_unknown():
    (g18,) = [r for r in verdicts(walkthrough(), Readings(), prove()).results if r.code == "G18"]
    assert (g18.verdict, g18.open) == (Verdict.UNKNOWN, True)
    assert g18.because.endswith("no circle in this queue with any of 36 sets of 3 jobs")
