"""Each page of findings names a scenario, a promise, a backend and a command that exist, and every finding has a page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from quotaproof.checker.conform.htcondor import findings as htcondor
from quotaproof.checker.conform.htcondor.variants import VARIANTS
from quotaproof.checker.conform.real.findings import Finding
from quotaproof.checker.conform.slurm import findings as slurm
from quotaproof.checker.conform.slurm.backend import MAPPINGS
from quotaproof.spec.formats.scenario_text import load_scenario
from quotaproof.spec.rules.guarantees import GUARANTEES

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs" / "reference" / "findings"
FINDINGS = (*slurm.FINDINGS, *htcondor.FINDINGS)
BACKENDS = {
    *(f"slurm:{mapping}".rstrip(":") for mapping in MAPPINGS),
    *(f"htcondor:{variant}".rstrip(":") for variant in VARIANTS),
}
PARTS = ["Configuration", "Shortest scenario", "Observed", "Upstream", "What avoids it", "See it"]


def page(finding: Finding) -> str:
    return (PAGES / f"{finding.title}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.title)
def test_a_page_is_of_the_common_form_and_in_the_index(finding: Finding) -> None:
    assert re.findall(r"^## (.+)$", page(finding), re.MULTILINE) == PARTS
    row = f"| [{finding.name}]({finding.title}.md) | {finding.about} | "
    assert row in (PAGES / "README.md").read_text(encoding="utf-8")
    assert page(finding).startswith(f"# {finding.name}: {finding.about}\n")


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.title)
def test_its_promise_is_that_of_the_finding(finding: Finding) -> None:
    promise = re.search(r"^\| promise \| (\S+) ?(.*) \|$", page(finding), re.MULTILINE)
    assert promise is not None
    if not finding.code:
        assert promise[1] == "none:"
        return
    assert promise[1] == finding.code
    assert promise[2] == GUARANTEES[finding.code].name
    assert f"<- {finding.code}" in page(finding)


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda f: f.title)
def test_its_command_plays_its_scenario_on_a_mapping_that_exists(finding: Finding) -> None:
    (line,) = re.findall(r"^\$ (quotaproof .+)$", page(finding), re.MULTILINE)
    program, verb, scenario, option, backend = shlex.split(line)
    assert (program, verb, option, backend) == ("quotaproof", "replay", "--backend", finding.shown_by)
    assert load_scenario(str(ROOT / scenario)).name == finding.scenario().name
    for name in (finding.shown_by, *finding.avoided_by):
        assert name in BACKENDS
