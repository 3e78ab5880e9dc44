"""Every generated scenario is one: it can be written and read, fits what a scheduler can do, and the reference passes it."""

from __future__ import annotations

import json
import random

import pytest
from quotaproof.checker.conform.features import FEATURES, needs
from quotaproof.checker.conform.profiles import AWS_BATCH
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.generate.adversaries import ADVERSARIES, adversarial
from quotaproof.checker.generate.choices import Bytes, Seeded
from quotaproof.checker.generate.configs import BORROW_LIMITS, config, totals
from quotaproof.checker.generate.jobs import boundaries, job
from quotaproof.checker.generate.moves import CHANGES, MOVES
from quotaproof.checker.generate.scenarios import decoded, scenario, seeded
from quotaproof.checker.generate.stretched import stretched
from quotaproof.spec.events import SetPriority, Submit
from quotaproof.spec.formats.document import Document
from quotaproof.spec.formats.scenario import Settle, as_form
from quotaproof.spec.formats.scenario_text import read
from quotaproof.spec.model import MAX_PRIORITY, State, Strategy
from quotaproof.spec.readings import Readings

DEFAULT = Reference()


def allowed_readings(rng):
    """Mostly defaults, and some other choices of those that a backend may declare."""
    chosen = {code: rng.choice(choices) for code, choices in AWS_BATCH.readings.items() if rng.random() < 0.15}
    return Readings().assuming(chosen)


def passes(made, backend=DEFAULT):
    (answer,) = backend.run([made])
    tested = judged(made, answer, backend.declare())
    assert tested.status is Status.PASSED, (made, tested.broken, tested.why)
    return tested


def again(made):
    return read(Document("scenario.json", json.loads(json.dumps(as_form(made))), dict))


def test_a_scenario_is_the_same_after_writing_and_reading():
    for seed in range(80):
        made = seeded(seed)
        assert again(made) == made


def test_the_same_number_is_the_same_scenario_and_others_are_others():
    assert seeded(7) == seeded(7)
    assert len({repr(seeded(n)) for n in range(50)}) == 50


def test_the_reference_passes_scenarios_of_every_kind():
    passed = [passes(seeded(seed)) for seed in range(200)]
    exercised = {code for tested in passed for code in tested.exercised}
    unseen = {"G5", "G8"}
    """G8: the reference serves owners before anybody borrows."""
    assert exercised >= {f"G{n}" for n in range(1, 22)} - unseen | {"G5s", "G5x", "G6+"}


def test_the_reference_passes_under_other_readings_too():
    for seed in range(80):
        readings = allowed_readings(random.Random(seed))
        passes(seeded(seed, readings=readings), Reference(choices=dict(readings.chosen)))


def test_any_bytes_are_a_scenario():
    rng = random.Random(2)
    shapes = [
        b"",
        b"\0" * 300,
        b"\xff" * 700,
        bytes(range(256)) * 3,
        *(rng.randbytes(rng.randint(1, 900)) for _ in range(100)),
    ]
    for data in shapes:
        made = decoded(data)
        assert again(made) == made
        passes(made)


def test_nothing_but_the_lowest_draws_is_nearly_nothing():
    assert scenario(Bytes(b"")).steps == (Settle(),)


def test_a_typical_scenario_has_about_fifty_observations():
    seen = sorted(len(passes(scenario(Seeded(random.Random(n)))).seen) for n in range(100))
    assert 30 <= seen[50] <= 70


@pytest.mark.parametrize("name", ADVERSARIES)
def test_the_reference_withstands(name):
    for seed in range(8):
        made = adversarial(Seeded(random.Random(seed)), names=[name])
        assert made.name == name and made.about
        passes(made)


def test_what_a_scheduler_cannot_do_is_left_out():
    for seed in range(60):
        rng = random.Random(seed)
        features = {name for name in FEATURES if rng.random() < 0.6}
        for has in (features, frozenset[str]()):
            made = seeded(seed, features=has)
            assert needs(made) <= has
            passes(made)


def test_every_feature_is_needed_by_some_scenario():
    assert frozenset().union(*(needs(seeded(n)) for n in range(400))) == FEATURES.keys()


def test_queues_are_of_every_kind():
    queues = [config(Seeded(random.Random(n))) for n in range(1500)]
    shares = [s for q in queues for s in q.shares]
    assert {len(q.shares) for q in queues} >= {1, 2, 3, 4, 20}
    assert {len(q.units) for q in queues} == {1, 2, 3, 4, 5}
    assert {s.strategy for s in shares} == set(Strategy)
    assert {s.state for s in shares} == set(State)
    assert {s.borrow_limit for s in shares if s.strategy is Strategy.LEND_AND_BORROW} == set(BORROW_LIMITS)
    assert any(len(s.limits) < len(q.units) for q in queues for s in q.shares)
    assert any(set(q.units) - set(q.environment.capacity) for q in queues)
    beside = {q.environment.capacity[q.units[0]] - totals(q.shares)[q.units[0]] for q in queues}
    assert {0, 1, -1} <= beside


def test_jobs_are_as_large_as_every_number_that_decides():
    queue = config(Seeded(random.Random(3)), most_units=1)
    found = [job(Seeded(random.Random(n)), queue) for n in range(800)]
    for share in queue.shares:
        sizes = {j.size["u"] for j in found if j.share == share.name and "u" in j.size}
        assert sizes >= {1, 2, *boundaries(queue, share, "u")}
    assert {j.retries for j in found} == {None, 0, 1, 2, 3, 4, 10}


def test_now_and_then_numbers_are_large_and_a_course_is_long():
    made = [seeded(n) for n in range(400)]
    priorities = {s.priority for m in made for s in m.steps if isinstance(s, Submit | SetPriority)}
    assert priorities >= {None, 0, 1, 2, 9, 10, 99, 100, 255, 256, MAX_PRIORITY}
    largest = [max(m.config.environment.capacity.values()) for m in made]
    assert {bound for bound in (128, 256, 1000) if max(largest) > bound} == {128, 256, 1000}
    assert sum(n <= 50 for n in largest) > 360
    assert 1 <= sum(len(m.steps) > 200 for m in made) < 20
    assert max(len(m.config.shares) for m in made if m.name == "gang-reclaim") == 5


def test_a_scheduler_does_the_same_in_other_numbers():
    for seed in range(20):
        plain = adversarial(Bytes(random.Random(seed).randbytes(200)), names=["priority-inflation"])
        assert stretched(Bytes(bytes(4)), plain) == plain
        farther = stretched(Bytes(bytes([5, 3])), plain)
        assert farther != plain
        assert [type(seen) for seen in passes(farther).seen] == [type(seen) for seen in passes(plain).seen]
        larger = stretched(Bytes(bytes([0, 29, 0])), plain)
        assert larger.config.environment.capacity == {"u": plain.config.environment.capacity["u"] * 100}
        passes(larger)


def test_every_move_and_every_change_is_described():
    assert all(f.__doc__ for f in (*MOVES, *CHANGES))


@pytest.mark.campaign
def test_the_reference_passes_twenty_thousand_scenarios_under_many_readings():
    for seed in range(1000, 21000):
        readings = allowed_readings(random.Random(seed))
        passes(seeded(seed, readings=readings), Reference(choices=dict(readings.chosen)))
