"""CloudFormation templates: what is read of them, what is left out and said, and what is refused instead of being lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .templates import at, template

FIELD = "Resources.QS1.Properties"


def test_the_sample_is_read_with_its_lines(read, samples):
    loaded = read(samples / "iac" / "cloudformation_demo.yaml")
    assert [s.kind for s in loaded.sources] == ["CloudFormation template"]
    assert loaded.notes == loaded.left_out == ()
    assert loaded.config.job_queue_name == "my-sm-training-qm-jq"
    assert loaded.config.environment.capacity == {"ml.g5.xlarge": 3}
    assert [(s.name, s.strategy, s.borrow_limit, s.in_share) for s in loaded.config.shares] == [
        ("QS1", "LEND_AND_BORROW", 200, True),
        ("QS2", "LEND", None, False),
        ("QS3", "RESERVE", None, False),
    ]
    assert loaded.place("QS2", "strategy") == "cloudformation_demo.yaml:44"
    assert loaded.place(None, "capacity", "ml.g5.xlarge") == "cloudformation_demo.yaml:16"


@pytest.mark.parametrize(
    ("change", "where", "near"),
    [
        ({"CapacityLimit": []}, f", {FIELD}.CapacityLimit", "did you mean CapacityLimits?"),
        (
            {"ResourceSharingConfiguration": {"Strategy": "LEND", "BorowLimit": 3}},
            f", {FIELD}.ResourceSharingConfiguration.BorowLimit",
            "did you mean BorrowLimit?",
        ),
        ({"quotaShareName": "x"}, "quotaShareName", "did you mean QuotaShareName?"),
    ],
)
def test_unknown_properties_are_refused_with_the_nearest_name(refused, write, change, where, near):
    error = refused(write("t.json", template(QS1=change)))
    assert error.what.startswith("there is no field ")
    assert error.where.endswith(where)
    assert error.fix == near


def test_what_a_share_lacks_is_called_as_cloudformation_calls_it(refused, write):
    for name in ("QuotaShareName", "JobQueue", "CapacityLimits"):
        given = template()
        del at(given, "QS1")[name]
        assert refused(write("t.json", given)).what == f"{name} is missing"


@pytest.mark.parametrize("function", ["Fn::If", "Fn::FindInMap", "Fn::Join", "Fn::Select", "Fn::ImportValue"])
def test_a_function_that_is_not_evaluated_is_named_with_its_path_and_a_way_out(refused, write, function):
    limits = [{"CapacityUnit": "ml.p5.48xlarge", "MaxCapacity": {function: ["A", "B", "C"]}}]
    error = refused(write("t.json", template(QS1={"CapacityLimits": limits})))
    assert error.what == f"{function} is not evaluated"
    assert error.where.endswith(f", {FIELD}.CapacityLimits[0].MaxCapacity")
    assert "write the value out" in error.fix and "aws batch list-quota-shares" in error.fix


@pytest.mark.parametrize("field", ["CapacityLimits", "JobQueue", "State", "ResourceSharingConfiguration"])
def test_a_function_is_refused_wherever_its_value_matters(refused, write, field):
    error = refused(write("t.json", template(QS1={field: {"Fn::If": ["A", "B", "C"]}})))
    assert error.where.endswith(f", {FIELD}.{field}")


def test_a_function_beside_properties_is_refused(refused, write):
    error = refused(write("t.json", template(QS1={"Fn::Transform": {"Name": "AWS::Include"}})))
    assert error.what == "Fn::Transform is not evaluated"
    assert "--template-stage Processed" in error.fix


def test_functions_are_fine_where_nothing_depends_on_them(read, write):
    function = {"Fn::If": ["A", {"Ref": "Nobody"}, {"Fn::ImportValue": "x"}]}
    given = template(
        QS1={"Tags": {"team": function}},
        Queue={"Priority": function, "JobStateTimeLimitActions": [function], "Tags": function},
    )
    assert read(write("t.json", given)).config == read(write("u.json", template())).config


def test_a_condition_on_a_share_is_refused(refused, write):
    given = template()
    given["Resources"]["QS1"]["Condition"] = "IsProd"
    error = refused(write("t.json", given))
    assert error.what == "whether QS1 exists depends on a Condition"
    assert error.where.endswith(", Resources.QS1.Condition")


@pytest.mark.parametrize("name", ["Fn::ForEach::Shares", "Fn::Transform"])
def test_what_makes_resources_is_refused(refused, write, name):
    given = template()
    given["Resources"][name] = ["Name", ["a"], {}]
    error = refused(write("t.json", given))
    assert error.what == f"{name} is not evaluated"
    assert "--template-stage Processed" in error.fix


def test_a_link_cannot_stand_for_a_resource(refused, write):
    given = template()
    given["Resources"]["QS1"] = {"Ref": "Queue"}
    assert refused(write("t.json", given)).what == "Ref cannot stand here"


@pytest.mark.parametrize(
    "transform", [{"Transform": "Macro"}, {"Transform": ["Macro"]}, {"Fn::Transform": {"Name": "AWS::Include"}}]
)
def test_a_macro_over_the_template_is_refused(refused, write, transform):
    error = refused(write("t.json", template() | transform))
    assert error.what.startswith("the template is rewritten by ")
    assert "--template-stage Processed" in error.fix


def test_transforms_that_leave_batch_alone_are_fine(read, write):
    transforms = ["AWS::Serverless-2016-10-31", "AWS::LanguageExtensions"]
    assert read(write("t.json", template() | {"Transform": transforms})).config.share("QS1")


def test_a_misspelt_type_is_refused_and_not_left_out(refused, write):
    given = template()
    given["Resources"]["QS1"]["Type"] = "AWS::Batch::QuotaShares"
    error = refused(write("t.json", given))
    assert error.what == 'there is no resource type "AWS::Batch::QuotaShares"'
    assert error.fix == "did you mean AWS::Batch::QuotaShare?"


def test_a_nested_stack_is_left_out_and_said(read, write):
    given = template()
    given["Resources"] |= {
        "More": {"Type": "AWS::CloudFormation::Stack", "Properties": {"TemplateURL": "x"}},
        "Bucket": {"Type": "AWS::S3::Bucket", "Condition": "IsProd"},
    }
    assert read(write("t.json", given)).left_out == (
        "t.json: More, AWS::CloudFormation::Stack: its resources are in a template of its own; give that file as well",
    )


def test_a_template_without_shares_is_left_out_with_the_reason(read, write):
    other = {"Resources": {"Bucket": {"Type": "AWS::S3::Bucket"}}, "Transform": "Macro"}
    loaded = read(write("t.json", template()), write("other.json", other))
    assert loaded.left_out == (
        "other.json: a template without quota shares, job queues or service environments; "
        "its transforms may add some: Macro",
    )


def test_the_output_of_get_template_is_read(read, write):
    path = write("t.json", {"TemplateBody": template(), "StagesAvailable": ["Processed"]})
    loaded = read(path)
    assert loaded.config == read(write("u.json", template())).config
    line = int(loaded.place("QS1", "share").split(":")[1])
    assert Path(path).read_text().split("\n")[line - 1].strip() == '"QuotaShareName": "QS1",'


def test_a_template_as_a_text_in_json_is_refused_with_a_way_out(refused, write):
    error = refused(write("t.json", {"TemplateBody": json.dumps(template())}))
    assert error.what == "the template is a text inside JSON"
    assert "--output text" in error.fix


@pytest.mark.parametrize(
    "spoilt",
    [
        {"Resources": []},
        {"Resources": {"QS1": []}},
        {"Resources": {"QS1": {}}},
        {"Resources": {"QS1": {"Type": 3}}},
        {"Resources": {"QS1": {"Type": "AWS::Batch::QuotaShare", "Properties": []}}},
        {"Resources": {}, "Parameters": []},
        {"TemplateBody": 3},
    ],
    ids=str,
)
def test_what_is_no_template_is_refused(refused, write, spoilt):
    assert refused(write("t.json", spoilt)).where.startswith("t.json")


def test_a_template_file_is_found_in_a_folder_in_both_notations(read, write, tmp_path, examples):
    write("a.template", json.dumps(template()))
    assert [s.name for s in read(tmp_path).sources] == ["a.template"]
    write("a.template", (examples / "forms" / "cloudformation.yaml").read_text())
    assert read(tmp_path).config.job_queue_name == "my-sm-training-qm-jq"
