"""Is a trace one of the scenario that was asked for? Every step done, in order, and nothing else done to the queue.

A step that is impossible as things stand is left out; one that is possible must be in the trace. What the platform does by
itself while a queue settles (victims stop, stages are reached, a deleted share ends) may stand there. A trace that is not
one of the scenario is no evidence for or against the scheduler: it is an error of the backend, never a verdict.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...spec import events as ev
from ...spec.formats.scenario import Expect, Settle, Step, step_form
from ...spec.formats.trace_words import form
from ...spec.model import ENDED, HOLDING, NEXT, Stage, State
from ...spec.observations import Observation, Preempted, Preempting, Reached, Rejected, Retried, Settled, Submitted
from ..judge.book import Book

_SCHEDULERS = (ev.Dispatch, ev.Claim, ev.Release, ev.Misconfigured, Preempting)


class NotTheScenario(ValueError):
    """Where a trace departs from the scenario."""


class Inputs:
    """Follows a trace along a scenario, the book being as it is before each observation."""

    def __init__(self, steps: Sequence[Step], book: Book, *, own_time: bool = False) -> None:
        self._steps = [s for s in steps if not isinstance(s, Expect)]
        self._book, self._own_time = book, own_time
        self._next = 0
        self._open = 0
        """The first step from `_next` on that has been possible ever since its turn came: those before may be left out."""
        self._settling: Settle | None = None
        """The settle that is being done: its end has not been seen."""

    def take(self, what: Observation) -> bool:
        """One observation more; whether it is a step of the scenario. Raises NotTheScenario."""
        before = self._next
        self._look()
        if isinstance(what, Settled):
            self._settled()
        elif not isinstance(what, _SCHEDULERS):
            self._done(what)
        return self._next > before

    def asked(self, step: Step) -> None:
        """The scenario goes on with this step."""
        if not isinstance(step, Expect):
            self._steps.append(step)

    def end(self) -> None:
        """The trace ends here, or at least the steps so far do. Raises NotTheScenario when one is missing."""
        self._look()
        if self._open < len(self._steps):
            missing = _step(self._steps[self._open])
            raise NotTheScenario(f"the trace ends before step {self._open + 1} was done: {missing}")
        self._next = self._open

    @property
    def settles(self) -> Settle | None:
        """The settle whose end was seen last, until another step is done."""
        return self._settling

    def _look(self) -> None:
        """A step that is impossible now may be left out, whatever becomes possible later."""
        self._open = max(self._open, self._next)
        while self._open < len(self._steps):
            step = self._steps[self._open]
            if isinstance(step, Settle) or self._possible(step):
                return
            self._open += 1

    def _settled(self) -> None:
        """The scheduler says that it has nothing left to do: the next settle is done, or it says so once more."""
        if self._open < len(self._steps) and isinstance(step := self._steps[self._open], Settle):
            self._settling = step
            self._next = self._open + 1

    def _done(self, what: Observation) -> None:
        for at in range(self._next, min(self._open + 1, len(self._steps))):
            if self._is(self._steps[at], what):
                self._next, self._settling = at + 1, None
                return
        expected = self._steps[self._open] if self._open < len(self._steps) else None
        if not self._by_itself(what, expected):
            raise NotTheScenario(_departs(what, expected, self._open + 1))

    def _by_itself(self, what: Observation, step: Step | None) -> bool:
        """The platform does this without being told: in a settle with drains, and where jobs have their own time.

        No job ends, returns or runs again untold, in its own time either: a scheduler could rid itself of any job so.
        """
        settles = isinstance(step, Settle) and step.drains
        deleting = self._book.now.deleting
        match what:
            case Preempted():
                return settles or self._own_time
            case Reached():
                return True
            case ev.Terminate():
                job = self._book.jobs.get(what.job)
                return job is not None and job.share in deleting
            case ev.ShareGone():
                return what.share in deleting
            case ev.Finish():
                job = self._book.jobs.get(what.job)
                drains = job is not None and job.stage is Stage.DRAINING
                return settles and drains and not what.failed  # A34
            case _:
                return False

    def _is(self, step: Step, what: Observation) -> bool:
        """Whether an observation is what a step looks like when it is done."""
        match step:
            case ev.Submit():
                if isinstance(what, Submitted):
                    known = what.priority in (None, step.priority or 0) and (
                        not what.retries_known or what.retries == step.retries
                    )
                    return (what.job, what.share, dict(what.size)) == (step.job, step.share, dict(step.size)) and known
                same = isinstance(what, Rejected) and (what.job, what.share) == (step.job, step.share)
                return same and self._refusable(step.share)
            case ev.Advance():
                return isinstance(what, Reached) and what.job == step.job
            case ev.Stopped():
                return isinstance(what, Preempted) and what.job == step.job
            case ev.Finish():
                ended = isinstance(what, ev.Finish) and what.job == step.job
                return ended or (isinstance(what, Retried) and what.job == step.job and self._may_retry(step.job))
            case ev.CreateShare():
                return isinstance(what, ev.CreateShare) and what.share.canonical() == step.share.canonical()
            case _:
                return step == what

    def _may_retry(self, job: str) -> bool:
        """Whether a job that ends by itself may be RUNNABLE again: a victim that drains (A34), no preemption."""
        return job in self._book.jobs and self._book.jobs[job].stage is Stage.DRAINING

    def _refusable(self, share: str) -> bool:
        """Whether the queue takes no job for the share now (rules 50, 52; A49). A job that can never run is taken (rule 33)."""
        now = self._book.now
        return share not in now.shares or now.shares[share].state is State.DISABLED or not now.queue_enabled

    def _possible(self, step: Step) -> bool:
        return possible(self._book, step, own_time=self._own_time)


def possible(book: Book, step: Step, *, own_time: bool = False) -> bool:
    """Whether somebody can do this as things stand; with `own_time` what the platform does is nobody's to do."""
    if isinstance(step, ev.Submit):
        return True
    if isinstance(step, ev.ADMINISTRATOR):
        return not book.now.impossible(step)
    job = book.jobs.get(getattr(step, "job", ""))
    stage = job.stage if job else None
    match step:
        case ev.SetPriority() | ev.Terminate():
            return stage is not None and stage not in ENDED
        case ev.Advance():
            return stage in NEXT and not own_time
        case ev.Finish():
            return stage in HOLDING
        case ev.Return():
            return stage is Stage.SCHEDULED and not own_time
        case ev.Stopped():
            return stage is Stage.DRAINING and not own_time
        case _:
            return False


