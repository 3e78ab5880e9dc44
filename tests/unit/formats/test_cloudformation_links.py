"""How a template's Ref, Fn::GetAtt, Fn::Sub and parameters become names and numbers, and which cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from .templates import at, template

FIELD = "Resources.QS1.Properties"


@pytest.mark.parametrize(
    "link",
    [
        {"Ref": "Queue"},
        {"Fn::GetAtt": ["Queue", "JobQueueArn"]},
        {"Fn::GetAtt": "Queue.JobQueueArn"},
        {"Fn::Sub": "${Queue}"},
        {"Fn::Sub": "${Queue.JobQueueArn}"},
        {"Fn::Sub": ["${It}", {"It": {"Ref": "Queue"}}]},
        {"Fn::Sub": "arn:${AWS::Partition}:batch:${AWS::Region}:${AWS::AccountId}:job-queue/research"},
        {"Fn::Sub": ["${Name}", {"Name": {"Ref": "QueueName"}}]},
        {"Ref": "QueueName"},
        "research",
    ],
    ids=str,
)
def test_every_way_to_name_the_queue_leads_to_it(read, write, link):
    given = template(QS1={"JobQueue": link})
    given["Parameters"] = {"QueueName": {"Type": "String", "Default": "research"}}
    loaded = read(write("t.json", given))
    assert loaded.config.job_queue_name == "research"
    assert [s.name for s in loaded.config.shares] == ["QS1"]


def test_a_literal_in_a_substitution_is_not_a_variable(refused, write):
    error = refused(write("t.json", template(QS1={"QuotaShareName": {"Fn::Sub": "a${!Queue}"}})))
    assert error.what == '"a${Queue}" is not a name'


def test_scalars_are_converted_as_cloudformation_does(read, write):
    limits = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": "2"}]
    sharing = {"Strategy": "LEND_AND_BORROW", "BorrowLimit": "-1"}
    given = template(QS1={"QuotaShareName": 123, "CapacityLimits": limits, "ResourceSharingConfiguration": sharing})
    share = read(write("t.json", given)).config.share("123")
    assert share.limits == {"ml.p5.48xlarge": 2}
    assert share.borrow_limit == -1


@pytest.mark.parametrize("value", ["two", "2.5", "02", 2.5, True, None, "", [2], {}])
def test_what_is_no_number_is_refused(refused, write, value):
    limits = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": value}]
    error = refused(write("t.json", template(QS1={"CapacityLimits": limits})))
    assert error.what.endswith("stands where a whole number is expected")
    assert error.where.endswith(f", {FIELD}.CapacityLimits[0].MaxCapacity")


def test_no_value_removes_a_property_and_an_entry(read, write):
    no_value = {"Ref": "AWS::NoValue"}
    limit = {"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": 2}
    sharing = {"Strategy": "LEND_AND_BORROW", "BorrowLimit": no_value}
    given = template(
        QS1={"CapacityLimits": [no_value, limit], "ResourceSharingConfiguration": sharing, "State": no_value}
    )
    path = write("t.json", given)
    loaded = read(path)
    share = loaded.config.share("QS1")
    assert (share.borrow_limit, share.state, share.limits) == (None, "ENABLED", {"ml.p5.48xlarge": 2})
    line = int(loaded.place("QS1", "limit", "ml.p5.48xlarge").split(":")[1])
    assert "MaxCapacity" in Path(path).read_text().split("\n")[line - 1]


def test_parameters_count_with_their_defaults_and_a_note_says_so(read, write):
    limits = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": {"Ref": "Limit"}}]
    given = template(QS1={"CapacityLimits": limits})
    given["Parameters"] = {
        "Limit": {"Type": "Number", "Default": 3},
        "Unused": {"Type": "AWS::SSM::Parameter::Value<String>", "Default": "/x"},
    }
    loaded = read(write("t.json", given))
    assert loaded.config.share("QS1").limits == {"ml.p5.48xlarge": 3}
    assert loaded.notes == ("t.json: parameters at their defaults: Limit = 3",)


@pytest.mark.parametrize(
    ("parameter", "what"),
    [
        ({"Type": "Number"}, "parameter Limit has no default"),
        (
            {"Type": "AWS::SSM::Parameter::Value<Number>", "Default": "3"},
            "parameter Limit is read from SSM's parameter store",
        ),
        ({"Type": "CommaDelimitedList", "Default": "3"}, "parameter Limit is a list"),
        ({"Type": "List<Number>", "Default": "3"}, "parameter Limit is a list"),
        ({"Default": 3}, "parameter Limit has no Type"),
        ({"Type": "Number", "Default": "three"}, '"three" stands where a number is expected'),
        (3, "parameter Limit has no Type"),
    ],
)
def test_a_parameter_whose_value_is_not_known_is_refused(refused, write, parameter, what):
    limits = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": {"Ref": "Limit"}}]
    given = template(QS1={"CapacityLimits": limits})
    given["Parameters"] = {"Limit": parameter}
    assert refused(write("t.json", given)).what == what


def test_a_name_that_aws_makes_up_is_the_logical_id_and_is_noted(read, write):
    given = template()
    del at(given, "Queue")["JobQueueName"], at(given, "Environment")["ServiceEnvironmentName"]
    loaded = read(write("t.json", given))
    assert loaded.config.job_queue_name == "Queue"
    assert loaded.config.environment.service_environment_name == "Environment"
    assert loaded.notes == (
        "t.json: Environment has no ServiceEnvironmentName, AWS will make one up; its logical id stands for it",
        "t.json: Queue has no JobQueueName, AWS will make one up; its logical id stands for it",
    )


@pytest.mark.parametrize(
    ("link", "what", "fix"),
    [
        ({"Ref": "Queu"}, 'there is no "Queu" in the template', "did you mean Queue?"),
        ({"Fn::GetAtt": ["Queu", "JobQueueArn"]}, 'there is no "Queu" in the template', "did you mean Queue?"),
        ({"Fn::Sub": "${Queu.JobQueueArn}"}, 'there is no "Queu" in the template', "did you mean Queue?"),
        ({"Fn::GetAtt": ["Queue", "Arn"]}, '"Arn" is not the ARN of "Queue"', "did you mean Queue.JobQueueArn?"),
        (
            {"Ref": "Environment"},
            'Environment is "AWS::Batch::ServiceEnvironment", not AWS::Batch::JobQueue',
            "refer to a resource of type AWS::Batch::JobQueue.",
        ),
        (
            {"Ref": "Bucket"},
            'what Bucket, "AWS::S3::Bucket", gives is known after deployment only',
            "write the name out, or give the output of `aws batch list-quota-shares` of what is deployed.",
        ),
        ({"Fn::GetAtt": ["Queue"]}, "Fn::GetAtt does not name a resource and an attribute", None),
        ({"Fn::GetAtt": {"Ref": "Queue"}}, "Fn::GetAtt does not name a resource and an attribute", None),
        ({"Ref": ["Queue"]}, "Ref does not name a parameter or resource", None),
        ({"Fn::Sub": ["${A}"]}, "Fn::Sub does not hold a text", None),
        ({"Fn::Sub": "x/${Queue}"}, "a link to Queue stands inside a text", None),
        ({"Ref": "Queue", "Fn::If": []}, "other keys stand beside Ref", None),
        ({"Fn::Sub": "arn:aws:batch:a:b:job-queue/${AWS::StackName}"}, None, None),
    ],
    ids=str,
)
def test_a_link_that_leads_nowhere_is_refused(refused, write, link, what, fix):
    given = template(QS1={"JobQueue": link})
    given["Resources"]["Bucket"] = {"Type": "AWS::S3::Bucket"}
    error = refused(write("t.json", given))
    assert error.what == (what or "the name at the end of the ARN depends on AWS::StackName")
    assert error.fix == (fix or error.fix)
    assert error.where.endswith(f", {FIELD}.JobQueue")


@pytest.mark.parametrize("name", [{"Ref": "AWS::StackName"}, {"Fn::Sub": "${AWS::StackName}-vision"}], ids=str)
def test_a_name_that_depends_on_the_stack_is_refused_with_a_way_out(refused, write, name):
    error = refused(write("t.json", template(QS1={"QuotaShareName": name})))
    assert error.what == "the value depends on AWS::StackName"
    assert "aws batch list-quota-shares" in error.fix


@pytest.mark.parametrize(
    "name", [{"Fn::GetAtt": ["Queue", "JobQueueArn"]}, {"Ref": "QS1"}, {"Fn::Sub": "${QS1}"}], ids=str
)
def test_a_link_is_no_name(refused, write, name):
    error = refused(write("t.json", template(QS1={"QuotaShareName": name})))
    assert error.what.startswith("a link to ") and error.what.endswith(" stands where a plain value is expected")


def test_a_dynamic_reference_is_refused(refused, write):
    error = refused(write("t.json", template(QS1={"QuotaShareName": "{{resolve:ssm:/name}}"})))
    assert error.what == '"{{resolve:ssm:/name}}" is a dynamic reference'


def test_substitutions_that_expand_without_end_are_refused(refused, write):
    inner: object = "x" * 100
    for _ in range(15):
        inner = {"Fn::Sub": ["${A}" * 30, {"A": inner}]}
    error = refused(write("t.json", template(QS1={"QuotaShareName": inner})))
    assert error.what == "Fn::Sub gives a text of more than 4,096 characters"


def test_substitutions_nested_without_end_are_refused(refused, write):
    inner: object = "x"
    for _ in range(200):
        inner = {"Fn::Sub": ["${A}", {"A": inner}]}
    error = refused(write("t.json", template(QS1={"QuotaShareName": inner})))
    assert error.what == "functions are nested too deeply"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ({"Fn::Sub": "${AWS::StackName}-x"}, "the value depends on AWS::StackName"),
        ({"Fn::Join": ["-", ["a", "b"]]}, "Fn::Join is not evaluated"),
    ],
    ids=str,
)
@pytest.mark.parametrize(("resource", "key"), [("Queue", "JobQueueName"), ("Environment", "ServiceEnvironmentName")])
def test_a_name_that_only_a_deployment_knows_is_the_logical_id_where_links_lead_to_it(
    read, write, name, why, resource, key
):
    loaded = read(write("t.json", template(**{resource: {key: name}})))
    names = (loaded.config.job_queue_name, loaded.config.environment.service_environment_name)
    assert names == (("Queue", "research-se") if resource == "Queue" else ("research", "Environment"))
    assert loaded.notes == (
        f"t.json: {resource} has a {key} that only a deployment knows ({why}); its logical id stands for it",
    )
    assert loaded.place("QS1", "limit", "ml.p5.48xlarge").startswith("t.json:")
