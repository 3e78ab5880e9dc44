"""What a command found out as one HTML file: to open, to mail, to print, to keep beside a build.

The parts of `audit` and of `conform` stand in files of their own. Whatever comes from outside is escaped by `hypertext`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ..results import Event, Finding, Result, Row, Verification
from . import audit_html, conform_html, pictures, plan_html
from .conformed import short
from .headline import headline, kinds_read
from .hypertext import Tag, document, listed, paragraphs, section, table, tag
from .layout import plain
from .options import Options
from .outcome import Outcome, Word, outcome
from .partition import Class, classify, count
from .promised import HEADS
from .promised import cells as promised_cells
from .proved import MODEL, NOT_COVERED
from .replay import endings
from .table import SHARE_HEADS, beyond
from .words import MARK, combinations, details, ends, leading, sentences, title

_NUMBERS = (3, 4, 5, 7)
_SECTIONS = (
    (Class.FAILED, "Wrong"),
    (Class.UNDECIDED, "Not decided"),
    (Class.NOTED, "To know"),
    (Class.WAIVED, "Accepted"),
)
_SHOWN_FIRST = ("audit", "conform")
"""Commands whose pictures come before what is wrong."""
_COLOUR = {Word.OK: "good", Word.WAIVED: "open", Word.WARNED: "open", Word.UNKNOWN: "open"}


def write(events: Iterable[Event], options: Options) -> str:
    """The whole file."""
    told = Verification.of(events)
    timelines = [told.timeline] if told.timeline else []
    found = pictures.scenes(told.witnesses, failures=told.began.command == "conform")
    drawn = pictures.page(timelines, found)
    clean = plain(replace(told, timeline=None, witnesses=()))
    judged = outcome(clean, options)
    shown = [*pictures.history(timelines), *pictures.steps(told, found)]
    later = [*pictures.records(timelines)]
    title = f"quotaproof {clean.began.command} {clean.began.subject}"
    return document(title, _body(clean, judged, options, shown, later), drawn)


def _body(
    v: Verification, judged: Outcome, options: Options, shown: Sequence[Tag], later: Sequence[Tag]
) -> Iterator[Tag]:
    """`shown`: what is drawn; `later`: the long tables of it."""
    word = tag("span", judged.word, css=f"word {_COLOUR.get(judged.word, 'bad')}")
    if v.began.command == "replay":
        yield tag("h1", word, v.began.subject)
        yield from paragraphs([v.began.about] if v.began.about else [])
        for end in endings(v, judged):
            yield tag("p", tag("strong", end.word), f" {' '.join([end.sentence, *end.more])}")
        yield from shown
        yield from section("Steps", _steps(v))
    else:
        first, *more = headline(v, judged)
        yield tag("h1", word, first)
        yield from paragraphs([*more, *v.began.notes])
    yield from paragraphs(_read(v), "small")
    yield from plan_html.facts(v)
    yield from conform_html.declared(v)
    yield from section("Shares", [*paragraphs(_units(v)), *table(SHARE_HEADS, [_row(r) for r in v.rows], _NUMBERS)])
    yield from audit_html.facts(v)
    yield from shown if v.began.command in _SHOWN_FIRST else ()
    for found, heading in _SECTIONS:
        events: list[Finding | Result] = [*v.findings, *beyond(v.rows, v.results)]
        yield from section(heading, listed(_event(e, v, options) for e in events if classify(e, options) is found))
    yield from section("Promises", table(HEADS, promised_cells(v, options)))
    yield from plan_html.told(v, judged)
    yield from conform_html.told(v)
    yield from audit_html.told(v)
    yield from shown if v.began.command not in (*_SHOWN_FIRST, "replay") else ()
    yield from later
    yield from section("Rests on", listed(_rests(v, judged)))
    yield from _end(v, judged, options)


def _read(v: Verification) -> Iterator[str]:
    read = kinds_read(v.began.sources)
    if read:
        yield f"Read: {read}."
    if v.began.assumed:
        yield f"Assuming {', '.join(f'{code}={choice}' for code, choice in v.began.assumed.items())}."
    for left in v.began.left_out:
        yield f"Left out: {left}"


def _units(v: Verification) -> Iterator[str]:
    for total in v.units:
        exist = "not in the environment" if total.capacity is None else f"{total.capacity} in the environment"
        yield f"{total.unit}: {exist}{' (assumed)' if total.assumed else ''}, {total.given} given to shares."


def _row(r: Row) -> Sequence[str]:
    only = f" from {r.lenders[0]}" if len(r.lenders) == 1 else ""
    borrow = f"{r.borrow}{only}" if r.borrow else "-"
    return [r.share, r.unit, r.rule, *map(str, (r.given, r.sure, r.most)), borrow, str(r.loses or "-"), r.own_back]


def _steps(v: Verification) -> list[Tag]:
    def what(s: int) -> str:
        step = v.steps[s]
        broken = [f"BROKEN {step.broken}"] if step.broken else []
        loops = ["from here on it repeats"] if step.loops else []
        return "; ".join([step.what, *broken, *([step.note] if step.note else []), *loops])

    rows = [[str(s.number), what(k), s.in_use] for k, s in enumerate(v.steps)]
    return table(("step", "what happens", "in use"), rows, (0,))


def _event(event: Finding | Result, v: Verification, options: Options) -> list[Tag | str]:
    said = MARK[event.severity] if isinstance(event, Finding) else event.verdict
    mark = short(event) if v.conformed and isinstance(event, Result) else said
    place = f" ({event.place})" if event.place else ""
    more = [part for line in details(event, v.began.assumed, plain(options.out)) for part in (Tag("br"), line)]
    return [tag("strong", f"{mark} {event.code}"), f" {title(event)}{place}", *more]


def _rests(v: Verification, judged: Outcome) -> Iterator[list[Tag | str]]:
    for rest in v.rests:
        yield [tag("strong", rest.reading), f" {rest.otherwise}."]
    for combination, broken in ends(combinations(judged.resting)).items():
        yield [tag("strong", leading(combination)), f" {sentences({combination: broken})}"]


def _end(v: Verification, judged: Outcome, options: Options) -> Iterator[Tag]:
    number = count(v.judged, options)
    classes = ", ".join(f"{n} {found}" for found, n in number.items())
    said = [f"Counts: all findings and checks: {classes}. Exit code {judged.exit_code}."]
    said += [judged.because] if judged.because else []
    if v.began.command == "verify":
        said.append(f"Not covered: {NOT_COVERED} Model: {MODEL}")
    yield tag("footer", *paragraphs(said, "small"))
