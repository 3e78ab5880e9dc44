"""The specification as a document people can cite: docs/reference/spec.md, made from the code and from nothing else.

`python -m quotaproof.checker.report.specification > docs/reference/spec.md` writes it; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...spec.readings import READINGS, Reading
from ...spec.rules.catalogue import ACTIONS
from ...spec.rules.guarantees import FIRST_CAUSE, GUARANTEES, Guarantee
from ...spec.rules.laws import LAWS
from ...spec.rules.lifecycle import MOVES
from ...spec.rules.sources import DOCUMENTED, RULES, certainty, least, rules_in
from ...spec.rules.view import QUANTITIES
from ..findings.catalogue import CHECKS
from ..prove.reclaim import ASSUMES
from ..results import SPEC_VERSION

_FREE = ("A17", "A20", "A26", "A27")
"""Readings that are a scheduler's free choice: the specification allows every choice."""


def markdown() -> str:
    """The whole document."""
    return (
        "\n".join([*_intro(), *_state(), *_actions(), *_life(), *_guarantees(), *_readings(), *_rules(), *_findings()])
        + "\n"
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _intro() -> Iterator[str]:
    yield f"# Quota shares: the specification, version {SPEC_VERSION}"
    yield ""
    yield (
        "Generated from the code; do not edit. Three layers are kept apart: what AWS says (*documented*) or shows "
        "(*implied*), open questions read one way or another (*assumed*, each a switch), and what a scheduler may choose "
        "(*free*). Rule numbers and readings (A1, A2, ...) can be cited; `quotaproof explain CODE` prints each."
    )
    yield ""
    yield (
        "Notation, per unit: L limit, l lendable, b borrowable, E environment, C sum of the limits, r usage, r* settled "
        "usage, n what a job asks, R = sum of r, P = sum of max(r, L - l), K = what may be filled (A5), x+ = max(x, 0), "
        "x' = after the step."
    )
    yield ""


def _state() -> Iterator[str]:
    yield "## Vocabulary and state"
    yield ""
    yield "A rule speaks of one share and one unit and of sums over all shares. Derived numbers:"
    yield ""
    yield "| quantity | what it is | source |"
    yield "|---|---|---|"
    for q in QUANTITIES.values():
        yield f"| {q.title} | {_cell(q.sentence)} | {q.source} |"
    yield ""
    yield "Laws, true of one share and so of any sum of shares:"
    yield ""
    yield from (f"- {law.name}" + (f" (under {'='.join(law.given)})" if law.given else "") for law in LAWS)
    yield ""


def _actions() -> Iterator[str]:
    yield "## Actions"
    yield ""
    yield "Each guard is a conjunction of clauses; the sentence says what is wrong where the clause is false."
    yield ""
    for action in ACTIONS:
        yield f"### {action.name} ({action.who})"
        yield ""
        yield action.sentence
        yield ""
        yield from (f"- `{code}`: {_cell(sentence)}" for code, sentence in action.clauses.items())
        yield ""


def _life() -> Iterator[str]:
    yield "## Life of a job"
    yield ""
    starts = dict.fromkeys(a for a, _ in sorted(MOVES))
    yield from (f"- {a} -> {', '.join(sorted(b for x, b in MOVES if x == a))}" for a in starts)
    yield ""


def status(guarantee: Guarantee) -> str:
    """How certain the least certain rule is that a promise rests on, and whether it rests on readings too."""
    if guarantee.code in ("G16", "G20", "G21"):
        return "assumed of scheduler or platform"
    rules = rules_in(guarantee.source)
    if not rules:
        return "assumed, as its readings are: no rule of AWS says it"
    return f"its rules {least(map(certainty, rules))}" + ("; its readings assumed" if guarantee.readings else "")


def _guarantees() -> Iterator[str]:
    yield "## Guarantees"
    yield ""
    yield f"A step is charged with the first of these that it breaks: {', '.join(FIRST_CAUSE)}."
    yield ""
    for g in GUARANTEES.values():
        yield f"### {g.code} {g.name}"
        yield ""
        yield g.sentence
        yield ""
        yield f"- kind: {g.kind}; for each {g.over}"
        yield f"- mathematics: {g.mathematics}"
        yield f"- source: {g.source}; readings: {', '.join(g.readings) or 'none'}; status: {status(g)}"
        yield ""
    yield f"Theorem R (G14) assumes: {'; '.join(ASSUMES)}."
    yield ""


def _reading_status(reading: Reading) -> str:
    if reading.code in _FREE:
        return "free"
    return "assumed" if reading.modelled else "assumed, no switch"


def _readings() -> Iterator[str]:
    yield "## Readings"
    yield ""
    yield "| code | question | choices (default first) | why | status |"
    yield "|---|---|---|---|---|"
    for r in READINGS.values():
        choices = "; ".join(f"**{name}** {meaning}" for name, meaning in r.choices.items()) or "-"
        yield f"| {r.code} | {_cell(r.question)} | {_cell(choices)} | {_cell(r.favoured)} | {_reading_status(r)} |"
    yield ""


def _rules() -> Iterator[str]:
    yield "## AWS's rules"
    yield ""
    yield (
        "AWS says so, unless a rule is marked: *implied* follows, at least in part, from what AWS says or shows; of what "
        "is *open* AWS leaves a part open."
    )
    yield ""
    for number, sentence in RULES.items():
        word = certainty(number)
        yield f"{number}. {sentence}" + ("" if word == DOCUMENTED else f" (*{word}*)")
    yield ""


def _findings() -> Iterator[str]:
    yield "## Findings"
    yield ""
    yield (
        "What `verify` says of a configuration beside the guarantees; each is decided by arithmetic on the numbers. "
        "`examples/findings` has one of each."
    )
    yield ""
    yield "| code | severity | what | why it matters |"
    yield "|---|---|---|---|"
    for check in CHECKS.values():
        yield f"| {check.code} | {check.severity} | {_cell(check.title)} | {_cell(check.explanation)} |"


if __name__ == "__main__":
    print(markdown(), end="")
