"""The folder of a plan: one plan at a time, nothing of anybody else's, and nothing outside it."""

from __future__ import annotations

import json
import os

import pytest
from quotaproof.checker.cli.output import Unusable
from quotaproof.checker.cli.plan_folder import PlanFolder
from quotaproof.checker.rollout.plan.marks import MARK

SCENARIO = json.dumps({"scenario": 1, "config": {}, "steps": []})
NAMES = ("1-a.json", "plan-a-u.json")


def earlier(path):
    place = PlanFolder.take(path, ())
    place.write(NAMES[0], "{}")
    place.write(NAMES[1], SCENARIO)
    place.finish(f"# Change of q\n\n{MARK}\n")
    return path


def test_until_it_is_finished_the_readme_says_so(tmp_path):
    place = PlanFolder.take(tmp_path / "plan", ())
    assert not (tmp_path / "plan").exists()
    place.write("1-a.json", "{}")
    assert "NOT SAFE: this plan was not finished" in (tmp_path / "plan" / "README.md").read_text()


def test_an_earlier_plan_goes_and_what_else_lies_there_stays(tmp_path):
    earlier(tmp_path / "plan")
    (tmp_path / "plan" / "notes.md").write_text("mine")
    PlanFolder.take(tmp_path / "plan", ())
    assert [file.name for file in (tmp_path / "plan").iterdir()] == ["notes.md"]


@pytest.mark.parametrize("name", ["README.md", "1-a.json", "queue.yaml"])
def test_files_of_others_are_not_touched(tmp_path, name):
    (tmp_path / name).write_text("precious")
    with pytest.raises(Unusable, match=r"holds other files and no plan\. Name a new or empty folder with --out DIR"):
        PlanFolder.take(tmp_path, ())
    assert (tmp_path / name).read_text() == "precious"


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_is_read_is_not_replaced(tmp_path, name):
    plan = earlier(tmp_path / "plan")
    with pytest.raises(Unusable, match=f"{name} is a file that is read"):
        PlanFolder.take(plan, {os.path.realpath(plan / name)})
    assert (plan / name).exists()


@pytest.mark.parametrize("name", ["README.md", "1-a.json", "other"])
def test_nothing_is_written_through_a_link(tmp_path, name):
    outside = tmp_path / "outside.txt"
    outside.write_text(f"{MARK}\n")
    (tmp_path / "plan").mkdir()
    (tmp_path / "plan" / name).symlink_to(outside)
    with pytest.raises(Unusable, match="is a link"):
        PlanFolder.take(tmp_path / "plan", ())
    assert outside.read_text() == f"{MARK}\n"
    (tmp_path / "linked").symlink_to(earlier(tmp_path / "there"))
    with pytest.raises(Unusable, match="linked is a link"):
        PlanFolder.take(tmp_path / "linked", ())


def test_a_file_that_came_meanwhile_is_not_replaced(tmp_path):
    place = PlanFolder.take(tmp_path / "plan", ())
    place.open()
    (tmp_path / "plan" / "1-a.json").write_text("precious")
    with pytest.raises(Unusable, match=r"1-a\.json: cannot be written"):
        place.write("1-a.json", "{}")
