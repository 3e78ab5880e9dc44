"""A scheduler in real time: what fails is run again before it counts, in lanes; what fails once is a flake."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from quotaproof.checker.conform import opening
from quotaproof.checker.conform.backend import Unable
from quotaproof.checker.conform.batch import Batch, Once, Untold, Work, tried
from quotaproof.checker.conform.campaign import Enough, Merged, Plan, campaign
from quotaproof.checker.conform.conform import Asked, conform
from quotaproof.checker.conform.distinct import Effort, distinct
from quotaproof.checker.conform.drawing import LONGEST, drawn
from quotaproof.checker.conform.executors import usual, workers
from quotaproof.checker.conform.journal import Journal
from quotaproof.checker.conform.one_queue import OneQueue
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.repeat import AGAIN, sure, surely
from quotaproof.checker.conform.retry import retried
from quotaproof.checker.conform.shrink import shrink, shrink_by
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.conformed import Again, Tried
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.outcome import Word, outcome
from quotaproof.checker.results import Result, Verdict, Verification

from ...support.wrong import WRONG
from ...support.wrong.kills import killing

LANES = 4
NAME = "never-reclaims"
CODE = WRONG[NAME].code


class RealTime:
    """Wrong in those runs of a scenario for which `wrong` is true, counted from 0."""

    def __init__(self, wrong):
        self.wrong, self.runs, self.calls = wrong, {}, []
        self.right, self.bad = Reference(), WRONG[NAME].backend()
        self.declared = replace(self.bad.declare(), name="real", lanes=LANES)

    def declare(self):
        return self.declared

    def run(self, scenarios):
        self.calls.append(len(scenarios))
        for scenario in scenarios:
            mark = repr((scenario.config, scenario.steps))
            number = self.runs.get(mark, 0)
            self.runs[mark] = number + 1
            backend = self.bad if self.wrong(number) else self.right
            yield from backend.run([scenario])

    def close(self):
        pass


@pytest.fixture(scope="module")
def scenario():
    return next(s for _, s in killing(NAME) if CODE in judged_by(RealTime(lambda _: True), s).codes)


def judged_by(backend, scenario):
    return judged(scenario, next(iter(backend.run([scenario]))), backend.declare())


def believed(backend, scenario):
    first = judged_by(backend, scenario)
    backend.calls.clear()
    return sure(backend, backend.declare(), [first])[0]


def test_what_fails_twice_is_a_failure_after_one_run_more(scenario):
    backend = RealTime(lambda _: True)
    tested = believed(backend, scenario)
    assert (tested.status, tested.flakes, backend.calls) == (Status.FAILED, (), [1])
    assert CODE in tested.codes


def test_what_fails_once_is_a_flake_that_says_where_the_runs_part(scenario):
    backend = RealTime(lambda number: number == 0)
    tested = believed(backend, scenario)
    assert (tested.status, tested.broken, backend.calls) == (Status.FLAKY, (), [1, AGAIN - 1])
    why = next(f.why for f in tested.flakes if f.code == CODE)
    assert why.startswith(f"broken in 1 of {1 + AGAIN} runs: ")
    assert "A run that kept it parts from this one at observation " in why


def test_what_fails_the_first_and_the_last_time_is_a_failure(scenario):
    assert believed(RealTime(lambda number: number in (0, AGAIN)), scenario).status is Status.FAILED


def test_what_passes_is_not_run_again_nor_is_anything_on_a_scheduler_that_repeats_itself(scenario):
    right = RealTime(lambda _: False)
    assert (believed(right, scenario).status, right.calls) == (Status.PASSED, [])
    wrong = RealTime(lambda _: True)
    wrong.declared = replace(wrong.declared, lanes=0)
    assert (believed(wrong, scenario).status, wrong.calls) == (Status.FAILED, [])


def test_one_failure_is_played_in_lanes_and_found_though_most_runs_pass(scenario):
    backend = RealTime(lambda number: number in (1, 3))
    assert surely(backend, backend.declare(), scenario).status is Status.FAILED
    assert backend.calls == [1 + AGAIN]


def test_a_kept_failure_is_fixed_only_when_every_run_passes(scenario, monkeypatch):
    for wrong, status in ((lambda n: n in (2, 3), Status.FAILED), (lambda n: n == 4, Status.FLAKY),
                          (lambda _: False, Status.PASSED)):  # fmt: skip
        monkeypatch.setattr("quotaproof.checker.conform.retry.opened", lambda _, w=wrong, **__: RealTime(w))
        assert retried(scenario, "real").tested.status is status


def test_shrinking_in_lanes_comes_to_the_same_in_fewer_rounds(scenario):
    rounds = []

    def still(many):
        rounds.append(len(many))
        return [CODE in judged_by(RealTime(lambda _: True), s).codes for s in many]

    small = shrink_by(scenario, still, tries=600, width=16)
    one_by_one = []

    def alone(s):
        one_by_one.append(s)
        return still([s])[0]

    in_lanes = len(rounds)
    assert small == shrink(scenario, alone, tries=600)
    assert max(rounds) == 16
    assert in_lanes * 3 < len(one_by_one)


def test_a_failure_is_shrunk_in_lanes_and_a_small_one_that_is_not_seen_again_counts_for_nothing(scenario):
    backend = RealTime(lambda _: True)
    (kept,) = distinct(backend, backend.declare(), CODE, [scenario])
    assert len(kept.scenario.steps) < len(scenario.steps)
    assert set(backend.calls[1:-1]) <= set(range(1, LANES + 1))
    whole = RealTime(lambda _: True)
    whole.wrong = lambda number: number == 0 or len(whole.calls) == 1
    (same,) = distinct(whole, whole.declare(), CODE, [scenario])
    assert same.scenario.steps == scenario.steps


def test_rows_of_a_campaign_fill_the_lanes_and_flakes_survive_the_journal(tmp_path):
    backend = RealTime(lambda number: number == 0)
    plan = Plan("real", "", "aws-batch", 3, lanes=LANES)
    with workers(usual(backend.declare())) as pool:
        journal = Journal(tmp_path / "j", plan.header(), resume=False)
        got = campaign(plan, pool, journal, Enough(examples=6 * LANES), started=backend)
        journal.close()
        assert got.tried == 6 * LANES
        assert backend.calls[0] == LANES
        assert got.flakes
        assert got.statuses["FLAKY"] == len({f.number for f in got.flakes})
        assert not got.broken
        again = Journal(tmp_path / "j", plan.header(), resume=True)
        resumed = campaign(plan, pool, again, Enough(examples=6 * LANES), started=RealTime(lambda _: True))
        again.close()
    assert replace(resumed, seconds=0.0, resumed=0) == replace(got, seconds=0.0)


def test_a_row_that_would_begin_too_late_is_not_begun():
    backend = RealTime(lambda _: False)
    batch = tried(Work("real", 0, 0, 0, LANES, until=1.0), backend)
    assert (batch, backend.calls) == (Batch(0, 0), [])


def test_a_run_with_a_flake_is_undecided_and_explains_it(scenario, monkeypatch, tmp_path):
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: (scenario,))
    monkeypatch.setattr(opening, "opened", lambda _, **__: RealTime(lambda number: number == 0))
    events = list(conform(Asked("real", enough=Enough(examples=0), out=tmp_path)))
    told = [e for e in events if isinstance(e, Result)]
    flake = next(r for r in told if r.code == "FLAKE" and r.because.startswith(CODE))
    assert (flake.verdict, flake.subject) == (Verdict.UNKNOWN, scenario.name)
    promise = next(r for r in told if r.code == CODE)
    assert promise.because == "1 scenario breaks it in one run and not in others"
    assert outcome(Verification.of(events), Options()).word is Word.UNKNOWN


def test_a_run_says_what_is_under_way_and_one_cluster_does_all_of_it(scenario, monkeypatch, tmp_path):
    made = []

    def opened(_, **__):
        made.append(RealTime(lambda _: True))
        return made[-1]

    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: (scenario, scenario))
    monkeypatch.setattr(opening, "opened", opened)
    monkeypatch.setattr("quotaproof.checker.conform.distinct.IN_REAL_TIME", Effort(most=1, tries=8, seconds=150))
    told = []
    list(conform(Asked("real", enough=Enough(examples=LANES), out=tmp_path), doing=lambda *said: told.append(said)))
    assert told[:4] == [("corpus", "2 scenarios to play"), ("corpus", "1 of 2 played"), ("corpus", "2 of 2 played"),
                        ("corpus", "2 of 2 failed and are played again")]  # fmt: skip
    assert [far for phase, far in told if phase == "campaign"][-1] == f"{LANES} generated scenarios played"
    assert (f"shrinking {CODE}", "failure 1 of 1, at most 150 s") in told
    assert len(made) == 1


def test_a_scheduler_that_is_fast_has_nothing_to_say_of_what_is_under_way(scenario, monkeypatch, tmp_path):
    backend = RealTime(lambda _: True)
    backend.declared = replace(backend.declared, lanes=0)
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: (scenario,))
    monkeypatch.setattr(opening, "opened", lambda _, **__: backend)
    told = []
    list(conform(Asked("fast", enough=Enough(examples=0), out=tmp_path), doing=lambda *said: told.append(said)))
    assert told == []


def test_a_queue_that_cannot_be_told_is_told_with_the_reason_and_nothing_else_is_run(scenario, monkeypatch, tmp_path):
    backend = RealTime(lambda _: True)
    backend.run = lambda _: iter([Unable("320 machines: a pool is kept to 160", skipped=True)])
    monkeypatch.setattr(opening, "opened", lambda _, **__: backend)
    only = OneQueue("queue.json", scenario.config)
    events = list(conform(Asked("real", enough=Enough(examples=4), out=tmp_path, only=only)))
    first, *others = [e for e in events if isinstance(e, Result)]
    assert first.because == "the queue of queue.json cannot be told to real: 320 machines: a pool is kept to 160"
    assert first.more[0].startswith("Fix: ")
    assert [r.code for r in others] == ["PROFILE"]
    assert not any(isinstance(e, Again | Tried) for e in events)


def test_what_is_drawn_for_real_time_is_short():
    declared = RealTime(lambda _: True).declare()
    assert max(len(drawn(0, n, declared).steps) for n in range(60)) == LONGEST
    assert max(len(drawn(0, n, replace(declared, lanes=0)).steps) for n in range(60)) > LONGEST


def test_what_was_not_told_is_counted_over_rows_with_the_first_scenario():
    rows = [
        Batch(0, 4, losses=(Untold("order", "its own", 2, 3),)),
        Batch(1, 4, losses=(Untold("order", "its own", 5),)),
    ]
    rows = {row.number: Batch.read(json.loads(json.dumps(row.form()))) for row in rows}
    assert Merged.of(rows, size=4).losses == (Untold("order", "its own", 2, 4),)


def test_rows_of_any_size_are_numbered_from_the_first():
    assert Merged.of({2: Batch(2, 3, flakes=(Once("G1", 9, "why"),))}, size=4).upto == 11
