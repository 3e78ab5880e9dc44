"""Pictures of a scenario in a report: what is told once is put together again, and takes little room."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path

import pytest
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.report.plays import play_data
from quotaproof.checker.teach.scene import scene
from quotaproof.spec.formats.scenario import as_form

PLAYS = Path(__file__).parents[3] / "checker" / "teach" / "assets" / "plays.js"


@pytest.mark.parametrize("name", ["bug-takes-nothing-late", "aws-demo-1"])
def test_the_script_has_every_frame_whole_of_what_is_told_once(name: str) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node")
    drawn = scene(as_form(next(s for s in corpus() if s.name == name)))
    data = play_data(drawn)
    frames = json.loads(json.dumps([asdict(frame) for frame in drawn.frames]))
    script = re.sub(r"^(import .*|export )", "", PLAYS.read_text("utf-8"), flags=re.MULTILINE)
    script += "console.log(JSON.stringify(wholeFrames(JSON.parse(require('fs').readFileSync(0, 'utf-8')))));"
    said = subprocess.run(
        [node, "-e", script], input=json.dumps(data), capture_output=True, text=True, check=True
    ).stdout
    told = json.loads(said)
    assert len(told) == len(frames)
    for whole, frame in zip(told, frames, strict=True):
        lit = [lamp for lamp in whole["lamps"] if lamp["state"] != "dark"]
        assert lit == [lamp for lamp in frame["lamps"] if lamp["state"] != "dark"]
        assert {**whole, "lamps": ()} == {**frame, "lamps": ()}


def test_a_long_scenario_takes_a_third_of_its_frames_at_most() -> None:
    drawn = scene(as_form(next(s for s in corpus() if s.name == "bug-takes-nothing-late")))
    assert len(drawn.frames) == 178
    assert len(json.dumps(play_data(drawn), separators=(",", ":"))) < 150_000
