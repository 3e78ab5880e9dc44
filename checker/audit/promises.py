"""A file of promises is recognised here; nobody judges it yet, and an audit says so."""

from __future__ import annotations

from ...spec.formats.errors import InputError
from ...spec.formats.kinds import PROMISES, recognise
from ...spec.formats.sources import Unread, single


def recognised(path: str | None) -> str:
    """The path of a promises file, '' for none. Raises InputError for a file that is none."""
    if path is None:
        return ""
    document = single(path)
    if isinstance(document, Unread) or recognise(document).name != PROMISES:
        raise InputError(
            "this is no file of promises",
            where=path,
            why="It needs `promises: 1` and a list of promises.",
            fix="name a file of promises, or leave --promises out.",
        )
    return path
