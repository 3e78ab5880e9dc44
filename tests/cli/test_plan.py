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
    assert "foundation limit 16 -> 12 p5 16 -> 12 14 -> 4 22" in " ".join(ran.out.split())
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


def test_the_history_of_another_queue_is_unusable(here, quotaproof):
    (here / "queue.yaml").write_text(
        "quotaproof: 1\nqueue: other\nenvironment: {ml.p5.48xlarge: 24}\n"
        "shares:\n- {name: foundation, limits: {ml.p5.48xlarge: 12}, strategy: LEND}\n"
    )
    ran = quotaproof("plan", "queue.yaml", "--set", "foundation.p5=10", "--running", str(EXAMPLES / "plan" / "history"))
    assert ran.code == 2
    assert "the history is of another queue: research-gpu-qm" in ran.err
    assert "Fix: give --running the history of other." in ran.err


def test_names_of_jobs_and_accounts_are_redacted_on_the_screen_and_not_in_the_requests(here, quotaproof):
    shutil.copytree(EXAMPLES / "history", here / "live")
    ran = quotaproof("plan", "live", "--set", "QS1.g5=2", "--running", "live", "--out", "plan", "--redact")
    assert "qs1_job" not in ran.out
    assert "123456789012" not in ran.out
    assert "123456789012" in (here / "plan" / "1-QS1.json").read_text()


def test_two_plans_of_one_day_do_not_mix_and_the_readme_says_what_is_lost(here, quotaproof):
    quotaproof("plan", LIVE, "--set", "foundation.p5=12", "--out", "plan", "--quiet")
    ran = quotaproof("plan", LIVE, "--set", "environment.p5=20", "--out", "plan")
    assert ran.code == 1
    assert "1-foundation.json" not in [file.name for file in (here / "plan").iterdir()]
    readme = (here / "plan" / "README.md").read_text()
    assert "**NOT SAFE: the change breaks something** The verdict is BROKEN: " in readme
    assert "- **QP310** foundation has less: sure 16 -&gt; 12" in readme
    assert "was verified" not in ran.out
    assert "Order of a change that is NOT SAFE (no state in between is worse than its two ends)" in ran.out


def test_the_readme_of_a_safe_plan_says_ok_and_who_has_less(here, quotaproof):
    quotaproof("plan", LIVE, "--set", "foundation.p5=12", "--out", "plan", "--quiet")
    readme = (here / "plan" / "README.md").read_text()
    assert "NOT SAFE" not in readme
    assert "OK: the change breaks nothing; foundation has less than before." in readme


def test_a_folder_with_other_files_is_unusable(here, quotaproof):
    (here / "README.md").write_text("precious")
    ran = quotaproof("plan", LIVE, "--set", "foundation.p5=12", "--out", ".")
    assert (ran.code, (here / "README.md").read_text()) == (2, "precious")
    assert "--out DIR" in ran.err


def test_a_plan_that_deletes_a_share_lists_the_jobs_that_end(here, quotaproof):
    shutil.copytree(EXAMPLES / "history", here / "live")
    state = json.loads((here / "live" / "list-quota-shares.json").read_text())
    new = here / "new"
    shutil.copytree(here / "live", new, ignore=shutil.ignore_patterns("history"))
    kept = [share for share in state["quotaShares"] if share["quotaShareName"] != "QS2"]
    (new / "list-quota-shares.json").write_text(json.dumps({"quotaShares": kept}))
    ran = quotaproof("plan", "live", "new", "--running", "live", "--out", "plan")
    said = " ".join(ran.out.split())
    assert "Step 2 ends the jobs of QS2 that still run (rule 51): `aws batch list-service-jobs" in said
    readme = (here / "plan" / "README.md").read_text()
    assert "### Jobs that end with their share" in readme
    assert "qs2_job_1" in readme
