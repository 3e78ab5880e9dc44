"""A program that checks our messages against the schema that we ship has nothing to complain of."""

from __future__ import annotations

from contextlib import closing

from quotaproof.checker.conform import protocol
from quotaproof.checker.conform.backend import Report
from quotaproof.checker.conform.process import Process
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import VERBS

from ...support.backends import command
from ...support.scenarios import ROOT

LINTER = command("linter", str(ROOT / "spec" / "schemas" / "protocol.schema.json"), packages=True)
SCENARIOS = [seeded(number) for number in range(60)]


def test_no_message_of_any_scenario_departs_from_the_schema():
    with closing(Process(LINTER)) as backend:
        answers = list(backend.run(SCENARIOS))
    assert [a for a in answers if not isinstance(a, Report)] == []
    told = {kind for kind in VERBS.values() if not issubclass(kind, protocol.UNTOLD)}
    assert {type(step) for s in SCENARIOS for step in s.steps} >= told - {ev.Return, ev.SetQueueState}


def test_the_linter_complains_of_a_message_that_departs_from_it(monkeypatch):
    monkeypatch.setattr(protocol, "step_form", lambda step: {"do": str(step)})
    with closing(Process(LINTER)) as backend:
        (answer,) = backend.run(SCENARIOS[:1])
    assert answer.why.startswith("$.steps[")
    assert "not valid under any" in answer.why
