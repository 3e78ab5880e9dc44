"""Every finding: its example has it, one that just misses it has not, and the fix makes it go."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest
from quotaproof.checker.findings.catalogue import CHECKS, findings
from quotaproof.checker.results import Finding
from quotaproof.spec.formats import load
from quotaproof.spec.readings import Readings

EXAMPLES = Path(__file__).parents[3] / "examples" / "findings"
TODAY = date(2026, 12, 1)
Edit = tuple[str, str]
"""Old text and new text; ("", text) puts it in front."""
TABLE: dict[str, tuple[str, Edit, Edit]] = {
    # code: (place, what just misses it, the fix)
    "QP101": ("QP101.yaml:6", ("limits: {ml.p5.48xlarge: 3}", "limits: {ml.p5.48xlarge: 2}"), (": 4}", ": 5}")),
    "QP102": ("QP102.yaml:4", (": 6}", ": 5}"), ("ml.p5.48xlarge: 3}", "ml.p5.48xlarge: 4}")),
    "QP103": ("QP103.yaml:4", ("g5.xlarge: 2", "g5.xlarge: 0"), (", ml.g5.xlarge: 2", "")),
    "QP104": ("QP104.yaml:7", ("p5e", "p5"), ("p5.48xlarge: 4}", "p5.48xlarge: 2, ml.p5e.48xlarge: 2}")),
    "QP105": (
        "QP105.yaml:26",
        ("- {name: team-21, limits: {ml.p5.48xlarge: 1}, strategy: LEND}\n", ""),
        ("- {name: team-1, limits: {ml.p5.48xlarge: 1}, strategy: LEND}\n", ""),
    ),
    "QP106": ("QP106.yaml:4", (", ml.g5.24xlarge: 1}\n", "}\n"), ("ml.g5.2xlarge: 1, ", "")),
    "QP107": ("QP107.yaml:4", ("NUM_INSTANCES", "NUM_INSTANCES.2xlarge"), ("NUM_INSTANCES", "ml.p5.48xlarge")),
    "QP108": (
        "QP108.yaml:7",
        (": 4}, str", ": 3}, str"),
        ("environment: {ml.p5.48xlarge: 4}", "environment: {ml.p5.48xlarge: 6}"),
    ),
    "QP110": ("QP110.yaml:7", ("borrowLimit: 25", "borrowLimit: 34"), ("LEND_AND_BORROW, borrowLimit: 25", "LEND")),
    "QP111": ("QP111.yaml:7", ("borrowLimit: 0", "borrowLimit: 1"), ("LEND_AND_BORROW, borrowLimit: 0", "LEND")),
    "QP112": (
        "QP112.yaml:7",
        ("AND_BORROW", "AND_BORROW, borrowLimit: -1"),
        ("AND_BORROW", "AND_BORROW, borrowLimit: 100"),
    ),
    "QP113": ("QP113.yaml:7", ("borrowLimit: -1", "borrowLimit: 9999"), ("borrowLimit: -1", "borrowLimit: 100")),
    "QP114": ("QP114.yaml:7", ("RESERVE", "LEND"), ("LEND_AND_BORROW, borrowLimit: 100", "LEND")),
    "QP115": ("QP115.yaml:7", ("borrowLimit: 300", "borrowLimit: 299"), ("borrowLimit: 300", "borrowLimit: 249")),
    "QP207": ("QP207.yaml:7", ("borrowLimit: 200", "borrowLimit: 100"), ("borrowLimit: 200", "borrowLimit: 100")),
    "QP220": ("QP220.yaml:6", ("borrowLimit: 100", "borrowLimit: 33"), ("RESERVE", "LEND")),
    "QP221": (
        "QP221.yaml:6",
        ("prod, limits: {ml.p5.48xlarge: 4}", "prod, limits: {ml.p5.48xlarge: 3}"),
        ("RESERVE", "LEND"),
    ),
    "QP230": ("QP230.yaml:7", (": 6}", ": 9}"), ("LEND_AND_BORROW, borrowLimit: 100", "LEND")),
    "QP231": (
        "job.json:2",
        ('\\"InstanceCount\\": 4', '\\"InstanceCount\\": 3'),
        ("speech, limits: {ml.p5.48xlarge: 3}", "speech, limits: {ml.p5.48xlarge: 4}"),
    ),
    "QP232": (
        "job.json:2",
        ('\\"InstanceCount\\": 7', '\\"InstanceCount\\": 6'),
        ('\\"InstanceCount\\": 7', '\\"InstanceCount\\": 6'),
    ),
    "QP233": ("job.json:4", ("speach", "speech"), ("speach", "vision")),
    "QP240": (
        "QP240.yaml:7",
        (
            "vision, limits: {ml.p5.48xlarge: 1}, strategy: LEND_AND_BORROW, borrowLimit: 200",
            "vision, limits: {ml.p5.48xlarge: 1}, strategy: LEND_AND_BORROW, borrowLimit: 100",
        ),
        (
            "vision, limits: {ml.p5.48xlarge: 1}, strategy: LEND_AND_BORROW, borrowLimit: 200",
            "vision, limits: {ml.p5.48xlarge: 1}, strategy: LEND",
        ),
    ),
    "QP241": (
        "QP241.yaml:7",
        (", inSharePreemption: true", ""),
        ("inSharePreemption: true", "inSharePreemption: false"),
    ),
    "QP242": ("QP242.yaml:6", ("LEND_AND_BORROW, borrowLimit: 100", "LEND"), ("LEND}", "RESERVE}")),
    "QP301": ("1-planned.yaml:6", (": 4}, str", ": 3}, str"), (": 3}, str", ": 4}, str")),
    "QP302": ("QP302.yaml:7", ("2026-01-31", "2026-12-01"), ("2026-01-31", "2027-01-31")),
    "QP304": (
        "QP304.yaml:5",
        ("queue: QP304", "queue: QP304\nenvironment: {ml.p5.48xlarge: 5}"),
        ("queue: QP304", "queue: QP304\nenvironment: {ml.p5.48xlarge: 6}"),
    ),
    "QP303": (
        "QP303.yaml:7",
        ("LEND_AND_BORROW, borrowLimit: 50", "LEND_AND_BORROW"),
        ("# quotaproof: accept QP112 until 2099-12-31: only one team borrows\n", ""),
    ),
}


def of(code: str, path: Path) -> list[Finding]:
    loaded = load([str(path)], readings=Readings())
    return [f for f in findings(loaded, Readings(), today=TODAY, games=True) if f.code == code]


def edited(code: str, edit: Edit, folder: Path) -> Path:
    """The example with one text replaced, in exactly one of its files."""
    source = next(p for p in (EXAMPLES / f"{code}.yaml", EXAMPLES / code) if p.exists())
    changed = 0
    for file in [source] if source.is_file() else sorted(source.iterdir()):
        text = file.read_text(encoding="utf-8")
        if edit[0] in text and not changed:
            changed += 1
            text = text.replace(edit[0], edit[1], 1)
        (folder / file.name).write_text(text, encoding="utf-8")
    assert changed == 1
    return folder


def test_every_finding_has_an_example_and_every_example_a_row() -> None:
    assert sorted(p.stem for p in EXAMPLES.iterdir()) == sorted(TABLE) == sorted(CHECKS)


@pytest.mark.parametrize("code", TABLE)
def test_the_example_has_the_finding_at_its_line_with_a_fix(code: str) -> None:
    found = of(code, next(p for p in (EXAMPLES / f"{code}.yaml", EXAMPLES / code) if p.exists()))
    assert [f.place for f in found] == [TABLE[code][0]]
    assert found[0].severity is CHECKS[code].severity
    assert found[0].fix
    assert re.fullmatch(r"[ -~]+", " ".join((found[0].title, *found[0].body, found[0].fix)))


@pytest.mark.parametrize("code", TABLE)
def test_one_that_just_misses_it_has_not(code: str, tmp_path: Path) -> None:
    assert of(code, edited(code, TABLE[code][1], tmp_path)) == []


@pytest.mark.parametrize("code", TABLE)
def test_the_fix_makes_it_go(code: str, tmp_path: Path) -> None:
    assert of(code, edited(code, TABLE[code][2], tmp_path)) == []
