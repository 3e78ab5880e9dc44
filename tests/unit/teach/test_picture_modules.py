"""The modules that place pictures, run by node without a browser; what is asserted stands in picture.test.mjs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support import frames

HERE = Path(__file__).parent
ASSETS = Path(__file__).parents[3] / "checker" / "teach" / "assets"
PLAYS = ("jobs-too-large", "loses-four-for-one", "limits-above-the-environment", "twenty-shares-five-units")


def test_pictures_are_placed_as_they_should_be(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: apt-get install nodejs")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copytree(ASSETS, tmp_path / "assets")
    shutil.copy(HERE / "picture.test.mjs", tmp_path)
    plays = {"walkthrough": frames.walkthrough(), **frames.of_scenarios(PLAYS)}
    (tmp_path / "frames.json").write_text(json.dumps(plays))
    run = subprocess.run(
        [node, "--test", "picture.test.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert run.returncode == 0, run.stdout
    tests = len(re.findall(r"^test\(", (HERE / "picture.test.mjs").read_text("utf-8"), re.MULTILINE))
    assert re.search(rf"^# pass {tests}$", run.stdout, re.MULTILINE), run.stdout


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
)
def test_no_module_makes_markup_of_text(word: str) -> None:
    assert [file.name for file in ASSETS.glob("*.js") if word in file.read_text("utf-8")] == []
