"""Scripts and style sheets of our own, for a page and for a file that stands alone.

An asset is an ES module of plain declarations: its imports are lines of their own from `./NAME`, its exports stand before
declarations, and no top-level name is in two of them. So a file may hold several of them one after the other.
"""

from __future__ import annotations

import re
from importlib.resources import files

_IMPORT = re.compile(r'^import .* from "\./[a-z_]+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function|const|let|class) )", re.MULTILINE)
_ENDS = re.compile(r"</script|<!--|</style", re.IGNORECASE)
"""What ends a script or a style sheet, or changes how it is read, wherever in it it stands."""


def asset(name: str) -> str:
    """The file as it is."""
    return (files("quotaproof.checker.teach") / "assets" / name).read_text(encoding="utf-8")


def inlined(*names: str) -> str:
    """These modules as one script, in this order: what one imports stands before it or is a function."""
    return _sound("\n".join(_EXPORT.sub("", _IMPORT.sub("", asset(name))) for name in names))


def sheet(*names: str) -> str:
    """These style sheets as one."""
    return _sound("\n".join(map(asset, names)))


def _sound(text: str) -> str:
    """The text, which can stand in HTML. Raises ValueError."""
    found = _ENDS.search(text)
    if found:
        raise ValueError(f"an asset holds {found.group()}, which would end it")
    return text
