"""What HTCondor's daemons write down: decisions of the negotiator, states of machines, what became of jobs.

Lines are put in the order of their times: all daemons read one clock, to the millisecond. Trusted: these three logs. Lines
of which nothing here speaks are passed over; at each settle the machines' own account of who runs is compared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path


@dataclass(frozen=True)
class Record:
    """One line that counts. `job` is HTCondor's cluster of it, 0 where none is named."""

    time: float
    what: str
    """matched, preempts (a match for which somebody must stop), round; vacating (for another), left (its user gives the
    machine back); submitted, executing, evicted, terminated, aborted."""
    job: int = 0
    slot: str = ""
    code: int = 0


_DAEMON_TIME = re.compile(r"(\d\d/\d\d/\d\d \d\d:\d\d:\d\d\.\d{3}) (.*)")
_REQUEST = re.compile(r"Request (\d+)\.\d+:")
_MATCHED = re.compile(r"Successfully matched with (\S+?)@")
_PREEMPTING = re.compile(r"(?:Preempting .+? on (?:\S+?)@\S+ for )|(?:Matched pslot .+ preempting \d+ dynamic slots)")
_JOB_OF_SLOT = re.compile(r"(slot\S+?): Remote job ID is (\d+)\.")
_VACATING = re.compile(r"(slot\S+?)(?:\[\S+\])?: Changing state.*Claimed/Busy -> Preempting/")
_LEFT = re.compile(r"(slot\S+?)(?:\[\S+\])?: Called deactivate_claim")
_EVENT = re.compile(r"(\d{3}) \((\d+)\.\d+\.\d+\) (\S+ \S+Z) ")
_EVENTS = {"000": "submitted", "001": "executing", "004": "evicted", "005": "terminated", "009": "aborted"}
_RETURNED = re.compile(r"\(return value (\d+)\)")


def _daemon(text: str) -> tuple[float, str] | None:
    found = _DAEMON_TIME.match(text)
    if found is None:
        return None
    at = datetime.strptime(found[1], "%m/%d/%y %H:%M:%S.%f").replace(tzinfo=UTC)
    return at.timestamp(), found[2]


class Negotiator:
    """Reads the negotiator's log: for which job which slot was found, and whether somebody has to stop."""

    def __init__(self) -> None:
        self._job, self._preempts = 0, False

    def __call__(self, text: str) -> Iterator[Record]:
        line = _daemon(text)
        if line is None:
            return
        time, words = line
        if found := _REQUEST.search(words):
            self._job, self._preempts = int(found[1]), False
        elif _PREEMPTING.search(words):
            self._preempts = True
        elif found := _MATCHED.search(words):
            yield Record(time, "preempts" if self._preempts else "matched", self._job, found[1])
            self._preempts = False
        elif "Finished Negotiation Cycle" in words:
            yield Record(time, "round")


class Machines:
    """Reads the startd's log: which job a slot is told to give up."""

    def __init__(self) -> None:
        self._jobs: dict[str, int] = {}

    def __call__(self, text: str) -> Iterator[Record]:
        line = _daemon(text)
        if line is None:
            return
        time, words = line
        if found := _JOB_OF_SLOT.match(words):
            self._jobs[found[1]] = int(found[2])
        elif (found := _LEFT.match(words)) and found[1] in self._jobs:
            yield Record(time, "left", self._jobs.pop(found[1]), found[1])
        elif (found := _VACATING.match(words)) and found[1] in self._jobs:
            yield Record(time, "vacating", self._jobs[found[1]], found[1])


class Events:
    """Reads the event log of all jobs."""

    def __init__(self) -> None:
        self._ended: tuple[float, int] | None = None
        """Of a job that ended, until the line that says with which code."""

    def __call__(self, text: str) -> Iterator[Record]:
        found = _EVENT.match(text)
        if found is None:
            returned = _RETURNED.search(text)
            if self._ended is not None and (returned or text == "..."):
                time, job = self._ended
                self._ended = None
                yield Record(time, "terminated", job, code=int(returned[1]) if returned else 1)
            return
        time, what = datetime.fromisoformat(found[3]).timestamp(), _EVENTS.get(found[1], "")
        if what == "terminated":
            self._ended = (time, int(found[2]))
        elif what:
            yield Record(time, what, int(found[2]))


READERS: dict[str, Callable[[], Callable[[str], Iterator[Record]]]] = {
    "NegotiatorLog": Negotiator,
    "StartLog": Machines,
    "EventLog": Events,
}


class Growing:
    """A log that grows, read line by line."""

    def __init__(self, path: Path, read: Callable[[str], Iterator[Record]]) -> None:
        self._path, self._read, self._at, self._rest = path, read, 0, b""

    def records(self) -> Iterator[Record]:
        """What was written since the last call, whole lines only."""
        if not self._path.exists():
            return
        with self._path.open("rb") as file:
            file.seek(self._at)
            more = file.read()
        self._at += len(more)
        *whole, self._rest = (self._rest + more).split(b"\n")
        for text in whole:
            yield from self._read(text.decode(errors="replace"))
