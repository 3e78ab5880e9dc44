"""The published traces beside a worktree: where they are, and a mark for tests that need them."""

from __future__ import annotations

from pathlib import Path

import pytest

TRACES = Path(__file__).resolve().parents[3] / "shared" / "traces"
needs_traces = pytest.mark.skipif(not TRACES.is_dir(), reason="the published traces (../shared/traces) are not here")


def trace(name: str) -> str:
    """The path of a published trace."""
    return str(TRACES / name)
