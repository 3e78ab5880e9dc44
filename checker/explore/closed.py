"""Does preemption go round in this queue? All runs of a few jobs, without arrivals and ends (G18).

Every victim the rules allow is tried, in every order; victims leave and the claimant starts in one step, as when a claim
is kept (A23). Fit, entitlement and eligibility are the reference's. A circle that is found is a scenario, to be played
like any other witness; finding none says so for the jobs that were tried, and no more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import combinations_with_replacement

from ...reference.fit import eligible, entitled, lacked, room, room_in, within_limit
from ...reference.gives_way import yields
from ...reference.policy import Policy
from ...reference.queue import Job, Queue
from ...reference.usage import Usage
from ...spec import events as ev
from ...spec.formats.scenario import Breaks, Scenario, Step
from ...spec.model import QueueConfig, Size
from ...spec.readings import Readings

MOST_KINDS = 12
"""Kinds of jobs (share, size, priority) up to which a queue counts as small."""
JOBS = 3
"""Jobs in a set."""

State = frozenset[int]
"""The jobs that run, by index."""


@dataclass(frozen=True)
class Kind:
    """What of a job matters."""

    share: str
    size: Size
    priority: int = 0


@dataclass(frozen=True)
class Found:
    """How many sets of jobs were tried, and the circle of the first that has one."""

    tried: int
    circle: Scenario | None = None


@dataclass(frozen=True)
class Move:
    """One job starts; `victims` left for it."""

    job: int
    victims: tuple[int, ...]
    to: State


def search(config: QueueConfig, readings: Readings, unit: str, largest: dict[str, int]) -> Found | None:
    """Try every set of `JOBS` jobs of one unit; None when the queue is not small. `largest`: share -> biggest job."""
    switched = {s.name: s.in_share for s in config.shares}
    if sum(largest.values()) > MOST_KINDS:
        return None
    kinds = [
        (share, size, priority)
        for share, most in largest.items()
        for size in range(1, most + 1)
        for priority in (range(2) if switched[share] else range(1))
    ]
    if not kinds or len(kinds) > MOST_KINDS:
        return None
    tried = 0
    for chosen in combinations_with_replacement(kinds, JOBS):
        if all(size == 1 for _, size, _ in chosen):
            continue
        tried += 1
        found = circle(config, readings, [Kind(share, {unit: n}, priority) for share, n, priority in chosen])
        if found is not None:
            return Found(tried, found)
    return Found(tried)


def circle(config: QueueConfig, readings: Readings, kinds: Sequence[Kind]) -> Scenario | None:
    """A circle of these jobs, one of each kind."""
    jobs = [Job(f"{k.share}-{i}", k.share, k.size, k.priority, None, i, place=i) for i, k in enumerate(kinds)]
    found = _circle(Queue(config, readings), Policy.of(readings), jobs)
    return None if found is None else _scenario(config, readings, jobs, *found)


def _circle(queue: Queue, policy: Policy, jobs: list[Job]) -> tuple[list[Move], list[Move]] | None:
    """Moves that lead to a circle, and the circle; depth first, from the state in which nothing runs."""
    path: list[tuple[State, Iterator[Move]]] = [(frozenset(), _moves(queue, policy, jobs, frozenset()))]
    taken: list[Move] = []
    on_path, done = {frozenset[int](): 0}, set[State]()
    while path:
        state, moves = path[-1]
        move = next(moves, None)
        if move is None:
            path.pop()
            done.add(state)
            del on_path[state]
            if taken:
                taken.pop()
        elif move.to in on_path:
            start = on_path[move.to]
            return taken[:start], [*taken[start:], move]
        elif move.to not in done:
            on_path[move.to] = len(path)
            path.append((move.to, _moves(queue, policy, jobs, move.to)))
            taken.append(move)
    return None


def _moves(queue: Queue, policy: Policy, jobs: list[Job], running: State) -> Iterator[Move]:
    used = _usage(queue, jobs, running)
    for share in queue.shares:
        waiting = [i for i, j in enumerate(jobs) if j.share == share and i not in running]
        best = max((jobs[i].priority for i in waiting), default=0)
        for i in (i for i in waiting if jobs[i].priority == best):
            if not room(queue, policy, used, jobs[i]):
                plans = _plans(queue, policy, jobs, running, i, (), set())
                yield from (Move(i, v, running - set(v) | {i}) for v in plans)
            elif _gives_way(queue, policy, jobs, running, i):
                yield Move(i, (), running | {i})


def _gives_way(queue: Queue, policy: Policy, jobs: list[Job], running: State, i: int) -> bool:
    """The start leaves the heads of other shares what they are entitled to (G8); of equal heads one is asked for."""
    if not policy.entitled_first or within_limit(queue, used := _usage(queue, jobs, running), jobs[i]):
        return True
    now = copy(queue)
    now.usage = used
    for share in queue.shares:
        waiting = [j for k, j in enumerate(jobs) if j.share == share and k not in running]
        best = max((j.priority for j in waiting), default=0)
        heads = [j for j in waiting if j.priority == best]
        if share != jobs[i].share and heads and not any(yields(now, policy, jobs[i], j, used) for j in heads):
            return False
    return True


def _usage(queue: Queue, jobs: list[Job], running: State) -> Usage:
    used = queue.usage.copy()
    for i in running:
        for unit, n in jobs[i].size.items():
            used[jobs[i].share, unit] += n
    return used


def _plans(
    queue: Queue,
    policy: Policy,
    jobs: list[Job],
    running: State,
    i: int,
    victims: tuple[int, ...],
    met: set[State],
) -> Iterator[tuple[int, ...]]:
    """Every set of victims that the rules allow in some order, up to where the job fits; `met`: sets seen before."""
    left = _usage(queue, jobs, running - set(victims))
    if room(queue, policy, left, jobs[i]):
        if queue.readings["A28"] != "minimal" or _minimal(queue, policy, jobs, running, i, victims):
            yield victims
        return
    mixed = policy.mixed_plans
    for v in running - set(victims):
        if not mixed and any((jobs[v].share == jobs[i].share) != (jobs[w].share == jobs[i].share) for w in victims):
            continue
        if jobs[v].share != jobs[i].share:
            allowed = entitled(queue, policy, left, jobs[i]) and eligible(
                queue, policy, left, jobs[v], lacked(queue, policy, left, jobs[i])
            )
        else:
            frees = any(u in jobs[v].size and not room_in(queue, policy, left, jobs[i], u) for u in jobs[i].size)
            allowed = queue.shares[jobs[i].share].in_share and jobs[v].priority < jobs[i].priority and frees
        if allowed and (more := frozenset((*victims, v))) not in met:
            met.add(more)
            yield from _plans(queue, policy, jobs, running, i, (*victims, v), met)


def _minimal(queue: Queue, policy: Policy, jobs: list[Job], running: State, i: int, victims: tuple[int, ...]) -> bool:
    """Without any one of its victims the plan would not suffice, or take others for a head that is not entitled."""
    for spared in victims:
        kept = [v for v in victims if v != spared]
        own = [v for v in kept if jobs[v].share == jobs[i].share]
        left = _usage(queue, jobs, running - set(own))
        allowed = len(own) == len(kept) or entitled(queue, policy, left, jobs[i])
        if allowed and room(queue, policy, _usage(queue, jobs, running - set(kept)), jobs[i]):
            return False
    return True


def _scenario(
    config: QueueConfig, readings: Readings, jobs: list[Job], lead: list[Move], circle: list[Move]
) -> Scenario:
    steps: list[Step] = [ev.Submit(j.name, j.share, j.size, j.priority) for j in jobs]
    for move in lead:
        steps += _steps(jobs, move)
    repeats = len(steps) + 1
    for move in circle:
        steps += _steps(jobs, move)
    return Scenario("G18", "Jobs stop each other for ever.", config, tuple(steps), readings, ("rule 36",),
                    Breaks("G18", "circle"), repeats)  # fmt: skip


def _steps(jobs: list[Job], move: Move) -> list[Step]:
    names = tuple(jobs[v].name for v in move.victims)
    told: list[Step] = [ev.Claim(jobs[move.job].name, names), *(ev.Stopped(n) for n in names)] if names else []
    return [*told, ev.Dispatch(jobs[move.job].name)]
