"""The reports of every command, in a browser: accessible, as wide as the window, on paper, names as text, no script astray."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from quotaproof.checker.cli import run

from . import web
from .conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

pytestmark = pytest.mark.browser
NASTY = web.HOSTILE + "</script><script>alert(2)</script>"
A4 = {"width": 718, "height": 1046}
"""A4 less 1 cm on each side, in CSS pixels."""

Written = Callable[[str], Path]


def _hostile(text: str, *names: str) -> str:
    for name in names:
        text = text.replace(name, NASTY)
    return text


def _audit(folder: Path) -> list[str]:
    trace = folder / "trace.ndjson"
    text = (ROOT / "examples/trace/walkthrough.ndjson").read_text("utf-8")
    trace.write_text(_hostile(text, "qs1_job_med"), "utf-8")
    return ["audit", str(trace)]


def _replay(folder: Path) -> list[str]:
    scenario = folder / "scenario.yaml"
    text = (ROOT / "examples/scenarios/reserve-idle.yaml").read_text("utf-8")
    scenario.write_text(
        text.replace("c1,", f'"{NASTY}",').replace("c3,", f'"{NASTY}3",').replace("[c3", f'["{NASTY}3"')
    )
    return ["replay", str(scenario)]


def _conform(folder: Path) -> list[str]:
    more = ["--budget", "0", "--executor", "local", "--out", str(folder / "out")]
    return ["conform", "tests.support.named:never_reclaims", *more]


def _simulate(folder: Path) -> list[str]:
    jobs = folder / "workload.csv"
    text = (ROOT / "examples/simulate/workload.csv").read_text("utf-8")
    jobs.write_text(_hostile(text, "train-0"), "utf-8")
    return ["simulate", str(ROOT / "examples/simulate/queue.yaml"), "--workload", str(jobs)]


def _plan(folder: Path) -> list[str]:
    example = ROOT / "examples/plan"
    out = ["--out", str(folder / "plan")]
    return [
        "plan",
        str(example / "live"),
        "--apply",
        str(example / "requests"),
        "--running",
        str(example / "history"),
        *out,
    ]


def _verify(folder: Path) -> list[str]:
    (folder / "queue.yaml").write_text((ROOT / "examples/promises/queue.yaml").read_text("utf-8"), "utf-8")
    promises = (ROOT / "examples/promises/promises.yaml").read_text("utf-8")
    (folder / "promises.yaml").write_text(promises.replace("vision gets its 2 p5", f"{NASTY} gets its 2 p5"), "utf-8")
    return ["verify", str(folder)]


COMMANDS = {each.__name__[1:]: each for each in (_audit, _replay, _conform, _simulate, _plan, _verify)}
NAMED = ("audit", "replay", "verify")
"""Those whose report shows a name of the input that is markup here."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The report of a command, written once."""
    files: dict[str, Path] = {}

    def report(command: str) -> Path:
        if command not in files:
            folder = tmp_path_factory.mktemp(command)
            file = folder / "report.html"
            assert run([*COMMANDS[command](folder), "--report", f"html={file}"]) in (0, 1, 3)
            files[command] = file
        return files[command]

    return report


@pytest.fixture
def opened(written: Written, page: Page) -> Callable[[str], Page]:
    """The report of a command, open."""

    def shown(command: str) -> Page:
        page.goto(written(command).as_uri())
        return page

    return shown


@pytest.mark.parametrize("command", COMMANDS)
def test_axe_finds_nothing_serious_in_a_report(opened: Callable[[str], Page], command: str) -> None:
    page = opened(command)
    web.axe(page)
    page.emulate_media(color_scheme="dark")
    web.axe(page)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_report_is_no_wider_than_a_phone(opened: Callable[[str], Page], command: str) -> None:
    page = opened(command)
    page.set_viewport_size(web.PHONE)
    web.no_sideways_scroll(page)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_printed_report_fits_its_paper(opened: Callable[[str], Page], command: str) -> None:
    page = opened(command)
    page.emulate_media(media="print", color_scheme="light")
    page.set_viewport_size(A4)
    web.no_sideways_scroll(page)
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background in ("rgba(0, 0, 0, 0)", "rgb(255, 255, 255)")


@pytest.mark.parametrize("command", ["audit", "simulate"])
def test_no_printed_table_is_cut_and_its_headings_are_whole(opened: Callable[[str], Page], command: str) -> None:
    page = opened(command)
    page.emulate_media(media="print", color_scheme="light")
    page.set_viewport_size(A4)
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".scroll")].filter((e) => !e.hidden && e.scrollWidth > e.clientWidth + 1)
            .map((e) => `${e.getAttribute("aria-label")} ${e.scrollWidth} ${e.clientWidth}`)"""
    )
    assert cut == []
    assert page.locator(".filters button:visible, .bar button:visible").count() == 0


def test_a_scenario_that_nobody_opened_is_printed_in_sentences(opened: Callable[[str], Page]) -> None:
    page = opened("conform")
    assert page.locator(".still:visible").count() == 0
    page.emulate_media(media="print")
    shown = page.locator("details:not([open]) > .still:visible")
    assert shown.count() > 0
    assert "BROKEN" in web.words(page.locator("details > .still").first.text_content())


@pytest.mark.parametrize("command", NAMED)
def test_a_name_that_is_markup_is_text_in_a_report(opened: Callable[[str], Page], command: str) -> None:
    web.only_as_text(opened(command), NASTY)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_report_says_the_same_without_script(
    written: Written, contexts: Callable[..., BrowserContext], command: str
) -> None:
    page = contexts(java_script_enabled=False).new_page()
    page.goto(written(command).as_uri())
    web.expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.get_by_role("table").or_(page.get_by_role("listitem")).count() > 0


@pytest.mark.parametrize("command", COMMANDS)
def test_a_report_has_its_language_and_one_first_heading(opened: Callable[[str], Page], command: str) -> None:
    page = opened(command)
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.get_by_role("heading", level=1).count() == 1
    levels = page.locator("h1,h2,h3,h4,h5,h6").evaluate_all("all => all.map(e => Number(e.tagName[1]))")
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels)), levels
