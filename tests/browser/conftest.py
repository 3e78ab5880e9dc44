"""Chromium without a screen, and a real `quotaproof play`: a test fails on whatever the page does that nobody asked for.

One browser a session, a context a test: errors in the console, uncaught exceptions, dialogs and requests that would
leave this machine (no name is resolved but loopback's) fail the test that has the context. `QUOTAPROOF_CHROMIUM` names
the program where it is not one of `PROGRAMS`.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from .stage import Stage

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
LOCAL = ("127.0.0.1", "localhost")
INSIDE = ("data", "blob", "about", "file")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of this session."""
    pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install -e '.[browser]'")
    from playwright.sync_api import sync_playwright

    named = os.environ.get("QUOTAPROOF_CHROMIUM")
    program = named or next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip("no chromium: apt-get install chromium, or name one in QUOTAPROOF_CHROMIUM")
    outside = "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
    with sync_playwright() as playwright:
        arguments = [f"--host-resolver-rules={outside}", "--force-color-profile=srgb", "--font-render-hinting=none"]
        browser = playwright.chromium.launch(executable_path=program, args=arguments)
        yield browser
        browser.close()


@dataclass
class Watched:
    """What pages did that nobody asked for."""

    expected: list[str] = field(default_factory=list[str])
    """Regular expressions: errors in the console that the test itself brings about."""
    problems: list[str] = field(default_factory=list[str])

    def follow(self, context: BrowserContext) -> None:
        """Listen to every page of a context."""
        context.on("console", self._console)
        context.on("weberror", lambda error: self.problems.append(f"not caught: {error.error}"))
        context.on("dialog", self._dialog)
        context.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(re.search(each, message.text) for each in self.expected):
            self.problems.append(f"console, {message.type}: {message.text}")

    def _dialog(self, dialog: Dialog) -> None:
        self.problems.append(f"dialog: {dialog.type} {dialog.message}")
        dialog.dismiss()

    def _request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme not in INSIDE and url.hostname not in LOCAL:
            self.problems.append(f"asks the network: {request.url}")


@pytest.fixture
def watched() -> Iterator[Watched]:
    """Fails the test on what its pages did that nobody asked for."""
    watched = Watched()
    yield watched
    assert not watched.problems, "\n".join(watched.problems)


@pytest.fixture
def contexts(chromium: Browser, watched: Watched) -> Iterator[Callable[..., BrowserContext]]:
    """Makes contexts, as if each were a browser of its own; they are watched."""
    with ExitStack() as ends:

        def fresh(**options: Any) -> BrowserContext:
            more = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "timezone_id": "UTC", **options}
            context = chromium.new_context(**more)
            ends.callback(context.close)
            context.set_default_timeout(10_000)
            watched.follow(context)
            return context

        yield fresh


@pytest.fixture
def page(contexts: Callable[..., BrowserContext]) -> Page:
    """One page, 1280 x 800, light."""
    return contexts().new_page()


@dataclass(frozen=True)
class Playing:
    """A `quotaproof play` that runs."""

    url: str
    process: subprocess.Popen[str]

    def end(self) -> int:
        """End it as Ctrl-C does; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)
        return self.process.returncode


def started(*arguments: str) -> Playing:
    """A real `quotaproof play` in a process of its own; it listens already."""
    script = Path(sys.executable).with_name("quotaproof")
    process = subprocess.Popen(
        [str(script), "play", *arguments, "--no-open"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    said = re.search(r"http://127\.0\.0\.1:\d+/", line)
    if said is None:
        _, errors = process.communicate(timeout=20)
        raise AssertionError(f"play ended with {process.returncode}: {line}{errors}")
    return Playing(said[0], process)


@pytest.fixture(scope="session")
def play() -> Iterator[Playing]:
    """The server of this session's tests: it keeps nothing that one could leave for the next."""
    playing = started()
    yield playing
    assert playing.end() == 0


@pytest.fixture
def plays() -> Iterator[Callable[..., Playing]]:
    """Starts more of them, with arguments of the test's own."""
    with ExitStack() as ends:

        def another(*arguments: str) -> Playing:
            playing = started(*arguments)
            ends.callback(playing.end)
            return playing

        yield another


@pytest.fixture
def stage(page: Page, play: Playing) -> Stage:
    """The page of the session's server, not opened yet."""
    return Stage(page, play.url)
