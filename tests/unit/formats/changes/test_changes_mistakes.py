"""Everything that can be wrong with what is asked is one message: what, where, why and the fix."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

PLAN = Path(__file__).parents[4] / "examples" / "plan"
P5, G5 = "ml.p5.48xlarge", "ml.g5.xlarge"
TWO_P = {P5: 1, "ml.p5e.48xlarge": 1}


@pytest.mark.parametrize(
    ("setting", "what", "fix"),
    [
        ("foundaton.p5=6", 'there is no share "foundaton"', "did you mean foundation?"),
        ("enviroment.p5=6", 'there is no share "enviroment"', "did you mean environment?"),
        ("zzz.p5=6", 'there is no share "zzz"', "a share is created by a request"),
        ("foundation.p6.48xlarge=6", 'there is no unit "p6.48xlarge"', f"did you mean {P5}?"),
        ("foundation.x=6", f'"x" is a part of 2 units: {P5}, {G5}', f"write more of it, for example {P5}."),
        ("foundation.p5=six", '"six" is not a number of at least 0', "write a whole number."),
        ("foundation.p5=-1", '"-1" is not a number of at least 0', "write a whole number."),
        ("foundation.p5=1e3", '"1e3" is not a number of at least 0', "write a whole number."),
        ("foundation.borrowLimit=-2", '"-2" is not a number of at least -1', "write a whole number."),
        ("foundation.strategy=LENDS", 'strategy cannot be "LENDS"', "did you mean LEND?"),
        ("foundation.borrowlimit=3", 'there is no field "borrowlimit"', "did you mean borrowLimit?"),
        ("environment.strategy=LEND", 'there is no unit "strategy"', "write one of them"),
        ("foundation.p5", "it is not of the form SHARE.UNIT=N", "write SHARE.UNIT=N, for example foundation.p5=12."),
        ("foundation=3", "it is not of the form SHARE.UNIT=N", "write SHARE.UNIT=N, for example foundation.p5=12."),
        ("foundation.p5=", "it is not of the form SHARE.UNIT=N", "write SHARE.UNIT=N, for example foundation.p5=12."),
        ("legacy-nlp.p5=0", "share legacy-nlp would have no limit left", "to take everything away, delete the share"),
        ("legacy-nlp.borrowLimit=5", "borrowLimit 5 is given with strategy LEND", "delete borrowLimit"),
    ],
)
def test_a_setting_that_cannot_be_meant_is_refused(mistake, setting, what, fix):
    error = mistake(set_=[setting])
    assert error.what == what and error.fix.startswith(fix)
    assert error.where.startswith(f"--set {setting}")


def test_two_settings_of_one_field_are_refused(mistake):
    error = mistake(set_=["foundation.p5=6", "foundation.48xlarge=7"])
    assert error.what == f"{P5} is given two values: 6 and 7"
    assert "--set foundation.p5=6" in error.why


def test_a_whole_part_of_a_unit_counts_before_a_piece_of_one(
    change, mistake, tmp_path, write, share, environment, job_queue
):
    for number, one in enumerate((share("a", limits=TWO_P), environment(limits=TWO_P), job_queue())):
        write(f"{number}.json", one)
    assert change(old=str(tmp_path), set_=["a.p5=3"]).new.share("a").limits == {**TWO_P, P5: 3}
    error = mistake(old=str(tmp_path), set_=["a.48xlarge=3"])
    assert error.what == f'"48xlarge" is a part of 2 units: {P5}, ml.p5e.48xlarge'


def test_a_share_called_environment_is_ambiguous(mistake, tmp_path, write, share, environment, job_queue):
    for number, one in enumerate((share("environment"), environment(), job_queue())):
        write(f"{number}.json", one)
    error = mistake(old=str(tmp_path), set_=["environment.p5=3"])
    assert "environment is the service environment here and a share" in error.what


def test_an_update_of_a_share_that_does_not_exist_names_the_nearest(mistake, write, update):
    error = mistake(apply=[write("u.json", update("foundations", state="DISABLED"))])
    assert (error.what, error.fix) == ('there is no share "foundations"', "did you mean foundation?")
    assert error.where == "u.json:2, quotaShareArn"


def test_a_create_of_a_share_that_exists_is_refused(mistake, write):
    tree = json.loads((PLAN / "requests" / "3-robotics.json").read_text())
    error = mistake(apply=[write("c.json", {**tree, "quotaShareName": "speech"})])
    assert error.what == "share speech exists already" and "update-quota-share" in error.fix


def test_an_update_after_a_delete_is_refused(mistake, write, update):
    apply = [write("1.json", update("speech")), write("2.json", update("speech", state="ENABLED"))]
    error = mistake(apply=apply)
    assert (error.what, error.why) == ("share speech is deleted", "1.json:2 deletes it before.")
    assert mistake(apply=[apply[0], write("3.json", update("speech"))]).what == "share speech is deleted"


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ({"state": "DISABLED"}, {"state": "ENABLED"}, "state of share speech two values: DISABLED and ENABLED"),
        ({"limits": {P5: 3}}, {"limits": {P5: 2}}, f"limit of {P5} of share speech two values: 3 and 2"),
        ({"limits": {P5: 3}}, {"limits": {P5: 3, G5: 1}}, f"limit of {G5} of share speech two values: none and 1"),
        (
            {"resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW", "borrowLimit": 5}},
            {"resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW"}},
            "borrowLimit of share speech two values: 5 % and none given",
        ),
        (
            {"preemptionConfiguration": {"inSharePreemption": "DISABLED"}},
            {"preemptionConfiguration": {"inSharePreemption": "ENABLED"}},
            "inSharePreemption of share speech two values: DISABLED and ENABLED",
        ),
    ],
)
def test_two_requests_that_give_one_field_two_values_are_refused(mistake, write, update, first, second, what):
    error = mistake(apply=[write("1.json", update("speech", **first)), write("2.json", update("speech", **second))])
    assert error.what == f"two requests give {what}"
    assert error.why.startswith("The other is at 1.json:")
    assert error.where.startswith("2.json:")


def test_a_request_and_a_setting_or_a_configuration_may_not_disagree(mistake, change, write, update):
    apply = [write("1.json", update("speech", limits={P5: 3, G5: 8}))]
    assert f"two requests give limit of {P5}" in mistake(apply=apply, set_=["speech.p5=2"]).what
    assert change(apply=apply, set_=["speech.p5=3", "speech.g5=8"]).new.share("speech").limits == {P5: 3, G5: 8}
    new = str(PLAN / "new")
    assert f"two requests give limit of {P5}" in mistake(new, set_=["foundation.p5=11"]).what
    assert change(new, set_=["speech.p5=3"]).new.share("speech").limits[P5] == 3
    environment = {"serviceEnvironment": "research-gpu-se", "state": "DISABLED"}
    apply = [write("e.json", [environment, {**environment, "state": "ENABLED"}])]
    assert mistake(apply=apply).what == "two requests give state of the environment two values: DISABLED and ENABLED"


def test_a_request_for_another_queue_or_account_is_refused(mistake, write, update):
    arn = update("speech")["quotaShareArn"]
    error = mistake(
        apply=[write("q.json", {"quotaShareArn": arn.replace("research-gpu-qm", "other"), "state": "DISABLED"})]
    )
    assert error.what == 'the request is for queue "other", not research-gpu-qm'
    error = mistake(
        apply=[write("q.json", {"quotaShareArn": arn.replace("us-east-1", "us-west-2"), "state": "DISABLED"})]
    )
    assert error.what == "the request is for us-west-2:123456789012, the queue is in us-east-1:123456789012"
    error = mistake(
        apply=[write("q.json", {"quotaShareArn": arn.replace(":job-queue/", ":queue/"), "state": "DISABLED"})]
    )
    assert error.what.endswith("is not the ARN of a quota share")
    tree = json.loads((PLAN / "requests" / "3-robotics.json").read_text())
    error = mistake(apply=[write("c.json", {**tree, "jobQueue": "other"})])
    assert error.what == 'the request is for queue "other", not research-gpu-qm'
    assert error.where.startswith("c.json:3")


@pytest.mark.parametrize("name", ["research-gpu-sf", "x$(reboot)/research-gpu-se"])
def test_a_request_for_another_environment_is_refused(mistake, write, name):
    error = mistake(apply=[write("e.json", {"serviceEnvironment": name, "state": "DISABLED"})])
    assert error.what == f'"{name}" is not the environment of research-gpu-qm'


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"limits": {P5: 0}}, "the limit is 0, at least 1 is needed"),
        ({"limits": {}}, "there is no capacity limit"),
        ({"capacityLimits": 3}, "3 stands where a list is expected"),
        ({"resourceSharingConfiguration": {"borrowLimit": 3}}, "strategy is missing"),
        ({"resourceSharingConfiguration": {"strategy": "LEND", "borrowLimit": 3}}, "borrowLimit 3 is given with"),
        ({"state": "disabled"}, 'state cannot be "disabled"'),
        ({"preemptionConfiguration": {"inSharePreemption": True}}, "inSharePreemption cannot be true"),
    ],
)
def test_a_value_that_aws_would_refuse_is_refused_with_its_line(mistake, write, update, fields, what):
    error = mistake(apply=[write("u.json", update("speech", **fields))])
    assert error.what.startswith(what)
    assert error.where.startswith("u.json:")


def test_a_field_that_is_no_field_of_the_request_is_refused(mistake, write, update):
    error = mistake(apply=[write("u.json", update("speech", state="DISABLED", borrowLimit=3))])
    assert "unknown kind of file" in error.what


@pytest.mark.parametrize(
    "file", ["live/list-quota-shares.json", "new/queue.yaml", "live/describe-service-environments.json"]
)
def test_a_configuration_is_no_request(mistake, file):
    error = mistake(apply=[str(PLAN / file)])
    assert "says how things are, and asks for nothing" in error.what and "as NEW" in error.fix


def test_a_folder_without_a_request_is_refused(mistake, write):
    job = {"jobId": "51f2a0de-6a3e-4f77-8d8c-9a7a2d0e7c11", "schedulingPriority": 4}
    error = mistake(apply=[write("job.json", job)])
    assert error.what == "no file asks for a change of the queue" and "update-service-job" in error.why
    assert mistake(apply=[write("none.json", [])]).what == "no file asks for a change of the queue"


def test_nothing_asked_is_refused(mistake):
    assert mistake().what == "nothing is asked"


def test_new_of_another_queue_is_refused(mistake, write, share):
    error = mistake(write("n.json", share("a")))
    assert (error.what, error.where) == ("OLD is of queue research-gpu-qm, NEW is not", "NEW")


def test_a_few_create_requests_are_not_taken_for_the_whole_queue(mistake):
    error = mistake(str(PLAN / "requests" / "3-robotics.json"))
    assert error.what == "NEW has none of the shares of OLD"
    assert error.why == "It is taken as the whole queue, so all of the 4 shares would be deleted."
    assert error.fix == "give requests with --apply."


def test_a_terraform_plan_is_not_compared_with_a_third(mistake):
    error = mistake(str(PLAN / "new"), old=str(PLAN / "terraform-plan.json"))
    assert error.what == "OLD is a Terraform plan, which holds both sides, and NEW is a third"


def test_a_plan_and_a_configuration_are_not_both_what_is_to_come(mistake):
    error = mistake(str(PLAN / "new" / "queue.yaml"), str(PLAN / "change-set.json"))
    assert error.what == "change-set.json holds both sides of a change, and queue.yaml is a configuration"


def test_a_change_set_alone_is_not_the_queue(mistake):
    error = mistake(old=str(PLAN / "change-set.json"))
    assert error.what == "a change set names only what it changes" and "list-quota-shares" in error.fix


def test_cdk_diff_holds_no_side_and_the_message_says_what_does(mistake, write):
    text = "Stack Gpu\nResources\n[~] AWS::Batch::QuotaShare Foundation Foundation\n └─ [~] CapacityLimits\n"
    error = mistake(write("diff.txt", text))
    assert error.what == "the output of `cdk diff`, which is for people to read"
    assert "cdk.out" in error.fix and "--include-property-values" in error.fix
