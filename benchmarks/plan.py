"""How long `quotaproof plan` takes over two configurations of 20 x 5, as a ratio to `quotaproof verify`, in one run.

    python benchmarks/plan.py [ROUNDS]

The best of ROUNDS (5) counts, taken in turns. `process` is a whole cold process; `inside` is the work alone, in this
process, after both have run once. The change lowers, raises and moves limits of six shares, and takes one away. Both are
measured without promises, and with a file of one promise to every share, of the kinds that a configuration decides. TARGET
is the most that a plan may take of the time of verify. Figures and machine: docs/explanation/performance.md.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from verify import configuration, run

TARGET = 3.0
TODAY = date(2026, 11, 30)


def changed(config: dict[str, object]) -> dict[str, object]:
    """The configuration after a change that keeps the sums within the environment."""
    rows = json.loads(json.dumps(config["shares"]))
    for i, row in enumerate(rows[:6]):
        for unit in row["limits"]:
            row["limits"][unit] = max(1, row["limits"][unit] - 1) if i % 2 else row["limits"][unit]
        if row["strategy"] == "LEND_AND_BORROW":
            row["borrowLimit"] = 50
    rows[7]["strategy"] = "RESERVE"
    rows[7].pop("borrowLimit", None)
    return {**config, "shares": rows[:-1]}


def promised(config: dict[str, object]) -> dict[str, object]:
    """A promise to every share, four kinds in turns, some of which the change breaks."""
    rows: list[dict[str, object]] = []
    for i, share in enumerate(config["shares"]):  # type: ignore[arg-type,var-annotated]
        unit, limit = next(iter(share["limits"].items()))
        terms = (
            {"gets": {unit: limit, "within": "15m"}},
            {"fits": {unit: limit}},
            {"undisturbed": "by-other-shares"},
            {"at_most": {unit: 10 * limit}},
        )
        about = {"id": f"P{i}", "says": f"promise {i}", "share": share["name"], "owner": "lead", "why": "work"}
        rows.append({**about, **terms[i % len(terms)]})
    takes = dict.fromkeys(config["environment"], "10m")  # type: ignore[call-overload]
    return {"version": 1, "queue": "bench", "assume": {"stop_takes": takes}, "promises": rows}


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        old, new, said = (Path(folder) / f"{name}.json" for name in ("old", "new", "said"))
        config = configuration(20, 5)
        old.write_text(json.dumps(config))
        new.write_text(json.dumps(changed(config)))
        said.write_text(json.dumps(promised(config)))
        script = str(Path(sys.executable).parent / "quotaproof")
        out = ["--out", str(Path(folder) / "out"), "--report", f"json={Path(folder) / 'report.json'}"]
        for promises in ("", str(said)):
            more = [*out, *(["--promises", promises] if promises else [])]
            verify, plan = [script, "verify", str(old), *more], [script, "plan", str(old), str(new), *more]
            best = {"verify": float("inf"), "plan": float("inf")}
            for _ in range(rounds):
                for name, command in (("verify", verify), ("plan", plan)):
                    best[name] = min(best[name], run(command, 1)[0])
            what = ", promises" if promises else ""
            told(f"process{what}", best)
            told(f"inside{what}", inside(str(old), str(new), promises, rounds))


def inside(old: str, new: str, promises: str, rounds: int) -> dict[str, float]:
    """Seconds of the work alone."""
    from quotaproof.checker.rollout.plan.plan import plan
    from quotaproof.checker.verify import verify
    from quotaproof.spec.formats import load
    from quotaproof.spec.formats.changes import load_change
    from quotaproof.spec.readings import Readings

    readings, said = Readings(), promises or None
    works: dict[str, Callable[[], object]] = {
        "verify": lambda: list(verify(load([old], readings=readings, promises=said), readings, today=TODAY)),
        "plan": lambda: list(
            plan(load_change([old], [new], readings=readings, promises=said), readings, today=TODAY, out="out")
        ),
    }
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds + 1):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


def told(what: str, best: dict[str, float]) -> None:
    """One line: both times, and the ratio."""
    ratio = best["plan"] / best["verify"]
    late = f"   MISSED the target of {TARGET} x" if ratio > TARGET else ""
    print(
        f"{what:17} verify {1000 * best['verify']:7.0f} ms   plan {1000 * best['plan']:7.0f} ms   {ratio:.2f} x{late}"
    )


if __name__ == "__main__":
    main()
