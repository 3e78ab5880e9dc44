"""What is asked, in every form in which it can be: requests, a configuration, a plan, a change set, settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from quotaproof.spec import events as ev
from quotaproof.spec.formats import load
from quotaproof.spec.formats.changes import load_change
from quotaproof.spec.formats.changes.arns import is_placeholder
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.readings import Readings

PLAN = Path(__file__).parents[4] / "examples" / "plan"
P5, G5 = "ml.p5.48xlarge", "ml.g5.xlarge"
ARN = "arn:aws:batch:us-east-1:123456789012:job-queue/research-gpu-qm/quota-share/"
FORMS = {
    "requests": {"apply": [str(PLAN / "requests")]},
    "configuration": {"new": str(PLAN / "new")},
    "change set": {"new": str(PLAN / "change-set.json")},
    "change set, applied": {"apply": [str(PLAN / "change-set.json")]},
    "Terraform plan over the queue": {"new": str(PLAN / "terraform-plan.json")},
    "Terraform plan alone": {"old": str(PLAN / "terraform-plan.json")},
}


def asked(change, new=None, **options):
    return change(*([new] if new else []), **options)


def told(change):
    return [(str(edit.verb), edit.subject, dict(edit.request)) for edit in change.edits]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_example_leads_to_the_same_queue_by_the_same_requests(change, form):
    found, first = asked(change, **FORMS[form]), asked(change, **FORMS["requests"])
    assert [s.canonical() for s in found.new.shares] == [s.canonical() for s in first.new.shares]
    assert found.new.environment.capacity == {P5: 24, G5: 30}
    assert told(found) == told(first)
    assert told(found) == [
        ("update-quota-share", "legacy-nlp", {"quotaShareArn": f"{ARN}legacy-nlp", "state": "DISABLED"}),
        ("delete-quota-share", "legacy-nlp", {"quotaShareArn": f"{ARN}legacy-nlp"}),
        (
            "update-quota-share",
            "foundation",
            {
                "quotaShareArn": f"{ARN}foundation",
                "capacityLimits": [
                    {"maxCapacity": 12, "capacityUnit": P5},
                    {"maxCapacity": 10, "capacityUnit": G5},
                ],
            },
        ),
        (
            "create-quota-share",
            "robotics",
            {
                "quotaShareName": "robotics",
                "jobQueue": "research-gpu-qm",
                "capacityLimits": [{"maxCapacity": 6, "capacityUnit": P5}],
                "resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW", "borrowLimit": 100},
                "preemptionConfiguration": {"inSharePreemption": "ENABLED"},
                "state": "ENABLED",
            },
        ),
    ]
    assert found.edits[0].why == "a share must be DISABLED before it can be deleted (rule 51)"


@pytest.mark.parametrize("form", FORMS)
def test_every_edit_of_the_example_has_a_line(change, form):
    found = asked(change, **FORMS[form])
    assert len(found.sources) == (3 if form == "requests" else 1)
    for edit in found.edits:
        name, line = edit.place.rsplit(":", 1)
        assert int(line) >= 1
        assert any(s.name == name for s in (*found.sources, *found.old.sources))


def test_settings_of_one_share_are_one_request_and_what_they_leave_out_stays(change):
    found = change(set_=["foundation.p5=12", "foundation.g5=0", "speech.borrowLimit=-1", "environment.g5=31"])
    foundation, speech, environment = found.edits
    assert foundation.events == (ev.SetLimits("foundation", {P5: 12}),)
    assert foundation.place == "--set foundation.p5=12 foundation.g5=0"
    assert speech.events == (ev.SetSharing("speech", Strategy.LEND_AND_BORROW, -1),)
    assert environment.events == (ev.SetCapacity({P5: 24, G5: 31}),)
    assert environment.request["serviceEnvironment"] == "research-gpu-se"
    assert not found.notes


@pytest.mark.parametrize(
    ("setting", "event"),
    [
        ("speech.strategy=LEND", ev.SetSharing("speech", Strategy.LEND)),
        ("legacy-nlp.strategy=LEND_AND_BORROW", ev.SetSharing("legacy-nlp", Strategy.LEND_AND_BORROW, -1)),
        ("speech.inSharePreemption=DISABLED", ev.SetInShare("speech", False)),
        ("speech.state=DISABLED", ev.SetShareState("speech", State.DISABLED)),
        ("environment.state=DISABLED", ev.SetEnvironmentState(State.DISABLED)),
        ("legacy-nlp.g5.xlarge=3", ev.SetLimits("legacy-nlp", {P5: 2, G5: 3})),
        ("environment.ml.p6.48xlarge=4", ev.SetCapacity({P5: 24, G5: 30, "ml.p6.48xlarge": 4})),
    ],
)
def test_a_setting_is_the_event_that_it_asks_for(change, setting, event):
    (edit,) = change(set_=[setting]).edits
    assert edit.events == (event,)


def test_a_share_may_have_a_unit_that_the_same_command_gives_the_environment(change):
    found = change(set_=["environment.ml.p6.48xlarge=4", "speech.p6=2"])
    assert found.new.share("speech").limits["ml.p6.48xlarge"] == 2
    assert found.notes == ("ml.p6.48xlarge is new: neither the environment nor a share has had it",)


def test_requests_count_in_their_order_and_later_ones_build_on_earlier_ones(change, write, update):
    apply = [write("1.json", [update("speech", state="DISABLED"), update("speech", limits={P5: 1})])]
    found = change(apply=apply, set_=["speech.borrowLimit=10"])
    assert [e.place.split(":")[0] for e in found.edits] == ["1.json", "1.json", "--set speech.borrowLimit=10"]
    share = found.new.share("speech")
    assert (share.state, share.limits, share.borrow_limit) == (State.DISABLED, {P5: 1}, 10)


def test_a_share_is_named_by_its_arn_or_by_its_name_in_the_field_of_the_arn(change, write):
    found = change(apply=[write("u.json", {"quotaShareArn": "speech", "state": "DISABLED"})])
    assert found.edits[0].request == {"quotaShareArn": f"{ARN}speech", "state": "DISABLED"}


def test_a_unit_that_a_request_leaves_out_falls_away_and_that_is_said(change, write, update):
    found = change(apply=[write("u.json", update("foundation", limits={P5: 12}))])
    assert found.new.share("foundation").limits == {P5: 12}
    (note,) = found.notes
    assert note.startswith(f"foundation: {G5} is not in the request, so its limit of 10 falls away") and "A10" in note
    found = change(apply=[write("e.json", {"serviceEnvironment": "research-gpu-se", "capacityLimits": [
        {"maxCapacity": 24, "capacityUnit": P5}]})])  # fmt: skip
    assert found.notes[0].startswith(f"environment research-gpu-se: {G5} is not in the request, so its 30 fall away")


@pytest.mark.parametrize(("reading", "left"), [("resets", None), ("keeps", 50)])
def test_a_strategy_without_a_borrow_limit_leaves_what_the_reading_says_and_that_is_said(
    change, write, update, reading, left
):
    request = update("speech", resourceSharingConfiguration={"strategy": "LEND_AND_BORROW"}, state="DISABLED")
    found = change(apply=[write("u.json", request)], A9=reading)
    assert found.new.share("speech").borrow_limit == left
    assert any(f"A9={reading}" in note for note in found.notes)
    assert found.edits[0].request == request


def test_a_request_that_changes_nothing_is_no_edit_and_a_note(change, write, update):
    found = change(apply=[write("u.json", update("speech", state="ENABLED"))])
    assert found.edits == () and found.notes == ("u.json:2: it changes nothing; share speech is so already",)


def test_a_disabled_share_is_deleted_by_one_request(change, write, update):
    found = change(apply=[write("a.json", update("speech", state="DISABLED")), write("b.json", update("speech"))])
    assert [str(e.verb) for e in found.edits] == ["update-quota-share", "delete-quota-share"]
    assert not any(e.why for e in found.edits)


def test_tags_of_a_create_request_reach_aws(change, write):
    tree = json.loads((PLAN / "requests" / "3-robotics.json").read_text())
    found = change(apply=[write("c.json", {**tree, "tags": {"team": "robots"}})])
    assert found.edits[0].request == {**tree, "tags": {"team": "robots"}}


def test_what_looks_like_a_new_name_ends_jobs(change, tmp_path):
    renamed = (PLAN / "live" / "list-quota-shares.json").read_text().replace("legacy-nlp", "nlp")
    for file in (PLAN / "live").iterdir():
        (tmp_path / file.name).write_text(renamed if file.name.startswith("list") else file.read_text())
    found = change(str(tmp_path))
    assert found.notes[-1] == (
        "legacy-nlp goes and nlp comes with the same limits; AWS renames nothing, so the jobs of legacy-nlp end"
    )
    assert [str(e.verb) for e in found.edits] == ["update-quota-share", "delete-quota-share", "create-quota-share"]


def test_a_share_that_is_deleted_and_made_anew_loses_its_jobs(change, write, update):
    robotics = json.loads((PLAN / "requests" / "3-robotics.json").read_text())
    again = write("2.json", {**robotics, "quotaShareName": "legacy-nlp"})
    found = change(apply=[write("1.json", update("legacy-nlp")), again])
    assert found.notes == ("legacy-nlp is deleted and made anew, so its jobs end",)
    assert found.new.share("legacy-nlp").limits == {P5: 6}


def test_without_an_environment_both_sides_have_room_for_all_limits(change, tmp_path):
    shares = (PLAN / "live" / "list-quota-shares.json").read_text()
    (tmp_path / "list.json").write_text(shares)
    found = change(old=str(tmp_path), set_=["foundation.p5=20"])
    assert found.old.config.environment.capacity == found.new.environment.capacity == {P5: 28, G5: 30}
    assert "the capacity is taken as the larger of the sums of limits before and after" in found.notes
    found = change(str(PLAN / "live"), old=str(tmp_path))
    assert found.edits == () and found.new.environment.capacity == {P5: 24, G5: 30}
    found = change(str(tmp_path))
    assert found.edits == () and "NEW gives no environment; the one of OLD stays" in found.notes


def test_files_that_ask_for_nothing_are_left_out_with_a_reason(change, write):
    job = {"jobId": "51f2a0de-6a3e-4f77-8d8c-9a7a2d0e7c11", "schedulingPriority": 4}
    found = change(apply=[str(PLAN / "requests"), write("job.json", job)])
    assert len(found.edits) == 4
    assert found.left_out == ("job.json, update-service-job: it changes no share and no capacity of an environment",)


def test_arns_are_those_of_the_files_else_made_from_the_queue_else_clearly_placeholders(change, write, update):
    assert change(apply=[str(PLAN / "requests")]).arns.share("robotics") == f"{ARN}robotics"
    own = str(PLAN / "new")
    arn = change(old=own, set_=["speech.p5=1"]).edits[0].request["quotaShareArn"]
    assert arn == "arn:aws:batch:REGION:ACCOUNT:job-queue/research-gpu-qm/quota-share/speech" and is_placeholder(arn)
    found = change(old=own, apply=[write("u.json", update("speech", state="DISABLED"))], set_=["foundation.p5=1"])
    assert found.edits[1].request["quotaShareArn"] == f"{ARN}foundation"


def test_an_environment_whose_name_no_file_gives_has_a_placeholder_until_a_request_names_it(change, write):
    own = str(PLAN / "new")
    (edit,) = change(old=own, set_=["environment.p5=30"]).edits
    assert edit.request["serviceEnvironment"] == "ENVIRONMENT" and edit.subject == "research-gpu-qm"
    named = write("e.json", {"serviceEnvironment": "gpu-se", "state": "DISABLED"})
    found = change(old=own, apply=[named], set_=["environment.p5=30"])
    assert [e.request["serviceEnvironment"] for e in found.edits] == ["gpu-se", "gpu-se"]
    assert found.notes == ("environment gpu-se is taken as the one of research-gpu-qm: no file says which it is",)


def test_a_new_environment_is_another_queue_and_only_its_capacity_is_compared(change, tmp_path):
    for file in (PLAN / "live").iterdir():
        text = file.read_text().replace("research-gpu-se", "other-se").replace(": 24", ": 25")
        (tmp_path / file.name).write_text(text)
    found = change(str(tmp_path))
    (edit,) = found.edits
    assert (edit.request["serviceEnvironment"], edit.events) == ("research-gpu-se", (ev.SetCapacity({P5: 25, G5: 30}),))
    assert found.notes[0].startswith("NEW's environment is other-se, not research-gpu-se")


def test_the_example_of_what_comes_is_a_queue_of_its_own():
    found = load([str(PLAN / "new")], readings=Readings())
    assert [s.name for s in found.config.shares] == ["foundation", "speech", "prod-retrain", "robotics"]


def test_aws_samples_of_updates_are_read(samples):
    inputs = samples / "inputs"
    created = [str(p) for p in sorted(inputs.glob("0[1-4]_*.json"))]
    apply = [str(inputs / "07_update-quota-share_disable.json")]
    apply += [str(inputs / "08_update-service-environment_capacity.json")]
    found = load_change(created, apply=apply, readings=Readings())
    assert [e.events for e in found.edits] == [
        (ev.SetShareState("QS3", State.DISABLED),),
        (ev.SetCapacity({G5: 2}),),
    ]
    both = load_change(created, [str(samples / "iac" / "cloudformation_demo.yaml")], readings=Readings())
    assert both.edits == ()
