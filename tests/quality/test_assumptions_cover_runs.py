"""Every step that random runs make satisfies the assumptions under which the theorems speak of it.

A theorem whose assumptions leave out a case that happens proves too little without anybody noticing. Runs of one unit are
followed; for each step the state is summarised as the prover does it (claimant c, victim v, focus f, and the rest as
sums), with every live claim as the watched one.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from quotaproof.checker.judge.rows import quantity
from quotaproof.checker.judge.start import situation
from quotaproof.checker.judge.state import Situation
from quotaproof.checker.prove import steps
from quotaproof.spec import events as ev
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.expr.walk import variables
from quotaproof.spec.model import Stage
from quotaproof.spec.rules.view import CELL_FIELDS

from ..support.runs import Run


def value(at: Situation, roles: dict[str, str], actor: str, victim: str, name: str):
    """A variable of a summarised view, as the book has it. Roles: c, v, f -> share."""
    code, chosen, choice = name.partition("=")
    if chosen:
        return at.book.readings[code] == choice
    first, *rest = name.split(".")
    unit = "u"
    if first == "capacity":
        return at.book.now.capacity.get(unit, 0)
    if first == "rest":
        explicit = {roles[r] for r in roles}
        run = quantity(rest[0], at.book.rows.readings)
        return sum(run(at.row(s, unit))[0] for s in at.book.now.shares if s not in explicit)
    if len(rest) == 2:
        share = roles[rest[0]]
        if first == "asks":
            return at.job.size.get(unit, 0) if at.job and share == actor else 0
        if first.startswith("takes"):
            v = at.victim
            if v is None or share != victim:
                return 0
            drains = v.stage is Stage.DRAINING
            due = at.watched is None or v.claim <= at.watched.number
            held = {"takes": True, "takes_due": drains and due, "takes_later": drains and not due}[first]
            return v.size.get(unit, 0) * held
        if first.startswith("own_"):
            return at.own(0, first == "own_due") if share == actor else 0
        if first == "unlimited":
            return at.book.grant(share, unit).borrowable is None
        if first == "labelled":
            return at.victim.borrowed.get(unit, 0) if at.victim else 0
        if first == "in_overage":
            return False
        return at.row(share, unit)[CELL_FIELDS.index(first)]
    if not rest:
        return getattr(at.book.now, first)
    if rest[0] not in roles:
        return at.value(name)
    best = {"best_waiting": at.best_waiting, "best_ready": at.best_ready}
    return Situation(at.book, roles[rest[0]], at.job, victim=at.victim, **best).value(f"{first}.actor")


MOVES = {(m.kind, m.pattern): m for m in steps.moves()}


def check(at: Situation, kind: str, actor: str, victim: str, seen: Counter) -> None:
    shares = list(at.book.now.shares)
    patterns = {"f is c": actor, "f is v": victim} if actor != victim else {"all one share": actor}
    third = next((s for s in shares if s not in (actor, victim)), None)
    if third is not None:
        patterns["f, c, v differ" if actor != victim else "c is v"] = third
    for pattern, focus in patterns.items():
        move = MOVES.get((kind, pattern))
        if move is None:
            continue
        roles = {move.actor: actor, move.victim: victim, move.focus: focus}
        names = variables(*move.assume)
        state = {n: value(at, roles, actor, victim, n) for n in names}
        for part in move.assume:
            assert evaluate(part, state), f"{kind} ({pattern}): {part!r} with {state}"
        seen[kind, pattern] += 1


def watched(run: Run):
    return [None, *run.book.promises]


def claims_are_as_theorem_r_assumes(run: Run, seen: Counter) -> None:
    """Before a scheduler's step: a share with a claim is within its limit, settled, and lost no job after the claim."""
    for promise in run.book.promises:
        job = promise.job
        at = Situation(run.book, job.share, job, watched=promise)
        row = dict(zip(CELL_FIELDS, at.row(job.share, "u"), strict=False))
        assert quantity("settled_usage", run.readings)(at.row(job.share, "u"))[0] <= row["limit"]
        assert row["drains_later"] == 0
        assert row["claims_later"] == 0
        seen["claims", "Theorem R"] += 1


def follow(run: Run, event: ev.Event, seen: Counter) -> None:
    book = run.book
    job = book.jobs.get(getattr(event, "job", ""))
    if job is None:
        return
    if isinstance(event, ev.Dispatch | ev.Claim):
        claims_are_as_theorem_r_assumes(run, seen)
    other = next(s for s in book.now.shares if s != job.share)
    kinds = {ev.Stopped: "stop", ev.Return: "return for lack of machines"}
    for promise in watched(run):
        if isinstance(event, ev.Dispatch):
            check(situation(book, job, watched=promise), "dispatch", job.share, other, seen)
        elif isinstance(event, ev.Finish | ev.Stopped | ev.Return):
            draining = job.stage is Stage.DRAINING
            kind = kinds.get(type(event), "finish while draining" if draining else "finish")
            waiting = next(iter(book.waiting(other).at((book.waiting(other).best,))), None)
            for actor in (job.share, other):
                check(Situation(book, actor, waiting, victim=job, watched=promise), kind, actor, job.share, seen)
    if isinstance(event, ev.Claim):
        with book.trial():
            book.open_claim()
            for victim in [book.job(name) for name in event.victims]:
                kind = "preempt in-share" if victim.share == job.share else "preempt cross-share"
                check(situation(book, job, victim=victim), kind, job.share, victim.share, seen)
                book.drain(victim)
            if event.holds:
                check(situation(book, job), "claim", job.share, other, seen)
    if isinstance(event, ev.Release):
        promise = book.promise(event.job)
        check(situation(book, job, watched=promise), "release", job.share, other, seen)


@pytest.mark.parametrize("part", range(2))
def test_the_steps_of_random_runs_are_steps_that_the_theorems_speak_of(part):
    seen: Counter = Counter()
    for seed in range(200 * part, 200 * part + 200):
        rng = random.Random(seed)
        run = Run(rng, busy=seed % 2 == 0, units=("u",))
        for event in run.steps(40):
            if len(run.book.now.shares) > 1:
                follow(run, event, seen)
    kinds = {kind for kind, _ in seen} - {"claims"}
    assert seen["claims", "Theorem R"] > 50
    assert kinds == {m.kind for m in steps.moves()} - {"preempt and dispatch at once"}, seen
    assert min(seen.values()) >= 3, seen
