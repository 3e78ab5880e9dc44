"""What the reference's queue works out once is what it would work out anew, on every step of runs of all kinds."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from quotaproof.reference.clock import run
from quotaproof.reference.decide import decide
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.reference.usage import Usage
from quotaproof.spec import events as ev
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.readings import READINGS, Readings

from ..support.weeks import TIMES, busy_week


def choices(seed):
    """Readings that differ from the defaults in up to eight questions."""
    rng = random.Random(seed)
    codes = rng.sample([code for code, reading in READINGS.items() if reading.modelled], seed % 9)
    return Readings.of(**{code: rng.choice(list(READINGS[code].choices)) for code in codes})


def changes(at):
    """What an administrator does from `at` on."""
    steps = (
        ev.SetLimits("a", {"u": 2}),
        ev.SetCapacity({"u": 9}),
        ev.SetSharing("c", Strategy.RESERVE),
        ev.SetShareState("b", State.DISABLED),
        ev.SetShareState("b", State.ENABLED),
        ev.DeleteShare("d"),
    )
    return [(at + n * 1_000_000, step) for n, step in enumerate(steps)]


def anew(queue):
    """A queue in the same state that remembers nothing."""
    return queue.copy()


@pytest.mark.parametrize("seed", range(18))
def test_every_step_is_the_one_that_a_queue_without_memory_takes(seed):
    readings, week = choices(seed), busy_week(40, seed)
    took: Counter[str] = Counter()

    def both(queue: Queue, policy: Policy):
        step = decide(queue, policy)
        assert decide(anew(queue), policy) == step
        assert queue.usage == Usage(queue, queue.usage)
        for used in (queue.usage, queue.due(), *(queue.held(claim) for claim in queue.claims)):
            plain = Usage(anew(queue), used)
            for unit in queue.capacity:
                assert used.total(unit) == plain.total(unit)
                assert used.filled(unit) == plain.filled(unit)
                assert used.lent(unit) == plain.lent(unit)
        for claim in queue.claims:
            fresh = anew(queue)
            assert queue.due(claim) == fresh.due(fresh.claim_of(claim.job))
        took[type(step).__name__] += 1
        return step

    also = changes(week.work[20].at) if seed % 2 else ()
    for _ in run(week.config, readings, week.work, also=also, until=week.work[-1].at, decide=both, **TIMES):
        pass
    assert took["Dispatch"] > 10
    assert took["NoneType"] > 20


def test_runs_together_have_steps_of_every_kind_and_heads_that_are_not_looked_at_again():
    took: Counter[str] = Counter()
    for seed in range(4):
        week = busy_week(200, seed)

        def counting(queue: Queue, policy: Policy):
            step = decide(queue, policy)
            took[type(step).__name__] += 1
            took["stuck"] += len(queue.awaited()) - len(queue.loose(policy))
            took["at rest"] += queue.rests(policy)
            return step

        for _ in run(week.config, Readings(), week.work, decide=counting, **TIMES):
            pass
    assert min(took[kind] for kind in ("Dispatch", "Claim", "NoneType", "stuck", "at rest")) > 20, took


def test_a_queue_asked_under_another_policy_does_not_answer_from_memory():
    week = busy_week(30, 3)
    policies = [
        Policy.of(Readings()),
        Policy.of(Readings.of(A5="void", A17="newest")),
        Policy.of(Readings.of(A18="backfill")),
    ]

    def all_of_them(queue: Queue, policy: Policy):
        for other in policies:
            assert decide(queue, other) == decide(anew(queue), other)
        return decide(queue, policy)

    asked = sum(1 for _ in run(week.config, Readings(), week.work, decide=all_of_them, **TIMES))
    assert asked > 100
