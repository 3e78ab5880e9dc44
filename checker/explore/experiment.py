"""Experiments: the shortest thing to do to a queue whose visible outcome tells the choices of an open question apart.

Breadth first from the hints of `starts`, the same moves made under every choice at once; states that were met before are
not met again. Of the first sequences found the one is taken that is short and rests on little (`telling`), without every
move that can be dropped. Trusted: the reference, by way of `trial`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from ...reference.queue import HOLDING, STOPPABLE
from ...reference.run import GoesRound
from ...spec import events as ev
from ...spec.formats.scenario import Scenario
from ...spec.model import Stage
from ...spec.readings import READINGS, Readings
from .starts import ALIKE, STARTS, Start
from .telling import Experiment, jointly, judged, run
from .trial import Course, Move, Refused, When

DEPTH = 5
"""Moves that a search adds to a start."""
ENOUGH = 6
"""Sequences that tell the choices apart, of which the best is taken."""


def experiment(code: str, versus: str | None = None, *, seconds: float = 20.0) -> Experiment | None:
    """The best experiment for a question that is found in time, between its default and `versus` or between all choices.

    None where nothing that was tried shows a difference.
    """
    choices = told_apart(code)
    if versus is not None:
        choices = [READINGS[code].default, versus]
    until = time.monotonic() + seconds
    for needs in (False, True) if versus else (True,):
        found = [f for start in STARTS.get(code, ()) for f in _search(code, choices, start, needs, until)]
        if found:
            best = _shrunk(min(found, key=_cost), until)
            return _renumbered(replace(best, assumes=jointly(best)))
    return None


def unlike(e: Experiment) -> list[str]:
    """The choices that the experiment says nothing of."""
    return [c for c in READINGS[e.code].choices if c not in e.shown]


def scenarios(e: Experiment) -> dict[str, Scenario]:
    """Choice -> the experiment as a scenario, with all that is seen under that choice as expectations."""
    found: dict[str, Scenario] = {}
    for choice in e.shown:
        ends = "; ".join(f"{job} is {text}" for (_, job), text in e.shown[choice].items())
        found[choice] = Scenario(
            name=f"{e.code}-{choice}",
            about=f"{e.code}={choice}: {READINGS[e.code].choices[choice]}. {ends}.",
            config=e.config,
            steps=e.course(choice).steps(),
            readings=e.readings(choice),
            rests_on=(e.code, *e.assumes),
        )
    return found


def told_apart(code: str) -> list[str]:
    """The choices under which the reference does different things."""
    return [c for c in READINGS[code].choices if (code, c) not in ALIKE]


def _cost(e: Experiment) -> tuple[int, ...]:
    return 2 * len(e.assumes) + len(e.moves), len(e.places), machine_looks(e)


def machine_looks(e: Experiment) -> int:
    """Machines in use after each move, added up, under the choice that uses most."""
    sizes = {m.event.job: sum(m.event.size.values()) for m in e.moves if isinstance(m.event, ev.Submit)}
    used = (
        sum(sizes[j.job] for look in e.course(c).looks[1::2] for j in look if j.stage in STOPPABLE) for c in e.shown
    )
    return max(used)


def _search(code: str, choices: Sequence[str], start: Start, needs: bool, until: float) -> Iterator[Experiment]:
    base = Readings().assuming(start.needs if needs else {})
    courses = tuple(Course(start.config, base.assuming({code: c})) for c in choices)
    moves: tuple[Move, ...] = ()
    for offer in start.first:
        moves = (*moves, Move(offer.submit(1 + sum(_of(m, offer.share) for m in moves))))
        courses = tuple(c.do(moves[-1]) for c in courses)
    level = [(moves, courses)]
    seen: set[tuple[object, ...]] = set()
    found = 0
    for _ in range(DEPTH):
        following: list[tuple[tuple[Move, ...], tuple[Course, ...]]] = []
        for moves, courses in level:
            rested = tuple(c.copy().rest() for c in courses)
            for move in _moves(start, moves, courses, rested):
                if time.monotonic() > until:
                    return
                made = _made(move, rested if move.when is When.RESTED else courses)
                if made is None:
                    continue
                after, ended = made
                key = tuple(c.key for c in after), len(_left(start, (*moves, move)))
                if key in seen:
                    continue
                seen.add(key)
                if (now := judged(code, choices, start.config, (*moves, move), base, ended)) is not None:
                    yield now
                    found += 1
                    if found >= ENOUGH or not now.assumes:
                        return
                else:
                    following.append(((*moves, move), after))
        level = following


def _of(move: Move, share: str) -> bool:
    return isinstance(move.event, ev.Submit) and move.event.share == share


def _left(start: Start, moves: Sequence[Move]) -> tuple[ev.Event, ...]:
    done = [m.event for m in moves]
    return tuple(event for event in start.admin if event not in done)


def _made(move: Move, courses: tuple[Course, ...]) -> tuple[tuple[Course, ...], tuple[Course, ...]] | None:
    """The courses after the move, and the same at rest; None where it is refused or goes round under a choice."""
    try:
        after = tuple(c.copy().do(move) for c in courses)
        return after, tuple(c.copy().rest() for c in after)
    except (GoesRound, Refused):
        return None


def _moves(start: Start, moves: Sequence[Move], now: Sequence[Course], rested: Sequence[Course]) -> Iterator[Move]:
    for when in start.when:
        courses = rested if when is When.RESTED else now
        if when is When.STOPPING and not all(c.stopping for c in courses):
            continue
        yield from (Move(offer.submit(1 + sum(_of(m, offer.share) for m in moves)), when) for offer in start.offers)
        yield from (Move(event, when) for event in _left(start, moves))
        jobs = set.intersection(*(_staged(c, Stage.RUNNABLE, *HOLDING) for c in courses))
        named = [m.event.job for m in moves if isinstance(m.event, ev.Submit) and m.event.job in jobs]
        if when is When.RESTED:
            yield from (Move(ev.Terminate(job), when) for job in named)
            yield from (Move(ev.SetPriority(job, p), when) for job in named for p in start.priorities)
        if when is When.SCHEDULED and start.returns:
            scheduled = set.intersection(*(_staged(c, Stage.SCHEDULED) for c in courses))
            yield from (Move(ev.Return(job), when) for job in named if job in scheduled)
        if when is When.STOPPING and start.ends:
            draining = set.intersection(*(_staged(c, Stage.DRAINING) for c in courses))
            yield from (Move(ev.Finish(job), when) for job in named if job in draining)


def _staged(c: Course, *stages: Stage) -> set[str]:
    return {j.name for j in c.queue.jobs.values() if j.stage in stages}


def _shrunk(e: Experiment, until: float) -> Experiment:
    """The experiment without every move that can be dropped, as long as it rests on no more."""
    for gone in reversed(range(len(e.moves))):
        moves = (*e.moves[:gone], *e.moves[gone + 1 :])
        made = [run(e.code, c, e.config, moves, e.base, {}) for c in e.shown] if time.monotonic() < until else []
        courses = [c for c in made if c is not None]
        if courses and len(courses) == len(e.shown) and moves:
            fewer = judged(e.code, list(e.shown), e.config, moves, e.base, courses)
            if fewer is not None and len(fewer.assumes) <= len(e.assumes):
                return _shrunk(fewer, until)
    return e


def _renumbered(e: Experiment) -> Experiment:
    """The same with the jobs of each share numbered without gaps."""
    names: dict[str, str] = {}
    count: dict[str, int] = {}
    for move in e.moves:
        if isinstance(move.event, ev.Submit):
            count[move.event.share] = count.get(move.event.share, 0) + 1
            names[move.event.job] = f"{move.event.share.lower()}_job_{count[move.event.share]}"

    def renamed(event: ev.Event) -> ev.Event:
        named = {f.name: getattr(event, f.name) for f in fields(event) if f.name == "job"}
        return replace(event, **{k: names[v] for k, v in named.items()})

    moves = tuple(Move(renamed(m.event), m.when) for m in e.moves)
    shown = {c: {(look, names[job]): text for (look, job), text in facts.items()} for c, facts in e.shown.items()}
    return replace(e, moves=moves, shown=shown)
