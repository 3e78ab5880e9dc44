"""What a conformance run amounts to, in sentences: the same for the screen, Markdown, HTML and the badge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..conformed import Conformed, Declared, Lost, Tried
from ..results import Result, Verdict, Verification
from .layout import shorten
from .outcome import Outcome, Word, codes

NAME = 24
MOST = 5
"""Codes that are named in a short verdict."""
SCENARIO = "SCENARIO"
FLAKE = "FLAKE"
OTHERS = ("CAMPAIGN", "PROFILE", "GOAL", FLAKE)
"""Codes of what neither a scenario nor a guarantee stands for."""


def standing(judged: Outcome) -> str:
    """CONFORMANT only when everything that was asked was tried and kept."""
    match judged.word:
        case Word.OK | Word.WAIVED:
            return "CONFORMANT"
        case Word.BROKEN | Word.WARNED:
            return "NOT CONFORMANT"
        case Word.UNKNOWN | Word.UNUSABLE:
            return "PARTIAL"


def verdict(verification: Verification, judged: Outcome) -> list[str]:
    """The verdict in a sentence."""
    first = _first(verification, judged)
    if judged.word is Word.BROKEN:
        broken = [c for c in codes(judged.broken) if c not in (SCENARIO, *OTHERS)]
        were = "guarantee is" if len(broken) == 1 else "guarantees are"
        return [f"{first}: {len(broken)} {were} broken: {', '.join(broken)}."]
    if judged.word is not Word.OK:
        return [f"{first}: {undecided(judged)}. That is not a yes."]
    kept = of(verification, Verdict.KEPT)
    never = of(verification, Verdict.NEVER_CAME_UP)
    tail = f", {len(never)} never came up" if never else ""
    return [f"{first}: {len(kept)} guarantees came up and were kept each time{tail}."]


def brief(verification: Verification, judged: Outcome) -> str:
    """The verdict in one line of a screen."""
    broken = [c for c in codes(judged.broken) if c not in (SCENARIO, *OTHERS)]
    said = f", broken: {', '.join(broken[:MOST])}{' ...' if len(broken) > MOST else ''}" if broken else ""
    return f"{shorten(verification.began.subject, NAME)}: {_first(verification, judged)}{said}."


def _first(verification: Verification, judged: Outcome) -> str:
    declared = (verification.conformed or Conformed()).declared
    return f"{standing(judged)} ({declared.profile})" if declared else standing(judged)


def undecided(judged: Outcome) -> str:
    """What is missing to a yes."""
    scenarios = [r for r in judged.undecided if r.code == SCENARIO]
    skipped = sum(r.skipped for r in scenarios)
    wrong = len(scenarios) - skipped
    said = [f"{many(wrong, 'scenario')} went wrong"] if wrong else []
    said += [f"{many(skipped, 'core scenario')} {'was' if skipped == 1 else 'were'} skipped"] if skipped else []
    said += [f"{r.because}" for r in judged.undecided if r.code == "PROFILE"]
    campaign = sum(r.count for r in judged.undecided if r.code == "CAMPAIGN")
    said += [f"{many(campaign, 'generated scenario')} went wrong"] if campaign else []
    flakes = sum(r.code == FLAKE for r in judged.undecided)
    said += [f"{many(flakes, 'flake')}"] if flakes else []
    goals = sum(r.code == "GOAL" for r in judged.undecided)
    said += [f"{many(goals, 'goal')} not reached"] if goals else []
    promises = [r for r in judged.undecided if r.code not in (SCENARIO, *OTHERS)]
    open_ = codes(r for r in promises if not r.skipped)
    said += [f"undecided: {', '.join(open_)}"] if open_ else []
    part = len(codes(r for r in promises if r.skipped))
    said += [f"{many(part, 'guarantee')} tested in part"] if part else []
    return "; ".join(said) or "nothing was tried"


def of(verification: Verification, *verdicts: Verdict) -> list[Result]:
    """Guarantees with these verdicts."""
    return [r for r in verification.results if r.verdict in verdicts and r.code not in (SCENARIO, *OTHERS)]


def in_part(verification: Verification) -> list[Result]:
    """Guarantees that were kept each time they came up, though not in all core scenarios that check them."""
    return [r for r in of(verification, Verdict.UNKNOWN) if r.skipped and r.count]


def scenarios(verification: Verification, *verdicts: Verdict) -> list[Result]:
    """Scenarios of the corpus, and known failures, with these verdicts."""
    return [r for r in verification.results if r.code == SCENARIO and r.verdict in verdicts]


def others(verification: Verification, *verdicts: Verdict) -> list[Result]:
    return [r for r in verification.results if r.code in OTHERS and r.verdict in verdicts]


def declaration(d: Declared) -> Iterator[str]:
    """What the backend said of itself."""
    yield f"{d.backend}, profile {d.profile}"
    if d.queue:
        yield f"only the queue of {d.queue}: nothing of the corpus"
    for name, features in (("core", d.core), ("extended", d.extended)):
        without = [f for f in features if f in d.missing]
        has = len(features) - len(without)
        tail = f", without {', '.join(without)}" if without else ""
        yield f"{name} features {has} of {len(features)}{tail}"
    choices = ", ".join(f"{code}={choice}" for code, choice in d.choices.items())
    if choices:
        yield f"chooses {choices}"
    if not d.claims:
        yield "names no claims: what rests on them is judged in its weak form"
    yield _CAPACITY[d.capacity]
    if d.own_time:
        yield "jobs start and stop in its own time"
    if d.issue_url:
        yield f"report its faults to {d.issue_url}"


_CAPACITY = {
    "pooled": "capacity pooled: a machine is a machine",
    "per-lender": "capacity per lender: a loan is of one lender's machines, and a share takes back its own",
}


def effort(t: Tried) -> str:
    """One part of the run in numbers: the same whenever it is run again."""
    said = [f"{many(n, word, '')}" for n, word in
            ((t.passed, "passed"), (t.failed, "failed"), (t.flaky, "failed once"), (t.skipped, "skipped"),
             (t.errored, "went wrong")) if n]  # fmt: skip
    seed = f", seed {t.seed}" if t.seed is not None else ""
    again = f"; {t.resumed:,} of them were done before" if t.resumed else ""
    return f"{many(t.scenarios, 'scenario')}{seed}: {', '.join(said) or 'none'}{again}"


def speed(t: Tried) -> str:
    """How fast that was, measured, and by whom: for the screen, and in no file that is to be the same for the same run."""
    by = f", {t.workers}" if t.workers else ""
    return f"{_rate(t.per_second, 'scenarios')}, {_rate(t.events_per_second, 'events')}{by}"


def _rate(per_second: float, what: str) -> str:
    return f"{per_second:,.0f} {what}/s" if per_second >= 1 else f"{60 * per_second:,.0f} {what}/min"


def lost(it: Lost) -> str:
    """What the scheduler was not told, and in how many scenarios."""
    return f"{it.what}: {it.instead} ({many(it.scenarios, 'scenario')}, the first {it.first})"


def undecided_groups(verification: Verification) -> list[Result]:
    """What is not decided, what went wrong before what was skipped; results that say the same are one."""
    kinds = (Verdict.UNKNOWN, Verdict.PENDING, Verdict.NOT_SEEN)
    every = [*others(verification, *kinds), *scenarios(verification, *kinds), *of(verification, *kinds)]
    groups: dict[tuple[str, ...], list[Result]] = {}
    for r in sorted(every, key=lambda r: r.skipped):
        shared = r.skipped or r.code == SCENARIO
        kind = r.code if r.code in (SCENARIO, *OTHERS) else ""
        because = _SKIPPED if r.skipped and not kind else r.because
        groups.setdefault((kind, because) if shared else (r.code, r.subject, because), []).append(r)
    return [_grouped(group) for group in groups.values()]


_SKIPPED = "core scenarios that check it were skipped"


def _grouped(group: Sequence[Result]) -> Result:
    first = group[0]
    if len(group) == 1:
        return first
    if first.code == SCENARIO:
        return replace(first, subject=f"{many(len(group), 'scenario')}, the first {first.subject}")
    return replace(
        first, subject=", ".join(r.code for r in group), because="core scenarios that check them were skipped"
    )


def failed(verification: Verification) -> str:
    """How many scenarios failed, where."""
    parts = {"corpus": "of the corpus", "known failures": "known", "campaign": "generated"}
    tried = (verification.conformed or Conformed()).tried
    said = [f"{t.failed:,} {parts.get(t.part, t.part)}" for t in tried if t.failed]
    return f"scenarios failed: {', '.join(said)}" if said else "0 scenarios failed"


def short(r: Result) -> str:
    """What a result of a conformance run came to, in a word."""
    if r.code == SCENARIO:
        words = {Verdict.HOLDS_HERE: "passed", Verdict.BROKEN_HERE: "FAILED"}
        return words.get(r.verdict, "skipped" if r.skipped else "ERRORED")
    return {Verdict.HOLDS_HERE: "yes", Verdict.BROKEN_HERE: "BROKEN"}.get(r.verdict, r.verdict.value)


def many(number: int, what: str, plural: str = "s") -> str:
    return f"{number:,} {what}{'' if number == 1 else plural}"
