"""Schedulers on the corpus: legal ones pass it, and each planted one breaks its guarantee in a scenario written by hand."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.corpus import corpus, entries, find
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.verdict import Status

from ..support.legal_schedulers import LEGAL
from ..support.wrong import WRONG
from ..support.wrong.kills import run


@pytest.mark.campaign
@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_scheduler_passes_all(name):
    backend = LEGAL[name]
    for scenario in corpus():
        told = run(backend, scenario)
        assert (scenario.name, told.status, told.broken) == (scenario.name, Status.PASSED, ())


@pytest.mark.parametrize("name", LEGAL)
def test_a_legal_scheduler_passes_what_is_written_by_hand_about_claims(name):
    backend = LEGAL[name]
    for scenario in [e.scenario for e in entries() if e.kind == "seed" and "G7" in e.scenario.checks]:
        told = run(backend, scenario)
        assert (scenario.name, told.status, told.broken) == (scenario.name, Status.PASSED, ())


def test_a_borrower_starts_beside_a_waiting_owner_and_leaves_it_what_it_needs():
    """The reference claims for an owner first, so that nobody has to yield to it; claims that come later make G8 come up."""
    scenario = find("a-borrower-starts-beside-an-owner-that-lacks-another-type").scenario
    assert "G8" not in run(Reference(), scenario).exercised
    told = run(LEGAL["claims-last"], scenario)
    assert (told.status, told.exercised["G8"]) == (Status.PASSED, 2)
    assert "G8" in {broken.code for broken in run(WRONG["borrowers-first"].backend(), scenario).broken}


@pytest.mark.parametrize("name", WRONG)
def test_a_planted_scheduler_breaks_its_guarantee_in_one_written_by_hand(name):
    wrong = WRONG[name]
    backend = wrong.backend()
    seeds = [e.scenario for e in entries() if e.kind in ("aws", "seed")]
    likely = sorted(seeds, key=lambda s: (wrong.code not in s.checks, len(s.steps)))
    assert any(wrong.code in {broken.code for broken in run(backend, s).broken} for s in likely)
