"""A second solver and plain Python look at Z3's answers: they agree, a planted mistake is seen, silence is no agreement."""

from __future__ import annotations

from functools import cache

import pytest
import z3
from quotaproof.checker.prove.crosscheck import CrossCheck, Cvc5, Disagreement, Reply
from quotaproof.checker.prove.solver import Answer, Condition, Solver, breaking_readings, decide_all
from quotaproof.checker.prove.theorems import prove
from quotaproof.checker.prove.verify import verdicts
from quotaproof.checker.results import Verdict
from quotaproof.spec.expr import smt
from quotaproof.spec.expr.nodes import all_of, any_of, bool_var, int_var
from quotaproof.spec.readings import Readings
from z3 import z3core

from ..support.queues import queue, share
from .conditions import EXPECTED, conditions, everything

PROVED = Condition("G1", "x above y", (int_var("x") > int_var("y"),), int_var("x") * 2 > int_var("y") * 2 - 1)
REFUTED = Condition("G2", "x above 0", (int_var("x") > int_var("y"),), int_var("x") > 0)
HARD = next(c for c in everything() if (c.code, c.name) in EXPECTED)
PIGEONS = "(set-logic QF_LIA)\n{}(check-sat)\n".format(
    "".join(f"(declare-fun p{i} () Int)(assert (and (<= 1 p{i}) (<= p{i} 13)))\n" for i in range(14))
    + "".join(f"(assert (not (= p{i} p{j})))\n" for i in range(14) for j in range(i))
)
"""Fourteen pigeons, thirteen holes: far more than a tenth of a second."""


class Says:
    """A second solver that gives the same reply to everything, and remembers what it was asked."""

    name = "fake 1"

    def __init__(self, *reply: str):
        self.reply = Reply(*reply)
        self.asked = []

    def check(self, text, seconds):
        self.asked.append((text, seconds))
        return self.reply


class Agrees:
    """A second solver that asks Z3 itself, from the text."""

    name = "z3"

    def check(self, text, seconds):  # noqa: ARG002
        again = z3.SolverFor("QF_LIA")
        again.add(z3.parse_smt2_string(text))
        return Reply(str(again.check()))


@cache
def cvc5():
    pytest.importorskip("cvc5", reason="cvc5 is not installed: pip install '.[crosscheck]'")
    return Cvc5()


def test_cvc5_agrees_with_every_condition_of_every_theorem():
    crossed = CrossCheck(cvc5())
    solver = Solver(cross_check=crossed)
    asked = everything()
    outcomes = decide_all(solver, asked)
    assert {(o.condition.code, o.condition.name) for o in outcomes if o.answer is Answer.REFUTED} == EXPECTED.keys()
    assert Answer.UNKNOWN not in {o.answer for o in outcomes}
    assert solver.asked == crossed.asked == crossed.agreed == len(asked)


def test_a_proof_of_everything_says_that_cvc5_agrees_and_finds_the_same():
    crossed = CrossCheck(cvc5())
    again, alone = prove(cross_check=crossed), prove()
    assert again.by_code.keys() == alone.by_code.keys()
    for code, proof in again.by_code.items():
        assert (proof.proved, proof.conditions) == (alone.by_code[code].proved, alone.by_code[code].conditions)
        assert sorted(map(str, proof.broken)) == sorted(map(str, alone.by_code[code].broken))
    assert crossed.agreed == crossed.asked > len(everything()), "which readings matter is asked too"
    assert again.solver["cross_check"] == f"{cvc5().name} agrees with all {crossed.asked} answers of Z3"
    assert "undecided" not in again.solver
    assert "cross_check" not in alone.solver


@pytest.mark.parametrize(
    ("condition", "lie", "said"),
    [(PROVED, "sat", "Z3 says unsat, fake 1 says sat."), (REFUTED, "unsat", "Z3 says sat, fake 1 says unsat.")],
)
def test_a_disagreement_names_the_condition_and_holds_its_question(condition, lie, said):
    with pytest.raises(Disagreement) as caught:
        Solver(cross_check=CrossCheck(Says(lie))).decide(condition)
    title, answers, _, text = str(caught.value).split("\n", 3)
    assert (title, answers) == (f"{condition.code}: {condition.name}", said)
    assert text.startswith("(set-logic QF_LIA)\n")
    again = z3.SolverFor("QF_LIA")
    again.add(z3.parse_smt2_string(text))
    assert str(again.check()) == ("unsat" if lie == "sat" else "sat")


def test_the_assumptions_that_must_hold_together_and_the_search_for_readings_are_looked_at_too():
    second = Says("sat")
    solver = Solver(cross_check=CrossCheck(second))
    assert solver.possible("G14", "together", int_var("x") > 0).answer is Answer.PROVED
    assert len(second.asked) == 1
    goal = all_of(bool_var("A15=yes"), bool_var("A23=yes"))
    refuted = Solver().decide(Condition("G8", "made up", (), goal))
    with pytest.raises(Disagreement, match="G8: made up"):
        breaking_readings(solver, refuted)


