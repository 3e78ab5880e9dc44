"""A report of the same run is the same file: whatever time it took, whoever worked on it, wherever it was made."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from quotaproof.checker.conformed import Tried
from quotaproof.checker.report.options import Options
from quotaproof.checker.results import Ended, Event, Result

from .test_golden import STREAMS

EXAMPLES = Path(__file__).parents[3] / "examples"
MEASURED = ("seconds", "workers")


def slower(event: Event) -> Event:
    """The same event on another machine."""
    match event:
        case Tried():
            return replace(event, seconds=event.seconds * 7 + 1, workers="96 processes")
        case Ended():
            return replace(event, seconds=event.seconds * 7 + 1)
        case Result() if event.seconds is not None:
            return replace(event, seconds=event.seconds * 7 + 1)
        case _:
            return event


def without_measurements(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: without_measurements(v) for k, v in value.items() if k not in MEASURED}
    return [without_measurements(v) for v in value] if isinstance(value, list) else value


@pytest.mark.parametrize("stream", STREAMS)
def test_only_fields_that_are_called_measured_say_how_long_it_took(stream: str) -> None:
    def written(form: str, events: Sequence[Event]) -> str:
        text: str = import_module(f"quotaproof.checker.report.{form}").write(events, Options(verbose=True))
        return text

    first = STREAMS[stream]()
    second = [slower(event) for event in first]
    assert first != second
    for form in ("html", "md", "sarif", "badge"):
        assert written(form, first) == written(form, second)
    one, other = (without_measurements(json.loads(written("json", events))) for events in (first, second))
    assert one == other


RUN = f"""
import os, sys
from quotaproof.checker.cli import run
home = {str(EXAMPLES)!r}
for command in (
    ["verify", home + "/oversubscribed"],
    ["plan", home + "/separate/before.yaml", home + "/separate/after.yaml", "--out", "p"],
    ["audit", home + "/history", "--promises", home + "/promises-measured/promises.yaml"],
    ["replay", home + "/scenarios/half-of-three.yaml"],
    ["conform", "quotaproof.checker.conform.reference:Reference", "--examples", "10"],
    ["simulate", home + "/simulate/queue.yaml", "--workload", home + "/simulate/workload.csv"],
):
    forms = ["html", "md"] + (["sarif"] if command[0] != "simulate" else [])
    run([*command, *(f"--report={{form}}={{command[0]}}.{{form}}" for form in forms)])
"""


@pytest.mark.campaign
def test_two_runs_of_every_command_write_the_same_files(tmp_path: Path) -> None:
    made: list[dict[str, bytes]] = []
    for seed, folder in (("1", tmp_path / "a"), ("2", tmp_path / "deeper" / "b c")):
        folder.mkdir(parents=True)
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": "UTC" if seed == "1" else "Asia/Tokyo"}
        subprocess.run([sys.executable, "-c", RUN], cwd=folder, env=environment, check=True, capture_output=True)
        made.append({str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*.*") if "ndjson" not in p.name})
    assert made[0] == made[1]
    assert {f"{command}.html" for command in ("verify", "plan", "audit", "replay", "conform", "simulate")} <= set(
        made[0]
    )
