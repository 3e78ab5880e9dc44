"""The generated reference: as the code is now, and whole."""

from __future__ import annotations

from importlib.metadata import metadata

import pytest
from quotaproof.checker.cli.app import command
from quotaproof.checker.findings.catalogue import DESCRIBED
from quotaproof.checker.report.reference import main, pages
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.guarantees import GUARANTEES
from quotaproof.spec.rules.sources import RULES

from ...support.documented import ROOT


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return pages()


def test_the_pages_are_what_the_code_says(made: dict[str, str]) -> None:
    folder = ROOT / "docs" / "reference"
    different = [name for name, text in made.items() if (folder / name).read_text(encoding="utf-8") != text]
    assert different == [], "python -m quotaproof.checker.report.reference docs/reference"
    assert {p.name for p in (folder / "forms").iterdir()} == {n.removeprefix("forms/") for n in made if "/" in n}


def test_a_page_that_is_not_is_found_and_written(tmp_path, capsys, made) -> None:
    assert main([str(tmp_path), "--check"]) == 1
    assert "commands.md" in capsys.readouterr().err
    assert main([str(tmp_path)]) == 0
    assert (tmp_path / "forms" / "queue.md").read_text(encoding="utf-8") == made["forms/queue.md"]
    assert main([str(tmp_path), "--check"]) == 0


def test_every_command_every_option_and_an_exit_code_of_each_is_there(made: dict[str, str]) -> None:
    for name, known in command().commands.items():
        (part,) = (p for p in made["commands.md"].split("\n### ") if p.startswith(f"quotaproof {name}\n"))
        assert {o for p in known.params for o in p.opts if o.startswith("--")} - {"--help"} <= {
            word for line in part.splitlines() for word in line.replace("`", " ").replace(",", " ").split()
        }
        assert "\n| 0 | " in part, name


def test_every_code_has_a_heading_and_every_extra_a_row(made: dict[str, str]) -> None:
    headings = {line.removeprefix("### ") for line in made["codes.md"].splitlines() if line.startswith("### ")}
    assert headings == {*GUARANTEES, *READINGS, *DESCRIBED, *(f"rule {n}" for n in RULES)}
    extras = {line.split("`")[1] for line in made["extras.md"].splitlines() if line.startswith("| `")}
    assert extras == set(metadata("quotaproof").get_all("Provides-Extra") or ())


def test_every_field_of_a_form_is_told(made: dict[str, str]) -> None:
    rows = [line for line in made["forms/promises.md"].splitlines() if line.startswith("| `")]
    assert any(line.startswith("| `exceptions` |  | list of [exception](#exception) |") for line in rows)
    assert all(line.count(" | ") >= 3 for line in rows)
    assert "`submit`" in made["forms/trace.md"]
    assert "| `cmd` | required | `run` |" in made["forms/protocol.md"]
