"""One configuration in all forms has the same findings; only their places differ."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from quotaproof.checker.findings.catalogue import findings
from quotaproof.checker.results import Finding
from quotaproof.spec.formats import load
from quotaproof.spec.readings import Readings

EXAMPLES = Path(__file__).parents[3] / "examples"
FORMS = sorted((EXAMPLES / "forms").iterdir())


def of(*paths: Path) -> list[Finding]:
    return list(findings(load([str(p) for p in paths], readings=Readings()), Readings(), today=date(2026, 12, 1)))


@pytest.mark.parametrize("form", FORMS, ids=lambda p: p.name)
def test_the_walkthrough_has_the_same_findings_in_every_form(form: Path) -> None:
    expected, got = of(EXAMPLES / "walkthrough"), of(form)
    assert [replace(f, place="") for f in got] == [replace(f, place="") for f in expected]
    assert len(expected) == 3
    assert all(f.place.startswith(form.name if form.is_file() else "QuotaShares.template.json") for f in got)


@pytest.mark.parametrize("form", FORMS, ids=lambda p: p.name)
def test_a_form_beside_the_requests_it_stands_for_differs_in_nothing(form: Path) -> None:
    assert [f.code for f in of(form, EXAMPLES / "walkthrough")] == [f.code for f in of(EXAMPLES / "walkthrough")]
