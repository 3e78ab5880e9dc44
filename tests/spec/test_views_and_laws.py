"""Three ways to say "all shares" agree; laws hold of one share and of sums; the summary of the rest is exact.

Random queues of two to five shares go to every view: `Enumerated` names all shares, `Summarised` names the two of
the step and is told the sums of the rest, `Running` is told the sums of all.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache

import pytest
from quotaproof.checker.prove.safety import law_conditions
from quotaproof.checker.prove.solver import Answer, Condition, Solver
from quotaproof.spec.expr.nodes import all_of, any_of, const, int_var
from quotaproof.spec.expr.python import compile_state, evaluate
from quotaproof.spec.expr.walk import topological, variables
from quotaproof.spec.model import Stage
from quotaproof.spec.readings import READINGS, Readings
from quotaproof.spec.rules import actions, guarantees
from quotaproof.spec.rules.laws import LAWS, Law, well_formed
from quotaproof.spec.rules.lifecycle import STAGES, code
from quotaproof.spec.rules.quantities import MOMENTS, NOW, due_usage, held_usage, kept, lendable, limit, usage
from quotaproof.spec.rules.view import QUANTITIES, Enumerated, Running, Summarised

UNITS = ("u", "w")
NAMED = ("c", "v")
OTHERS = ("x", "y", "z")
STATES = 1000
"""Random queues of each size."""


# the views agree


def formulas(view):
    """Name -> formula: every sum now and after steps, every guard, every promise of a step."""
    steps = {
        "dispatch": actions.dispatch(view, "c"),
        "claim": actions.claim(view, "c"),
        "release": actions.release(view, "c"),
        "preempt cross-share": actions.preempt_cross(view, "c", "v"),
        "preempt in-share": actions.preempt_in_share(view, "c"),
        "stop": actions.stop(view, "v"),
    }
    gone = view.after(actions.finish(view, "v").effect)
    found = {f"guard of {name}": step.guard for name, step in steps.items()}
    found["guard of dispatch once the victim is gone"] = actions.dispatch(gone, "c").guard
    found["holds"] = actions.holds(view, "c")
    found["yields"] = actions.yields(view, "c", "v")
    moments = {"now": view, **{f"after {name}": view.after(step.effect) for name, step in steps.items()}}
    moments["after both"] = gone.after(actions.dispatch(gone, "c").effect)
    for when, state in moments.items():
        for name, quantity in QUANTITIES.items():
            for unit in view.units:
                found[f"{name} in {unit} {when}"] = state.total(quantity, unit)
    after = moments["after dispatch"]
    for unit in view.units:
        old, new = view.at("c", unit), after.at("c", unit)
        for name, promise in (("G1", guarantees.g1), ("G2", guarantees.g2), ("G3", guarantees.g3)):
            found[f"{name} in {unit}"] = promise(old, new)
        found[f"unfunded in {unit}"] = guarantees.unfunded(new)
    found["G5x"] = guarantees.g5x(view, "c", "v")
    found["G6"] = guarantees.g6(view, "c", "v")
    found["G8"] = guarantees.g8(view, after, "c", "v")
    return found


class Compiled:
    """The formulas of one view and, apart, every clause in them."""

    def __init__(self, view):
        named = formulas(view)
        inside = [n for n in topological(*named.values()) if n.op == "clause"]
        self.labels = [*named, *[f"{n.args[0]} {dict(n.args[3])}" for n in inside]]
        roots = [*named.values(), *inside]
        self.names = list(variables(*roots))
        self._run = compile_state(roots, self.names)

    def __call__(self, state):
        return Counter(zip(self.labels, self._run([state[n] for n in self.names]), strict=True))


@cache
def enumerated(size):
    return Compiled(Enumerated((*NAMED, *OTHERS[: size - 2]), UNITS))


@cache
def summarised():
    return Compiled(Summarised(NAMED, UNITS))


@cache
def running():
    return Compiled(Running(NAMED, UNITS))


@cache
def one_cell():
    """Every quantity of one cell, compiled."""
    cell = Enumerated(("one",), ("u",)).at("one", "u")
    roots = [q(cell) for q in QUANTITIES.values()]
    names = list(variables(*roots))
    return names, compile_state(roots, names)


def random_value(rng, name, state):
    """A small value of a variable, such that the state stays well formed."""
    field, *rest = name.split(".")
    if "=" in name:
        question, choice = name.split("=")
        picked = state.setdefault(question, rng.choice(list(READINGS[question].choices)))
        return picked == choice
    if field == "stage":
        return rng.choice((state["usual stage"], rng.randrange(len(STAGES))))
    if field in ("deleting", "retries_unset", "was_scheduled", "has_claim"):
        return rng.random() < 0.2
    if field in ("enabled", "environment_enabled", "may_borrow", "in_share", "in_overage"):
        return rng.random() < 0.8
    if field == "unlimited":
        return rng.random() < 0.3
    if field in ("best_waiting", "best_ready"):
        return rng.choice((0, 0, 1, 2))
    if field in ("priority", "preemptions", "retries"):
        return rng.randint(0, 2)
    if field == "capacity":
        return rng.randint(0, 3) + sum(state[f"limit.{s}.{rest[0]}"] for s in state["shares"]) - 1
    where = ".".join(rest)
    if field == "lendable":
        return rng.randint(0, state[f"limit.{where}"])
    if field in ("drains_due", "drains_later"):
        other = "drains_due" if field == "drains_later" else "drains_later"
        return rng.randint(0, max(0, state[f"usage.{where}"] - state.get(f"{other}.{where}", 0)))
    most = {"asks": 3, "takes": 3, "limit": 4, "usage": state["busy"], "borrowable": 4}
    return rng.randint(0, most.get(field, min(2, state["busy"])))


def random_state(rng, size):
    """A state for `Enumerated`: every variable of every view but the sums."""
    shares = (*NAMED, *OTHERS[: size - 2])
    usual = rng.choice((Stage.RUNNABLE, Stage.RUNNING, Stage.DRAINING))
    state = {"shares": shares, "busy": rng.choice((0, 1, 2, 5)), "usual stage": code(usual)}
    first = [f"{field}.{s}.{u}" for field in ("limit", "usage") for s in shares for u in UNITS]
    fields, _ = one_cell()
    cells = [n.replace("one.u", f"{s}.{u}") for n in fields if n.endswith("one.u") for s in shares for u in UNITS]
    for name in (*first, *cells, *enumerated(size).names, *summarised().names, *running().names):
        if name not in state and not name.startswith(("rest.", "total.")):
            state[name] = random_value(rng, name, state)
    return state


def with_sums(state):
    """The state with the sums that the other views are told."""
    names, run = one_cell()
    rows = {(s, u): run([state[n.replace("one.u", f"{s}.{u}")] for n in names]) for s in state["shares"] for u in UNITS}
    sums = {}
    for unit in UNITS:
        for i, name in enumerate(QUANTITIES):
            sums[f"total.{name}.{unit}"] = sum(rows[s, unit][i] for s in state["shares"])
            sums[f"rest.{name}.{unit}"] = sum(rows[s, unit][i] for s in state["shares"] if s not in NAMED)
    return {**state, **sums}


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_three_views_agree_on_every_sum_guard_clause_and_promise(size):
    rng = random.Random(size)
    seen = Counter()
    for _ in range(STATES):
        state = with_sums(random_state(rng, size))
        named = enumerated(size)(state)
        assert summarised()(state) == named
        assert running()(state) == named
        seen.update({(label, value) for label, value in named if isinstance(value, bool)})
    one_sided = {label for label, _ in seen if not (seen[label, True] and seen[label, False])}
    assert not one_sided, "both truth values come up, or agreeing means little"


def test_a_view_must_say_what_all_shares_are():
    from quotaproof.spec.rules.view import View

    with pytest.raises(TypeError, match="abstract method total"):
        View(NAMED, UNITS)  # type: ignore[abstract]


def test_known_numbers_fold_to_constants():
    known = {("limit", "c", "u"): 4, ("lendable", "c", "u"): 3, ("usage", "c", "u"): 2, ("may_borrow", "c"): False}
    cell = Enumerated(("c",), ("u",), Readings(), known).at("c", "u")
    assert kept(cell) is const(1)
    assert cell.total(NOW.lendable_idle) is const(2)
    assert cell.may_borrow is const(False)
    assert cell.reading("A5", "owners") is const(True)


def test_an_unknown_choice_of_a_reading_is_refused():
    with pytest.raises(KeyError, match="A5 has no choice mine"):
        Enumerated(("c",), ("u",)).reading("A5", "mine")


def test_a_step_changes_only_the_state_after_it():
    view = Running(("c",), ("u",))
    after = view.after({("usage", "c", "u"): view.at("c", "u").usage + 3})
    assert after.at("c", "u").usage is int_var("usage.c.u") + 3
    assert view.at("c", "u").usage is int_var("usage.c.u") is after.before().at("c", "u").usage
    state = {"total.usage.u": 10, "usage.c.u": 2}
    assert (evaluate(view.total(usage, "u"), state), evaluate(after.total(usage, "u"), state)) == (10, 13)


# laws

IDENTITIES = (
    "the limit is kept or lendable",
    "due usage",
    "settled usage",
    *[f"{m.protected.title} is {m.used.title} and {m.reserved_idle.title}" for m in MOMENTS],
    *[f"{m.protected.title} covers what is kept" for m in MOMENTS],
    *[f"{q.title} is not negative" for m in MOMENTS for q in (m.borrowed, m.reserved_idle)],
    *[f"all that is due is held ({name})" for name in (
        "due_usage", "due_borrowed", "due_lendable_idle", "due_reserved_idle", "due_protected")],
)  # fmt: skip
"""Laws that hold of any numbers whatever. All others need that shares are well formed."""


@pytest.mark.parametrize("condition", list(law_conditions()), ids=lambda c: c.name)
def test_every_law_holds_of_one_share(condition):
    assert Solver().decide(condition).answer is Answer.PROVED


def test_exactly_the_laws_that_are_no_identities_need_well_formed_shares():
    solver = Solver()
    bare = [replace(c, assume=()) for c in law_conditions()]
    assert {c.name for c in bare if solver.decide(c).answer is Answer.PROVED} == set(IDENTITIES)
    assert {solver.decide(c).answer for c in bare if c.name not in IDENTITIES} == {Answer.REFUTED}
    assert (len(IDENTITIES), len(bare)) == (24, 51)


@pytest.mark.parametrize("choice", ["whole", "freed"])
def test_every_law_holds_of_random_sums(choice):
    rng = random.Random(choice)
    view = Summarised((), ("u",), Readings.of(A58=choice))
    names, run = one_cell()
    tight = Counter()
    for size in (2, 3, 4, 5) * 60:
        state = random_state(rng, size) | {"A58=whole": choice == "whole"}
        rows = [run([state[n.replace("one.u", f"{s}.u")] for n in names]) for s in state["shares"]]
        sums = dict(zip(QUANTITIES, map(sum, zip(*rows, strict=True)), strict=True))
        for law in LAWS:
            assert law.on(view, lambda q, sums=sums: const(sums[q.name])) is const(True), law.name
            tight[law.name] += sum(sums[q.name] * factor for q, factor in law.terms.items()) == 0
    assert min(tight.values()) > 0, "every law is an equality somewhere"


@pytest.mark.parametrize(
    "law",
    [
        Law("what is used is within the limit", {limit: 1, NOW.used: -1}),
        Law("loans are covered by the own idle capacity", {NOW.lendable_idle: 1, NOW.borrowed: -1}),
        Law("all of the limit can be lent", {lendable: 1, limit: -1}, "=="),
        Law("only claims with A58 freed are held", {due_usage: 1, held_usage: -1}, "==", ("A58", "freed")),
    ],
    ids=lambda law: law.name,
)
def test_a_false_law_is_refuted_by_a_share(law):
    view = Summarised(("one",), ("u",))
    cell = view.at("one", "u")
    outcome = Solver().decide(Condition("laws", law.name, (well_formed(cell),), law.on(view, lambda q: q(cell))))
    assert outcome.answer is Answer.REFUTED
    holds = law.on(view, lambda q: q(cell))
    names = variables(holds, well_formed(cell))
    state = {n: outcome.values.get(n, 0) for n in names}
    assert evaluate(well_formed(cell), state) is True
    assert evaluate(holds, state) is False


# the summary is exact

SUMS = (limit, NOW.borrowed, NOW.lendable_idle, NOW.reserved_idle)
THREE = ("borrower", "lender", "worker")


def wanted():
    """The four sums as variables, none negative."""
    c, lent, lendable_idle, reserved_idle = (int_var(f"sum {q.name}") for q in SUMS)
    return (c, lent, lendable_idle, reserved_idle), all_of(c >= 0, lent >= 0, lendable_idle >= 0, reserved_idle >= 0)


def realised(shares):
    """Three shares given by (limit, lendable, usage): whether they are well formed and add up to the four sums."""
    changed = {}
    for name, (its_limit, its_lendable, its_usage) in shares.items():
        for field, value in (("limit", its_limit), ("lendable", its_lendable), ("usage", its_usage)):
            changed[field, name, "u"] = const(value) if isinstance(value, int) else value
        for field in ("drains_due", "drains_later", "claims_due", "claims_later", "freed", "asks", "takes"):
            changed[field, name, "u"] = const(0)
    view = Enumerated(tuple(shares), ("u",)).after(changed)
    sums, _ = wanted()
    added = [view.total(q, "u") == value for q, value in zip(SUMS, sums, strict=True)]
    free = all_of(*[all_of(c.borrowable >= 0, c.may_borrow) for c in (view.at(s, "u") for s in shares)])
    return view, free, all_of(*[well_formed(view.at(s, "u")) for s in shares], *added)


def decide(*assume, goal):
    return Solver().decide(Condition("C", "exactness of the summary", assume, goal)).answer


def test_three_shares_realise_every_lawful_summary():
    (c, lent, lendable_idle, reserved_idle), counts = wanted()
    idle = lendable_idle + reserved_idle
    shares = {"borrower": (0, 0, lent), "lender": (idle, lendable_idle, 0), "worker": (c - idle, 0, c - idle)}
    _, free, goal = realised(shares)
    assert decide(counts, idle <= c, free, goal=goal) is Answer.PROVED
    assert decide(counts, free, goal=goal) is Answer.REFUTED, "more idle than there is cannot be realised"


def test_no_shares_realise_a_summary_with_more_idle_than_limits():
    view = Enumerated(THREE, ("u",))
    (c, _, lendable_idle, reserved_idle), _ = wanted()
    formed = [well_formed(view.at(s, "u")) for s in THREE]
    sums, _ = wanted()
    added = [view.total(q, "u") == value for q, value in zip(SUMS, sums, strict=True)]
    assert decide(*formed, *added, goal=lendable_idle + reserved_idle <= c) is Answer.PROVED


def at_least_one(cell):
    """AWS's limits: a share has a limit of at least 1 for a unit, or it has nothing to do with the unit."""
    return any_of(cell.limit >= 1, all_of(cell.limit == 0, cell.usage == 0))