def _departs(what: Observation, expected: Step | None, number: int) -> str:
    """How an observation differs from the step that should have been done: first the fields that do, if it is of its kind."""
    line, step = form(what), step_form(expected) if expected else {}
    differing = _differences(_named(line, what), step) if _alike(what, expected) else []
    if differing:
        return f"step {number} is reported with {'; '.join(differing)}: {json.dumps(line, ensure_ascii=False)}"
    words = json.dumps(step, ensure_ascii=False) if expected else "nothing more"
    return f"expected was {words} (step {number}), and not {json.dumps(line, ensure_ascii=False)}"


def _alike(what: Observation, expected: Step | None) -> bool:
    """Whether an observation is that a step was done, though another than was asked for."""
    return type(what) is (Submitted if isinstance(expected, ev.Submit) else type(expected))


def _named(line: Mapping[str, Any], what: Observation) -> Mapping[str, Any]:
    """A line by the keys of a scenario."""
    match what:
        case ev.CreateShare():
            return {"create-share": line["share-created"]}
        case _ if isinstance(what, ev.EVENTS):
            return step_form(what)
        case _:
            return line


def _differences(said: Mapping[str, Any], asked: Mapping[str, Any], where: str = "") -> list[str]:
    """The fields in which two forms differ, each with both values. What is absent is what it is by default."""
    found: list[str] = []
    for key in dict.fromkeys((*asked, *said)):
        one, other = said.get(key), asked.get(key)
        if isinstance(one, Mapping) and isinstance(other, Mapping) and not where:
            found += _differences(cast("Mapping[str, Any]", one), cast("Mapping[str, Any]", other), f"{key} ")
        elif one != other and not (other is None and not one):
            found.append(f"{where}{key} {_value(one)} instead of {_value(other)}")
    return found


def _value(value: object) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def _step(what: Step) -> str:
    """A step as a scenario says it."""
    return json.dumps(step_form(what), ensure_ascii=False)
