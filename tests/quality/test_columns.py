"""The sum rules over columns: what they say of a history is what the formulas say event by event."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from quotaproof.checker.judge import columns
from quotaproof.checker.judge.columns import judge_sums
from quotaproof.checker.judge.history import judge_history
from quotaproof.checker.judge.ties import Start
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import History, Preempting, Reached, Seen, Settled, Submitted
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share
from ..support.sum_stories import Story, ordered
from ..support.sums import Oracle, some_order_keeps


def told(asked):
    """Faults as (number, code), and how often each code came up."""
    return [(n, code) for n, code, _ in asked if code], Counter(c for _, _, up in asked for c in up)


def compared(seed, n=120):
    story = Story(random.Random(seed))
    history = ordered(story.observations(n), story.config)
    found = judge_sums(history, story.readings)
    faults, exercised = told(story.asked)
    assert [(f.number, f.code) for f in found.faults] == faults, seed
    assert found.exercised == exercised, seed
    assert found.events == n and not found.undecided
    return Counter(code for _, code in faults)


def agree(seeds, at_least):
    codes = Counter()
    for seed in seeds:
        codes += compared(seed)
    assert min(codes[c] for c in ("G1", "G2", "G3", "G4")) >= at_least, codes


@pytest.mark.parametrize("chunk", [5, 1 << 14])
def test_an_ordered_history_is_judged_as_event_by_event(monkeypatch, chunk):
    monkeypatch.setattr(columns, "CHUNK", chunk)
    agree(range(150), 10)


@pytest.mark.campaign
def test_10000_ordered_histories_are_judged_as_event_by_event():
    agree(range(1000, 11_000), 150)


def test_both_engines_say_the_same_of_an_ordered_history_word_for_word():
    """Where an earlier cause is charged (order, life cycle, what is disabled), the sums are not."""
    sums, faults = {"G1", "G2", "G3", "G4"}, 0
    for seed in range(60):
        story = Story(random.Random(seed))
        history = ordered(story.observations(120), story.config)
        one, other = judge_history(history, story.readings), judge_sums(history, story.readings)
        earlier = {f.number for f in one.faults if f.code in ("G12", "G10", "G13", "G9")}
        expected = [f for f in one.faults if f.code in sums]
        assert [f for f in other.faults if f.number not in earlier] == expected, seed
        assert other.exercised == {c: n for c, n in one.exercised.items() if c in sums}, seed
        faults += len(expected)
    assert faults > 60


def coarse(story, n, rng, width):
    """The same observations with times that several share, in any order that keeps each job's own."""
    observations = story.observations(n)
    groups, at = [], 0
    while at < n:
        size = rng.choice((1, 1, 2, 3, 5))
        groups.append(list(range(at, min(n, at + size))))
        at += size
    seen, moves = [], []
    for time, group in enumerate(groups):
        chains = {}
        for i in group:
            what = observations[i]
            key = getattr(what, "job", None) or getattr(what, "share", None) or "environment"
            chains.setdefault(str(key), []).append(i)
        chains = list(chains.values())
        while chains:
            chain = rng.choice(chains)
            i = chain.pop(0)
            if not chain:
                chains.remove(chain)
            seen.append(Seen(time * 1000, time * 1000 + width, observations[i]))
            moves.append((time, len(seen) - 1, story.moves[i]))
    return History(story.config, lambda: iter(seen), ("h",)), moves


def by_groups(story, moves):
    """For each group of one time, whether no order of it keeps the rules."""
    oracle = Oracle(story.config, story.readings)
    impossible = set()
    for time in sorted({t for t, _, _ in moves}):
        group = [m for t, _, m in moves if t == time and m is not None]
        if any(isinstance(m, Start) for m in group) and not some_order_keeps(group, oracle):
            impossible.add(time)
        for move in group:
            oracle.apply(move)
    return impossible


