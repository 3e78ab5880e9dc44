"""The template that keeps history: it is a template, and its rule takes the events that a history is made from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from quotaproof.checker.pull import setup
from quotaproof.checker.pull.access import OPERATIONS, policy
from quotaproof.checker.pull.folder import Folder
from quotaproof.spec.formats import cloudformation
from quotaproof.spec.formats.document import Document
from quotaproof.spec.formats.items import Aside
from quotaproof.spec.formats.kinds import recognise
from quotaproof.spec.formats.sources import single
from quotaproof.spec.readings import Readings

EVENTS = Path(__file__).parents[4] / "shared" / "aws" / "trace" / "eventbridge_demo.ndjson"


def matches(pattern: Any, value: Any) -> bool:
    """EventBridge's matching of exact values: every field of the pattern is there, with one of its values."""
    if isinstance(pattern, dict):
        return isinstance(value, dict) and all(k in value and matches(p, value[k]) for k, p in pattern.items())
    return value in pattern


@pytest.fixture
def template(tmp_path: Path) -> Document:
    setup.write(Folder(tmp_path), "gpu")
    document = single(str(tmp_path / setup.TEMPLATE_FILE))
    assert isinstance(document, Document)
    return document


def pattern(template: Document) -> Any:
    return template.value["Resources"]["KeepServiceJobEvents"]["Properties"]["EventPattern"]


def test_the_template_is_one_for_our_own_reader(template: Document) -> None:
    kind = recognise(template)
    assert kind.name == "CloudFormation template"
    (aside,) = cloudformation.items(template, kind, Readings())
    assert isinstance(aside, Aside)
    assert aside.left_out == "a template without quota shares, job queues or service environments"
    types = [resource["Type"] for resource in template.value["Resources"].values()]
    assert types == ["AWS::Logs::LogGroup", "AWS::Logs::ResourcePolicy", "AWS::Events::Rule"]


def test_what_the_template_refers_to_is_in_it(template: Document) -> None:
    known = {*template.value["Resources"], *template.value["Parameters"]}
    text = json.dumps(template.value)
    names = {part.split("}")[0].split(".")[0] for part in text.split("${")[1:] if not part.startswith("AWS::")}
    assert names <= known
    group = template.value["Resources"]["ServiceJobEvents"]
    assert (group["DeletionPolicy"], group["UpdateReplacePolicy"]) == ("Retain", "Retain")
    assert group["Properties"]["RetentionInDays"] == {"Ref": "RetentionInDays"}
    retention = template.value["Parameters"]["RetentionInDays"]
    assert retention["Default"] in retention["AllowedValues"]


def test_events_may_be_written_to_the_log_group(template: Document) -> None:
    document = template.value["Resources"]["EventBridgeMayWrite"]["Properties"]["PolicyDocument"]
    (statement,) = json.loads(document["Fn::Sub"])["Statement"]
    assert statement["Principal"]["Service"] == ["events.amazonaws.com", "delivery.logs.amazonaws.com"]
    assert statement["Action"] == ["logs:CreateLogStream", "logs:PutLogEvents"]
    assert statement["Resource"] == "${ServiceJobEvents.Arn}"


def test_the_rule_takes_each_kind_of_event_and_no_other(template: Document) -> None:
    for kind in setup.EVENTS:
        assert matches(pattern(template), {"source": "aws.batch", "detail-type": kind, "detail": {}})
    for other in (
        {"source": "aws.batch", "detail-type": "Batch Job State Change"},
        {"source": "mine", "detail-type": setup.EVENTS[0]},
        {"source": "aws.batch"},
    ):
        assert not matches(pattern(template), other)


@pytest.mark.skipif(not EVENTS.is_file(), reason="the folder shared/aws of real samples is not beside the repository")
def test_the_rule_takes_every_event_of_the_demo_history(template: Document) -> None:
    events = [json.loads(line) for line in EVENTS.read_text(encoding="utf-8").splitlines()]
    assert len(events) == 22
    assert all(matches(pattern(template), event) for event in events)


def test_the_text_beside_it_quotes_names_and_has_the_whole_policy(tmp_path: Path) -> None:
    setup.write(Folder(tmp_path / "my queue"), "gpu", ["--region=us-east-1"])
    text = (tmp_path / "my queue" / setup.README_FILE).read_text(encoding="utf-8")
    assert f"quotaproof pull gpu -o '{tmp_path}/my queue' --region=us-east-1\n" in text
    assert all(f'"{service}:{operation}"' in text for operation, service in OPERATIONS.items())
    assert "{" not in text[: text.index('{\n  "Version"')]


def test_the_page_on_pull_shows_the_policy_that_is_asked_for() -> None:
    page = (Path(__file__).parents[3] / "docs" / "how-to" / "collect-history.md").read_text(encoding="utf-8")
    assert json.loads(page.split("```json\n")[1].split("```")[0]) == policy()
