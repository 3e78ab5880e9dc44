"""What the browser tests say of a page: waits that end when the page is so, accessibility by axe, width, names shown as text.

Playwright is imported where it is used, so that the other tests can be collected without it. axe-core comes with its
package; nothing is fetched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from axe_playwright_python.base import AxeResults
    from playwright.sync_api import Locator, LocatorAssertions, Page, PageAssertions

HOSTILE = "<img src=x onerror=alert(1)>"
"""A job's name that is a picture and a script where somebody forgets that names are data."""
GRAVE = ("serious", "critical")
PHONE = {"width": 320, "height": 640}
DESK = {"width": 1280, "height": 800}


def expect(what: Locator | Page, message: str | None = None) -> Any:
    """Playwright's assertions, which wait until they are true."""
    from playwright.sync_api import expect as expected

    asserted: LocatorAssertions | PageAssertions = expected(what, message)
    return asserted


def axe(page: Page) -> AxeResults:
    """No serious or critical finding of axe; the smaller ones are printed."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page)
    told = {impact: [] for impact in ("minor", "moderate", *GRAVE)}
    for violation in found.response["violations"]:
        places = [f"{' '.join(node['target'])}: {_why(node)}" for node in violation["nodes"][:5]]
        told[violation["impact"]].append(f"{violation['id']} ({len(violation['nodes'])}): {'; '.join(places)}")
    for impact in ("moderate", "minor"):
        for line in told[impact]:
            print(f"axe, {impact}: {line}")
    grave = [f"{impact}: {line}" for impact in GRAVE for line in told[impact]]
    assert not grave, "\n".join(grave)
    return found


def _why(node: dict[str, Any]) -> str:
    checks = [*node["any"], *node["all"], *node["none"]]
    return checks[0]["message"] if checks else node["html"][:200]


def no_sideways_scroll(page: Page) -> None:
    """The page is as wide as the window: what is wider scrolls in a box of its own."""
    wide = page.evaluate("document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth")
    if wide > 0:
        who = page.evaluate(
            """() => [...document.body.querySelectorAll("*")].filter(e => {
                for (let p = e.parentElement; p; p = p.parentElement)
                    if (p !== document.body && getComputedStyle(p).overflowX !== "visible") return false;
                return e.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
            }).slice(0, 5).map(e => e.tagName + "." + e.getAttribute("class") + " " + e.textContent.slice(0, 60))"""
        )
        raise AssertionError(f"{wide} px too wide at {page.viewport_size}: {who}")


def only_as_text(page: Page, name: str = HOSTILE) -> None:
    """The name stands in the page, and made no element and no attribute that runs."""
    assert name in page.evaluate("document.body.textContent"), f"{name} is not shown"
    made = page.evaluate(
        """() => [...document.querySelectorAll("img[src='x'], [onerror], [onload]")].map(e => e.outerHTML)"""
    )
    assert made == []


def until(page: Page, condition: str) -> None:
    """Wait until an expression is true of the page; looked at before each of its frames, without its evaluating text."""
    page.evaluate(
        f"() => new Promise(done => {{ const look = () => ({condition}) ? done() : requestAnimationFrame(look); look(); }})"
    )


def words(text: str | None) -> str:
    """Text with single spaces."""
    return re.sub(r"\s+", " ", text or "").strip()
