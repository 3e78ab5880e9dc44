"""Which files make one queue, what is assumed, and which queues cannot have quota shares."""

from __future__ import annotations

import pytest

from ...support.loaded import kinds

ARN = "arn:aws:batch:us-east-1:123456789012:"
OWN = "quotaproof: 1\nqueue: research\nshares:\n- {name: a, limits: {u: 1}, strategy: LEND}\n"


def test_the_environment_is_found_by_name_or_by_arn(read, write, share, environment, job_queue):
    share_file = write("s.json", share())
    mine, other = write("e.json", environment()), write("o.json", environment("other-se"))
    for name in ("research-se", f"{ARN}service-environment/research-se"):
        loaded = read(share_file, other, mine, write("q.json", job_queue(environment=name)))
        assert loaded.config.environment.service_environment_name == "research-se"
        assert loaded.notes == ()
        assert not loaded.capacity_assumed
        assert loaded.left_out == ("o.json: environment other-se is not the one of research",)
        assert kinds(loaded) == "create-job-queue, create-quota-share, create-service-environment"


def test_without_a_job_queue_the_only_environment_with_the_units_is_assumed(read, write, share, environment):
    other = write("o.json", environment("other-se", limits={"ml.g5.xlarge": 3}))
    loaded = read(write("s.json", share()), other, write("e.json", environment()))
    assert loaded.config.environment.service_environment_name == "research-se"
    assert loaded.notes[0].endswith("no other environment here has these units")
    assert not loaded.capacity_assumed


def test_two_environments_with_the_units_are_not_guessed_between(refused, write, share, environment):
    error = refused(write("s.json", share()), write("e.json", environment()), write("o.json", environment("other-se")))
    assert error.what == "any of 2 environments may be the one of research: research-se, other-se"
    assert "describe-job-queues --job-queues research" in error.fix


def test_an_environment_of_another_queue_is_not_assumed(read, write, share, environment, job_queue):
    files = [
        write("s.json", share()),
        write("e.json", environment()),
        write("o.json", environment("other-se")),
        write("q.json", job_queue("other", environment="other-se")),
    ]
    loaded = read(*files, queue="research")
    assert loaded.config.environment.service_environment_name == "research-se"
    assert "q.json: another queue, other" in loaded.left_out


def test_the_only_environment_is_taken_even_when_a_unit_is_misspelt(read, write, share, environment):
    loaded = read(write("s.json", share(limits={"ml.p5e.48xlarge": 2})), write("e.json", environment()))
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 16}
    assert loaded.notes[0].endswith("no other environment is given")


def test_without_an_environment_the_capacity_is_the_sum_of_the_limits(read, write, share):
    shares = [share("a", limits={"u": 2, "v": 1}), share("b", limits={"u": 3})]
    loaded = read(write("l.json", {"quotaShares": shares}))
    assert loaded.config.environment.capacity == {"u": 5, "v": 1}
    assert loaded.capacity_assumed
    assert loaded.notes == (
        "no environment is given for research: its capacity is taken as the sum of the shares' limits",
    )


def test_an_environment_that_is_named_but_not_given_is_not_replaced_by_another(
    read, write, share, environment, job_queue
):
    files = [write("s.json", share()), write("q.json", job_queue()), write("o.json", environment("other-se"))]
    loaded = read(*files)
    assert loaded.capacity_assumed
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 2}
    assert loaded.notes[0].startswith("environment research-se of research is not given")
    assert loaded.left_out == ("o.json: environment other-se is not the one of research",)


def test_a_sum_of_limits_beyond_any_cluster_is_refused(refused, write, share):
    shares = [share(name, limits={"u": 10**9}) for name in ("a", "b")]
    error = refused(write("l.json", {"quotaShares": shares}))
    assert error.what == 'the limits of "u" add up to more than 1,000,000,000'
    assert "share b, capacityLimits[0].maxCapacity" in error.where


