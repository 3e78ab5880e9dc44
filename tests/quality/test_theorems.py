"""The theorems as they must come out: what is proved, what is refuted by which readings, and that none is vacuous."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.prove import reclaim, steps
from quotaproof.checker.prove.solver import (
    Answer,
    Condition,
    Solver,
    breaking_readings,
    decide_all,
)
from quotaproof.checker.prove.steps import ROLES, UNIT, lawful, moves, own_claim
from quotaproof.spec.expr.nodes import Bool, all_of, any_of, const, ite, positive
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.expr.walk import variables
from quotaproof.spec.rules import actions, guarantees
from quotaproof.spec.rules.laws import LAWS, well_formed
from quotaproof.spec.rules.quantities import NOW
from quotaproof.spec.rules.view import Summarised

from .conditions import EXPECTED, THEOREMS, conditions, everything
from .planted import at_readings

COUNTS = {"laws": 51, "safety": 198, "reserve": 2, "reclaim": 47, "rank": 4}


# what is proved


@pytest.mark.parametrize("theorem", THEOREMS)
def test_every_condition_is_proved_under_the_default_readings(theorem):
    outcomes = decide_all(Solver(), [at_readings(c) for c in conditions(theorem)])
    assert {o.answer for o in outcomes} == {Answer.PROVED}
    assert len(outcomes) == COUNTS[theorem]


def test_with_readings_free_exactly_the_expected_conditions_are_refuted_by_exactly_these_readings():
    solver = Solver()
    found = {}
    for outcome in decide_all(solver, everything()):
        if outcome.answer is not Answer.PROVED:
            assert outcome.answer is Answer.REFUTED
            broken = breaking_readings(solver, outcome).combinations
            found[outcome.condition.code, outcome.condition.name] = sorted(broken, key=str)
    assert found == {key: sorted(readings, key=str) for key, readings in EXPECTED.items()}


@pytest.mark.parametrize("key", EXPECTED, ids=lambda key: key[1])
def test_each_of_these_readings_alone_refutes_the_condition_and_the_default_does_not(key):
    (condition,) = [c for c in everything() if (c.code, c.name) == key]
    solver = Solver()
    for chosen in EXPECTED[key]:
        assert solver.decide(at_readings(condition, chosen)).answer is Answer.REFUTED
    assert solver.decide(at_readings(condition)).answer is Answer.PROVED


def test_every_guarantee_that_a_single_step_can_break_has_a_condition():
    proved = {c.code for c in everything()} - {"laws"}
    assert proved == {*guarantees.FIRST_CAUSE, "G14", "G15", "G17", "G18"} - {"G6+"}, "G6+ is about whole plans"


def test_deciding_together_gives_the_same_answers_as_one_by_one():
    some = [*conditions("reclaim"), *conditions("laws")]
    one_by_one = [Solver().decide(c).answer for c in some]
    assert [o.answer for o in decide_all(Solver(), some)] == one_by_one
    assert one_by_one.count(Answer.REFUTED) == 4


# nothing is proved of nothing


def test_the_assumptions_of_every_condition_are_possible():
    solver = Solver()
    groups = {tuple(id(a) for a in c.assume): c for c in everything()}
    assert len(groups) > 60
    for condition in groups.values():
        chosen = at_readings(condition)
        assert solver.possible(chosen.code, chosen.name, *chosen.assume).answer is Answer.PROVED, chosen.name


def debts(cell) -> dict[str, object]:
    """Every excess, 0 while nothing is owed: the promises G1-G4 and loans beyond what lenders leave idle."""
    over = guarantees.beyond_borrow_limit(cell)
    return {
        "G1": guarantees.beyond_environment(cell),
        "G2": guarantees.beyond_protected(cell),
        "G3": ite(cell.may_borrow, over, 0),
        "G4": ite(cell.may_borrow, 0, over),
        "loans": positive(cell.total(NOW.borrowed) - cell.total(NOW.lendable_idle)),
    }


def no_debt(view: Summarised) -> list[Bool]:
    return [owed == 0 for s in view.shares for owed in debts(view.at(s, UNIT)).values()]


def busy(view: Summarised) -> Bool:
    """At least two shares use machines or ask for them."""
    active = [ite(any_of(c.usage > 0, c.asks > 0), 1, 0) for c in (view.at(s, UNIT) for s in view.shares)]
    others = ite(view.rest(NOW.used, UNIT) > 0, 1, 0)
    return sum(active, start=others) >= 2


ASKS = ("dispatch", "preempt cross-share", "preempt in-share", "claim", "release", "preempt and dispatch at once")
TAKES = ("preempt cross-share", "preempt in-share", "stop", "finish", "finish while draining",
         "return for lack of machines", "preempt and dispatch at once")  # fmt: skip
STEPS = {(m.kind, m.pattern): m for m in moves()}


def gang(move) -> list[Bool]:
    """The job and the victim of the step are of at least two machines."""
    asks, takes = move.before.at(move.actor, UNIT).asks, move.before.at(move.victim, UNIT).takes
    return [asks >= 2] * (move.kind in ASKS) + [takes >= 2] * (move.kind in TAKES)


def test_every_kind_of_step_is_proved_in_every_way_its_roles_coincide():
    assert {kind for kind, _ in STEPS} == {*ASKS, *TAKES}
    together = [kind for kind, _ in STEPS if kind not in ("preempt cross-share", "preempt in-share")]
    assert all(together.count(kind) == len(ROLES) == 5 for kind in set(together))


@pytest.mark.parametrize(("kind", "pattern"), STEPS)
def test_every_step_can_happen_to_gangs_among_several_shares_without_debt(kind, pattern):
    move = STEPS[kind, pattern]
    state = [*at_readings(Condition("", "", move.assume, const(False))).assume, *no_debt(move.before)]
    outcome = Solver().possible(kind, pattern, *state, busy(move.before), *gang(move))
    assert outcome.answer is Answer.PROVED
    assert all(evaluate(part, {**dict.fromkeys(variables(part), 0), **outcome.values}) for part in gang(move))


@pytest.mark.parametrize("held", [actions.holds, lambda view, share: actions.yields(view, share, "e")],
                         ids=["holds", "yields"])  # fmt: skip
def test_a_borrower_may_start_beside_a_claim_and_beside_an_entitled_head(held):
    view = Summarised(("c", "e"), (UNIT,))
    c, e = view.at("c", UNIT), view.at("e", UNIT)
    waiting = all_of(e.asks >= 2, actions.within_limit(e), e.claims_due >= 2, c.asks >= 2, c.usage >= c.limit)
    parts = [lawful(view), own_claim(c), actions.dispatch(view, "c").guard, held(view, "c"), waiting, *no_debt(view)]
    condition = at_readings(Condition("", "", tuple(parts), const(False)))
    assert Solver().possible("", "", *condition.assume).answer is Answer.PROVED


def test_the_assumptions_of_reclaim_are_possible_with_gangs_and_several_claims_at_the_default_readings():
    condition = at_readings(Condition("G14", "assumptions", reclaim.satisfiable(), const(False)))
    outcome = Solver().possible("G14", "assumptions", *condition.assume)
    assert outcome.answer is Answer.PROVED
    values = outcome.values
    assert values["asks.f.u"] >= 2
    assert values["usage.v.u"] >= 1
    assert values["A58=whole"] is True
    view = Summarised(("f", "v"), (UNIT,))
    lacking = evaluate(actions.short(view.at("f", UNIT)), {"unlimited.f.u": False, **values})
    assert lacking >= 2


def test_reclaim_does_not_hold_where_the_limits_exceed_the_environment():
    """R1 is needed: without it the others may fill the environment within their limits, and nobody borrows."""
    (first,) = [c for c in conditions("reclaim") if c.name.startswith("T1")]
    view = Summarised(("f", "v"), (UNIT,))
    f = view.at("f", UNIT)
    *base, _ = first.assume
    weaker = replace(first, assume=(*base, f.asks >= 1, actions.within_limit(f)))
    assert Solver().decide(weaker).answer is Answer.REFUTED
    assert Solver().decide(replace(weaker, assume=(*weaker.assume, reclaim.affordable(f)))).answer is Answer.PROVED


# what is known of the shares that a proof does not name

CARRYING = {
    "protected is usage and reserved idle": "G2 dispatch",
    "limit less protected is lendable idle less borrowed": "G2 dispatch",
    "due protected is due usage and due reserved idle": "G7 T3 a claim stays funded: dispatch",
    "settled protected is settled usage and settled reserved idle": "G14 T1",
    "limit less settled protected is settled lendable idle less settled borrowed": "G14 T1",
    "what is now exceeds what is due by the drains due at most": "G14 T4",
    "all that is due is held (due_usage)": "G7 T3 a claim stays funded: dispatch",
    "all that is due is held (due_reserved_idle)": "G7 T3 a claim stays funded: dispatch",
    "reserved idle is not negative": "G15 without reserve debt",
    "settled borrowed is not negative": "G14 T1",
    "settled lendable idle is not negative": "G14 T1",
    "settled reserved idle is not negative": "G14 T6 nothing is lacking",
}
"""The laws that the proofs rest on, each with a theorem that falls without it. The others follow from these, or only
keep counterexamples from showing sums that no shares have."""


def carrying(*but: str):
    return tuple(law for law in LAWS if law.name in CARRYING and law.name not in but)


@pytest.fixture
def with_laws(monkeypatch):
    """Replace the laws for one test; steps that were built with others are forgotten."""

    def replaced(laws):
        monkeypatch.setattr(steps, "LAWS", laws)
        steps.moves.cache_clear()

    yield replaced
    steps.moves.cache_clear()


def test_these_laws_carry_every_theorem(with_laws):
    with_laws(carrying())
    assert len(carrying()) == len(CARRYING) == 12
    again = [at_readings(c) for theorem in THEOREMS for c in THEOREMS[theorem]()]
    assert {o.answer for o in decide_all(Solver(), again)} == {Answer.PROVED}


@pytest.mark.parametrize("law", CARRYING)
def test_without_one_of_them_a_theorem_falls(law, with_laws):
    with_laws(carrying(law))
    code = CARRYING[law].split()[0]
    theorem = {"G2": "safety", "G15": "reserve"}.get(code, "reclaim")
    asked = [c for c in THEOREMS[theorem]() if f"{c.code} {c.name}".startswith(CARRYING[law])]
    assert Answer.REFUTED in {Solver().decide(at_readings(c)).answer for c in asked}


# excess and administrators

MAKES = {
    "lower a limit": {"G2", "G3", "G4", "loans"},
    "raise a limit or create a share": {"G2"},
    "stop lending (LEND or LEND_AND_BORROW becomes RESERVE)": {"G2", "loans"},
    "cut a borrow limit or the right to borrow": {"G3"},
    "lower the environment": {"G1", "G2"},
    "delete a lender, its capacity void at once (A48 void)": {"G3", "G4", "loans"},
    "disable a lender that then lends no longer (A47 no)": {"G2", "loans"},
}
"""Administrator's step -> the excesses that it can make where there was none."""


