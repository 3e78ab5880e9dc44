"""The reference and the specification are two writings of the same rules: random runs compare them state by state."""

import random
from collections import Counter
from functools import cache

from quotaproof.checker.judge import rules
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.rest import at_rest
from quotaproof.checker.judge.start import situation
from quotaproof.checker.judge.state import Situation, Together, formula
from quotaproof.checker.judge.stepwise import judge
from quotaproof.reference.decide import decide, head, refuses
from quotaproof.reference.fit import eligible, entitled, lacked, lacking, room
from quotaproof.reference.impossible import reason
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Queue
from quotaproof.reference.run import platform_step
from quotaproof.spec.expr.nodes import Bool, add, all_of, any_of
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.expr.walk import clauses, variables
from quotaproof.spec.rules import actions

from ..support.runs import Run

STATES = 28_000
EXEMPT = {
    "dispatch.runnable": "a head is RUNNABLE",
    "dispatch.head": "only heads are asked about, and a head is outranked by nobody",
    "dispatch.share-enabled": "only where A46 is read as no, which few runs do",
}
"""Clauses of a dispatch that a head cannot find false, or rarely: they are tested one by one elsewhere."""


names = cache(variables)
parts = cache(clauses)


def false_clauses(at: Situation, build) -> list[str]:
    """Codes of the clauses of a guard that are false, once a unit; nothing inside a clause counts."""
    root = formula(build, len(at.units))
    state = {name: at.value(name) for name in names(root)}
    assert isinstance(root, Bool)
    codes = parts(root)
    whole = root.args if root.op == "and" else (root,)
    found = []
    for part in whole:
        inner = part.args[1] if part.op == "implies" else part
        asked = part.args[0] if part.op == "implies" else None
        if asked is not None and not evaluate(asked, state):
            continue
        for piece in inner.args if inner.op == "and" else (inner,):
            if not evaluate(piece, state):
                found.append(piece.args[0])
    assert set(found) <= set(codes)
    return found


def compare(seed: int, only: Counter, states: list[int]) -> None:
    run = Run(random.Random(seed), busy=seed % 2 == 0)
    for event in run.steps(60):
        violation = judge(run.book, event)
        assert violation is None, f"seed {seed}: {violation} under {dict(run.readings.chosen)}"
        others = {s: h for s in run.queue.shares if (h := head(run.queue, run.policy, s)) is not None}
        for share, mine in others.items():
            job = run.book.jobs[mine.name]
            found = false_clauses(situation(run.book, job), rules.dispatch_guard)
            for promise in run.book.promises:
                found += false_clauses(situation(run.book, job, watched=promise), rules.holds_guard)
            for other in (run.book.jobs[h.name] for s, h in others.items() if s != share):
                found += false_clauses(situation(run.book, job, other=other), rules.yields_guard)
            refused = refuses(run.queue, run.policy, mine)
            assert refused == bool(found), f"seed {seed}: {mine.name} {refused} {found} {dict(run.readings.chosen)}"
            states[0] += 1
            if len(set(found)) == 1:
                only[found[0]] += 1
        for job in run.queue.jobs.values():
            assert job.stage is run.book.jobs[job.name].stage
        for s in run.queue.shares:
            for unit in run.queue.capacity:
                assert run.queue.usage[s, unit] == run.book.usage(s, unit)


def test_the_reference_refuses_a_head_exactly_where_the_guard_is_false():
    only: Counter = Counter()
    states = [0]
    seed = 0
    while states[0] < STATES:
        compare(seed, only, states)
        seed += 1
    dispatch = clauses(formula(rules.dispatch_guard, 1))
    wanted = {*dispatch, "dispatch.hold", "dispatch.yields"} - set(EXEMPT)
    few = {code: only[code] for code in wanted if only[code] < 50}
    assert not few, f"clauses seldom the only false one: {few}, of {states[0]} states"


def told(at: Situation, asked) -> bool | int:
    """A formula of the actor's cells, evaluated on a book."""
    return at.all(_alone(asked))[0]


@cache
def _alone(asked):
    return Together((asked,))


def entitled_spec(view):
    return all_of(*[actions.entitled_in(c) for c in view.cells("actor")])


def never_spec(view):
    return any_of(*[actions.never(c) for c in view.cells("actor")])


def lacks_spec(view):
    return any_of(*[actions.lacks(c) for c in view.cells("actor")])


def short_spec(view):
    return add(*[actions.short(c) for c in view.cells("actor")])


def eligible_spec(view):
    """The victim holds what the actor's job lacks and borrows it (A13)."""
    pairs = zip(view.cells("actor"), view.cells("victim"), strict=True)
    return any_of(*[all_of(t.takes > 0, actions.lacks(m), actions.borrows(t)) for m, t in pairs])


def test_entitlement_shortage_impossibility_and_victims_are_the_same_in_both_writings():
    seen: Counter = Counter()
    for seed in range(260):
        rng = random.Random(seed)
        run = Run(rng, busy=seed % 2 == 0)
        extra = {"A24": rng.choice("ab"), "A13": rng.choice("bac"), "A5": rng.choice(("owners", "void", "borrowable"))}
        run.readings = run.readings.assuming(extra)
        run.queue, run.book = Queue(run.config, run.readings), Book(run.config, run.readings)
        run.policy = Policy.of(run.readings)
        for _ in run.steps(40):
            queue, policy, settled = run.queue, run.policy, run.queue.due()
            for share in queue.shares:
                mine = head(queue, policy, share)
                if mine is None or queue.claim_of(mine.name):
                    continue
                at = situation(run.book, run.book.jobs[mine.name])
                known = all(u in queue.capacity for u in mine.size)
                pairs = {
                    "entitled": (entitled(queue, policy, settled, mine), told(at, entitled_spec)),
                    "never": (bool(reason(queue, policy, mine)), told(at, never_spec)),
                    "lacks": (not room(queue, policy, settled, mine), told(at, lacks_spec)),
                }
                if known and entitled(queue, policy, settled, mine) and run.readings["A24"] == "a":
                    asked = sum(lacking(queue, policy, settled, mine, u) for u in mine.size)
                    pairs["short"] = (asked, told(at, short_spec))
                lacks = lacked(queue, policy, settled, mine)
                for victim in queue.stoppable():
                    if victim.share != share:
                        seen_at = situation(run.book, run.book.jobs[mine.name], victim=run.book.jobs[victim.name])
                        pairs[f"victim {run.readings['A13']}"] = (
                            eligible(queue, policy, settled, victim, lacks), told(seen_at, eligible_spec))  # fmt: skip
                for what, (reference, spec) in pairs.items():
                    assert reference == spec, f"seed {seed}: {what} of {mine.name} under {dict(run.readings.chosen)}"
                    seen[what, bool(reference)] += 1
    one_sided = {k for k in ("entitled", "never", "lacks", "short", "victim a", "victim b", "victim c")
                 for side in (True, False) if seen[k, side] < 20}  # fmt: skip
    assert not one_sided, seen


def test_where_the_reference_stops_nothing_that_must_start_is_left_waiting():
    rested = 0
    for seed in range(150):
        run = Run(random.Random(seed), admin=False)
        for _ in run.steps(40):
            pass
        for _step in run.scheduling():
            pass
        if decide(run.queue, run.policy) is None and platform_step(run.queue) is None:
            rested += 1
            assert at_rest(run.book) is None, f"seed {seed}: {at_rest(run.book)} under {dict(run.readings.chosen)}"
    assert rested > 80
