"""How soon `quotaproof play` is there, and what a step of a large play costs: `python benchmarks/play.py [--jobs 200]`.

Up: from starting the process to the last byte of `/`, and to the first whole answer of `/api/play`. Step: one more tick at
the API of a running server, JSON on both sides, as the page asks for it.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from time import perf_counter
from typing import Any

SCRIPT = Path(sys.executable).with_name("quotaproof")


def asked(connection: HTTPConnection, path: str, body: object = None) -> Any:
    """The answer to one question."""
    connection.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body))
    answer = connection.getresponse()
    text = answer.read()
    if answer.status != 200:
        sys.exit(f"{path}: {answer.status} {text[:500]!r}")
    return json.loads(text) if path.startswith("/api") else text


def started() -> tuple[subprocess.Popen[str], HTTPConnection]:
    """A server, and a connection to it."""
    process = subprocess.Popen([str(SCRIPT), "play", "--no-open"], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r":(\d+)/", process.stdout.readline())
    assert found is not None
    return process, HTTPConnection("127.0.0.1", int(found[1]))


def up() -> tuple[float, float]:
    """Seconds to the page, and to the first picture."""
    begin = perf_counter()
    process, connection = started()
    try:
        asked(connection, "/")
        page = perf_counter() - begin
        menu = asked(connection, "/api/menu")
        asked(connection, "/api/play", {"game": menu["start"]})
        return page, perf_counter() - begin
    finally:
        process.terminate()
        process.wait()


def large(jobs: int) -> dict[str, Any]:
    """A play in which so many jobs wait for half as many machines."""
    unit, shares = "ml.p5.48xlarge", 4
    each = jobs // (2 * shares)
    return {
        "play": 1,
        "name": f"{jobs} jobs",
        "queue": {
            "quotaproof": 1,
            "queue": "large",
            "environment": {unit: each * shares},
            "shares": [
                {
                    "name": f"team{n}",
                    "limits": {unit: each},
                    "strategy": "LEND_AND_BORROW",
                    "inSharePreemption": n % 2 == 0,
                }
                for n in range(shares)
            ],
        },
        "moves": [
            {"submit": f"job{n}", "share": f"team{n * n % 7 % shares}", "size": {unit: 1 + n % 2}, "priority": n % 9}
            for n in range(jobs)
        ],
    }


def steps(jobs: int, count: int) -> list[float]:
    """Seconds of each of `count` steps."""
    process, connection = started()
    try:
        game = large(jobs)
        last = asked(connection, "/api/play", {"game": game})["count"]
        took: list[float] = []
        for _ in range(count):
            game["moves"].append({"tick": 1})
            begin = perf_counter()
            answer = asked(connection, "/api/play", {"game": game, "since": last})
            took.append(perf_counter() - begin)
            last = answer["count"]
        return took
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--jobs", type=int, default=200)
    options.add_argument("--steps", type=int, default=60)
    options.add_argument("--starts", type=int, default=5)
    given = options.parse_args()
    cold, *warm = [up() for _ in range(given.starts)]
    print(f"page up        {cold[0]:.2f} s at first, then {statistics.median(page for page, _ in warm):.2f} s")
    print(f"first picture  {cold[1]:.2f} s at first, then {statistics.median(play for _, play in warm):.2f} s")
    took = [1000 * seconds for seconds in steps(given.jobs, given.steps)]
    print(f"a step         {statistics.median(took):.1f} ms (worst {max(took):.1f} ms) with {given.jobs} jobs")


if __name__ == "__main__":
    main()
