"""The reference guided along observations: is the next observed step one of those that it could make?

Everything that AWS leaves free (victims, order of shares, ties) follows what was seen, but for the questions named in
`strict`, where the policy's own table decides. What is not seen, a claim without victims say, is found by letting the
reference make it. Trusted: the reference, for everything that is not free.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace

from ...reference.apply import apply
from ...reference.decide import decide
from ...reference.policy import Policy
from ...reference.queue import ENDED, HOLDING, STOPPABLE, Job, Queue
from ...reference.run import signature
from ...spec import events as ev
from ...spec.model import QueueConfig, Stage
from ...spec.observations import Observation, Preempted, Preempting, Reached, Rejected, Retried, Settled, Submitted
from ...spec.readings import Readings

HIDDEN = 12
"""Steps in a row that may not have been seen."""
PLACES = frozenset({"A16", "A20", "A21", "A54"})
"""Questions for which the place among equal priorities is the reference's; for all others it is free."""
FIRST = -(10**12)


class NotFollowed(ValueError):
    """An observation that cannot be followed, whatever the choices: a job that was never submitted, say."""


@dataclass
class Guided:
    """A queue of the reference that has followed the observations so far."""

    queue: Queue
    pending: frozenset[str] = frozenset()
    """Victims of a claim of which it has not been seen yet that they were told to stop."""

    @classmethod
    def of(cls, config: QueueConfig, readings: Readings) -> Guided:
        return cls(Queue(config, readings))

    def copy(self) -> Guided:
        return Guided(self.queue.copy(), self.pending)

    @property
    def key(self) -> tuple[object, ...]:
        """What decides how it can go on, apart from the configuration, which is the same for all that saw the same."""
        return signature(self.queue), self.pending

    def forget_ended(self) -> None:
        """Jobs that have ended decide nothing any more."""
        jobs = self.queue.jobs
        for name in [n for n, j in jobs.items() if j.stage in ENDED]:
            del jobs[name]


