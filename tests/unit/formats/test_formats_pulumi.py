"""Pulumi's stack exports: which values count, what is said about the rest, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"
UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
HIDDEN = {SIGNATURE: SECRET, "ciphertext": "v1:abc"}


def resource(kind, name, *, outputs=None, inputs=None, **more):
    """A resource of aws-native's batch module, as a stack export has it."""
    urn = f"urn:pulumi:prod::ml::aws-native:batch:{kind}::{name}"
    type_ = f"aws-native:batch:{kind}"
    return {"urn": urn, "custom": True, "type": type_, "inputs": inputs or {}, "outputs": outputs or {}, **more}


@pytest.fixture
def made(share):
    """A share; keyword arguments replace its outputs, None deletes one."""

    def made(name="vision", *, inputs=None, more=None, **outputs):
        return resource("QuotaShare", name, outputs=share(name, **outputs), inputs=inputs, **(more or {}))

    return made


def export(*resources, **deployment):
    return {"version": 3, "deployment": {"manifest": {}, "resources": list(resources), **deployment}}


def test_the_walkthrough_as_a_stack_is_the_walkthrough(read, examples):
    loaded = read(examples / "forms" / "pulumi-stack.json")
    assert loaded.config == read(examples / "walkthrough").config
    assert loaded.sources[0].kind == "Pulumi stack export"
    assert not loaded.notes
    assert not loaded.left_out


def test_every_place_is_a_line_of_the_file(read, write, made, environment):
    path = write("stack.json", export(resource("ServiceEnvironment", "e", outputs=environment()), made()))
    lines = Path(path).read_text().splitlines()
    loaded = read(path)

    def line(*of):
        return lines[int(loaded.place(*of).split(":")[1]) - 1]

    assert '"quotaShareName": "vision"' in line("vision", "share")
    assert '"maxCapacity": 2' in line("vision", "limit", "ml.p5.48xlarge")
    assert '"borrowLimit": 50' in line("vision", "borrowLimit")
    assert '"maxCapacity": 16' in line(None, "capacity", "ml.p5.48xlarge")


def test_outputs_count_before_inputs(read, write, made):
    asked = {"state": "ENABLED", "jobQueue": "asked"}
    config = read(write("stack.json", export(made(state="DISABLED", inputs=asked)))).config
    assert (config.share("vision").state, config.job_queue_name) == ("DISABLED", "research")


def test_what_is_not_answered_counts_as_it_was_asked_for(read, write, made):
    path = write("stack.json", export(made(state=None, inputs={"state": "DISABLED", "__defaults": []})))
    loaded = read(path)
    assert loaded.config.share("vision").state == "DISABLED"
    line = int(loaded.place("vision", "state").split(":")[1])
    assert '"DISABLED"' in Path(path).read_text().splitlines()[line - 1]


@pytest.mark.parametrize("mark", ["delete", "pendingReplacement"])
def test_resources_pending_deletion_do_not_count_and_are_said(read, write, made, mark):
    loaded = read(write("stack.json", export(made("vision"), made("speech", more={mark: True}))))
    assert [s.name for s in loaded.config.shares] == ["vision"]
    assert loaded.left_out == ("stack.json: 1 resource that Pulumi has deleted or is about to delete: speech",)


def test_an_interrupted_update_is_said(read, write, made):
    operation = {"type": "updating", "resource": made()}
    loaded = read(write("stack.json", export(made(), pending_operations=[operation])))
    assert "an update was interrupted (1 pending)" in loaded.notes[0]


@pytest.mark.parametrize("field", ["state", "capacityLimits", "jobQueue", "resourceSharingConfiguration"])
def test_a_secret_in_a_field_that_matters_is_refused_with_the_way_out(refused, write, made, field):
    error = refused(write("stack.json", export(made(**{field: HIDDEN}))))
    assert error.what == f"{field} is encrypted or no plain value"
    assert error.fix == "run `pulumi stack export --show-secrets`."
    assert error.where.startswith("stack.json:")
    assert error.where.endswith(field)


def test_a_secret_that_is_shown_counts(read, write, made):
    shown = {SIGNATURE: SECRET, "plaintext": '{"strategy": "RESERVE"}'}
    config = read(write("stack.json", export(made(resourceSharingConfiguration=shown)))).config
    assert config.share("vision").strategy == "RESERVE"


@pytest.mark.parametrize("text", ["{", "NaN", '{"a": 1, "a": 2}', "[" * 5000])
def test_a_shown_secret_that_is_no_json_is_refused(refused, write, made, text):
    error = refused(write("stack.json", export(made(state={SIGNATURE: SECRET, "plaintext": text}))))
    assert error.what == "state is encrypted or no plain value"


