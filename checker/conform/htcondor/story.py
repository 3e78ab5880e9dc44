"""What happened to jobs, out of what the daemons of one pool wrote down.

A job is dispatched when the negotiator found it a free slot, if it then ran there; one for which others had to stop, when it
runs. A victim is told to stop when the negotiator gave its slot away, if the machine then told it so. Decisions stand in the
negotiator's order; one of which nothing came is left out. Trusted: `records`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .records import Record

SETTLED = 0.3
"""Seconds after which no daemon has yet to write a line of an earlier time."""
TO_HAPPEN = 8.0
"""Seconds after which nothing comes of a decision."""


@dataclass(frozen=True)
class Happened:
    """One thing. `what`: submitted, dispatched, preempted (told to stop), evicted, terminated, aborted, round."""

    what: str
    job: int = 0
    claimant: int = 0
    code: int = 0


@dataclass
class Story:
    """Follows one pool."""

    _records: list[Record] = field(default_factory=list[Record])
    _dispatched: set[int] = field(default_factory=set[int])
    """Jobs told as dispatched before they ran."""
    _told: set[Record] = field(default_factory=set[Record])
    """Machines' records that are told already, with the decision that led to them."""

    def add(self, records: list[Record]) -> None:
        self._records = sorted([*self._records, *records], key=lambda r: r.time)

    def happened(self, now: float) -> Iterator[Happened]:
        """What is certain by now, in order."""
        while self._records and self._records[0].time <= now - SETTLED:
            first = self._records[0]
            found = self._said(first, now)
            if found is None:
                return
            del self._records[0]
            self._told.discard(first)
            yield from found

    def _said(self, record: Record, now: float) -> list[Happened] | None:
        """What a record comes to; None: that is still to be seen."""
        match record.what:
            case "matched":
                return self._matched(record, now)
            case "preempts":
                return self._preempts(record, now)
            case "vacating":
                return [] if record in self._told else [Happened("preempted", record.job)]
            case "executing":
                known = record.job in self._dispatched
                self._dispatched.discard(record.job)
                return [] if known else [Happened("dispatched", record.job)]
            case _:
                return [Happened(record.what, record.job, code=record.code)]

    def _matched(self, record: Record, now: float) -> list[Happened] | None:
        for later in self._records[1:]:
            if later.job == record.job:
                if later.what != "executing":
                    return []
                self._dispatched.add(record.job)
                return [Happened("dispatched", record.job)]
        return [] if now > record.time + TO_HAPPEN else None

    def _preempts(self, record: Record, now: float) -> list[Happened] | None:
        """The victims: on a divided slot all that are told to stop together."""
        told: list[Record] = []
        for later in self._records[1:]:
            if later.what in ("matched", "preempts", "round") and told:
                break
            mine = later.slot == record.slot or later.slot.startswith(f"{record.slot}_")
            if later.what == "vacating" and mine and later not in self._told:
                told.append(later)
            elif later.what == "executing" and later.job == record.job:
                break
        else:
            if now <= (told[-1].time + SETTLED if told else record.time + TO_HAPPEN):
                return None
        self._told.update(told)
        return [Happened("preempted", r.job, record.job) for r in told]
