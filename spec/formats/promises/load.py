"""Which file of promises counts: one that is named, or the one that is found. Trusted: nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ...model import QueueConfig
from ...promises import Promises
from ..document import Document
from ..errors import InputError, shown
from ..kinds import PROMISES, recognise
from ..sources import Unread, single
from .read import queue_of, read


def load_promises(path: str, config: QueueConfig) -> Promises:
    """The promises that the file at `path` makes about the queue. Raises InputError, also for another queue's."""
    document = single(path)
    if isinstance(document, Unread) or recognise(document).name != PROMISES:
        raise _none(path)
    return read(_about(document, config), config)


def chosen(
    documents: Sequence[Document], config: QueueConfig, asked: str | None
) -> tuple[Document | None, Mapping[int, str]]:
    """Of several files of promises the one that counts, and for each other one (by its identity) why it does not.

    `asked` is the path that was named; with '' it is the one about the queue, with None nobody asks for promises.
    Raises InputError where that is not one, and for another queue's where it was named.
    """
    if asked is None:
        return None, {id(d): "not judged here" for d in documents}
    if asked:
        named = [d for d in documents if d.path == asked or os.path.realpath(d.path) == os.path.realpath(asked)]
        if not named:
            raise _none(asked)
        return _about(named[0], config), {id(d): f"--promises names {asked}" for d in documents if d is not named[0]}
    own = [d for d in documents if _is_about(d, config)]
    if len(own) > 1:
        raise InputError(
            f"two files of promises: {own[0].name} and {own[1].name}",
            where=own[1].name,
            why="Nothing says which of them counts.",
            fix="make one file of both, or name one with --promises.",
        )
    others = {id(d): f"they are about the queue {queue_of(d)}" for d in documents if not _is_about(d, config)}
    return own[0] if own else None, others


def _is_about(document: Document, config: QueueConfig) -> bool:
    """Whether the file speaks of the queue, or names none."""
    return queue_of(document) in ("", config.job_queue_name)


def _about(document: Document, config: QueueConfig) -> Document:
    """The document, if it is about the queue."""
    if not _is_about(document, config):
        raise document.error(
            ("queue",),
            f"the promises are about the queue {shown(queue_of(document))}",
            why=f"What is judged is {config.job_queue_name}.",
            fix="name the file of this queue's promises, or correct its queue.",
        )
    return document


def _none(path: str) -> InputError:
    return InputError(
        "this is no file of promises",
        where=path,
        why="It needs its version, promises: 1, and a list of promises.",
        fix="name a file of promises; `quotaproof explain promises` shows the form.",
    )
