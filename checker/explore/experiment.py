"""Experiments: the shortest thing to do to a queue whose visible outcome tells the choices of an open question apart.

Breadth first from the hints of `starts`, the same moves made under every choice at once; states that were met before are
not met again. What separates the choices is a `Fact` or two that anybody can look up. An experiment is worth the more the
less it rests on: every other open question is turned to its other choices, one by one and many at once, and those that
change what is looked at are named in `assumes`. Trusted: the reference, by way of `trial`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any

from ...reference.queue import HOLDING
from ...reference.run import GoesRound
from ...spec import events as ev
from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig, Stage
from ...spec.readings import READINGS, Readings
from .starts import ALIKE, STARTS, Start
from .trial import Course, Move, Refused, When, course, most_important_first

DEPTH = 5
"""Moves that a search adds to a start."""
ENOUGH = 6
"""Sequences that tell the choices apart, of which the best is taken."""
JOINT = 60
"""Random combinations of other choices that an experiment must survive."""

Place = tuple[int, str]
"""A look and a job: where to look."""


@dataclass(frozen=True)
class Experiment:
    """A sequence of moves after which the choices of a question look different."""

    code: str
    config: QueueConfig
    moves: tuple[Move, ...]
    base: Readings
    """Choices of other questions that it needs."""
    shown: Mapping[str, Mapping[Place, str]]
    """Choice -> what is shown at each place that tells."""
    assumes: Mapping[str, str] = field(default_factory=dict[str, str])
    """Choices of other questions on which these places depend."""

    @property
    def places(self) -> tuple[Place, ...]:
        """Where to look."""
        return tuple(next(iter(self.shown.values())))

    def readings(self, choice: str) -> Readings:
        """What is taken for granted under a choice."""
        return self.base.assuming({self.code: choice})

    def course(self, choice: str) -> Course:
        """The whole trial under a choice."""
        return course(self.config, self.moves, self.readings(choice))


def experiment(code: str, versus: str | None = None, *, seconds: float = 20.0) -> Experiment | None:
    """The best experiment for a question that is found in time, between its default and `versus` or between all choices.

    None where nothing that was tried shows a difference.
    """
    choices = told_apart(code)
    if versus is not None:
        choices = [READINGS[code].default, versus]
    until = time.monotonic() + seconds
    bases = [{}, *({"A26": c} for c in READINGS["A26"].choices if code != "A26" and c != READINGS["A26"].default)]
    for base in bases:
        found = [f for start in STARTS.get(code, ()) for f in _search(code, choices, start, Readings().assuming(base), until)]
        if found:
            return _renumbered(_shrunk(min(found, key=_cost), until))
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
            steps=tuple(e.course(choice).steps),
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
        sum(sizes[job] for look in e.course(c).looks[1::2] for job, shown in look if shown.startswith("RUNNING"))
        for c in e.shown
    )
    return max(used)


def _search(code: str, choices: Sequence[str], start: Start, base: Readings, until: float) -> Iterator[Experiment]:
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
                if (now := _judged(code, choices, start.config, (*moves, move), base, ended)) is not None:
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


def _judged(code: str, choices: Sequence[str], config: QueueConfig, moves: tuple[Move, ...], base: Readings,
            ended: Sequence[Course]) -> Experiment | None:  # fmt: skip
    """The moves as an experiment with the places that rest on least, or None when nothing tells the choices apart."""
    candidates = list(_telling([_seen(c) for c in ended]))
    if not candidates:
        return None
    plain = {choice: _seen(c) for choice, c in zip(choices, ended, strict=True)}
    changed = {name: _changed(code, plain, config, moves, base, vary) for name, vary in _variations(code, base).items()}
    touched = {places: [n for n, where in changed.items() if where & set(places)] for places in candidates}
    places = min(touched, key=lambda p: (len({n[0] for n in touched[p]}), len(p), sum(not look % 2 for look, _ in p)))
    shown = {c: {p: plain[c][p] for p in places} for c in choices}
    needs = {n[0]: base[n[0]] for n in touched[places]}
    made = Experiment(code, config, moves, base, shown, {**dict(base.chosen), **needs})
    return replace(made, assumes=_jointly(made))


def _seen(c: Course) -> dict[Place, str]:
    return {(f.look, f.job): f.shown for f in c.facts()}


def _telling(seen: Sequence[Mapping[Place, str]]) -> Iterator[tuple[Place, ...]]:
    """One place at which all choices look different, or two that do so together."""
    everywhere = sorted(set.intersection(*(set(s) for s in seen)))
    telling = [p for p in everywhere if len({s[p] for s in seen}) > 1]
    alone = [(p,) for p in telling if len({s[p] for s in seen}) == len(seen)]
    yield from alone
    if not alone:
        yield from ((p, q) for p, q in combinations(telling, 2) if len({(s[p], s[q]) for s in seen}) == len(seen))


Vary = Mapping[str, Any]


def _variations(code: str, base: Readings) -> dict[tuple[str, str], Vary]:
    """Every other question's other choices, one at a time; and free choices that no reading names, under A26."""
    found: dict[tuple[str, str], Vary] = {}
    for other in Readings():
        for choice in READINGS[other].choices if other != code else ():
            if choice != base[other]:
                found[other, choice] = {"readings": {other: choice}}
    if code != "A26":
        found["A26", "another victim"] = {"vary": most_important_first}
        found["A26", "another order of stopping"] = {"last_first": True}
    return found


