"""`quotaproof plan --give`: where capacity can come from, what it costs, and why there is no way."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import jsonschema
import pytest

pytestmark = pytest.mark.usefixtures("proved")
EXAMPLES = Path(__file__).parents[2] / "examples"
LIVE = str(EXAMPLES / "plan" / "live")
PROMISED = str(EXAMPLES / "promises")
SCHEMA = Path(__file__).parents[2] / "spec" / "schemas" / "verification.schema.json"


def commands(screen):
    """The commands on a screen that plan a way, whole where they were wrapped."""
    joined = " ".join(screen.split())
    return [shlex.split(part.split("  ")[0]) for part in joined.split("quotaproof plan ")[1:]]


def test_ways_are_told_with_givers_costs_and_the_command_that_plans_them(here, quotaproof):
    ran = quotaproof("plan", LIVE, "--give", "prod-retrain.g5=13", "--report", "json=give.json", "--report", "text")
    assert (ran.code, ran.err) == (0, "")
    said = " ".join(ran.out.split())
    assert "Give prod-retrain shall have 13 g5 and has 12: 2 ways, none breaks a promise that is kept now." in said
    assert "foundation gives 1 (10 -> 9) cost: foundation is sure of 9 g5, not 10; foundation holds at most 17" in said
    assert "speech gives 1 (8 -> 7) cost: foundation holds at most 17 g5, not 18; speech is sure of 7 g5, not 8" in said
    document = json.loads((here / "give.json").read_text())
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    (giving,) = document["plan"]["givings"]
    assert sorted(sorted(way["limits"].items()) for way in giving["ways"]) == [
        [("foundation", 9), ("prod-retrain", 13)],
        [("prod-retrain", 13), ("speech", 7)],
    ]


def test_the_command_of_a_way_plans_it(here, quotaproof):  # noqa: ARG001
    ran = quotaproof("plan", LIVE, "--give", "prod-retrain.p5=5")
    words = commands(ran.out)[0][:5]
    assert words == [LIVE, "--set", "prod-retrain.p5=5", "--set", "foundation.p5=13"]
    planned = quotaproof("plan", *words)
    assert planned.code == 0
    assert "foundation     limit 16 -> 13" in planned.out


def test_the_only_way_breaks_a_promise_and_its_owner_is_named_in_every_form(here, quotaproof):
    forms = ("md", "html", "junit", "sarif")
    reports = [word for form in forms for word in ("--report", f"{form}={form}.report")]
    ran = quotaproof("plan", PROMISED, "--give", "prod-retrain.p5=12", *reports, "--report", "text")
    assert ran.code == 1
    said = " ".join(ran.out.split())
    assert "1 way, which breaks a promise that is kept now." in said
    assert "No way keeps every promise that is kept now: proved." in said
    assert 'P3 is in the way (owner ml-platform): "A foundation job on 6 machines always gets to run' in said
    assert 'breaks P3 (owner ml-platform): "A foundation job on 6 machines' in said
    for form in forms:
        text = (here / f"{form}.report").read_text()
        assert "prod-retrain cannot be given 12 ml.p5.48xlarge" in text
        assert "QP312" in text
        assert form not in ("md", "html") or "--set prod-retrain.p5=12" in text


def test_more_than_there_can_be_has_no_way_and_says_why(here, quotaproof):  # noqa: ARG001
    ran = quotaproof("plan", LIVE, "--give", "prod-retrain.p5=25")
    assert ran.code == 1
    said = " ".join(ran.out.split())
    assert "prod-retrain shall have 25 p5 and has 2: no way." in said
    assert "No change of limits gives prod-retrain 25 of the 24 ml.p5.48xlarge in the environment" in said


def test_with_a_change_it_is_asked_of_the_new_configuration_and_its_command_has_both(here, quotaproof):  # noqa: ARG001
    ran = quotaproof("plan", LIVE, "--set", "foundation.g5=9", "--give", "prod-retrain.g5=14", "--out", "plan")
    assert ran.code == 0
    assert "foundation gives 1 (9 -> 8), 1 that no share had" in ran.out
    own = [LIVE, "--set", "prod-retrain.g5=14", "--set", "foundation.g5=8"]
    others = [LIVE, "--set", "foundation.g5=9", "--set", "prod-retrain.g5=14", "--set", "speech.g5=7"]
    made = commands(ran.out)
    assert any(words[:5] == own for words in made)
    assert any(words[:7] == others for words in made)


def test_what_a_share_has_already_is_said(here, quotaproof):  # noqa: ARG001
    ran = quotaproof("plan", LIVE, "--give", "foundation.p5=16")
    assert ran.code == 0
    assert "foundation has 16 p5 already." in ran.out


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        ("fondation.p5=20", "did you mean foundation?"),
        ("foundation.p4d=20", "there is no unit"),
        ("foundation.g5.xlrge=20", "did you mean ml.g5.xlarge?"),
        ("foundation.ml=20", "is a part of 2 units: ml.p5.48xlarge, ml.g5.xlarge"),
        ("foundation.p5=12", "write more than 16, or --set foundation.p5=12 to take from it."),
        ("environment.p5=30", "write --set environment.p5=30."),
        ("foundation.borrowLimit=5", "borrowLimit is not a unit"),
        ("foundation", "write SHARE.UNIT=N"),
    ],
)
def test_what_cannot_be_asked_is_unusable_and_says_what_to_write(here, quotaproof, wish, says):  # noqa: ARG001
    ran = quotaproof("plan", LIVE, "--give", wish)
    assert (ran.code, ran.out) == (2, "")
    assert says in ran.err
    assert f"--give {wish}" in ran.err
