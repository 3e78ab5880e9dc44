"""What the solver answers under budgets, free readings and as SMT-LIB."""

from __future__ import annotations

from dataclasses import replace

import pytest
import z3
from quotaproof.checker.prove import reclaim
from quotaproof.checker.prove.solver import (
    Answer,
    Condition,
    Outcome,
    Solver,
    breaking_readings,
    decide_all,
    one_choice_each,
)
from quotaproof.spec.expr.nodes import all_of, any_of, bool_var, const, int_var
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.expr.walk import variables
from quotaproof.spec.readings import READINGS

from .conditions import EXPECTED, conditions, everything
from .planted import at_readings

HARD = Condition("G1", "x and y", (int_var("x") > int_var("y"),), int_var("x") * 2 > int_var("y") * 2 - 1)


@pytest.mark.parametrize("key", EXPECTED, ids=lambda key: key[1])
def test_a_tiny_budget_gives_unknown_with_a_reason(key):
    (condition,) = [c for c in everything() if (c.code, c.name) == key]
    solver = Solver(rlimit=1)
    for asked in (condition, at_readings(condition)):
        outcome = solver.decide(asked)
        assert outcome.answer is Answer.UNKNOWN
        assert outcome.reason.startswith("the solver gave up: ")
    assert solver.possible("G1", "assumptions", *condition.assume).answer is Answer.UNKNOWN


def test_with_a_tiny_budget_nothing_false_is_proved_and_nothing_true_refuted():
    asked = [c for c in everything() if c.goal is not const(True)]
    answers = [o.answer for o in decide_all(Solver(rlimit=1), asked)]
    proved = {(c.code, c.name) for c, answer in zip(asked, answers, strict=True) if answer is Answer.PROVED}
    assert not proved & EXPECTED.keys()
    assert Answer.REFUTED not in answers
    assert answers.count(Answer.UNKNOWN) > len(asked) / 2


def test_used_up_time_gives_unknown_with_a_reason():
    outcome = Solver(seconds=0).decide(HARD)
    assert (outcome.answer, outcome.reason) == (Answer.UNKNOWN, "the time of --timeout is used up")
    assert {o.answer for o in decide_all(Solver(seconds=0), conditions("rank"))} == {Answer.UNKNOWN}


def test_an_unknown_answer_names_no_readings():
    unknown = Outcome(HARD, Answer.UNKNOWN, reason="gave up")
    assert breaking_readings(Solver(), unknown).combinations == ()
    assert unknown.readings == {}


def test_enough_time_and_budget_decide_it():
    assert Solver(seconds=60).decide(HARD).answer is Answer.PROVED
    refuted = Solver(seconds=60).decide(replace(HARD, goal=int_var("x") > 0))
    assert refuted.answer is Answer.REFUTED
    assert refuted.values["x"] <= 0
    assert refuted.values["y"] < refuted.values["x"]


def test_the_answer_does_not_depend_on_what_was_asked_before():
    solver = Solver()
    some = [*conditions("reclaim")]
    forwards = [solver.decide(c).answer for c in some]
    backwards = [solver.decide(c).answer for c in reversed(some)]
    assert forwards == backwards[::-1]
    assert solver.asked == 2 * len(some)


def test_a_reading_takes_exactly_one_of_its_choices():
    choices = [bool_var(f"A5={choice}") for choice in READINGS["A5"].choices]
    axioms = one_choice_each(frozenset(["A5"]))
    names = list(variables(*choices))
    assert len(names) == 3
    allowed = 0
    for bits in range(8):
        state = {name: bool(bits >> i & 1) for i, name in enumerate(names)}
        holds = evaluate(axioms, state)
        assert holds == (sum(state.values()) == 1)
        allowed += holds
    assert allowed == 3


def test_minimal_readings_are_minimal_and_all_are_found():
    """False under A15 no, and under A23 no together with A58 freed."""
    goal = ~any_of(bool_var("A15=no"), all_of(bool_var("A23=no"), bool_var("A58=freed")))
    solver = Solver()
    found = breaking_readings(solver, solver.decide(Condition("G8", "made up", (), goal))).combinations
    assert sorted(found, key=str) == [{"A15": "no"}, {"A23": "no", "A58": "freed"}]


def test_a_condition_that_the_defaults_refute_names_no_other_readings():
    goal = all_of(int_var("x") > 0, bool_var("A15=yes"))
    solver = Solver()
    assert breaking_readings(solver, solver.decide(Condition("G8", "made up", (), goal))).combinations == ({},)


def test_every_condition_is_written_as_smt_lib_that_reads_back_with_the_expected_answer(tmp_path):
    solver = Solver(emit=tmp_path)
    asked = [at_readings(c) for theorem in ("reclaim", "reserve", "rank") for c in conditions(theorem)]
    asked += [at_readings(c) for c in conditions("safety")[::7]]
    for condition in asked:
        assert solver.decide(condition).answer is Answer.PROVED
    possible = solver.possible("G14", "assumptions", *reclaim.satisfiable())
    assert possible.answer is Answer.PROVED
    files = sorted(tmp_path.iterdir())
    assert len(files) == solver.emitted == solver.asked == len(asked) + 1
    for number, (file, condition) in enumerate(zip(files, [*asked, possible.condition], strict=True), 1):
        text = file.read_text(encoding="utf-8")
        assert file.name == f"{number:04d}-{condition.code}.smt2"
        title, expected, logic = text.splitlines()[:3]
        assert title == f"; {condition.code}: {condition.name}"
        assert logic == "(set-logic QF_LIA)"
        again = z3.SolverFor("QF_LIA")
        again.add(z3.parse_smt2_string(text))
        assert expected == f"; expected: {again.check()}"
        assert str(again.check()) == ("sat" if condition is possible.condition else "unsat")


def test_a_refuted_condition_reads_back_as_satisfiable_against_what_its_file_expects(tmp_path):
    solver = Solver(emit=tmp_path)
    assert solver.decide(replace(HARD, goal=int_var("x") > 0)).answer is Answer.REFUTED
    (file,) = tmp_path.iterdir()
    text = file.read_text(encoding="utf-8")
    again = z3.SolverFor("QF_LIA")
    again.add(z3.parse_smt2_string(text))
    assert "; expected: unsat" in text
    assert again.check() == z3.sat
