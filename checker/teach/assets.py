"""Scripts and style sheets of our own, for a page and for a file that stands alone.

An asset is an ES module of plain declarations: its imports are lines of their own from `./NAME`, its exports stand before
declarations or in a line of their own, and no top-level name is in two of them. So one script may hold several, one after
the other.
"""

from __future__ import annotations

import re
from importlib.resources import files

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([a-z_]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:\{[^}]*\};\n|(?=(?:async function|function|const|let|class) ))", re.MULTILINE)
_MODULE = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
"""What is left of a module where the above did not find it."""
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_ENDS = re.compile(r"</script|<!--|</style", re.IGNORECASE)
"""What ends a script or a style sheet, or changes how it is read, wherever in it it stands."""


def asset(name: str) -> str:
    """The file as it is."""
    return (files("quotaproof.checker.teach") / "assets" / name).read_text(encoding="utf-8")


def inlined(*names: str) -> str:
    """These modules as one script, each behind what it imports."""
    found: dict[str, str] = {}
    for name in names:
        _collect(name, found, ())
    return _sound(_FOREIGN.sub(_escaped, "\n".join(found.values())))


def sheet(*names: str) -> str:
    """These style sheets as one."""
    return _sound("\n".join(map(asset, names)))


def _collect(name: str, found: dict[str, str], above: tuple[str, ...]) -> None:
    """Put the module into `found`, with all that it imports before it. Raises ValueError where they import each other."""
    if name in found:
        return
    if name in above:
        raise ValueError(f"{' imports '.join([*above, name])}")
    text = asset(name)
    for other in _IMPORT.findall(text):
        _collect(other, found, (*above, name))
    bare = _EXPORT.sub("", _IMPORT.sub("", text))
    left = _MODULE.search(bare)
    if left:
        raise ValueError(f"{name} cannot stand in a script with others: {left.group()}")
    found[name] = bare


def _escaped(letter: re.Match[str]) -> str:
    """A letter outside ASCII as it can be written in texts and comments of a script, where alone such letters stand."""
    pair = letter.group().encode("utf-16-be").hex()
    return "".join(f"\\u{pair[k : k + 4]}" for k in range(0, len(pair), 4))


def _sound(text: str) -> str:
    """The text, which can stand in HTML. Raises ValueError."""
    found = _ENDS.search(text)
    if found:
        raise ValueError(f"an asset holds {found.group()}, which would end it")
    return text
