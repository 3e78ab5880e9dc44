"""Stops for a colleague of the same share, also while the share is above its limit: as a search over all states says."""

from __future__ import annotations

import pytest
from quotaproof.checker.results import Verdict
from quotaproof.checker.rollout.promises import undisturbed
from quotaproof.checker.witness.play import play
from quotaproof.spec.promises import By, Undisturbed
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules import commitments

from ...support.queues import queue, share
from .judging import BROKEN, KEPT, judge
from .small import drawn, searched

ALWAYS = Undisturbed(By.ANYONE, always=True)
WITHIN = Undisturbed(By.ANYONE)
OWN = Readings.of(A5="borrowable", A31="own")
SPARE = queue(5, share("a", 2, "LEND_AND_BORROW", in_share=True), share("r", 1, "RESERVE"))
"""Two machines are nobody's: who borrows them gives nothing back, and holds 4 at most."""


def wrong(proofs, queues):
    """Where a verdict is not what the search says; A31 is named where it alone decides."""
    for config, readings in queues:
        small = searched(config, readings)
        for i, s in enumerate(config.shares):
            for term in (ALWAYS, WITHIN):
                (made,) = judge(proofs, config, term, s.name, readings=readings)
                loans = term.always and small.loses_loans(i)
                sure = loans or small.loses_to_its_own(i, always=term.always, inherits=False)
                takes_over = readings["A31"] == "inherit" and small.loses_to_its_own(i, always=term.always)
                named = any("A31" in c for c in made.result.combinations)
                right = BROKEN if sure or takes_over else KEPT
                if made.result.verdict not in right or (made.result.verdict in BROKEN and named == sure):
                    yield config, readings, s.name, term, made.result


def taken_over(queues):
    return [
        (config, readings.assuming({"A31": choice})) for config, readings in queues for choice in ("own", "inherit")
    ]


def test_every_verdict_is_that_of_a_search(proofs):
    assert list(wrong(proofs, taken_over(drawn(41, 3)))) == []


@pytest.mark.campaign
def test_every_verdict_is_that_of_a_search_in_many_queues(proofs):
    assert list(wrong(proofs, taken_over(drawn(42, 120)))) == []


def test_a_share_above_its_limit_stops_its_own_job_for_one_within_the_limit(proofs):
    (made,) = judge(proofs, SPARE, ALWAYS, "a", readings=OWN)
    assert made.result.verdict in BROKEN
    assert "a is above its limit, and its job is stopped for a job of" in made.result.because
    assert made.scenario is not None
    assert play(made.scenario).shows
    (made,) = judge(proofs, SPARE, WITHIN, "a", readings=OWN)
    assert made.result.verdict is Verdict.HOLDS_IF


def test_a_judge_that_looks_within_the_limit_alone_differs_from_the_search(proofs, monkeypatch):
    monkeypatch.setattr(undisturbed, "stops_its_own", commitments.loses_to_its_own)
    assert next(wrong(proofs, [(SPARE, OWN)]), None) is not None
