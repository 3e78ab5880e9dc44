"""What a reader must know of a history before they trust what is made of it: gaps, problems, what does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...spec.observations import History
from .follow import Following
from .page import count, moment

_MOST = 4


def caveats(history: History, state: Following) -> tuple[str, ...]:
    """Sentences, the gravest first; long lists are counted."""
    return tuple(_caveats(history, state))


def _caveats(history: History, state: Following) -> Iterator[str]:
    if history.end and state.now > history.end:
        yield f"the history ends at {moment(history.end)}: what happened from then to {moment(state.now)} is not known"
    complete = history.completeness
    if complete.seen < complete.expected:
        share = 100 * complete.seen / complete.expected
        missing = complete.expected - complete.seen
        yield f"the log is {share:.1f} % complete: {missing} of {complete.expected} moves of jobs were not seen"
    yield from _few([f"{g.why}: nothing was seen from {moment(g.start)} to {moment(g.end)}" for g in complete.gaps])
    yield from _few([f"{p.place}: {p.sentence}" if p.place else p.sentence for p in history.problems])
    if state.unexplained:
        seen, why = state.unexplained[0]
        place = history.place(seen)
        first = f", the first{f' at {place}' if place else ''}: {why}"
        yield f"{count(len(state.unexplained), 'observation')} cannot have happened and are left out{first}"
    yield from complete.notes
    yield from history.notes


def _few(lines: Sequence[str]) -> Iterator[str]:
    yield from lines[:_MOST]
    if len(lines) > _MOST:
        yield f"and {len(lines) - _MOST} more like this"
