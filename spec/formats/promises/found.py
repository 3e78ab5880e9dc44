"""The promises about the queue of a history: of a file that is named, or of those that were found. Trusted: nothing."""

from __future__ import annotations

from collections.abc import Sequence

from ...model import QueueConfig
from ...promises import Promises
from ..document import Document
from ..kinds import PROMISES, recognise
from ..sources import Unread, single
from .load import chosen, load_promises
from .read import read


def found(paths: Sequence[str], config: QueueConfig, named: str | None) -> tuple[Promises | None, tuple[str, ...]]:
    """The promises, and a line for each file that is left out. `named`: the path that somebody gave. Raises InputError."""
    if named:
        return load_promises(named, config), ()
    documents: list[Document] = []
    left_out: list[str] = []
    for path in paths:
        document = single(path)
        if isinstance(document, Unread):
            left_out.append(f"{document.name}: {document.why}")
        elif recognise(document).name != PROMISES:
            left_out.append(f"{document.name}: no promises in it")
        else:
            documents.append(document)
    one, others = chosen(documents, config, "")
    left_out += [f"{d.name}, {PROMISES}: {others[id(d)]}" for d in documents if id(d) in others]
    return None if one is None else read(one, config), tuple(left_out)
