"""Files that hold both sides of a change: what they manage, and what they say only in part."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from quotaproof.spec import events as ev

PLAN = Path(__file__).parents[4] / "examples" / "plan"
CHANGE_SET = json.loads((PLAN / "change-set.json").read_text())
TERRAFORM = json.loads((PLAN / "terraform-plan.json").read_text())
P5, G5 = "ml.p5.48xlarge", "ml.g5.xlarge"


def changed(number, **fields):
    """The example's change set with other fields in one of its changes; None deletes one."""
    tree = copy.deepcopy(CHANGE_SET)
    tree["Changes"][number]["ResourceChange"] |= fields
    kept = {k: v for k, v in tree["Changes"][number]["ResourceChange"].items() if v is not None}
    tree["Changes"][number]["ResourceChange"] = kept
    return tree


def context(number, key, **properties):
    found = json.loads(CHANGE_SET["Changes"][number]["ResourceChange"][key])
    found["Properties"] |= properties
    return json.dumps(found)


@pytest.mark.parametrize(
    ("tree", "what", "line"),
    [
        (changed(0, AfterContext=None), "the change set has no property values", 15),
        (
            changed(0, AfterContext="{"),
            "not valid JSON: expecting property name enclosed in double quotes in column 2",
            0,
        ),
        (changed(0, Action="Dynamic"), "what becomes of Foundation is not known: its Action is Dynamic", 16),
        (
            changed(2, AfterContext=context(2, "AfterContext", JobQueue="{{changeSet:KNOWN_AFTER_APPLY}}")),
            "JobQueue is known only after deployment",
            0,
        ),
        ({**CHANGE_SET, "NextToken": "x"}, "the change set is incomplete: it ends with a NextToken", 0),
        ({**CHANGE_SET, "Changes": {}}, "an object stands where a list is expected", 0),
        (
            changed(
                0, AfterContext=context(0, "AfterContext", CapacityLimits=[{"MaxCapacity": "0", "CapacityUnit": P5}])
            ),
            "the limit is 0, at least 1 is needed",
            0,
        ),
    ],
)
def test_a_change_set_that_does_not_say_everything_is_refused(mistake, write, tree, what, line):
    error = mistake(write("set.json", tree))
    assert error.what == what
    assert error.where.startswith(f"set.json:{line}" if line else "set.json:")


def test_resources_of_other_types_and_shares_of_other_queues_do_not_count(change, write):
    tree = changed(2, AfterContext=context(2, "AfterContext", JobQueue="other"))
    tree["Changes"].append(
        {"Type": "Resource", "ResourceChange": {"Action": "Modify", "ResourceType": "AWS::S3::Bucket"}}
    )
    found = change(write("set.json", tree))
    assert [e.subject for e in found.edits] == ["legacy-nlp", "legacy-nlp", "foundation"]
    assert found.left_out == ("set.json: shares of another queue, other",)


@pytest.mark.parametrize(
    ("sort", "why"),
    [
        (
            "AWS::CloudFormation::Stack",
            "what changes in a nested stack is in a change set of its own; give that as well",
        ),
        ("AWS::Batch::JobQueue", "changes of a job queue itself, which are no matter of its shares"),
    ],
)
def test_what_a_change_set_leaves_unsaid_is_left_out_with_a_reason(change, write, sort, why):
    one = {"Action": "Modify", "LogicalResourceId": "Other", "ResourceType": sort}
    tree = {**CHANGE_SET, "Changes": [*CHANGE_SET["Changes"], {"Type": "Resource", "ResourceChange": one}]}
    found = change(write("set.json", tree))
    assert len(found.edits) == 4 and found.left_out == (f"set.json: {why}",)


def test_a_change_set_of_the_environment_changes_its_capacity(change, write):
    after = {"ServiceEnvironmentName": "research-gpu-se", "ServiceEnvironmentType": "SAGEMAKER_TRAINING"}
    limits = [{"MaxCapacity": "30", "CapacityUnit": P5}, {"MaxCapacity": "30", "CapacityUnit": G5}]
    text = json.dumps({"Properties": {**after, "CapacityLimits": limits}})
    one = {"Action": "Modify", "LogicalResourceId": "Se", "ResourceType": "AWS::Batch::ServiceEnvironment",
           "BeforeContext": text.replace('"30"', '"24"', 1), "AfterContext": text}  # fmt: skip
    found = change(write("set.json", {**CHANGE_SET, "Changes": [{"Type": "Resource", "ResourceChange": one}]}))
    assert [e.events for e in found.edits] == [(ev.SetCapacity({P5: 30, G5: 30}),)]
    other = json.loads(json.dumps(one).replace("research-gpu-se", "other-se"))
    found = change(write("set.json", {**CHANGE_SET, "Changes": [{"Type": "Resource", "ResourceChange": other}]}))
    assert found.edits == ()
    assert found.left_out == ("set.json: environment other-se is not the one of research-gpu-qm, research-gpu-se",)


def test_a_queue_that_is_not_as_the_file_starts_from_is_said(change, write):
    before = context(0, "BeforeContext", CapacityLimits=[{"MaxCapacity": "15", "CapacityUnit": P5}])
    found = change(write("set.json", changed(0, BeforeContext=before)))
    assert found.notes == ("set.json: share foundation is not as OLD has it; what is planned for it counts",)
    assert found.new.share("foundation").limits[P5] == 12


def planned(write, *, actions=None, drop=()):
    """The example's plan, with other actions for a share, by name, and shares that are on neither side."""
    tree = copy.deepcopy(TERRAFORM)
    for change in tree["resource_changes"]:
        if change.get("index") in (actions or {}):
            change["change"]["actions"] = actions[change["index"]]
    for side in (tree["planned_values"], tree["prior_state"]["values"]):
        side["root_module"]["resources"] = [r for r in side["root_module"]["resources"] if r.get("index") not in drop]
    return write("plan.json", tree)


def test_a_share_that_terraform_does_not_manage_stays(change, write):
    found = change(planned(write, drop=("speech",)))
    assert "speech" in [s.name for s in found.new.shares]
    assert [e.subject for e in found.edits] == ["legacy-nlp", "legacy-nlp", "foundation", "robotics"]


def test_a_share_that_is_replaced_is_deleted_and_made_anew(change, write):
    found = change(planned(write, actions={"speech": ["delete", "create"]}))
    assert [str(e.verb) for e in found.edits if e.subject == "speech"] == [
        "update-quota-share", "delete-quota-share", "create-quota-share"
    ]  # fmt: skip
    assert "speech is deleted and made anew, so its jobs end" in found.notes


def test_a_share_that_is_forgotten_stays(change, write):
    found = change(planned(write, actions={"legacy-nlp": ["forget"]}))
    assert "legacy-nlp" in [s.name for s in found.new.shares]
    assert any("forgotten by the plan" in note for note in found.notes)


def test_a_plan_that_starts_from_nothing_has_no_old(mistake, write):
    tree = {k: v for k, v in TERRAFORM.items() if k != "prior_state"}
    error = mistake(old=write("plan.json", tree))
    assert error.what == "the plan starts from nothing" and "quotaproof verify" in error.fix


def test_over_a_queue_that_exists_such_a_plan_creates(change, write):
    tree = {k: v for k, v in TERRAFORM.items() if k != "prior_state"}
    found = change(write("plan.json", tree))
    assert [e.subject for e in found.edits] == ["foundation", "robotics"]
