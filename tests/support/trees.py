"""Values of files, changed in one place."""

from __future__ import annotations

import copy
from typing import Any

DELETE = object()


def changed(tree: Any, path: list[str | int], value: Any) -> Any:
    """A copy with the value at a path replaced, or deleted where the value is DELETE."""
    made = at = copy.deepcopy(tree)
    *before, last = path
    for step in before:
        at = at[step]
    if value is DELETE:
        del at[last]
    else:
        at[last] = value
    return made
