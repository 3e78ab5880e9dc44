"""What HTCondor's logs say, and what is made of it: decisions in the negotiator's order, and only those that came true."""

from __future__ import annotations

from quotaproof.checker.conform.htcondor.records import Events, Machines, Negotiator, Record
from quotaproof.checker.conform.htcondor.story import Happened, Story

DAY = 1_796_014_800.0
"""05:00:00 on the day of these logs."""


def said(reader: object, *lines: str) -> list[Record]:
    return [record for line in lines for record in reader(line)]  # type: ignore[operator]


def told(*records: Record, now: float = 100.0) -> list[Happened]:
    story = Story()
    story.add(list(records))
    return list(story.happened(now))


def test_the_negotiator_names_job_slot_and_whether_somebody_must_stop():
    found = said(
        Negotiator(),
        "11/30/26 05:00:01.000     Request 00003.00000: autocluster 1 (request count 1 of 1)",
        "11/30/26 05:00:01.001       Successfully matched with slot2@127-0-0-1.local",
        "11/30/26 05:00:01.002     Request 00004.00000: autocluster 2 (request count 1 of 1)",
        "11/30/26 05:00:01.003       Preempting u0_s1.q@local (user prio=500.00) on slot8@h for u0_s0.q@local (user prio=5)",
        "11/30/26 05:00:01.004       Successfully matched with slot8@h",
        "11/30/26 05:00:01.005 ---------- Finished Negotiation Cycle ----------",
    )
    assert [(r.what, r.job, r.slot) for r in found] == [
        ("matched", 3, "slot2"),
        ("preempts", 4, "slot8"),
        ("round", 0, ""),
    ]
    assert found[0].time == DAY + 1.001


def test_a_machine_that_is_given_back_is_told_from_one_that_is_taken():
    found = said(
        Machines(),
        "11/30/26 05:00:01.000 slot1: Remote job ID is 7.0",
        "11/30/26 05:00:02.000 slot1: Changing state and activity: Claimed/Busy -> Preempting/Vacating",
        "11/30/26 05:00:03.000 slot2: Remote job ID is 8.0",
        "11/30/26 05:00:04.000 slot2: Called deactivate_claim()",
        "11/30/26 05:00:04.000 slot2: Changing state and activity: Claimed/Busy -> Preempting/Vacating",
    )
    assert [(r.what, r.job) for r in found] == [("vacating", 7), ("left", 8)]


def test_a_job_ends_with_the_code_of_the_line_after():
    found = said(
        Events(),
        "005 (008.000.000) 2026-11-30 05:00:01.000Z Job terminated.",
        "\t(1) Normal termination (return value 3)",
        "...",
        "004 (009.000.000) 2026-11-30 05:00:02.000Z Job was evicted.",
    )
    assert found == [Record(DAY + 1, "terminated", 8, code=3), Record(DAY + 2, "evicted", 9)]


def test_a_job_that_a_signal_ended_has_failed():
    found = said(
        Events(),
        "005 (008.000.000) 2026-11-30 05:00:01.000Z Job terminated.",
        "\t(0) Abnormal termination (signal 9)",
        "...",
    )
    assert [r.code for r in found] == [1]


def test_dispatches_stand_where_they_were_decided():
    assert told(
        Record(1, "matched", 1, "slot1"), Record(2, "preempts", 2, "slot2"), Record(3, "vacating", 9, "slot2"),
        Record(4, "executing", 1), Record(5, "evicted", 9), Record(6, "executing", 2),
    ) == [
        Happened("dispatched", 1), Happened("preempted", 9, claimant=2), Happened("evicted", 9), Happened("dispatched", 2),
    ]  # fmt: skip


def test_a_decision_of_which_nothing_came_is_left_out():
    assert told(Record(1, "matched", 1, "slot1"), Record(2, "matched", 1, "slot2"), Record(3, "executing", 1)) == [
        Happened("dispatched", 1)
    ]
    assert told(Record(1, "preempts", 2, "slot2")) == []


def test_nothing_is_told_before_a_decision_has_come_true_or_cannot():
    decided = (Record(1, "matched", 1, "slot1"), Record(2, "terminated", 9))
    assert told(*decided, now=3.0) == []
    assert told(*decided, now=20.0) == [Happened("terminated", 9)]


def test_all_victims_on_a_divided_slot_are_of_the_job_that_needs_it():
    found = told(
        Record(1, "preempts", 5, "slot1"), Record(2, "vacating", 6, "slot1_1"), Record(2.001, "vacating", 7, "slot1_2"),
        Record(3, "vacating", 8, "slot2_1"),
    )  # fmt: skip
    assert [(h.job, h.claimant) for h in found] == [(6, 5), (7, 5), (8, 0)]


def test_a_victim_that_nobody_was_found_for_is_told_without_a_claimant():
    assert told(Record(1, "vacating", 6, "slot1")) == [Happened("preempted", 6)]
