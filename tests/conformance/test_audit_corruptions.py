"""The walkthrough as AWS records it keeps every rule; each way of corrupting it breaks the rule named here, and first."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from quotaproof.checker.judge.history import judge_history
from quotaproof.spec.formats.history import load_history
from quotaproof.spec.readings import Readings

from ..support.demo import ARN, HIGH, LOW, MED, OWNER, Demo

SHARE = f"{ARN}job-queue/my-sm-training-qm-jq/quota-share/"
QUEUE = "my-sm-training-qm-jq"
ENVIRONMENT = "my-sm-training-qm-se"
OFF = {"inSharePreemption": "DISABLED"}


def borrows(percent):
    return {"strategy": "LEND_AND_BORROW", "borrowLimit": percent}


def overtaken(demo):
    """The job that waits has the highest priority of all from the start."""
    demo.call("SubmitServiceJob", jobName="qs1_job_low")["requestParameters"]["schedulingPriority"] = 9
    demo.call("UpdateServiceJob")["requestParameters"]["schedulingPriority"] = 10
    for answer in demo.described(LOW):
        answer["schedulingPriority"] = 10 if answer["schedulingPriority"] == 4 else 9
    demo.shift(MED, "SCHEDULED", "15:00:40")
    for answer in demo.found(MED):
        if "scheduledAt" in answer:
            answer["scheduledAt"] += 34_000


def retries(n):
    def edit(demo):
        demo.call("SubmitServiceJob", jobName="qs1_job_med")["requestParameters"]["preemptionConfiguration"] = {
            "preemptionRetriesBeforeTermination": n
        }
        for answer in demo.described(MED):
            answer["preemptionConfiguration"] = {"preemptionRetriesBeforeTermination": n}

    return edit


def failed_victim(demo):
    demo.of(MED, "Completed")["detail"]["status"] = "FAILED"
    for event in demo.events:
        if event["time"][11:19] == "15:10:28" and event["detail-type"].endswith("State Change"):
            event["detail"]["status"] = "FAILED"
    for answer in demo.described(MED):
        if answer["status"] == "RUNNABLE":
            answer["status"] = "FAILED"


def not_counted(demo):
    demo.of(MED, "Completed")["detail"]["preemptionSummary"]["preemptedAttemptCount"] = 0
    for answer in demo.described(MED):
        if "preemptionSummary" in answer:
            answer["preemptionSummary"]["preemptedAttemptCount"] = 0


def submitted_again(demo):
    again = {**demo.call("SubmitServiceJob", jobName="qs1_job_med"), "eventTime": "2026-11-02T15:05:00Z"}
    demo.calls.append({**again, "eventID": "again"})


def later_submit(demo):
    """The owner's job comes after the preemption that was for it."""
    demo.call("SubmitServiceJob", jobName="qs2_job_1")["eventTime"] = "2026-11-02T15:10:20Z"
    demo.shift(OWNER, "RUNNABLE", "15:10:22")
    for record in [e["detail"] for e in demo.events if e["detail"].get("jobId") == OWNER] + demo.found(OWNER):
        record["createdAt"] += 20_000


def retaken(demo):
    """The victim takes the freed machine again, before the owner that waits for it."""
    demo.move(MED, "SCHEDULED", "15:10:40")
    for what, clock in (("SCHEDULED", "15:14:00"), ("STARTING", "15:14:30"), ("RUNNING", "15:14:40")):
        demo.shift(OWNER, what, clock)
    for answer in demo.described(OWNER):
        answer.pop("scheduledAt", None)
        answer.pop("startedAt", None)


def too_early(demo):
    """The owner starts while the victim still has the machine."""
    demo.shift(OWNER, "SCHEDULED", "15:10:08")
    for answer in demo.described(OWNER):
        answer.pop("scheduledAt", None)


def equal_priority(demo):
    demo.call("UpdateServiceJob")["requestParameters"]["schedulingPriority"] = 3
    for answer in demo.described(LOW):
        if answer.get("schedulingPriority") == 4:
            answer["schedulingPriority"] = 3


def never_raised(demo):
    demo.calls.remove(demo.call("UpdateServiceJob"))
    for answer in demo.described(LOW):
        answer["schedulingPriority"] = 1


