"""How fast a long history is judged, as ratios to reading it, in one run.

    python benchmarks/audit.py [MILLIONS] [--large]

A trace of MILLIONS (5) observations is made from a fixed seed: 20 shares, 3 instance types, one job in four of several
types, jobs that come, start, run, are preempted and end, a limit changed now and then; every dispatch keeps the sum rules.
Each figure is a process of its own. `json` is the json module alone over the lines; `parser` reads every line into an
observation, checked; `sum rules` is the parser and G1-G4 over columns; `stepwise` is every guarantee, event by event, over
what the reference does on four of the shares, with every claim and point of rest. `--large` makes 2 GB and says how much memory
judging it takes. Figures and machine: docs/explanation/performance.md.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SHARES, UNITS = 20, ("ml.p4d.24xlarge", "ml.p5.48xlarge", "ml.g5.12xlarge")
RATIO, MEMORY_MB, STEPWISE = 2.0, 500, 100_000
BEGIN = 1_767_225_600_000

READ = {
    "json": """
import json, sys
decode, n = json.JSONDecoder().decode, 0
with open(sys.argv[1], encoding='utf-8') as stream:
    for line in stream:
        decode(line)
        n += 1
""",
    "parser": """
import sys
from quotaproof.spec.formats.trace import read_trace
n = sum(1 for _ in read_trace(sys.argv[1]).seen())
""",
    "sum rules": """
import sys
from quotaproof.checker.judge.columns import judge_sums
from quotaproof.spec.formats.trace import read_trace
from quotaproof.spec.readings import Readings
history = read_trace(sys.argv[1])
found = judge_sums(history, Readings())
assert not found.faults and not history.problems, (found.faults[:1], history.problems[:1])
assert min(found.exercised[c] for c in ('G1', 'G2', 'G3', 'G4')) > 1000, found.exercised
""",
}


def header(ordered: bool, number: int = SHARES) -> dict[str, Any]:
    """Shares of every strategy whose limits fill the environment."""
    rng = random.Random(20)
    shares: list[dict[str, Any]] = []
    for i in range(number):
        kind = ("RESERVE", "LEND", "LEND_AND_BORROW", "LEND_AND_BORROW")[i % 4]
        share: dict[str, Any] = {
            "name": f"team-{i}",
            "limits": {u: rng.randint(4, 32) for u in UNITS},
            "strategy": kind,
        }
        if kind == "LEND_AND_BORROW":
            share["borrowLimit"] = rng.choice((-1, 50, 100, 200))
        shares.append(share)
    total = {u: sum(s["limits"][u] for s in shares) for u in UNITS}
    config = {"quotaproof": 1, "queue": "bench", "environment": total, "shares": shares}
    return {"trace": 1, "config": config, "ordered": ordered, "claims": False}


def story(lines: int) -> Iterator[str]:
    """The lines of the trace after its header."""
    from quotaproof.checker.judge.sums import Sums
    from quotaproof.spec.administered import Administered
    from quotaproof.spec.formats.document import Document
    from quotaproof.spec.formats.trace_header import read
    from quotaproof.spec.readings import Readings

    rng = random.Random(5)
    config = read(Document("bench", header(ordered=True), dict), Readings()).config
    sums = Sums(Administered.of(config), Readings())
    names = [s.name for s in config.shares]
    waiting: list[tuple[str, str, dict[str, int]]] = []
    holding: list[tuple[str, str, dict[str, int]]] = []
    at, made, n = BEGIN, 0, 0

    def line(**what: Any) -> str:
        return json.dumps({"at": at, **what}, separators=(",", ":"))

    while n < lines:
        at += rng.choice((0, 0, 1, 40, 200, 900))
        if len(waiting) < 40:
            made += 1
            size = {u: rng.choice((1, 1, 2, 4)) for u in rng.sample(UNITS, 2 if rng.random() < 0.25 else 1)}
            job = f"51f2-{made:08x}-train", rng.choice(names), size
            waiting.append(job)
            yield line(submit=job[0], share=job[1], size=size, priority=rng.randint(0, 9), retries=rng.randint(0, 3))
            n += 1
            continue
        index = rng.randrange(len(waiting))
        job = waiting[index]
        if not sums.broken(job[1], job[2]):
            waiting[index] = waiting[-1]
            waiting.pop()
            holding.append(job)
            sums.move(job[1], job[2], 1)
            yield line(dispatch=job[0])
            yield line(start=job[0], attempt=f"AWSBatch{job[0]}")
            yield line(run=job[0])
            n += 3
        if holding and (len(holding) > 150 or rng.random() < 0.6):
            index = rng.randrange(len(holding))
            job = holding[index]
            holding[index] = holding[-1]
            holding.pop()
            sums.move(job[1], job[2], -1)
            if rng.random() < 0.1:
                yield line(preempt=job[0], kind="cross-share")
                yield line(preempted=job[0], stage="RUNNABLE", count=1)
                waiting.append(job)
                n += 2
            else:
                yield line(finish=job[0], failed=rng.random() < 0.05)
                n += 1


def write(path: Path, lines: int, *, ordered: bool) -> None:
    """Make the trace."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps(header(ordered)) + "\n")
        for text in story(lines):
            stream.write(text + "\n")


