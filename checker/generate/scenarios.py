"""Scenarios: a queue, and what users, the platform and administrators do to it, drawn at random or by an adversary.

`scenario` draws one without aim, `any_scenario` also those of adversaries. `seeded` draws from a number, `decoded` from
bytes: any bytes at all are a scenario. What a scheduler cannot do is left out (`within`).
"""

from __future__ import annotations

import random
from collections.abc import Collection

from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig
from ...spec.readings import Readings
from .adversaries import ADVERSARIES, adversarial
from .choices import WIDEST, Bytes, Choices, Seeded, record
from .configs import config as any_config
from .course import Course
from .moves import move
from .stretched import stretched
from .within import within

_DEFAULTS = Readings()
FEWEST, MOST = 5, 60
"""Moves of a scenario."""
LONG = 150, 250
"""Moves of a long one."""
_LONG = 58
"""One scenario in sixty is."""


def scenario(
    choose: Choices,
    *,
    features: Collection[str] | None = None,
    readings: Readings = _DEFAULTS,
    config: QueueConfig | None = None,
    fewest: int = FEWEST,
    most: int = MOST,
) -> Scenario:
    """Any course of events. `features`: what the scheduler can do, None: everything; `config`: the queue, if not any."""
    course = Course(config or any_config(choose), readings)
    for _ in range(choose.number(fewest, most)):
        move(choose, course)
    if choose.number(0, 1):
        course.settle()
        course.undo()
    made = stretched(choose, course.scenario("random", "Drawn without aim."), queue=config is None)
    return within(made, features)


def any_scenario(
    choose: Choices,
    *,
    features: Collection[str] | None = None,
    readings: Readings = _DEFAULTS,
    names: Collection[str] = tuple(ADVERSARIES),
    config: QueueConfig | None = None,
) -> Scenario:
    """One without aim, now and then a long one, or one of the adversaries `names`; each about as often. Adversaries have
    queues of their own: with a `config` there are none."""
    kind = record(choose, 1).number(0, WIDEST)
    if kind % 2 and names and config is None:
        return adversarial(choose, names=names, features=features, readings=readings)
    fewest, most = LONG if kind == _LONG else (FEWEST, MOST)
    return scenario(choose, features=features, readings=readings, config=config, fewest=fewest, most=most)


def seeded(
    seed: int,
    *,
    features: Collection[str] | None = None,
    readings: Readings = _DEFAULTS,
    names: Collection[str] = tuple(ADVERSARIES),
    config: QueueConfig | None = None,
) -> Scenario:
    """The scenario of a number."""
    choose = Seeded(random.Random(seed))
    return any_scenario(choose, features=features, readings=readings, names=names, config=config)


def decoded(data: bytes, *, features: Collection[str] | None = None, readings: Readings = _DEFAULTS) -> Scenario:
    """The scenario that bytes stand for; every byte string stands for one."""
    return any_scenario(Bytes(data), features=features, readings=readings)