CORRUPTIONS: dict[str, tuple[str, Callable[[Demo], object]]] = {
    "a waiting job starts on reserved capacity": ("G2", lambda d: d.move(LOW, "SCHEDULED", "15:05:00")),
    "borrow limit 0": ("G3", lambda d: d.share("QS1", resourceSharingConfiguration=borrows(0))),
    "borrow limit 50 % of 1": ("G3", lambda d: d.share("QS1", resourceSharingConfiguration=borrows(50))),
    "a share that only lends borrows": ("G4", lambda d: d.share("QS1", resourceSharingConfiguration={"strategy": "LEND"})),
    "a RESERVE share borrows": ("G4", lambda d: d.share("QS1", resourceSharingConfiguration={"strategy": "RESERVE"})),
    "an environment of 0": ("G1", lambda d: d.capacity(0)),
    "an environment of 2": ("G2", lambda d: d.capacity(2)),
    "the lender does not lend": ("G2", lambda d: d.share("QS2", resourceSharingConfiguration={"strategy": "RESERVE"})),
    "a borrower of two machines": ("G2", lambda d: d.size(MED, 2)),
    "a job is stopped for one above its share's limit": ("G5x", lambda d: d.size(OWNER, 2)),
    "in-share preemption is off": ("G5s", lambda d: d.share("QS1", preemptionConfiguration=OFF)),
    "stopped for an equal priority": ("G5s", equal_priority),
    "stopped for a lower priority": ("G5s", never_raised),
    "a higher priority is overtaken": ("G9", overtaken),
    "a job within its share's limit is stopped": ("G5x", lambda d: d.stop(OWNER, "15:15:00")),
    "a job is stopped before anybody waits for it": ("G5x", later_submit),
    "a job that never started is stopped, so it must have": ("G2", lambda d: d.stop(LOW, "15:05:00")),
    "an ended job runs": ("G10", lambda d: (d.move(HIGH, "SUCCEEDED", "15:04:00"), d.move(HIGH, "RUNNING", "15:06:00"))),
    "a victim without a preemption limit fails": ("G11", failed_victim),
    "a victim whose retries are used up waits again": ("G11", retries(0)),
    "a preemption is not counted": ("G11", not_counted),
    "a job is submitted twice": ("G12", submitted_again),
    "a disabled share accepts a job": (
        "G13", lambda d: d.administer("15:09:00", "UpdateQuotaShare", quotaShareArn=f"{SHARE}QS2", state="DISABLED")),
    "a disabled queue accepts a job": (
        "G13", lambda d: d.administer("15:09:00", "UpdateJobQueue", jobQueue=QUEUE, state="DISABLED")),
    "a disabled environment starts a job": (
        "G13", lambda d: d.administer("15:10:20", "UpdateServiceEnvironment", serviceEnvironment=ENVIRONMENT,
                                      state="DISABLED")),
    "a share that is deleted starts a job": (
        "G13", lambda d: d.administer("15:10:20", "DeleteQuotaShare", quotaShareArn=f"{SHARE}QS2")),
    "the environment was cut before a start": (
        "G2", lambda d: d.administer("15:09:00", "UpdateServiceEnvironment", serviceEnvironment=ENVIRONMENT,
                                     capacityLimits=[{"maxCapacity": 2, "capacityUnit": "ml.g5.xlarge"}])),
    "the owner starts while its victim drains": ("G2", too_early),
    "the victim takes the freed machine again": ("G8", retaken),
}  # fmt: skip


def judged(demo, folder):
    folder.mkdir()
    history = load_history(demo.write(folder), readings=Readings())
    return judge_history(history, Readings(), skew=1000)


def test_the_walkthrough_as_aws_records_it_keeps_every_rule_that_can_be_judged(tmp_path):
    found = judged(Demo(), tmp_path / "demo")
    assert not found.faults and not found.undecided
    assert {"G1", "G2", "G3", "G4", "G5x", "G5s", "G6", "G9", "G10", "G11", "G12", "G13"} <= set(found.exercised)


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_a_corrupted_record_breaks_its_rule_first(name, tmp_path):
    code, edit = CORRUPTIONS[name]
    demo = Demo()
    edit(demo)
    found = judged(demo, tmp_path / "demo")
    assert found.faults and found.faults[0].code == code, found


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_the_records_does_not_matter(seed, tmp_path):
    rng = random.Random(seed)
    for name in rng.sample(sorted(CORRUPTIONS), 6):
        code, edit = CORRUPTIONS[name]
        demo = Demo()
        edit(demo)
        rng.shuffle(demo.events)
        rng.shuffle(demo.calls)
        assert judged(demo, tmp_path / name).faults[0].code == code, name
