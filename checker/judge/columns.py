"""The sum rules G1-G4 over a whole history, many dispatches at a time.

Who holds machines is followed job by job; what that adds up to and whether it may be is asked of columns. A release counts
at the earliest and a dispatch at the latest instant at which it may have happened, so that what breaks a rule breaks it
whenever it happened; observations that then have one time are put in the order that decides them (`ties`). Where no
instant is best for all, a dispatch that does not fit is undecided, never a fault. The stepwise engine (`history`) tries
the orders there and decides. The two agree word for word on a history in order, on which times are broken where times do
not overlap, and where they do, "undecided" here may be a fault there. Of a time that has no order in which nothing is
broken, which dispatch is charged and what came up depends on the order in which it is told, and each engine has its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ...spec import events as ev
from ...spec.model import Stage
from ...spec.observations import History, Preempted, Reached, Retried, Seen, Submitted
from ...spec.readings import Readings
from ...spec.rules.guarantees import GUARANTEES
from .column_state import ColumnState
from .judged import Fault, Judged
from .sums import CODES, Sums, why_not
from .ties import Change, End, Start, arrange
from .ties import Move as Step

CHUNK = 1 << 14
"""Moves that are judged together."""
_RELEASES = frozenset((ev.Finish, ev.Terminate, ev.Return, Preempted, Retried))
_CHANGES = frozenset((*ev.ADMINISTRATOR, ev.ShareGone))
_END, _PAIR, _ABOVE, _START = range(4)
"""Ranks within a group of one time."""
_NO_INSTANT = "no instant at which it may have happened is best for every job"
_TOO_MANY = "too many orders of observations of one time"


@dataclass(slots=True)
class _Move:
    """A job takes or leaves machines, or an administrator changes something."""

    number: int
    seen: Seen
    kind: int
    sign: int
    key: int
    """The time at which it counts."""
    rank: int
    place: int
    """Among those of one rank."""
    judged: bool = True
    since: int = 0
    """The earliest time at which it may have happened."""
    loose: bool = False
    """Another instant than `key` might have been better for it."""
    change: Change | None = None


def judge_sums(history: History, readings: Readings, *, skew: int = 0) -> Judged:
    """What the history decides about G1-G4. `skew`: milliseconds by which clocks of observations may differ.

    Raises Impossible for an administrator's event about a share that is not there.
    """
    judge = _Judge(history, readings, skew)
    events = judge.take(history)
    judge.settle()
    return Judged(
        events,
        exercised={code: judge.exercised[code] for code in CODES if judge.exercised[code]},
        faults=tuple(sorted(judge.faults, key=lambda fault: fault.number)),
        undecided={code: (n, why) for (code, why), n in judge.undecided.items()},
        unseen={"G1": "the dispatch of a job that was seen to start"} if judge.hidden else {},
    )


class _Judge:
    """Moves that wait for their turn, and what the ones before them decided."""

    def __init__(self, history: History, readings: Readings, skew: int) -> None:
        self.state = ColumnState(history.config, readings)
        self.readings = readings
        self.ordered = history.ordered
        self.skew = 0 if history.ordered else skew
        self.exercised: Counter[str] = Counter()
        self.faults: list[Fault] = []
        self.undecided: Counter[tuple[str, str]] = Counter()
        self.hidden = 0
        """Dispatches that were not seen."""
        self._pending: list[_Move] = []
        self._windows: list[tuple[int, int]] = []
        """When changes may have happened."""

    # following the jobs

    def take(self, history: History) -> int:
        """Follow every observation; how many there are."""
        kinds = self.state.kinds
        jobs: dict[str, int] = {}
        holding: dict[str, _Move] = {}
        requeues = self.readings["A34"] == "requeued"
        full, number = CHUNK, -1
        for number, one in enumerate(history.seen()):  # the last one counts them
            what: Any = one.what
            kind = type(what)
            if kind is Reached or kind is ev.Dispatch:
                job = what.job
                if job not in holding and job in jobs:
                    seen = kind is ev.Dispatch
                    self.hidden += not seen
                    move = _Move(number, one, jobs[job], 1, one.until + self.skew, _START, 2 * number, seen)
                    holding[job] = move
                    self._pending.append(move)
                    if not self.ordered:
                        self._start(move)
            elif kind in _RELEASES:
                start = holding.pop(what.job, None)
                if start is not None:
                    move = _Move(number, one, start.kind, -1, one.at - self.skew, _END, 2 * number)
                    self._pending.append(move)
                    if start.key >= move.key and not self.ordered:
                        self._pair(start, move)
                if _ends(what, requeues=requeues):
                    jobs.pop(what.job, None)
            elif kind is Submitted:
                jobs.setdefault(what.job, kinds.kind(what.share, what.size))
            elif kind in _CHANGES:
                self._change(number, one, what)
            if len(self._pending) >= full:
                self.settle(None if self.ordered else one.at - self.skew)
                full = max(CHUNK, 2 * len(self._pending))
        return number + 1

    def _start(self, move: _Move) -> None:
        move.since = move.seen.at - self.skew
        move.loose = any(since <= move.key < until for since, until in self._windows)

    def _pair(self, start: _Move, end: _Move) -> None:
        """A job whose end may have been before its start was over: both count at the last instant that both may have."""
        at = min(start.key, end.seen.until + self.skew)
        start.loose |= max(start.since, end.key) < at
        start.key = end.key = at
        start.rank = end.rank = _PAIR
        end.place = start.place + 1

    def _change(self, number: int, one: Seen, event: Change) -> None:
        if self.ordered:
            self.settle()
            self.state.change(event)
            return
        since, until = one.at - self.skew, one.until + self.skew
        self._pending.append(_Move(number, one, -1, 0, until, _START, 2 * number, change=event))
        if since < until:
            self._windows = [w for w in self._windows if w[1] >= since]
            self._windows.append((since, until))
            for move in self._pending:
                move.loose |= move.sign == 1 and since <= move.key < until

    # judging

    def settle(self, before: int | None = None) -> None:
        """Judge the moves that count before a time: nothing that is seen from now on counts earlier. None: all."""
        ready = self._pending if before is None else [m for m in self._pending if m.key < before]
        self._pending = [] if before is None else [m for m in self._pending if m.key >= before]
        if self.ordered:
            self._stretch(ready)
            return
        ready.sort(key=_in_order)
        changed = {m.key for m in ready if m.change is not None}
        for (alone, _), moves in groupby(ready, key=lambda m: (m.key in changed, m.key if m.key in changed else 0)):
            if alone:
                self._group(list(moves), self.state.sums(), played=False)
            else:
                self._stretch(list(moves))

    def _stretch(self, moves: list[_Move]) -> None:
        """Moves without a change among them."""
        import numpy as np

        if not moves:
            return
        if not self.ordered:
            moves = self._above_first(moves)
        kinds, signs = np.array([m.kind for m in moves]), np.array([m.sign for m in moves])
        judged = np.array([m.judged and m.sign == 1 for m in moves])
        usage = self.state.usage()
        asked = self.state.advance(kinds, signs, judged)
        counted = np.ones(len(moves), dtype=bool)
        for index in np.flatnonzero(asked.broken >= 0).tolist():
            if not counted[index]:
                continue
            first, end = (index, index + 1) if self.ordered else _bounds(moves, index)
            if end - first > 1:
                counted[first:end] = False
                self._group(moves[first:end], self.state.sums(usage, kinds[:first], signs[:first]))
            elif moves[index].loose:
                counted[index] = False
                self.undecided[CODES[asked.broken[index]], _NO_INSTANT] += 1
            else:
                self._fault(moves[index], CODES[asked.broken[index]], asked.rows(index), moves[first:end])
        for code, n in zip(CODES, asked.comes_up[counted].sum(axis=0).tolist(), strict=True):
            self.exercised[code] += n

    def _above_first(self, moves: list[_Move]) -> list[_Move]:
        """The same with starts of shares that end above their limit before other starts of one time."""
        import numpy as np

        keys = np.array([m.key for m in moves])
        starts = np.array([m.rank == _START for m in moves])
        groups = np.cumsum(np.append(0, np.diff(keys) != 0))
        if not (np.bincount(groups[starts]) > 1).any():
            return moves
        above = self.state.above(np.array([m.kind for m in moves]), np.array([m.sign for m in moves]), groups)
        for index in np.flatnonzero(above & starts).tolist():
            moves[index].rank = _ABOVE
        return sorted(moves, key=_in_order)

    def _group(self, moves: list[_Move], sums: Sums, *, played: bool = True) -> None:
        """Moves of one time, one by one, in an order that breaks nothing if there is one. `played`: the state has them."""
        import numpy as np

        found = arrange([self._step(m) for m in moves], sums)
        ordered = [moves[p] for p in found.positions]
        for move in ordered:
            if move.change is not None:
                sums.change(move.change)
                if not played:
                    self.state.change(move.change)
                continue
            share, size = self.state.kinds.sizes[move.kind]
            if move.sign == 1 and move.judged:
                self._one(move, sums, found.kept, moves)
            sums.move(share, size, move.sign)
            if not played:
                self.state.advance(np.array([move.kind]), np.array([move.sign]), np.array([False]))

    def _step(self, move: _Move) -> Step:
        if move.change is not None:
            return move.change
        share, size = self.state.kinds.sizes[move.kind]
        return (Start if move.sign == 1 else End)(getattr(move.seen.what, "job"), share, size)  # noqa: B009

    def _one(self, move: _Move, sums: Sums, kept: bool | None, group: Sequence[_Move]) -> None:
        share, size = self.state.kinds.sizes[move.kind]
        broken, comes_up = sums.asked(share, size)
        if broken and (move.loose or kept is None):
            self.undecided[broken, _NO_INSTANT if move.loose else _TOO_MANY] += 1
            return
        self.exercised.update(comes_up)
        if broken:
            self._fault(move, broken, {u: sums.row(share, u, n) for u, n in size.items()}, group)

    def _fault(self, move: _Move, code: str, rows: dict[str, list[Any]], group: Sequence[_Move]) -> None:
        share, _ = self.state.kinds.sizes[move.kind]
        false = why_not(rows, share, self.readings)
        numbers = [m.number for m in group]
        self.faults.append(
            Fault(
                code,
                move.number,
                move.seen,
                false.sentence if false else GUARANTEES[code].sentence,
                false.code if false else "",
                (min(numbers), max(numbers)),
            )
        )


def _in_order(move: _Move) -> tuple[int, int, int]:
    return move.key, move.rank, move.place


def _ends(what: Any, *, requeues: bool) -> bool:
    """Whether nothing of the job can follow."""
    match what:
        case ev.Finish():
            return what.failed or not requeues
        case ev.Terminate():
            return True
        case Preempted():
            return what.stage is Stage.FAILED
        case _:
            return False


def _bounds(moves: Sequence[_Move], index: int) -> tuple[int, int]:
    """Where the group of one time begins and ends."""
    first, end, key = index, index + 1, moves[index].key
    while first and moves[first - 1].key == key:
        first -= 1
    while end < len(moves) and moves[end].key == key:
        end += 1
    return first, end
