"""Systems that the table has not: several kinds of jobs in a share, several units, readings, and what a step changes."""

from __future__ import annotations

import numpy as np
import pytest
from quotaproof.checker.explore.counters import Counters, Waits
from quotaproof.checker.explore.explored import explore
from quotaproof.checker.explore.kinds import Discipline, Kind, NotExplored
from quotaproof.checker.explore.search import search
from quotaproof.checker.explore.system import system
from quotaproof.checker.witness.play import play
from quotaproof.spec import events as ev
from quotaproof.spec.expr.nodes import all_of, const
from quotaproof.spec.expr.walk import rebuild
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules import actions

from ..support.explored import arguments, kinds, readings
from ..support.explored import config as of
from ..support.queues import queue, share

UNIT = {"u": 1}
PRIORITIES = (
    queue(3, share("s0", 1, "LEND_AND_BORROW", 100, in_share=True), share("s1", 2, "LEND_AND_BORROW", 100)),
    (Kind("low", "s0", UNIT, 0, 2), Kind("high", "s0", {"u": 2}, 5, 1), Kind("b", "s1", UNIT, 0, 2)),
)
VECTORS = (
    queue({"u": 2, "v": 2}, share("s0", {"u": 1, "v": 1}), share("s1", {"u": 1, "v": 1}, "LEND_AND_BORROW", 200)),
    (Kind("a", "s0", {"u": 1, "v": 1}), Kind("b", "s1", UNIT, 0, 2), Kind("d", "s1", {"v": 2})),
)
MIXED = (
    queue(3, share("s0", 2), share("s1", 1, "LEND_AND_BORROW")),
    (Kind("big", "s0", {"u": 2}, 3), Kind("small", "s0", UNIT, 0, 2), Kind("b", "s1", UNIT, 0, 3)),
)


def numbers(cells):
    """What the rules' effects speak of, in some cells."""
    names = ("usage", "drains", "claims")
    found = {}
    for c in cells:
        values = (c.usage, c.drains_due + c.drains_later, c.claims_due + c.claims_later)
        found |= {(name, c.share, c.unit): value for name, value in zip(names, values, strict=True)}
    return found


def effect_of(counters, transition):
    """What the rules say a step changes: (view, effect), for steps that are one action of the rules."""
    kind = transition.about.get("kind")
    match transition.about["event"]:
        case "dispatch":
            view = counters.view({kind.share: kind})
            return view, actions.dispatch(view, kind.share).effect
        case "finish" | "stop":
            view = counters.view({})
            size = {("takes", kind.share, u): const(kind.size.get(u, 0)) for u in view.units}
            due = transition.about["event"] == "stop"
            drained = {("takes_due", kind.share, u): const(kind.size.get(u, 0) if due else 0) for u in view.units}
            none = {("takes_later", kind.share, u): const(0) for u in view.units}
            view = view.after(
                {**size, **drained, **none, ("stage", "victim"): const(5), ("preemptions", "victim"): const(0)}
            )
            step = actions.stop if due else actions.finish
            return view, step(view, kind.share).effect
        case "claim" if not transition.about["plan"].victims:
            view = counters.view({kind.share: kind})
            return view, actions.claim(view, kind.share).effect
        case _:
            return None


@pytest.mark.parametrize(
    "made",
    [
        (of("gang"), kinds("gang"), readings("whole", True)),
        (of("unit"), kinds("unit"), readings("freed", True)),
        (*PRIORITIES, Readings()),
        (*VECTORS, Readings()),
    ],
    ids=["gang", "freed", "priorities", "vectors"],
)
def test_counters_move_as_the_effects_of_the_rules_say(made):
    counters = Counters(*made, Discipline())
    space = search(system(*made))
    assert space.complete
    checked = set()
    for t in space.model.transitions:
        found = effect_of(counters, t)
        if found is None:
            continue
        view, effect = found
        plain = counters.view({})
        cells = [plain.at(s, u) for s in view.shares for u in view.units]
        after = {
            key: rebuild(n, lambda node, t=t: t.updates.get(node.args[0]) if node.op == "var" else None)
            for key, n in numbers(cells).items()
        }
        moved = view.after(effect)
        promised = numbers([moved.at(s, u) for s in view.shares for u in view.units])
        equal = all_of(*[after[key] == promised[key] for key in after])
        possible, same = space.values(t.guard, counters.closed(equal))
        assert not (possible & ~same).any(), t.name
        if possible.any():
            checked.add(t.about["event"])
    assert checked >= {"dispatch", "finish", "stop"}