def repeated(source: Path, target: Path, size: int) -> None:
    """The story over and over, each time with other jobs and later, until the file has so many bytes."""
    with target.open("w", encoding="utf-8") as out:
        turn, shift = 0, 0
        while out.tell() < size:
            last = 0
            with source.open(encoding="utf-8") as stream:
                first = next(stream)
                if not turn:
                    out.write(first)
                live: dict[str, None] = {}
                for text in stream:
                    value = json.loads(text)
                    last = value["at"]
                    value["at"] = last + shift
                    word = next(k for k in value if k != "at")
                    value[word] = f"{turn:02x}{value[word]}"
                    if word == "submit":
                        live[value[word]] = None
                    elif word == "finish":
                        live.pop(value[word])
                    out.write(json.dumps(value, separators=(",", ":")) + "\n")
                for job in live:
                    out.write(json.dumps({"at": last + shift, "terminate": job}, separators=(",", ":")) + "\n")
            turn, shift = turn + 1, shift + last - BEGIN + 1000


def reference(jobs: int) -> tuple[Any, list[Any]]:
    """What the reference does with random jobs on four of the shares, as a history that knows every claim; and a list of it."""
    from quotaproof.checker.judge.book import Book
    from quotaproof.reference.clock import run as play
    from quotaproof.spec import events as ev
    from quotaproof.spec.formats.document import Document
    from quotaproof.spec.formats.trace_header import read
    from quotaproof.spec.observations import History, Seen, observed
    from quotaproof.spec.readings import Readings
    from quotaproof.spec.workload import Work

    rng, readings = random.Random(11), Readings()
    config = read(Document("bench", header(ordered=True, number=4), dict), readings).config
    at, work = 0, list[Work]()
    for number in range(jobs):
        at += round(rng.expovariate(1 / 15_000))
        size = {u: rng.choice((1, 1, 2, 4)) for u in rng.sample(UNITS, 2 if rng.random() < 0.25 else 1)}
        submit = ev.Submit(f"j{number}", rng.choice(config.shares).name, size, rng.randint(0, 9), rng.choice((None, 2)))
        work.append(Work(at, round(rng.expovariate(1 / 1_200_000)), submit))
    book, found = Book(config, readings), list[Seen]()
    for when, step in play(config, readings, work, drain=120_000, scheduled=5_000, starting=60_000):
        if isinstance(step, ev.EVENTS):
            book.record(step)
            found += observed(when, step, book.jobs)
        else:
            found.append(Seen(when, when, step))
    return History(config, lambda: iter(found), ordered=True, claims=True), found


def stepwise(jobs: int = 20_000) -> None:
    """How many observations of the reference's trace the stepwise engine judges in a second of processor time."""
    from quotaproof.checker.judge.history import judge_history
    from quotaproof.spec.observations import Settled
    from quotaproof.spec.readings import Readings

    history, found = reference(jobs)
    begun = time.process_time()
    judged = judge_history(history, Readings())
    rate = judged.events / (time.process_time() - begun)
    assert not judged.faults, judged.faults[:1]
    rests = sum(isinstance(one.what, Settled) for one in found) / len(found)
    print(f"stepwise     {judged.events} observations of the reference, {rests:.0%} points of rest: {rate:,.0f} a second"
          + ("   MISSED" if rate < STEPWISE else ""), flush=True)  # fmt: skip


def run(program: str, path: Path) -> tuple[float, float]:
    """Processor time in seconds and peak memory in MB of a Python process: other work on the machine counts less in it."""
    child = subprocess.Popen([sys.executable, "-c", program, str(path)], stderr=subprocess.PIPE)
    _, status, usage = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status):
        assert child.stderr is not None
        sys.exit(child.stderr.read().decode())
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser()
    options.add_argument("millions", nargs="?", type=float, default=5)
    options.add_argument("--large", action="store_true")
    chosen = options.parse_args()
    lines = int(chosen.millions * 1e6)
    stepwise()
    with tempfile.TemporaryDirectory() as folder:
        for ordered in (True, False):
            path = Path(folder) / "trace.ndjson"
            write(path, lines, ordered=ordered)
            print(f"{chosen.millions:g} million observations, {path.stat().st_size / 1e6:.0f} MB, "
                  f"{'ordered' if ordered else 'equal times without an order'}")  # fmt: skip
            took = {}
            for name, program in READ.items():
                took[name], peak = run(program, path)
                ratios = "".join(
                    f"   {took[name] / took[base]:.2f} x {base}" for base in ("json", "parser") if base in took
                )
                missed = name == "sum rules" and took[name] / took["parser"] > RATIO
                print(f"{name:12} {took[name]:7.1f} s {1e6 * took[name] / lines:6.2f} us each {peak:5.0f} MB{ratios}"
                      + ("   MISSED" if missed else ""), flush=True)  # fmt: skip
        if chosen.large:
            large = Path(folder) / "large.ndjson"
            repeated(path, large, 2 * 10**9)
            path.unlink()
            took_large, peak = run(READ["sum rules"], large)
            print(f"2 GB: {took_large:.0f} s, {peak:.0f} MB   target {MEMORY_MB} MB"
                  + ("   MISSED" if peak > MEMORY_MB else ""))  # fmt: skip


if __name__ == "__main__":
    main()
