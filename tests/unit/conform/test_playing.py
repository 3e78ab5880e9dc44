"""Scenarios played in real time, on a cluster that is a few lines in this process and a clock that only sleeping moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pytest
from quotaproof.checker.conform import verdict
from quotaproof.checker.conform.backend import Answer, Declaration, Loss, Report, Unable
from quotaproof.checker.conform.profiles import PROFILES
from quotaproof.checker.conform.real import playing
from quotaproof.checker.conform.real.cluster import Administered, CannotExpress, Lane, Recorded
from quotaproof.checker.conform.real.playing import Patience, played
from quotaproof.checker.conform.real.sandbox import Ended
from quotaproof.checker.conform.verdict import Status
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle, Step
from quotaproof.spec.formats.trace_words import form
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Observation, Preempted, Preempting, Submitted

from tests.support.queues import queue, share

DECLARED = Declaration("few-lines")
STARTS_NOBODY = ("starts nobody", "says nothing", "a machine is down")
PATIENCE = Patience(answer=8.0, step=20.0, scenario=300.0, look=0.25)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(playing, "monotonic", lambda: now[0])
    monkeypatch.setattr(playing, "sleep", sleep)
    return now


@dataclass
class Cluster:
    """One share of `machines`; a round a second, in which the highest priorities start, and stop lower ones."""

    clock: list[float]
    machines: int = 2
    wrong: str = ""
    done: list[Recorded] = field(default_factory=list[Recorded])
    jobs: dict[tuple[Lane, str], ev.Submit] = field(default_factory=dict[tuple[Lane, str], ev.Submit])
    stage: dict[tuple[Lane, str], Stage] = field(default_factory=dict[tuple[Lane, str], Stage])
    together: list[int] = field(default_factory=list[int])
    gone: int = 0
    asked: int = 0
    """How often it was asked whether its machines work."""

    def ready(self, scenarios: Mapping[Lane, Scenario]) -> None:
        self.lanes = list(scenarios)

    def can(self, scenario: Scenario) -> Iterable[Loss]:
        if scenario.name == "too much":
            raise CannotExpress("it is too much")
        return [Loss("a thing", "another")]

    def _say(self, lane: Lane, what: Observation) -> None:
        self.done.append(Recorded(lane, what))

    def submit(self, lane: Lane, steps: Sequence[ev.Submit]) -> None:
        self.together.append(len(steps))
        for s in steps:
            self.jobs[lane, s.job], self.stage[lane, s.job] = s, Stage.RUNNABLE
            if self.wrong != "says nothing":
                self._say(lane, Submitted(s.job, s.share, s.size, s.priority or 0, s.retries))

    def finish(self, lane: Lane, step: ev.Finish) -> None:
        self.let_stop(lane, step.job)

    def terminate(self, lane: Lane, step: ev.Terminate) -> None:
        self.stage[lane, step.job] = Stage.FAILED
        self._say(lane, step)

    def let_stop(self, lane: Lane, job: str) -> None:
        if self.wrong == "never stops":
            return
        drains = self.stage[lane, job] is Stage.DRAINING
        self.stage[lane, job] = Stage.RUNNABLE if drains else Stage.SUCCEEDED
        self._say(lane, Preempted(job, Stage.RUNNABLE) if drains else ev.Finish(job, False))

    def administer(self, lane: Lane, step: Administered) -> None:  # noqa: ARG002
        raise CannotExpress("nobody administers it")

    def recorded(self) -> Iterator[Recorded]:
        if self.wrong == "fails" and self.clock[0] > 1:
            raise Ended("it is gone")
        while self.gone < int(self.clock[0]) and self.wrong != "goes no rounds":
            self.gone += 1
            for lane in self.lanes:
                self._round(lane)
        yield from self.done
        self.done = []

    def _round(self, lane: Lane) -> None:
        def named(*stages: Stage) -> list[str]:
            mine = [j for (where, j), s in self.stage.items() if where == lane and s in stages]
            return sorted(mine, key=lambda j: -(self.jobs[lane, j].priority or 0))

        for job in named(Stage.RUNNABLE) if self.wrong not in STARTS_NOBODY else []:
            if len(named(Stage.RUNNING, Stage.DRAINING)) < self.machines:
                self.stage[lane, job] = Stage.RUNNING
                self._say(lane, ev.Dispatch(job))
                continue
            lower = [
                j
                for j in named(Stage.RUNNING)
                if (self.jobs[lane, j].priority or 0) < (self.jobs[lane, job].priority or 0)
            ]
            if lower and not named(Stage.DRAINING):
                self.stage[lane, lower[-1]] = Stage.DRAINING
                if self.wrong != "stops untold":
                    self._say(lane, Preempting(lower[-1], job))
                else:
                    self.let_stop(lane, lower[-1])
            return

    def rounds(self) -> int:
        return self.gone

    def agrees(self, lane: Lane, holds: Mapping[str, bool]) -> str:
        live = {j: s in (Stage.RUNNING, Stage.DRAINING) for (at, j), s in self.stage.items() if at == lane}
        mine = {j: h for j, h in live.items() if self.stage[lane, j] not in (Stage.SUCCEEDED, Stage.FAILED)}
        return "" if mine == dict(holds) and self.wrong != "disagrees" else f"it says {mine}"

    def unfit(self, lane: Lane) -> str:  # noqa: ARG002
        self.asked += 1
        return self.wrong if self.wrong == "a machine is down" else ""

    def close(self) -> None: ...


def scenario(*steps: Step, name: str = "s") -> Scenario:
    return Scenario(name, "", queue(2, share("a", 2, in_share=True)), steps)


def submit(job: str, priority: int = 0) -> ev.Submit:
    return ev.Submit(job, "a", {"u": 1}, priority, None)


WAITS = scenario(submit("x"), submit("y"), submit("z"), Settle(), ev.Finish("x"), Settle(drains=False))
RECLAIMS = scenario(
    submit("x"), submit("y"), Settle(), submit("high", 3), Settle(drains=False), ev.Stopped("y"), Settle()
)


def played_on(clock: list[float], given: Scenario, wrong: str = "") -> tuple[Answer, verdict.Tested]:
    (answer,) = played(Cluster(clock, wrong=wrong), [given], DECLARED, most=16, patience=PATIENCE)
    return answer, verdict.judged(given, answer, DECLARED)


def words(answer: Answer) -> list[str]:
    return [next(iter(form(what))) for what in answer.seen]


def test_a_trace_is_what_was_recorded_in_its_order(clock: list[float]) -> None:
    answer, told = played_on(clock, WAITS)
    assert words(answer) == [*["submit"] * 3, "dispatch", "dispatch", "settled", "finish", "dispatch", "settled"]
    assert told.status is Status.PASSED
    assert isinstance(answer, Report)
    assert answer.losses == (Loss("a thing", "another"),)


def test_a_victim_stops_when_the_scenario_lets_it(clock: list[float]) -> None:
    answer, told = played_on(clock, RECLAIMS)
    assert words(answer)[4:] == ["settled", "submit", "preempt", "settled", "preempted", "dispatch", "settled"]
    assert told.status is Status.PASSED


def test_a_job_that_ends_while_it_is_told_to_stop_waits_again(clock: list[float]) -> None:
    steps = (submit("x"), submit("y"), Settle(), submit("high", 3), Settle(drains=False), ev.Finish("y"), Settle())
    answer, told = played_on(clock, scenario(*steps))
    assert words(answer)[7:] == ["settled", "retry", "dispatch", "settled"]
    assert told.status is Status.PASSED


def test_jobs_that_follow_each_other_are_submitted_together(clock: list[float]) -> None:
    cluster = Cluster(clock)
    list(played(cluster, [WAITS, RECLAIMS], DECLARED, most=16, patience=PATIENCE))
    assert sorted(cluster.together) == [1, 2, 3]


def test_a_queue_without_waiting_jobs_settles_at_once_and_any_other_after_two_rounds(clock: list[float]) -> None:
    played_on(clock, scenario(submit("x"), Settle()))
    assert clock[0] <= 2.0
    clock[0] = 0.0
    played_on(clock, scenario(submit("x"), submit("y"), submit("z"), Settle()))
    assert 2.5 <= clock[0] <= 4.0


def test_who_is_owed_a_start_is_waited_for_and_then_it_is_a_fault(clock: list[float]) -> None:
    answer, told = played_on(clock, scenario(submit("x"), Settle()), wrong="starts nobody")
    assert words(answer) == ["submit", "settled"]
    assert told.codes == ("G16",)
    assert clock[0] >= PATIENCE.answer


@pytest.mark.parametrize("seconds", [9.0, 30.0])
def test_the_profile_says_how_long_whom_the_scheduler_owes_is_waited_for(
    clock: list[float], monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    monkeypatch.setitem(PROFILES, "slow", replace(PROFILES["lend-borrow"], response=seconds))
    given = scenario(submit("x"), Settle())
    cluster = Cluster(clock, wrong="starts nobody")
    (answer,) = played(cluster, [given], replace(DECLARED, profile="slow"), most=16)
    assert words(answer) == ["submit", "settled"]
    assert seconds <= clock[0] < seconds + 2


@pytest.mark.parametrize(
    ("wrong", "code", "why"),
    [
        ("says nothing", "cluster", "was not recorded in 20 s"),
        ("disagrees", "cluster", "it says"),
        ("never stops", "cluster", "have not stopped"),
        ("goes no rounds", "timed-out", "did not end in 300 s"),
        ("fails", "cluster", "it is gone"),
        ("stops untold", "cluster", "its records contradict each other"),
    ],
)
def test_what_goes_wrong_with_the_cluster_is_an_error_and_no_verdict(
    clock: list[float], wrong: str, code: str, why: str
) -> None:
    given = scenario(submit("x"), submit("y"), Settle(), submit("high", 3), Settle())
    answer, told = played_on(clock, given, wrong)
    assert isinstance(answer, Unable)
    assert (told.status, answer.code) == (Status.ERRORED, code)
    assert why in answer.why


def test_who_is_not_started_because_a_machine_is_down_is_no_fault_of_the_scheduler(clock: list[float]) -> None:
    answer, told = played_on(clock, scenario(submit("x"), Settle()), "a machine is down")
    assert (told.status, told.codes) == (Status.ERRORED, ())
    assert isinstance(answer, Unable)
    assert answer.why == "s: a machine is down"


def test_machines_are_looked_at_only_where_an_answer_is_owed(clock: list[float]) -> None:
    cluster = Cluster(clock)
    list(played(cluster, [WAITS, RECLAIMS], DECLARED, most=16, patience=PATIENCE))
    assert cluster.asked == 0


def test_what_the_scheduler_says_in_the_end_is_compared_also_without_a_settle(clock: list[float]) -> None:
    given = scenario(submit("x"), ev.Finish("x"), submit("y"))
    assert played_on(clock, given)[1].status is Status.PASSED
    answer, told = played_on(clock, given, "disagrees")
    assert told.status is Status.ERRORED
    assert isinstance(answer, Unable)
    assert "it says" in answer.why


def test_a_scenario_that_cannot_be_told_is_skipped_and_the_others_are_played(clock: list[float]) -> None:
    given = [
        scenario(submit("x"), Settle(), name="too much"),
        WAITS,
        scenario(ev.SetCapacity({"u": 1}), Settle()),
        RECLAIMS,
    ]
    answers = list(played(Cluster(clock), given, DECLARED, most=3, patience=PATIENCE))
    told = [verdict.judged(s, a, DECLARED).status for s, a in zip(given, answers, strict=True)]
    assert told == [Status.SKIPPED, Status.PASSED, Status.SKIPPED, Status.PASSED]


@dataclass
class Counting(Cluster):
    """Counts the lanes that it is made for, and those under way that have finished nothing yet."""

    made: list[int] = field(default_factory=list[int])
    open: set[Lane] = field(default_factory=set[Lane])
    at_once: int = 0

    def ready(self, scenarios: Mapping[Lane, Scenario]) -> None:
        self.made.append(len(scenarios))
        self.jobs, self.stage = {}, {}
        super().ready(scenarios)

    def submit(self, lane: Lane, steps: Sequence[ev.Submit]) -> None:
        self.open.add(lane)
        self.at_once = max(self.at_once, len(self.open))
        super().submit(lane, steps)

    def finish(self, lane: Lane, step: ev.Finish) -> None:
        self.open.remove(lane)
        super().finish(lane, step)


def test_a_cluster_has_room_for_more_scenarios_than_are_under_way(clock: list[float]) -> None:
    cluster = Counting(clock)
    given = [replace(WAITS, name=str(n)) for n in range(5)]
    answers = list(played(cluster, given, DECLARED, most=2, room=4, patience=PATIENCE))
    assert [verdict.judged(s, a, DECLARED).status for s, a in zip(given, answers, strict=True)] == [Status.PASSED] * 5
    assert (cluster.made, cluster.at_once) == ([4, 1], 2)
