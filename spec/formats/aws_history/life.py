"""One job's moves to observations: what was seen, and what must have happened between without being seen.

An interval is where the move can have been: an envelope's second and its neighbours, an exact time where a record of this
attempt has one, and from the attempt's stop to its last record for what frees machines (A57). Trusted: `_Life`, how one
state follows another (rules 18, 29, 43, 46, 55).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate

from ... import events as ev
from ...model import Stage
from ...observations import Kind, Observation, Preempted, Preempting, Reached, Retried, Seen
from .known import PREEMPTED, PREEMPTING, SECOND, Known, Move
from .order import DISPATCHED, ENDED, FAILED, RUNNABLE, RUNNING, SCHEDULED, SLACK, SUBMITTED, SUCCEEDED, in_order
from .records import BLOCKED_STATUS, MISCONFIGURED

_CROSS_SHARE = "Cross-share preemption"
_TIME_LIMIT = "Terminated by JobStateTimeLimit"
_DRAINING = Stage.DRAINING.value


@dataclass
class Life:
    """A job's observations in order, and how complete they are."""

    seen: list[Seen] = field(default_factory=list[Seen])
    queued: int | None = None
    """Latest time at which it became RUNNABLE for the first time, when that was logged."""
    expected: int = 0
    logged: int = 0
    missing: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """For each move that is missing, the time between its neighbours."""
    unended: int | None = None
    """Since when it may have given its machines back, where an answer says that it has and no record says when."""
    attempts: list[str] = field(default_factory=list[str])


def live(known: Known) -> Life:
    """The life of one job."""
    life = _Life(known)
    moves = in_order([*known.moves.values(), *_unlogged_attempts(known)])
    for index, move in enumerate(moves):
        life.take(move, moves[index + 1 :])
    life.close()
    life.result.seen = _monotone(life.result.seen)
    life.result.attempts = list(dict.fromkeys(m.attempt for m in moves if m.attempt))
    return life.result


def kind_of(reason: str) -> Kind | None:
    """What a documented reason text says of a preemption; AWS documents only the one between shares."""
    return "cross-share" if _CROSS_SHARE in reason else None


def _unlogged_attempts(known: Known) -> list[Move]:
    """Starts and stops of attempts that answers list, where no event tells them."""
    named = {m.attempt for m in known.moves.values()}
    moves: list[Move] = []
    for attempt in [*known.preempted, *sorted(known.ended)]:
        started, stopped = known.running.get(attempt), known.stops.get(attempt)
        if started is None or stopped is None or stopped < started:
            continue
        if attempt not in named:
            moves.append(Move(RUNNING, started, started, known.mark, attempt, logged=False))
        if attempt not in named or (attempt in known.preempted and not _stop_logged(known, attempt, stopped)):
            moves.append(Move(RUNNABLE, stopped, stopped, known.mark, attempt, logged=False))
    return moves


def _stop_logged(known: Known, attempt: str, stopped: int) -> bool:
    """Whether a move tells that an attempt has stopped: one that names it, or one that names none before the next start."""
    moves = known.moves.values()
    later = [m.low for m in moves if m.status in DISPATCHED and m.attempt not in ("", attempt) and m.low >= stopped]
    ends = [m for m in moves if m.status in (RUNNABLE, PREEMPTED, *ENDED)]
    return any(
        m.attempt == attempt or (not m.attempt and m.high >= stopped and m.low <= min(later, default=m.low))
        for m in ends
    )


