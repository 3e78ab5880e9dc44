"""What is cited exists, and is as certain as is said beside it: rules, open questions, guarantees, findings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from quotaproof.checker.cli.topics import known
from quotaproof.checker.report import specification
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.guarantees import GUARANTEES
from quotaproof.spec.rules.sources import DOCUMENTED, IMPLIED, OPEN, certainty, least, rules_in

from ..support.documented import ROOT, pages

TOLD = [path for folder in ("checker", "spec", "reference", "examples") for path in sorted((ROOT / folder).rglob("*"))]
FILES = [*pages(), *(p for p in TOLD if p.suffix in {".py", ".js", ".mjs", ".html", ".yaml", ".json"} and p.is_file())]
"""Pages, and what the program, its page, its lessons and its examples say."""
CODE = re.compile(r"(?<!noqa: )\b(?:[AG]\d+[a-z]?\b\+?|QP\d+|[SC]\d{1,2}\b)(?!\.\d)")
WORDS = f"({DOCUMENTED}|{IMPLIED}|{OPEN})"
CITED = r"(?:[AG]\d+[a-z]?|QP\d+|rules? \d[\d, -]*)"
BESIDE = (
    re.compile(rf"\[?\b({CITED})\b\]?(?:\([^)]*\))?,? (?:which (?:is|are) |(?:is|are) )?{WORDS}\b"),
    re.compile(rf"\b{WORDS}(?:,| by| \(|: )[^.;|()\[]{{0,20}}\[?\b({CITED})\b"),
)


@cache
def topics() -> frozenset[str]:
    return frozenset(known())


def unknown(text: str) -> set[str]:
    """What a text cites and nothing explains."""
    cited = {f"rule {number}" for number in rules_in(text)} | set(CODE.findall(text))
    return {code for code in cited if code not in topics() and code.removesuffix("+") not in topics()}


def wrongly_certain(text: str) -> Iterator[str]:
    """Certainties beside a citation that are not those of what is cited."""
    for pattern in BESIDE:
        for cited, word in (
            sorted(found, key=lambda g: g in (DOCUMENTED, IMPLIED, OPEN)) for found in pattern.findall(text)
        ):
            numbers = rules_in(cited)
            is_so = least(map(certainty, numbers)) if numbers else OPEN if cited in READINGS else word
            if word != is_so:
                yield f"{cited} is {is_so}, not {word}"


def test_what_is_cited_exists() -> None:
    cited = 0
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert unknown(text) == set(), path
        cited += len(rules_in(text)) + len(CODE.findall(text))
    assert cited > 3000


def test_a_certainty_beside_a_citation_is_its_own() -> None:
    found = 0
    for path in FILES:
        text = " ".join(path.read_text(encoding="utf-8").split())
        assert [*wrongly_certain(text)] == [], path
        found += sum(len(pattern.findall(text)) for pattern in BESIDE)
    assert found >= 10


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("rule 57", {"rule 57"}),
        ("(rules 35-38, 58; A23, A62)", {"rule 58", "A62"}),
        ("rules 55 to 57", {"rule 57"}),
        ("G5y is G5x, G22 is none, QP999, S99", {"G5y", "G22", "QP999", "S99"}),
        ("rule 56 is the last, A50b and G6+ there", set()),
    ],
)
def test_what_does_not_exist_is_found(text: str, cited: set[str]) -> None:
    assert unknown(text) == cited


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("([rule 38](../reference/codes.md#rule-38), implied by AWS's walkthrough)", []),
        ("([rule 38](../reference/codes.md#rule-38), which is documented)", ["rule 38 is implied, not documented"]),
        ("Its place is open ([A21](codes.md#a21)).", []),
        ("That is documented ([A23](codes.md#a23)).", ["A23 is open, not documented"]),
        ("It is implied ([rule 36](codes.md#rule-36))", ["rule 36 is documented, not implied"]),
        ("rules 36, 38 are documented", ["rules 36, 38 is implied, not documented"]),
    ],
)
def test_a_wrong_certainty_is_found(text: str, wrong: list[str]) -> None:
    assert [*wrongly_certain(text)] == wrong


def named(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", pages(), ids=named)
def test_a_link_with_a_code_leads_to_that_code(page: Path) -> None:
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        for child, label in pairwise(token.children or []):
            if child.type != "link_open":
                continue
            anchor = str(child.attrs["href"]).partition("#")[2]
            code = label.content if label.content in topics() else ""
            if re.fullmatch(r"rule-\d+|[ag]\d+\w?|qp\d+", anchor) or (code and "codes.md" in str(child.attrs["href"])):
                assert anchor == label.content.lower().replace(" ", "-"), f"{label.content} leads to {anchor}"


ALONE = re.compile(rf"\((?:{CITED}|, )+\)")
"""Sources in brackets that are no link."""
BY_HAND = [
    p for p in pages() if "Generated from the code" not in p.read_text(encoding="utf-8") and "findings" not in p.parts
]


@pytest.mark.parametrize("page", BY_HAND, ids=named)
def test_a_source_in_brackets_is_a_link(page: Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    assert [found for found in ALONE.findall(text) if not set(re.findall(CITED, found)) <= set(GUARANTEES)] == []


OPENLY = re.compile(
    r"\?|\b(?:open|(?:are|is|we|however|as) read|read as|assumed?|depends?|chooses?|chosen?|heuristic|nowhere|cannot say)\b"
    r"|\bAWS (?:does not|chose|considers)|\btake it\b"
)
"""What tells a reader that a sentence is a choice."""


@pytest.mark.parametrize("page", [p for p in BY_HAND if {"how-to", "explanation", "tutorial"} & {*p.parts}], ids=named)
def test_what_rests_on_an_open_question_says_so(page: Path) -> None:
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        if token.type == "inline" and re.search(r"codes\.md#a\d", token.content):
            assert OPENLY.search(re.sub(r"\]\([^)]*\)", "]", token.content)), token.content


def test_the_specification_is_what_the_code_says() -> None:
    page = ROOT / "docs" / "reference" / "spec.md"
    assert specification.markdown() == page.read_text(encoding="utf-8"), (
        "python -m quotaproof.checker.report.specification > docs/reference/spec.md"
    )
