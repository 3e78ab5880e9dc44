"""One queue in every form: each file or folder in examples/forms says exactly what examples/walkthrough says."""

from __future__ import annotations

from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"
FORMS = sorted(p for p in (EXAMPLES / "forms").iterdir() if not p.name.startswith("."))


@pytest.mark.parametrize("form", FORMS, ids=lambda p: p.name)
def test_every_form_of_the_walkthrough_is_the_walkthrough(read, form):
    loaded = read(form)
    assert loaded.config == read(EXAMPLES / "walkthrough").config
    assert not loaded.capacity_assumed


@pytest.mark.parametrize("form", FORMS, ids=lambda p: p.name)
def test_every_field_of_a_share_is_placed_on_the_line_that_says_it(read, form):
    loaded = read(form)
    lines = {s.name: Path(s.path).read_text(encoding="utf-8").split("\n") for s in loaded.sources}

    def line(share: str, field: str, unit: str | None = None) -> str:
        name, _, number = loaded.place(share, field, unit).rpartition(":")
        return lines[name][int(number) - 1]

    assert "200" in line("QS1", "borrowLimit")
    for share in loaded.config.shares:
        assert share.name in line(share.name, "share")
        assert share.strategy in line(share.name, "strategy")
        assert "1" in line(share.name, "limit", "ml.g5.xlarge")
        assert "ml.g5.xlarge" in line(share.name, "unit", "ml.g5.xlarge")


def test_the_forms_of_this_folder_are_all_tried():
    assert {"cloudformation.yaml", "cloudformation.json", "cdk.out", "sample-repository.yaml"} <= {
        p.name for p in FORMS
    }