def test_with_limits_of_at_least_one_the_side_condition_suffices():
    (c, lent, lendable_idle, reserved_idle), counts = wanted()
    idle = lendable_idle + reserved_idle
    side = (lent > 0).implies(c - idle >= 1)
    shares = {"borrower": (c - idle, 0, c - idle + lent), "lender": (idle, lendable_idle, 0), "worker": (0, 0, 0)}
    view, free, goal = realised(shares)
    formed = all_of(*[at_least_one(view.at(s, "u")) for s in shares])
    assert decide(counts, idle <= c, side, free, goal=all_of(goal, formed)) is Answer.PROVED
    assert decide(counts, idle <= c, free, goal=all_of(goal, formed)) is Answer.REFUTED


def test_with_limits_of_at_least_one_the_side_condition_is_needed():
    cell = Enumerated(("one",), ("u",)).at("one", "u")
    uses_its_limit = (NOW.borrowed(cell) > 0).implies(
        cell.limit - NOW.lendable_idle(cell) - NOW.reserved_idle(cell) >= 1
    )
    assert decide(well_formed(cell), at_least_one(cell), goal=uses_its_limit) is Answer.PROVED
    assert decide(well_formed(cell), goal=uses_its_limit) is Answer.REFUTED, "a share of limit 0 may borrow"


