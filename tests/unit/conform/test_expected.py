"""A file of known failures against a run: what differs in guarantee, in kind or in number is told, each once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.conform.expected import Expected
from quotaproof.checker.conform.features import FEATURES, lacking
from quotaproof.checker.conform.profiles import LEND_BORROW
from quotaproof.checker.conform.real.cluster import CannotExpress
from quotaproof.checker.conform.slurm.nodes import Nodes
from quotaproof.checker.conform.sometimes import GOALS
from quotaproof.checker.conformed import Declared, Tried
from quotaproof.checker.results import Result, Verdict
from quotaproof.spec.rules.guarantees import GUARANTEES

KNOWN = Path(__file__).parents[3] / ".ci/slurm.json"
IN_USE = {"aws-qs-lower", "a-job-stopped-twice-takes-its-own-back", "admin-1-limit-lowered", "admin-1-own-limit-lowered",
          "reserve-starts-beside-debt", "bug-stopped-once-takes-nothing", "bug-stopped-twice-takes-nothing"}  # fmt: skip
"""Scenarios that turn out to take machines away that are in use, which no node of Slurm can."""


def named(**codes):
    """Scenario -> guarantees."""
    return {scenario: frozenset(of.split()) for scenario, of in codes.items()}


def expected(broken=None, sometimes=None, undecided=(), scenarios=1):
    return Expected("f", scenarios, named(**broken or {}), named(**sometimes or {}), frozenset(undecided))


def breaks(scenario, *codes):
    return Result("SCENARIO", Verdict.BROKEN_HERE, "false", scenario, breaks=codes)


def once(scenario, code):
    return Result("FLAKE", Verdict.UNKNOWN, f"{code} broken in 1 of 5 runs", scenario, breaks=(code,))


def guarantee(code, verdict):
    return Result(code, verdict, "why")


def ran(part, scenarios, failed=0):
    return Tried(part, scenarios, scenarios - failed, failed, 0, 0, 0, 0.0)


CORPUS = ran("corpus", 5)


@pytest.mark.parametrize(("known", "events", "said"), [
    pytest.param(expected(sometimes={"s": "G9"}), [once("s", "G1")], ["s: G1 broken in 1 of 5 runs"], id="other-flake"),
    pytest.param(expected(sometimes={"s": "G9"}), [once("s", "G9"), guarantee("G9", Verdict.UNKNOWN)], [], id="known-flake"),
    pytest.param(expected({"s": "G9"}), [breaks("s", "G9"), once("s", "G1")], ["s: G1 broken in 1 of 5 runs"], id="beside"),
    pytest.param(expected({"s": "G21"}), [breaks("s", "G21", "G1"), guarantee("G1", Verdict.BROKEN_HERE)],
                 ["s breaks G1, and G21 alone is expected"], id="breaks-one-more"),
    pytest.param(expected({"s": "G21 G1"}), [breaks("s", "G21")], ["s is expected to break G1, and does not"],
                 id="breaks-one-less"),
    pytest.param(expected({"s": "G21"}, {"s": "G1"}), [breaks("s", "G21", "G1")], [], id="sometimes-breaks-one-more"),
    pytest.param(expected({"s": "G21"}), [once("s", "G21"), guarantee("G21", Verdict.UNKNOWN)],
                 ["s: G21 broken in 1 of 5 runs", "s is expected to break G21, and does not"], id="only-once-now"),
    pytest.param(expected(scenarios=125), [ran("campaign", 200), ran("known failures", 9)],
                 ["5 scenarios of the corpus were run, 125 are expected"], id="generated-do-not-count"),
    pytest.param(expected({"s": "G9"}), [breaks("s", "G9"), ran("campaign", 9, 1), guarantee("G1", Verdict.BROKEN_HERE)],
                 ["G1 is broken in generated scenarios, and f does not name it"], id="generated"),
    pytest.param(expected(), [Result("GOAL", Verdict.UNKNOWN, "never", "reclaimed")], ["reclaimed is undecided: never"],
                 id="goal"),
    pytest.param(expected(), [guarantee("G14", Verdict.UNKNOWN)], ["G14 is undecided: why"], id="never-came-up"),
    pytest.param(expected(), [Declared("b", "b", core=("borrowing", "gangs"), missing=("gangs", "stages"))],
                 ["gangs is undecided: a core feature that it does not have"], id="core-feature"),
    pytest.param(expected(), [Result("SCENARIO", Verdict.UNKNOWN, "core, skipped", "s", skipped=True)],
                 ["s is undecided: core, skipped"], id="core-scenario"),
    pytest.param(expected(), [Result("SCENARIO", Verdict.UNKNOWN, "died", "s")], ["s went wrong: died"], id="wrong"),
    pytest.param(expected(undecided=["reclaimed", "G14"]), [Result("GOAL", Verdict.UNKNOWN, "never", "reclaimed")],
                 ["G14 is expected to be undecided, and is not"], id="decided-now"),
    pytest.param(expected({"s": "G14"}, undecided=["G14"]), [breaks("s", "G14"), guarantee("G14", Verdict.BROKEN_HERE)], [],
                 id="broken-instead"),
])  # fmt: skip
def test_a_run_differs_in_just_this(known, events, said):
    assert list(known.differences([CORPUS, *events])) == said


def test_no_two_things_that_may_be_undecided_have_one_name():
    names = [*GOALS, *FEATURES, *GUARANTEES, *(s.name for s in corpus())]
    assert len(names) == len(set(names))


def can(scenario):
    """Whether Slurm can be told the scenario, as far as that is known before it is played."""
    try:
        Nodes("l", scenario, scenario.config.units).check()
    except CannotExpress:
        return False
    return not lacking(scenario, Nodes.features)


def test_slurms_known_failures_count_every_scenario_that_slurm_can_run():
    known, allowed = json.loads(KNOWN.read_text()), {s.name for s in corpus() if can(s)}
    assert allowed >= IN_USE
    assert known["scenarios"] == len(allowed - IN_USE)
    assert {name for names in known["broken"].values() for name in names} <= allowed
    assert set(known["undecided"]) <= set(LEND_BORROW.goals)
