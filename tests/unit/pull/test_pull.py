"""A pull fills a folder that verify reads, and says what is missing."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from quotaproof.checker.pull.access import OPERATIONS
from quotaproof.checker.pull.folder import Folder
from quotaproof.checker.pull.pull import pull
from quotaproof.checker.pull.requests import EVENTS
from quotaproof.spec.formats import InputError, load
from quotaproof.spec.readings import Readings

from ...support import aws as data
from ...support.aws import ARN, DAY, NOW, QUEUE, SECRET, Aws, job, record
from .folders import SUBMITTED, files, lines, pulled, read, told


def test_a_whole_pull_leaves_aws_answers_that_verify_reads(tmp_path: Path) -> None:
    aws = Aws()
    aws.whole(job("a"), job("b", "SUCCEEDED", stopped=NOW - 1), records=(SUBMITTED,))
    done = pulled(aws, tmp_path)
    aws.done()
    assert files(tmp_path) == [
        ".pull.state",
        "describe-job-queues.json",
        "describe-scheduling-policies.json",
        "describe-service-environments.json",
        "history/cloudtrail/lookup-events-20261103T100000Z.ndjson",
        "history/jobs/2026-11-03/describe-service-job-a.json",
        "history/jobs/2026-11-03/describe-service-job-b.json",
        "history/list-service-jobs.json",
        "history/snapshots/get-job-queue-snapshot-20261103T100000Z.json",
        "list-quota-shares.json",
    ]
    assert read(tmp_path / "list-quota-shares.json") == {"quotaShares": data.quota_shares()}
    assert read(tmp_path / "describe-job-queues.json") == {"jobQueues": [data.job_queue()]}
    assert read(tmp_path / "describe-service-environments.json") == {"serviceEnvironments": [data.environment()]}
    assert read(tmp_path / "describe-scheduling-policies.json") == {"schedulingPolicies": [data.policy()]}
    assert read(tmp_path / "history/snapshots/get-job-queue-snapshot-20261103T100000Z.json") == data.snapshot()
    assert (done.shares, done.jobs, done.described, done.requests, done.notes) == (2, 2, 2, 1, ())
    loaded = load([str(tmp_path)], readings=Readings())
    assert [s.quota_share_name for s in loaded.config.shares] == ["vision", "speech"]
    assert loaded.left_out == ()


def test_every_operation_that_is_used_only_reads(tmp_path: Path) -> None:
    aws = Aws()
    aws.whole(job("a"))
    pulled(aws, tmp_path)
    assert set(aws.asked) == set(OPERATIONS)
    assert all(name.startswith(("Describe", "List", "Get", "Lookup")) for name in OPERATIONS)


def test_what_a_job_holds_beyond_its_size_never_reaches_the_disk(tmp_path: Path) -> None:
    aws = Aws()
    aws.whole(job("a"), records=(SUBMITTED,))
    pulled(aws, tmp_path)
    written = "".join(p.read_text(encoding="utf-8") for p in tmp_path.rglob("*") if p.is_file())
    assert SECRET not in written
    kept = read(tmp_path / "history/jobs/2026-11-03/describe-service-job-a.json")
    assert json.loads(kept["serviceRequestPayload"]) == {
        "ResourceConfig": {"InstanceType": data.UNIT, "InstanceCount": 1},
        "CheckpointConfig": {"S3Uri": "s3://checkpoints/x"},
        "StoppingCondition": {"MaxRuntimeInSeconds": 86400},
    }
    assert (kept["status"], kept["quotaShareName"], kept["schedulingPriority"]) == ("RUNNING", "vision", 1)


def test_pages_are_joined(tmp_path: Path) -> None:
    aws = Aws()
    vision, speech = data.quota_shares()
    aws.says("DescribeJobQueues", {"jobQueues": [data.job_queue()]})
    aws.says("DescribeSchedulingPolicies", {"schedulingPolicies": [data.policy()]})
    aws.says("ListQuotaShares", {"quotaShares": [vision], "nextToken": "t"}, jobQueue=QUEUE)
    aws.says("ListQuotaShares", {"quotaShares": [speech]}, jobQueue=QUEUE, nextToken="t")
    aws.says("DescribeServiceEnvironments", {"serviceEnvironments": [data.environment()]})
    aws.snapshot()
    every = {"jobQueue": QUEUE, "filters": [{"name": "AFTER_CREATED_AT", "values": ["0"]}], "maxResults": 100}
    aws.says("ListServiceJobs", {"jobSummaryList": [data.summary(job("b"))], "nextToken": "u"}, **every)
    aws.says("ListServiceJobs", {"jobSummaryList": [data.summary(job("a"))]}, **every, nextToken="u")
    aws.says("DescribeServiceJob", job("b"))
    aws.says("DescribeServiceJob", job("a"))
    two = [
        record("SubmitServiceJob", {"jobQueue": QUEUE}, at=at)
        for at in ("2026-11-02T16:00:00Z", "2026-11-02T15:00:00Z")
    ]
    aws.says("LookupEvents", {"Events": [data.event(two[0])], "NextToken": "v"})
    aws.says("LookupEvents", {"Events": [data.event(two[1])]})
    for _ in EVENTS[1:]:
        aws.says("LookupEvents", {"Events": []})
    done = pulled(aws, tmp_path)
    aws.done()
    assert read(tmp_path / "list-quota-shares.json") == {"quotaShares": [vision, speech]}
    assert [j["jobId"] for j in read(tmp_path / "history/list-service-jobs.json")["jobSummaryList"]] == ["b", "a"]
    assert (done.jobs, done.described) == (2, 2)
    assert [r["eventTime"] for r in lines(tmp_path)] == ["2026-11-02T15:00:00Z", "2026-11-02T16:00:00Z"]


def test_a_configuration_that_has_changed_is_put_aside(tmp_path: Path) -> None:
    first, second = Aws(), Aws()
    first.whole()
    pulled(first, tmp_path)
    second.configuration(data.quota_shares(vision=1, speech=1))
    second.snapshot()
    second.jobs()
    second.requests()
    assert pulled(second, tmp_path, now=NOW + DAY).changed
    older = tmp_path / "history/configuration/20261103T100000Z"
    assert read(older / "list-quota-shares.json") == {"quotaShares": data.quota_shares()}
    assert read(tmp_path / "list-quota-shares.json") == {"quotaShares": data.quota_shares(vision=1, speech=1)}
    loaded = load([str(tmp_path)], readings=Readings())
    assert (loaded.drift, [dict(s.limits) for s in loaded.config.shares]) == ((), [{data.UNIT: 1}, {data.UNIT: 1}])


def test_jobs_that_ended_before_the_time_asked_for_are_left_out(tmp_path: Path) -> None:
    aws = Aws()
    old, lived = (
        job(n, "SUCCEEDED", created=NOW - 9 * DAY, stopped=NOW - d * DAY) for n, d in (("old", 8), ("lived", 6))
    )
    never_ran = job("never", "FAILED", created=NOW - 9 * DAY)
    waits = job("waits", "RUNNABLE", created=NOW - 20 * DAY)
    aws.configuration()
    aws.snapshot()
    aws.jobs(old, lived, never_ran, waits, again=(lived, never_ran, waits))
    aws.requests()
    assert pulled(aws, tmp_path).jobs == 3
    aws.done()
    kept = read(tmp_path / "history/list-service-jobs.json")["jobSummaryList"]
    assert [j["jobId"] for j in kept] == ["lived", "never", "waits"]


def test_jobs_whose_end_nobody_saw_are_said(tmp_path: Path) -> None:
    first, second = Aws(), Aws()
    first.whole(job("a"), job("b"))
    pulled(first, tmp_path)
    second.configuration()
    second.snapshot()
    second.says("ListServiceJobs", {"jobSummaryList": [data.summary(job("b"))]})
    second.fails("DescribeServiceJob", "ClientException", "Service job b does not exist")
    second.requests()
    assert pulled(second, tmp_path, now=NOW + 9 * DAY).notes == (
        "1 job had gone from AWS when the description was asked for",
        "1 job had not ended when last seen, and AWS no longer lists: how that ended is not known",
    )
    second.done()


def test_only_requests_about_the_queue_are_kept(tmp_path: Path) -> None:
    ours = [
        record("SubmitServiceJob", {"jobQueue": QUEUE, "jobName": "x"}, responseElements={"jobId": "x"}),
        record("UpdateServiceJob", {"jobId": "x", "schedulingPriority": 4}),
        record("TerminateServiceJob", {"jobId": f"{ARN}:service-job/a", "reason": "wrong data"}),
        record("TerminateServiceJobs", {"jobs": ["z", "a"]}),
        record("CreateQuotaShare", {"jobQueue": "gpu", "quotaShareName": "vision"}),
        record("UpdateQuotaShare", {"quotaShareArn": f"{QUEUE}/quota-share/vision", "state": "DISABLED"}),
        record("UpdateServiceEnvironment", {"serviceEnvironment": "env", "state": "ENABLED"}),
        record("UpdateJobQueue", {"jobQueue": "gpu", "state": "ENABLED"}),
    ]
    others = [
        record("SubmitServiceJob", {"jobQueue": f"{QUEUE}-2"}, responseElements={"jobId": "y"}),
        record("UpdateServiceJob", {"jobId": "y", "schedulingPriority": 4}),
        record("DeleteQuotaShare", {"quotaShareArn": f"{QUEUE}-2/quota-share/vision"}),
        record("UpdateServiceEnvironment", {"serviceEnvironment": "env-2"}),
        record("UpdateJobQueue", None),  # type: ignore[arg-type]
    ]
    elsewhere = record("UpdateJobQueue", {"jobQueue": "gpu"}, eventSource="other.amazonaws.com", eventID="e")
    broken = {**elsewhere, "eventID": "f", "eventName": "UpdateJobQueue"}
    aws = Aws()
    aws.configuration()
    aws.snapshot()
    aws.jobs(job("a"))
    by_name = {name: [data.event(r) for r in (*ours, *others, elsewhere) if r["eventName"] == name] for name in EVENTS}
    by_name["UpdateJobQueue"].append({**data.event(broken), "CloudTrailEvent": "{"})
    for name in EVENTS:
        aws.says("LookupEvents", {"Events": by_name[name]})
    done = pulled(aws, tmp_path)
    assert sorted(r["eventID"] for r in lines(tmp_path)) == sorted(r["eventID"] for r in ours)
    assert done.notes == (
        "requests left out: 5, about other queues or about jobs that nothing says are this queue's",
        "CloudTrail's records that cannot be read, left out: 1",
    )
    (first, *_) = lines(tmp_path)
    assert first["userIdentity"] == {"type": "IAMUser", "arn": "arn:aws:iam::123456789012:user/alice"}
    assert not {"sourceIPAddress", "userAgent"} & set(first)


def test_more_than_cloudtrail_keeps_is_said(tmp_path: Path) -> None:
    aws = Aws()
    aws.configuration()
    aws.snapshot()
    aws.jobs()
    aws.requests(begin=datetime.fromtimestamp((NOW - 90 * DAY) / 1000, UTC))
    (note,) = pulled(aws, tmp_path, since=NOW - 200 * DAY).notes
    aws.done()
    assert note.startswith("requests of more than 90 days ago are not in CloudTrail's event history")


@pytest.mark.parametrize(
    ("asked", "fix"), [("gpuu", "did you mean gpu?"), ("train", "its job queues are gpu, cpu."), ("", "")]
)
def test_a_queue_that_is_not_there_is_named_with_those_nearest(tmp_path: Path, asked: str, fix: str) -> None:
    aws = Aws()
    aws.says("DescribeJobQueues", {"jobQueues": []}, jobQueues=[asked or "gpu"])
    others = [{**data.job_queue(), "jobQueueName": n} for n in ("gpu", "cpu")] if fix else []
    aws.says("DescribeJobQueues", {"jobQueues": others})
    with pytest.raises(InputError) as caught:
        pull(aws.access(), asked or "gpu", Folder(tmp_path), since=0, now=NOW, progress=told)
    assert caught.value.what == f"there is no job queue {asked or 'gpu'}"
    assert caught.value.fix == (
        fix or "correct --region or --profile; queues of another Region or account are not seen here."
    )
    assert files(tmp_path) == []


def test_a_queue_without_quota_shares_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    fair = {"name": "fifo", "arn": data.POLICY, "fairsharePolicy": {"shareDecaySeconds": 0}}
    for queue, policies, shares, why in (
        ({"serviceEnvironmentOrder": []}, [fair], None, "it has no service environment"),
        ({}, [fair], None, "its scheduling policy is none for quota shares"),
        ({}, [data.policy()], [], "the list of its quota shares is empty"),
    ):
        aws = Aws()
        aws.says("DescribeJobQueues", {"jobQueues": [{**data.job_queue(), **queue}]})
        aws.says("DescribeSchedulingPolicies", {"schedulingPolicies": policies})
        if shares is not None:
            aws.says("ListQuotaShares", {"quotaShares": shares})
        with pytest.raises(InputError, match=why):
            pulled(aws, tmp_path)
        assert files(tmp_path) == []


def test_a_folder_of_another_queue_or_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "other"
    Folder(other).write(".pull.state", {"queue": f"{QUEUE}-2", "configuration": 0, "requests": [0, 0], "pulls": []})
    mine = tmp_path / "mine"
    Folder(mine).write("list-quota-shares.json", {"quotaShares": []})
    damaged = tmp_path / "damaged"
    damaged.mkdir()
    (damaged / ".pull.state").write_text("{", encoding="utf-8")
    for root, what in (
        (other, f"the folder holds another queue, {QUEUE}-2"),
        (mine, "list-quota-shares.json stands there already, and no pull has written it"),
        (damaged, "the file cannot be read as what pull writes"),
    ):
        before = files(root)
        aws = Aws()
        aws.configuration()
        with pytest.raises(InputError) as caught:
            pulled(aws, root)
        assert caught.value.what == what
        assert files(root) == before


def test_a_folder_that_cannot_be_written_is_one_message(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    aws = Aws()
    aws.configuration()
    with pytest.raises(InputError) as caught:
        pulled(aws, tmp_path / "file" / "dir")
    assert caught.value.what in ("cannot be written: not a directory", "cannot be read: not a directory")
