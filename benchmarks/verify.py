"""How long `quotaproof verify` takes, as ratios to starting Python with its two heavy libraries, in one run.

    python benchmarks/verify.py [ROUNDS]

Every figure is a whole cold process; the best of ROUNDS (5) counts. Sizes are shares x units. `above start-up` is the
time above that of the smallest queue. Peak memory is that of the process. Figures and machine: docs/explanation/performance.md.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BASE = [sys.executable, "-c", "import z3, pydantic"]
SIZES = ((1, 1), (20, 5), (100, 8), (1000, 8))
TARGETS = {(20, 5): 6.0, (1000, 8): 30.0}
MEMORY_MB = 250
GROWTH = 12.0


def configuration(shares: int, units: int) -> dict[str, object]:
    """A queue whose limits fit its environment, with every strategy, in quotaproof's own form."""
    rng = random.Random(shares * 100 + units)
    names = [f"ml.u{i}.xlarge" for i in range(units)]
    kinds = ("RESERVE", "LEND", "LEND_AND_BORROW", "LEND_AND_BORROW")
    rows = []
    for i in range(shares):
        kind = kinds[i % len(kinds)]
        row: dict[str, object] = {
            "name": f"team-{i}",
            "limits": {u: rng.randint(1, 16) for u in names},
            "strategy": kind,
        }
        if kind == "LEND_AND_BORROW":
            row["borrowLimit"] = rng.choice((-1, 25, 50, 100))
        rows.append(row)
    total = {u: sum(row["limits"][u] for row in rows) for u in names}  # type: ignore[index]
    return {"quotaproof": 1, "queue": "bench", "environment": total, "shares": rows}


def run(command: list[str], rounds: int) -> tuple[float, float]:
    """Best wall time in seconds and peak memory in MB."""
    best, peak = float("inf"), 0.0
    for _ in range(rounds):
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        _, status, usage = os.wait4(child.pid, 0)
        best = min(best, time.perf_counter() - start)
        peak = max(peak, usage.ru_maxrss / 1024)
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            assert child.stderr is not None
            sys.exit(f"{' '.join(command)} failed: {child.stderr.read().decode()}")
    return best, peak


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    base, _ = run(BASE, rounds)
    print(f"{'import z3, pydantic':24} {1000 * base:8.0f} ms   1.0 x")
    times: dict[tuple[int, int], float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for shares, units in SIZES:
            file = Path(folder) / f"{shares}x{units}.json"
            file.write_text(json.dumps(configuration(shares, units)), encoding="utf-8")
            command = [
                sys.executable,
                "-m",
                "quotaproof.checker",
                "verify",
                str(file),
                "--out",
                f"{folder}/out",
                "--quiet",
            ]
            times[shares, units], peak = run(command, rounds)
            target = TARGETS.get((shares, units))
            wanted = f"   target {target:.0f} x" if target else ""
            wanted += "   MISSED" if target and times[shares, units] / base > target else ""
            took = times[shares, units]
            print(f"verify {shares:5} x {units:2}        {1000 * took:8.0f} ms {took / base:5.1f} x"
                  f"   {peak:4.0f} MB{wanted}")  # fmt: skip
    start = times[1, 1]
    growth = (times[1000, 8] - start) / max(1e-9, times[100, 8] - start)
    print(
        f"above start-up, 1000 x 8 against 100 x 8: {growth:.1f} x   target {GROWTH:.0f} x; memory target {MEMORY_MB} MB"
    )


if __name__ == "__main__":
    main()
