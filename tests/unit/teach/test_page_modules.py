"""Modules of the page that need no browser, run by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[3] / "checker" / "teach" / "assets"


def of_node(tmp_path: Path, module: str, expression: str) -> object:
    """The value of an expression in which `m` is a module of the page."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node: apt-get install nodejs")
    (tmp_path / "package.json").write_text('{"type": "module"}')
    shutil.copytree(ASSETS, tmp_path / "assets")
    script = f'import * as m from "./assets/{module}"; console.log(JSON.stringify({expression}));'
    run = subprocess.run(
        [node, "--input-type=module", "-e", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(run.stdout)


def test_what_went_wrong_ends_with_one_stop_and_leaves_names_as_they_are(tmp_path: Path) -> None:
    texts = [
        "did you mean limits?",
        "it is not possible now",
        "train is RUNNABLE.",
        "train: it waits",
        " ",
        "trains wait",
    ]
    told = of_node(
        tmp_path, "messages.js", f'{json.dumps(texts)}.map((t) => m.sentence(t, (word) => word === "train"))'
    )
    assert told == ["Did you mean limits?", "It is not possible now.", "train is RUNNABLE.", "train: it waits.", "",
                    "Trains wait."]  # fmt: skip
