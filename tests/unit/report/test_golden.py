"""Every form of a few streams, compared exactly with the files in `golden`.

After a change that is meant to be seen: `REWRITE_GOLDEN=1 pytest tests/unit/report/test_golden.py`, then read the diff.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest
from quotaproof.checker.cli.options import FORMS
from quotaproof.checker.report.options import FailOn, Options
from quotaproof.checker.results import Event, Verdict

from .audits import audited, broken
from .conformances import again, conformant, failing, partial
from .samples import accepted, everything, kept, played, promised, shown

GOLDEN = Path(__file__).with_name("golden")
STREAMS: dict[str, Callable[[], list[Event]]] = {
    "everything": everything,
    "accepted": accepted,
    "played": played,
    "shown": shown,
    "kept": kept,
    "promised": promised,
    "audited": audited,
    "audit-broken": broken,
    "conformant": conformant,
    "conform-failing": failing,
    "conform-partial": partial,
    "fixed": lambda: again(Verdict.KEPT, "no step breaks a promise"),
    "error": lambda: again(Verdict.UNKNOWN, "it ended before it had answered"),
}
OPTIONS = {
    "verbose": Options(verbose=True, fail_on=FailOn.WARNING, out="shown"),
    "strict": Options(strict=True, fail_on=FailOn.NEVER),
    "quiet": Options(quiet=True),
}
CASES = [(stream, form, "") for stream in STREAMS for form in FORMS]
CASES += [("everything", "text", "verbose"), ("everything", "json", "strict"), ("everything", "text", "strict")]
CASES += [("conform-failing", "text", "verbose"), ("conformant", "text", "quiet"), ("conformant", "text", "strict")]
CASES += [("promised", "text", "verbose"), ("promised", "text", "quiet")]
CASES += [("accepted", "text", "quiet"), ("shown", "text", "quiet"), ("played", "text", "strict")]


@pytest.mark.parametrize(("stream", "form", "asked"), CASES, ids=["-".join(c).rstrip("-") for c in CASES])
def test_the_report_is_the_one_on_file(stream: str, form: str, asked: str) -> None:
    write: Callable[[list[Event], Options], str] = import_module(f"quotaproof.checker.report.{form}").write
    got = write(STREAMS[stream](), OPTIONS.get(asked, Options()))
    got = got.replace(f'"{version("quotaproof")}"', '"VERSION"')
    file = GOLDEN / f"{stream}{'-' if asked else ''}{asked}.{form}"
    if os.environ.get("REWRITE_GOLDEN"):
        file.write_text(got, encoding="ascii")
    assert got == file.read_text(encoding="ascii")


def test_no_file_is_left_over() -> None:
    wanted = {f"{stream}{'-' if asked else ''}{asked}.{form}" for stream, form, asked in CASES}
    assert {file.name for file in GOLDEN.iterdir()} == wanted


@pytest.mark.parametrize("form", ["text", "md", "html", "junit", "sarif"])
def test_every_form_says_on_which_choices_a_promise_rests(form: str) -> None:
    write: Callable[[list[Event], Options], str] = import_module(f"quotaproof.checker.report.{form}").write
    got = " ".join(write(promised(), Options(verbose=True)).replace("\\n", " ").split()).replace("\\=", "=")
    assert "a job of 2 waits. Broken with A6=ceil, which is assumed." in got
    if form not in ("junit", "sarif"):  # which name what is not kept
        assert "can borrow 2 <= 2. Not with A6=ceil." in got.replace("&lt;", "<")
