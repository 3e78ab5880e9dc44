"""The default screen of `verify`: what is wrong, one row a share, what to fix, what it rests on. ASCII, 100 columns.

A reader should see the verdict first and everything of a small queue on one screen. Where there is too much, less is
said in fixed steps (`_LEVELS`), and each step says what was left out; `verbose` says everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...spec.readings import READINGS
from ..results import SPEC_VERSION, Finding, Result, Severity, Verdict, Verification
from .headline import counts, headline, read_line, seconds
from .layout import INDENT, WIDTH, entry, paragraph, plain, shorten
from .outcome import Outcome, codes, open_theorems, outcome
from .table import MOST_ROWS, blocks, table
from .words import chosen_choices, combinations, ends, in_weight, leading, means, promise, sentences, short, shown_by

SCREEN = 45
"""Lines a report of up to `SHARES` shares takes at most; a larger one may add a line for each row."""
SHARES = 6
_LEVELS = range(7)
"""0 as designed; 1 tells each assumption in one line, 2 only names them; from 3 on units in order are folded and what is
alike is told once; from 4 on a unit has few rows; 5 keeps only titles and fixes, 6 only titles."""
_ROWS = {4: 3, 5: 2, 6: 1}
_MARK = {Severity.ERROR: "ERROR", Severity.WARNING: "WARN", Severity.NOTE: "note"}
PLACE = 40


def text(
    verification: Verification, *, out: str = "quotaproof-out", strict: bool = False, verbose: bool = False
) -> str:
    """The whole screen. `out` is the folder in which witnesses are written."""
    clean = plain(verification)
    judged = outcome(clean, strict=strict)
    folder = plain(out).rstrip("/")
    limit = SCREEN if len({r.share for r in clean.rows}) <= SHARES else SCREEN + len(clean.rows)
    lines: list[str] = []
    for level in [-1] if verbose else _LEVELS:
        lines = list(_screen(clean, judged, folder, level))
        if len(lines) <= limit:
            break
    return "".join(f"{line if len(line) <= WIDTH else shorten(line, WIDTH)}\n" for line in lines)


def quiet(verification: Verification, *, strict: bool = False) -> str:
    """The verdict in one line."""
    clean = plain(verification)
    judged = outcome(clean, strict=strict)
    return f"{shorten(f'{judged.word:<7} {headline(clean, judged)[0]}', WIDTH)}\n"


def _screen(verification: Verification, judged: Outcome, out: str, level: int) -> Iterator[str]:
    """`level` -1: everything; 0: as designed; each further one says less."""
    yield from read_line(verification)
    first, *more = headline(verification, judged)
    yield from entry(judged.word, first)
    for line in [*more, *verification.notes]:
        yield from _once(paragraph(line), level)
    chosen = blocks(verification, everything=level < 0, only_wrong=level >= 3, most=_ROWS.get(level, MOST_ROWS))
    if chosen:
        yield ""
        yield from table(chosen, legend=level < 5)
    yield from _findings(verification.findings, out, level)
    yield from _broken(verification, judged, out, level)
    yield from _resting(judged, verification.sensitive, out, level)
    yield ""
    yield from _proved(verification, judged, level)
    if level < 0:
        yield from _everything(verification)
    right = f"{counts(verification, judged)}     {seconds(verification)}   exit {judged.exit_code}"
    yield f"{right:>{WIDTH - 2}}"


def _findings(findings: Sequence[Finding], out: str, level: int) -> Iterator[str]:
    if not findings:
        return
    mend = any(f.severity is not Severity.NOTE for f in findings)
    yield ""
    yield "Fix these" if mend else "Know this"
    shown = findings if level < 5 else findings[:3]
    told: set[str] = set()
    for finding in shown:
        brief = level >= 3 and (finding.code in told or level >= 5)
        told.add(finding.code)
        place = shorten(finding.place, PLACE)
        right = f"{place:<28}  {finding.code}" if place else finding.code
        yield from _once(entry(_MARK[finding.severity], finding.title, right), level)
        for line in () if brief else finding.body:
            yield from paragraph(line)
        if finding.witness and not brief:
            yield from paragraph(f"See it: quotaproof replay {out}/{finding.witness}")
        if finding.fix and level < 6:
            yield from _once(paragraph(f"Fix: {finding.fix}."), level)
    if len(shown) < len(findings):
        yield from paragraph(f"{len(findings) - len(shown)} more: --verbose")


def _broken(verification: Verification, judged: Outcome, out: str, level: int) -> Iterator[str]:
    """Broken guarantees that the share table and the findings do not show already."""
    losers = [f"{r.share}, {r.unit}" for r in verification.rows if r.sure < r.given]
    rest = [r for r in in_weight(judged.broken) if r.subject not in losers]
    if not rest:
        return
    yield ""
    yield "Broken"
    for result in rest:
        under = chosen_choices(result, verification.assumed)
        subject = f"{result.subject}: " if result.subject else ""
        why = f"Not with {under}." if under else f"{result.because}."
        yield from _once(entry(result.code, f"{subject}{promise(result.code)} {why}"), level)
        if result.witness:
            yield from paragraph(f"See it: quotaproof replay {out}/{result.witness}")


def _once(lines: list[str], level: int) -> list[str]:
    """The first line alone, marked, where there is no room for more."""
    if level < 5 or len(lines) <= 1:
        return lines
    return [f"{lines[0][: WIDTH - 4]} ..."]


def _resting(judged: Outcome, numbers: Sequence[tuple[str, str]], out: str, level: int) -> Iterator[str]:
    found = combinations(judged.resting)
    if not found and not numbers:
        return
    yield ""
    yield "Rests on"
    if level >= 2:
        names = [" with ".join(code for code, _ in combination) for combination in ends(found) or found]
        named = "; ".join([*names, *(f"{code} (numbers)" for code, _ in numbers)])
        yield from paragraph(f"what AWS leaves open under {named}: --verbose")
        return
    for code, what in numbers:
        yield from entry(code, f"{what}.") if level < 1 else [shorten(entry(code, f"{what}.", " ")[0], WIDTH)]
    if level == 1:
        for combination, broken in ends(found).items():
            witness = shown_by(combination, broken)
            yield from entry(leading(combination), short(combination, broken), witness)
        if any(shown_by(c, b) for c, b in ends(found).items()):
            yield from paragraph(f"Without one of them: quotaproof replay {out}/ and the name on its right")
        return
    for combination, broken in ends(found).items():
        witness = shown_by(combination, broken)
        see = f" See it: quotaproof replay {out}/{witness}" if witness else ""
        yield from entry(leading(combination), f"{sentences(combination, broken)}{see}")
    yield from paragraph(means(found))


def _proved(verification: Verification, judged: Outcome, level: int) -> Iterator[str]:
    results = verification.results
    holds = (Verdict.HOLDS_ALWAYS, Verdict.HOLDS_HERE)
    held = [r for r in results if r.verdict in holds]
    skipped = [r for r in results if r.verdict is Verdict.NOT_APPLICABLE]
    resting = [r for r in judged.resting if r.verdict is not Verdict.UNKNOWN]
    unproved = [r for r in results if r.verdict is Verdict.UNKNOWN and r.open]
    unknown = [r for r in results if r.verdict is Verdict.UNKNOWN and not r.open]
    said = [f"{len(held)} of {len(results)} checks"]
    if skipped:
        said.append(f"{len(skipped)} do{'es' if len(skipped) == 1 else ''} not apply")
    if resting:
        said.append(f"{len(resting)} rest{'s' if len(resting) == 1 else ''} on readings")
    if judged.broken:
        said.append(f"broken: {', '.join(codes(judged.broken))}")
    if unknown:
        said.append(f"undecided: {', '.join(codes(unknown))}")
    if unproved:
        said.append(f"open: {', '.join(codes(unproved))}")
    assumes = list(dict.fromkeys(a for r in [*held, *resting] for a in r.assumes))
    if level >= 1 and len(assumes) > 3:
        assumes = [*(a.split()[0] for a in assumes if a.split()[0] in READINGS), "and what --verbose names"]
    tail = f" Assumes {', '.join(assumes)}." if assumes else ""
    yield from entry("Proved", f"for job sequences of any length: {'; '.join(said)}.{tail}")
    missing = open_theorems(verification)
    if missing:
        yield from paragraph(f"Theorems without a proof: {', '.join(missing)}.")
    for why, same in _by_reason(judged.undecided).items():
        yield from paragraph(f"Not decided: {', '.join(same)}: {why}")
    yield from entry("Not", "covered: whether SageMaker has the machines. Quotas are not hardware (AWS rule 18).")
    yield from paragraph(f"model: AWS documents, spec {SPEC_VERSION}. Not yet compared with your queue.")


def _by_reason(results: Sequence[Result]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for result in results:
        found.setdefault(result.because, []).append(result.code)
    return found


def _everything(verification: Verification) -> Iterator[str]:
    yield ""
    yield "Checks"
    for r in verification.results:
        subject = f" ({r.subject})" if r.subject else ""
        yield from entry(r.code, f"{r.verdict}{subject}. {r.because}")
        for combination in r.combinations:
            yield from paragraph("breaks with " + " and ".join(f"{c}={v}" for c, v in sorted(combination.items())))
        if r.assumes:
            yield from paragraph(f"assumes {', '.join(r.assumes)}")
    yield ""
    yield "Theorems, for any number of shares"
    for t in verification.theorems:
        reason = f" ({t.reason})" if t.reason else ""
        yield from entry(shorten(t.code, INDENT - 1), f"{t.status}{reason}, {t.conditions} conditions: {t.statement}")
    if verification.solver:
        yield from entry("Solver", ", ".join(f"{k} {v}" for k, v in verification.solver.items()))
    yield ""