@pytest.mark.parametrize(
    ("outputs", "field"),
    [
        ({"state": UNKNOWN}, "state"),
        ({"capacityLimits": [{"maxCapacity": UNKNOWN, "capacityUnit": "u"}]}, "maxCapacity"),
        ({"jobQueue": UNKNOWN}, "jobQueue"),
    ],
)
def test_an_unknown_value_in_a_field_that_matters_is_refused_with_the_way_out(refused, write, made, outputs, field):
    error = refused(write("stack.json", export(made(**outputs))))
    assert error.what == f"Pulumi does not know {field} yet"
    assert "pulumi refresh" in error.fix
    assert error.where.endswith(field)


def test_secrets_and_unknown_values_elsewhere_do_not_matter(read, write, made):
    spoilt = made(tags=HIDDEN, inputs={"state": UNKNOWN, "capacityLimits": HIDDEN})
    other = {"urn": "urn:pulumi:prod::ml::aws:s3/bucket:Bucket::b", "type": "aws:s3/bucket:Bucket", "outputs": HIDDEN}
    loaded = read(write("stack.json", export(spoilt, other)))
    assert loaded.config == read(write("plain.json", export(made()))).config
    assert not loaded.left_out


def test_fields_of_newer_providers_are_named(read, write, made):
    loaded = read(write("stack.json", export(made(borrowFrom=["a"]))))
    assert loaded.left_out == ("stack.json: fields that this version does not know: borrowFrom",)


def test_the_queue_names_its_environment_and_policy(read, refused, write, made, environment, job_queue):
    arn = "arn:aws:batch:us-east-1:123456789012:scheduling-policy/fair"
    described = resource("JobQueue", "q", outputs=job_queue(schedulingPolicyArn=arn, state="ENABLED"))
    around = resource("ServiceEnvironment", "e", outputs=environment())
    loaded = read(write("stack.json", export(around, described, made())))
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 16}
    fair = resource("SchedulingPolicy", "p", outputs={"arn": arn, "fairsharePolicy": {"shareDecaySeconds": 1}})
    assert "fairsharePolicy" in refused(write("stack.json", export(fair, around, described, made()))).what


@pytest.mark.parametrize(
    ("outputs", "what", "place"),
    [
        ({"state": "ON"}, 'state cannot be "ON"', "share vision, state"),
        ({"jobQueue": None}, "jobQueue is missing", "share vision, jobQueue"),
        ({"capacityLimits": None}, "capacityLimits is missing", "capacityLimits"),
        (
            {"capacityLimits": [{"maxCapacity": 0, "capacityUnit": "u"}]},
            "the limit is 0",
            "capacityLimits[0].maxCapacity",
        ),
    ],
)
def test_bad_values_are_refused_at_their_place(refused, write, made, outputs, what, place):
    error = refused(write("stack.json", export(made(**outputs))))
    assert error.what.startswith(what)
    assert place in error.where


@pytest.mark.parametrize(
    ("spoil", "what"),
    [
        (lambda d: d.update(deployment=3), "3 stands where an object is expected"),
        (lambda d: d["deployment"].update(resources={}), "an object stands where a list is expected"),
        (lambda d: d["deployment"]["resources"].append(None), "null stands where an object is expected"),
        (lambda d: d["deployment"]["resources"][0].update(outputs=[]), "a list stands where an object is expected"),
        (lambda d: d["deployment"]["resources"][0].update(type=1), "1 stands where text is expected"),
        (lambda d: d["deployment"]["resources"][0].pop("urn"), "null stands where text is expected"),
    ],
)
def test_what_is_not_of_pulumis_form_is_refused(refused, write, made, spoil, what):
    document = json.loads(json.dumps(export(made())))
    spoil(document)
    assert refused(write("stack.json", document)).what == what


def test_pulumis_own_checkpoint_is_left_out_with_the_command_that_makes_the_right_file(refused, write):
    error = refused(write("prod.json", {"version": 3, "checkpoint": {"stack": "prod", "latest": {}}}))
    assert "pulumi stack export" in error.why


def test_queues_of_the_other_package_are_left_out_and_said(read, write, made):
    old = {"urn": "urn:pulumi:prod::ml::aws:batch/jobQueue:JobQueue::old", "type": "aws:batch/jobQueue:JobQueue"}
    loaded = read(write("stack.json", export(made(), old)))
    assert loaded.left_out == ("stack.json: of the package aws, which has no quota shares: old",)


@pytest.mark.parametrize("kind", ["aws-native:batch:QuotaShares", "awscc:batch/quotaShare:QuotaShare"])
def test_resources_that_may_be_shares_of_another_package_are_said(read, write, made, kind):
    other = {**resource("QuotaShare", "y"), "type": kind}
    loaded = read(write("stack.json", export(made(), other)))
    assert loaded.left_out == ("stack.json: of types that this version does not know: y",)


def test_a_form_of_a_later_version_is_refused(refused, write, made):
    error = refused(write("stack.json", {**export(made()), "version": 99}))
    assert error.what == "version 99 of the form is not known"
