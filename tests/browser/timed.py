"""Times that the browser tests measure: printed, kept in the file that `QUOTAPROOF_FIGURES` names, asserted where asked.

They are asserted only where `QUOTAPROOF_SLOWER` says how many times slower than a quiet two-core machine this one may be.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Sequence
from pathlib import Path


def timed(name: str, measured: Sequence[float], most: float) -> None:
    """Tell milliseconds that were measured; their median is at most `most` on a quiet machine."""
    figures = {
        "median_ms": round(statistics.median(measured), 1),
        "worst_ms": round(max(measured), 1),
        "n": len(measured),
    }
    print(f"{name}: median {figures['median_ms']} ms, worst {figures['worst_ms']} ms of {len(measured)}")
    if kept := os.environ.get("QUOTAPROOF_FIGURES"):
        file = Path(kept)
        before = json.loads(file.read_text("utf-8")) if file.exists() else {}
        file.write_text(json.dumps({**before, name: figures}, indent=2, sort_keys=True) + "\n", "utf-8")
    if slower := os.environ.get("QUOTAPROOF_SLOWER"):
        assert figures["median_ms"] < most * float(slower)