@pytest.mark.parametrize("made", [PRIORITIES, VECTORS, MIXED], ids=["priorities", "vectors", "mixed"])
@pytest.mark.parametrize("strong", [False, True])
def test_every_head_is_served_in_systems_of_several_kinds_and_units(made, strong):
    found = explore(*made, strong=strong)
    assert found.space.complete
    assert all(f.kept for f in found.served.values())
    assert found.ends.kept
    assert set(found.invariants) == {"G1", "G2", "G7"}
    assert not any(found.invariants.values())


def test_smaller_jobs_that_overtake_end_the_claim_of_their_head_and_nobody_starves_of_a_drain_that_never_ends():
    found = explore(*MIXED, Readings.of(A18="backfill"))
    assert all(f.kept for f in found.served.values())
    (index,) = [i for i, t in enumerate(found.space.model.transitions) if t.name == "release.s0"]
    assert (found.space.edges.transition == index).any()


def test_in_share_victims_and_mixed_plans_are_there():
    model = system(*PRIORITIES)
    taken = search(model).edges.transition
    names = {model.transitions[n].name for n in np.unique(taken).tolist()}
    assert "claim.high.1xlow" in names or "preempt.high.1xlow" in names
    assert any(name.startswith("preempt.high") for name in names), "a claim that ends above its own limit holds nothing"


def test_part_own_claims_exchange_two_jobs_for_ever():
    shares = [share(f"s{i}", 1, "LEND_AND_BORROW", 200) for i in range(3)]
    made = queue(3, *shares), (Kind("a", "s0", {"u": 2}), Kind("b", "s1", {"u": 2}))
    found = explore(*made, Readings.of(A24="b"))
    assert found.ends.kept is False
    played = play(found.ends.scenario)
    assert played.shows, played.wrong
    assert len(found.ends.scenario.steps) <= 9
    assert explore(*made).ends.kept


def test_limits_beyond_the_environment_leave_a_head_stuck():
    shares = [share(f"s{i}", 1) for i in range(3)]
    found = explore(queue(2, *shares), [Kind(f"k{i}", f"s{i}", UNIT) for i in range(3)])
    for finding in found.served.values():
        assert finding.kept is False
        played = play(finding.scenario)
        assert played.shows, played.wrong
        assert len(finding.scenario.steps) == 5


def test_minimal_and_insufficient_plans_are_a_choice():
    def verbs(choice):
        space = search(system(of("gang", 3), kinds("gang"), Readings.of(A28=choice)))
        taken = np.unique(space.edges.transition).tolist()
        return {space.model.transitions[n].name for n in taken}

    usual, greedy = verbs("all-or-nothing"), verbs("greedy")
    assert verbs("minimal") <= usual < greedy
    assert "preempt.k0.1xk2" in greedy - usual


def test_names_of_jobs_follow_them_through_a_run():
    found = explore(*arguments("unit", "none", yields=False), ask=["k0"])
    steps = found.ends.scenario.steps
    submitted = {e.job for e in steps if isinstance(e, ev.Submit)}
    assert all(e.job in submitted for e in steps)
    assert play(found.ends.scenario).shows


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([], "at least one kind"),
        ([Kind("a", "s9", UNIT)], "no share of the queue"),
        ([Kind("a", "s0", {})], "1 or more"),
        ([Kind("a", "s0", UNIT, 0, 0)], "at least one job"),
        ([Kind("a.b", "s0", UNIT)], "no name"),
        ([Kind("a", "s0", UNIT), Kind("a", "s1", UNIT)], "name of its own"),
    ],
)
def test_kinds_that_make_no_system_are_refused(wrong, told):
    with pytest.raises(NotExplored, match=told):
        system(of("unit"), wrong)


def test_a_reading_that_tells_jobs_apart_is_refused():
    with pytest.raises(NotExplored, match="A13=a"):
        system(of("unit"), kinds("unit"), Readings.of(A13="a"))


def test_drains_are_counted_by_the_claim_that_waits_for_them():
    counters = Counters(of("unit"), kinds("unit"), Readings(), Discipline())
    assert [counters.draining_name(counters.kinds[2], w) for w in (Waits(None), Waits("s0"))] == [
        "draining.k2",
        "draining.k2.for.s0",
    ]
