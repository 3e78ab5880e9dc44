"""The tables of a report in a browser: what they say on paper and on the screen, which rows a time leaves, what is saved as
CSV."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from quotaproof.checker.audit.words import instant
from quotaproof.checker.drawn import DATED, NONE, Happened, Series, StopTable, Timeline, Track
from quotaproof.checker.drawn import JobTable as Jobs
from quotaproof.checker.report import html
from quotaproof.checker.report.options import Options
from quotaproof.checker.results import Began, Ended

from . import web

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
MINUTE, HOUR = 60_000, 3_600_000
DAY = 20_000 * 24 * HOUR
"""Midnight of a day with a date."""
BORROWED = (0.25, 0.15, 0.05, 0.75, 1.349999, 2.0, 12.25, 0.0)
"""Machine-hours; a quarter is half-way between two tenths, and 0.15 is a little below."""
NAMES = ("=1+1", "+2", "-3", "@SUM(A1)", 'say "a", b;', "\ttabbed", "plain", "two\nlines")
RAN = (59_500, 59_400, 500, 125, 90_000, 2 * HOUR, 60 * HOUR, 0)
Opened = Callable[[Timeline], "Page"]


def timeline(start: int) -> Timeline:
    """A clock that begins at `start`: eight jobs, the n-th submitted n minutes later, with an end an hour after that; two of
    them are stopped."""
    jobs = len(NAMES)
    every = range(jobs)
    flat = Series(array("q", [start]), array("q", [1]))
    table = Jobs(
        NAMES, array("q", [0] * jobs), array("q", [0] * jobs), ({"u": 1},), array("q", [NONE, *range(1, jobs)]),
        array("q", [start + n * MINUTE for n in every]), array("q", [start + n * MINUTE + 1500 for n in every]),
        array("q", [start + n * MINUTE + HOUR + (n == 1) for n in every]), array("q", RAN), array("d", BORROWED),
        array("q", [0, 1, 1, *[0] * (jobs - 3)]), array("q", [2] * jobs),
    )  # fmt: skip
    stops = StopTable(
        array("q", [start + 2 * MINUTE, start + 3 * MINUTE]), array("q", [1, 2]), array("q", [0, NONE]),
        array("q", [1, 0]), array("q", [59_500, NONE]), array("q", [1, 0]), array("q", [2, 0]), array("q", [3, 0]),
        ("", "=1+1", "its share lends", "no"),
    )  # fmt: skip
    happened = Happened(array("q", [start, start + MINUTE]), array("q", [0, 0]), ("submitted",), array("q", [0, 1]),
                        array("q", [0, 0]), ("",))  # fmt: skip
    track = Track("a", "u", flat, flat, flat, flat, flat)
    return Timeline("", start, start + 2 * HOUR, ("a",), ("u",), (track,), (), table, stops, happened)


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Opened:
    """A report that draws a timeline."""

    def shown(drawn: Timeline) -> Page:
        file = tmp_path / "report.html"
        file.write_text(html.write([Began("audit", "q"), drawn, Ended(0.0)], Options()), "ascii")
        page.goto(file.as_uri())
        return page

    return shown


def tables(page: Page, where: str) -> list[list[dict[str, str]]]:
    """The rows of the tables of a kind, cells by their headings."""
    return page.evaluate(
        """(where) => [...document.querySelectorAll(where)].map((table) => {
            const heads = [...table.querySelectorAll("th")].map((head) => head.textContent);
            return [...table.querySelectorAll("tbody tr:not(.spacer)")].map((row) =>
                Object.fromEntries([...row.cells].map((cell, k) => [heads[k], cell.textContent])));
        })""",
        where,
    )


@pytest.mark.parametrize("start", [0, 5 * HOUR + 7, DAY + 5 * HOUR])
def test_paper_and_screen_say_the_same(opened: Opened, start: int) -> None:
    page = opened(timeline(start))
    stops, jobs = tables(page, "#preemptions table") + tables(page, "#jobs table")
    still = tables(page, ".still table")
    assert still == [stops, jobs]
    assert [job["borrowed h"] for job in jobs] == ["0.3", "0.1", "0.1", "0.8", "1.3", "2.0", "12.3", "0.0"]
    heading = "submitted (UTC)" if start >= DATED else "submitted"
    assert [job[heading] for job in jobs[:2]] == [instant(start), instant(start + MINUTE)]


def test_a_clock_without_dates_is_told_in_days_wherever_a_time_is_told(opened: Opened) -> None:
    page = opened(timeline(30 * HOUR))
    page.locator("#preemptions tr[data-row] button").first.click()
    told = web.words(page.locator("main").text_content())
    assert "u from day 2 06:00:00 to day 2 08:00:00." in told
    assert "day 2 06:02:00" in web.words(page.locator(".told").text_content())
    assert "1970" not in told


def test_a_printed_table_has_its_headings_and_no_controls(opened: Opened) -> None:
    page = opened(timeline(DAY))
    page.emulate_media(media="print")
    heads = page.locator("#jobs th").all_inner_texts()
    assert heads[:5] == ["job", "share", "size", "priority", "submitted (UTC)"]
    assert page.evaluate("getComputedStyle(document.querySelector('#jobs thead')).display") == "table-header-group"
    assert page.locator("#jobs tbody tr:visible").count() == len(NAMES)
    assert page.get_by_role("button", name="CSV").filter(visible=True).count() == 0
    assert page.locator(".still:visible").count() == 0


@pytest.mark.parametrize(
    ("first", "last", "jobs", "stops"),
    [
        (0, 2 * HOUR, 8, 2),
        (0, 1, 1, 0),
        (0, MINUTE - 1, 1, 0),
        (0, MINUTE, 2, 0),
        (0, 2 * MINUTE - 1, 2, 0),
        (0, 2 * MINUTE, 3, 1),
        (2 * MINUTE, 3 * MINUTE, 4, 2),
        (2 * MINUTE + 1, 3 * MINUTE - 1, 3, 0),
        (HOUR, 2 * HOUR, 8, 0),
        (HOUR + 1, 2 * HOUR, 7, 0),
        (HOUR + MINUTE + 1, 2 * HOUR, 7, 0),
        (HOUR + MINUTE + 2, 2 * HOUR, 6, 0),
    ],
)  # fmt: skip
def test_a_time_leaves_what_lived_in_it_its_ends_included(
    opened: Opened, first: int, last: int, jobs: int, stops: int
) -> None:
    page = opened(timeline(DAY))
    for field, at in (("To (UTC)", DAY + last), ("From (UTC)", DAY + first)):
        page.get_by_label(field).fill(instant(at) if at % 1000 else f"{instant(at)}.000")
        page.get_by_label(field).blur()
    rows = page.locator("#jobs tr[data-row]").count(), page.locator("#preemptions tr[data-row]").count()
    assert rows == (jobs, stops)


def test_a_time_without_length_is_refused_and_the_rows_stay(opened: Opened) -> None:
    page = opened(timeline(DAY))
    page.get_by_label("To (UTC)").fill(f"{instant(DAY)}.000")
    page.get_by_label("To (UTC)").blur()
    web.expect(page.locator(".told")).to_contain_text("is no time")
    assert page.locator("#jobs tr[data-row]").count() == len(NAMES)


def test_what_is_saved_is_read_again_as_it_is_shown_and_is_no_formula(opened: Opened) -> None:
    page = opened(timeline(DAY))
    page.get_by_label("To (UTC)").fill(instant(DAY + 6 * MINUTE))
    page.get_by_label("To (UTC)").blur()
    with page.expect_download() as told:
        page.locator("#jobs").get_by_role("button", name="Save these as CSV").click()
    text = told.value.path().read_bytes().decode("utf-8")
    assert told.value.suggested_filename == "jobs.csv"
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["job"] for row in rows] == ["'=1+1", "'+2", "'-3", "'@SUM(A1)", 'say "a", b;', "\\ttabbed", "plain"]
    assert [float(row["borrowed h"]) for row in rows] == list(BORROWED[:7])
    assert [float(row["waited (s)"]) for row in rows] == [1.5] * 7
    assert [row["priority"] for row in rows] == ["", *map(str, range(1, 7))]
    assert text.count("\r\n") == text.count("\n") == 8
    with page.expect_download() as told:
        page.locator("#preemptions").get_by_role("button", name="Save all as CSV").click()
    saved = list(csv.DictReader(io.StringIO(told.value.path().read_text("utf-8"))))
    assert [row["for"] for row in saved] == ["'=1+1", ""]
    assert [row["drained (s)"] for row in saved] == ["59.5", ""]


def test_a_text_of_several_lines_is_one_cell_of_the_file(opened: Opened) -> None:
    text = opened(timeline(DAY)).evaluate(
        """() => {
            const script = document.querySelector("script[type=module]").textContent;
            const [from, to] = [script.indexOf("function csvCell"), script.indexOf("function sortedBy")];
            const csvText = new Function(`${script.slice(from, to)}; return csvText;`)();
            const cells = ["two\\nlines", "a\\r", "\\t=1", 'q"', "=a,b", -1, ""];
            return csvText([{ heading: "x, y", text: (row) => cells[row] }, { heading: "n", text: String }], cells.keys());
        }"""
    )
    assert list(csv.reader(io.StringIO(text, newline=""))) == [
        ["x, y", "n"], ["two\nlines", "0"], ["a\r", "1"], ["'\t=1", "2"], ['q"', "3"], ["'=a,b", "4"], ["-1", "5"], ["", "6"],
    ]  # fmt: skip


def test_a_timeline_without_a_stop_has_no_table_of_them(opened: Opened) -> None:
    drawn = timeline(DAY)
    none = StopTable(*[array("q") for _ in range(8)], texts=())
    page = opened(replace(drawn, stops=none))
    assert "Nothing was stopped." in web.words(page.locator("body").text_content())