@pytest.mark.parametrize("chunk", [3, 1 << 14])
def test_groups_of_one_time_are_broken_exactly_when_no_order_keeps_the_rules(monkeypatch, chunk):
    monkeypatch.setattr(columns, "CHUNK", chunk)
    broken = ties = 0
    for seed in range(120):
        rng = random.Random(seed)
        story = Story(rng, wrong=0.08)
        history, moves = coarse(story, 60, rng, width=0)
        found = judge_sums(history, story.readings)
        impossible = by_groups(story, moves)
        assert {f.seen.at // 1000 for f in found.faults} == impossible, seed
        assert not found.undecided
        broken += len(impossible)
        ties += sum(f.window[0] != f.window[1] for f in found.faults)
    assert broken > 60 and ties > 20


@pytest.mark.parametrize(("width", "skew"), [(0, 0), (999, 0), (0, 700), (999, 3000)])
def test_a_history_that_keeps_the_rules_has_no_fault_whatever_its_order_within_a_time(width, skew):
    for seed in range(60):
        rng = random.Random(seed)
        story = Story(rng, wrong=0)
        history, _ = coarse(story, 80, rng, width)
        found = judge_sums(history, story.readings, skew=skew)
        assert found.faults == (), (seed, found.faults)
        assert sum(found.exercised.values()) > 0


SUMS = ("G1", "G2", "G3", "G4")


def both(seed, width):
    """One history with ties, and what the columns and the stepwise judge say of it."""
    rng = random.Random(seed)
    story = Story(rng, wrong=0.08)
    told, _ = coarse(story, 60, rng, width)
    seen = [one for one in told.seen() if not isinstance(one.what, Settled | Preempting)]
    history = History(story.config, lambda: iter(seen))
    return history, judge_sums(history, story.readings), judge_history(history, story.readings)


def times(faults, codes=SUMS):
    return {f.seen.at for f in faults if f.code in codes}


def engines_agree_at_one_time(seeds):
    """The same times are broken, but where the stepwise judge charges an earlier cause. Which of the dispatches of a time
    that has no order is charged, and what comes up around it or around a change, depends on the order it is told in."""
    broken = clean = 0
    for seed in seeds:
        history, found, stepwise = both(seed, 0)
        others = times(stepwise.faults, {f.code for f in stepwise.faults} - set(SUMS))
        assert times(found.faults) - others == times(stepwise.faults) - others, seed
        assert not found.undecided and not stepwise.undecided
        unchanged = not any(isinstance(s.what, ev.ADMINISTRATOR) for s in history.seen())
        if unchanged and not stepwise.faults:
            assert found.exercised == {c: n for c, n in stepwise.exercised.items() if c in SUMS}, seed
        broken += len(times(found.faults))
        clean += unchanged and not stepwise.faults
    return broken, clean


def test_both_engines_say_the_same_of_observations_of_one_time():
    broken, clean = engines_agree_at_one_time(range(60))
    assert broken > 25 and clean > 2


@pytest.mark.campaign
def test_both_engines_say_the_same_of_3000_histories_with_observations_of_one_time():
    broken, clean = engines_agree_at_one_time(range(1000, 4000))
    assert broken > 1200 and clean > 100


def engines_agree_of_seconds(seeds):
    """No fault of the columns that the stepwise judge does not find, and what only that one finds is undecided here."""
    faults = undecided = 0
    for seed in seeds:
        _, found, stepwise = both(seed, 999)
        others = times(stepwise.faults, {f.code for f in stepwise.faults} - set(SUMS))
        here, there = times(found.faults), times(stepwise.faults)
        assert not here - there - others, seed
        assert len(there - here) <= sum(n for n, _ in found.undecided.values()), seed
        faults += len(here)
        undecided += len(there - here)
    return faults, undecided


def test_what_the_columns_leave_undecided_of_times_that_overlap_the_stepwise_judge_decides():
    faults, undecided = engines_agree_of_seconds(range(60))
    assert faults > 25 and undecided > 3


@pytest.mark.campaign
def test_of_3000_histories_in_seconds_the_columns_find_no_fault_that_the_stepwise_judge_does_not():
    faults, undecided = engines_agree_of_seconds(range(1000, 4000))
    assert faults > 1200 and undecided > 100


def lines(*seen):
    return lambda: iter([Seen(*one) for one in seen])


def test_a_start_that_may_have_been_after_a_release_is_no_fault_and_one_that_was_before_is():
    config = queue(1, share("a", 1))
    early = [(0, 0, Submitted("x", "a", {"u": 1})), (0, 0, Submitted("y", "a", {"u": 1})), (1, 1, ev.Dispatch("x"))]
    may = lines(*early, (1000, 1999, ev.Dispatch("y")), (1500, 1500, ev.Finish("x")))
    assert judge_sums(History(config, may), Readings()).faults == ()
    must = lines(*early, (1000, 1400, ev.Dispatch("y")), (1500, 1500, ev.Finish("x")))
    (fault,) = judge_sums(History(config, must), Readings()).faults
    assert (fault.code, fault.number, fault.clause) == ("G4", 3, "dispatch.limit")
    assert fault.sentence == "a would exceed its limit by 1 u and may not borrow"
    assert judge_sums(History(config, must), Readings(), skew=100).faults == ()


def test_a_job_that_starts_and_ends_within_one_time_needs_room_while_it_runs():
    config = queue(2, share("a", 2))
    jobs = [(0, 0, Submitted(j, "a", {"u": 2})) for j in "xy"]
    history = lines(*jobs, (5, 5, ev.Dispatch("x")), (9, 9, ev.Dispatch("y")), (9, 9, ev.Finish("y")))
    (fault,) = judge_sums(History(config, history), Readings()).faults
    assert (fault.code, fault.number, fault.window) == ("G4", 3, (3, 4))
    after = lines(
        *jobs, (5, 5, ev.Dispatch("x")), (9, 9, ev.Dispatch("y")), (9, 9, ev.Finish("y")), (9, 9, ev.Finish("x"))
    )
    assert judge_sums(History(config, after), Readings()).faults == ()


def test_a_limit_that_may_have_been_raised_before_or_after_leaves_a_start_undecided():
    config = queue(2, share("a", 1))
    history = lines((0, 0, Submitted("x", "a", {"u": 2})), (900, 1899, ev.SetLimits("a", {"u": 2})),
                    (1000, 1000, ev.Dispatch("x")))  # fmt: skip
    found = judge_sums(History(config, history), Readings())
    assert found.faults == ()
    assert found.undecided["G4"][0] == 1 and "G4" not in found.exercised


def test_a_dispatch_that_was_not_seen_holds_machines_and_is_not_judged():
    config = queue(1, share("a", 1))
    history = lines((0, 0, Submitted("x", "a", {"u": 2})), (0, 0, Submitted("y", "a", {"u": 1})),
                    (1, 1, Reached("x", Stage.RUNNING)), (2, 2, ev.Dispatch("y")))  # fmt: skip
    found = judge_sums(History(config, history), Readings())
    assert [(f.code, f.number) for f in found.faults] == [("G4", 3)]
    assert found.unseen == {"G1": "the dispatch of a job that was seen to start"}


def test_a_fault_does_not_hide_a_later_one_and_does_not_make_one():
    config = queue(4, share("a", 2), share("b", 2))
    history = lines(
        *[(0, 0, Submitted(j, s, {"u": 1})) for j, s in (("1", "a"), ("2", "a"), ("3", "a"), ("4", "b"))],
        (1, 1, ev.Dispatch("1")),
        (2, 2, ev.Dispatch("2")),
        (3, 3, ev.Dispatch("3")),
        (4, 4, ev.Dispatch("4")),
    )
    found = judge_sums(History(config, history), Readings())
    assert [(f.code, f.number) for f in found.faults] == [("G4", 6)]
