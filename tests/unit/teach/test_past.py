"""A history that is longer than what is looked at once: what is left out is said with what shows it, and that does."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from quotaproof.checker.teach.opened import open_paths
from quotaproof.checker.teach.past import MOST
from quotaproof.checker.teach.watched import Watched
from quotaproof.spec.formats.trace import write_trace
from quotaproof.spec.observations import Seen, Submitted

from ...support.queues import queue, share
from ...support.stories import START


def long_trace(folder: Path, many: int) -> str:
    path = folder / "long.ndjson"
    seen = (Seen(START + 500 * n, START + 500 * n, Submitted(f"j{n}", "a", {"u": 1}, 0, None)) for n in range(many))
    with path.open("w") as stream:
        write_trace(stream, queue(2, share("a", 2)), seen, ordered=True, claims=False)
    return str(path)


def test_what_follows_the_first_thousand_is_said_and_looked_at_from_the_time_that_is_named(tmp_path: Path):
    path = long_trace(tmp_path, MOST + 3)
    found = open_paths([path])
    (left,) = found.left_out
    assert left.startswith("observations 1,001 to 1,003, from 2026-")
    assert "`quotaproof audit ... --report html=FILE` draws all of them" in left
    time = re.search(r"--since (\S+)` looks at the next 1,000", left)
    assert time is not None
    since = round(datetime.fromisoformat(f"{time[1]}+00:00").timestamp() * 1000)
    assert Watched(found.game).count == MOST + 1
    later = open_paths([path], since=since)
    assert later.left_out == ()
    assert [line.job for line in Watched(later.game).lines()[1:]] == ["j1000", "j1001", "j1002"]
