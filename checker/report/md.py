"""What a command found out as Markdown, for a pull request's comment or a build's summary.

Whatever comes from outside goes through `escaped`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..results import Event, Finding, Result, Row, Verification
from . import audit_md, conform_md, plan_md, promised_md
from .conformed import short
from .headline import counts, headline, kinds_read
from .layout import plain
from .markdown import escaped
from .options import Options
from .outcome import Outcome, outcome
from .partition import Class, classify, count
from .proved import MODEL, NOT_COVERED
from .replay import endings
from .table import SHARE_HEADS, beyond
from .words import MARK, combinations, details, ends, leading, sentences, title

_SECTIONS = (
    (Class.FAILED, "Fix these"),
    (Class.UNDECIDED, "Not decided"),
    (Class.NOTED, "Know this"),
    (Class.WAIVED, "Accepted"),
)


def write(events: Iterable[Event], options: Options) -> str:
    """The whole text."""
    clean = plain(Verification.of(events))
    judged = outcome(clean, options)
    if clean.began.command == "replay":
        lines = list(_replay(clean, judged))
    else:
        lines = [*_verify(clean, judged), *plan_md.facts(clean), *conform_md.declared(clean), *audit_md.facts(clean)]
        lines += [
            *_sections(clean, options),
            *promised_md.section(clean, options),
            *plan_md.told(clean, judged),
            *conform_md.told(clean),
            *audit_md.told(clean),
        ]
    lines += _rests(clean, judged)
    lines += _end(clean, judged, options)
    return "\n".join(lines) + "\n"


def _verify(verification: Verification, judged: Outcome) -> Iterator[str]:
    first, *more = headline(verification, judged)
    yield f"## {judged.word}: {escaped(first)}"
    yield ""
    for line in [*more, *verification.began.notes]:
        yield f"{escaped(line)}  "
    read = kinds_read(verification.began.sources)
    if read:
        yield f"Read: {escaped(read)}.  "
    for left in verification.began.left_out:
        yield f"Left out: {escaped(left)}  "
    for total in verification.units:
        exist = "not in the environment" if total.capacity is None else f"{total.capacity} in the environment"
        assumed = " (assumed)" if total.assumed else ""
        yield f"{escaped(total.unit)}: {exist}{assumed}, {total.given} given to shares.  "
    yield from _table(verification.rows)


def _table(rows: Sequence[Row]) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield f"| {' | '.join(SHARE_HEADS)} |"
    yield "|---|---|---|--:|--:|--:|---|--:|---|"
    for r in rows:
        only = f" from {r.lenders[0]}" if len(r.lenders) == 1 else ""
        borrow = f"{r.borrow}{only}" if r.borrow else "-"
        cells = [r.share, r.unit, r.rule, r.given, r.sure, r.most, borrow, r.loses or "-", r.own_back]
        yield f"| {' | '.join(escaped(str(c)) for c in cells)} |"


def _replay(verification: Verification, judged: Outcome) -> Iterator[str]:
    began = verification.began
    yield f"## {judged.word}: {escaped(began.subject)}"
    yield ""
    yield f"{escaped(began.about)}  "
    yield ""
    for end in endings(verification, judged):
        yield f"**{end.word}** {escaped(' '.join([end.sentence, *end.more]))}  "
    yield ""
    yield "<details><summary>Steps</summary>"
    yield ""
    yield "| step | what happens | in use |"
    yield "|--:|---|---|"
    for step in verification.steps:
        notes = [*([f"BROKEN {step.broken}"] if step.broken else []), *([step.note] if step.note else [])]
        what = "; ".join([step.what, *notes, *(["from here on it repeats"] if step.loops else [])])
        yield f"| {step.number} | {escaped(what)} | {escaped(step.in_use)} |"
    yield ""
    yield "</details>"


def _sections(verification: Verification, options: Options) -> Iterator[str]:
    happened = verification.audited is not None or verification.conformed is not None
    mend = {Class.FAILED: "Broken"} if happened else {}  # what has happened cannot be fixed
    every: list[Finding | Result] = [*verification.findings, *beyond(verification.rows, verification.results)]
    for found, heading in _SECTIONS:
        events = [e for e in every if classify(e, options) is found]
        if events:
            yield from ["", f"### {mend.get(found, heading)}", ""]
        for event in events:
            said = MARK[event.severity] if isinstance(event, Finding) else event.verdict
            mark = short(event) if verification.conformed and isinstance(event, Result) else said
            told = isinstance(event, Finding) or verification.audited is not None
            place = f" ({escaped(event.place)})" if told and event.place else ""
            yield f"- **{mark} {escaped(event.code)}** {escaped(title(event))}{place}  "
            for line in details(event, verification.began.assumed, plain(options.out)):
                yield f"  {escaped(line)}  "


def _rests(verification: Verification, judged: Outcome) -> Iterator[str]:
    found = ends(combinations(judged.resting))
    if not found and not verification.rests:
        return
    yield from ["", "<details><summary>Rests on</summary>", ""]
    for rest in verification.rests:
        yield f"- **{escaped(rest.reading)}** {escaped(rest.otherwise)}."
    for combination, broken in found.items():
        yield f"- **{escaped(leading(combination))}** {escaped(sentences({combination: broken}))}"
    yield from ["", "</details>"]


def _end(verification: Verification, judged: Outcome, options: Options) -> Iterator[str]:
    number = count(verification.judged, options)
    yield ""
    said = f"{counts(verification, judged, options)}; " if verification.began.command == "verify" else ""
    classes = ", ".join(f"{n} {found}" for found, n in number.items())
    yield f"Counts: {said}all findings and checks: {classes}. Exit code {judged.exit_code}."
    if judged.because:
        yield judged.because
    if verification.began.command == "verify":
        yield from ["", f"Not covered: {NOT_COVERED} Model: {MODEL}"]
