"""The page on promises: its file is read, and its table names every kind of term."""

from __future__ import annotations

import re
from pathlib import Path

from quotaproof.spec.formats import load
from quotaproof.spec.promises import KEYS
from quotaproof.spec.readings import Readings

from ..support.documented import ROOT, files

PAGE = ROOT / "docs" / "reference" / "promises.md"


def test_the_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text(files(PAGE)["promises.yaml"])
    loaded = load([str(ROOT / "examples/promises/queue.yaml")], readings=Readings(), promises=str(tmp_path / "p.yaml"))
    assert loaded.promises is not None
    assert [p.code for p in loaded.promises.promises] == ["P1", "P2", "P3"]


def test_every_kind_of_term_has_a_row() -> None:
    named = set(re.findall(r"^\| `(\w+)[:`]", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert named >= set(KEYS.values())
