"""What must be true where a play says on whose machines a job starts, and of what a share has too much, by the reference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from quotaproof.reference.queue import Job

from .reasons import NAME, State

_BORROWS = re.compile(rf"{NAME} borrows (\d+) ([a-z]) (.*): (\d+) in use, limit (\d+)\.")
_OF = re.compile(rf"of what ({NAME}(?: or {NAME})*) leaves? idle( or that no share owns)?"
                 r"( \(AWS does not say whose it is\))?")  # fmt: skip
_ABOVE = re.compile(rf"({NAME}) uses (\d+|more) ([a-z]) (?:more )?than .* \((\d+) in use( once .*)?, limit (\d+)\): .*")
_WITHIN = re.compile(rf"({NAME}) borrows no ([a-z]): (\d+) in use.*")
_NOBODY = "that no lender leaves idle"


def check_start(state: State, job: Job, sentences: Iterable[str]) -> set[str]:
    """Assert that what is said of a start is true; the forms that came up."""
    found: set[str] = set()
    for told in filter(None, map(_BORROWS.fullmatch, sentences)):
        unit, own, limit = told[2], state.own(job, told[2]), state.queue.grant(job.share, told[2]).limit
        lent = min(job.size[unit], own - limit)
        assert tuple(map(int, (told[1], told[4], told[5]))) == (lent, own, limit), told[0]
        whose = told[3][1:-1] if told[3].startswith("(") else f"{lent} {told[3]}"
        parts = [part.split(" ", 1) for part in re.split(r", (?=\d)", whose)]
        assert sum(int(n) for n, _ in parts) == lent, told[0]
        found |= {_part(state, job, unit, lent, int(n), of) for n, of in parts}
    return found


def _part(state: State, job: Job, unit: str, lent: int, n: int, of: str) -> str:
    """For sure is only what all others could not have lent."""
    sources = {s: idle for s in state.queue.shares if s != job.share and (idle := state.idle(s, unit))}
    spare = max(0, state.queue.capacity.get(unit, 0) - state.queue.limits(unit))
    if spare and state.reads("A5") == "borrowable":
        sources[""] = spare
    beyond = max(0, lent - max(0, sum(sources.values()) - state.queue.usage.lent(unit)))
    if of == _NOBODY:
        assert n == beyond > 0
        return "nobody's"
    told = _OF.fullmatch(of)
    named = {*(told[1].split(" or ") if told else ()), *([""] if not told or told[2] else ())}
    assert told or of == "that no share owns"
    assert named <= {*sources}
    if told and told[3]:
        assert named == {*sources} and len(named) > 1 and n == lent - beyond
        return "open"
    (only,) = named
    others = sum(idle for s, idle in sources.items() if s != only)
    assert n == min(sources[only], lent - beyond - others)
    return "surely"


def check_taken_back(state: State, victims: Sequence[Job], sentences: Iterable[str]) -> set[str]:
    """The same of what a share uses beyond its own, settled."""
    found: set[str] = set()
    for sentence in sentences:
        if told := _ABOVE.fullmatch(sentence):
            share, over, unit, used = told[1], told[2], told[3], int(told[4])
            grant = state.queue.grant(share, unit)
            assert used == _settled(state, victims, share, unit) and int(told[6]) == grant.limit, sentence
            cut = grant.borrowable is not None and used > grant.limit + grant.borrowable
            assert used > grant.limit and over == ("more" if cut else str(used - grant.limit)), sentence
            assert told[5] or used == state.queue.usage[share, unit], sentence
            found |= {"cut" if cut else "above", *["later"] * bool(told[5])}
        elif told := _WITHIN.fullmatch(sentence):
            share, unit, used = told[1], told[2], int(told[3])
            assert used == _settled(state, victims, share, unit) <= state.queue.grant(share, unit).limit, sentence
            found.add("within")
    return found


def _settled(state: State, victims: Sequence[Job], share: str, unit: str) -> int:
    mate = next(v for v in victims if v.share == share and unit in v.size)
    return state.settled(mate, unit) - mate.size[unit]
