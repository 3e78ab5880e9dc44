"""Words as a shell reads them again, in printable ASCII: what a report prints can be copied to a terminal."""

from __future__ import annotations

import shlex
from collections.abc import Iterable


def quoted(word: str) -> str:
    """One word. What is not printable ASCII is written by its bytes, in the quotes of bash, zsh and POSIX 2024."""
    if word.isascii() and word.isprintable():
        return shlex.quote(word)
    try:
        data = word.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # no file has such a name
        data = word.encode("utf-8", "surrogatepass")
    return "$'" + "".join(map(_byte, data)) + "'"


def command(words: Iterable[str]) -> str:
    """A command with its arguments."""
    return " ".join(map(quoted, words))


def to_replay(out: str, witness: str) -> str:
    """The command that shows a witness in the folder `out`."""
    return command(["quotaproof", "replay", f"{out.rstrip('/')}/{witness}"])


def _byte(byte: int) -> str:
    character = chr(byte)
    if character in "\\'":
        return f"\\{character}"
    return character if 32 <= byte < 127 else f"\\{byte:03o}"
