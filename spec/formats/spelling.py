"""Fields as other tools spell and store them, brought to AWS's camelCase tree.

`to_aws` takes what AWS's shape knows, checks it, and leaves out nulls, which is how these tools write an absent field.
A field it does not know is handed back to be reported: a tool's own schema has already refused misspelt ones, so it is
a field newer than this table. Trusted: nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import shapes
from .document import Document, Pointer

_UNUSED = frozenset(("tags", "status", "statusReason", "priority", "jobStateTimeLimitActions"))


def _used(shape: Mapping[str, shapes.Shape]) -> dict[str, shapes.Shape]:
    return {field: part for field, part in shape.items() if field not in _UNUSED}


SHAPES: Mapping[str, Mapping[str, shapes.Shape]] = {
    "quotaShares": _used(shapes.QUOTA_SHARE),
    "serviceEnvironments": _used(shapes.SERVICE_ENVIRONMENT),
    "jobQueues": _used(shapes.JOB_QUEUE),
    "schedulingPolicies": _used(shapes.SCHEDULING_POLICY),
}
"""By the list an AWS output keeps such objects in: the fields that say something about a queue's promises."""

Spell = Callable[[str], str]
Open = Callable[[Any, Pointer], Any]


def snake(name: str) -> str:
    """quotaShareName -> quota_share_name."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name)


def same(name: str) -> str:
    """The tool spells fields as AWS does."""
    return name


def as_stored(value: Any, _: Pointer) -> Any:
    """The tool stores values as they are."""
    return value


def to_aws(
    document: Document,
    value: Any,
    shape: shapes.Shape,
    pointer: Pointer,
    *,
    spell: Spell,
    strange: list[Pointer],
    opened: Open = as_stored,
) -> Any:
    """The value at `pointer` in AWS's spelling. Pointers of fields that AWS's shape lacks are added to `strange`.

    `spell` turns a field's name in AWS's spelling into the tool's; `opened` unwraps a stored value. Raises InputError.
    """
    value = opened(value, pointer)
    if isinstance(shape, Mapping) and isinstance(value, dict):
        fields = {spell(field): field for field in shape}
        tree: dict[str, Any] = {}
        for key, part in value.items():
            if key not in fields:
                if part is not None and key not in _ignored(spell):
                    strange.append((*pointer, key))
            elif part is not None:
                name = fields[key]
                below = (*pointer, key)
                tree[name] = to_aws(document, part, shape[name], below, spell=spell, strange=strange, opened=opened)
        return tree
    if isinstance(shape, list) and isinstance(value, list):
        return [
            to_aws(document, part, shape[0], (*pointer, index), spell=spell, strange=strange, opened=opened)
            for index, part in enumerate(value)
        ]
    shapes.check(document, value, shape, pointer)
    return value


def _ignored(spell: Spell) -> frozenset[str]:
    """Fields that are known and say nothing about promises, and the identifier that these tools add."""
    return frozenset(map(spell, _UNUSED)) | {"id"}
