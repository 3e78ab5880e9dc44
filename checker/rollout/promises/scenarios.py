"""From a state that breaks a promise to a scenario that shows it: who starts what, the step that shows it, an expectation.

Shares above their limits start first, then owners, each one job a unit: an order in which every start is allowed. The
last step expects what breaks the promise and names it. Every scenario is played before it is given out: each expectation
met, no rule broken; one that does not show what it says is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....spec import events as ev
from ....spec.formats.scenario import Expect, Scenario, Settle, Step
from ....spec.model import QueueConfig, ServiceEnvironment, State
from ....spec.readings import Readings
from ....spec.rules.view import Share, Unit
from ...witness.play import play
from .envelope import Reached

MOST_STEPS = 200
"""A scenario with more steps is not played, and so not shown."""


@dataclass(frozen=True)
class Stage:
    """A configuration on which scenarios about a promise are played."""

    config: QueueConfig
    readings: Readings
    code: str
    """Of the promise."""
    says: str

    def waits(self, found: Reached, *, drains: bool, because: str, whole: bool = False) -> Scenario | None:
        """The job that is asked for still waits when scheduler and, with `drains`, the platform have done what they can.
        `whole`: what a share uses is one job."""
        jobs, asked = self._whole(found) if whole else self._jobs(found), self._asked(found)
        steps = (*self._starts(jobs, asked), Settle(drains=drains))
        return self._shown((*steps, Expect(runnable=tuple(j.job for j in asked), why=self._why(because))))

    def holds(self, found: Reached, because: str) -> Scenario | None:
        """So much is held."""
        used: dict[str, dict[str, int]] = {}
        for (share, unit), n in found.usage.items():
            used.setdefault(share, {})[unit] = n
        return self._shown((*self._starts(self._jobs(found)), Expect(usage=used, why=self._why(because))))

    def loses(self, found: Reached, victim: Share, because: str) -> Scenario | None:
        """A job of the victim is told to stop for the job that is asked for."""
        jobs, asked = self._jobs(found), self._asked(found)
        stopped = tuple(j.job for j in jobs if j.share == victim)
        if asked and asked[0].share == victim:
            asked = [replace(j, priority=1) for j in asked]
        ways: list[Step] = [Settle(drains=False)]
        ways += [ev.Claim(asked[0].job, stopped)] if asked else []  # where others could be stopped as well (A26)
        start, end = self._starts(jobs, asked), Expect(preempted=stopped, why=self._why(because))
        return next((made for way in ways if (made := self._shown((*start, way, end)))), None)

    def loses_label(self, found: Reached, victim: Share, because: str) -> Scenario | None:
        """The victim's own job ends, and the one that it ran on a loan is stopped although it fits the limit (A13 a)."""
        (unit,) = {unit for share, unit in found.usage if share == victim}
        limit = next(s.limits[unit] for s in self.config.shares if s.name == victim)
        own, loan = (ev.Submit(f"{victim}-{name}", victim, {unit: n}) for name, n in (("own", limit), ("loan", 1)))
        others = [j for j in self._jobs(found) if j.share != victim]
        if found.usage[victim, unit] > 1:
            others.append(ev.Submit(f"{victim}-more", victim, {unit: found.usage[victim, unit] - 1}))
        busy = self._starts([replace(j, priority=1) for j in others], self._asked(found))
        steps = (*self._starts((own, loan)), ev.Finish(own.job), *busy, Settle(drains=False))
        return self._shown((*steps, Expect(preempted=(loan.job,), why=self._why(because))))

    def _why(self, because: str) -> str:
        return f"{self.code}: {because}"

    def _jobs(self, found: Reached) -> list[ev.Submit]:
        """One job for each share and unit in use; those of shares above their limits, which borrow, first."""
        limits = {s.name: s.limits for s in self.config.shares}
        jobs: list[tuple[bool, ev.Submit]] = []
        for (share, unit), n in found.usage.items():
            own = n <= limits[share].get(unit, 0)
            name = f"{share}-{'own' if own else 'loan'}"
            number = sum(j.job.startswith(name) for _, j in jobs)
            jobs.append((own, ev.Submit(f"{name}-{number + 1}" if number else name, share, {unit: n})))
        return [job for _, job in sorted(jobs, key=lambda j: j[0])]

    def _whole(self, found: Reached) -> list[ev.Submit]:
        """One job for each share."""
        made: dict[Share, ev.Submit] = {}
        for job in self._jobs(found):
            first = made.setdefault(job.share, job)
            made[job.share] = replace(first, size={**first.size, **job.size})
        return list(made.values())

    def _asked(self, found: Reached) -> list[ev.Submit]:
        sizes: dict[Share, dict[Unit, int]] = {}
        for (share, unit), n in found.asks.items():
            sizes.setdefault(share, {})[unit] = n
        return [ev.Submit(f"{share}-job", share, size) for share, size in sizes.items()]

    def _starts(self, jobs: Sequence[ev.Submit], asked: Sequence[ev.Submit] = ()) -> list[Step]:
        """Each job submitted and started, then what is asked for; all submitted first where a share is DISABLED."""
        off = self._disabled({j.share for j in (*jobs, *asked)})
        if off:
            return [*jobs, *asked, *off, *[ev.Dispatch(j.job) for j in jobs]]
        return [*[step for j in jobs for step in (j, ev.Dispatch(j.job))], *asked]

    def _disabled(self, shares: set[Share]) -> list[Step]:
        """What is DISABLED here, as steps: a DISABLED share takes no jobs, and those that it has may run (A46)."""
        steps: list[Step] = [
            ev.SetShareState(s.name, State.DISABLED)
            for s in self.config.shares
            if s.name in shares and s.state is State.DISABLED
        ]
        if self.config.environment.state is State.DISABLED:
            steps.append(ev.SetEnvironmentState(State.DISABLED))
        return steps

    def _shown(self, steps: Sequence[Step]) -> Scenario | None:
        if len(steps) > MOST_STEPS:
            return None
        made = Scenario(
            f"promise-{self.code}", self.says, self._before(steps), tuple(steps), self.readings, promise=self.code
        )
        played = play(made)
        return None if played.wrong or played.violations or played.unusable else made

    def _before(self, steps: Sequence[Step]) -> QueueConfig:
        """The configuration before what its own steps switch off."""
        off = {s.share for s in steps if isinstance(s, ev.SetShareState)}
        shares = tuple(
            s.model_copy(update={"state": State.ENABLED}) if s.name in off else s for s in self.config.shares
        )
        environment: ServiceEnvironment = self.config.environment
        if environment.state is State.DISABLED:
            environment = environment.model_copy(update={"state": State.ENABLED})
        return self.config.model_copy(update={"shares": shares, "environment": environment})
