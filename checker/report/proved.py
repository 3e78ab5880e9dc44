"""The part of the text screen that says what was proved and what was not, and every check and theorem with --verbose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...spec.readings import READINGS
from ..results import SPEC_VERSION, Result, Verification
from .layout import INDENT, entry, paragraph, shorten
from .options import Options
from .outcome import Outcome, codes, open_theorems
from .partition import Class, classify, count

NOT_COVERED = "whether SageMaker has the machines. Quotas are not hardware (AWS rule 18)."
MODEL = f"AWS documents, spec {SPEC_VERSION}. Not yet compared with your queue."


def proved(verification: Verification, judged: Outcome, options: Options, level: int) -> Iterator[str]:
    """`level` as in `text`: from 1 on long lists are cut."""
    results = {c: [r for r in verification.results if classify(r, options) is c] for c in Class}
    resting = [r for r in judged.resting if r in results[Class.PASSED] or r in results[Class.NOTED]]
    held = [r for r in results[Class.PASSED] if r not in resting]
    assumes = list(dict.fromkeys(a for r in [*held, *resting] for a in r.assumes))
    if level >= 1 and len(assumes) > 3:
        assumes = [*(a.split()[0] for a in assumes if a.split()[0] in READINGS), "and what --verbose names"]
    tail = f" Assumes {', '.join(assumes)}." if assumes else ""
    said = tally(held, resting, results, len(verification.results))
    yield from entry("Proved", f"for job sequences of any length: {'; '.join(said)}.{tail}")
    missing = open_theorems(verification)
    if missing:
        yield from paragraph(f"Theorems without a proof: {', '.join(missing)}.")
    if crossed := verification.ended.solver.get("cross_check"):
        yield from paragraph(f"{crossed}.")
    for why, same in _by_reason(judged.undecided).items():
        yield from paragraph(f"Not decided: {', '.join(same)}: {why}")
    yield from entry("Not", f"covered: {NOT_COVERED}")
    yield from paragraph(f"model: {MODEL}")


def tally(
    held: Sequence[Result], resting: Sequence[Result], results: dict[Class, list[Result]], total: int
) -> Iterator[str]:
    """How many checks came out how; the ones that did not hold by name."""
    skipped = len(results[Class.SKIPPED])
    yield f"{len(held)} of {total} checks"
    if skipped:
        yield f"{skipped} do{'es' if skipped == 1 else ''} not apply"
    if resting:
        yield f"{len(resting)} rest{'s' if len(resting) == 1 else ''} on readings"
    for word, found in (
        ("broken", Class.FAILED),
        ("accepted", Class.WAIVED),
        ("undecided", Class.UNDECIDED),
        ("open", Class.OPEN),
    ):
        if results[found]:
            yield f"{word}: {', '.join(codes(results[found]))}"


def everything(verification: Verification, options: Options) -> Iterator[str]:
    """Every check, every theorem, the solver, and how many findings and checks are in each class."""
    yield from ["", "Checks"]
    for r in verification.results:
        subject = f" ({r.subject})" if r.subject else ""
        yield from entry(r.code, f"{r.verdict}{subject}. {r.because}")
        for combination in r.combinations:
            yield from paragraph("breaks with " + " and ".join(f"{c}={v}" for c, v in sorted(combination.items())))
        if r.assumes:
            yield from paragraph(f"assumes {', '.join(r.assumes)}")
    yield from ["", "Theorems, for any number of shares"]
    for t in verification.theorems:
        reason = f" ({t.reason})" if t.reason else ""
        yield from entry(shorten(t.code, INDENT - 1), f"{t.status}{reason}, {t.conditions} conditions: {t.statement}")
    if verification.ended.solver:
        yield from entry("Solver", ", ".join(f"{k} {v}" for k, v in verification.ended.solver.items()))
    number = count(verification.judged, options)
    yield from entry("Counts", ", ".join(f"{n} {found}" for found, n in number.items()))
    yield ""


def _by_reason(results: Sequence[Result]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for result in results:
        found.setdefault(result.because, []).append(result.code)
    return found
