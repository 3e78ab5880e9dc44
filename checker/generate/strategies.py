"""Hypothesis strategies: queues, jobs, scenarios and those of adversaries. Public.

Every draw is a small number, so that examples shrink to few jobs, few steps and small sizes. `aim` tells Hypothesis what
is worth more of: machines lent, machines owed, jobs stopped. Arguments are checked when a strategy is made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from ...spec.events import Submit
from ...spec.formats.errors import InputError, listed, nearest
from ...spec.formats.scenario import Scenario
from ...spec.model import MAX_LIMITS, MAX_SHARES, QueueConfig
from ...spec.readings import Readings, UnknownReading
from ..conform.features import checked
from ..conform.verdict import Tested
from . import configs as _configs
from . import jobs as _jobs
from . import scenarios as _scenarios
from .adversaries import ADVERSARIES, adversarial
from .choices import WIDEST, Choices
from .measures import measures
from .within import within

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
_KEPT = 19
"""One step in so many and one is left out, and every step can be: an adversary's examples shrink to what they need."""
_WHERE = "quotaproof.checker.generate.strategies"


def configs(
    *, most_shares: int = MAX_SHARES, most_units: int = MAX_LIMITS, features: Collection[str] | None = None
) -> SearchStrategy[QueueConfig]:
    """Queues of 1 to `most_shares` shares and 1 to `most_units` units. `features`: what they may need, None: anything."""
    _between("most_shares", most_shares, 1, MAX_SHARES)
    _between("most_units", most_units, 1, MAX_LIMITS)
    has = _features(features)

    def drawn(choose: Choices) -> QueueConfig:
        config = _configs.config(choose, most_shares=most_shares, most_units=most_units)
        return within(Scenario("", "", config, ()), has).config

    return _drawing(drawn)


def jobs(config: QueueConfig, *, share: str = "", features: Collection[str] | None = None) -> SearchStrategy[Submit]:
    """Jobs for the shares of a queue, or for one of them."""
    if not isinstance(config, QueueConfig):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise _wrong(f"config is {type(config).__name__}, not a QueueConfig", "draw one from configs().")
    names = [s.name for s in config.shares]
    if share and share not in names:
        raise _wrong(f"there is no share {share!r}", f"use {listed(names)}.")
    has = _features(features)

    def drawn(choose: Choices) -> Submit:
        job = _jobs.job(choose, config, share=share)
        found = within(Scenario("", "", config, (job,)), has).steps
        first = found[0] if found else None
        return first if isinstance(first, Submit) else Submit(job.job, job.share, {config.units[0]: 1})

    return _drawing(drawn)


def scenarios(
    *,
    config: QueueConfig | None = None,
    features: Collection[str] | None = None,
    choices: Mapping[str, str] | None = None,
    fewest: int = 1,
    most: int = 20,
) -> SearchStrategy[Scenario]:
    """Courses of `fewest` to `most` moves on any queue, or on `config`.

    `features`: what a scheduler can do, None: everything; `choices`: reading -> choice that scenarios are written for.
    """
    _between("fewest", fewest, 0, most)
    has, readings = _features(features), _readings(choices)

    def drawn(choose: Choices) -> Scenario:
        return _scenarios.scenario(choose, features=has, readings=readings, config=config, fewest=fewest, most=most)

    return _drawing(drawn)


def adversarial_scenarios(
    *names: str, features: Collection[str] | None = None, choices: Mapping[str, str] | None = None
) -> SearchStrategy[Scenario]:
    """Scenarios of the adversaries of these names; of all where none is named."""
    for name in names:
        if name not in ADVERSARIES:
            near = nearest(name, ADVERSARIES)
            raise _wrong(
                f"there is no adversary {name!r}", f"did you mean {near}?" if near else f"use {listed(ADVERSARIES)}."
            )
    has, readings = _features(features), _readings(choices)

    def drawn(choose: Choices) -> Scenario:
        made = adversarial(choose, names=names or tuple(ADVERSARIES), readings=readings)
        steps = [step for step in made.steps[:-1] if choose.number(0, _KEPT)]
        return within(replace(made, steps=(*steps, made.steps[-1])), has)

    return _drawing(drawn)


def aim(tested: Tested) -> None:
    """Inside a Hypothesis test: more machines lent, owed and taken back are better examples."""
    from hypothesis import target

    for label, value in measures(tested).items():
        target(value, label=label)


class _Drawn:
    """Draws of Hypothesis."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self._draw = draw

    def number(self, low: int, high: int) -> int:
        return self._draw(_integers(low, high))

    def numbers(self, width: int) -> Sequence[int]:
        """The draws of a record as one value, which Hypothesis can make trivial in one go."""
        return self._draw(_records(width))


@cache
def _records(width: int) -> SearchStrategy[tuple[int, ...]]:
    from hypothesis import strategies as st

    return st.tuples(*[_integers(0, WIDEST)] * width)


@cache
def _integers(low: int, high: int) -> SearchStrategy[int]:
    from hypothesis import strategies as st

    return st.integers(low, high)


def _drawing(drawn: Callable[[Choices], T]) -> SearchStrategy[T]:
    from hypothesis import strategies as st

    @st.composite
    def strategy(draw: st.DrawFn) -> T:
        return drawn(_Drawn(draw))

    return strategy()


def _features(given: Iterable[str] | None) -> frozenset[str] | None:
    if isinstance(given, str):
        raise _wrong(f"features is the text {given!r}", f"write features=[{given!r}].")
    return None if given is None else checked(given, where=_WHERE)


def _readings(choices: Mapping[str, str] | None) -> Readings:
    try:
        return Readings().assuming(choices or {})
    except UnknownReading as error:
        raise _wrong(str(error), "name a reading and one of its choices.") from None


def _between(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise _wrong(f"{name} is {value}", f"give a number from {low} to {high}.")


def _wrong(what: str, fix: str) -> InputError:
    return InputError(what, where=_WHERE, why="A strategy is made for nothing else than what is asked for.", fix=fix)
