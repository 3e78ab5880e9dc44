"""Planted schedulers by a name that a command line can give: `tests.support.named:never_reclaims`."""

from __future__ import annotations

from .wrong import WRONG


def __getattr__(name):
    wrong = WRONG.get(name.replace("_", "-"))
    if wrong is None:
        raise AttributeError(name)
    return wrong.backend(name.replace("_", "-"))