def _run(code: str, choice: str, config: QueueConfig, moves: Sequence[Move], base: Readings, vary: Vary) -> Course | None:
    readings = base.assuming({**vary.get("readings", {}), code: choice})
    try:
        return course(config, moves, readings, vary=vary.get("vary"), last_first=vary.get("last_first", False))
    except (GoesRound, Refused, KeyError):
        return None


def _changed(code: str, plain: Mapping[str, Mapping[Place, str]], config: QueueConfig, moves: Sequence[Move],
             base: Readings, vary: Vary) -> set[Place]:  # fmt: skip
    """The places at which something else is shown under a variation."""
    found: set[Place] = set()
    for choice, before in plain.items():
        made = _run(code, choice, config, moves, base, vary)
        now = _seen(made) if made else {}
        found |= {p for p in before if now.get(p) != before[p]}
    return found


def _jointly(e: Experiment) -> dict[str, str]:
    """`assumes`, with one question more for each random combination of the others that shows something else."""
    rng = random.Random(e.code)
    assumes = dict(e.assumes)
    for _ in range(JOINT):
        free = [o for o in Readings() if o != e.code and o not in assumes]
        other = {o: rng.choice(list(READINGS[o].choices)) for o in free if rng.random() < 0.3}
        while (culprits := other) and not _survives(e, culprits):
            smaller = (({o: c for o, c in culprits.items() if o != gone}) for gone in culprits)
            failing = next((s for s in smaller if s and not _survives(e, s)), None)
            if failing is None:
                first = min(culprits)
                assumes[first] = e.base[first]
                other = {o: c for o, c in other.items() if o not in culprits}
            else:
                other = failing
    return dict(sorted(assumes.items()))


def _survives(e: Experiment, other: Mapping[str, str]) -> bool:
    for choice, shown in e.shown.items():
        made = _run(e.code, choice, e.config, e.moves, e.base, {"readings": other})
        now = _seen(made) if made else {}
        if any(now.get(p) != text for p, text in shown.items()):
            return False
    return True


def _shrunk(e: Experiment, until: float) -> Experiment:
    """The experiment without every move that can be dropped, as long as it rests on no more."""
    for gone in reversed(range(len(e.moves))):
        moves = (*e.moves[:gone], *e.moves[gone + 1 :])
        made = [_run(e.code, c, e.config, moves, e.base, {}) for c in e.shown] if time.monotonic() < until else []
        courses = [c for c in made if c is not None]
        if courses and len(courses) == len(e.shown) and moves:
            fewer = _judged(e.code, list(e.shown), e.config, moves, e.base, courses)
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
