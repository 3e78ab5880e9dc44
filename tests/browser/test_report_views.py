"""What a report of a history shows of itself: links to parts and views, the range of times, tables, and what is saved."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from quotaproof.checker.drawn import Timeline

from ..support.timelines import DATED, DAY, Job, Stop, drawn_page, timeline
from . import web

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser
HOSTILE = ("=1+1", "+1", "-2+3", "@x", "\t=1", '=x",y', "=a\n=b", "a;b,c", "two\r\nlines", 'say "x"', web.HOSTILE)
MINUTE = 60_000


@pytest.fixture
def opened(page: Page, tmp_path: Path) -> Callable[..., Page]:
    """A report of timelines, open at a link. Each is a file of its own, as another link to an open page does not open it."""
    numbers = itertools.count()

    def shown(*timelines: Timeline, link: str = "") -> Page:
        file = tmp_path / f"report-{next(numbers)}.html"
        file.write_text(drawn_page(*timelines), "ascii")
        page.goto(f"{file.as_uri()}{link}")
        return page

    return shown


def queue() -> Timeline:
    """Ten jobs, one a minute; every second one is stopped half a minute later, for its own share and for another in turn."""
    jobs = [Job(f"job-{k}", k * MINUTE, (k + 1) * MINUTE, share="ab"[k % 2]) for k in range(10)]
    kinds = ("cross-share", "in-share")
    stops = [Stop(k * MINUTE + 30_000, k, kinds[k // 2 % 2], f"reason {k}") for k in range(0, 10, 2)]
    return timeline(jobs, stops, lasts=10 * MINUTE, start=DATED)


def counted(page: Page, part: str) -> str:
    return web.words(page.locator(f"#{part} .rows").first.text_content())


def named(page: Page, part: str, column: int = 1) -> list[str]:
    return page.locator(f"#{part} tr[data-row] td:nth-child({column})").all_text_contents()


def typed(page: Page, box: str, text: str) -> None:
    page.locator(f"#{box}").fill(text)
    page.locator(f"#{box}").press("Tab")


def saved(page: Page, part: str, tmp_path: Path) -> list[list[str]]:
    """The rows of a table that its button saves, the heading before them."""
    with page.expect_download() as download:
        page.locator(f"#{part}").get_by_role("button", name="as CSV").click()
    download.value.save_as(tmp_path / "saved.csv")
    with (tmp_path / "saved.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("part", ["jobs", "preemptions", "events", "share", "data", "nothing-of-that-name"])
def test_a_link_to_a_part_opens_the_whole_report_there(opened: Callable[..., Page], part: str) -> None:
    whole = opened(queue()).locator("#timeline svg").count()
    page = opened(queue(), link=f"#{part}")
    assert page.locator("#timeline svg").count() == whole > 0
    assert page.locator("#from").input_value() == "2025-11-30 10:53:20"
    assert counted(page, "jobs") == "10 jobs"
    assert page.url.endswith(f"#{part}")
    if part in ("jobs", "preemptions", "events"):
        web.expect(page.locator(f"#{part} h2")).to_be_in_viewport()
    assert web.words(page.locator(".told").text_content()) == ""


def test_a_filter_after_a_link_to_a_part_is_what_the_address_has(opened: Callable[..., Page]) -> None:
    page = opened(queue(), link="#jobs")
    page.locator("#share").select_option("b")
    assert page.url.endswith("#share=b")
    page.evaluate("location.hash = 'preemptions'")
    web.until(page, "document.getElementById('share').value === ''")
    assert counted(page, "jobs") == "10 jobs"


def test_what_of_a_link_a_report_does_not_have_is_said(opened: Callable[..., Page]) -> None:
    page = opened(queue(), link="#share=zz&job=job-3&stop=99&from=yesterday")
    told = page.locator(".told")
    web.expect(told).to_contain_text("does not have what the link asks for: share=zz; from=yesterday; stop=99.")
    web.expect(told).to_be_in_viewport()
    assert named(page, "jobs") == ["job-3"]


def test_a_link_s_time_means_what_it_means_in_the_box(opened: Callable[..., Page]) -> None:
    page = opened(queue())
    typed(page, "to", "2025-11-30 10:55")
    assert page.locator("#to").input_value() == "2025-11-30 10:55:59"
    here, link = counted(page, "events"), page.url.partition("#")[2]
    assert here == "3 of 10 events"
    for written in (link, "to=2025-11-30+10:55", "to=2025-11-30T10:55Z", "to=2025-11-30+10:55:59.999"):
        there = opened(queue(), link=f"#{written}")
        assert (counted(there, "events"), there.locator("#to").input_value()) == (here, "2025-11-30 10:55:59"), written


def test_the_range_of_times_has_both_its_ends(opened: Callable[..., Page]) -> None:
    page = opened(queue())
    typed(page, "from", "2025-11-30 10:54:20")
    assert counted(page, "events") == "9 of 10 events"
    assert counted(page, "jobs") == "10 jobs"
    typed(page, "from", "2025-11-30 10:54:20.001")
    assert (counted(page, "events"), counted(page, "jobs")) == ("8 of 10 events", "9 of 10 jobs")
    typed(page, "to", "2025-11-30 10:56:20.000")
    assert (counted(page, "events"), named(page, "jobs")) == ("2 of 10 events", ["job-1", "job-2", "job-3"])
    typed(page, "to", "2025-11-30 10:56:19.999")
    assert (counted(page, "events"), named(page, "jobs")) == ("1 of 10 events", ["job-1", "job-2"])
    assert counted(page, "preemptions") == "1 of 5 preemptions"
    for box in ("from", "to"):
        typed(page, box, "")
    assert (counted(page, "events"), page.locator("#to").input_value()) == ("10 events", "2025-11-30 11:03:20")
    assert "#" not in page.url


@pytest.mark.parametrize(
    ("box", "text", "wrong"),
    [
        ("from", "2025-11-31", "This is no time."),
        ("from", "11:00", "This is no time."),
        ("from", "2025-12-01", "Nothing was seen after 2025-11-30 11:03:20."),
        ("from", "2025-11-30 11:03:20", "choose an earlier From or a later To."),
        ("to", "2025-11-29", "Nothing was seen before 2025-11-30 10:53:20."),
    ],
)
def test_a_time_that_shows_nothing_is_refused_with_what_is_wrong(
    opened: Callable[..., Page], box: str, text: str, wrong: str
) -> None:
    page = opened(queue())
    typed(page, box, text)
    web.expect(page.locator(".told")).to_contain_text(wrong)
    assert page.locator(f"#{box}").get_attribute("aria-invalid") == "true"
    assert counted(page, "events") == "10 events"


def compared() -> list[Timeline]:
    """Under the first policy nothing was stopped, and the long job ended early."""
    first = timeline([Job("short", 0, MINUTE), Job("long", 0, 2 * MINUTE)], lasts=9 * MINUTE, label="first")
    longer = [Job("short", 0, MINUTE), Job("long", 0, 8 * MINUTE)]
    stops = [Stop(MINUTE, 1, "cross-share"), Stop(2 * MINUTE, 1, "in-share")]
    return [first, timeline(longer, stops, lasts=9 * MINUTE, label="second")]


def test_jobs_of_policies_are_those_that_any_of_them_has_in_that_time(
    opened: Callable[..., Page], tmp_path: Path
) -> None:
    page = opened(*compared(), link="#from=day+1+00:05:00")
    assert (counted(page, "jobs"), named(page, "jobs")) == ("1 of 2 jobs", ["long"])
    assert [row[0] for row in saved(page, "jobs", tmp_path)] == ["job", "long"]


def test_policies_have_a_filter_by_kind_where_one_of_them_stopped_something(opened: Callable[..., Page]) -> None:
    page = opened(*compared(), link="#kind=in-share")
    assert page.locator("#kind").input_value() == "in-share"
    assert counted(page, "preemptions") == "1 of 2 preemptions"
    page.locator("#kind").select_option("")
    assert counted(page, "preemptions") == "2 preemptions"
    page = opened(*[compared()[0]] * 2, link="#kind=in-share")
    assert page.locator("#kind").count() == 0
    web.expect(page.locator(".told")).to_contain_text("kind=in-share")


def test_a_column_of_days_stands_in_their_order(opened: Callable[..., Page]) -> None:
    days = timeline([Job(f"d{k}", k * DAY, (k + 1) * DAY) for k in range(12)], lasts=12 * DAY)
    page = opened(days)
    for part, heading in (("jobs", "submitted"), ("events", "when")):
        head = page.locator(f"#{part}").get_by_role("button", name=heading)
        head.click()
        column = 5 if part == "jobs" else 1
        assert named(page, part, column) == [f"day {k + 1} 00:00:00" for k in range(12)]
        head.click()
        assert named(page, part, column)[:3] == ["day 12 00:00:00", "day 11 00:00:00", "day 10 00:00:00"]


def test_a_chosen_preemption_that_the_filter_leaves_out_says_so_and_leads_back(opened: Callable[..., Page]) -> None:
    page = opened(queue(), link="#stop=3")
    back = page.locator(".told button")
    web.expect(back).to_have_text("To its row in the table")
    page.locator("#text").fill("zzz")
    assert counted(page, "preemptions") == "0 of 5 preemptions"
    web.expect(back).to_have_text("Clear the filter, which leaves it out, and go to its row in the table")
    back.click()
    web.expect(page.locator("#preemptions tr.chosen")).to_contain_text("job-4")
    web.expect(page.locator("#preemptions tr.chosen")).to_be_in_viewport()
    assert page.locator("#text").input_value() == ""
    assert page.url.endswith("#stop=3")


def test_a_click_anywhere_on_a_row_tells_all_of_it(opened: Callable[..., Page]) -> None:
    page = opened(queue())
    web.expect(page.locator("#preemptions .bar")).to_contain_text("A click on a row shows all of it")
    page.locator("#preemptions tr[data-row='1'] td").nth(2).click()
    told = page.locator(".told")
    web.expect(told).to_contain_text("reason 2")
    web.expect(told).to_be_focused()
    box, bar = told.bounding_box(), page.locator(".filters").bounding_box()
    assert box is not None
    assert bar is not None
    assert box["y"] >= bar["y"] + bar["height"] - 1


def clipped(cell: Locator) -> bool:
    return cell.evaluate("e => e.scrollHeight > e.clientHeight + 1 || e.scrollWidth > e.clientWidth + 1")


def test_why_a_stop_was_allowed_is_there_to_be_read(opened: Callable[..., Page]) -> None:
    size = {"ml.g5.xlarge": 1}
    jobs = [Job(f"qs1_job_{name}", 1, 2 * MINUTE + 1, share="QS1", size=size) for name in ("med", "high")]
    borrowed = "QS1 used 1 machine that was not its own (2 used, limit 1): AWS rules 36-38"
    lower = "a job of QS1 with a higher priority waited and in-share preemption is on: AWS rules 39 and 40"
    stops = [
        Stop(1, 0, "cross-share", borrowed, "QS2, job qs2_job_1", "yes: qs1_job_high. AWS chose (A26)"),
        Stop(2, 1, "in-share", lower, "its own share, job qs1_job_low", "no: the only one below it"),
    ]
    page = opened(timeline(jobs, stops, lasts=9 * MINUTE, start=DATED))
    page.set_viewport_size({"width": 1280, "height": 900})
    for part in ("preemptions", "jobs", "events"):
        assert page.locator(f"#{part} .scroll").evaluate("e => e.scrollWidth <= e.clientWidth"), part
    heads = page.locator("#preemptions th").all_text_contents()
    assert [web.words(head) for head in heads][:3] == ["told to stop (UTC)", "job", "why allowed"]
    cells = page.locator("#preemptions .wraps > div, #jobs .wraps > div")
    assert cells.count() == 2 * (5 + 4)
    assert [cell.text_content() for cell in cells.all() if clipped(cell)] == []


def test_marks_that_the_filter_leaves_out_are_pale_and_passed_over(opened: Callable[..., Page]) -> None:
    page = opened(queue())
    pale, lit = page.locator("svg .qp-stopPale"), page.locator("#timeline figure svg .qp-stopCross")
    marks = lit.last.get_attribute("d") or ""
    assert pale.count() == 0
    page.locator("#text").fill("job-4")
    web.expect(pale).to_have_count(1)
    assert (pale.get_attribute("d") or "").count("M") == 4
    page.locator(".qp-timeline").focus()
    for key in ("n", "n"):
        page.keyboard.press(key)
        assert page.url.endswith("stop=3")
    page.locator("#text").fill("")
    web.expect(pale).to_have_count(0)
    page.locator("#kind").select_option("in-share")
    web.expect(pale).to_have_count(1)
    assert (pale.get_attribute("d") or "").count("M") == 3
    page.locator("#text").fill("zzz")
    page.get_by_role("button", name="Everything").click()
    web.expect(pale).to_have_count(0)
    assert (lit.last.get_attribute("d") or "") == marks


def test_a_saved_table_reads_back_as_it_was_and_holds_no_formula(opened: Callable[..., Page], tmp_path: Path) -> None:
    page = opened(timeline([Job(name, share=name) for name in HOSTILE], lasts=MINUTE))
    shown = named(page, "jobs")
    heading, *rows = saved(page, "jobs", tmp_path)
    assert len(rows) == len(shown) == len(HOSTILE)
    assert {len(row) for row in rows} == {len(heading)}
    for row, name in zip(rows, shown, strict=True):
        assert row[0] == row[1] == (f"'{name}" if name[0] in "=+-@\t\r\n" else name)
    page.locator("#text").fill("two")
    assert len(saved(page, "jobs", tmp_path)) == 2
