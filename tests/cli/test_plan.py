"""`quotaproof plan` on the command line: exit codes, the folder of requests, every form of report."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

pytestmark = pytest.mark.usefixtures("proved")
EXAMPLES = Path(__file__).parents[2] / "examples"
LIVE, REQUESTS = str(EXAMPLES / "plan" / "live"), str(EXAMPLES / "plan" / "requests")
SCHEMA = Path(__file__).parents[2] / "spec" / "schemas" / "verification.schema.json"


def test_a_change_that_breaks_nothing_exits_0_and_writes_its_requests(here, quotaproof):
    ran = quotaproof("plan", LIVE, "--apply", REQUESTS, "--out", "plan", "--report", "json=plan.json")
    assert (ran.code, ran.err) == (0, "")
    assert "foundation limit ml.p5.48xlarge 16 -> 12 16 -> 12" in " ".join(ran.out.split())
    assert "4 before 3 would give 28 of 24 p5: robotics or foundation could wait for ever (QP101)." in ran.out
    assert "written to plan/" in ran.out
    asked = json.loads((here / "plan" / "4-robotics.json").read_text())
    assert asked["quotaShareName"] == "robotics"
    assert (here / "plan" / "README.md").read_text().count("```sh") == 4
    document = json.loads((here / "plan.json").read_text())
    jsonschema.validate(document, json.loads(SCHEMA.read_text()))
    assert [s["subject"] for s in document["plan"]["steps"]] == ["legacy-nlp", "legacy-nlp", "foundation", "robotics"]


@pytest.mark.parametrize(("level", "code"), [("weaker", 1), ("never", 0)])
def test_a_weaker_share_counts_only_when_asked(here, quotaproof, level, code):  # noqa: ARG001
    ran = quotaproof("plan", LIVE, "--set", "foundation.p5=12", "--fail-on", level, "--quiet")
    assert ran.code == code
    assert "foundation has less than before" in ran.out


def test_only_plan_takes_the_level_weaker(here, quotaproof):  # noqa: ARG001
    ran = quotaproof("verify", LIVE, "--fail-on", "weaker")
    assert ran.code == 2
    assert "choose error, warning or never; weaker is for plan" in ran.err
    assert "choose error, warning, weaker or never" in quotaproof("plan", LIVE, "--fail-on", "some").err


def test_a_share_that_does_not_exist_is_unusable(here, quotaproof):  # noqa: ARG001
    ran = quotaproof("plan", LIVE, "--set", "fondation.p5=12")
    assert ran.code == 2
    assert "foundation" in ran.err


def test_every_form_tells_the_weaker_share_and_its_scenario_is_written_and_plays(here, quotaproof):
    forms = {"md": "foundation", "html": "foundation", "junit": "foundation", "sarif": "foundation",
             "badge": "quotaproof plan"}  # fmt: skip
    reports = [word for form in forms for word in ("--report", f"{form}={form}.report")]
    ran = quotaproof("plan", LIVE, "--set", "foundation.p5=12", "--out", "plan", *reports)
    assert ran.code == 0
    for form, said in forms.items():
        assert said in (here / f"{form}.report").read_text(), form
    assert (here / "plan" / "plan-foundation-ml.p5.48xlarge.json").exists()
    assert quotaproof("replay", "plan/plan-foundation-ml.p5.48xlarge.json").code == 1


def test_running_jobs_are_read_from_what_pull_fetched(here, quotaproof):
    shutil.copytree(EXAMPLES / "history", here / "live")
    ran = quotaproof("plan", "live", "--set", "QS2.g5=2", "--running", "live", "--out", "plan")
    assert ran.code in (0, 1)
    assert "running jobs affected" in ran.out
    assert "history of" in ran.out


def test_names_of_jobs_and_accounts_are_redacted_on_the_screen_and_not_in_the_requests(here, quotaproof):
    shutil.copytree(EXAMPLES / "history", here / "live")
    ran = quotaproof("plan", "live", "--set", "QS1.g5=2", "--running", "live", "--out", "plan", "--redact")
    assert "qs1_job" not in ran.out
    assert "123456789012" not in ran.out
    assert "123456789012" in (here / "plan" / "1-QS1.json").read_text()