class _Life:
    def __init__(self, known: Known) -> None:
        self.known = known
        self.result = Life()
        self.stage = ""
        self.attempt = ""
        self.low = self.high = known.created or min((m.low for m in known.moves.values()), default=0)
        """Of the last move."""
        self.stopped: dict[str, int] = {}
        """Attempt -> index of the observation of its stop."""
        self.last_stop = -1
        """Index of the last stop while nothing came after it."""
        self.told: dict[int, set[str]] = {}
        """Index of a stop -> by which of its two records it is known."""

    def take(self, move: Move, rest: Sequence[Move]) -> None:
        """One more move."""
        status = move.status
        if status == BLOCKED_STATUS or (status == RUNNABLE and move.reason.startswith(MISCONFIGURED)):
            self._emit(ev.Misconfigured(self.known.job, move.reason), move)
            if status == BLOCKED_STATUS:
                self._count(move)
                return
        if self.stage in ENDED and self._belongs_to_end(move):
            return
        self._count(move)
        if status in (SUBMITTED, RUNNABLE):
            self._runnable(move)
        elif status == PREEMPTED:
            self._completed(move)
        elif status == PREEMPTING:
            self._dispatched(move)
            if self.stage != _DRAINING:
                reason = move.reason or self.known.preempted.get(self.attempt, "")
                self._emit(Preempting(self.known.job, None, kind_of(reason), reason), move)
                self._now(_DRAINING, move)
        elif status in ENDED:
            self._end(move, rest)
        else:
            self._advance(move)

    def close(self) -> None:
        """A stop has two records, the preemption's and the state's: count the one that is missing."""
        for index, told in self.told.items():
            if len(told) == 1:
                stop = self.result.seen[index]
                self.result.expected += 1
                self.result.missing.append((stop.at, stop.until))
        if self.known.described and self.stage not in ENDED:
            self._end_unseen()
        elif self.stage in (*DISPATCHED, _DRAINING) and self.known.states == {RUNNABLE}:
            self.result.unended = self.low

    def _end_unseen(self) -> None:
        """An answer says that it has ended: at somebody's request, or nobody knows when."""
        asked = [r for r in self.known.terminations if r.at + SECOND >= self.low]
        low, high, mark = self.low, self.high, self.known.mark
        if asked:
            low, high, mark = max(low, asked[0].at - SECOND), max(low, asked[0].at + SECOND), asked[0].mark
        else:
            self.result.unended = low
        self._infer(ev.Terminate(self.known.job), Move(FAILED, low, high, mark), low, high)

    def _belongs_to_end(self, move: Move) -> bool:
        """A second record of the end, or of the stop that ended it. Anything else is what no job can do: it is told (G10)."""
        if move.status not in (self.stage, PREEMPTED) or move.low > self.high + SLACK:
            return False
        if self.last_stop >= 0:
            self._count(move)
            self._extend(self.last_stop, move, move.count)
        return True

    def _advance(self, move: Move) -> None:
        other = bool(move.attempt and self.attempt and move.attempt != self.attempt)
        if self.stage in (*DISPATCHED, _DRAINING) and (other or move.status == SCHEDULED != self.stage):
            self._back_unseen(move)
        if move.status == SCHEDULED:
            if self.stage != SCHEDULED:
                self._arrived(move)
                self._emit(ev.Dispatch(self.known.job), move)
                self._now(SCHEDULED, move)
            return
        self._dispatched(move)
        if self.stage == SCHEDULED and move.status == RUNNING:
            self._missing(move)
        if self.stage != _DRAINING and DISPATCHED.index(move.status) > DISPATCHED.index(self.stage):
            self._emit(Reached(self.known.job, Stage(move.status), move.attempt.rsplit("/", 1)[-1]), move)
            self._now(move.status, move)

    def _dispatched(self, move: Move) -> None:
        """Make sure that it has machines: a dispatch that was not seen came between."""
        if self.stage not in (*DISPATCHED, _DRAINING):
            self._arrived(move)
            self._infer(ev.Dispatch(self.known.job), move, self.low, move.high)
            self._now(SCHEDULED, move, moved=False)

    def _arrived(self, move: Move) -> None:
        if self.stage in ("", SUBMITTED):  # that it became RUNNABLE was not logged
            self._missing(move)

    def _runnable(self, move: Move) -> None:
        if self.stage in ENDED:
            self._emit(Retried(self.known.job), move)
            self._now(RUNNABLE, move)
        elif self.stage in ("", SUBMITTED):
            if self.stage == "" and move.status == RUNNABLE and move.logged:
                self.result.queued = move.high
            self._now(move.status, move)
        elif self.stage == _DRAINING:
            self._stop(move, Stage.RUNNABLE, None)
        elif self.stage in DISPATCHED and move.status == RUNNABLE:
            only = self.stage == RUNNING and self.known.attempts_allowed == 1
            if only or (move.attempt or self.attempt) in self.known.preempted:
                self._preempted_unseen(move)
                self._stop(move, Stage.RUNNABLE, None)
            else:
                back = ev.Return(self.known.job) if self.stage == SCHEDULED else Retried(self.known.job)
                self._emit(back, move, self._freed(move))
                self._now(RUNNABLE, move)
        elif self.last_stop >= 0:
            self._extend(self.last_stop, move, None)
        elif move.low > self.high + SLACK:
            self._missing(move)
            self._missing(move)
            self._now(RUNNABLE, move)

    def _completed(self, move: Move) -> None:
        """A stop that AWS reports as completed; its other record may have come before."""
        final = Stage.FAILED if move.final == FAILED else Stage.RUNNABLE
        earlier = self.stopped.get(move.attempt) if move.attempt else None
        if self.stage == _DRAINING and (earlier is None or move.attempt == self.attempt):
            self._stop(move, final, move.count)
        elif earlier is not None:
            self._extend(earlier, move, move.count)
        elif self.last_stop >= 0 and not move.attempt:
            self._extend(self.last_stop, move, move.count)
        else:
            self._dispatched(move)
            self._preempted_unseen(move)
            self._stop(move, final, move.count)

    def _end(self, move: Move, rest: Sequence[Move]) -> None:
        job = self.known.job
        at = self._freed(move) if self.stage in (*DISPATCHED, _DRAINING) else (move.low, move.high)
        terminated = self.known.terminated or move.reason.startswith(_TIME_LIMIT)
        terminated = terminated or any(r.at - SECOND <= move.high for r in self.known.terminations)
        if move.status == SUCCEEDED:
            self._dispatched(move)
            self._emit(ev.Finish(job), move, at)
        elif terminated or self.stage in ("", SUBMITTED, RUNNABLE):
            self._arrived(move)
            if self.last_stop >= 0 and not terminated and move.low <= self.high + SLACK:
                self._fail_stopped(move)
            else:
                self._emit(ev.Terminate(job), move, at)
        elif self.stage == _DRAINING and self._spent(rest):
            self._stop(move, Stage.FAILED, None)
        elif self.attempt and self.attempt in self.known.preempted and self.stage != _DRAINING:
            self._preempted_unseen(move)
            self._stop(move, Stage.FAILED, None)
        else:
            self._emit(ev.Finish(job, failed=True), move, at)
        self._now(move.status, move)

    def _fail_stopped(self, move: Move) -> None:
        """FAILED right behind the completed preemption is its outcome."""
        self._extend(self.last_stop, move, None)
        old = self.result.seen[self.last_stop]
        if isinstance(old.what, Preempted):
            self.result.seen[self.last_stop] = replace(old, what=replace(old.what, stage=Stage.FAILED))

    def _spent(self, rest: Sequence[Move]) -> bool:
        """A draining job that FAILED was stopped for good; else it failed by itself (A34)."""
        if any(m.status == PREEMPTED for m in rest) or self.attempt in self.known.preempted:
            return True
        known = self.known
        if known.described:
            return False
        return not known.retries_known or (known.retries is not None and self._stops() >= known.retries)

    def _stops(self) -> int:
        return sum(isinstance(s.what, Preempted) for s in self.result.seen)

    def _stop(self, move: Move, stage: Stage, count: int | None) -> None:
        attempt = move.attempt or self.attempt
        self._emit(Preempted(self.known.job, stage, count), move, self._freed(move))
        self._now(stage.value, move)
        self.stopped[attempt] = self.last_stop = len(self.result.seen) - 1
        self.told[self.last_stop] = {self._word(move)}

    def _extend(self, index: int, move: Move, count: int | None) -> None:
        """A second record of the same stop: machines were free by the later of the two at the latest."""
        old = self.result.seen[index]
        if isinstance(old.what, Preempted):
            self.told.setdefault(index, set()).add(self._word(move))
            what = replace(old.what, count=count if old.what.count is None else old.what.count)
            self.result.seen[index] = replace(old, until=max(old.until, move.high), what=what)

    def _preempted_unseen(self, move: Move) -> None:
        """It was told to stop, and nobody saw it."""
        reason = self.known.preempted.get(move.attempt or self.attempt, "")
        at = self.known.stops.get(move.attempt or self.attempt, move.high)
        told = Preempting(self.known.job, None, kind_of(reason), reason)
        self._infer(told, move, self.low, max(self.low, min(at, move.high)))
        self.stage = _DRAINING

    def _back_unseen(self, move: Move) -> None:
        """It gave its machines back before this move, and nobody saw it."""
        attempt, known = self.attempt, self.known
        if self.stage in DISPATCHED and attempt in known.preempted:
            self._preempted_unseen(replace(move, attempt=attempt))
        stopped = known.stops.get(attempt)
        low, high = (stopped, move.high) if stopped and self.low <= stopped <= move.high else (self.low, move.high)
        back: Observation = Retried(known.job)
        if self.stage == _DRAINING:
            back = Preempted(known.job, Stage.RUNNABLE)
        elif self.stage == SCHEDULED:
            back = ev.Return(known.job)
        self._infer(back, move, low, high)
        if self.stage == _DRAINING:
            self.stopped[attempt] = len(self.result.seen) - 1
        self._now(RUNNABLE, move, moved=False)
        self.attempt = ""

    @staticmethod
    def _word(move: Move) -> str:
        return "preemption" if move.status == PREEMPTED else "state"

    def _freed(self, move: Move) -> tuple[int, int]:
        """When its machines became free: not before its attempt stopped, at the latest when AWS said so."""
        stopped = self.known.stops.get(move.attempt or self.attempt)
        if stopped is not None and self.low <= stopped <= move.high:
            return stopped, move.high
        return move.low, move.high

    def _now(self, stage: str, move: Move, *, moved: bool = True) -> None:
        self.stage = stage
        if moved:
            self.low, self.high = move.low, move.high
        if stage in (*DISPATCHED, _DRAINING):
            self.attempt = move.attempt or self.attempt
            self.last_stop = -1
        if stage == SCHEDULED:
            self.attempt = move.attempt if move.status in DISPATCHED else ""

    def _emit(self, what: Observation, move: Move, at: tuple[int, int] | None = None) -> None:
        low, high = at or (move.low, move.high)
        self.result.seen.append(Seen(low, high, what, move.mark.file, move.mark.line))

    def _infer(self, what: Observation, move: Move, low: int, high: int) -> None:
        self.result.seen.append(Seen(low, high, what, move.mark.file, move.mark.line, inferred=True))
        self._missing(move)

    def _missing(self, move: Move) -> None:
        self.result.expected += 1
        self.result.missing.append((self.low, move.high))

    def _count(self, move: Move) -> None:
        self.result.expected += 1
        self.result.logged += move.logged
        if not move.logged:
            self.result.missing.append((move.low, move.high))


def _monotone(seen: list[Seen]) -> list[Seen]:
    """The same with intervals that fit the order: none can be before the one before it, or after the one after it."""
    starts = list(accumulate((s.at for s in seen), max))
    ends = list(accumulate((s.until for s in reversed(seen)), min))[::-1]
    return [within(s, at, max(at, until)) for s, at, until in zip(seen, starts, ends, strict=True)]


def within(seen: Seen, at: int, until: int) -> Seen:
    """The observation with this interval."""
    return seen if (seen.at, seen.until) == (at, until) else replace(seen, at=at, until=until)
