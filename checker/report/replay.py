"""A played scenario as text: step by step what happened, which promise broke, and whether it shows what it says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ...spec.rules.guarantees import GUARANTEES
from ..witness.words import words
from .layout import WIDTH, entry, paragraph, plain, shorten

if TYPE_CHECKING:
    from ...spec.formats.scenario import Breaks
    from ..witness.play import Line, Played

Usage = Mapping[str, Mapping[str, int]]

_HOW = {
    "step": "the last step breaks it",
    "stuck": "{job} waits and nothing can move",
    "lasso": "{job} waits while the last steps go round for ever",
    "circle": "scheduler and drains alone go round for ever",
}


def exit_code(played: Played) -> int:
    """0 when every promise is kept and every expectation met; 1 when a promise breaks or an expectation fails."""
    return 1 if played.wrong or played.violations or played.shows else 0


def text(played: Played) -> str:
    """The whole screen."""
    return "".join(f"{shorten(line, WIDTH)}\n" for line in _screen(played))


def _screen(played: Played) -> Iterator[str]:
    scenario = played.scenario
    yield from paragraph(plain(scenario.name), 0)
    yield from paragraph(plain(scenario.about))
    assumed = [f"{code}={choice}" for code, choice in scenario.readings.chosen]
    if assumed:
        yield from paragraph(f"assuming {', '.join(assumed)}")
    if scenario.rests_on:
        yield from paragraph(f"rests on {plain(', '.join(scenario.rests_on))}")
    yield ""
    before: Usage = {}
    for line in played.lines:
        if line.number == scenario.repeats_from and line is _first(played, line.number):
            yield from paragraph("from here on it repeats:")
        yield from _line(line, before)
        before = {**before, **line.usage}
    yield ""
    yield from _ending(played)
    yield f"{f'exit {exit_code(played)}':>{WIDTH - 2}}"


def _first(played: Played, number: int) -> Line:
    return next(line for line in played.lines if line.number == number)


def _line(line: Line, before: Usage) -> Iterator[str]:
    if line.event is None:
        yield from entry(str(line.number), f"expect: {plain(line.note)}")
        return
    yield from entry(str(line.number), f"{plain(words(line.event))}{_changed(before, line.usage)}")
    if line.violation is not None:
        yield from paragraph(f"BROKEN {plain(str(line.violation))}")
    if line.note:
        yield from paragraph(plain(line.note))


def _changed(before: Usage, after: Usage) -> str:
    """What is in use now, where that changed."""
    changed = [
        f"{share} {'+'.join(map(str, now.values())) or 0}"
        for share, now in after.items()
        if any(now.values()) or share in before
        if now != before.get(share)
    ]
    return f"   [in use: {plain(', '.join(changed))}]" if changed else ""


def _ending(played: Played) -> Iterator[str]:
    breaks = played.scenario.breaks
    if played.wrong:
        for wrong in played.wrong:
            yield from entry("WRONG", plain(wrong))
    elif breaks is not None and played.shows:
        guarantee = GUARANTEES[breaks.guarantee]
        yield from entry("BROKEN", f"{guarantee.code} {guarantee.name}: {_how(breaks)}.")
        yield from paragraph(guarantee.sentence)
        if played.because:
            yield from paragraph(f"{plain(breaks.job)} cannot start: {plain(played.because)}.")
        if breaks.how == "stuck":
            yield from paragraph("Nobody borrows what it lacks, so nobody can be stopped for it.")
        other = next((line.number for line in played.lines if line.note.startswith("the reference would")), None)
        if other is not None:
            yield from paragraph(
                f"Every step is one that AWS's text allows; quotaproof's reference scheduler would choose otherwise "
                f"at step {other}."
            )
    elif played.violations:
        yield from entry(
            "BROKEN",
            "1 step breaks a promise."
            if len(played.violations) == 1
            else f"{len(played.violations)} steps break a promise.",
        )
    else:
        yield from entry("OK", "every step keeps every promise, and every expectation is met.")


def _how(breaks: Breaks) -> str:
    return _HOW[breaks.how].format(job=plain(breaks.job))
