"""`quotaproof plan` on the cases that teams ask about: no place, broken promises, running jobs, renames, forms of input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("proved")
EXAMPLES = Path(__file__).parents[2] / "examples"
PLAN = EXAMPLES / "plan"
LIVE = str(PLAN / "live")
HISTORY = EXAMPLES / "history"
QUEUE = """quotaproof: 1
queue: gpu
environment: {{ml.p5.48xlarge: {p5}, ml.g5.xlarge: {g5}}}
shares:
"""
SHARE = (
    "  - {{name: {}, limits: {{ml.p5.48xlarge: {}, ml.g5.xlarge: {}}}, strategy: LEND, inSharePreemption: {}}}\n".format
)


def squeezed(screen):
    return " ".join(screen.split())


def queue(path: Path, capacity: int, *shares: str) -> str:
    path.write_text(QUEUE.format(p5=capacity, g5=capacity) + "".join(shares), encoding="utf-8")
    return str(path)


def plan_of(here: Path) -> dict:
    return json.loads((here / "plan.json").read_text())["plan"]


def steps_of(plan: dict) -> list[tuple[str, str]]:
    return [(step["verb"], step["subject"]) for step in plan["steps"]]


def jobs_of(plan: dict) -> list[tuple[str, str, str]]:
    return [(job["name"], job["share"], job["how"]) for job in plan["jobs"]]


def test_share_21_stops_the_plan_and_the_rest_is_worked_out(here, quotaproof):
    names = [f"team{i:02}" for i in range(20)]
    old = queue(here / "old.yaml", 40, *(SHARE(name, 1, 1, "false") for name in names))
    arn = "arn:aws:batch:us-east-1:123456789012:job-queue/gpu"
    asked = {
        "quotaShareName": "robotics",
        "jobQueue": arn,
        "capacityLimits": [{"maxCapacity": 6, "capacityUnit": "ml.p5.48xlarge"}],
        "resourceSharingConfiguration": {"strategy": "LEND"},
        "preemptionConfiguration": {"inSharePreemption": "DISABLED"},
        "state": "ENABLED",
    }
    (here / "robotics.json").write_text(json.dumps(asked))
    ran = quotaproof("plan", old, "--apply", "robotics.json", "--out", "plan", "--report", "text")
    assert ran.code == 1
    said = squeezed(ran.out)
    assert "STOP robotics would be share 21 on gpu. AWS allows 20 (rule 3)." in said
    assert "or a second queue: it needs an environment of its own, and nothing is lent between queues." in said
    assert "The rest of this plan is worked out as if the place were free." in said
    assert "robotics new: 6 p5, LEND p5 - -> 6" in said
    assert "1 aws batch create-quota-share --cli-input-json file://1-robotics.json" in said


def test_a_promise_that_the_change_breaks_counts_and_is_shown_by_a_scenario_that_plays(here, quotaproof):
    shutil.copytree(LIVE, here / "live")
    promises = (here / "live" / "promises.yaml").rename(here / "said.yaml")
    ran = quotaproof("plan", "live", "--set", "foundation.p5=10", "--promises", str(promises), "--out", "plan")
    assert ran.code == 1
    assert "BROKEN  the change breaks promise P1." in ran.out
    assert "A foundation job on 12 machines always gets to run" in ran.out
    shown = [line.split()[-1] for line in ran.out.splitlines() if "replay plan/promise-P1" in line]
    assert shown
    assert quotaproof("replay", shown[0]).code == 1


def test_what_was_promised_to_a_share_that_goes_is_broken(here, quotaproof):
    asked = str(PLAN / "requests" / "1-delete-legacy-nlp.json")
    shutil.copytree(LIVE, here / "live", ignore=shutil.ignore_patterns("promises.yaml"))
    (here / "said.yaml").write_text(
        "promises: 1\nqueue: research-gpu-qm\npromises:\n"
        "- {id: P1, says: legacy has two., share: legacy-nlp, gets: {p5: 2, within: 10m}, owner: lee, why: old}\n"
        "assume: {stop_takes: {p5: 5m}}\n"
    )
    ran = quotaproof("plan", "live", "--apply", asked, "--promises", "said.yaml", "--fail-on", "never")
    assert ran.code == 0
    assert "Without --fail-on never the exit code would be 1." in ran.out
    assert "legacy-nlp is gone, and what was promised to it" in squeezed(ran.out)


def test_a_promise_that_both_ends_keep_and_every_order_breaks_is_said_with_the_step(here, quotaproof):
    only = "  - {{name: {}, limits: {{{}: 2}}, strategy: LEND}}\n".format
    old = queue(here / "old.yaml", 4, only("a", "ml.p5.48xlarge"), only("b", "ml.g5.xlarge"))
    new = queue(here / "new.yaml", 4, only("a", "ml.g5.xlarge"), only("b", "ml.p5.48xlarge"))
    (here / "said.yaml").write_text(
        "promises: 1\nqueue: gpu\ngroups: {both: [a, b]}\npromises:\n"
        "- {id: P1, says: together 2 of each., group: both, at_most: {p5: 2, g5: 2}, owner: cfo, why: cost}\n"
    )
    ran = quotaproof("plan", old, new, "--promises", "said.yaml", "--report", "json=plan.json", "--report", "text")
    assert ran.code == 1
    said = squeezed(ran.out)
    assert "kept before and after the change, and broken after step 1 of it" in said
    assert "Order asked for: no order of these requests is safe" in said
    assert "updating a would break P1, which is kept before and after." in said
    (readme,) = here.glob("plan-*/README.md")
    assert "NOT SAFE: the change breaks something and no safe order of the requests was found" in readme.read_text()
    (between,) = [change for change in plan_of(here)["promise_changes"] if change["term"] == "between"]
    assert (between["code"], between["owner"], between["steps"]) == ("P1", "cfo", [1])


def test_a_lowered_limit_names_exactly_the_jobs_that_it_exposes(here, quotaproof):
    ran = quotaproof("plan", LIVE, "--set", "foundation.p5=12", "--running", str(PLAN / "history"),
                     "--report", "json=plan.json")  # fmt: skip
    assert ran.code == 0
    plan = plan_of(here)
    assert [(one["share"], one["uses"], one["limit"]) for one in plan["over_limit"]] == [("foundation", 15, 12)]
    assert [(job["name"], job["machines"], job["checkpoint"], job["how"]) for job in plan["jobs"]] == [
        ("llm-pre-12n", {"ml.p5.48xlarge": 12}, True, "reclaim"),
        ("rlhf-7b", {"ml.p5.48xlarge": 2}, False, "reclaim"),
        ("dev-3", {"ml.p5.48xlarge": 1}, True, "reclaim"),
    ]
    fits = quotaproof("plan", LIVE, "--set", "foundation.p5=15", "--running", str(PLAN / "history"),
                      "--report", "json=plan.json")  # fmt: skip
    assert fits.code == 0
    assert (plan_of(here)["jobs"], plan_of(here)["over_limit"]) == ([], [])


@pytest.mark.parametrize(
    ("setting", "jobs"),
    [
        ("QS2.g5=2", []),
        ("QS1.borrowLimit=0", []),
        ("QS2.inSharePreemption=ENABLED", [("qs2_job_1", "QS2", "in-share")]),
    ],
)
def test_of_the_walkthrough_exactly_the_jobs_that_a_setting_exposes_are_named(here, quotaproof, setting, jobs):
    quotaproof("plan", str(HISTORY), "--set", setting, "--running", str(HISTORY), "--report", "json=plan.json")
    assert jobs_of(plan_of(here)) == jobs


def test_a_rename_ends_the_jobs_of_the_share(here, quotaproof):
    new = here / "new"
    new.mkdir()
    for name in ("describe-job-queues", "describe-service-environments", "list-quota-shares"):
        text = (HISTORY / f"{name}.json").read_text()
        (new / f"{name}.json").write_text(text.replace('/QS2"', '/vision"').replace('"QS2"', '"vision"'))
    ran = quotaproof("plan", str(HISTORY), "new", "--running", str(HISTORY), "--report", "json=plan.json",
                     "--report", "text")  # fmt: skip
    assert ran.code == 0
    assert "QS2 goes and vision comes with the same limits; AWS renames nothing, so the jobs of QS2 end." in squeezed(
        ran.out
    )
    plan = plan_of(here)
    assert jobs_of(plan) == [("qs2_job_1", "QS2", "ends")]
    assert steps_of(plan) == [
        ("update-quota-share", "QS2"),
        ("delete-quota-share", "QS2"),
        ("create-quota-share", "vision"),
    ]


@pytest.mark.parametrize(
    "asked",
    [
        [str(PLAN / "terraform-plan.json")],
        [LIVE, "--apply", str(PLAN / "change-set.json")],
    ],
    ids=["terraform", "change set"],
)
def test_every_form_of_the_same_change_gives_the_same_plan(here, quotaproof, asked):
    ran = quotaproof("plan", *asked, "--report", "json=plan.json")
    assert (ran.code, ran.err) == (0, "")
    plan = plan_of(here)
    assert steps_of(plan) == [
        ("update-quota-share", "legacy-nlp"),
        ("delete-quota-share", "legacy-nlp"),
        ("update-quota-share", "foundation"),
        ("create-quota-share", "robotics"),
    ]
    assert {share["share"]: share["direction"] for share in plan["shares"]} == {
        "foundation": "weaker",
        "legacy-nlp": "gone",
        "robotics": "new",
        "speech": "same",
        "prod-retrain": "same",
    }


def test_more_machines_in_the_environment_are_one_request_and_nobody_has_less(here, quotaproof):
    ran = quotaproof("plan", str(HISTORY), "--set", "environment.g5=4", "--out", "plan",
                     "--report", "json=plan.json", "--report", "text")  # fmt: skip
    assert ran.code == 0
    assert "3 -> 3 g5 given of 3 -> 4" in ran.out
    assert "Less" not in ran.out
    assert steps_of(plan_of(here)) == [("update-service-environment", "my-sm-training-qm-se")]
    asked = json.loads((here / "plan" / "1-my-sm-training-qm-se.json").read_text())
    assert asked["capacityLimits"] == [{"maxCapacity": 4, "capacityUnit": "ml.g5.xlarge"}]


def test_fewer_machines_than_are_given_make_shares_weaker_and_break_a_guarantee(here, quotaproof):  # noqa: ARG001
    ran = quotaproof("plan", LIVE, "--set", "environment.p5=20")
    assert ran.code == 1
    assert "24 p5 given, 20 exist" in ran.out


def test_an_order_that_asks_for_two_requests_of_one_share_says_so(here, quotaproof):
    old = queue(here / "old.yaml", 6, SHARE("a", 4, 2, "false"), SHARE("b", 2, 4, "false"))
    new = queue(here / "new.yaml", 6, SHARE("a", 2, 4, "false"), SHARE("b", 4, 2, "false"))
    ran = quotaproof("plan", old, new, "--report", "json=plan.json", "--report", "text")
    assert ran.code == 0
    order = plan_of(here)["order"]
    assert order["found"]
    assert order["split"] in (["a"], ["b"])
    assert f"{order['split'][0]} is updated in several requests: no order with one of them is safe." in squeezed(
        ran.out
    )
