"""Files from disk and to disk: every kind opens, a broken one is told and nothing is lost, what is saved replays the same."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest
from quotaproof.checker.cli import run

from . import games, web
from .conftest import ROOT, Watched
from .games import submit
from .stage import Stage

pytestmark = pytest.mark.browser
EXAMPLES = ROOT / "examples"
MOVES = (submit("a", "QS1", priority=2), submit("b", "QS1"), {"settle": "all"}, submit("c", "QS2"))
PLAYED = {**games.walkthrough(*MOVES), "name": "played"}
MISSPELT = (EXAMPLES / "scenarios/reserve-idle.yaml").read_text("utf-8").replace("submit: c1", "sbmit: c1")


def _title(stage: Stage, text: str) -> None:
    web.expect(stage.page.get_by_role("heading", level=1)).to_have_text(text)


def test_a_scenario_opens_from_disk_and_plays_to_its_end(stage: Stage) -> None:
    stage.open(PLAYED)
    file = EXAMPLES / "scenarios" / "loses-four-for-one.yaml"
    stage.open_file(file.name, file.read_bytes())
    _title(stage, "loses-four-for-one")
    web.expect(stage.dialog).to_have_count(0)
    assert stage.place[1] > 5
    assert stage.broken() == []


@pytest.fixture(scope="module")
def witness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A witness of `verify`: the limits of examples/oversubscribed add up to more than there is."""
    folder = tmp_path_factory.mktemp("verify")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(["verify", str(EXAMPLES / "oversubscribed"), "--report", "json=r.json"]) == 1
    return min((folder / "quotaproof-out").glob("*.json"))


def test_a_witness_opens_from_disk_and_shows_what_breaks(stage: Stage, witness: Path) -> None:
    stage.open()
    stage.open_file(witness.name, witness.read_bytes())
    _title(stage, json.loads(witness.read_text("utf-8"))["name"])
    assert stage.place[1] > 0


@pytest.mark.parametrize("file", ["own-form/queue.yaml", "forms/cloudformation.json", "forms/terraform-plan.json"])
def test_a_configuration_opens_from_disk_as_a_queue_in_which_nothing_runs(stage: Stage, file: str) -> None:
    stage.open(PLAYED)
    stage.open_file(Path(file).name, (EXAMPLES / file).read_bytes())
    stage.is_at(0, 0)
    assert stage.page.get_by_role("combobox", name="Share", exact=True).first.locator("option").count() > 1


@pytest.mark.parametrize(
    ("folder", "queue"), [("walkthrough", "my-sm-training-qm-jq"), ("research-gpu", "research-gpu-qm")]
)
def test_the_folder_of_a_configuration_opens_with_all_its_files(stage: Stage, folder: str, queue: str) -> None:
    stage.open(PLAYED)
    stage.open_folder(EXAMPLES / folder)
    _title(stage, queue)
    stage.is_at(0, 0)
    web.expect(stage.trouble).to_be_hidden()
    assert stage.page.get_by_role("combobox", name="Share", exact=True).first.locator("option").count() > 2


def test_a_history_opens_from_disk_and_its_events_are_told(stage: Stage) -> None:
    stage.open()
    file = EXAMPLES / "trace" / "walkthrough.ndjson"
    stage.open_file(file.name, file.read_bytes())
    web.expect(stage.page.locator("#log")).to_contain_text("qs1_job_med has stopped")
    assert stage.place[1] > 10


def _is_history(stage: Stage) -> None:
    _title(stage, "my-sm-training-qm-jq")
    web.expect(stage.page.locator("#log")).to_contain_text("qs1_job_med has stopped")
    assert stage.broken() == []


def test_the_folder_of_a_history_opens_and_can_only_be_looked_at(stage: Stage) -> None:
    stage.open()
    stage.open_folder(EXAMPLES / "history")
    _is_history(stage)
    at, last = stage.place
    assert 0 < at < last
    web.expect(stage.told).to_contain_text("qs1_job_med is told to stop")
    web.expect(stage.told).to_contain_text("2026-11-02 15:10:")
    web.expect(stage.page.locator("#label")).to_contain_text("history of a real queue")
    web.expect(stage.page.locator("#log [aria-current] .log-at")).to_have_text(re.compile(r"^15:10:\d\d"))
    stage.slide(last)
    web.expect(stage.page.locator("#actions")).to_be_hidden()
    web.expect(stage.page.locator("#policy-section")).to_be_hidden()
    web.expect(stage.page.locator("#actions-hint")).to_contain_text("looked at, not played")
    for name in ("Step", "Run to rest", "Undo", "Redo"):
        web.expect(stage.page.get_by_role("button", name=name, exact=True)).to_have_attribute("aria-disabled", "true")
    stage.page.keyboard.press("n")
    stage.page.keyboard.press("s")
    stage.is_at(last, last)
    web.expect(stage.trouble).to_be_hidden()
    stage.click("Save…")
    web.expect(stage.dialog.get_by_role("button", name="Scenario")).to_be_disabled()
    web.expect(stage.dialog).to_contain_text("is no scenario")
    stage.page.keyboard.press("Escape")
    stage.slide(0)
    assert stage.page.locator("[data-lamp][data-state=kept]").count() == 0
    stage.step()


