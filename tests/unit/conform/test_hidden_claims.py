"""Claims only excuse: what a legal scheduler did is no fault where its claims are not told."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.by_rules import ByRules
from quotaproof.checker.conform.corpus import find
from quotaproof.checker.conform.drawing import drawn
from quotaproof.checker.conform.verdict import Status, judged

from ...support.hiding import judged_hidden


@pytest.mark.parametrize(("seed", "name"), [(0, "bug-one-reclaim-ever"), (6, 16)])
def test_several_claims_of_equal_heads_may_have_come_before_a_stop(seed, name):
    backend = ByRules(seed)
    declared = backend.declare()
    scenario = find(name).scenario if isinstance(name, str) else drawn(0, name, declared)
    (answer,) = backend.run([scenario])
    assert judged(scenario, answer, declared).status is Status.PASSED
    assert judged_hidden(scenario, answer, declared, "stops").status is Status.PASSED
