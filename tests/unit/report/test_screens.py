"""The two target screens: the same rows with the same numbers and texts (the column "can lose" is ours)."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from quotaproof.checker.findings.catalogue import findings
from quotaproof.checker.findings.table import table
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.text import write
from quotaproof.checker.results import Began, Ended, Source
from quotaproof.spec.readings import Readings

from .samples import HOLDS, RESTS

SHARED = Path(__file__).parents[4] / "shared"
RULE = r"(LEND_AND_BORROW(?: no max| +\d+ %)?|LEND|RESERVE)"
TARGET = re.compile(rf"(\S+) +{RULE} +(\d+) +(\d+) +(\d+) +(-|\d+(?: from \S+)?) {{2,}}(\S.*)")
OURS = re.compile(rf"(\S+) +{RULE} +(\d+) +(\d+) +(\d+) +(-|\d+(?: from \S+)?) +(?:-|\d+) {{2,}}(\S.*)")

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason="the target screens are beside the repository, not in it")


def screen(*paths: Path) -> str:
    from quotaproof.spec.formats import load

    loaded = load([str(p) for p in paths], readings=Readings())
    units, rows = table(loaded.config, Readings())
    found = findings(loaded, Readings(), today=date(2026, 12, 1))
    sources = tuple(Source(s.name, s.path, s.kind) for s in loaded.sources)
    began = Began("verify", loaded.config.job_queue_name, sources)
    return write([began, *units, *rows, *found, *HOLDS, RESTS, Ended(0.4)], Options())


def rows(screen: str, form: re.Pattern[str]) -> list[tuple[str, ...]]:
    return [m.groups() for line in screen.splitlines() if (m := form.fullmatch(line.rstrip()))]


def target(name: str) -> str:
    return (SHARED / "screens" / name).read_text(encoding="utf-8")


def walkthrough() -> str:
    return screen(*sorted((SHARED / "aws" / "inputs").glob("0[1-4]*.json")))


def test_the_walkthrough_has_the_rows_of_its_screen() -> None:
    wanted = rows(target("verify_walkthrough.txt"), TARGET)
    assert len(wanted) == 3
    assert rows(walkthrough(), OURS) == wanted


def test_the_broken_queue_has_the_rows_of_its_screen() -> None:
    wanted = rows(target("verify_broken6.txt"), TARGET)
    assert len(wanted) == 8
    assert rows(screen(SHARED / "aws" / "broken6"), OURS) == wanted


def test_the_broken_queue_says_what_its_screen_says_about_the_two_errors() -> None:
    got, wanted = screen(SHARED / "aws" / "broken6").splitlines(), target("verify_broken6.txt").splitlines()
    start = next(k for k, line in enumerate(wanted) if line.startswith("ERROR   19 p5"))
    said = [line for line in wanted[start : start + 10] if not line.startswith("ERROR")]
    assert len(said) == 8
    assert [line for line in said if line not in got] == []
    for line in (wanted[start], wanted[start + 8]):
        assert " ".join(line.split()) in [" ".join(one.split()) for one in got]


def test_the_broken_queue_has_the_findings_of_its_screen_at_their_places() -> None:
    form = re.compile(r"(ERROR|WARN|note) +(\S.*?\S) +(?:(\S+:\d+) +)?(QP\d+)")

    def told(text: str) -> list[tuple[str | None, ...]]:
        found = [m.groups() for line in text.splitlines() if (m := form.fullmatch(line))]
        return sorted((mark, title.rstrip("."), place or "", code) for mark, title, place, code in found)

    assert len(told(target("verify_broken6.txt"))) == 6
    assert told(screen(SHARED / "aws" / "broken6")) == told(target("verify_broken6.txt"))


@pytest.mark.parametrize("name", ["verify_walkthrough.txt", "verify_broken6.txt"])
def test_the_head_lines_are_those_of_the_screens(name: str) -> None:
    got = walkthrough() if "walk" in name else screen(SHARED / "aws" / "broken6")
    wanted = target(name).splitlines()
    assert [line for line in wanted if line.startswith(("OK ", "BROKEN ", "        Worst", "        One answer"))] == [
        line for line in got.splitlines() if line.startswith(("OK ", "BROKEN ", "        Worst", "        One answer"))
    ]