@pytest.mark.parametrize(
    "fields",
    [
        {"jobQueue": f"{ARN}job-queue/research"},
        {"jobQueue": None, "jobQueueArn": f"{ARN}job-queue/research"},
        {"jobQueue": None, "quotaShareArn": f"{ARN}job-queue/research/quota-share/vision"},
    ],
)
def test_a_share_names_its_queue_in_any_of_aws_ways(read, write, share, fields):
    assert read(write("s.json", share(**fields))).config.job_queue_name == "research"


def test_two_queues_need_queue_and_queue_takes_a_name_or_an_arn(read, refused, write, share):
    files = [write("a.json", share("a")), write("b.json", share("b", jobQueue="sandbox"))]
    error = refused(*files)
    assert error.what == "the files are of 2 queues: research, sandbox"
    assert (error.where, error.fix) == ("a.json, b.json", "add --queue research.")
    for queue in ("sandbox", f"{ARN}job-queue/sandbox"):
        loaded = read(*files, queue=queue)
        assert [s.name for s in loaded.config.shares] == ["b"]
        assert loaded.left_out == ("a.json: shares of another queue, research",)
        assert kinds(loaded) == "create-quota-share"


def test_a_queue_that_does_not_exist_is_answered_with_the_nearest(refused, write, share):
    error = refused(write("a.json", share()), queue="reserch")
    assert (error.what, error.where) == ('there is no queue "reserch"', "--queue")
    assert error.fix == "did you mean --queue research?"
    assert "--queue zzz" not in str(refused(write("a.json", share()), queue="zzz"))


NOT_QUOTA = {
    "type": ({"jobQueueType": "ECS"}, 'its jobQueueType is "ECS"', "jobQueueType"),
    "compute": (
        {
            "serviceEnvironmentOrder": [],
            "jobQueueType": None,
            "computeEnvironmentOrder": [{"order": 1, "computeEnvironment": "c"}],
        },
        "it has compute environments and no service environment",
        "computeEnvironmentOrder",
    ),
    "two environments": (
        {"serviceEnvironmentOrder": [{"order": i, "serviceEnvironment": f"e{i}"} for i in (1, 2)]},
        "it has 2 service environments",
        "serviceEnvironmentOrder",
    ),
    "policy": (
        {"schedulingPolicyArn": f"{ARN}scheduling-policy/fair"},
        "its scheduling policy fair is a fairsharePolicy",
        "schedulingPolicyArn",
    ),
}


@pytest.mark.parametrize(("fields", "because", "field"), NOT_QUOTA.values(), ids=NOT_QUOTA)
def test_a_queue_without_quota_shares_is_named_as_such(refused, write, share, job_queue, fields, because, field):
    policy = write("p.json", {"name": "fair", "fairsharePolicy": {"shareDecaySeconds": 5}})
    error = refused(write("s.json", share()), write("q.json", job_queue(**fields)), policy)
    assert error.what == f"research is not a quota-share queue: {because}"
    assert error.where.startswith("q.json:")
    assert error.where.endswith(f"queue research, {field}")
    assert "quotaSharePolicy" in error.why


@pytest.mark.parametrize(
    ("fields", "because"),
    [
        ({"serviceEnvironmentType": "OTHER"}, 'its service environment is of type "OTHER"'),
    ],
)
def test_an_environment_without_instance_types_has_no_quota_shares(
    refused, write, share, environment, job_queue, fields, because
):
    files = [write("s.json", share()), write("q.json", job_queue()), write("e.json", environment(**fields))]
    error = refused(*files)
    assert error.what == f"research is not a quota-share queue: {because}"
    assert "e.json:" in error.where


def test_a_queue_that_is_not_picked_may_be_of_any_kind(read, write, share, job_queue):
    other = job_queue("batch", jobQueueType="ECS", serviceEnvironmentOrder=[])
    assert read(write("s.json", share()), write("o.json", other), queue="research").config.shares


def test_a_queue_without_shares_asks_for_them(refused, write, environment, job_queue):
    error = refused(write("q.json", job_queue()), write("e.json", environment()))
    assert error.what == "queue research has no quota shares here"
    assert "list-quota-shares --job-queue research" in error.fix


def test_environments_alone_are_no_queue(refused, write, environment):
    assert refused(write("e.json", environment())).what == "there is no queue and no quota share"


