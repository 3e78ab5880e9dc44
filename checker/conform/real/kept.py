"""Folders of sandboxes that were to stay: configuration, logs and the script of the jobs, for people to look at."""

from __future__ import annotations

import tempfile
from pathlib import Path

from .sandbox import KEPT, PREFIX


def kept() -> set[Path]:
    """The folders that are there."""
    return {mark.parent for mark in Path(tempfile.gettempdir()).glob(f"{PREFIX}*/{KEPT}")}
