"""Random runs of the reference, shown as AWS shows them, without claims and claimants: nobody who asked is missing."""

from __future__ import annotations

import random
from collections import Counter
from itertools import groupby

import pytest
from quotaproof.checker.judge.start import situation
from quotaproof.checker.judge.stepwise import victim_faults
from quotaproof.checker.why.claimants import Claimant
from quotaproof.checker.why.follow import follow
from quotaproof.checker.why.stops import stops
from quotaproof.spec import events as ev
from quotaproof.spec.observations import Seen

from ...support.stories import history_of, random_run

CODES = {"G5x", "G5s", "G6"}


def check_run(seed: int, *, coarse: bool = False) -> Counter[int]:
    """How many jobs were found for each stop; the one that asked is among them."""
    run, events, shown = random_run(seed, busy=seed % 2 == 0)
    told = [seen for one in shown for seen in one]
    if coarse:
        told = shuffled([Seen(s.at - s.at % 3000, s.at - s.at % 3000 + 2999, s.what) for s in told], seed)
    history = history_of(run.config, told, ordered=not coarse)
    asked: dict[str, list[str]] = {}
    for event in events:
        for victim in event.victims if isinstance(event, ev.Claim) else ():
            asked.setdefault(victim, []).append(event.job)
    sizes: Counter[int] = Counter()
    for victim, claimants in asked.items():
        found = stops(history, run.readings, victim)[1]
        if not coarse:
            assert len(found) == len(claimants), (seed, victim)
        for stop, claimant in zip(found, claimants, strict=False):
            names = {c.job for c in stop.claimants}
            assert claimant in names, (seed, victim, claimant, names, dict(run.readings.chosen))
            sizes[len(names)] += 1
    return sizes


def shuffled(told: list[Seen], seed: int) -> list[Seen]:
    """Observations of one time in any order, each job's own in theirs."""
    rng = random.Random(seed)
    made: list[Seen] = []
    for _, group in groupby(told, key=lambda s: s.at):
        group = list(group)
        jobs = [getattr(s.what, "job", "") for s in group]
        queues = {job: [s for s, j in zip(group, jobs, strict=True) if j == job] for job in jobs}
        rng.shuffle(jobs)
        made += [queues[job].pop(0) for job in jobs]
    return made


def test_the_true_claimant_is_always_among_those_who_may_have_asked():
    sizes = sum((check_run(seed) for seed in range(300)), Counter())
    assert sum(sizes.values()) > 100
    assert sizes[1] > 0.8 * sum(sizes.values())


def test_it_is_also_where_three_events_share_one_time_in_any_order():
    sizes = sum((check_run(seed, coarse=True) for seed in range(120)), Counter())
    assert sum(sizes.values()) > 40


@pytest.mark.campaign
def test_the_true_claimant_is_always_among_them_in_ten_thousand_runs():
    sizes = sum((check_run(seed) for seed in range(300, 10_300)), Counter())
    assert sum(sizes.values()) > 4_000


def test_who_could_have_been_stopped_instead_is_who_the_judge_would_allow():
    asked = 0
    for seed in range(200):
        run, events, shown = random_run(seed, busy=seed % 2 == 0)
        for number, event in enumerate(events):
            if not isinstance(event, ev.Claim) or len(event.victims) != 1:
                continue
            before = history_of(run.config, [s for one in shown[:number] for s in one], ordered=True)
            after = history_of(run.config, [s for one in shown[: number + 1] for s in one], ordered=True)
            (victim,) = event.victims
            stop = stops(after, run.readings, victim)[1][-1]
            state = follow(before, run.readings)
            if stop.claimants != (Claimant(event.job, stop.claimants[0].kind),):
                continue
            asker = state.book.job(event.job)
            own = asker.share == state.book.job(victim).share
            allowed = set()
            for share in state.book.now.shares:
                for job in state.book.running(share) if (share == asker.share) is own else ():
                    broken = {v.code for v in victim_faults(situation(state.book, asker, victim=job), event)}
                    if not broken & CODES:
                        allowed.add(job.name)
            if victim in allowed:  # else the drains under way were for somebody else's claim, which nobody saw
                assert set(stop.others) >= allowed - {victim}, (seed, number)
                asked += 1
                if not any(state.book.draining()) and state.drained < 0:
                    assert set(stop.others) == allowed - {victim}, (seed, number)
    assert asked > 50
