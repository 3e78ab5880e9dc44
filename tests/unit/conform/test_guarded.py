"""A backend in this process that breaks its word is told so, of the scenario in which it does, and never ends the run."""

from __future__ import annotations

import sys

import pytest
from quotaproof.checker.conform.backend import BackendError, Report, Unable
from quotaproof.checker.conform.guarded import FAILURES, Guarded
from quotaproof.checker.conform.in_process import InProcess
from quotaproof.checker.conform.protocol import MOST
from quotaproof.checker.conform.reference import Reference
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.observations import Settled

from ...support.queues import queue, share

CONFIG = queue(1, share("a", 1))
GOOD, BAD = (Scenario(name, "", CONFIG, (ev.Submit(name, "a", {"u": 1}), Settle())) for name in ("good", "bad"))


class Bad(Reference):
    """Obeys, except in `BAD`."""

    def run(self, scenarios):
        for scenario in scenarios:
            if scenario is BAD:
                yield self.bad()
            else:
                yield from super().run([scenario])

    def bad(self):
        raise NotImplementedError


def leaves(_):
    sys.exit(0)


def falls(_):
    raise RuntimeError("boom")


def closes(_):
    raise GeneratorExit


@pytest.mark.parametrize(("bad", "code", "why"), [
    (leaves, "exited", "it raised SystemExit: 0 (at test_guarded.py:"),
    (closes, "exited", "it raised GeneratorExit"),
    (falls, "raised", "it raised RuntimeError: boom (at test_guarded.py:"),
    (lambda _: None, "invalid-message", "it answered None, which is no answer"),
    (lambda _: Report([None, 3]), "garbage", "it reported None, which is no observation"),
    (lambda _: Report([Settled()] * (MOST + 1)), "too-much-output", "more than 100,000 observations"),
    (lambda _: Report(5), "raised", "it raised TypeError"),
])  # fmt: skip
def test_a_fault_is_told_of_its_scenario_and_the_others_are_run(bad, code, why):
    backend = Guarded(type("Bad", (Bad,), {"bad": bad})(), "my:backend")
    first, second, third = backend.run([GOOD, BAD, GOOD])
    assert isinstance(second, Unable)
    assert (second.code, second.skipped) == (code, False)
    assert why in second.why
    assert isinstance(first, Report) and isinstance(third, Report)


def test_who_stops_answering_is_asked_anew_and_given_up_in_the_end():
    class Few(Reference):
        def run(self, scenarios):
            yield from super().run(scenarios[:1])

    class Mute(Reference):
        def run(self, _):
            return iter(())

    assert [isinstance(a, Report) for a in Guarded(Few(), "few").run([GOOD] * 4)] == [True, False, True, False]
    codes = [a.code for a in Guarded(Mute(), "mute").run([GOOD] * (FAILURES + 3))]
    assert codes == ["invalid-message"] * (FAILURES + 1) + ["given-up"] * 2


def test_one_answer_too_many_is_told_of_the_last():
    class Many(Reference):
        def run(self, scenarios):
            yield from super().run([*scenarios, GOOD])

    first, second = Guarded(Many(), "many").run([GOOD, GOOD])
    assert isinstance(first, Report)
    assert (second.code, second.why) == ("out-of-order", "it gave more answers than it was given scenarios")


@pytest.mark.parametrize(("method", "does", "what"), [
    ("declare", lambda _: None, "my:backend does not say what it is"),
    ("declare", leaves, "my:backend cannot say what it is"),
    ("close", falls, "my:backend cannot be closed"),
])  # fmt: skip
def test_what_cannot_be_used_is_one_error(method, does, what):
    backend = Guarded(type("Odd", (Reference,), {method: does})(), "my:backend")
    with pytest.raises(BackendError) as caught:
        getattr(backend, method)()
    assert caught.value.what == what and caught.value.why and caught.value.fix


def test_a_scheduler_that_leaves_the_process_has_left_its_scenario_alone():
    class Leaves:
        def configure(self, _):
            pass

        def step(self, _):
            sys.exit(3)

    (answer,) = InProcess.of(Leaves).run([GOOD])
    assert (answer.code, answer.seen) == ("exited", [])
