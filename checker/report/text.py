"""The default screen of `verify`: what is wrong, one row a share, what to fix, what it rests on. ASCII, 100 columns.

A reader should see the verdict first and everything of a small queue on one screen. Where there is too much, less is
said in fixed steps (`_LEVELS`), and each step says what was left out; `verbose` says everything. The screen of `replay`
stands in `replay`, those of `audit` and `conform` in files of their names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..results import Event, Finding, Rests, Result, Severity, Verification
from ..shell import to_replay
from . import audit, audited_rules, conform, conformed, plan, promised_text, replay
from .headline import counts, headline, read_line, seconds
from .layout import INDENT, WIDTH, entry, paragraph, plain, shorten
from .options import Options
from .outcome import Outcome, Word, outcome
from .partition import Class, classify
from .proved import everything, proved
from .table import MOST_ROWS, beyond, blocks, table
from .words import (
    MARK,
    accepted,
    by_reading,
    chosen_choices,
    combinations,
    ends,
    in_weight,
    means,
    number,
    promise,
    sentences,
    short,
    shown_by,
)

SCREEN = 48
"""Lines a report of up to `SHARES` shares takes at most; a larger one may add a line for each row.
Promises have lines of their own."""
SHARES = 6
_LEVELS = range(8)
"""0 as designed; 1 tells each assumption in one line, 2 only names them; 3 leaves out the legend and says of a warning what
fits; from 4 on units in order are folded and what is alike is told once; from 5 on a unit has few rows; 6 keeps only
titles and fixes, 7 only titles."""
_ROWS = {5: 3, 6: 2, 7: 1}
PLACE = 40
_BRIEF = {"audit": audited_rules.brief, "conform": conformed.brief}
"""Commands whose verdict is said in other words where there is one line for it."""


def write(events: Iterable[Event], options: Options) -> str:
    """The whole screen, or the verdict alone where `quiet` asks for it."""
    clean = plain(Verification.of(events))
    if clean.began.command == "replay":
        return replay.screen(clean, options)
    judged = outcome(clean, options)
    if options.quiet:
        brief = _BRIEF.get(clean.began.command) if judged.word is not Word.UNUSABLE else None
        said = brief(clean, judged) if brief else headline(clean, judged)[0]
        return f"{shorten(f'{judged.word:<7} {said}', WIDTH)}\n"
    if clean.began.command == "conform" and judged.word is not Word.UNUSABLE:
        return "".join(f"{line}\n" for line in conform.screen(clean, judged, options))
    if clean.began.command == "plan" and judged.word is not Word.UNUSABLE:
        return "".join(f"{shorten(line, WIDTH)}\n" for line in plan.screen(clean, judged, options))
    if clean.began.command == "audit" and judged.word is not Word.UNUSABLE:
        return "".join(f"{shorten(line, WIDTH)}\n" for line in audit.screen(clean, judged, options))
    limit = SCREEN if len({r.share for r in clean.rows}) <= SHARES else SCREEN + len(clean.rows)
    lines, promises = list[str](), list(promised_text.block(clean, options))
    for level in [-1] if options.verbose else _LEVELS:
        lines = list(_screen(clean, judged, options, level))
        if len(lines) - len(promises) <= limit:
            break
    return "".join(f"{line if len(line) <= WIDTH else shorten(line, WIDTH)}\n" for line in lines)


def _screen(verification: Verification, judged: Outcome, options: Options, level: int) -> Iterator[str]:
    """`level` -1: everything; 0: as designed; each further one says less."""
    out = options.out
    yield from read_line(verification, whole=level < 0)
    first, *more = headline(verification, judged)
    yield from entry(judged.word, first)
    if judged.word is Word.UNUSABLE:
        yield f"{f'exit {judged.exit_code}':>{WIDTH - 2}}"
        return
    for line in [*more, *verification.began.notes]:
        yield from _once(paragraph(line), level)
    chosen = blocks(verification, everything=level < 0, only_wrong=level >= 4, most=_ROWS.get(level, MOST_ROWS))
    if chosen:
        yield ""
        yield from table(chosen, legend=level < 3)
    waived = [f for f in verification.findings if classify(f, options) is Class.WAIVED]
    counted = [f for f in verification.findings if classify(f, options) is not Class.WAIVED]
    if counted:
        mend = any(f.severity is not Severity.NOTE for f in counted)
        hint = "" if level < 0 else "  (--verbose: every place and fix)" if _cut(counted, level) else ""
        yield from ["", f"{'Fix these' if mend else 'Know this'}{hint}"]
        yield from _findings(counted, out, level)
    yield from _broken(verification, judged, out, level)
    yield from promised_text.block(verification, options)
    yield from _accepted(verification, waived, options, out, level)
    yield from _resting(judged, verification.rests, out, level)
    yield ""
    yield from proved(verification, judged, options, level)
    if level < 0:
        yield from everything(verification, options)
    if judged.because:
        yield from paragraph(judged.because)
    right = f"{counts(verification, judged, options)}     {seconds(verification)}   exit {judged.exit_code}"
    yield f"{right:>{WIDTH - 2}}"


def _findings(findings: Sequence[Finding], out: str, level: int) -> Iterator[str]:
    shown = findings if level < 6 else findings[:3]
    told: set[str] = set()
    for finding in shown:
        brief = level >= 4 and (finding.code in told or level >= 6)
        told.add(finding.code)
        place = shorten(finding.place, PLACE) if finding.severity is not Severity.NOTE or level < 0 else ""
        right = f"{place:<28}  {finding.code}" if place else finding.code
        yield from _once(entry(MARK[finding.severity], finding.title, right), level)
        if finding.waiver is not None:
            yield from _once(paragraph(accepted(finding.waiver)), level)
        yield from _said(finding, out, level, brief=brief)
    if len(shown) < len(findings):
        yield from paragraph(f"{len(findings) - len(shown)} more: --verbose")


def _cut(findings: Sequence[Finding], level: int) -> bool:
    """Whether something is not said of some finding."""
    return level >= 3 or any(f.severity is Severity.NOTE for f in findings)


def _said(finding: Finding, out: str, level: int, *, brief: bool) -> Iterator[str]:
    """What stands below a finding's title. A note has nothing but for `verbose`; a warning one paragraph from level 2."""
    if finding.severity is Severity.NOTE and level >= 0:
        return
    fix = f"Fix: {finding.fix}." if finding.fix and level < 7 else ""
    if finding.severity is Severity.WARNING and level >= 3:
        both = " ".join([*finding.body, fix])
        short = both if len(both) <= WIDTH - INDENT else " ".join(finding.body)
        yield from _once(paragraph(fix if brief or not finding.body else short), level)
        return
    for line in () if brief else finding.body:
        yield from paragraph(line)
    if finding.witness and not brief:
        yield from paragraph(f"See it: {to_replay(out, finding.witness)}")
    yield from _once(paragraph(fix), level)


