"""The modules that place pictures, run by node without a browser; what is asserted stands in picture.test.mjs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import frames
from tests.support.modules import ASSETS, run_modules

HERE = Path(__file__).parent
PLAYS = ("jobs-too-large", "loses-four-for-one", "limits-above-the-environment", "twenty-shares-five-units")


def test_pictures_are_placed_as_they_should_be(tmp_path: Path) -> None:
    plays = {"walkthrough": frames.walkthrough(), **frames.of_scenarios(PLAYS)}
    run_modules(HERE / "picture.test.mjs", "frames.json", plays, tmp_path)


@pytest.mark.parametrize(
    "word", ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"]
)
def test_no_module_makes_markup_of_text(word: str) -> None:
    assert [file.name for file in ASSETS.glob("*.js") if word in file.read_text("utf-8")] == []
