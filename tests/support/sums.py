"""An oracle for the sum rules: every share named, every dispatch asked by the formulas themselves; and random tie groups."""

from __future__ import annotations

import random
from functools import cache

from quotaproof.checker.judge.ties import End, Start
from quotaproof.spec import events as ev
from quotaproof.spec.administered import Administered
from quotaproof.spec.expr.nodes import all_of
from quotaproof.spec.expr.python import compile_state
from quotaproof.spec.expr.walk import variables
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules import actions, guarantees, premises
from quotaproof.spec.rules.view import Enumerated

from .queues import queue, share

CODES = ("G4", "G3", "G1", "G2")


@cache
def _formulas(shares, units, actor, readings):
    view = Enumerated(shares, units, readings)
    after = view.after(actions.dispatch(view, actor).effect)
    cells = [(view.at(actor, u), after.at(actor, u)) for u in units]
    kept = [all_of(*[getattr(guarantees, c.lower())(*pair) for pair in cells]) for c in CODES]
    comes_up = [[getattr(premises, c.lower())(*pair) for pair in cells] for c in CODES]
    roots = [*kept, *(p for per_code in comes_up for p in per_code)]
    names = tuple(variables(*roots))
    return names, compile_state(roots, names)


class Oracle:
    """Usage and numbers of every share; `dispatch` says what a start breaks and what it comes up to, then does it."""

    def __init__(self, config, readings):
        self.now = Administered.of(config)
        self.readings = readings
        self.usage = {}

    def copy(self):
        new = Oracle.__new__(Oracle)
        new.now, new.readings, new.usage = self.now, self.readings, dict(self.usage)
        return new

    def asked(self, name, size):
        """The code that a start breaks ('' for none), and the codes that it comes up to."""
        shares, units = tuple(self.now.shares), tuple(size)
        numbered = tuple(f"u{i}" for i in range(len(units)))
        names, run = _formulas(shares, numbered, name, self.readings)
        values = run([self._value(n, name, dict(zip(numbered, units, strict=True)), size) for n in names])
        broken = next((c for c, v in zip(CODES, values, strict=False) if not v), "")
        up = values[len(CODES) :]
        n = len(units)
        return broken, {c for i, c in enumerate(CODES) if any(up[i * n : (i + 1) * n])}

    def _value(self, variable, actor, units, size):
        field, *rest = variable.split(".")
        if field == "capacity":
            return self.now.capacity.get(units[rest[0]], 0)
        if field == "may_borrow":
            s = self.now.shares[rest[0]]
            void = rest[0] in self.now.deleting and self.readings["A48"] == "void"
            return s.strategy is Strategy.LEND_AND_BORROW and not void
        name, unit = rest[0], units[rest[1]]
        if field == "usage":
            return self.usage.get((name, unit), 0)
        if field == "asks":
            return size[unit] if name == actor else 0
        if field in ("limit", "lendable", "borrowable", "unlimited"):
            grant = self.now.grant(name, unit, self.readings)
            if field == "unlimited":
                return grant.borrowable is None
            return 0 if field == "borrowable" and grant.borrowable is None else getattr(grant, field)
        assert field in ("drains_due", "drains_later", "claims_due", "claims_later", "freed", "own_due", "own_later")
        return 0

    def move(self, name, size, sign):
        for unit, n in size.items():
            self.usage[name, unit] = self.usage.get((name, unit), 0) + sign * n

    def apply(self, move):
        if isinstance(move, Start | End):
            self.move(move.share, move.size, 1 if isinstance(move, Start) else -1)
        else:
            self.now = self.now.after(move, self.readings)


