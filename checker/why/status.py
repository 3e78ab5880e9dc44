"""How a queue stands at a time: what each share uses, borrows and lends, what can be stopped, who is next in line.

Every sum is one of the specification's quantities. Who lends to whom is not published (A12): where it does not follow
from the numbers, what a share lends is told as a range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ...reference.impossible import reason
from ...spec.expr.nodes import Int
from ...spec.model import Stage
from ...spec.observations import History, Snapshot, Submitted
from ...spec.readings import Readings
from ...spec.rules.quantities import NOW, draining, limit
from ...spec.rules.view import Running
from ..judge.book import ENDED, Book, Entry
from ..judge.state import Situation, rule
from .follow import Following, follow
from .threats import threats
from .told import Job, ShareStatus, Status, Stoppable, UnitStatus
from .trial import Trial


def status(history: History, readings: Readings, jobs: Mapping[str, Submitted], at: int | None = None) -> Status:
    """The state at a time, at the history's end without one. `jobs`: every submission by id."""
    state = follow(history, readings, at)
    made = _Made(state, Trial(state, history.config), {j: s.facts.name or j for j, s in jobs.items()})
    taken = [s for s in history.snapshots if s.at <= state.now]
    latest = max(taken, key=lambda s: s.at, default=None)
    unexplained = len(state.unexplained)
    left_out = [f"{unexplained} observations do not fit and are left out"] if unexplained else []
    return Status(
        queue=history.config.job_queue_name,
        at=state.now,
        units=tuple(_unit(state.book, unit) for unit in state.book.units()),
        shares=tuple(row for unit in state.book.units() for row in made.shares(unit)),
        snapshot=latest.at if latest else None,
        spread=latest.spread if latest else 0,
        differs=tuple(_differs(history, readings, latest)) if latest else (),
        notes=(*history.notes, *left_out),
        names=tuple(dict.fromkeys([*jobs, *made.names.values()])),
    )


def _asks(share: str, unit: str) -> Entry:
    return Entry("", share, {unit: 1}, 0, None, Stage.RUNNABLE)


def _number(book: Book, share: str, unit: str, quantity: Callable[[Running], Int]) -> int:
    """A quantity of one share."""
    at, formula = Situation(book, share, _asks(share, unit)), rule(quantity, 1)
    return int(formula.run([at.value(name) for name in formula.names])[0])


def _used(view: Running) -> Int:
    return NOW.used(view.at("actor", view.units[0]))


def _borrowed(view: Running) -> Int:
    return NOW.borrowed(view.at("actor", view.units[0]))


def _lendable_idle(view: Running) -> Int:
    return NOW.lendable_idle(view.at("actor", view.units[0]))


def _limit(view: Running) -> Int:
    return limit(view.at("actor", view.units[0]))


def _draining(view: Running) -> Int:
    return draining(view.at("actor", view.units[0]))


def _unit(book: Book, unit: str) -> UnitStatus:
    capacity = book.capacity.get(unit, 0)
    if not book.shares:
        return UnitStatus(unit, capacity, 0, 0, 0, capacity, 0)
    at = Situation(book, next(iter(book.shares)), _asks("", unit))
    used, borrowed, kept = (at.total(name, unit) for name in ("usage", "borrowed", "reserved_idle"))
    return UnitStatus(
        unit, capacity, used - borrowed, borrowed, kept, capacity - used - kept, at.total("draining", unit)
    )


class _Made:
    """The rows of one state."""

    def __init__(self, state: Following, trial: Trial, names: Mapping[str, str]) -> None:
        self.state, self.trial, self.names = state, trial, names
        self.book = state.book
        self._by: dict[tuple[str, tuple[str, ...], int], tuple[str, ...]] = {}

    def shares(self, unit: str) -> Iterator[ShareStatus]:
        """A row for each share that has a limit for the unit or uses it."""
        idle = {s: _number(self.book, s, unit, _lendable_idle) for s in self.book.shares}
        loans = sum(_number(self.book, s, unit, _borrowed) for s in self.book.shares)
        given = sum(_number(self.book, s, unit, _limit) for s in self.book.shares)
        spare = max(0, self.book.capacity.get(unit, 0) - given)
        for name, share in self.book.shares.items():
            line = [j for j in self.state.waiting(name) if unit in j.size]
            if unit not in share.limits and not self.book.usage(name, unit) and not line:
                continue
            others = sum(idle.values()) - idle[name] + spare
            borrowed = _number(self.book, name, unit, _borrowed)
            head = self.state.waiting(name)[0] if line else None
            yield ShareStatus(
                share=name,
                unit=unit,
                limit=_number(self.book, name, unit, _limit),
                own=_number(self.book, name, unit, _used) - borrowed,
                borrowed=borrowed,
                lent=(min(idle[name], max(0, loans - others)), min(idle[name], loans)),
                waiting=len(line),
                draining=_number(self.book, name, unit, _draining),
                stoppable=tuple(self._stoppable(name, unit)),
                head=self._tell(head) if head is not None and unit in head.size else None,
                since=self.state.since.get(head.name) if head is not None else None,
                stuck=self._stuck(head) if head is not None else "",
            )

    def _stoppable(self, share: str, unit: str) -> Iterator[Stoppable]:
        due = self.trial.queue.due()
        jobs = [j for j in self.trial.queue.stoppable() if j.share == share and unit in j.size]
        for job in sorted(jobs, key=lambda j: (*self.trial.policy.victim(self.trial.queue, due, j), j.name)):
            by = self._stopped_by(self.book.job(job.name))
            if by:
                yield Stoppable(self._tell(self.book.job(job.name)), by)

    def _stopped_by(self, job: Entry) -> tuple[str, ...]:
        """Shares whose arrivals could stop the job; jobs that are alike to the rules are asked about once."""
        alike = job.share, tuple(sorted(job.size)), job.priority
        if self.book.readings["A13"] != "b":
            return tuple(dict.fromkeys(t.share for t in threats(self.book, job)))
        if alike not in self._by:
            self._by[alike] = tuple(dict.fromkeys(t.share for t in threats(self.book, job)))
        return self._by[alike]

    def _stuck(self, job: Entry) -> str:
        return reason(self.trial.queue, self.trial.policy, self.trial.queue.jobs[job.name])

    def _tell(self, entry: Entry) -> Job:
        known = entry.name not in self.state.priority_unknown
        name = self.names.get(entry.name, entry.name)
        return Job(entry.name, name, entry.share, dict(entry.size), entry.priority if known else None)


def _differs(history: History, readings: Readings, snapshot: Snapshot) -> Iterator[str]:
    """Where the queue's own word differs from what its history comes to, at the snapshot's time."""
    book = follow(history, readings, snapshot.at).book
    for share, counts in snapshot.usage.items():
        for unit, said in counts.items():
            found = book.usage(share, unit) if share in book.shares else 0
            if found != said:
                yield f"{share} uses {said} {unit} by the snapshot, {found} by the history"
    for share, front in snapshot.front.items():
        for job, _ in front:
            entry = book.jobs.get(job)
            if entry is None or entry.stage is not Stage.RUNNABLE:
                stage = "unknown" if entry is None else "ended" if entry.stage in ENDED else str(entry.stage)
                yield f"{job} waits at the front of {share} by the snapshot; by the history it is {stage}"
