"""Requests as commands: what AWS's own model takes, what a shell makes of them, and the folder that holds them."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from hypothesis import given, settings
from quotaproof.checker.generate.strategies import configs
from quotaproof.checker.rollout.plan.commands import commands, folder, what
from quotaproof.checker.rollout.plan.marks import README
from quotaproof.spec import events as ev
from quotaproof.spec.changes import Edit, Verb
from quotaproof.spec.formats.changes import load_change, requests
from quotaproof.spec.formats.changes.arns import Arns
from quotaproof.spec.formats.changes.difference import environment_events, share_events
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.readings import Readings

ROOT = Path(__file__).parents[3]
PLAN = ROOT / "examples" / "plan"
ARN = "arn:aws:batch:us-east-1:123456789012:job-queue/research-gpu-qm/quota-share/"
KNOWN = Arns("queue", "arn:aws:batch:us-east-1:123456789012:job-queue/queue", {})
UNKNOWN = Arns("queue", "", {})


def example(**options):
    return load_change([str(PLAN / "live")], apply=[str(PLAN / "requests")], readings=Readings(), **options)


@pytest.fixture(scope="module")
def valid():
    """What botocore's own validator objects to in a request; '' for nothing."""
    session = pytest.importorskip("botocore.session")
    from botocore.validate import ParamValidator

    model = session.get_session().get_service_model("batch")

    def objections(edit):
        name = "".join(word.capitalize() for word in edit.verb.split("-"))
        return ParamValidator().validate(dict(edit.request), model.operation_model(name).input_shape).generate_report()

    return objections


def test_the_commands_of_the_example():
    given_commands = commands(example().edits)
    assert [c.line for c in given_commands] == [
        f"aws batch update-quota-share --quota-share-arn {ARN}legacy-nlp --state DISABLED",
        f"aws batch delete-quota-share --quota-share-arn {ARN}legacy-nlp",
        "aws batch update-quota-share --cli-input-json file://3-foundation.json",
        "aws batch create-quota-share --cli-input-json file://4-robotics.json",
    ]
    assert given_commands[0].short == (
        "aws batch update-quota-share --quota-share-arn ...:quota-share/legacy-nlp --state DISABLED"
    )
    assert [bool(c.wait) for c in given_commands] == [False, True, False, False]
    assert given_commands[1].wait == (
        f"wait until `aws batch describe-quota-share --quota-share-arn {ARN}legacy-nlp` says it does not exist"
    )


def test_the_folder_of_the_example_says_what_when_and_who():
    found = example()
    files = folder(
        commands(found.edits), found.arns, about=["For the speech team."], remarks={3: ["Not before 2026-12-07."]}
    )
    assert list(files) == [README, "3-foundation.json", "4-robotics.json"]
    assert json.loads(files["3-foundation.json"]) == found.edits[2].request
    readme = files[README]
    for said in ("For the speech team.", "Not before 2026-12-07.", "1-delete-legacy-nlp.json:2", "4 requests to AWS",
                 "a share must be DISABLED before it can be deleted", "says it does not exist"):  # fmt: skip
        assert said in readme
    assert "REGION" not in readme
    assert all(c.line in readme for c in commands(found.edits))


def test_without_arns_the_folder_says_how_to_get_them():
    found = load_change([str(PLAN / "new")], set_=["speech.p5=1"], readings=Readings())
    readme = folder(commands(found.edits), found.arns)[README]
    assert "REGION and ACCOUNT are placeholders" in readme
    assert "aws batch list-quota-shares --job-queue research-gpu-qm" in readme
    assert "1 request to AWS" in readme and "ENVIRONMENT" not in readme
    found = load_change([str(PLAN / "new")], set_=["environment.p5=30"], readings=Readings())
    readme = folder(commands(found.edits), found.arns)[README]
    assert "**ENVIRONMENT is a placeholder**" in readme
    assert "aws batch describe-job-queues --job-queues research-gpu-qm" in readme


