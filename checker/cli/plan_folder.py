"""The folder that a plan is written to: one plan at a time, nothing of anybody else's, and nothing outside it.

A folder is taken when it is new, empty, or holds an earlier plan, whose README has `MARK` as a line of its own; that
plan's requests and scenarios are removed first. While files are written the README says that the plan is not finished.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ..rollout.plan.marks import MARK, README
from .output import Unusable, folder

_REQUEST = re.compile(r"[0-9]+-.+\.json")
_FIX = "Name a new or empty folder with --out DIR"
_UNFINISHED = f"# A plan\n\n{MARK}\n\n**NOT SAFE: this plan was not finished. Send nothing of it.**\n"


@dataclass
class PlanFolder:
    """A folder that may be written to. Nothing is made before the first file is."""

    path: Path
    opened: bool = False

    @classmethod
    def take(cls, path: Path, read: Collection[str]) -> PlanFolder:
        """The folder, without an earlier plan. `read`: the real paths of files that are read. Raises Unusable."""
        if path.is_symlink():
            raise Unusable(f"--out: {path} is a link; nothing is written through one. {_FIX}")
        if not path.exists():
            return cls(path)
        try:
            here = sorted(path.iterdir())
        except OSError as error:
            raise Unusable(f"--out: {path}: not a folder that can be read: {error.strerror}. {_FIX}") from error
        link = next((file for file in here if file.is_symlink()), None)
        if link is not None:
            raise Unusable(f"--out: {link} is a link; nothing is written through one. {_FIX}")
        given = next((file for file in here if os.path.realpath(file) in read), None)
        if given is not None:
            raise Unusable(f"--out: {given} is a file that is read, and a plan would replace what is in {path}. {_FIX}")
        if here and not _marked(path / README):
            raise Unusable(f"--out: {path} holds other files and no plan. {_FIX}")
        for file in here:
            if file.name == README or _is_ours(file):
                _remove(file)
        return cls(path)

    def open(self) -> None:
        """Make the folder. Raises Unusable."""
        if not self.opened:
            folder(self.path)
            self.opened = True
            self.write(README, _UNFINISHED)

    def write(self, name: str, text: str) -> None:
        """A file that is not there yet. Raises Unusable."""
        self.open()
        file = self.path / name
        try:
            with file.open("x", encoding="utf-8", newline="") as stream:
                stream.write(text)
        except OSError as error:
            raise Unusable(f"{file}: cannot be written: {error.strerror}. {_FIX}") from error

    def finish(self, readme: str) -> None:
        """Say what the plan is. Raises Unusable."""
        self.open()
        _remove(self.path / README)
        self.write(README, readme)


def _marked(readme: Path) -> bool:
    try:
        return MARK in readme.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return False


def _is_ours(file: Path) -> bool:
    """Whether it is a request or a scenario of an earlier plan."""
    from ...spec.formats import SCENARIO, kind_of

    if not file.is_file():
        return False
    return _REQUEST.fullmatch(file.name) is not None or (file.suffix == ".json" and kind_of(str(file)) == SCENARIO)


def _remove(file: Path) -> None:
    try:
        file.unlink()
    except OSError as error:
        raise Unusable(f"{file}: cannot be removed: {error.strerror}. {_FIX}") from error