OPERATORS = {
    "<= as <": ("le", z3core.Z3_mk_lt),
    "< as <=": ("lt", z3core.Z3_mk_le),
    "<= as >=": ("le", z3core.Z3_mk_ge),
    "= as <=": ("eq", z3core.Z3_mk_le),
    "implies turned round": ("implies", lambda c, a, b: z3core.Z3_mk_implies(c, b, a)),
    "implies as if and only if": ("implies", z3core.Z3_mk_iff),
    "maximum as minimum": ("max", lambda c, a, b: z3core.Z3_mk_ite(c, z3core.Z3_mk_lt(c, a, b), a, b)),
    "minimum as maximum": ("min", lambda c, a, b: z3core.Z3_mk_ite(c, z3core.Z3_mk_gt(c, a, b), a, b)),
    "ite turned round": ("ite", lambda c, i, a, b: z3core.Z3_mk_ite(c, i, b, a)),
    "not lost": ("not", lambda _c, a: a),
}


@pytest.mark.parametrize("mistake", OPERATORS)
def test_an_operator_translated_wrongly_is_seen_although_both_solvers_agree(monkeypatch, mistake):
    """cvc5 reads what Z3 was given: it would agree. The state that Z3 finds does not satisfy the rules in Python."""
    operator, wrong = OPERATORS[mistake]
    right = smt.Terms.__init__

    def mistaken(self):
        right(self)
        self._make[operator] = wrong

    monkeypatch.setattr(smt.Terms, "__init__", mistaken)
    solver = Solver(cross_check=CrossCheck(Agrees()))
    with pytest.raises(Disagreement, match="Z3 says sat, but in its state this is false, evaluated in Python: "):
        decide_all(solver, everything())


def test_values_that_z3_leaves_open_do_not_matter():
    part = any_of(int_var("x") > 0, int_var("y") > 0)
    for model in ({"x": 1}, {"y": 1}):
        assert CrossCheck(Says("sat")).doubt(("G1", "some"), [part], "", model, None) == ""
    with pytest.raises(Disagreement, match="x = 0\n; y = -1"):
        CrossCheck(Says("sat")).doubt(("G1", "some"), [part], "", {"y": -1}, None)


def test_silence_of_the_second_solver_is_no_agreement():
    crossed = CrossCheck(Says("unknown", "it went for a walk"))
    solver = Solver(cross_check=crossed)
    for condition in (PROVED, REFUTED):
        outcome = solver.decide(condition)
        assert outcome.answer is Answer.UNKNOWN
        assert outcome.reason == "fake 1 did not confirm it: it went for a walk"
        assert outcome.values == {}
    assert solver.possible("G14", "together", int_var("x") > 0).answer is Answer.UNKNOWN
    assert crossed.about == {
        "cross_check": "fake 1 agrees with 0 of 3 answers of Z3; 3 undecided",
        "undecided": "3",
    }


def test_what_z3_does_not_decide_is_not_asked_again():
    second = Says("unsat")
    assert Solver(rlimit=1, cross_check=CrossCheck(second)).decide(HARD).answer is Answer.UNKNOWN
    assert second.asked == []


def test_cvc5_has_a_budget_of_its_own_and_a_tiny_one_confirms_nothing_false():
    cvc5()
    crossed = CrossCheck(Cvc5(rlimit=1))
    outcomes = decide_all(Solver(cross_check=crossed), conditions("reclaim"))
    assert 0 < sum(o.answer is Answer.UNKNOWN for o in outcomes) == crossed.asked - crossed.agreed
    assert {o.reason for o in outcomes} <= {"", f"{cvc5().name} did not confirm it: its budget is used up"}


def test_the_time_that_is_left_bounds_the_second_solver():
    second = Says("unsat")
    assert Solver(seconds=60, cross_check=CrossCheck(second)).decide(PROVED).answer is Answer.PROVED
    ((_, seconds),) = second.asked
    assert 0 < seconds <= 60
    late = CrossCheck(second).doubt(("G1", "late"), [PROVED.goal], "", None, 0)
    assert late == "fake 1 did not confirm it: the time of --timeout is used up"
    assert len(second.asked) == 1


def test_cvc5_stops_when_the_time_is_used_up():
    cvc5()
    assert Cvc5(rlimit=0).check(PIGEONS, 0.1) == Reply("unknown", "the time of --timeout is used up")


class SilentOn(CrossCheck):
    """A cross-check that gets no answer to one condition, and agreement to all others."""

    def __init__(self, about):
        super().__init__(Says("unknown", "too hard"))
        self._about = about

    def doubt(self, about, parts, text, model, seconds):
        if about == self._about:
            return super().doubt(about, parts, text, model, seconds)
        self.asked += 1
        self.agreed += 1
        return ""


@pytest.mark.parametrize("code", ["G1", "laws", "G18"])
def test_a_question_without_an_answer_leaves_what_rests_on_it_undecided(code):
    first = next(c for c in everything() if c.code == code)
    crossed = SilentOn((first.code, first.name))
    proofs = prove(cross_check=crossed)
    assert proofs.by_code[code].unknown == "fake 1 did not confirm it: too hard"
    assert proofs.solver["undecided"] == "1"
    config = queue(4, share("A", 2), share("B", 2, "LEND_AND_BORROW"))
    results = {r.code: r for r in verdicts(config, Readings(), proofs).results}
    undecided = {c for c, r in results.items() if r.verdict is Verdict.UNKNOWN and not r.open}
    assert undecided >= {"laws": {"G1", "G2", "G9", "G14", "G18"}}.get(code, {code})