def _broken(verification: Verification, judged: Outcome, out: str, level: int) -> Iterator[str]:
    """Broken guarantees that the share table and the findings do not show already."""
    rest = beyond(verification.rows, in_weight(judged.broken))
    if rest:
        yield from ["", "Broken"]
        yield from _guarantees(verification, rest, out, level)


def _accepted(
    verification: Verification, waived: Sequence[Finding], options: Options, out: str, level: int
) -> Iterator[str]:
    """What somebody decided to live with for now."""
    results = [r for r in verification.results if classify(r, options) is Class.WAIVED]
    rest = in_weight(results)
    if waived:
        rest = beyond(verification.rows, rest)
    if waived or rest:
        yield from ["", "Accepted"]
        yield from _findings(waived, out, level)
        yield from _guarantees(verification, rest, out, level)


def _guarantees(verification: Verification, results: Sequence[Result], out: str, level: int) -> Iterator[str]:
    for result in results:
        under = chosen_choices(result, verification.began.assumed)
        subject = f"{result.subject}: " if result.subject else ""
        why = f"Not with {under}." if under else f"{result.because}."
        yield from _once(entry(result.code, f"{subject}{promise(result.code)} {why}"), level)
        if result.waiver is not None:
            yield from _once(paragraph(accepted(result.waiver)), level)
        if result.witness:
            yield from paragraph(f"See it: {to_replay(out, result.witness)}")


def _once(lines: list[str], level: int) -> list[str]:
    """The first line alone, marked, where there is no room for more."""
    if level < 6 or len(lines) <= 1:
        return lines
    return [f"{lines[0][: WIDTH - 4]} ..."]


def _resting(judged: Outcome, numbers: Sequence[Rests], out: str, level: int) -> Iterator[str]:
    found = combinations(judged.resting)
    if not found and not numbers:
        return
    ended = by_reading(ends(found))
    if level >= 2:
        names = [" with ".join(code for code, _ in combination) for combination in ends(found) or found]
        more = [f"{n.reading} (numbers)" for n in numbers if n.reading not in names]
        yield from [
            "",
            *entry("Rests", f"on what AWS leaves open under {'; '.join(dict.fromkeys([*names, *more]))}: --verbose"),
        ]
        return
    yield from ["", "Rests on"]
    changed = {n.reading: f"{n.otherwise}." for n in numbers}
    named = False
    for reading in sorted({*changed, *ended}, key=number):
        some = ended.get(reading, {})
        witnesses = [w for combination, broken in some.items() if (w := shown_by(combination, broken))]
        named = named or bool(witnesses)
        if level == 1:
            said, right = short(some), next(iter(witnesses), "")
        else:
            said, right = (
                " ".join([sentences(some), *(f"See it: {to_replay(out, w)}" for w in dict.fromkeys(witnesses))]),
                "",
            )
        yield from entry(reading, " ".join(part for part in (changed.get(reading, ""), said) if part), right)
    if level == 1:
        if named:
            yield from paragraph(f"Without one of them: {to_replay(out, '')} and the name on its right")
        return
    yield from paragraph(means(found))