def test_one_share_twice_in_one_file_is_refused_even_when_alike(refused, write, share):
    error = refused(write("l.json", {"quotaShares": [share(), share()]}))
    assert error.what == "share vision is given twice in one file"
    assert error.where.startswith("l.json:21")
    assert "l.json:3" in error.why


def test_one_share_in_two_files_with_one_meaning_counts_once(read, write, share):
    sharing = "resourceSharingConfiguration"
    first = write("a.json", share(limits={"u": 1, "v": 2}, **{sharing: {"strategy": "LEND_AND_BORROW"}}))
    turned = share(limits={"v": 2, "u": 1}, state=None, **{sharing: {"strategy": "LEND_AND_BORROW", "borrowLimit": -1}})
    loaded = read(first, write("b.json", turned))
    assert (len(loaded.config.shares), loaded.drift) == (1, ())
    assert kinds(loaded) == "create-quota-share x2"
    assert loaded.place("vision", "share") == "a.json:2"


def test_one_name_in_two_regions_is_two_queues(refused, write, share):
    here = share("a", jobQueue=f"{ARN}job-queue/research")
    there = share("b", jobQueue=f"{ARN}job-queue/research".replace("us-east-1", "eu-west-1"))
    error = refused(write("a.json", here), write("b.json", there))
    assert error.what == ("the files are of two accounts or Regions: us-east-1:123456789012, eu-west-1:123456789012")
    assert error.where == "b.json:1, share b"


def test_the_own_form_may_take_its_environment_from_aws(read, write, environment):
    loaded = read(write("q.yaml", OWN), write("e.json", environment(limits={"u": 7})))
    assert loaded.config.environment.capacity == {"u": 7}
    assert kinds(loaded) == "create-service-environment, queue form"


LEFT_OUT = {
    "update-job-queue": ({"jobQueue": "research", "priority": 5}, "a request, not configuration"),
    "delete-job-queue": ({"jobQueue": "research"}, "a request, not configuration"),
    "delete-quota-share": ({"quotaShareArn": f"{ARN}x"}, "a request, not configuration"),
    "update-quota-share": ({"quotaShareArn": f"{ARN}x", "state": "DISABLED"}, "a request, not configuration"),
    "delete-service-environment": ({"serviceEnvironment": "e"}, "a request, not configuration"),
    "update-scheduling-policy": ({"arn": "a", "quotaSharePolicy": {}}, "a request, not configuration"),
    "terminate-service-job": ({"jobId": "j", "reason": "r"}, "a request, not configuration"),
    "create-quota-share": ({"quotaShareName": "a", "quotaShareArn": "b"}, "an answer that only names what was made"),
    "create-job-queue": ({"jobQueueName": "a", "jobQueueArn": "b"}, "an answer that only names what was made"),
    "describe-scheduling-policies": ({"schedulingPolicies": [{"arn": "a"}]}, "no configuration in it"),
    "list-quota-shares": ({"quotaShares": []}, "no configuration in it"),
    "EventBridge event": ({"detail-type": "Batch Service Job State Change"}, "history, not configuration; `quotaproof audit` reads it"),
}


@pytest.mark.parametrize(("kind", "value", "why"), [(k, *v) for k, v in LEFT_OUT.items()], ids=LEFT_OUT)
def test_what_is_recognised_and_no_configuration_is_left_out_with_the_reason(read, write, share, kind, value, why):
    loaded = read(write("s.json", share()), write("x.json", value))
    assert loaded.left_out == (f"x.json, {kind}: {why}",)
    assert kinds(loaded) == "create-quota-share"


def test_aws_yaml_is_read_as_its_json_is(read, write, share):
    yaml = """
quotaShareName: vision
jobQueue: research
capacityLimits:
- {maxCapacity: 2, capacityUnit: ml.p5.48xlarge}
resourceSharingConfiguration: {strategy: LEND_AND_BORROW, borrowLimit: 50}
preemptionConfiguration: {inSharePreemption: ENABLED}
"""
    assert read(write("s.yml", yaml)).config == read(write("s.json", share())).config
