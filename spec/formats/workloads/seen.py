"""A history as a workload: the jobs that came, how long each of them worked, and when it was seen to hold its machines.

How long a job has to work is what its last attempt ran; all its attempts together where it is known to write checkpoints.
One that had not ended by the end has worked so far (it is open, and said to be); one that was never seen to run is left
out. Times are the history's. Trusted: nothing; what was not seen is counted in `notes`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ... import events as ev
from ...model import Stage
from ...observations import History, Observation, Preempted, Preempting, Reached, Retried, Submitted
from ...workload import Attempt, How, Work, Workload

_SAID = {
    "never": "{n} jobs were never seen to run: left out, nobody knows how long they would have",
    "unknown": "{n} jobs were never seen to be submitted: left out, nobody knows their size",
    "open": "{n} jobs had not ended when the history did: every policy runs them for as long as they had worked by then; "
    "they count as not ended, and what they worked is not lost",
    "summed": "{n} jobs write checkpoints: their work is all that their attempts ran, as if nothing had been lost",
    "again": "{n} jobs ran several times without a checkpoint that is known: their work is what the last attempt ran",
}


@dataclass
class _Life:
    """What was seen of a job so far."""

    at: int
    submitted: Submitted
    attempts: list[Attempt] = field(default_factory=list[Attempt])
    since: int | None = None
    running: int | None = None
    stopping: int | None = None
    ended: bool = False

    def ends(self, at: int | None, how: How) -> None:
        """The attempt that is under way, if one is, has ended."""
        if self.since is not None:
            self.attempts.append(Attempt(self.since, self.running, at, how, self.stopping))
        self.since = self.running = self.stopping = None


def from_history(history: History) -> Workload:
    """The jobs of a history by arrival, in its queue. Reads it once."""
    lives: dict[str, _Life] = {}
    unknown: set[str] = set()
    end = 0
    for seen in history.seen():
        end = max(end, seen.at)
        job = getattr(seen.what, "job", "")
        for victim in seen.what.victims if isinstance(seen.what, ev.Claim) else ():
            if victim in lives:
                lives[victim].stopping = seen.at
        if isinstance(seen.what, Submitted):
            lives.setdefault(job, _Life(seen.at, seen.what))
        elif job in lives:
            _note(lives[job], seen.at, seen.what)
        elif job and isinstance(seen.what, Reached | ev.Dispatch):
            unknown.add(job)
    said = Counter(unknown=len(unknown))
    work = sorted(_works(lives, end, said), key=lambda w: w.at)
    notes = [words.format(n=said[key]) for key, words in _SAID.items() if said[key]]
    return Workload(history.config, tuple(work), (*history.notes, *notes))


def _note(life: _Life, at: int, what: Observation) -> None:
    match what:
        case ev.Dispatch():
            life.ends(at, "retried")
            life.since = at
        case Reached():
            life.since = at if life.since is None else life.since
            if what.stage is Stage.RUNNING and life.running is None:
                life.running = at
        case Preempting():
            life.stopping = at
        case Preempted():
            life.ends(at, "stopped")
            life.ended = what.stage is Stage.FAILED
        case Retried() | ev.Return():
            life.ends(at, "retried")
        case ev.Finish():
            life.ends(at, "failed" if what.failed else "succeeded")
            life.ended = True
        case ev.Terminate():
            life.ends(at, "failed")
            life.ended = True
        case _:
            pass


def _works(lives: dict[str, _Life], end: int, said: Counter[str]) -> Iterator[Work]:
    for job, life in lives.items():
        life.ends(None, "succeeded")
        ran = [
            (end if a.until is None else a.stopping or a.until) - a.running
            for a in life.attempts
            if a.running is not None
        ]
        if not ran:
            said["never"] += 1
            continue
        said["open"] += not life.ended
        s = life.submitted
        saves = bool(s.facts.checkpoint)
        if len(ran) > 1:
            said["summed" if saves else "again"] += 1
        submit = ev.Submit(job, s.share, s.size, s.priority, s.retries)
        yield Work(life.at, sum(ran) if saves else ran[-1], submit, was=tuple(life.attempts), open=not life.ended)
