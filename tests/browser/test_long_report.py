"""A report of a history of 100,000 events in a browser: how large it is, how soon it is there, how fast it is filtered."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from quotaproof.checker.report import html
from quotaproof.checker.report.options import Options

from ..support.drawn import drawn_audit, week
from . import web
from .timed import timed

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
JOBS, EVENTS, MEGABYTES, OPENS_MS, FILTERS_MS, ROWS = 18_000, 100_000, 15, 2_000, 100, 200


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("long") / "report.html"
    file.write_text(html.write(drawn_audit(week(JOBS)), Options()), "ascii")
    return file


def test_a_hundred_thousand_events_open_soon_and_are_filtered_at_once(long: Path, page: Page) -> None:
    size = long.stat().st_size / 1e6
    page.goto(long.as_uri())
    opened = page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    events = page.evaluate("JSON.parse(document.getElementById('data').textContent).timelines[0].happened.at.length")
    times = page.evaluate(
        """async () => {
            const [box, times] = [document.getElementById("text"), []];
            for (const text of ["j1", "j12", "j123", "j1234", ""]) {
                const start = performance.now();
                box.value = text;
                box.dispatchEvent(new Event("input"));
                await new Promise(requestAnimationFrame);
                times.push(performance.now() - start);
            }
            return times;
        }"""
    )
    rows = page.locator("#records tr, #history tr").count()
    print(f"{events:,} events: {size:.1f} MB, {rows} rows in the page")
    timed("a report of 100,000 events opens", [opened], OPENS_MS)
    timed("a report of 100,000 events is filtered", times, FILTERS_MS)
    assert events >= EVENTS
    assert size < MEGABYTES
    assert rows < ROWS


def test_a_preemption_leads_to_the_timeline_and_back_and_its_address_leads_there(long: Path, page: Page) -> None:
    page.goto(long.as_uri())
    row = page.get_by_role("region", name="Preemptions").get_by_role("button").nth(10)
    when = web.words(row.text_content())
    row.click()
    told = page.locator(".told")
    web.expect(told).to_contain_text(when)
    assert "stop=" in page.url
    page.get_by_role("button", name="To its row in the table").click()
    web.expect(page.locator("#preemptions tr.chosen")).to_contain_text(when)
    page.goto(page.url)
    page.reload()
    web.expect(page.locator(".told")).to_contain_text(when)


def test_a_share_in_the_address_filters_the_tables(long: Path, page: Page) -> None:
    page.goto(f"{long.as_uri()}#share=d&job=j1")
    names = page.locator("#jobs tr[data-row] td:nth-child(1)").all_text_contents()
    shares = page.locator("#jobs tr[data-row] td:nth-child(2)").all_text_contents()
    assert names
    assert all(name.startswith("j1") for name in names)
    assert set(shares) == {"d"}
