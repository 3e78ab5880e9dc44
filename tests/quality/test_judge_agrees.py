"""The judge and a plain one agree on every event of random traces: what is broken first, and what came up."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.observe import look, record

from ..support.plain import Plain
from ..support.traces import CODES, Mischief, reference_trace, told


def compare(config, readings, events) -> tuple[str | None, Counter]:
    """The code that is broken first, and what came up, where both judges say the same of every event."""
    book, plain, counts = Book(config, readings), Plain(config, readings), Counter()
    first = None
    for number, event in enumerate(events):
        what = told(book, event)
        found = look(book, what, counts)
        expected = next(iter(plain.judge(event)), None)
        where = f"event {number}: {event}, {found}, under {dict(readings.chosen)}"
        assert (found.code if found else None) == expected, where
        assert +counts == +plain.counts, where
        first = first or expected
        record(book, what)
        plain.record(event)
        for share in plain.shares:
            for unit in plain.capacity:
                held = sum(j.size.get(unit, 0) for j in plain.jobs.values() if j.share == share and j.stage in
                           ("SCHEDULED", "STARTING", "RUNNING", "DRAINING"))  # fmt: skip
                assert book.usage(share, unit) == held, where
    return first, counts


def planted(seed: int, code: str | None, steps: int) -> tuple[str | None, Counter]:
    made = Mischief(random.Random(seed), code)
    events = made.play(steps)
    return compare(made.run.config, made.run.readings, events)


@pytest.mark.parametrize("code", CODES)
def test_both_judges_say_the_same_of_traces_that_break_this_promise(code: str) -> None:
    found = Counter(planted(seed, code, 25)[0] for seed in range(5))
    assert sum(found.values()) == 5


@pytest.mark.parametrize(("code", "seed"), [("G5x", 1048)])
def test_both_judges_count_the_same_where_they_once_differed(code: str, seed: int) -> None:
    """A job that drains is seen to return: an order of its life that is not allowed, and no end of a drain (G20)."""
    assert planted(seed, code, 60)[0] == code


def test_both_judges_say_the_same_of_what_the_reference_does() -> None:
    for seed in range(30):
        run, events = reference_trace(seed, 20)
        first, _ = compare(run.config, run.readings, events)
        assert first is None


@pytest.mark.campaign
@pytest.mark.parametrize("code", CODES)
def test_both_judges_agree_on_many_traces_whose_first_violation_is_this_one(code: str) -> None:
    """With the clean ones 10,000 traces in all; a trace that breaks nothing is compared now and then."""
    found: Counter = Counter()
    many = 150 if code in HARD else 640
    seed = 1000
    while found[code] < many:
        made = Mischief(random.Random(seed), code)
        events = made.play(60)
        seed += 1
        assert seed < 60_000, found
        if broken_first(made, events) == code or seed % 20 == 0:
            found[compare(made.run.config, made.run.readings, events)[0]] += 1


HARD = {"G2", "G3", "G6+", "G7", "G8", "G14", "G17", "G21"}
"""Codes that random steps seldom break first, or whose breach is slow to look for."""


def broken_first(made: Mischief, events) -> str | None:
    book = Book(made.run.config, made.run.readings)
    for event in events:
        what = told(book, event)
        found = look(book, what, Counter())
        if found:
            return found.code
        record(book, what)
    return None


@pytest.mark.campaign
def test_both_judges_agree_on_many_clean_traces_in_which_every_promise_came_up() -> None:
    came_up: Counter = Counter()
    clean = seed = 0
    while clean < 2000:
        if seed % 2:
            run, events = reference_trace(seed, 40)
            first, counts = compare(run.config, run.readings, events)
        else:
            first, counts = planted(seed, None, 40)
        seed += 1
        clean += first is None
        came_up.update(counts if first is None else {})
    assert not {c for c in (*CODES, "G11", "G20") if not came_up[c]}, came_up
