"""How many events a second the harness takes from a backend that is another program, in a batch.

    python benchmarks/harness.py [SCENARIOS]

SCENARIOS (2000) generated scenarios are run by the reference beforehand. A program that only echoes what it did is then
asked to run them: the harness writes every queue and scenario, reads every answer, checks it and makes its observations.
`read` is reading alone, `through a program` all of it. Figures are of this process's processor time, in which other work on
the machine counts less; wall time stands beside it. The best of three rounds counts.
Figures and machine: docs/explanation/performance.md.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

TARGET, ROUNDS = 100_000, 3
ECHO = """
import sys
with open(sys.argv[1], encoding='utf-8') as stream:
    traces = stream.read().splitlines()
n = 0
for line in sys.stdin:
    if line.startswith('{"cmd":"start"'):
        print('{"protocol":1,"name":"echo","claims":true}', flush=True)
    elif line.startswith('{"cmd":"run"'):
        number = line[line.index('"id":') + 5 : line.index(',"steps"')]
        print('{"id":' + number + ',"trace":' + traces[n % len(traces)] + '}', flush=True)
        n += 1
"""


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser()
    options.add_argument("scenarios", nargs="?", type=int, default=2000)
    scenarios, traces, events = prepared(options.parse_args().scenarios)
    from quotaproof.checker.conform import protocol
    from quotaproof.checker.conform.backend import Report
    from quotaproof.checker.conform.process import Process

    raw = [f'{{"id":{n},"trace":{trace}}}'.encode() for n, trace in enumerate(traces, 1)]
    told("read", events, lambda: [protocol.answer(line) for line in raw])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "traces"
        file.write_text("".join(f"{trace}\n" for trace in traces), encoding="utf-8")
        command = shlex.join([sys.executable, "-S", "-c", ECHO, str(file)])
        with closing(Process(command)) as backend:
            backend.declare()
            rate = told("through a program", events, lambda: list(backend.run(scenarios)))
            assert all(isinstance(answer, Report) for answer in backend.run(scenarios[:50]))
    if rate < TARGET:
        print(f"MISSED the target of {TARGET:,}")


def prepared(number: int) -> tuple[list[Any], list[str], int]:
    """Scenarios, what the reference does in each as a trace, and how many events these are."""
    from quotaproof.checker.conform.reference import Reference
    from quotaproof.checker.generate.scenarios import seeded
    from quotaproof.spec import events as ev
    from quotaproof.spec.formats.trace_words import form

    scenarios, traces, events = [seeded(n) for n in range(number)], list[str](), 0
    for answer in Reference().run(scenarios):
        claims, lines = 0, list[Any]()
        for what in answer.seen:
            claims += isinstance(what, ev.Claim)
            lines.append(form(what, claims))
        events += len(lines)
        traces.append(json.dumps(lines, separators=(",", ":")))
    return scenarios, traces, events


def told(name: str, events: int, work: Callable[[], object]) -> float:
    """Events a second, printed."""
    rounds = [timed(work) for _ in range(ROUNDS)]
    processor, wall = (min(seconds) for seconds in zip(*rounds, strict=True))
    print(
        f"{name:20} {events} events: {events / processor:,.0f} a second, by the clock {events / wall:,.0f}", flush=True
    )
    return events / processor


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of processor time, and of wall time."""
    begun = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - begun[0], time.perf_counter() - begun[1]


if __name__ == "__main__":
    main()
