"""Scenarios played in real time on a cluster, several at once, each in a lane of its own.

A step is done when the scheduler has recorded it. A queue has settled when the scheduler has looked at everything that waits
twice since anything was recorded, its own account of who runs is ours, and it owes nobody an answer; whom it does owe one
is waited for as long as the profile allows, and then it has settled all the same. Trusted: what the cluster records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic, sleep

from ....spec import events as ev
from ....spec.formats.scenario import Expect, Scenario, Settle, Step
from ....spec.model import Stage
from ....spec.observations import Observation, Preempted, Rejected, Retried, Settled, Submitted
from ....spec.readings import Readings
from ...judge.book import HOLDING, Book
from ...judge.observe import begun, look, record
from ..backend import Answer, Declaration, Loss, Report, Unable
from ..inputs import possible
from .cluster import CannotExpress, Cluster, ClusterError, Recorded
from .sandbox import Ended

ROUNDS = 2
"""Rounds of the scheduler in which nothing happens until it is at rest: the first may have begun before."""


@dataclass(frozen=True)
class Patience:
    """Seconds that real time may take."""

    answer: float = 15.0
    """For what the scheduler owes: an owner its machines, a head that fits its start."""
    step: float = 20.0
    """For a step to be recorded."""
    scenario: float = 300.0
    look: float = 0.05
    """Between two looks."""


def played(
    cluster: Cluster,
    scenarios: Sequence[Scenario],
    declared: Declaration,
    *,
    most: int = 16,
    patience: Patience | None = None,
) -> Iterator[Answer]:
    """One answer for each scenario, in their order; at most `most` are under way."""
    for first in range(0, len(scenarios), most):
        yield from _Wave(cluster, scenarios[first : first + most], declared, patience or Patience()).run()


class _Wave:
    """Scenarios that begin together."""

    def __init__(
        self, cluster: Cluster, scenarios: Sequence[Scenario], declared: Declaration, patience: Patience
    ) -> None:
        self._cluster, self._patience = cluster, patience
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
        except (ClusterError, Ended) as error:
            for name, lane in self._lanes.items():
                self._answers[self._numbers[name]] = Unable(str(error), code="cluster", seen=tuple(lane.seen),
                                                            lenders=tuple(lane.lenders))  # fmt: skip
        return [answer for answer in self._answers if answer is not None]

    def _play(self) -> None:
        if not self._lanes:
            return
        self._cluster.ready({name: lane.scenario for name, lane in self._lanes.items()})
        for lane in self._lanes.values():
            lane.begin()
        while self._lanes:
            for recorded in self._cluster.recorded():
                if recorded.lane in self._lanes:
                    self._lanes[recorded.lane].take(recorded)
            rounds = self._cluster.rounds()
            for name, lane in list(self._lanes.items()):
                answer = lane.go_on(rounds)
                if answer is not None:
                    self._answers[self._numbers[name]] = answer
                    del self._lanes[name]
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
        readings = Readings().assuming(self.declared.choices)
        self._book = Book(self.scenario.config, readings, claims_known=False, stages_known=True)
        self._steps = [s for s in self.scenario.steps if not isinstance(s, Expect)]
        self._at = 0
        self._awaited: Step | None = None
        """A step that was done and is not recorded yet."""
        self._ending: set[str] = set()
        """Victims that were asked to end by themselves."""
        self._let = set[str]()
        self._rounds = 0

    def begin(self) -> None:
        self._start = self._since = monotonic()

    def take(self, recorded: Recorded) -> None:
        """Something was recorded."""
        what = recorded.what
        if isinstance(what, Preempted):
            self._let.discard(what.job)
            if what.job in self._ending:
                self._ending.discard(what.job)
                what = Retried(what.job)
            else:
                what = replace(what, count=self._book.job(what.job).preemptions + 1)
        if isinstance(what, ev.Dispatch):
            self.lenders.append(recorded.lender)
        broken = look(self._book, what, Counter())
        (begun if broken and broken.code in ("G10", "G12") else record)(self._book, what)
        self.seen.append(what)
        self._since, self._rounds = monotonic(), -1
        if self._awaited is not None and _is(self._awaited, what):
            self._awaited = None

    def go_on(self, rounds: int) -> Answer | None:
        """Do what can be done now; the answer at the end."""
        if self._rounds < 0:
            self._rounds = rounds
        if monotonic() - self._start > self.patience.scenario:
            return Unable(f"it did not end in {self.patience.scenario:.0f} s", code="timed-out",
                          seen=tuple(self.seen), lenders=tuple(self.lenders))  # fmt: skip
        if self._awaited is not None:
            if monotonic() - self._since > self.patience.step:
                raise ClusterError(f"{ev.describe(self._awaited)} was not recorded in {self.patience.step:.0f} s")  # type: ignore[arg-type]
            return None
        while self._at < len(self._steps):
            step = self._steps[self._at]
            if isinstance(step, Settle):
                if not self._settled(step, rounds):
                    return None
            elif possible(self._book, step):
                self._at += 1
                self._since, self._rounds = monotonic(), -1
                self._do(step)
                return None
            self._at += 1
        return Report(tuple(self.seen), tuple(self.lenders), self.losses)

    def _do(self, step: Step) -> None:
        self._awaited = step
        match step:
            case ev.Submit():
                self.cluster.submit(self.name, step)
            case ev.Finish():
                if self._book.job(step.job).stage is Stage.DRAINING:
                    self._ending.add(step.job)
                self.cluster.finish(self.name, step)
            case ev.Terminate():
                self.cluster.terminate(self.name, step)
            case ev.Stopped():
                self._let.add(step.job)
                self.cluster.let_stop(self.name, step.job)
            case _:
                self.cluster.administer(self.name, step)  # type: ignore[arg-type]

    def _settled(self, settle: Settle, rounds: int) -> bool:
        """Whether all is settled now; victims are let stop where they may."""
        if settle.drains:
            for job in [j.name for j in self._book.draining() if j.name not in self._let]:
                self._let.add(job)
                self._since, self._rounds = monotonic(), -1
                self.cluster.let_stop(self.name, job)
        if self._rounds < 0 or rounds < self._rounds + ROUNDS:
            return False
        waited = monotonic() - self._since
        owes = look(self._book, Settled(), Counter()) is not None or (settle.drains and any(self._book.draining()))
        if owes and waited < self.patience.answer:
            return False
        holds = {j.name: j.stage in HOLDING for j in self._book.jobs.values() if j.stage in (*HOLDING, Stage.RUNNABLE)}
        if difference := self.cluster.agrees(self.name, holds):
            if waited < self.patience.step:
                return False
            raise ClusterError(f"{self.scenario.name}: {difference}")
        self.seen.append(Settled())
        self._since, self._rounds = monotonic(), -1
        return True


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