@dataclass(frozen=True)
class Guide:
    """How far the reference is free: under one choice for every question, with some of them `strict`."""

    readings: Readings
    strict: frozenset[str] = frozenset()
    claims: bool = False
    """Whether claims are seen."""
    policy: Policy = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "policy", Policy.of(self.readings))

    def after(self, state: Guided, what: Observation, stops: Collection[str]) -> Iterator[Guided]:
        """Every state to which the observation can lead. `stops`: who is told to stop about now. Raises NotFollowed."""
        match what:
            case ev.Dispatch() | ev.Claim() | ev.Release() | ev.Misconfigured() | Preempting() | Reached():
                yield from self._scheduled(state, what, stops)
            case Settled():
                yield from self._at_rest(state)
            case Preempted():
                yield from self._stopped(state, what)
            case _:
                yield from self._outside(state, what)

    def unseen(self, state: Guided) -> Iterator[Guided]:
        """The state, and the state after steps of the scheduler that nobody sees."""
        yield state
        now, moved = state, False
        for _ in range(HIDDEN):
            step = decide(now.queue, self.policy)
            if step is None or not self._hidden(step):
                break
            now, moved = now if moved else now.copy(), True
            apply(now.queue, step)
        if moved:
            yield now

    def _hidden(self, step: ev.SchedulerEvent) -> bool:
        quiet = isinstance(step, ev.Release) or (isinstance(step, ev.Claim) and not step.victims)
        return isinstance(step, ev.Misconfigured) or (quiet and not self.claims)

    def _scheduled(self, state: Guided, what: Observation, stops: Collection[str]) -> Iterator[Guided]:
        job = _job(state, getattr(what, "job", ""))
        if isinstance(what, Reached):
            yield from self._reached(state, what, stops)
        elif isinstance(what, Preempting) and what.job in state.pending:
            new = state.copy()
            new.pending -= {what.job}
            yield new
        elif isinstance(what, ev.Misconfigured) and job.reason:
            if not what.reason or what.reason == job.reason:
                yield state
        elif isinstance(what, Preempting):
            claimants = [what.claimant] if what.claimant else self._heads(state)
            for claimant in claimants:
                yield from self._reach(state, what, claimant, stops)
        else:
            yield from self._reach(state, what, job.name, stops)

    def _heads(self, state: Guided) -> list[str]:
        """Jobs for which one may be told to stop: first in line of their shares, or of equal priority."""
        found: list[str] = []
        for share in state.queue.shares:
            waiting = list(state.queue.waiting(share))
            if waiting and self.policy.skip_impossible:
                found += [j.name for j in waiting]
            else:
                found += [j.name for j in waiting if j.priority == waiting[0].priority]
        return found

    def _reach(self, state: Guided, what: Observation, towards: str, stops: Collection[str]) -> Iterator[Guided]:
        """The step itself, after at most `HIDDEN` steps that are not seen."""
        now = state.copy()
        aim = _job(now, towards)
        if not self.strict & PLACES and aim.stage is Stage.RUNNABLE:
            aim.place = FIRST
        policy = self._towards(aim, stops)
        for _ in range(HIDDEN):
            step = decide(now.queue, policy)
            if step is None:
                return
            if self._is(step, what, stops):
                if isinstance(step, ev.Claim) and isinstance(what, Preempting):
                    now.pending |= {v for v in step.victims if v != what.job}
                apply(now.queue, step)
                yield now
                return
            if not self._hidden(step):
                return
            apply(now.queue, step)

    def _towards(self, aim: Job, stops: Collection[str]) -> Policy:
        """The policy whose free choices are made as it was seen."""
        policy = self.policy
        if "A17" not in self.strict:
            order = policy.share_order
            policy = replace(policy, share_order=lambda s: (s.name != aim.share, *order(s)))
        if "A16" not in self.strict:
            fifo = policy.fifo
            policy = replace(policy, fifo=lambda s, j: FIRST if j is aim else fifo(s, j))
        if "A26" not in self.strict:
            key = policy.victim
            policy = replace(policy, victim=lambda q, used, j: (j.name not in stops, *key(q, used, j)))
        return policy

    def _is(self, step: ev.SchedulerEvent, what: Observation, stops: Collection[str]) -> bool:
        if isinstance(what, Preempting):
            return isinstance(step, ev.Claim) and what.job in step.victims and set(step.victims) <= set(stops)
        if isinstance(what, ev.Misconfigured) and isinstance(step, ev.Misconfigured) and not what.reason:
            return step.job == what.job
        return step == what

    def _reached(self, state: Guided, what: Reached, stops: Collection[str]) -> Iterator[Guided]:
        """STARTING or RUNNING; where its dispatch was not seen, that comes first."""
        waits = _job(state, what.job).stage is Stage.RUNNABLE
        for now in self._reach(state, ev.Dispatch(what.job), what.job, stops) if waits else [state.copy()]:
            job = now.queue.jobs[what.job]
            while job.stage in (Stage.SCHEDULED, Stage.STARTING) and job.stage is not what.stage:
                apply(now.queue, ev.Advance(what.job))
            yield now

    def _at_rest(self, state: Guided) -> Iterator[Guided]:
        """Nothing is left to do: for some order of jobs of equal priority, unless their order is `strict`."""
        if state.pending:
            return
        now = state.copy()
        for _ in range(HIDDEN):
            step = decide(now.queue, self.policy)
            if step is None:
                yield now
                return
            if not self._hidden(step):
                if self.strict & PLACES or not self._put_back(now.queue, step.job):
                    return
            else:
                apply(now.queue, step)

    def _put_back(self, queue: Queue, name: str) -> bool:
        """Another job of equal priority is first in line instead; False where there is none that was not tried."""
        job = queue.jobs[name]
        equals = [j for j in queue.waiting(job.share) if j.priority == job.priority]
        if job is equals[-1]:
            return False
        job.place = equals[-1].place + 1
        return True

    def _stopped(self, state: Guided, what: Preempted) -> Iterator[Guided]:
        """The victim was stopped, or ended by itself and was requeued (A34). One that FAILED had a limit that is not known."""
        job = _job(state, what.job)
        if job.stage is not Stage.DRAINING:
            return
        ways: list[ev.Event] = [ev.Stopped(what.job)]
        if self.readings["A34"] == "requeued":
            ways.append(ev.Finish(what.job))
        for way in ways:
            new = state.copy()
            apply(new.queue, way)
            after = new.queue.jobs[what.job]
            if what.stage is Stage.FAILED and after.stage is Stage.RUNNABLE and after.retries is None:
                apply(new.queue, ev.Terminate(what.job))
            if what.stage in (None, after.stage) and what.count in (None, after.preemptions):
                yield new

    def _outside(self, state: Guided, what: Observation) -> Iterator[Guided]:
        """What users, platform and administrator do: it happens, where it can happen."""
        if isinstance(what, Rejected):
            yield state
            return
        event = _event(what)
        if isinstance(event, ev.Submit):
            if event.share not in state.queue.shares:
                raise NotFollowed(f"{event.job} is of share {event.share}, which is not known")
        elif (name := getattr(event, "job", None)) is not None:
            job = _job(state, name)
            if isinstance(event, ev.Finish | ev.Return) and job.stage not in HOLDING:
                return
            ended = isinstance(event, ev.Finish) and not event.failed and job.stage is Stage.DRAINING
            if ended and self.readings["A34"] != "succeeded":
                return
        elif (share := getattr(event, "share", "")) in ("", None) or isinstance(event, ev.CreateShare):
            pass
        elif share not in state.queue.shares:
            raise NotFollowed(f"the share {share} is not known")
        new = state.copy()
        apply(new.queue, event)
        yield new


