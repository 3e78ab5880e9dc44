"""When quotaproof itself fails: a report file with the traceback, and one line that names it. Never a traceback."""

from __future__ import annotations

import platform
import sys
import tempfile
import traceback
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGES = ("quotaproof", "z3-solver", "cvc5", "pydantic", "typer")


def report(error: BaseException, arguments: Sequence[str], *, redact: bool = False) -> Path | None:
    """Write the report into the current folder, or the temporary one; None when neither can be written.

    `redact` takes out account numbers, ARNs and paths but those of programs; names of jobs are not known here.
    """
    text = "\n".join(
        [
            f"command   {['quotaproof', *arguments]}",
            f"python    {platform.python_version()} on {platform.platform()}",
            *(f"{name:<9} {_version(name)}" for name in _PACKAGES),
            "",
            "".join(traceback.format_exception(error)),
        ]
    )
    if redact:
        from ..report.redact import Redactor

        for folder, name in (
            (Path(__file__).parents[2], "quotaproof"),
            (sys.prefix, "python"),
            (sys.base_prefix, "python"),
        ):
            text = text.replace(str(folder), name)
        text = Redactor(backends=arguments).text(text)
    path = _write(text)
    where = f"Please send the report: {path}" if path else "No report could be written."
    with suppress(OSError):
        sys.stderr.write(f"quotaproof itself failed ({type(error).__name__}). {where}\n")
    return path


def _write(text: str) -> Path | None:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    for place in (Path.cwd, lambda: Path(tempfile.gettempdir())):
        with suppress(OSError):
            path = place() / f"quotaproof-crash-{stamp}.txt"
            path.write_text(text, encoding="utf-8", errors="backslashreplace")
            return path
    return None


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
