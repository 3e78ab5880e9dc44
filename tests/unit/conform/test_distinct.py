"""Failures are shrunk, told apart by guarantee and shape, and kept even where they do not come again."""

from __future__ import annotations

from dataclasses import replace

from quotaproof.checker.conform.account import file_of
from quotaproof.checker.conform.backend import Backend
from quotaproof.checker.conform.distinct import NOT_AGAIN, breaks, distinct, shape
from quotaproof.checker.conform.drawing import drawn
from quotaproof.checker.conform.verdict import judged
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle

from ...support.named import Moody
from ...support.queues import queue, share
from ...support.wrong import WRONG


def named(share_: str, job: str, unit: str = "u", n: int = 1) -> Scenario:
    config = queue({unit: 2}, share(share_, {unit: 1}, "LEND"))
    return Scenario(f"{share_} and {job}", "", config, (ev.Submit(job, share_, {unit: n}), Settle()))


def fails(backend: Backend, scenario: Scenario, code: str) -> bool:
    (answer,) = backend.run([scenario])
    return breaks(judged(scenario, answer, backend.declare()), code)


def test_a_shape_is_what_names_do_not_say() -> None:
    assert shape(named("a", "j")) == shape(named("submit", "share", "size"))
    assert shape(named("a", "j")) != shape(named("a", "j", n=2))
    assert shape(named("a", "j")) != shape(replace(named("a", "j"), steps=(Settle(),)))


def test_two_jobs_of_one_name_are_another_shape_than_two_of_two() -> None:
    steps = (ev.Submit("x", "a", {"u": 1}), Settle(), ev.Finish("x"))
    other = (*steps[:2], ev.Finish("y"))
    assert shape(replace(named("a", "j"), steps=steps)) != shape(replace(named("a", "j"), steps=other))


def test_forty_failing_scenarios_are_a_few_small_failures() -> None:
    backend = WRONG["borrows-one-more"].backend("greedy")
    declared = backend.declare()
    scenarios = [drawn(1, number, declared) for number in range(200)]
    tested = [judged(s, a, declared) for s, a in zip(scenarios, backend.run(scenarios), strict=True)]
    failing = [t.scenario for t in tested if any(b.code == "G3" for b in t.broken)]
    assert len(failing) >= 10
    kept = distinct(backend, declared, "G3", [*failing, *failing])
    assert 1 <= len(kept) <= 5
    assert len({shape(k.scenario) for k in kept}) == len(kept)
    first = kept[0].scenario
    assert sum(isinstance(s, ev.Submit) for s in first.steps) <= 2
    assert (first.name, first.about) == (f"G3-{shape(first)}", "greedy breaks G3.")
    assert first.checks == ("G3",)
    (again,) = backend.run([first])
    assert judged(first, again, declared).code == "G3"


def test_a_failure_that_does_not_come_again_is_kept_whole() -> None:
    backend = Moody("moody")
    declared = backend.declare()
    scenario = drawn(1, 5, declared)
    list(backend.run([scenario]))
    (kept,) = distinct(backend, declared, "G3", [scenario])
    assert kept.false == NOT_AGAIN
    assert kept.scenario.steps == scenario.steps


def test_a_failure_of_a_guarantee_with_a_sign_in_its_code_has_a_file_that_names_it() -> None:
    backend = WRONG["insufficient-plan"].backend("greedy")
    declared = backend.declare()
    found = next(s for s in (drawn(1, n, declared) for n in range(400)) if fails(backend, s, "G6+"))
    (kept,) = distinct(backend, declared, "G6+", [found])
    assert kept.scenario.name == f"G6plus-{shape(kept.scenario)}"
    assert file_of(kept.scenario) == f"conform/{kept.scenario.name}.json"


def test_the_order_of_units_is_no_part_of_a_shape() -> None:
    def two(*units: str) -> Scenario:
        config = queue(dict.fromkeys(units, 3), share("a", dict.fromkeys(units, 1), "LEND"))
        return Scenario("two", "", config, (ev.Submit("j", "a", {"x": 2}), Settle()))

    assert shape(two("x", "y")) == shape(two("y", "x"))