def force(state: Guided, what: Observation) -> Guided:
    """The observation written down as it is, whatever the reference would have done. Raises NotFollowed."""
    new = state.copy()
    new.pending = frozenset()
    queue, job = (
        new.queue,
        _job(new, getattr(what, "job", "")) if not isinstance(what, Submitted) and hasattr(what, "job") else None,
    )
    match what:
        case Settled() | Rejected() | ev.Misconfigured() | ev.Release():
            pass
        case ev.Dispatch() | Reached():
            assert job is not None
            if job.stage is Stage.RUNNABLE:
                apply(queue, ev.Dispatch(what.job))
            while (
                isinstance(what, Reached)
                and job.stage in (Stage.SCHEDULED, Stage.STARTING)
                and job.stage is not what.stage
            ):
                apply(queue, ev.Advance(what.job))
        case Preempting():
            assert job is not None
            if job.stage in STOPPABLE:
                apply(queue, ev.Claim("", (what.job,), holds=False))
        case ev.Claim():
            apply(queue, replace(what, victims=tuple(v for v in what.victims if _job(new, v).stage in STOPPABLE)))
        case Preempted():
            assert job is not None
            if job.stage in STOPPABLE:
                apply(queue, ev.Claim("", (what.job,), holds=False))
            if job.stage is Stage.DRAINING:
                apply(queue, ev.Stopped(what.job))
            if job.stage is Stage.RUNNABLE and what.stage is Stage.FAILED:
                apply(queue, ev.Terminate(what.job))
            job.preemptions = job.preemptions if what.count is None else what.count
        case _:
            event = _event(what)
            if job is None or job.stage in HOLDING or not isinstance(event, ev.Finish | ev.Return):
                apply(queue, event)
    return new


def _event(what: Observation) -> ev.Event:
    """What happens by users, platform or administrator. Raises NotFollowed."""
    match what:
        case Submitted():
            if what.priority is None:
                raise NotFollowed(f"the priority of {what.job} is not known")
            return ev.Submit(what.job, what.share, what.size, what.priority, what.retries)
        case Retried():
            return ev.Return(what.job)
        case Rejected() | Reached() | Preempting() | Preempted() | Settled():
            raise TypeError(type(what).__name__)
        case _:
            return what


def _job(state: Guided, name: str) -> Job:
    if name not in state.queue.jobs:
        raise NotFollowed(f"the job {name} was not submitted in this history, or has ended")
    return state.queue.jobs[name]
