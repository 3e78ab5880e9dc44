"""The scenarios of the findings run anywhere, say what they check, and the reference keeps every promise in them."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform import verdict
from quotaproof.checker.conform.htcondor import findings as htcondor
from quotaproof.checker.conform.opening import opened
from quotaproof.checker.conform.portable import why_not
from quotaproof.checker.conform.real.findings import Finding
from quotaproof.checker.conform.slurm import findings as slurm
from quotaproof.checker.conform.tested import tests as judged

FINDINGS = (*slurm.FINDINGS, *htcondor.FINDINGS)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.title)
def test_it_is_portable_and_checks_the_promise_that_is_broken(finding: Finding) -> None:
    scenario = finding.scenario()
    assert (scenario.name, why_not(scenario)) == (finding.title, "")
    assert not finding.code or finding.code in scenario.checks


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.title)
def test_the_reference_keeps_every_promise_in_it(finding: Finding) -> None:
    reference = opened("reference")
    (tested,) = judged(reference, reference.declare(), [finding.scenario()])
    assert (tested.status, tested.codes) == (verdict.Status.PASSED, ())