def test_the_files_of_a_history_open_together_compressed_ones_too(stage: Stage) -> None:
    folder = EXAMPLES / "history"
    files = []
    for file in sorted(f for f in folder.rglob("*") if f.is_file()):
        data, name = file.read_bytes(), "-".join(file.relative_to(folder).parts)
        if file.suffix == ".ndjson":
            data, name = gzip.compress(data), f"{name}.gz"
        files.append({"name": name, "mimeType": "application/json", "buffer": data})
    stage.open()
    stage.click("Open…")
    stage.page.locator("#file").set_input_files(files)
    _is_history(stage)


def test_scenarios_that_are_for_machines_are_folded_away_until_they_are_looked_for(stage: Stage) -> None:
    stage.open()
    stage.click("Open…")
    found = stage.dialog.get_by_role("button", name="bug-lends-reserve", exact=False)
    web.expect(stage.dialog.get_by_role("button", name="reserve-idle", exact=False).first).to_be_visible()
    web.expect(found).to_have_count(0)
    stage.dialog.get_by_label("Find").fill("bug-lends-res")
    web.expect(found.first).to_be_visible()


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("events.ndjson", (EXAMPLES / "history/history/eventbridge.ndjson").read_text("utf-8"), "list-quota-shares"),
        ("torn.json.gz", gzip.compress(b"{}", mtime=0)[:-6], "cannot be unpacked"),
        ("broken.yaml", "scenario: 1\nname: [", "broken.yaml"),
        ("other.yaml", "cats: 3\n", "other.yaml"),
        ("misspelt.yaml", MISSPELT, "misspelt.yaml:14"),
        ("empty.json", "", "empty.json"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\xff\xfe", "picture.png"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_read_is_told_and_nothing_is_lost(
    stage: Stage, watched: Watched, name: str, content: str | bytes, told: str
) -> None:
    watched.expected.append("422")  # the console notes what the server refuses
    stage.open(PLAYED)
    before, picture = stage.link(), stage.drawn()
    stage.open_file(name, content)
    web.expect(stage.trouble).to_contain_text(told)
    web.expect(stage.trouble).to_contain_text("What to do:")
    assert (stage.link(), stage.drawn()) == (before, picture)
    assert stage.page.locator("dialog[open]").count() == 0
    stage.submit("goes-on", "QS2")
    web.expect(stage.trouble).to_be_hidden()


def test_a_saved_play_is_replayed_with_the_same_verdict(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stage.open(PLAYED)
    stage.run()
    file = stage.save(tmp_path)
    assert file.suffix == ".yaml"
    capsys.readouterr()
    assert run(["replay", str(file)]) == 0, capsys.readouterr().out
    assert "every step keeps every promise" in capsys.readouterr().out


def test_a_saved_play_that_breaks_a_guarantee_breaks_it_when_it_is_replayed(
    stage: Stage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from quotaproof.checker.teach.planted import PLANTED

    name, bug = next((n, b) for n, b in PLANTED.items() if b.code == "G2")
    stage.open()
    stage.scheduler(name)
    stage.page.locator("#policy").get_by_role("button", name=bug.shows, exact=True).click()
    web.expect(stage.lamp("G2")).to_have_attribute("data-state", "broken")
    file = stage.save(tmp_path)
    capsys.readouterr()
    assert run(["replay", str(file)]) == 1
    assert "reserve untouched" in capsys.readouterr().out


def test_a_saved_play_opens_again_with_the_same_events(stage: Stage, tmp_path: Path) -> None:
    def events() -> list[str]:
        lines = stage.page.locator("#log").get_by_role("button")
        told = lines.evaluate_all("all => all.map(line => line.lastChild.textContent)")
        return [str(line) for line in told if "Nothing is left to do" not in line]  # a scenario says what is done

    stage.open(PLAYED)
    stage.run()
    before = events()
    file = stage.save(tmp_path)
    stage.open()
    stage.open_file(file.name, file.read_bytes())
    _title(stage, "played")
    assert events() == before


def test_a_picture_is_saved_as_a_drawing_that_stands_alone(stage: Stage, tmp_path: Path) -> None:
    stage.open(games.hostile())
    stage.click("Save…")
    with stage.page.expect_download() as download:
        stage.dialog.get_by_role("button", name="Picture").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    text = file.read_text("utf-8")
    assert "<script" not in text
    assert "<img" not in text
    stage.page.goto(file.as_uri())
    assert stage.page.evaluate("document.documentElement.tagName") == "svg"
    assert web.HOSTILE in (stage.page.evaluate("document.documentElement.textContent") or "")
