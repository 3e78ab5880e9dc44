"""What `simulate` found out, for programs. Form: spec/schemas/simulation.schema.json.

Times are seconds, machine time is hours; nothing is shortened. What is only drawn (`Curve`) is not told.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from ..results import SPEC_VERSION
from ..simulated import EDGES, Column, Simulation
from .measured import rounded

_DECIMALS = 6


def document(simulation: Simulation) -> dict[str, Any]:
    """The document as Python data, in the order of the schema."""
    s = simulation
    return {
        "spec_version": SPEC_VERSION,
        "tool": {"name": "quotaproof", "version": version("quotaproof")},
        "command": "simulate",
        "exit_code": 0,
        **_told(s.simulating),
        "bins_end_at": list(EDGES),
        "left_out": [_told(left) for left in s.left_out],
        "columns": [_column(s, column) for column in s.columns],
        "worth": [_told(worth) for worth in s.worth],
        "dearer": [_told(dearer) for dearer in s.dearer],
    }


def write(simulation: Simulation) -> str:
    """The document, indented, with a line feed at its end."""
    return json.dumps(document(simulation), indent=2, ensure_ascii=True) + "\n"


def _column(s: Simulation, column: Column) -> dict[str, Any]:
    units = [{**_told(u), "idle": round(u.idle, _DECIMALS)} for u in s.units if u.column == column.column]
    runs = [_told(r) for r in s.runs if r.column == column.column]
    return {**_told(column), "units": [_bare(u) for u in units], "runs": [_bare(r) for r in runs]}


def _bare(told: dict[str, Any]) -> dict[str, Any]:
    """Without the column, in which it stands; the share that is all of them is null."""
    said = {key: value for key, value in told.items() if key != "column"}
    return {**said, "share": said["share"] or None} if "share" in said else said


def _told(value: Any) -> dict[str, Any]:
    return rounded(asdict(value), _DECIMALS)
