"""The reference scheduler as a backend, and with it every scheduler that is the reference with something changed.

Trusted: nothing; what it reports is judged like any other trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...reference.apply import apply
from ...reference.decide import decide as obey
from ...reference.policy import Policy
from ...reference.queue import Queue
from ...reference.run import GoesRound, platform_step, until_rest
from ...spec import events as ev
from ...spec.formats.scenario import Expect, Scenario, Settle, Step
from ...spec.model import ENDED, HOLDING, QueueConfig, Stage
from ...spec.observations import Observation, Rejected, Retried, Settled, shown
from ...spec.readings import Readings
from .backend import Answer, Declaration, Report, Unable

Decide = Callable[[Queue, Policy], ev.SchedulerEvent | None]
Platform = Callable[[Queue], ev.Event | None]
_UNSEEN = 200
"""Steps of one settle before states are compared, which costs more than the steps."""
_MOST = 1_000
"""Steps of one settle: whoever has not come to rest by then never does, though no state comes back."""


@dataclass(frozen=True)
class Reference:
    """The reference; another `decide`, another kind of `Queue` or another policy makes it another scheduler."""

    name: str = "reference"
    choices: Mapping[str, str] = field(default_factory=dict[str, str])
    decide: Decide = obey
    queue: Callable[[QueueConfig, Readings], Queue] = Queue
    policy: Callable[[Readings], Policy] = Policy.of
    platform: Platform = platform_step

    def declare(self) -> Declaration:
        return Declaration(self.name, claims=True, choices=self.choices)

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        for scenario in scenarios:
            session, seen = Session(self, scenario.config), list[Observation]()
            try:
                for step in scenario.steps:
                    seen.extend(session.do(step))
            except GoesRound as error:
                yield Unable(f"it goes round: {error}", code="never-settles", seen=seen)
            else:
                yield Report(seen)

    def close(self) -> None:
        """There is nothing to end."""


class Session:
    """One queue of a `Reference`, told one step at a time."""

    def __init__(self, backend: Reference, config: QueueConfig) -> None:
        self.readings = Readings().assuming(backend.choices)
        self.backend = backend
        self.queue = backend.queue(config, self.readings)
        self.policy = backend.policy(self.readings)

    def do(self, step: Step) -> Iterator[Observation]:
        """What happens because of a step, the step itself first; nothing for one that is impossible now."""
        if isinstance(step, Expect):
            return
        if isinstance(step, Settle):
            last: ev.Event | None = None
            steps = until_rest(self.queue, lambda: self._next(step.drains), unseen=_UNSEEN)
            for number, event in enumerate(steps):
                if number == _MOST:
                    raise GoesRound(f"no rest after {_MOST} steps")
                if last is not None:
                    yield from seen_of(self.queue, last)
                last = event
            if last is not None:
                yield from seen_of(self.queue, last)
            yield Settled()
        elif isinstance(step, ev.Submit) and (why := self._refused(step)):
            yield Rejected(step.job, step.share, why)
        elif possible(self.queue, step):
            apply(self.queue, step)
            yield from seen_of(self.queue, step)

    def _next(self, drains: bool) -> ev.Event | None:
        return self.backend.decide(self.queue, self.policy) or (self.backend.platform(self.queue) if drains else None)

    def _refused(self, event: ev.Submit) -> str:
        share = self.queue.shares.get(event.share)
        if share is None:
            return f"there is no share {event.share}"
        if not share.enabled or not self.queue.queue_enabled:
            return f"the {'queue' if share.enabled else 'share'} is DISABLED"
        return ""


def seen_of(queue: Queue, event: ev.Event) -> Iterator[Observation]:
    """What is seen of an event that was applied last, by what the scheduler's queue says of the job."""
    job = queue.jobs.get(getattr(event, "job", ""))
    if isinstance(event, ev.Finish) and job and job.stage not in ENDED:
        yield Retried(job.name)
    elif isinstance(event, ev.Finish) and job:
        yield ev.Finish(job.name, failed=job.stage is Stage.FAILED)
    else:
        yield from shown(event, queue.jobs)


def possible(queue: Queue, event: ev.Event) -> bool:
    """Whether users, the platform or an administrator can do this as things stand."""
    match event:
        case ev.Submit():
            return event.share in queue.shares
        case ev.CreateShare():
            return event.share.name not in queue.shares
        case ev.SetPriority() | ev.Terminate():
            return _stage(queue, event.job) not in (None, *ENDED)
        case ev.Advance():
            return _stage(queue, event.job) in (Stage.SCHEDULED, Stage.STARTING)
        case ev.Finish():
            return _stage(queue, event.job) in HOLDING
        case ev.Return():
            return _stage(queue, event.job) is Stage.SCHEDULED
        case ev.Stopped():
            return _stage(queue, event.job) is Stage.DRAINING
        case ev.SetCapacity() | ev.SetEnvironmentState() | ev.SetQueueState():
            return True
        case ev.SetLimits() | ev.SetSharing() | ev.SetInShare() | ev.SetShareState() | ev.DeleteShare():
            return event.share in queue.shares
        case _:
            return False


def _stage(queue: Queue, job: str) -> Stage | None:
    found = queue.jobs.get(job)
    return found.stage if found else None
