"""A job's moves in the order of its life: envelopes are cut to seconds and come late, the life of a job is not.

Records of one move are put together first: an event, a later repetition of it, and an answer that knows the millisecond.
Then moves go by time, but one that must come first goes first where the times allow it. Trusted: `_FOLLOWS`, rule 29.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ...model import Stage
from .known import PREEMPTED, PREEMPTING, SECOND, Move
from .records import BLOCKED_STATUS

SLACK = 5 * SECOND
"""So much later than another one of its job a move may be recorded though it came first."""
_LOOK_AHEAD = 8
SUBMITTED, RUNNABLE, SCHEDULED, STARTING, RUNNING, SUCCEEDED, FAILED = (
    s.value
    for s in (
        Stage.SUBMITTED,
        Stage.RUNNABLE,
        Stage.SCHEDULED,
        Stage.STARTING,
        Stage.RUNNING,
        Stage.SUCCEEDED,
        Stage.FAILED,
    )
)
DISPATCHED = (SCHEDULED, STARTING, RUNNING)
ENDED = (SUCCEEDED, FAILED)
_AGAIN = "RUNNABLE after a stop"
_FOLLOWS: dict[str, tuple[str, ...]] = {
    "": (SUBMITTED, RUNNABLE),
    SUBMITTED: (RUNNABLE,),
    RUNNABLE: (SCHEDULED, FAILED, BLOCKED_STATUS),
    SCHEDULED: (STARTING, PREEMPTING, RUNNABLE, *ENDED),
    STARTING: (RUNNING, PREEMPTING, RUNNABLE, *ENDED),
    RUNNING: (PREEMPTING, RUNNABLE, *ENDED),
    PREEMPTING: (PREEMPTED, RUNNABLE, *ENDED),
    PREEMPTED: (RUNNABLE, SCHEDULED, FAILED),
    _AGAIN: (PREEMPTED, SCHEDULED, FAILED, BLOCKED_STATUS),
}
"""What comes next in a job's life when nothing is missing."""
_RANK = {s: i for i, s in enumerate((SUBMITTED, *DISPATCHED, PREEMPTING, PREEMPTED, RUNNABLE, *ENDED))}
"""Within a second: the moves of one attempt, then what becomes of the job."""


def in_order(moves: Iterable[Move]) -> list[Move]:
    """The moves of one job, each once, in the order of its life."""
    waiting = sorted(_merged(moves), key=_by_second)
    ordered: list[Move] = []
    stage, attempt = "", ""
    while waiting:
        taken = waiting.pop(_next(stage, attempt, waiting))
        ordered.append(taken)
        if taken.status == BLOCKED_STATUS:
            continue
        if taken.status in DISPATCHED:
            attempt = taken.attempt
        stage = _AGAIN if stage == PREEMPTING and taken.status == RUNNABLE else taken.status
    return ordered


def _by_second(move: Move) -> tuple[int, int, int, str]:
    middle = (move.low + move.high) // 2
    return middle // SECOND, _RANK.get(move.status, 0), middle, move.attempt


def _next(stage: str, attempt: str, waiting: list[Move]) -> int:
    """Index of the move that comes next: the first by time, unless another one must precede it.

    Nothing comes after an end. Of one attempt, moves come in the order of its life, and before those of the next one.
    """
    first = waiting[0]
    left = [
        index
        for index, one in enumerate(waiting[:_LOOK_AHEAD])
        if attempt and one.attempt == attempt and one.status in _GIVES_BACK and one.low <= first.high + SLACK
    ]
    if left and first.status in DISPATCHED and first.attempt not in ("", attempt) and stage not in DISPATCHED:
        return left[0]
    for index, one in enumerate(waiting[:_LOOK_AHEAD]):
        if one.low > first.high + SLACK:
            break
        ends_early = one.status in ENDED and len(waiting) > 1
        goes_on = not attempt or not one.attempt or one.attempt == attempt or stage not in _HOLDING
        same = first.attempt == one.attempt or not first.attempt or not one.attempt or one.attempt == attempt
        if one.status in _FOLLOWS.get(stage, ()) and goes_on and same and not ends_early:
            return index
    return 1 if first.status in ENDED and len(waiting) > 1 and waiting[1].low <= first.high + SLACK else 0


_HOLDING = (*DISPATCHED, PREEMPTING)
_GIVES_BACK = (PREEMPTED, RUNNABLE)


def _merged(moves: Iterable[Move]) -> list[Move]:
    """Each move once. Of an attempt there is one move into a state, unless the state is RUNNABLE or no attempt is named."""
    found: list[Move] = []
    last: dict[tuple[str, str], Move] = {}
    for move in sorted(moves, key=lambda m: (not m.logged, _by_second(m))):
        key = (move.status, move.attempt)
        old = last.get(key)
        if move.status == BLOCKED_STATUS:
            found.append(move)
        elif old is not None and ((move.attempt and move.status in (*DISPATCHED, *ENDED)) or _near(old, move)):
            _join(old, move)
        elif (other := _nameless(last, move)) is not None:
            _join(other, move)
        else:
            last[key] = replace(move)
            found.append(last[key])
    return found


def _nameless(last: dict[tuple[str, str], Move], move: Move) -> Move | None:
    """The same move as an event without the attempt's name tells it."""
    if move.logged or not move.attempt:
        return None
    other = last.get((move.status, ""))
    return other if other is not None and _near(other, move) else None


def _near(one: Move, other: Move) -> bool:
    return other.low <= one.high + SECOND and one.low <= other.high + SECOND


def _join(old: Move, new: Move) -> None:
    """Keep the earliest record; an exact time within its limits is the better time, and a stop bounds an end below."""
    old.reason = old.reason or new.reason
    old.attempt = old.attempt or new.attempt
    old.count = new.count if old.count is None else old.count
    if new.low == new.high and old.low <= new.low <= old.high and old.status not in ENDED:
        old.low = old.high = new.low
