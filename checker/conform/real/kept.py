"""Folders of sandboxes that were to stay: configuration, logs and the script of the jobs, for people to look at."""

from __future__ import annotations

from pathlib import Path

from .sandbox import KEPT, of_kind


def kept() -> set[Path]:
    """The folders that are there."""
    return {folder for folder in of_kind() if (folder / KEPT).exists()}
