"""The text screen of `replay`: step by step what happened, which promise broke, and whether it shows what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...spec.rules.guarantees import GUARANTEES
from ..replay import EXPECT, SHOWS
from ..results import Result, Step, Verdict, Verification
from .layout import WIDTH, entry, paragraph, shorten
from .options import Options
from .outcome import Outcome, Word, outcome

_AGAIN = {Verdict.KEPT: "FIXED", Verdict.BROKEN_HERE: "FAILED", Verdict.UNKNOWN: "ERROR"}
"""What a backend that runs a failure again comes to; a play never has these verdicts."""


@dataclass(frozen=True)
class Ending:
    """One thing that the play amounts to: a word, its sentence, and more sentences."""

    word: str
    sentence: str
    more: tuple[str, ...] = ()


def screen(verification: Verification, options: Options) -> str:
    """The whole screen, or how it ends where `quiet` asks for it. `verification` is plain already."""
    judged = outcome(verification, options)
    lines = [*_ending(verification, judged)][:1] if options.quiet else _screen(verification, judged)
    return "".join(f"{shorten(line, WIDTH)}\n" for line in lines)


def endings(verification: Verification, judged: Outcome) -> Iterator[Ending]:
    """What the play amounts to, in words; or the run of a failure that was kept: FIXED, FAILED or ERROR."""
    again = [r for r in verification.results if r.verdict in _AGAIN]
    if again:
        for result in again:
            known = GUARANTEES.get(result.code)
            named = f"{known.code} {known.name}: " if known else ""
            yield Ending(_AGAIN[result.verdict], f"{named}{_because(result)}.", result.more)
        return
    wrong = [r for r in judged.broken if r.code in (EXPECT, SHOWS)]
    shown = [r for r in judged.broken if r.code in GUARANTEES and r.more]
    promised = [r for r in judged.broken if r.code not in (*GUARANTEES, EXPECT, SHOWS)]
    steps = sum(bool(s.broken) for s in verification.steps)
    if wrong:
        for result in wrong:
            yield Ending("WRONG", _because(result))
    elif shown:
        for result in shown:
            guarantee = GUARANTEES[result.code]
            yield Ending("BROKEN", f"{guarantee.code} {guarantee.name}: {result.because}.", result.more)
    elif promised:
        for result in promised:
            yield Ending("BROKEN", f"{result.code}: {' '.join(result.more)}", (f"{result.because}.",))
    elif steps:
        yield Ending("BROKEN", "1 step breaks a promise." if steps == 1 else f"{steps} steps break a promise.")
    elif judged.word is Word.OK:
        made = " that is made here" if any(_unpromised(verification)) else ""
        yield Ending("OK", f"every step keeps every promise{made}, and every expectation is met.")
    else:
        yield Ending(judged.word, "that is not a yes.")
    for result in _unpromised(verification):
        yield Ending("NOT", f"promised here: {result.code} {GUARANTEES[result.code].name}. {result.because}.")


def _unpromised(verification: Verification) -> Iterator[Result]:
    """What guarantees do not say of jobs that wait at the end."""
    return (r for r in verification.results if r.verdict is Verdict.NOT_APPLICABLE and r.code in GUARANTEES)


def _because(result: Result) -> str:
    return f"{result.subject}: {result.because}" if result.subject else result.because


def _screen(verification: Verification, judged: Outcome) -> Iterator[str]:
    began = verification.began
    yield from paragraph(began.subject, 0)
    yield from paragraph(began.about)
    if began.assumed:
        yield from paragraph(f"assuming {', '.join(f'{code}={choice}' for code, choice in began.assumed.items())}")
    if began.rests_on:
        yield from paragraph(f"rests on {', '.join(began.rests_on)}")
    yield ""
    for step in verification.steps:
        yield from _step(step)
    if verification.steps:
        yield ""
    yield from _ending(verification, judged)
    if judged.because:
        yield from paragraph(judged.because)
    yield f"{f'exit {judged.exit_code}':>{WIDTH - 2}}"


def _step(step: Step) -> Iterator[str]:
    if step.loops:
        yield from paragraph("from here on it repeats:")
    changed = f"   [in use: {step.in_use}]" if step.in_use else ""
    yield from entry(str(step.number), f"{step.what}{changed}")
    if step.broken:
        yield from paragraph(f"BROKEN {step.broken}")
    if step.note:
        yield from paragraph(step.note)


def _ending(verification: Verification, judged: Outcome) -> Iterator[str]:
    for end in endings(verification, judged):
        yield from entry(end.word, end.sentence)
        for line in end.more:
            yield from paragraph(line)
