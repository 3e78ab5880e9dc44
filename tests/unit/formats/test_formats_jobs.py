"""Jobs that requests ask for: their size per unit, and what makes a request be left out, never an error."""

from __future__ import annotations

import json

import pytest


def request(payload, **more):
    base = {"jobName": "j", "jobQueue": "research", "quotaShareName": "vision", "serviceJobType": "SAGEMAKER_TRAINING"}
    text = payload if isinstance(payload, str) else json.dumps({"ResourceConfig": payload})
    return {k: v for k, v in {**base, "serviceRequestPayload": text, **more}.items() if v is not None}


@pytest.mark.parametrize(
    ("resources", "size"),
    [
        ({"InstanceType": "u", "InstanceCount": 4}, {"u": 4}),
        ({"InstanceGroups": [{"InstanceType": "u", "InstanceCount": 1, "InstanceGroupName": "a"}]}, {"u": 1}),
        (
            {"InstanceGroups": [{"InstanceType": t, "InstanceCount": n} for t, n in (("u", 1), ("v", 2), ("u", 3))]},
            {"u": 4, "v": 2},
        ),
    ],
)
def test_the_size_is_read_from_the_payload(read, write, share, resources, size):
    loaded = read(write("s.json", share()), write("j.json", request(resources)))
    assert [(job.name, job.share, dict(job.size)) for job in loaded.jobs] == [("j", "vision", size)]
    assert loaded.left_out == ()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (request({"InstanceType": "u"}), "names no number of instances of one type"),
        (request({"InstancePreferences": [{"InstanceType": "u"}], "InstanceCount": 1}), "names no number"),
        (request({"InstanceType": "u", "InstanceCount": 0}), "names no number"),
        (request({"InstanceType": "u", "InstanceCount": "4"}), "names no number"),
        (request({"InstanceGroups": "all"}), "names no number"),
        (request("{"), "its serviceRequestPayload cannot be read, not valid JSON"),
        (request("[" * 100_000), "its serviceRequestPayload cannot be read, brackets are nested too deeply"),
        (request("[]"), "names no number"),
        (request({}, serviceRequestPayload=None), "its size is not known"),
        (request({}, serviceRequestPayload=5), "its size is not known"),
        (request({"InstanceType": "u", "InstanceCount": 1}, quotaShareName=None), "does not name"),
        (request({"InstanceType": "u", "InstanceCount": 1}, jobQueue="other"), "a job of queue other, which"),
    ],
)
def test_a_request_that_does_not_say_its_size_is_left_out(read, write, share, content, why):
    loaded = read(write("s.json", share()), write("j.json", content))
    assert loaded.jobs == ()
    assert why in loaded.left_out[0]


def test_a_queue_may_be_named_by_its_arn(read, write, share):
    arn = "arn:aws:batch:us-east-1:123456789012:job-queue/research"
    size = {"InstanceType": "u", "InstanceCount": 1}
    assert len(read(write("s.json", share()), write("j.json", request(size, jobQueue=arn))).jobs) == 1


def test_names_of_jobs_are_known_also_where_the_job_does_not_count(read, write, share):
    size = {"InstanceType": "u", "InstanceCount": 1}
    paths = [
        write("1.json", request(size, jobName="counts")),
        write("2.json", request(size, jobName="elsewhere", jobQueue="other")),
        write("3.json", request("{", jobName="unreadable")),
        write("4.json", request(size, jobName="counts", quotaShareName=None)),
        write("5.json", request(size, jobName=7)),
        write("6.json", {"jobArn": "a", "jobName": "answered", "jobId": "i"}),
        write("7.json", {"jobSummaryList": [{"jobName": "listed"}, {"jobName": "counts"}, 5, {}]}),
    ]
    assert read(write("s.json", share()), *paths).job_names == (
        "counts",
        "elsewhere",
        "unreadable",
        "answered",
        "listed",
    )


def test_jobs_alone_are_no_configuration(refused, write):
    assert refused(write("j.json", request({}))).what == "nothing here says how a queue is configured"