def test_without_the_side_condition_a_proof_would_show_a_spurious_state():
    """One machine, idle, and yet one is lent out: lawful as a sum, impossible with limits of at least 1."""
    summary = {"limit": 1, "lendable": 1, "kept": 0, "usage": 1, "borrowed": 1, "lendable_idle": 1, "reserved_idle": 0,
               "protected": 1}  # fmt: skip
    rest = Summarised((), ("u",))
    laws = [law.on(rest, lambda q: rest.rest(q, "u")) for law in LAWS]
    sums = [rest.rest(QUANTITIES[name], "u") == value for name, value in summary.items()]
    assert Solver().possible("C", "spurious", *laws, *sums).answer is Answer.PROVED
    view = Enumerated(THREE, ("u",))
    cells = [view.at(s, "u") for s in THREE]
    same = [view.total(QUANTITIES[name], "u") == value for name, value in summary.items()]
    formed = [well_formed(c) for c in cells]
    assert Solver().possible("C", "limits of 0", *formed, *same).answer is Answer.PROVED
    aws = [at_least_one(c) for c in cells]
    assert Solver().possible("C", "limits of at least 1", *formed, *aws, *same).answer is Answer.REFUTED


def test_the_capacity_left_to_lend_is_lendable_idle_less_loans():
    cell = Enumerated(("one",), ("u",)).at("one", "u")
    left = cell.limit - NOW.protected(cell)
    assert decide(well_formed(cell), goal=left == NOW.lendable_idle(cell) - NOW.borrowed(cell)) is Answer.PROVED
    assert decide(well_formed(cell), goal=left == NOW.lendable_idle(cell)) is Answer.REFUTED
