"""A scheduler of this process is a backend; what it raises or reports wrongly is its own fault, told of that scenario."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.asserting import assert_conforms, assert_obeys
from quotaproof.checker.conform.backend import BackendError, Declaration, Report
from quotaproof.checker.conform.in_process import InProcess
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.observations import Settled, Submitted

from ...support.driven import Driven
from ...support.queues import queue, share
from ...support.wrong import WRONG
from ...support.wrong.kills import saved

CONFIG = queue(2, share("a", 1), share("b", 1))
STEPS = (ev.Submit("a1", "a", {"u": 1}), Settle(), ev.Finish("a1"), Settle())
SCENARIO = Scenario("short", "A job.", CONFIG, STEPS)
NAMES_CLAIMS = Declaration("driven", claims=True)


def driven():
    return Driven(Reference())


class Told:
    """Reports the same of every step."""

    def __init__(self, *what):
        self.what = what

    def configure(self, config):
        pass

    def step(self, _step):
        yield from self.what


def test_the_reference_as_a_scheduler_is_the_reference():
    backend = InProcess.of(driven, NAMES_CLAIMS)
    some = [seeded(n) for n in range(40)]
    assert [a.seen for a in backend.run(some)] == [a.seen for a in Reference().run(some)]
    assert all(t.status is Status.PASSED for t in assert_conforms(driven, *some, declared=NAMES_CLAIMS))


def test_each_scenario_has_a_new_scheduler():
    made = []
    backend = InProcess.of(lambda: made.append(driven()) or made[-1])
    list(backend.run([SCENARIO] * 3))
    assert len(made) == 3


@pytest.mark.parametrize(
    ("what", "code"),
    [((3,), "garbage"), ((ev.Misconfigured("a1", "why"),) * 5_002, "never-settles"), ((Settled(), 1 / 2), "garbage")],
)
def test_what_is_no_answer_is_an_error(what, code):
    (answer,) = InProcess.of(lambda: Told(*what)).run([SCENARIO])
    tested = judged(SCENARIO, answer, Declaration("told"))
    assert (tested.status, tested.failure) == (Status.ERRORED, code)


class Odd(ev.Finish):
    """No kind that quotaproof knows."""

    def __repr__(self):
        raise ValueError


@pytest.mark.parametrize(("what", "said"), [
    (ev.Stopped("a1"), "(job='a1'), which is no observation: quotaproof.spec.observations lists them, Preempted in its place"),
    (ev.Advance("a1"), "(job='a1'), which is no observation: quotaproof.spec.observations lists them, Reached in its place"),
    (STEPS[0], "which is no observation: quotaproof.spec.observations lists them, Submitted in its place"),
    (Settle(), "Settle(drains=True), which is no observation: quotaproof.spec.observations lists them"),
    (Odd("a1"), "a Odd, which is no observation: quotaproof.spec.observations lists them"),
])  # fmt: skip
def test_a_step_reported_as_it_was_asked_is_an_error_of_whoever_reports_it(what, said):
    (answer,) = InProcess.of(lambda: Told(what)).run([SCENARIO])
    assert answer.why.endswith(said)
    tested = judged(SCENARIO, Report((Submitted("a1", "a", {"u": 1}), what)), Declaration("told"))
    assert (tested.status, tested.failure, len(tested.seen)) == (Status.ERRORED, "garbage", 1)
    assert tested.why.endswith(said)
    with pytest.raises(AssertionError) as error:
        assert_obeys(CONFIG, [Submitted("a1", "a", {"u": 1}), what], name="mine")
    assert str(error.value).startswith("observation 2 of mine: it reported ")
    assert str(error.value).endswith(said)


def test_an_exception_is_told_with_its_place_and_the_next_scenario_runs():
    class Falls(Driven):
        def __init__(self):
            super().__init__(Reference())

        def step(self, step):
            if isinstance(step, ev.Finish):
                raise KeyError(step.job)
            return super().step(step)

    first, second = InProcess.of(Falls).run([SCENARIO, Scenario("b", "", CONFIG, STEPS[:2])])
    assert first.code == "raised"
    assert "KeyError" in first.why and "test_in_process.py:" in first.why
    assert [type(s) for s in first.seen] == [Submitted, ev.Dispatch, Settled]
    assert judged(SCENARIO, second, Declaration("falls")).status is not Status.PASSED
    with pytest.raises(AssertionError, match="did not run short: it raised KeyError"):
        assert_conforms(Falls, SCENARIO)


def test_an_object_in_place_of_its_class_is_refused():
    with pytest.raises(BackendError, match="makes no scheduler"):
        InProcess.of(Told())


def test_a_failure_names_the_promise_the_false_clause_and_what_led_there():
    with pytest.raises(AssertionError) as error:
        assert_conforms(WRONG["one-more-machine"].backend("greedy"), saved("one-more-machine"))
    told = str(error.value).splitlines()
    assert told[0].startswith("greedy breaks G1, environment respected:")
    assert told[1].startswith("false here: ")
    assert told[-1].startswith("  > ") and "dispatch" in told[-1]


def test_observations_are_judged_without_a_scenario():
    seen = [Submitted("a1", "a", {"u": 1}), Submitted("a2", "a", {"u": 1}), ev.Dispatch("a1"), Settled()]
    assert assert_obeys(CONFIG, seen)["G16"] == 1
    with pytest.raises(AssertionError, match="mine breaks G4, "):
        assert_obeys(CONFIG, [*seen[:3], ev.Dispatch("a2")], name="mine")