def test_a_folder_applied_again_asks_for_the_same(tmp_path):
    found = load_change([str(PLAN / "new")], set_=["speech.p5=1", "environment.p5=20"], readings=Readings())
    for name, text in folder(commands(found.edits), found.arns).items():
        (tmp_path / name).write_text(text)
    again = load_change([str(PLAN / "new")], apply=[str(tmp_path)], readings=Readings())
    assert [(e.verb, e.events, e.request) for e in again.edits] == [(e.verb, e.events, e.request) for e in found.edits]


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (ev.SetLimits("a", {"u": 3, "v": 1}), "a: limits 3 u and 1 v"),
        (ev.SetSharing("a", Strategy.LEND), "a: LEND"),
        (ev.SetSharing("a", Strategy.LEND_AND_BORROW, -1), "a: LEND_AND_BORROW no max"),
        (ev.SetSharing("a", Strategy.LEND_AND_BORROW, 0), "a: LEND_AND_BORROW 0 %"),
        (ev.SetInShare("a", True), "a: in-share preemption on"),
        (ev.SetShareState("a", State.DISABLED), "a: disable"),
        (ev.DeleteShare("a"), "a: delete"),
        (ev.SetCapacity({"u": 3}), "se: capacity 3 u"),
        (ev.SetEnvironmentState(State.ENABLED), "se: enable"),
    ],
)
def test_a_request_in_a_few_words(event, words):
    assert what(requests.edit([event], KNOWN, "se")) == words


def test_a_new_share_in_a_few_words():
    assert what(example().edits[-1]) == "robotics: new, 6 ml.p5.48xlarge, LEND_AND_BORROW 100 %"


def test_one_request_is_about_one_subject():
    for events in (
        [],
        [ev.SetShareState("a", State.DISABLED), ev.SetShareState("b", State.DISABLED)],
        [ev.SetShareState("a", State.DISABLED), ev.SetCapacity({"u": 1})],
        [ev.SetShareState("a", State.DISABLED), ev.DeleteShare("a")],
        [ev.DeleteShare("a"), ev.SetShareState("a", State.DISABLED)],
        [ev.SetQueueState(State.DISABLED)],
    ):
        with pytest.raises(ValueError):
            requests.edit(events, KNOWN, "se")


@settings(max_examples=40, deadline=None, derandomize=True)
@given(config=configs(most_shares=4, most_units=4))
def test_every_request_is_one_that_aws_takes(valid, config):
    shares = config.shares
    environment = config.environment.model_copy(update={"state": State.DISABLED})
    events = [[ev.CreateShare(share)] for share in shares] + [[ev.DeleteShare(share.name)] for share in shares]
    events += [
        list(share_events(one, two.model_copy(update={"quota_share_name": one.name})))
        for one in shares
        for two in shares
    ]
    events.append(list(environment_events(config.environment, environment)))
    for arns in (KNOWN, UNKNOWN):
        for given_events in filter(None, events):
            assert not valid(requests.edit(given_events, arns, "se"))


def test_requests_have_the_fields_of_the_skeletons_of_the_cli():
    skeletons = ROOT.parent / "shared" / "aws" / "skeletons"
    if not skeletons.is_dir():
        pytest.skip("the folder shared/aws of real samples is not beside the repository")
    found = load_change(
        [str(PLAN / "live")],
        [str(PLAN / "new")],
        set_=["environment.p5=30", "speech.borrowLimit=9"],
        readings=Readings(),
    )
    for edit in found.edits:
        file = skeletons / f"{edit.verb}.input.json"
        assert file.is_file() or edit.verb is Verb.DELETE
        if file.is_file():
            assert shape(edit.request).items() <= shape(json.loads(file.read_text())).items()


def shape(value, at=""):
    """Every path of fields in a value, with the type of what stands there."""
    if isinstance(value, dict):
        return {k: v for key, part in value.items() for k, v in shape(part, f"{at}.{key}").items()}
    if isinstance(value, list):
        return {k: v for part in value for k, v in shape(part, f"{at}[]").items()}
    return {at: type(value)}


@pytest.mark.parametrize("name", ["a; rm -rf ~", "$(reboot)", "`reboot`", "a' 'b", "--state", "x\ny"])
def test_names_are_data_for_a_shell(name):
    request = {"quotaShareArn": name, "state": "DISABLED"}
    (command,) = commands([Edit(Verb.UPDATE, "a", (ev.SetShareState("a", State.DISABLED),), request)])
    assert shlex.split(command.line) == [
        "aws", "batch", "update-quota-share", "--quota-share-arn", name, "--state", "DISABLED"
    ]  # fmt: skip


def test_what_comes_from_files_is_no_markup():
    edit = Edit(Verb.DELETE, "a", (ev.DeleteShare("a"),), {"quotaShareArn": "arn"}, place="<img src=x>[a](b).json:1")
    readme = folder(commands([edit]), KNOWN, about=["# not a heading", "@everyone"])[README]
    assert "<img" not in readme and "[a](b)" not in readme
    assert "\n# not" not in readme and "@everyone" not in readme
