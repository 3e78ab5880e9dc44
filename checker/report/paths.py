"""Paths that tell whose machine this is, as --redact finds them in a text: absolute ones, a home's, those out of the folder.

One in quotes goes on to the closing quote, whatever it holds; any other ends where a word does. What is below the current
folder is no secret and is called as seen from there. Trusted: nothing; a path with spaces and without quotes is known only
where it begins with the current folder or the home.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from .place import located

HERE = "the current folder"
_STOPS = r"\s\"'<>|,;()\[\]{}`:"
"""What no path holds that stands without quotes."""
_REST = rf"(?:[^{_STOPS}]*[^{_STOPS}.!?])?"
"""Without the stop of the sentence in which it stands."""
_BEFORE = r"(?<![\w./~\\>)}\]])"
_ROOT = r"(?:file:/{1,3}(?=[^/])|(?:\.\.?/)*\.\.[/\\]|~(?:[a-z_][\w.-]*)?[/\\]|[a-z]:[\\/]+|\\\\(?=\w)|/(?=[\w.~@%+-]))"


def pattern() -> str:
    """The regular expression of one, with groups of the names in `GROUPS`; letters of either case."""
    known = {str(Path.cwd()), os.path.expanduser("~")} - {"/", "", "~"}  # noqa: PTH111 - Path.home() raises without one
    here = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    parts = [rf"(?P<quoted>(?<=[\"'`]){_ROOT}[^\"'`\n]*(?=[\"'`]))"]
    parts += [rf"(?P<home>{_BEFORE}(?:{here})(?![\w-]){_REST})"] if here else []
    return "|".join([*parts, rf"(?P<path>{_BEFORE}{_ROOT}{_REST})"])


GROUPS = ("quoted", "home", "path")


def outside(path: str) -> bool:
    """Whether a path that somebody gave leads out of the current folder, or says where that is."""
    return re.match(_ROOT, path, re.IGNORECASE) is not None


def from_here(path: str) -> str:
    """The path as seen from the current folder; absolute where it is not below it."""
    if path.lower().startswith("file:"):
        path = f"/{unquote(path[5:]).lstrip('/')}"
    if path.startswith("~"):
        path = os.path.expanduser(path)  # noqa: PTH111 - Path.expanduser raises where there is no such user
    return located(path) if path.startswith(("/", ".")) else path


def below(path: str) -> str:
    """What a path is called that `from_here` gives, and that is not outside; '' where it is."""
    if path == ".":
        return HERE
    return "" if path.startswith("~") or outside(path) else path
