"""The theorems' assumptions exclude no case that they should cover: states at the edge satisfy them."""

from __future__ import annotations

import pytest
from quotaproof.checker.prove import reclaim, steps
from quotaproof.checker.prove.solver import Answer, Solver
from quotaproof.checker.prove.theorems import Proof, Proofs, prove
from quotaproof.checker.prove.verify import verdicts
from quotaproof.checker.results import Verdict
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules.quantities import SETTLED, draining, limit
from quotaproof.spec.rules.view import Summarised

from ..support.queues import walkthrough


def possible(*parts):
    return Solver().possible("edge", "edge", *parts).answer is Answer.PROVED


@pytest.mark.parametrize("kind", ["finish", "return for lack of machines", "preempt cross-share", "preempt in-share"])
def test_a_victim_may_hold_all_that_its_share_uses(kind):
    for move in (m for m in steps.moves() if m.kind == kind):
        v = move.before.at(move.victim, steps.UNIT)
        assert possible(*move.assume, v.takes == v.usage, v.usage >= 2, draining(v) == 0), move.pattern


@pytest.mark.parametrize("kind", ["stop", "finish while draining"])
def test_all_that_a_share_uses_may_be_draining(kind):
    for move in (m for m in steps.moves() if m.kind == kind):
        v = move.before.at(move.victim, steps.UNIT)
        for due in (v.drains_due, v.drains_later):
            assert possible(*move.assume, v.takes == v.usage, v.usage >= 2, due == v.usage), move.pattern


def test_a_dispatch_may_be_of_a_job_with_an_earlier_a_later_or_no_claim():
    for move in (m for m in steps.moves() if m.kind == "dispatch"):
        c = move.before.at(move.actor, steps.UNIT)
        due, later = (move.before.number(f"own_{w}", c.share, steps.UNIT) for w in ("due", "later"))
        for own in ((0, 0), (2, 0), (0, 2)):
            assert possible(*move.assume, c.asks == 2, due == own[0], later == own[1]), (move.pattern, own)


def test_reclaim_covers_limits_that_fill_the_environment_exactly():
    for condition in [*reclaim.fundable(), *reclaim.progress()]:
        if condition.name.startswith(("T1", "T6")):
            f = Summarised(("f", "v"), (steps.UNIT,)).at("f", steps.UNIT)
            tight = f.total(limit) - f.limit + SETTLED.used(f) + f.asks == f.capacity
            assert possible(*condition.assume, tight, f.asks >= 2), condition.name


def test_a_funded_claim_may_be_of_a_share_that_uses_machines_already():
    (fits,) = [c for c in reclaim.served() if "fits when its drains have ended" in c.name]
    view = Summarised(("f", "v"), (steps.UNIT,))
    f, v = view.at("f", steps.UNIT), view.at("v", steps.UNIT)
    assert possible(*fits.assume, f.usage >= 1, v.usage >= 1, v.claims_due >= 1, v.drains_later >= 1)


def changed(**proofs):
    real = prove()
    return Proofs({**real.by_code, **proofs}, real.together, real.solver)


def test_a_proof_that_the_defaults_refute_or_that_is_unknown_proves_nothing():
    assert Proof("G1", 3).proved
    assert Proof("G7", 3, ({"A23": "no"},)).proved
    assert not Proof("G1", 3, ({},)).proved
    assert not Proof("G1", 3, unknown="gave up").proved


@pytest.mark.parametrize("code", ["G1", "G9", "G15", "G17"])
def test_an_unknown_theorem_is_an_unknown_verdict(code):
    found = verdicts(walkthrough(), Readings(), changed(**{code: Proof(code, 1, unknown="gave up")})).results
    (result,) = [r for r in found if r.code == code]
    assert (result.verdict, result.because) == (Verdict.UNKNOWN, "gave up")


@pytest.mark.parametrize("part", ["laws", "G7", "G14", "G17"])
def test_reclaim_is_unknown_when_a_part_of_its_theorem_is(part):
    for proof in (Proof(part, 1, unknown="gave up"), Proof(part, 1, ({},))):
        found = verdicts(walkthrough(), Readings(), changed(**{part: proof})).results
        (g14,) = [r for r in found if r.code == "G14"]
        assert g14.verdict is Verdict.UNKNOWN
        assert g14.because.startswith(f"Theorem R: {part}: ")