def reconfigured(kind: str):
    """A view, the assumptions of an administrator's step of this kind on share f, and f's cell before and after."""
    view = Summarised(("f", "v"), (UNIT,))
    old, new = view.at("f", UNIT), view.after(actions.reconfigure(view, "f")).at("f", UNIT)
    step = actions.EXCESS_MAKERS[kind](old, new)
    return view, [lawful(view), well_formed(new), new.capacity >= 0, step], old, new


def test_the_seven_kinds_of_administrator_s_steps_are_all_here():
    assert set(actions.EXCESS_MAKERS) == set(MAKES)
    assert len(MAKES) == 7
    assert all(MAKES.values())


@pytest.mark.parametrize("kind", MAKES)
def test_an_administrator_s_step_makes_exactly_these_excesses_out_of_none(kind):
    view, assume, old, new = reconfigured(kind)
    solver = Solver()
    made = set()
    for name, owed in debts(new).items():
        outcome = solver.possible(name, kind, *assume, *no_debt(view), owed > 0)
        if outcome.answer is Answer.REFUTED:
            continue
        made.add(name)
        step = actions.EXCESS_MAKERS[kind](old, new)
        values = {**dict.fromkeys(variables(step, owed, *debts(old).values()), 0), **outcome.values}
        assert evaluate(step, values) is True
        assert [evaluate(before, values) for before in debts(old).values()] == [0] * 5
        assert evaluate(owed, values) > 0
    assert made == MAKES[kind]


