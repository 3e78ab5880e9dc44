"""The modules of a report's tables and links, run by node without a browser; what is asserted stands in history.test.mjs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quotaproof.checker.drawn import FAILED, SUCCEEDED
from quotaproof.checker.report.drawn import timeline_data

from tests.support.modules import run_modules
from tests.support.timelines import DATED, DAY, Job, Stop, timeline

HERE = Path(__file__).parent


def _timelines() -> dict[str, Any]:
    alone = [
        Job("job-1", 0, 1_000, size={"u": 2}, priority=3),
        Job("job-2", 2_000, 3_000, size={"u": 10}, priority=0),
        Job("job-10", 2_000, size={"v": 1, "u": 10}, priority=20),
        Job("job-3", 4_000, 5_000, size={"u": 1}),
        Job("x", 6_000, share="b", size={"v": 1}),
    ]
    first = [Job("early", 0, 1_000, state=SUCCEEDED), Job("long", 1_000, 2_000, state=SUCCEEDED)]
    second = [
        Job("early", 0, 2_000, state=SUCCEEDED),
        Job("before", 500, 900),
        Job("long", 1_000, 4_000, state=FAILED),
        Job("only-here", 4_500),
    ]
    days = [Job(f"d{k}", k * DAY, (k + 1) * DAY) for k in range(12)]
    stops = [Stop(2_500, 1, "cross-share", "a has its own back")]
    return {
        "alone": timeline_data(timeline(alone, stops, lasts=3_600_000, start=DATED)),
        "compared": [
            timeline_data(timeline(first, lasts=9_000, label="first")),
            timeline_data(timeline(second, lasts=9_000, label="second")),
        ],
        "days": timeline_data(timeline(days, [Stop(8 * DAY, 8), Stop(9 * DAY, 9)], lasts=12 * DAY)),
    }


def test_tables_and_links_of_a_history_are_as_they_should_be(tmp_path: Path) -> None:
    run_modules(HERE / "history.test.mjs", "timelines.json", _timelines(), tmp_path)
