"""Every sentence that can be said of a job that waits is true of the state it is said of, under whatever is assumed."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.jobs import Entry
from quotaproof.checker.teach import said
from quotaproof.checker.why import sums, waits
from quotaproof.checker.why.follow import Following, groups
from quotaproof.checker.why.told import Job, Kept
from quotaproof.checker.why.trial import Trial
from quotaproof.checker.why.words import waiting
from quotaproof.reference.apply import apply
from quotaproof.reference.impossible import reason
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.readings import Readings

from ...support.loans import check_start, check_taken_back
from ...support.queues import queue, share
from ...support.reasons import SAYS, State, check, check_play
from ...support.runs import FREE, Run
from ...support.told import AS_AWS_SHOWS_IT, COMPLETE, random_history

ASSUMED = {**FREE, "A13": ("b", "a", "c"), "A15": ("yes", "no"), "A23": ("yes", "no"), "A24": ("a", "b"),
           "A28": ("all-or-nothing", "minimal", "greedy"), "A58": ("whole", "freed")}  # fmt: skip
FIRST = 2
"""Jobs of a line that are asked about."""


def assumed(rng: random.Random) -> Readings:
    return Readings().assuming({code: rng.choice(choices) for code, choices in ASSUMED.items() if rng.random() < 0.3})


def states(seed: int, rounds: int = 25) -> Iterator[tuple[Run, ev.Event]]:
    """A random run of the reference under random readings, before each of its events."""
    rng = random.Random(seed)
    run = Run(rng, busy=rng.random() < 0.3)
    run.readings = assumed(rng)
    run.policy = Policy.of(run.readings)
    run.queue, run.book = Queue(run.config, run.readings), Book(run.config, run.readings)
    for event in run.steps(rounds):
        yield run, event


def tell(entry: Entry) -> Job:
    return Job(entry.name, entry.name, entry.share, entry.size, entry.priority)


def forms(seed: int) -> set[str]:
    """Forms of everything that is said in a run; all of it is true."""
    found: set[str] = set()
    for run, _ in states(seed):
        state = State(run.queue, run.policy)
        for name in run.queue.shares:
            line = [run.book.jobs[j.name] for j in run.queue.waiting(name)]
            for place, entry in enumerate(line[:FIRST]):
                job = run.queue.jobs[entry.name]
                never = reason(run.queue, run.policy, job)
                found |= check(state, job, waiting(waits.waits_in(run.book, line, never, entry, tell), tell(entry)))
                if not place:
                    found |= check_play(state, job, said.waits(run.book, entry, job.reason).sentence)
    return found


def loans(seed: int) -> set[str]:
    """The same of loans: on whose machines jobs start, and of what is taken back."""
    found: set[str] = set()
    for run, event in states(seed):
        state, told = State(run.queue, run.policy), [one.sentence for one in said.before(run.book, event)]
        if isinstance(event, ev.Dispatch):
            found |= check_start(state, run.queue.jobs[event.job], told)
        elif isinstance(event, ev.Claim):
            found |= check_taken_back(state, [run.queue.jobs[name] for name in event.victims], told)
    return found


def many_lenders() -> set[str]:
    """The same of a job that waits for more lenders than are told one by one."""
    shares = [share(f"s{i}", 1, "LEND") for i in range(6)]
    config = queue(7, share("s", 1, "LEND_AND_BORROW", None), *shares)
    made, book = Queue(config, Readings()), Book(config, Readings())
    for event in (ev.Submit("j1", "s", {"u": 7}, 1, None), ev.Dispatch("j1"), ev.Submit("j2", "s", {"u": 2}, 1, None)):
        apply(made, event)
        book.record(event)
    state = State(made, Policy.of(Readings()))
    return check_play(state, made.jobs["j2"], said.waits(book, book.jobs["j2"]).sentence)


def forms_of_history(seed: int) -> set[str]:
    """The same of a history, complete or as AWS shows it."""
    readings = assumed(random.Random(seed))
    history = random_history(seed, readings, **(COMPLETE if seed % 2 else AS_AWS_SHOWS_IT))
    following = Following(history.config, readings, claims_known=history.claims)
    found: set[str] = set()
    for group in groups(history):
        for seen in group:
            following.take(seen)
        trial = Trial(following, history.config)
        state = State(trial.queue, trial.policy, history.claims)
        for name in following.book.shares_waiting():
            for entry in following.waiting(name)[:FIRST]:
                told = waiting(waits.waits(following, trial, entry, tell), tell(entry))
                found |= check(state, trial.queue.jobs[entry.name], told)
    return found


RARE = (13, 20, 27, 31, 92)
"""Runs in which forms come up that are seldom said."""


def test_what_is_said_of_a_job_that_waits_is_true_under_whatever_is_assumed():
    assert set().union(many_lenders(), *map(forms, (*range(6), *RARE))) == set(SAYS)


def test_what_a_history_says_of_a_job_that_waits_is_true():
    common = {"never", "its_turn", "lacks", "lenders", "may_not_borrow", "nothing", "drains", "keeps"}
    assert set().union(*map(forms_of_history, range(8))) >= common


def test_whose_machines_are_lent_and_what_is_taken_back_is_true():
    assert set().union(*map(loans, (*range(6), 113))) == {"surely", "open", "above", "later"}


def by_what_is_used_now(book, job, unit):
    return book.usage(job.share, unit)


def partly_whoever_borrows(book, job, unit):
    lent = any(sums.of_share(book, "settled_borrowed", s, unit) for s in book.now.shares if s != job.share)
    return lent and not waits.Situation(book, job.share, job).holds(waits.rules.entitled)


def always_reserve(share, unit, idle, _reserve):
    return Kept(share, unit, idle, True)


def always_spare(book, unit, _moment=None):
    return max(0, book.now.capacity.get(unit, 0) - sums.of_all(book, "limit", unit))


def whoever_borrows(book, job):
    return waits.Situation(book, job.share, job).holds(waits.rules.borrows_now)


def the_first(_book, ahead):
    return next(iter(ahead), None)


def every_claim(book, job, *_asked):
    return [p.job for p in book.promises if p.job is not job]


def nobody(_book, _job):
    return None


def the_first_clause(every, _unit):
    return (every[0].left or 0) - max(0, every[0].right or 0)


WRONG = [
    (waits, "_settled", by_what_is_used_now, 16),
    (waits, "_partly", partly_whoever_borrows, 4),
    (waits, "Kept", always_reserve, 35),
    (waits, "in_line", whoever_borrows, 1),
    (waits, "_behind", the_first, 12),
    (waits, "_lacks", the_first_clause, 16),
    (waits, "_claims", every_claim, 87),
    (waits, "_stops", nobody, 16),
    (waits, "perhaps_refused", nobody, 375),
    (sums, "unowned_lent", always_spare, 16),
]
"""A reason that is told without what makes it true, and the first of the random runs in which that shows."""


@pytest.mark.parametrize(("where", "name", "wrong", "run"), WRONG, ids=[name for _, name, _, _ in WRONG])
def test_a_reason_that_is_not_true_is_found(where, name, wrong, run, monkeypatch):
    monkeypatch.setattr(where, name, wrong)
    with pytest.raises(AssertionError):
        forms(run)


@pytest.mark.campaign
@pytest.mark.parametrize(("where", "name", "wrong", "run"), WRONG, ids=[name for _, name, _, _ in WRONG])
def test_no_earlier_run_shows_that_a_reason_is_not_true(where, name, wrong, run, monkeypatch):
    monkeypatch.setattr(where, name, wrong)
    assert all(map(forms, range(run)))


def test_what_is_told_of_another_time_than_now_says_so(monkeypatch):
    monkeypatch.setattr(said, "_settled", lambda *_: "")
    with pytest.raises(AssertionError):
        loans(113)


@pytest.mark.campaign
def test_what_is_said_is_true_in_many_runs_and_histories():
    assert set().union(many_lenders(), *map(forms, range(1000))) == set(SAYS)
    assert set().union(*map(forms_of_history, range(400))) > {"in_line", "another", "partly", "hold"}
    assert set().union(*map(loans, range(1000))) >= {"surely", "open", "above", "later", "within"}
