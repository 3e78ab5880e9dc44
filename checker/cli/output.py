"""How commands speak: standard output that survives a closed pipe, complaints on standard error, files asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path

from ..report.layout import plain


class Unusable(Exception):
    """The command or its input cannot be used; the text is the whole message."""


@contextmanager
def usable() -> Generator[None]:
    """Turn what bad input raises into `Unusable`."""
    from ...spec.formats import InputError
    from ...spec.readings import UnknownReading

    try:
        yield
    except (InputError, UnknownReading) as error:
        raise Unusable(str(error)) from error


def show(text: str) -> None:
    """Write to standard output. A reader that has gone away is no error; a letter it cannot show is escaped."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    except OSError as error:
        _silence()
        raise Unusable(f"standard output cannot be written: {error.strerror}") from error


def complain(message: str, *, redact: bool = False) -> None:
    """One message on standard error, harmless whatever it quotes."""
    if redact:
        from ..report.redact import Redactor

        message = Redactor().text(message)
    with suppress(OSError):
        sys.stderr.write("".join(f"{plain(line)}\n" for line in message.rstrip().split("\n")))


def save(path: Path, content: str | bytes) -> None:
    """Write a file the user asked for. Raises Unusable."""
    try:
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    except OSError as error:
        raise Unusable(f"{path}: cannot be written: {error.strerror}") from error


def folder(path: Path) -> Path:
    """Make sure a folder the user asked for exists. Raises Unusable."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unusable(f"{path}: not a folder that can be written: {error.strerror}") from error
    return path


def finish() -> None:
    """Flush before the interpreter does, which would complain about a closed pipe."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()


def _silence() -> None:
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
