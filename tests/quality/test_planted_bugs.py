"""Each clause of each guard is there for a reason: forgotten, it breaks its own guarantee and no other."""

from __future__ import annotations

import pytest
from quotaproof.checker.prove.solver import Answer, decide_all
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.guarantees import FIRST_CAUSE, GUARANTEES

from .planted import (
    DEFINITIONS,
    FORGOTTEN,
    altered,
    at_readings,
    codes,
    correct,
    forgetting,
    kinds,
    proved_codes,
    refuted,
    solver,
    without_debt,
    written_codes,
)


def test_the_table_lists_every_clause_of_every_action():
    assert written_codes() - DEFINITIONS == set(FORGOTTEN)
    assert written_codes() >= DEFINITIONS


def test_the_theorems_use_every_clause_of_every_action():
    assert proved_codes() == written_codes()


def test_the_table_names_guarantees_that_a_step_can_be_charged_with():
    named = set().union(*[f.codes for f in FORGOTTEN.values()])
    assert named <= set(FIRST_CAUSE) <= set(GUARANTEES)
    assert set(FIRST_CAUSE) - named == {"G6+", "G11", "G12"}, (
        "they follow from effects or are about whole plans; no clause guards them"
    )


def test_nothing_is_broken_when_nothing_is_forgotten():
    outcomes = decide_all(solver(), [at_readings(c) for c in correct()])
    assert {o.answer for o in outcomes} == {Answer.PROVED}
    assert altered(forgetting("no.such.clause")) == []


@pytest.mark.parametrize("code", FORGOTTEN)
def test_a_forgotten_clause_breaks_its_own_guarantee_and_no_other(code):
    expected = FORGOTTEN[code]
    found = refuted(forgetting(code), expected.readings)
    assert codes(found) == expected.codes
    steps = {name.removesuffix(": excess does not grow") for name in kinds(found)}
    assert steps == expected.kinds


@pytest.mark.parametrize("code", [c for c, f in FORGOTTEN.items() if f.readings])
def test_a_clause_of_another_reading_is_idle_at_the_default_readings(code):
    assert refuted(forgetting(code)) == []
    assert all(READINGS[question].default != choice for question, choice in FORGOTTEN[code].readings.items())


def test_the_environment_clause_is_needed_only_after_the_environment_was_cut():
    bug = forgetting("dispatch.environment")
    assert codes(refuted(bug)) == {"G1"}
    assert len(altered(bug)) > 50
    assert refuted(bug, given=without_debt) == []


def broken_without_debt(code):
    """Whether the forgotten clause breaks its guarantee also while no administrator has acted."""
    asked = (at_readings(without_debt(c)) for c in altered(forgetting(code)) if c.code in FORGOTTEN[code].codes)
    return any(solver().decide(c).answer is Answer.REFUTED for c in asked)


def test_no_other_clause_of_a_dispatch_waits_for_an_administrator():
    physical = [c for c in FORGOTTEN if c.startswith("dispatch.") and not FORGOTTEN[c].readings]
    assert [c for c in physical if not broken_without_debt(c)] == ["dispatch.environment"]
    assert FORGOTTEN["dispatch.environment"].why.startswith("redundant until the environment is cut")


def test_the_pool_clause_guards_loans_and_the_reserved_clause_what_owners_keep():
    pool = {o.condition.name for o in refuted(forgetting("dispatch.pool"))}
    assert not any("excess" in name for name in pool), "without reserve debt a loan too many leaves every reserve whole"
    reserved = {o.condition.name for o in refuted(forgetting("dispatch.reserved"))}
    assert any("excess" in name for name in reserved)
