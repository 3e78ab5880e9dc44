"""The walkthrough as AWS records it: exactly these observations, each where it can have been."""

from __future__ import annotations

import pickle

import pytest
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempted, Preempting, Reached, Submitted

from ...support.histories import DEMO, HIGH, LOG, LOW, MED, OWNER, TRAIL, history, observed
from ...support.queues import walkthrough

START = 1793631600000
"""15:00:00."""
TYPE = "ml.g5.xlarge"
NAMES = {
    HIGH: "AWSBatchqs1-job-high" + "1a" * 16,
    MED: "AWSBatchqs1-job-med" + "2b" * 16,
    LOW: "AWSBatchqs1-job-low" + "3c" * 16,
    OWNER: "AWSBatchqs2-job-1" + "6f" * 16,
}
IN_PROGRESS = "PREEMPTION_IN_PROGRESS: "
CROSS = IN_PROGRESS + "Cross-share preemption triggered to reclaim borrowed capacity"
IN_SHARE = IN_PROGRESS + "<UNDOCUMENTED in-share reason text>"
EXPECTED = [
    (200, 3_000, ("submitted", HIGH, "QS1", 3)),
    (1_100, 4_000, ("submitted", MED, "QS1", 2)),
    (2_000, 5_000, ("submitted", LOW, "QS1", 1)),
    (6_000, 6_000, ev.Dispatch(HIGH)),
    (6_500, 6_500, ev.Dispatch(MED)),
    (94_000, 96_000, Reached(HIGH, Stage.STARTING, NAMES[HIGH])),
    (97_000, 99_000, Reached(MED, Stage.STARTING, NAMES[MED])),
    (150_000, 150_000, Reached(HIGH, Stage.RUNNING, NAMES[HIGH])),
    (155_000, 155_000, Reached(MED, Stage.RUNNING, NAMES[MED])),
    (600_000, 603_000, ("submitted", OWNER, "QS2", 1)),
    (604_000, 606_000, Preempting(MED, None, "cross-share", CROSS)),
    (625_300, 629_000, Preempted(MED, Stage.RUNNABLE, 1)),
    (631_000, 631_000, ev.Dispatch(OWNER)),
    (719_000, 721_000, Reached(OWNER, Stage.STARTING, NAMES[OWNER])),
    (780_000, 780_000, Reached(OWNER, Stage.RUNNING, NAMES[OWNER])),
    (1_199_000, 1_201_000, ev.SetPriority(LOW, 4)),
    (1_203_000, 1_205_000, Preempting(HIGH, None, None, IN_SHARE)),
    (1_224_400, 1_228_000, Preempted(HIGH, Stage.RUNNABLE, 1)),
    (1_230_000, 1_230_000, ev.Dispatch(LOW)),
    (1_314_000, 1_316_000, Reached(LOW, Stage.STARTING, NAMES[LOW])),
    (1_370_000, 1_370_000, Reached(LOW, Stage.RUNNING, NAMES[LOW])),
]


def short(what):
    return ("submitted", what.job, what.share, what.priority) if isinstance(what, Submitted) else what


@pytest.fixture(scope="module")
def demo():
    return history(DEMO)


def test_the_demo_is_exactly_these_observations(demo):
    assert [(s.at - START, s.until - START, short(s.what)) for s in demo.seen()] == EXPECTED
    assert list(demo.seen()) == list(demo.seen())
    assert not any(s.inferred for s in demo.seen())
    assert not demo.problems


def test_each_observation_stands_on_the_line_of_its_record(demo):
    places = [demo.place(s) for s in demo.seen()]
    assert places[0] == "cloudtrail.ndjson:4"
    assert places[10] == "eventbridge.ndjson:11"


def test_the_configuration_is_the_walkthrough_with_its_instance_type(demo):
    plain = walkthrough()
    assert [s.name for s in demo.config.shares] == [s.name for s in plain.shares]
    assert [s.resource_sharing_configuration for s in demo.config.shares] == [
        s.resource_sharing_configuration for s in plain.shares
    ]
    assert demo.config.environment.capacity == {TYPE: 3}
    assert demo.remarks == ("limits in force: from CloudTrail, 3 changes, all before the first job",)


def test_the_demo_is_complete_and_says_so(demo):
    assert (demo.completeness.expected, demo.completeness.seen) == (22, 22)
    assert demo.completeness.gaps == ()
    assert (demo.start - START, demo.end - START) == (200, 1_370_000)


def test_attempts_lead_to_their_jobs_and_facts_are_kept(demo):
    assert demo.attempts == {name: job for job, name in NAMES.items()}
    facts = demo.jobs[MED].facts
    assert (facts.name, facts.timeout, facts.checkpoint, facts.training_plan) == ("qs1_job_med", 86400, "", False)
    assert facts.owner.endswith("MLAdmin/alice")
    assert facts.arn.endswith(MED)
    assert demo.jobs[MED].size == {TYPE: 1}
    assert demo.jobs[MED].retries is None
    assert demo.jobs[MED].retries_known


def test_snapshots_are_there_by_time(demo):
    first, _, last = demo.snapshots
    assert first.usage == {"QS1": {TYPE: 2}}
    assert first.front["QS1"] == ((LOW, 1793631606500),)
    assert last.usage == {"QS1": {TYPE: 1}, "QS2": {TYPE: 1}}


def test_a_history_can_be_pickled(demo):
    again = pickle.loads(pickle.dumps(demo))
    assert list(again.seen()) == list(demo.seen())


def test_without_cloudtrail_priorities_are_unknown_and_that_is_said():
    found = history(LOG, *DEMO.glob("*.json"), *(DEMO / "history").glob("jobs-*"))
    assert {j.priority for j in found.jobs.values()} == {None}
    assert any(
        note.startswith("no CloudTrail records: priorities and limit changes") for note in found.completeness.notes
    )
    assert any("taken as in force throughout" in note for note in found.notes)
    assert [type(w) for w in observed(found)] == [type(w) for *_, w in EXPECTED_WITHOUT_REQUESTS]


EXPECTED_WITHOUT_REQUESTS = [
    (a, u, Submitted(w[1], w[2], {TYPE: 1}) if isinstance(w, tuple) else w)
    for a, u, w in EXPECTED
    if not isinstance(w, ev.SetPriority)
]


def test_without_answers_about_jobs_sizes_are_unknown_and_nothing_is_invented():
    found = history(LOG, TRAIL, *DEMO.glob("*.json"))
    assert observed(found) == []
    (problem,) = found.problems
    assert (
        "4 of 4 jobs, the first a0000001-1111-4aaa-8aaa-000000000001, cannot be judged, size unknown"
        in problem.sentence
    )
    assert "describe-service-job" in problem.sentence


def test_from_answers_alone_the_latest_attempts_are_known():
    found = history(*DEMO.glob("*.json"), *(DEMO / "history").glob("jobs-*"))
    assert ev.Dispatch(LOW) in observed(found)
    assert found.completeness.seen == 0
    assert any(note.startswith("no EventBridge events") for note in found.completeness.notes)
