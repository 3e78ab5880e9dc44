"""The text screen of `conform`: the verdict, what is wrong with the scenario that shows it, what was tried, how to repeat
it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...spec.rules.guarantees import GUARANTEES
from ..conformed import Conformed
from ..results import Result, Verdict, Verification
from ..shell import to_replay
from .audited_rules import called
from .conformed import (
    SCENARIO,
    declaration,
    effort,
    failed,
    in_part,
    lost,
    many,
    of,
    scenarios,
    short,
    speed,
    undecided_groups,
    verdict,
)
from .headline import seconds
from .layout import WIDTH, entry, items, paragraph, stopped
from .options import Options
from .outcome import Outcome
from .partition import count
from .words import promise

FEW = 4
"""Lines of one kind that are shown, unless everything is asked for."""


def screen(verification: Verification, judged: Outcome, options: Options) -> Iterator[str]:
    """The lines of the screen. `verification` is plain already."""
    conformed, whole = verification.conformed or Conformed(), options.verbose
    for line in verdict(verification, judged):
        yield from entry(judged.word, f"{verification.began.subject}: {line}")
    if conformed.declared is not None:
        for line in declaration(conformed.declared):
            yield from paragraph(line)
    yield from _broken(verification, options)
    yield from _part("Scenarios of the corpus that fail", scenarios(verification, Verdict.BROKEN_HERE), options)
    yield from _part("Not decided", undecided_groups(verification), options)
    if conformed.tried:
        yield from _tried(verification, options)
    yield ""
    if whole:
        yield from _everything(verification, options)
    if judged.because:
        yield from paragraph(judged.because)
    by = " (--expect)" if conformed.compared is not None else ""
    numbers, end = _counts(verification), f"{seconds(verification)}   exit {judged.exit_code}{by}"
    if len(numbers) + len(end) > WIDTH - 10:
        yield from paragraph(f"{numbers}.")
        numbers = ""
    right = f"{numbers}     {end}"
    yield f"{right:>{WIDTH - 2}}"


def _tried(verification: Verification, options: Options) -> Iterator[str]:
    """What came up in what was tried, what the scheduler was not told, and how to do it again."""
    conformed, whole = verification.conformed or Conformed(), options.verbose
    yield from ["", "Guarantees"]
    kept = [f"{r.code} {r.count:,}" for r in of(verification, Verdict.KEPT)]
    part = [f"{r.code} {r.count:,}" for r in in_part(verification)]
    if kept or not part:
        yield from items("kept", kept or ["none"])
    if part:
        yield from items("kept", part, "where they came up, with core scenarios skipped: ")
    never = [called(r.code) for r in of(verification, Verdict.NEVER_CAME_UP)]
    if never:
        yield from items("never", never, "came up: ")
    yield from ["", "Tried"]
    for t in conformed.tried:
        yield from paragraph(f"{t.part}: {effort(t)}. {speed(t)}")
    if conformed.lost:
        yield from ["", "What it was not told"]
        for it in conformed.lost if whole else conformed.lost[:FEW]:
            yield from paragraph(lost(it))
        if len(conformed.lost) > FEW and not whole:
            yield from paragraph(f"{len(conformed.lost) - FEW} more: --verbose")
    yield from ["", "How to reproduce"]
    shown = conformed.again if whole else conformed.again[:FEW]
    for a in shown:
        yield from _command(a.what, a.line)
    if len(shown) < len(conformed.again):
        yield from paragraph(f"{len(conformed.again) - len(shown)} more: --verbose")


def _broken(verification: Verification, options: Options) -> Iterator[str]:
    broken = of(verification, Verdict.BROKEN_HERE, Verdict.BROKEN)
    if broken:
        yield from ["", "Broken"]
    for r in broken:
        yield from entry(r.code, f"{_name(r.code)}{promise(r.code)}")
        yield from paragraph(stopped(r.because))
        for line in r.more if options.verbose else ():
            yield from paragraph(line)
        yield from _see(r, options)


def _see(r: Result, options: Options) -> Iterator[str]:
    if r.witness:
        yield from paragraph(f"See it: {to_replay(options.out, r.witness)}")


def _name(code: str) -> str:
    known = GUARANTEES.get(code)
    return f"{known.name}: " if known else ""


def _part(title: str, results: Sequence[Result], options: Options) -> Iterator[str]:
    whole = options.verbose
    shown = results if whole else results[:FEW]
    if results:
        yield from ["", title]
    for r in shown:
        if whole or r.code == "PROFILE":
            yield from paragraph(f"{_about(r)}{r.because}")
            yield from (line for more in r.more for line in paragraph(more))
        else:
            yield from _short(f"{_about(r)}{r.because}")
        if r.verdict is Verdict.UNKNOWN:
            yield from _see(r, options)
    if len(results) > len(shown):
        yield from paragraph(f"{len(results) - len(shown)} more: --verbose")


def _short(text: str) -> list[str]:
    """At most two lines of it."""
    lines = paragraph(text)
    return lines if len(lines) <= 2 else [lines[0], f"{lines[1][: WIDTH - 4]} ..."]


def _about(r: Result) -> str:
    return f"{r.subject or r.code}: "


def _command(what: str, command: str) -> list[str]:
    """A command stands whole on one line: it is there to be copied."""
    return [f"{what:<20} {command}"]


def _counts(verification: Verification) -> str:
    broken = len(of(verification, Verdict.BROKEN_HERE))
    tried = (verification.conformed or Conformed()).tried
    said = [f"{many(broken, 'guarantee')} broken", failed(verification)]
    skipped, wrong = sum(t.skipped for t in tried), sum(t.errored for t in tried)
    said += [f"{skipped:,} skipped"] if skipped else []
    said += [f"{wrong:,} went wrong"] if wrong else []
    open_ = sum(not (r.code == SCENARIO or r.skipped) for r in undecided_groups(verification))
    said.append(f"{open_} undecided")
    return "; ".join(said)


def _everything(verification: Verification, options: Options) -> Iterator[str]:
    """Every result, and how many are in each class."""
    yield "Results"
    for r in verification.results:
        yield from entry(r.code, f"{f'{r.subject}: ' if r.subject else ''}{short(r)}. {stopped(r.because)}")
        for line in r.more:
            yield from paragraph(line)
    number = count(verification.judged, options)
    yield from ["", *entry("Counts", ", ".join(f"{n} {found}" for found, n in number.items())), ""]
