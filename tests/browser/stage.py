"""The page of `quotaproof play` as a person uses it: what one clicks and types, and what one then sees.

By roles and labels, as a screen reader finds things; every wait ends when the page shows what is waited for.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from . import games, web

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


class Stage:
    """A page, and the server that it talks to."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    # Where one is -----------------------------------------------------------------------------------------------------

    def open(self, game: games.Form | None = None, at: int | None = None) -> Stage:
        """The page with this play; with the one that it starts with if none is said."""
        self.page.goto(self.url if game is None else games.link(self.url, game, at))
        return self.ready()

    def ready(self) -> Stage:
        """The page has drawn a play."""
        web.expect(self.picture.locator("svg[role=group]")).to_be_visible()
        return self

    @property
    def place(self) -> tuple[int, int]:
        """The event that is shown, and the last one."""
        at, last = (self.page.locator("#place").text_content() or "").split(" / ")
        return int(at), int(last)

    def is_at(self, at: int, last: int | None = None) -> None:
        """Wait until this event is shown."""
        shown = f"{at} / {last}" if last is not None else re.compile(rf"^{at} / ")
        web.expect(self.page.locator("#place")).to_have_text(shown)

    def link(self) -> games.Form:
        """The play in the address, as "Copy link" gives it."""
        self.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        told = self.page.locator("#notice")
        told.evaluate("notice => notice.textContent = ''")
        self.click("Copy link")
        web.expect(told).to_contain_text("The link is copied")
        copied = self.page.evaluate("navigator.clipboard.readText()")
        assert copied == self.page.evaluate("location.href")
        found = games.linked(copied)
        assert found["at"] == self.place[0]
        return found

    # What one sees ----------------------------------------------------------------------------------------------------

    @property
    def picture(self) -> Locator:
        """The drawing with its words."""
        return self.page.locator("#picture")

    def shows(self, *sentences: str) -> None:
        """The picture says each of these, in words."""
        for sentence in sentences:
            web.expect(self.picture).to_contain_text(sentence)

    def drawn(self) -> str:
        """The markup of the picture: two that look alike are alike."""
        return self.picture.inner_html()

    @property
    def told(self) -> Locator:
        """What just happened."""
        return self.page.locator("#told")

    def lamp(self, code: str) -> Locator:
        """The lamp of a guarantee."""
        return self.page.get_by_role("list", name="Guarantees").get_by_role(
            "button", name=re.compile(rf"^{re.escape(code)} ")
        )

    def broken(self) -> list[str]:
        """Codes of the lamps that are red."""
        codes = self.page.locator("[data-lamp][data-state=broken]").evaluate_all("all => all.map(e => e.dataset.lamp)")
        return [str(code) for code in codes]

    @property
    def dialog(self) -> Locator:
        """The dialog that is open."""
        return self.page.locator("dialog[open]")

    @property
    def trouble(self) -> Locator:
        """What went wrong."""
        return self.page.get_by_role("alert")

    # What one does ----------------------------------------------------------------------------------------------------

    def click(self, name: str, exact: bool = True) -> None:
        """The button of this name."""
        self.page.get_by_role("button", name=name, exact=exact).click()

    def step(self) -> None:
        """One event further."""
        at, last = self.place
        self.click("Step")
        self.is_at(at + 1, max(last, at + 1))

    def run(self) -> None:
        """Until nothing moves."""
        self.click("Run to rest")
        web.expect(self.page.locator("#rest-hint")).to_be_visible()

    def submit(self, job: str, share: str, priority: int = 0) -> None:
        """A job of one machine."""
        at, _ = self.place
        form = self.page.get_by_role("form", name="Submit a job")
        form.get_by_label("Name").fill(job)
        form.get_by_label("Share").select_option(share)
        form.get_by_label("Priority", exact=True).fill(str(priority))
        form.get_by_role("button", name="Submit").click()
        self.is_at(at + 1, at + 1)

    def job(self, name: str) -> Locator:
        """The dialog of a job, from its block in the picture."""
        self.picture.get_by_role("button", name=re.compile(rf"^{re.escape(name)}\b")).first.click()
        web.expect(self.dialog).to_be_visible()
        return self.dialog

    def share(self, name: str) -> Locator:
        """The dialog of a share."""
        self.page.get_by_role("combobox", name="Share", exact=True).last.select_option(name)
        self.click("Change this share")
        web.expect(self.dialog).to_be_visible()
        return self.dialog

    def set_priority(self, job: str, priority: int) -> None:
        """An update of a job's priority."""
        at, _ = self.place
        dialog = self.job(job)
        dialog.get_by_label("Priority").fill(str(priority))
        dialog.get_by_role("button", name="Set priority").click()
        self.is_at(at + 1, at + 1)

    def slide(self, to: int) -> None:
        """Move the slider."""
        self.page.get_by_role("slider").fill(str(to))
        self.is_at(to)

    def open_file(self, name: str, content: str | bytes) -> None:
        """Choose a file of this computer."""
        self.click("Open…")
        data = content.encode() if isinstance(content, str) else content
        self.page.locator("#file").set_input_files({"name": name, "mimeType": "text/plain", "buffer": data})

    def open_folder(self, folder: Path) -> None:
        """Choose a folder of this computer."""
        self.click("Open…")
        self.page.locator("#folder").set_input_files(folder)

    def save(self, into: Path) -> Path:
        """Download the scenario."""
        self.click("Save…")
        with self.page.expect_download() as download:
            self.dialog.get_by_role("button", name="Scenario").click()
        file = into / download.value.suggested_filename
        download.value.save_as(file)
        return file

    def lesson(self, number: int) -> Locator:
        """A lesson, at its first question."""
        self.page.emulate_media(reduced_motion="reduce")  # what happens is shown at once
        self.page.goto(f"{self.url}#lesson={number}")
        lesson = self.page.get_by_role("region", name=f"Lesson {number}:")
        on, asked = lesson.get_by_role("button", name="See what happens"), lesson.get_by_role("radio").first
        while not asked.is_visible():
            web.expect(on.or_(asked).first).to_be_visible()
            if on.is_visible():
                on.click()
                web.expect(on).to_have_count(0)
        return lesson

    def scheduler(self, name: str) -> None:
        """Choose who schedules."""
        self.page.get_by_role("combobox", name="Who schedules", exact=True).select_option(name)
