"""Scenarios played in real time on a cluster, several at once, each in a lane of its own.

A step is done when the scheduler has recorded it. A queue has settled when nobody in it waits, or the scheduler has looked
at all who do since anything was recorded, its own account of who runs is ours, and it owes nobody an answer; whom it does
owe one is waited for once, and then it has settled all the same, if its machines work. Its account is compared again at the
end of a scenario. Trusted: what the cluster records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import takewhile
from time import monotonic, sleep
from typing import cast

from ....spec import events as ev
from ....spec.formats.scenario import Expect, Scenario, Settle, Step
from ....spec.model import Stage
from ....spec.observations import Observation, Preempted, Rejected, Retried, Settled, Submitted
from ...judge.book import HOLDING
from ..backend import Answer, Declaration, Loss, Report, Unable
from ..inputs import NotTheScenario, possible
from ..profiles import AWS_BATCH, asked_of
from ..verdict import Watch
from .cluster import CannotExpress, Cluster, ClusterError, Recorded
from .sandbox import Ended

ROUNDS = 2
"""Rounds of the scheduler that end, and in which nothing happens, until it is at rest: the first may have begun before."""
ANSWER_ROUNDS = 6
"""Rounds that it has for what it owes, however slow the machine is."""


@dataclass(frozen=True)
class Patience:
    """Seconds that real time may take."""

    answer: float = AWS_BATCH.response
    """For what the scheduler owes, and not less than ANSWER_ROUNDS; a profile says it."""
    step: float = 20.0
    """For a step to be recorded."""
    scenario: float = 300.0
    look: float = 0.06
    """Between two looks."""


def played(
    cluster: Cluster,
    scenarios: Sequence[Scenario],
    declared: Declaration,
    *,
    most: int = 16,
    room: int = 0,
    patience: Patience | None = None,
) -> Iterator[Answer]:
    """One answer for each scenario, in their order. A cluster is made for `room` of them that take as long, or for `most`;
    at most `most` are under way on it. Without `patience` the scheduler has the time to answer of its profile.
    """
    patience = patience or Patience(answer=asked_of(declared, "", where=declared.name).response)
    order = in_waves(scenarios)
    answers: dict[int, Answer] = {}
    given = 0
    for first in range(0, len(order), room or most):
        wave = order[first : first + (room or most)]
        together = _Wave(cluster, [scenarios[n] for n in wave], declared, patience, most)
        answers |= zip(wave, together.run(), strict=True)
        while given in answers:
            yield answers.pop(given)
            given += 1


def in_waves(scenarios: Sequence[Scenario]) -> list[int]:
    """The order in which they are played: those together that take as long."""
    return sorted(range(len(scenarios)), key=lambda n: sum(isinstance(s, Settle) for s in scenarios[n].steps))


class _Wave:
    """Scenarios of one cluster; the next begins when one has ended, the longest first."""

    def __init__(
        self, cluster: Cluster, scenarios: Sequence[Scenario], declared: Declaration, patience: Patience, most: int
    ) -> None:
        self._cluster, self._patience, self._most = cluster, patience, most
        self._answers: list[Answer | None] = [None] * len(scenarios)
        self._lanes: dict[str, _Lane] = {}
        self._numbers: dict[str, int] = {}
        for number, scenario in enumerate(scenarios):
            try:
                losses = tuple(cluster.can(scenario))
            except CannotExpress as error:
                self._answers[number] = Unable(str(error), skipped=True)
                continue
            name = f"l{number}"
            self._lanes[name] = _Lane(name, scenario, cluster, declared, patience, losses)
            self._numbers[name] = number

    def run(self) -> list[Answer]:
        try:
            self._play()
        except (ClusterError, Ended, OSError) as error:
            for name, lane in self._lanes.items():
                self._answers[self._numbers[name]] = lane.unable(str(error))
        return [answer for answer in self._answers if answer is not None]

    def _play(self) -> None:
        if not self._lanes:
            return
        self._cluster.ready({name: lane.scenario for name, lane in self._lanes.items()})
        begun: dict[str, _Lane] = {}
        while self._lanes:
            for name in list(reversed(self._lanes)):
                if name not in begun and len(begun) < self._most:
                    begun[name] = self._lanes[name]
                    begun[name].begin()
            since = monotonic()
            for recorded in self._cluster.recorded():
                if recorded.lane in self._lanes:
                    self._lanes[recorded.lane].take(recorded)
            rounds = cache(self._cluster.rounds)
            for name, lane in list(begun.items()):
                answer = lane.go_on(rounds)
                if answer is not None:
                    self._answers[self._numbers[name]] = answer
                    del self._lanes[name], begun[name]
            if not any(lane.acted > since for lane in begun.values()):
                sleep(self._patience.look)


@dataclass
class _Lane:
    """One scenario under way."""

    name: str
    scenario: Scenario
    cluster: Cluster
    declared: Declaration
    patience: Patience
    losses: Sequence[Loss]
    seen: list[Observation] = field(default_factory=list[Observation])
    lenders: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self._watch = Watch(self.scenario, self.declared)
        self._book = self._watch.book
        self._steps = [s for s in self.scenario.steps if not isinstance(s, Expect)]
        self._at = 0
        self._awaited: list[Step] = []
        """Steps that were done and are not recorded yet."""
        self._let = set[str]()
        """Victims that were let stop and have not yet."""
        self._fault: tuple[str, str] | None = None
        """Why what was recorded is no evidence, and the code of the failure class."""

    def begin(self) -> None:
        self._start = monotonic()
        self._acted()

    def _acted(self) -> None:
        """Something was done or recorded."""
        self._since, self._rounds = monotonic(), None

    @property
    def acted(self) -> float:
        """When something was done or recorded last."""
        return self._since

    _rounds: int | None = None
    """The scheduler's rounds at the first look after that."""

    def take(self, recorded: Recorded) -> None:
        """Something was recorded."""
        what, awaited = recorded.what, self._awaited[0] if self._awaited else None
        if isinstance(what, Preempted):
            self._let.discard(what.job)
            if isinstance(awaited, ev.Finish) and awaited.job == what.job:
                what = Retried(what.job)
            elif what.job in self._book.jobs:
                what = replace(what, count=self._book.job(what.job).preemptions + 1)
        try:
            self._see(what, recorded.lender)
        except NotTheScenario as error:
            self._fault = str(error), "not-the-scenario"
        self._acted()
        if awaited is not None and _is(awaited, what):
            del self._awaited[0]

    def _see(self, what: Observation, lender: str = "") -> None:
        before = len(self._watch.broken)
        self._watch.take(what, lender)
        impossible = next((b for b in self._watch.broken[before:] if b.impossible), None)
        if impossible is not None:
            self._fault = f"its records contradict each other: {impossible.violation.sentence}", "cluster"
            return
        self.seen.append(what)
        if isinstance(what, ev.Dispatch):
            self.lenders.append(lender)

    def unable(self, why: str, code: str = "cluster", *, skipped: bool = False) -> Unable:
        return Unable(why, skipped=skipped, code=code, seen=tuple(self.seen), lenders=tuple(self.lenders))

    def go_on(self, rounds: Callable[[], int]) -> Answer | None:
        """Do what can be done now; the answer at the end. Raises ClusterError."""
        if self._fault:
            return self.unable(*self._fault)
        if monotonic() - self._start > self.patience.scenario:
            return self.unable(f"it did not end in {self.patience.scenario:.0f} s", "timed-out")
        if self._awaited:
            if monotonic() - self._since > self.patience.step:
                raise ClusterError(f"{_named(self._awaited[0])} was not recorded in {self.patience.step:.0f} s")
            return None
        while self._at < len(self._steps):
            step = self._steps[self._at]
            if isinstance(step, Settle):
                if not self._settled(step, rounds):
                    return None
            elif possible(self._book, step):
                self._acted()
                try:
                    self._do(step)
                except CannotExpress as error:
                    return self.unable(str(error), "", skipped=True)
                return None
            self._at += 1
        if difference := self._difference():
            self._waited(self.patience.step, difference)
            return None
        return Report(tuple(self.seen), tuple(self.lenders), self.losses)

    def _do(self, step: Step) -> None:
        """Do a step, and with a submission those that follow it."""
        together: list[Step] = [step]
        if isinstance(step, ev.Submit):
            together += takewhile(lambda s: isinstance(s, ev.Submit), self._steps[self._at + 1 :])
        self._at += len(together)
        self._awaited = together
        match step:
            case ev.Submit():
                self.cluster.submit(self.name, [s for s in together if isinstance(s, ev.Submit)])
            case ev.Finish():
                self.cluster.finish(self.name, step)
            case ev.Terminate():
                self.cluster.terminate(self.name, step)
            case ev.Stopped():
                self._let.add(step.job)
                self.cluster.let_stop(self.name, step.job)
            case _:
                self.cluster.administer(self.name, step)  # type: ignore[arg-type]

    def _settled(self, settle: Settle, rounds: Callable[[], int]) -> bool:
        """Whether all is settled now; victims are let stop where they may. Raises ClusterError."""
        if settle.drains:
            for job in [j.name for j in self._book.draining() if j.name not in self._let]:
                self._let.add(job)
                self._acted()
                self.cluster.let_stop(self.name, job)
        if settle.drains and any(self._book.draining()):
            return self._waited(self.patience.step, "victims that were let stop have not stopped")
        if any(job.stage is Stage.RUNNABLE for job in self._book.jobs.values()):
            if self._rounds is None:
                self._rounds = rounds()
            passed = rounds() - self._rounds
            if passed < ROUNDS:
                return self._waited(self.patience.scenario, "the scheduler goes no rounds")
            patient = passed >= ANSWER_ROUNDS and monotonic() - self._since >= self.patience.answer
            owed = self._watch.owed()
            if owed and not patient and owed not in [b.violation for b in self._watch.broken]:
                return False
            if owed and (unfit := self.cluster.unfit(self.name)):
                raise ClusterError(f"{self.scenario.name}: {unfit}")
        if difference := self._difference():
            return self._waited(self.patience.step, difference)
        self._see(Settled())
        self._acted()
        return True

    def _difference(self) -> str:
        """Between the scheduler's own account of who runs and ours."""
        holds = {j.name: j.stage in HOLDING for j in self._book.jobs.values() if j.stage in (*HOLDING, Stage.RUNNABLE)}
        return self.cluster.agrees(self.name, holds)

    def _waited(self, seconds: float, why: str) -> bool:
        """Not yet. Raises ClusterError when nothing has happened for too long."""
        if monotonic() - self._since > seconds:
            raise ClusterError(f"{self.scenario.name}: {why}, for {seconds:.0f} s")
        return False


def _named(step: Step) -> str:
    return ev.describe(cast("ev.Event", step))


def _is(step: Step, what: Observation) -> bool:
    """Whether what was recorded is that the step was done."""
    match step:
        case ev.Submit():
            return isinstance(what, Submitted | Rejected) and what.job == step.job
        case ev.Finish():
            return isinstance(what, ev.Finish | Retried) and what.job == step.job
        case ev.Stopped():
            return isinstance(what, Preempted) and what.job == step.job
        case ev.Terminate():
            return isinstance(what, ev.Terminate) and what.job == step.job
        case _:
            return step == what
