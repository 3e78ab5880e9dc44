"""Tests of the page's modules by node, without a browser."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[2] / "checker" / "teach" / "assets"


def run_modules(tests: Path, data: str, content: object, folder: Path) -> None:
    """Every test of this file of node's passes; it reads `content` as the file `data`, in a folder with the modules."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: apt-get install nodejs")
    (folder / "package.json").write_text('{"type": "module"}')
    shutil.copytree(ASSETS, folder / "assets")
    shutil.copy(tests, folder)
    (folder / data).write_text(json.dumps(content))
    run = subprocess.run([node, "--test", tests.name], cwd=folder, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stdout
    number = len(re.findall(r"^test\(", tests.read_text("utf-8"), re.MULTILINE))
    assert re.search(rf"^# pass {number}$", run.stdout, re.MULTILINE), run.stdout
