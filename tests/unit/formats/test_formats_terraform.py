"""Terraform's plans and states: which values count, what is said about the rest, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from quotaproof.spec.formats.document import Document
from quotaproof.spec.formats.items import ShareItem
from quotaproof.spec.formats.terraform import configuration
from quotaproof.spec.readings import Readings

from ...support.terraform import UNKNOWN, block, data, environment, plan, queue, resource, share, state


@pytest.mark.parametrize("name", ["terraform-plan.json", "terraform-state.json"])
def test_the_walkthrough_as_terraform_wrote_it_is_the_walkthrough(read, examples, name):
    assert read(examples / "forms" / name).config == read(examples / "walkthrough").config


def test_the_kinds_are_named(read, examples):
    kinds = [read(examples / "forms" / f"terraform-{name}.json").sources[0].kind for name in ("plan", "state")]
    assert kinds == ["Terraform plan", "Terraform state"]


def test_a_state_counts_as_it_is(read, write):
    loaded = read(write("state.json", state(environment(), queue(), share("vision"), share("speech", at="y"))))
    assert loaded.config.job_queue_name == "research"
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 16}
    assert [s.name for s in loaded.config.shares] == ["vision", "speech"]
    assert not loaded.notes
    assert not loaded.left_out


def test_a_plan_is_judged_by_what_it_leads_to(read, write):
    limits = [{"capacity_unit": "ml.p5.48xlarge", "max_capacity": 5}]
    document = plan(share(capacity_limits=limits), prior=[share()], actions={share()["address"]: ["update"]})
    assert read(write("plan.json", document)).config.share("vision").limits == {"ml.p5.48xlarge": 5}


def test_null_is_absent(read, write):
    sharing = {"strategy": "LEND_AND_BORROW", "borrow_limit": None}
    loaded = read(write("state.json", state(share(resource_sharing_configuration=sharing, state=None))))
    assert loaded.config.share("vision").borrow_limit is None
    assert loaded.config.share("vision").state == "ENABLED"


def test_every_place_is_a_line_of_the_file(read, write):
    path = write("state.json", state(environment(), queue(), share()))
    lines = Path(path).read_text().splitlines()
    loaded = read(path)

    def line(*of):
        return lines[int(loaded.place(*of).split(":")[1]) - 1]

    assert '"quota_share_name": "vision"' in line("vision", "share")
    assert '"max_capacity": 2' in line("vision", "limit", "ml.p5.48xlarge")
    assert '"borrow_limit": 50' in line("vision", "borrowLimit")
    assert '"in_share_preemption"' in line("vision", "inSharePreemption")
    assert '"max_capacity": 16' in line(None, "capacity", "ml.p5.48xlarge")


def test_what_the_provider_fills_in_counts_as_aws_default_and_is_counted(read, write):
    sharing = {"strategy": "LEND_AND_BORROW", "borrow_limit": UNKNOWN}
    made = share(resource_sharing_configuration=sharing, state=UNKNOWN)
    loaded = read(write("plan.json", plan(queue(), environment(state=UNKNOWN), made)))
    assert loaded.config.share("vision").borrow_limit is None
    assert loaded.notes == (
        "plan.json: 3 values known only after apply, taken as AWS's default: state (ENABLED) of research-se, vision; "
        "borrow_limit (-1, no maximum) of vision",
    )


def test_what_the_provider_fills_in_is_taken_from_the_prior_state_of_the_same_address(read, write):
    sharing = {"strategy": "LEND_AND_BORROW", "borrow_limit": UNKNOWN}
    document = plan(
        share(resource_sharing_configuration=sharing, state=UNKNOWN),
        prior=[share(state="DISABLED")],
        actions={share()["address"]: ["update"]},
    )
    path = write("plan.json", document)
    loaded = read(path)
    assert loaded.config.share("vision").state == "DISABLED"
    assert loaded.config.share("vision").borrow_limit == 50
    assert "plan.json: 2 values known only after apply, taken from the prior state: state of vision, borrow_limit of " \
        "vision" in loaded.notes  # fmt: skip
    line = int(loaded.place("vision", "state").split(":")[1])
    assert '"DISABLED"' in Path(path).read_text().splitlines()[line - 1]


def test_the_prior_state_of_a_resource_that_is_made_anew_does_not_count(read, write):
    document = plan(
        share(state=UNKNOWN),
        prior=[share(state="DISABLED")],
        actions={share()["address"]: ["delete", "create"]},
    )
    assert read(write("plan.json", document)).config.share("vision").state == "ENABLED"


@pytest.mark.parametrize(
    ("values", "field", "named"),
    [
        ({"capacity_limits": [{"capacity_unit": "u", "max_capacity": UNKNOWN}]}, "max_capacity", "capacity_limits"),
        ({"capacity_limits": [{"capacity_unit": UNKNOWN, "max_capacity": 1}]}, "capacity_unit", "capacity_limits"),
        ({"capacity_limits": [UNKNOWN]}, "capacity_limits", "capacity_limits"),
        ({"capacity_limits": UNKNOWN}, "capacity_limits", "capacity_limits"),
        ({"resource_sharing_configuration": UNKNOWN}, "resource_sharing_configuration", "other"),
        ({"resource_sharing_configuration": {"strategy": UNKNOWN}}, "strategy", "other"),
        ({"preemption_configuration": {"in_share_preemption": UNKNOWN}}, "in_share_preemption", "other"),
    ],
)
def test_a_required_value_that_is_not_known_is_refused_with_the_way_out(refused, write, values, field, named):
    config = {"resources": [block("share", **{named: ["terraform_data.n.output", "terraform_data.n"]})]}
    document = plan(share(**values), prior=[share()], configuration=config, actions={share()["address"]: ["update"]})
    error = refused(write("plan.json", document))
    assert error.what == f"{field} of awscc_batch_quota_share.x is known only after apply"
    assert ("terraform_data.n.output" in error.why) == (named == "capacity_limits")
    assert error.where.startswith("plan.json:")
    assert "share vision" in error.where
    assert "terraform show -json" in error.fix


def test_a_default_does_not_stand_for_a_value_the_configuration_derives_from_something_unknown(refused, write):
    made = share(resource_sharing_configuration={"strategy": "LEND_AND_BORROW", "borrow_limit": UNKNOWN})
    config = {"resources": [block("share", resource_sharing_configuration=["terraform_data.n.output"])]}
    error = refused(write("plan.json", plan(made, configuration=config)))
    assert error.what == "borrow_limit of awscc_batch_quota_share.x is known only after apply"
    assert error.why == "It comes from terraform_data.n.output."


def test_the_borrow_limit_of_a_share_that_does_not_borrow_may_stay_open(read, write):
    made = share(resource_sharing_configuration={"strategy": "LEND", "borrow_limit": UNKNOWN})
    config = {"resources": [block("share", resource_sharing_configuration=["terraform_data.n.output", "local.a"])]}
    loaded = read(write("plan.json", plan(made, queue(), environment(), configuration=config)))
    assert loaded.config.share("vision").borrow_limit is None
    assert [note for note in loaded.notes if "borrow_limit (-1, no maximum) of vision" in note] == list(loaded.notes)


def test_a_plan_that_says_null_for_what_is_required_is_refused(refused, write):
    made = share(resource_sharing_configuration={"strategy": None, "borrow_limit": UNKNOWN})
    error = refused(write("plan.json", plan(made)))
    assert error.what == "strategy is missing"


def test_a_default_beside_a_local_value_is_said(read, write):
    made = share(resource_sharing_configuration={"strategy": "LEND_AND_BORROW", "borrow_limit": UNKNOWN})
    config = {"resources": [block("share", resource_sharing_configuration=["local.percent", "each.key"])]}
    loaded = read(write("plan.json", plan(made, configuration=config)))
    assert "plan.json: not followed, because Terraform's JSON lacks it: local.percent in borrow_limit of vision" in (
        loaded.notes
    )


def test_what_a_plan_destroys_does_not_count_and_is_named(read, write):
    document = plan(share("vision"), prior=[share("vision"), share("speech", at="y")])
    loaded = read(write("plan.json", document))
    assert [s.name for s in loaded.config.shares] == ["vision"]
    assert loaded.notes[0] == "plan.json: destroyed by the plan and not counted: 1 resource, awscc_batch_quota_share.y"


def test_what_a_plan_forgets_is_kept_in_aws(read, write):
    gone = share("speech", at="y")
    document = plan(share("vision"), prior=[share("vision"), gone], actions={gone["address"]: ["forget"]})
    assert (
        "forgotten by the plan and not counted, though kept in AWS: 1 resource"
        in (read(write("plan.json", document)).notes[0])
    )


def test_the_prior_side_of_a_plan_can_be_read_as_a_configuration():
    document = plan(share("vision"), prior=[share("vision"), share("speech", at="y")])
    found = configuration(Document("plan.json", document, dict), "prior", Readings())
    assert [item.name for item in found if isinstance(item, ShareItem)] == ["vision", "speech"]


def test_a_plan_made_with_target_is_refused(refused, write):
    partial = {**plan(share()), "complete": False}
    assert "-target" in refused(write("plan.json", partial)).what
    silent = plan(share("vision"), prior=[share("vision"), share("speech", at="y")])
    silent["resource_changes"] = []
    error = refused(write("old.json", silent))
    assert error.what == "the plan says nothing about awscc_batch_quota_share.y, which exists"


def test_a_plan_that_met_an_error_is_refused(refused, write):
    error = refused(write("plan.json", {**plan(share()), "errored": True}))
    assert error.what == "Terraform met an error while it made this plan"
    assert "errored" in error.where


def test_data_sources_are_left_out_and_said(read, write):
    other = data("queue", "other", job_queue_name="elsewhere")
    for document in (plan(share(), prior=[other], actions={other["address"]: ["read"]}), state(share(), other)):
        loaded = read(write("some.json", document))
        assert loaded.config.job_queue_name == "research"
        assert any("data.awscc_batch_job_queue.other" in line for line in loaded.left_out)


def test_a_deposed_object_does_not_count_and_is_said(read, write):
    old = {**share("old"), "deposed_key": "0a1b2c3d"}
    loaded = read(write("state.json", state(share("new"), old)))
    assert [s.name for s in loaded.config.shares] == ["new"]
    assert "replaced and still to be destroyed: 1 resource" in loaded.left_out[0]


def test_a_resource_without_a_known_name_is_called_after_its_address(read, write):
    made = [
        queue(UNKNOWN, at="q", module='module.team["red"]'),
        share(at="s", index="a.b", module='module.team["red"]', quota_share_name=UNKNOWN, job_queue=UNKNOWN),
    ]
    references = ["awscc_batch_job_queue.q.job_queue_arn", "awscc_batch_job_queue.q"]
    team = {"module": {"resources": [block("share", "s", job_queue=references)]}}
    loaded = read(write("plan.json", plan(*made, configuration={"module_calls": {"team": team}})))
    assert loaded.config.job_queue_name == "team-red-q"
    assert [s.name for s in loaded.config.shares] == ["team-red-s-a-b"]
    assert "plan.json: 2 resources without a known name, called after the address: team-red-q, team-red-s-a-b" in (
        loaded.notes
    )


def test_two_addresses_never_give_one_name(read, write):
    made = [share(index=key, quota_share_name=UNKNOWN) for key in ("a b", "a-b")]
    assert [s.name for s in read(write("plan.json", plan(*made))).config.shares] == ["x-a-b", "x-a-b-2"]


def test_a_name_that_the_provider_chose_is_taken_from_the_prior_state(read, write):
    document = plan(queue(UNKNOWN), share(), prior=[queue("research"), share()],
                    actions={queue()["address"]: ["update"]})  # fmt: skip
    loaded = read(write("plan.json", document))
    assert loaded.config.job_queue_name == "research"
    assert "job_queue_name of awscc_batch_job_queue.x" in loaded.notes[0]


def test_hidden_values_of_a_plan_are_there(read, write):
    made = {**share(), "sensitive_values": {"preemption_configuration": {"in_share_preemption": True}}}
    assert read(write("plan.json", plan(made))).config.share("vision").in_share


def test_fields_of_newer_providers_are_named(read, write):
    loaded = read(write("state.json", state(share(borrow_from=["a"], region=None))))
    assert loaded.left_out == ("state.json: fields that this version does not know: borrow_from",)


@pytest.mark.parametrize(
    ("values", "what", "place"),
    [
        ({"state": "ON"}, 'state cannot be "ON"', "share vision, state"),
        ({"quota_share_name": "a b"}, '"a b" is not a name', "quota_share_name"),
        ({"capacity_limits": [{"capacity_unit": "u", "max_capacity": 0}]}, "the limit is 0", "max_capacity"),
        ({"capacity_limits": [{"capacity_unit": "u", "max_capacity": "2"}]}, '"2" stands where', "max_capacity"),
        ({"capacity_limits": None}, "capacity_limits is missing", "capacity_limits"),
        ({"job_queue": None}, "job_queue is missing", "job_queue"),
    ],
)
def test_bad_values_are_refused_at_their_place(refused, write, values, what, place):
    error = refused(write("state.json", state(share(**values))))
    assert error.what.startswith(what)
    assert place in error.where


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda d: d.update(values=3), "3 stands where an object is expected"),
        (lambda d: d["values"].update(root_module=[]), "a list stands where an object is expected"),
        (lambda d: d["values"]["root_module"].update(resources={}), "an object stands where a list is expected"),
        (lambda d: d["values"]["root_module"]["resources"].append(None), "null stands where an object is expected"),
        (lambda d: d["values"]["root_module"]["resources"][0].update(address=1), "1 stands where text is expected"),
        (
            lambda d: d["values"]["root_module"]["resources"].append(share("again")),
            "awscc_batch_quota_share.x is given",
        ),
    ],
)
def test_what_is_not_of_terraforms_form_is_refused(refused, write, spoil, what):
    document = json.loads(json.dumps(state(share())))
    spoil(document)
    assert refused(write("state.json", document)).what.startswith(what)


@pytest.mark.parametrize(
    ("name", "content", "command"),
    [
        ("terraform.tfstate", {"version": 4, "terraform_version": "1.11.4", "serial": 7, "lineage": "a-b",
                               "outputs": {}, "resources": []}, "terraform show -json"),
        ("main.tf.json", {"resource": {"awscc_batch_quota_share": {}}}, "terraform plan"),
        ("main.tf", 'resource "awscc_batch_quota_share" "x" {}\n', "terraform plan"),
        ("state.json", {"format_version": "1.0"}, "the state is empty"),
    ],
)  # fmt: skip
def test_terraforms_other_files_are_left_out_with_the_command_that_makes_the_right_one(
    read, refused, write, name, content, command
):
    path = write(name, content)
    assert command in refused(path).why
    loaded = read(path, write("plan.json", plan(share())))
    assert any(line.startswith(name) and command in line for line in loaded.left_out)


def test_a_saved_plan_is_refused_with_the_command_that_shows_it(refused, write):
    error = refused(write("tfplan", b"PK\x03\x04\x14\x00"))
    assert "terraform show -json" in error.fix


def test_a_state_of_other_resources_holds_nothing(refused, write):
    error = refused(write("state.json", state(resource("aws_s3_bucket", bucket="b"))))
    assert error.what == "nothing here says how a queue is configured"


def test_queues_of_the_other_provider_are_left_out_and_said(read, write):
    loaded = read(write("state.json", state(share(), resource("aws_batch_job_queue", "old"))))
    assert loaded.left_out == (
        "state.json: of the provider hashicorp/aws, which has no quota shares: aws_batch_job_queue.old",
    )


def test_an_unknown_file_is_told_which_forms_are_known(refused, write):
    why = refused(write("some.json", {"some": 1})).why
    assert all(name in why for name in ("Terraform plan", "Terraform state", "Pulumi stack export"))
