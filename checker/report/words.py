"""How an assumption is put to a reader: what it says, what AWS says about it, and what happens without it.

Sentences for the combinations of readings we know well, and a general form for all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...spec.readings import READINGS
from ...spec.rules.guarantees import GUARANTEES
from ..promised import Promised
from ..results import Combination, Finding, Result, Severity, Verdict, Waiver
from ..shell import to_replay
from .outcome import codes

Key = tuple[tuple[str, str], ...]
MARK: Mapping[Severity, str] = {Severity.ERROR: "ERROR", Severity.WARNING: "WARN", Severity.NOTE: "note"}
"""The word in front of a finding."""

_KNOWN: Mapping[Key, str] = {
    (("A15", "no"), ("A23", "no")): (
        "A machine freed for a waiting owner goes to that owner; or A15: owners are served before borrowers. "
        "AWS's own walkthrough needs one of the two, its documents say neither. "
        "Without both an owner can wait for ever"
    ),
    (("A23", "no"),): (
        "A machine freed for a waiting owner goes to that owner. AWS's documents do not say so. "
        "Without it a share that comes and goes can keep an owner waiting for ever"
    ),
    (("A15", "no"), ("A58", "freed")): (
        "A claim holds all that its job asks, also what is free already; or A15: owners are served before borrowers. "
        "AWS's documents say neither. Without both a share that comes and goes can keep an owner waiting for ever"
    ),
    (("A18", "backfill"),): (
        "A share's head is not passed by smaller jobs behind it. "
        "If it is, the jobs stopped for it start again before it, one after the other, for ever"
    ),
    (("A24", "b"),): (
        "A share takes back only for a job that is within its own limit as a whole. "
        "If part of the job may be borrowed, two shares can stop each other's jobs for ever"
    ),
}
_SHORT: Mapping[Key, str] = {
    (("A15", "no"), ("A23", "no")): "Freed machines go to the owner they were freed for, or owners come first (A15).",
    (("A23", "no"),): "Freed machines go to the owner they were freed for.",
    (("A15", "no"), ("A58", "freed")): "A claim holds all that its job asks, or owners come first (A15).",
    (("A24", "b"),): "A share takes back only for a job within its own limit.",
    (("A18", "backfill"),): "Smaller jobs do not pass the head of their share.",
}
"""The same in one line, for a screen that is full."""
_LEADING: Mapping[Key, str] = {(("A15", "no"), ("A23", "no")): "A23", (("A15", "no"), ("A58", "freed")): "A58"}


_MEANS = {"G7", "G8"}
"""Rules that say how a share gets its own back; that it does is G14."""


def ends(found: Mapping[Key, Sequence[Result]]) -> dict[Key, list[Result]]:
    """The combinations that break more than a means: what an answer to a share rests on."""
    kept = {k: [r for r in results if r.code not in _MEANS] for k, results in found.items()}
    return {k: results for k, results in kept.items() if results}


def means(found: Mapping[Key, Sequence[Result]]) -> str:
    """One sentence on the combinations that only decide how a share gets its own back; '' when there are none."""
    only = {k: results for k, results in found.items() if all(r.code in _MEANS for r in results)}
    named = [f"{' with '.join(code for code, _ in k)} ({', '.join(codes(results))})" for k, results in only.items()]
    also = "decides" if len(named) == 1 else "decide"
    return f"{', '.join(named)} {also} how a share gets its own back, not whether." if named else ""


def combinations(results: Sequence[Result]) -> dict[Key, list[Result]]:
    """Every combination of readings that breaks some of the `results`, with those results, by A-number."""
    found: dict[Key, list[Result]] = {}
    for result in results:
        for combination in result.combinations:
            found.setdefault(key(combination), []).append(result)
    return dict(sorted(found.items(), key=lambda item: [number(code) for code, _ in item[0]]))


def key(combination: Combination) -> Key:
    return tuple(sorted(combination.items()))


def leading(combination: Key) -> str:
    """The reading under which the assumption is listed."""
    return _LEADING.get(combination, combination[0][0] if combination else "")


def by_reading(found: Mapping[Key, Sequence[Result]]) -> dict[str, dict[Key, Sequence[Result]]]:
    """The combinations under the reading that leads them: a screen has one entry for each."""
    made: dict[str, dict[Key, Sequence[Result]]] = {}
    for combination, broken in found.items():
        made.setdefault(leading(combination), {})[combination] = broken
    return made


def sentences(found: Mapping[Key, Sequence[Result]]) -> str:
    """What is assumed, and what fails otherwise; of several combinations, nothing twice."""
    said = [line for combination, broken in found.items() for line in _sentences(combination, broken)]
    return " ".join(dict.fromkeys(said))


def _sentences(combination: Key, broken: Sequence[Result]) -> Iterator[str]:
    known = _KNOWN.get(combination)
    if known is not None:
        yield f"{known} ({', '.join(codes(broken))})."
    else:
        yield from _general(combination, broken)


def short(found: Mapping[Key, Sequence[Result]]) -> str:
    """What is assumed, in few words: of combinations that are put alike, once."""
    said: dict[str, list[Result]] = {}
    for combination, broken in found.items():
        said.setdefault(_SHORT.get(combination) or _assumed(combination), []).extend(broken)
    return " ".join(f"{words} ({', '.join(codes(broken))})" for words, broken in said.items())


def _assumed(combination: Key) -> str:
    """Of one reading, which stands in the margin, only how it is read."""
    if len(combination) == 1:
        return f"Read as {READINGS[combination[0][0]].default}"
    return " and ".join(f"{code} {READINGS[code].default}" for code, _ in combination)


def promise(code: str) -> str:
    """What the guarantee promises, in its own sentence; '' for a code the specification does not have."""
    known = GUARANTEES.get(code)
    return known.sentence if known else ""


def accepted(waiver: Waiver) -> str:
    """Who reads a waived finding must see this."""
    place = f" ({waiver.place})" if waiver.place else ""
    return f"accepted until {waiver.until}: {waiver.reason}{place}"


def title(event: Finding | Result | Promised) -> str:
    """What the event says, in a sentence."""
    if isinstance(event, Promised):
        return f"{event.result.subject}: {event.says}" if event.result.subject else event.says
    if isinstance(event, Finding):
        return event.title
    subject = f"{event.subject}: " if event.subject else ""
    return f"{subject}{promise(event.code) or event.because}"


def details(event: Finding | Result | Promised, assumed: Mapping[str, str], out: str) -> list[str]:
    """Everything else that a reader needs: why, what to change, what shows it, who accepts it."""
    if isinstance(event, Promised):
        return of_promise(event, assumed, out)
    lines = [accepted(event.waiver)] if event.waiver is not None else []
    if isinstance(event, Finding):
        lines += event.body
        lines += [f"Fix: {event.fix}."] if event.fix else []
    else:
        under = chosen_choices(event, assumed)
        known = promise(event.code)
        lines += [f"{event.because}."] if known else []
        lines += [*(line for line in event.more if line != known), *([f"Not with {under}."] if under else [])]
    return [*lines, *([f"See it: {to_replay(out, event.witness)}"] if event.witness else [])]


def numbers(one: Promised) -> str:
    """The numbers, or the reason, in one line."""
    subject = f"{one.result.subject}: " if one.result.subject else ""
    return f"{subject}{one.result.because.rstrip('.')}." if one.result.because else one.result.subject


def of_promise(one: Promised, assumed: Mapping[str, str], out: str) -> list[str]:
    """What a reader needs of one term: the numbers, what shows it, what mends it, who accepts it, when it is in force."""
    result = one.result
    under = rests_on(result, assumed)
    return [
        *([numbers(one)] if numbers(one) else []),
        *result.more,
        *([under] if under else []),
        *([f"See it: {to_replay(out, result.witness)}"] if result.witness else []),
        *([suggested(one)] if one.suggestion else []),
        *([accepted(result.waiver)] if result.waiver is not None else []),
        *([f"In force {one.valid}."] if one.valid else []),
    ]


def rests_on(result: Result, assumed: Mapping[str, str]) -> str:
    """On which choices the verdict of a promise rests; '' where on none."""
    if result.verdict is Verdict.BROKEN_IF and result.asked:
        return f"Broken with {_choices(_made(result, assumed), ' or with ')}, which is assumed."
    if result.verdict in (Verdict.HOLDS_IF, Verdict.BROKEN_IF) and result.combinations:
        return f"Not with {_choices(result.combinations, '; nor with ')}."
    return ""


def suggested(one: Promised) -> str:
    """What would make it hold, or why nothing is suggested; '' where nobody looked."""
    if one.suggestion is None:
        return ""
    if not one.suggestion.changes:
        return f"Suggest: nothing; {one.suggestion.none.rstrip('.')}."
    costs = f" It costs: {one.suggestion.costs.rstrip('.')}." if one.suggestion.costs else ""
    beside = f" Or, with no limit changed: {'; '.join(one.suggestion.instead)}." if one.suggestion.instead else ""
    return f"Suggest: {'; '.join(one.suggestion.changes)}.{costs}{beside}"


def chosen_choices(result: Result, assumed: Mapping[str, str]) -> str:
    """The choices under which a BROKEN IF is broken: those the user made, where they suffice. '' for other verdicts."""
    if result.verdict is not Verdict.BROKEN_IF:
        return ""
    return _choices(_made(result, assumed), "; nor with ")


def _made(result: Result, assumed: Mapping[str, str]) -> Sequence[Combination]:
    return [c for c in result.combinations if c.items() <= assumed.items()] or result.combinations


def _choices(combinations: Sequence[Combination], between: str) -> str:
    return between.join(" and ".join(f"{c}={v}" for c, v in sorted(one.items())) for one in combinations)


def in_weight(broken: Sequence[Result]) -> list[Result]:
    """What a share feels first, rules that only serve it last."""
    return sorted(broken, key=lambda r: r.code in _MEANS)


def shown_by(combination: Key, broken: Sequence[Result]) -> str:
    """The scenario that shows what happens under the combination, '' when no result names one for just this."""
    for result in broken:
        for one, witness in zip(result.combinations, result.witnesses, strict=False):
            if witness and key(one) == combination:
                return witness
    return ""


def _general(combination: Key, broken: Sequence[Result]) -> Iterator[str]:
    for code, _ in combination:
        reading = READINGS[code]
        question = reading.question if reading.question.endswith("?") else f"{reading.question}?"
        yield f"{question} Assumed: {reading.choices[reading.default]}."
    names = codes(broken)
    choice = " and ".join(f"{code}={choice}" for code, choice in combination)
    yield f"With {choice}, {' and '.join(names)} {'is' if len(names) == 1 else 'are'} broken."


def number(code: str) -> tuple[int, str]:
    """What codes are ordered by."""
    digits = code[1:].rstrip("abcdefghijklmnopqrstuvwxyz")
    return (int(digits) if digits.isdigit() else 0, code)
