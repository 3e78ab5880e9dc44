"""Runs of the reference as AWS would record them, read back: the same observations, each where it was."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempted, Preempting, Reached, Retried, Submitted
from quotaproof.spec.rules.lifecycle import MOVES

from ...support.aws_records import recorded
from ...support.aws_runs import shown, timed_run
from ...support.histories import gist, history, sentences

SEEDS = range(12)


def read_back(run, timed, tmp_path, change=lambda made: made, *, jitter=0, **parts):
    made = change(recorded(run.config, timed, readings=run.readings, rng=run.rng, jitter=jitter))
    return history(made.write(tmp_path, **parts))


def of_job(pairs, job):
    return [what for what in pairs if getattr(what, "job", None) == job]


def moves(whats, job):
    """A request can have been before or after a move of its second."""
    return [what for what in of_job(whats, job) if not isinstance(what, ev.SetPriority)]


def compare(found, want):
    assert not found.problems, sentences(found)
    got = [shown(s.what) for s in found.seen()]
    assert Counter(map(repr, got)) == Counter(repr(what) for _, what in want)
    for job in {w.job for _, w in want if isinstance(w, Submitted)}:
        assert moves(got, job) == moves([w for _, w in want], job)


def within(found, want):
    """Each observation can have been when it was."""
    left = list(want)
    for one in found.seen():
        match = next((n for n, (t, w) in enumerate(left) if w == shown(one.what) and one.at <= t <= one.until), None)
        assert match is not None, one
        left.pop(match)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_recorded_is_read_back_each_in_its_time(seed, tmp_path):
    run, timed, want = timed_run(seed)
    found = read_back(run, timed, tmp_path)
    compare(found, want)
    within(found, want)
    assert found.completeness.expected >= found.completeness.seen > 0


@pytest.mark.parametrize("seed", SEEDS)
def test_any_order_and_repetitions_change_nothing(seed, tmp_path):
    run, timed, _ = timed_run(seed)
    rng = random.Random(seed)
    plain = read_back(run, timed, tmp_path / "plain")
    mixed = read_back(run, timed, tmp_path / "mixed", lambda made: made.doubled(rng).shuffled(rng))
    assert gist(mixed) == gist(plain)


@pytest.mark.parametrize("seed", SEEDS)
def test_late_envelopes_leave_the_order_of_each_life(seed, tmp_path):
    run, timed, want = timed_run(seed, steps=(4000, 20_000))
    compare(read_back(run, timed, tmp_path, jitter=3000), want)


@pytest.mark.parametrize("seed", SEEDS)
def test_without_cloudtrail_requests_are_missing_and_nothing_else(seed, tmp_path):
    run, timed, want = timed_run(seed)
    found = read_back(run, timed, tmp_path, cloudtrail=False)
    asked = (ev.SetPriority, ev.Terminate, ev.Finish, *ev.ADMINISTRATOR)
    got = [w for s in found.seen() if not isinstance(w := shown(s.what), asked)]
    assert Counter(type(w) for w in got) == Counter(type(w) for _, w in want if not isinstance(w, asked))
    assert all(w.priority is None for w in got if isinstance(w, Submitted))


@pytest.mark.parametrize("seed", range(40))
def test_lost_events_leave_a_possible_life(seed, tmp_path):
    run, timed, _ = timed_run(seed)
    rng = random.Random(seed)

    def lose(made):
        made.events[:] = [e for e in made.events if rng.random() < 0.85]
        return made

    found = read_back(run, timed, tmp_path, lose)
    for job in found.jobs:
        possible(of_job([s.what for s in found.seen()], job))
    assert found.completeness.seen <= found.completeness.expected


@pytest.mark.parametrize("seed", SEEDS)
def test_moves_that_later_ones_prove_are_counted_as_missing(seed, tmp_path):
    run, timed, want = timed_run(seed)
    lost = []

    def lose(made):
        reached = {name(e) for e in made.events if e["detail"].get("status") == "RUNNING" and "latestAttempt" in e["detail"]}
        lost.extend(e for e in made.events if e["detail"].get("status") == "STARTING" and name(e) in reached)
        made.events[:] = [e for e in made.events if e not in lost]
        return made

    found = read_back(run, timed, tmp_path, lose)
    assert found.completeness.expected - found.completeness.seen == len(lost)
    assert len(list(found.seen())) == len(want) - len(lost)


def name(event):
    return event["detail"].get("latestAttempt", {}).get("serviceResourceId", {}).get("value", "")


def possible(life):
    """Every move is one of rule 29, from a job that was RUNNABLE when it was submitted."""
    stage = Stage.RUNNABLE
    assert isinstance(life[0], Submitted)
    for what in life[1:]:
        match what:
            case ev.Dispatch():
                then = Stage.SCHEDULED
            case Reached():
                if stage is Stage.SCHEDULED and what.stage is Stage.RUNNING:
                    stage = Stage.STARTING
                then = what.stage
            case Preempting():
                then = Stage.DRAINING
            case Preempted():
                then = what.stage
                assert stage is Stage.DRAINING
            case ev.Return():
                assert stage is Stage.SCHEDULED
                then = Stage.RUNNABLE
            case Retried():
                assert stage in (Stage.STARTING, Stage.RUNNING)
                then = Stage.RUNNABLE
            case ev.Finish():
                then = Stage.FAILED if what.failed else Stage.SUCCEEDED
            case ev.Terminate():
                then = Stage.FAILED
            case _:
                continue
        assert (stage, then) in MOVES, (stage, what, life)
        stage = then
