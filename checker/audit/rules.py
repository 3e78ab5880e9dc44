"""What was judged of a history, as results: one or two for each guarantee, and the faults with the lines around them.

A guarantee that was kept may have a stricter form that cannot be seen, or an answer that is still due: that is a result of
its own, so that --strict counts it. Problems of the input are undecided results.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...spec.observations import History, Problem, Seen
from ...spec.rules.guarantees import GUARANTEES
from ..judge.judged import Fault, Judged
from ..measured import FaultSeen, Line
from ..results import Result, Verdict
from .words import instant, said

INPUT = "INPUT"
"""Code of the results that speak of what was read."""
AROUND = 3
"""Observations shown on each side of a fault."""
MOST_LINES = 15
SHOWN = 50
"""Faults that are told with their window; the others have none."""


def results(history: History, judged: Judged, faults: Sequence[Fault]) -> Iterator[Result]:
    """The verdict on each guarantee, in their order. `faults` are those of `judged` that count."""
    if not judged.events:
        yield Result(INPUT, Verdict.UNKNOWN, "nothing was seen of the queue, so nothing was judged")
    for code in GUARANTEES:
        yield from _guarantee(history, judged, code, [f for f in faults if f.code == code])


def _guarantee(history: History, judged: Judged, code: str, faults: Sequence[Fault]) -> Iterator[Result]:
    came, strict = judged.exercised.get(code, 0), ""
    if faults:
        first = faults[0]
        more = [f"{len(faults) - 1} more of them"] if len(faults) > 1 else []
        because = f"{instant(first.seen.at)} {said(first.seen.what)}: {first.sentence.rstrip('.')}"
        yield Result(code, Verdict.BROKEN_HERE, because, more=tuple(more), place=history.place(first.seen),
                     count=len(faults))  # fmt: skip
    elif code in judged.undecided:
        times, why = judged.undecided[code]
        yield Result(code, Verdict.UNKNOWN, f"not decided {_times(times)}: {why.rstrip('.')}", count=times)
    elif came:
        yield Result(code, Verdict.KEPT, f"kept {_times(came)}", count=came)
        strict = "strict form"
    elif code not in judged.unseen and code not in judged.pending:
        yield Result(code, Verdict.NEVER_CAME_UP, "nothing happened to which it applies")
    if code in judged.unseen and not faults:
        yield Result(code, Verdict.NOT_SEEN, judged.unseen[code].rstrip("."), subject=strict)
    if code in judged.pending:
        due = judged.pending[code]
        answers = "1 answer was" if due == 1 else f"{due:,} answers were"
        yield Result(code, Verdict.PENDING, f"{answers} still due when the history ended", count=due)


def _times(n: int) -> str:
    return "once" if n == 1 else f"{n:,} times"


def problems(found: Sequence[Problem]) -> Iterator[Result]:
    """What is wrong with the input: never a yes."""
    for problem in found:
        yield Result(INPUT, Verdict.UNKNOWN, problem.sentence.rstrip("."), place=problem.place)


@dataclass(frozen=True)
class Told:
    """A fault with its raw line, which only files know."""

    fault: Fault
    raw: str


def seen_faults(history: History, faults: Sequence[Told]) -> Iterator[FaultSeen]:
    """Each fault with the observations before and after it."""
    windows = _windows(history, [t.fault for t in faults[:SHOWN]])
    for told in faults:
        fault = told.fault
        yield FaultSeen(
            fault.code, fault.seen.at, fault.seen.until, fault.number, fault.sentence, fault.clause,
            history.place(fault.seen), told.raw, windows.get(fault.number, ()),
        )  # fmt: skip


def _windows(history: History, faults: Sequence[Fault]) -> Mapping[int, tuple[Line, ...]]:
    """Number of a fault -> the observations around it, in one more pass."""
    wanted = {f.number: _around(f) for f in faults}
    if not wanted:
        return {}
    needed = {n for numbers in wanted.values() for n in numbers}
    last = max(needed)
    lines: dict[int, Line] = {}
    for number, seen in enumerate(history.seen()):
        if number in needed:
            lines[number] = _line(history, number, seen)
        if number >= last:
            break
    return {f: tuple(lines[n] for n in numbers if n in lines) for f, numbers in wanted.items()}


def _around(fault: Fault) -> range:
    """The numbers to show: the observations whose order was tried where they are few, and some on each side."""
    first, last = fault.window if any(fault.window) else (fault.number, fault.number)
    if last - first + 1 + 2 * AROUND > MOST_LINES:
        first = last = fault.number
    return range(max(0, first - AROUND), last + AROUND + 1)


def _line(history: History, number: int, seen: Seen) -> Line:
    return Line(number, seen.at, said(seen.what), history.place(seen))