@pytest.mark.parametrize("excess", ["G1", "G2", "G3", "G4"])
def test_every_excess_may_be_owed_while_the_other_steps_happen(excess):
    """That no excess grows is proved for states with debt, not only for those without."""
    solver = Solver()
    possible = set()
    for (kind, pattern), move in STEPS.items():
        owed = debts(move.before.at(move.focus, UNIT))[excess]
        if solver.possible(kind, pattern, *move.assume, *gang(move), owed > 0).answer is Answer.PROVED:
            possible.add((kind, pattern))
    own = {(kind, pattern) for kind, pattern in STEPS if pattern in ("f is c", "all one share")}
    blocked = {
        "G1": {(kind, pattern) for kind, pattern in STEPS if kind == "dispatch"},
        "G2": set(),
        "G3": {s for s in own if s[0] == "dispatch"} | {("preempt and dispatch at once", "f is c")},
        "G4": {s for s in own if s[0] == "dispatch"} | {("preempt and dispatch at once", "f is c")},
    }
    assert set(STEPS) - possible == blocked[excess], "only a dispatch that would enlarge it is not possible with debt"


def test_that_no_excess_grows_is_asked_of_every_step():
    asked = {(c.code, c.name) for c in conditions("safety") if c.name.endswith("excess does not grow")}
    for (kind, pattern), move in STEPS.items():
        codes = {"G1", "G2", "G3", "G4"} if move.focus_acts else {"G3", "G4"}
        assert {code for code, name in asked if name == f"{kind} ({pattern}): excess does not grow"} == codes
    assert len(asked) == sum(4 if m.focus_acts else 2 for m in STEPS.values())