def some_order_keeps(moves, oracle):
    """Whether in some order every start keeps G1-G4: all orders, jobs and changes of one thing in their own."""
    chains = {}
    for move in moves:
        key = move.job if isinstance(move, Start | End) else ("of", getattr(move, "share", "environment"))
        if isinstance(move, ev.CreateShare):
            key = ("of", move.share.name)
        chains.setdefault(key, []).append(move)
    chains = list(chains.values())
    seen = set()

    def rest(done, now):
        if all(d == len(c) for d, c in zip(done, chains, strict=True)):
            return True
        if done in seen:
            return False
        seen.add(done)
        for i, chain in enumerate(chains):
            if done[i] < len(chain):
                move = chain[done[i]]
                if isinstance(move, Start) and (
                    move.share not in now.now.shares or now.asked(move.share, move.size)[0]
                ):
                    continue
                after = now.copy()
                after.apply(move)
                if rest((*done[:i], done[i] + 1, *done[i + 1 :]), after):
                    return True
        return False

    return rest((0,) * len(chains), oracle)


def random_readings(rng):
    chosen = {"A5": rng.choice(("owners", "void", "borrowable")), "A6": rng.choice(("floor", "ceil", "round")),
              "A47": rng.choice(("yes", "no")), "A48": rng.choice(("lent", "void"))}  # fmt: skip
    return Readings().assuming(chosen)


def random_group(rng: random.Random, changes=True):
    """A queue, readings, what is used before, and up to six moves of one time."""
    units = ("u", "w")[: rng.choice((1, 1, 2))]
    shares = []
    for i in range(rng.choice((2, 3))):
        strategy = rng.choice(("RESERVE", "LEND", "LEND_AND_BORROW", "LEND_AND_BORROW"))
        borrow = rng.choice((None, 0, 50, 100, 200)) if strategy == "LEND_AND_BORROW" else None
        shares.append(share(f"s{i}", {u: rng.randint(1, 4) for u in units}, strategy, borrow))
    capacity = {u: max(1, sum(s.limits[u] for s in shares) + rng.choice((-2, 0, 0, 1, 2))) for u in units}
    config = queue(capacity, *shares)
    usage = {}
    chains = []

    def hold(name, size):
        for unit, n in size.items():
            usage[name, unit] = usage.get((name, unit), 0) + n

    left = rng.randint(2, 6)
    while left:
        if changes and rng.random() < 0.15:
            chains.append([random_change(rng, rng.choice(shares), capacity)])
            left -= 1
            continue
        kinds = rng.choice(("+", "+", "+", "-", "-+", "+-", "+-+", "-+-"))[:left]
        name = rng.choice(shares).name
        size = {u: rng.randint(1, 3) for u in units if rng.random() < 0.75} or {units[0]: 1}
        if kinds[0] == "-":
            hold(name, size)
        job = f"j{len(chains)}"
        chains.append([Start(job, name, size) if k == "+" else End(job, name, size) for k in kinds])
        left -= len(kinds)
    for s in shares:
        for u in units:
            usage[s.name, u] = usage.get((s.name, u), 0) + rng.choice((0, 0, 1))
    moves = []
    while chains:
        chain = rng.choice(chains)
        moves.append(chain.pop(0))
        if not chain:
            chains.remove(chain)
    return config, random_readings(rng), usage, moves


def random_change(rng, of, capacity):
    kind = rng.randrange(6)
    if kind == 0:
        return ev.SetLimits(of.name, {u: rng.randint(1, 5) for u in capacity})
    if kind == 1:
        strategy = Strategy(rng.choice(list(Strategy)))
        return ev.SetSharing(of.name, strategy, rng.choice((None, 0, 100)) if strategy == "LEND_AND_BORROW" else None)
    if kind in (2, 3):
        return ev.SetCapacity({u: max(0, n + rng.choice((-2, -1, 1, 2))) for u, n in capacity.items()})
    if kind == 4:
        return ev.SetShareState(of.name, rng.choice(list(State)))
    return ev.DeleteShare(of.name)


__all__ = ["CODES", "Oracle", "random_change", "random_group", "random_readings", "some_order_keeps"]
