"""Expressions over columns: the same straight-line code as in `python`, with NumPy's operators, for many states at once.

A state is one row of the columns; a column is an array, or one number or truth value that stands for every row. Numbers
are 64 bits wide, which no count of instances fills (`model.LARGEST`). Tested equal to `python.evaluate`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .nodes import Node
from .python import compile_over

_TEXT = {
    "sub": "({0} - {1})",
    "mul": "({0} * {1})",
    "le": "({0} <= {1})",
    "lt": "({0} < {1})",
    "eq": "({0} == {1})",
    "not": "np.logical_not({0})",
    "implies": "(np.logical_not({0}) | {1})",
    "ite": "np.where({0}, {1}, {2})",
    "max": "np.maximum({0}, {1})",
    "min": "np.minimum({0}, {1})",
}
_JOIN = {"add": " + ", "and": " & ", "or": " | "}


def compile_columns(roots: Sequence[Node], names: Sequence[str]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    """A function from columns in the order of `names` to a column for each of `roots`."""
    import numpy as np

    sources = {name: f"s[{position}]" for position, name in enumerate(names)}
    return compile_over(roots, sources, scope={"np": np}, operators=_TEXT, joins=_JOIN)
