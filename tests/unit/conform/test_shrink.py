"""A failing scenario is made small, in few tries, and always to the same."""

from __future__ import annotations

from functools import partial

from quotaproof.checker.conform.shrink import shrink
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.checker.witness.reduce import jobs, lower, merged, much_less, simpler, single, without
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, as_form

from ...support.scenarios import written
from ...support.wrong import WRONG
from ...support.wrong.kills import killing, run


def found(name: str) -> tuple[Scenario, object]:
    """A scenario that shows a planted scheduler, and the question whether another does too."""
    wrong = WRONG[name]
    backend = wrong.backend()
    _, scenario = next(iter(killing(name)))
    return scenario, lambda s: run(backend, s).code == wrong.code


def test_nothing_can_be_taken_from_what_was_shrunk():
    scenario, still = found("gives-claimed-away")
    small = shrink(scenario, still)
    assert len(small.steps) < len(scenario.steps)
    fewer = [without(small, gone) for gone in (*jobs(small), *single(small))]
    less = [*simpler(small, much_less), *lower(small, much_less), *merged(small)]
    assert not any(still(s) for s in (*fewer, *less) if s.steps)


def test_shrinking_is_the_same_each_time_and_asks_no_more_often_than_it_may():
    scenario, still = found("stops-one-more")
    asked = []

    def counted(s):
        asked.append(s)
        return still(s)

    assert shrink(scenario, still) == shrink(scenario, still)
    shrink(scenario, counted, tries=25)
    assert len(asked) == 25
    assert shrink(scenario, still, tries=0) == scenario


def test_every_reduction_is_a_scenario_that_can_be_written_and_read():
    for seed in range(6):
        scenario = seeded(seed)
        ways = (lower, simpler, partial(lower, less=much_less), partial(simpler, less=much_less), merged)
        for smaller in (s for way in ways for s in way(scenario)):
            assert written(as_form(smaller)).steps == smaller.steps
            names = {s.name for s in smaller.config.shares}
            created = {s.share.name for s in smaller.steps if isinstance(s, ev.CreateShare)}
            assert all(s.share in names | created for s in smaller.steps if isinstance(s, ev.Submit))
