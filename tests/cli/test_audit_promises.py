"""`audit` with promises, as it is run: the example, promises found by themselves, and files that cannot be used."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Ran

Command = Callable[..., Ran]

ROOT = Path(__file__).parents[2]
HISTORY = ROOT / "examples" / "history"
PROMISES = ROOT / "examples" / "promises-measured" / "promises.yaml"


@pytest.fixture
def audit(quotaproof: Command) -> Command:
    return lambda *arguments: quotaproof("audit", *map(str, arguments))


def told(result) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for one in json.loads(result.out)["promises"]:
        found.setdefault(one["code"], set()).add(one["class"])
    return found


FORMS = ("text", "md", "html", "junit", "sarif")


def test_the_example_is_kept_broken_and_untold_as_its_ids_say_in_every_report(audit, here) -> None:
    files = [word for form in FORMS for word in ("--report", f"{form}=r.{form}")]
    result = audit(HISTORY, "--promises", PROMISES, "--report", "json", *files)
    assert result.code == 1
    for text in ((here / f"r.{form}").read_text(encoding="utf-8") for form in FORMS):
        assert "BROKEN1" in text
        assert "no checkpoint setting" in text.replace("\n        ", " ")
    classes = told(result)
    assert {code: c for code, c in classes.items() if "failed" in c or "undecided" in c or "waived" in c} == {
        "BROKEN1": {"failed"}, "BROKEN2": {"failed"}, "BROKEN3": {"waived"}, "UNTOLD": {"undecided"},
    }  # fmt: skip
    assert all("passed" in c for code, c in classes.items() if code.startswith("KEPT"))
    assert (classes["NEVER"], classes["LATER"], classes["STOPS"]) == ({"open"}, {"skipped"}, {"passed"})


def test_promises_beside_the_records_are_found_and_people_and_jobs_hidden_where_that_is_asked_for(audit, here) -> None:
    folder = here / "history"
    shutil.copytree(HISTORY, folder)
    text = PROMISES.read_text(encoding="utf-8").replace("role/MLAdmin", "role/Release")
    (folder / "promises.yaml").write_text(text, encoding="utf-8")
    result = audit(folder, "--report", "json")
    assert (result.code, "BROKEN1" in told(result)) == (1, True)
    assert "promises" in {s["kind"] for s in json.loads(result.out)["sources"]}
    assert "assumed-role/MLAdmin/alice" in result.out
    hidden = audit(folder, "--report", "json", "--redact").out
    assert "BROKEN1" in hidden
    assert not any(name in hidden for name in ("alice", "MLAdmin", "qs1_job_high"))


def test_promises_about_another_queue_are_left_out(audit, here) -> None:
    folder = here / "history"
    shutil.copytree(HISTORY, folder)
    (folder / "promises.yaml").write_text(
        PROMISES.read_text().replace("my-sm-training-qm-jq", "other"), encoding="utf-8"
    )
    result = audit(folder, "--report", "json")
    assert (result.code, "promises" in json.loads(result.out)) == (0, False)
    assert any("they are about the queue other" in line for line in json.loads(result.out)["left_out"])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ((ROOT / "examples" / "own-form" / "queue.yaml").read_text(encoding="utf-8"), "this is no file of promises"),
        (PROMISES.read_text(encoding="utf-8").replace("share: QS3", "share: QS33"), "there is no share"),
        (PROMISES.read_text(encoding="utf-8").replace("my-sm-training-qm-jq", "other"), "about the queue"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused(audit, tmp_path, text, what) -> None:
    file = tmp_path / "promises.yaml"
    file.write_text(text, encoding="utf-8")
    result = audit(HISTORY, "--promises", file)
    assert (result.code, what in result.err) == (2, True)
