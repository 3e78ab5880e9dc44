"""Mistakes that a scheduler makes with claims, each found by the part of Theorem R that it breaks."""

from __future__ import annotations

import pytest
from quotaproof.checker.prove.solver import Answer, decide_all

from . import planted

T3 = "T3 a claim stays funded: dispatch", "T3 a claim stays funded: preempt and dispatch at once"

BUGS = {
    planted.hold_only_what_was_freed: ("G7", T3),
    planted.forget_claims_without_victims: ("G7", T3),
    planted.count_own_drains_as_used: ("G14", ("T6 nothing is lacking: the head can claim",)),
    planted.count_drained_victims_as_borrowed: ("G5x", ("preempt cross-share",)),
    planted.count_later_drains_as_gone: ("G7", T3),
}


@pytest.mark.parametrize("bug", BUGS, ids=lambda b: b.__name__)
def test_the_mistake_breaks_its_part_of_the_theorem_and_nothing_else(bug):
    code, names = BUGS[bug]
    found = planted.refuted(bug)
    assert planted.codes(found) == {code}
    assert planted.kinds(found) == set(names)


@pytest.mark.parametrize("bug", BUGS, ids=lambda b: b.__name__)
def test_the_mistake_alone_makes_the_difference(bug):
    changed = planted.altered(bug)
    names = {(c.code, c.name) for c in changed}
    same = [planted.at_readings(c) for c in planted.correct() if (c.code, c.name) in names]
    assert len(same) >= len(changed) > 0
    assert {o.answer for o in decide_all(planted.solver(), same)} == {Answer.PROVED}
