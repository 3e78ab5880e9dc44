"""Random histories in which dispatches may break the sum rules, with what an oracle says of each, event by event."""

from __future__ import annotations

import random

from quotaproof.checker.judge.ties import End, Start
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import History, Preempted, Preempting, Reached, Retried, Seen, Settled, Submitted

from .queues import queue, share
from .sums import Oracle, random_change, random_readings


def random_config(rng, units):
    shares = []
    for i in range(rng.randint(2, 4)):
        strategy = rng.choice(("RESERVE", "LEND", "LEND_AND_BORROW", "LEND_AND_BORROW"))
        borrow = rng.choice((None, 0, 50, 100, 200)) if strategy == "LEND_AND_BORROW" else None
        shares.append(share(f"s{i}", {u: rng.randint(1, 5) for u in units}, strategy, borrow))
    capacity = {u: max(1, sum(s.limits[u] for s in shares) + rng.choice((-2, 0, 0, 1, 2))) for u in units}
    return queue(capacity, *shares)


class Story:
    """A history as it happens. `wrong`: how often a dispatch goes ahead although it breaks a rule."""

    def __init__(self, rng: random.Random, wrong=0.05, changes=0.03):
        self.rng, self.wrong, self.changes = rng, wrong, changes
        self.units = ("u", "w")[: rng.choice((1, 2))]
        self.config = random_config(rng, self.units)
        self.readings = random_readings(rng)
        self.oracle = Oracle(self.config, self.readings)
        self.waiting, self.holding, self.sizes = [], [], {}
        self.moves = []
        """For each observation what it moves, or None."""
        self.asked = []
        """For each observation that is a dispatch: its number, what it breaks, what it comes up to."""

    def observations(self, n):
        found = []
        while len(found) < n:
            what, move = self.next()
            if what is not None:
                found.append(what)
                self.moves.append(move)
        return found

    def next(self):
        rng, dice = self.rng, self.rng.random()
        if dice < self.changes:
            change = random_change(rng, rng.choice(self.config.shares), self.config.environment.capacity)
            if not isinstance(change, ev.DeleteShare) or rng.random() < 0.1:
                self.oracle.apply(change)
                return change, change
        if dice < 0.3 or not self.sizes:
            job = f"j{len(self.sizes)}"
            size = {u: rng.choice((1, 1, 2, 3)) for u in self.units if rng.random() < 0.7} or {self.units[0]: 1}
            self.sizes[job] = rng.choice(self.config.shares).name, size
            self.waiting.append(job)
            return Submitted(job, *self.sizes[job]), None
        if dice < 0.65 and self.waiting:
            return self.dispatch(rng.choice(self.waiting))
        if dice < 0.72 and self.holding:
            job = rng.choice(self.holding)
            return rng.choice((Reached(job, Stage.RUNNING), Preempting(job), Settled())), None
        if self.holding:
            return self.release(rng.choice(self.holding))
        return None, None

    def dispatch(self, job):
        broken, comes_up = self.oracle.asked(*self.sizes[job])
        if broken and self.rng.random() > self.wrong:
            return None, None
        self.asked.append((len(self.moves), broken, comes_up))
        self.oracle.move(*self.sizes[job], 1)
        self.waiting.remove(job)
        self.holding.append(job)
        return ev.Dispatch(job), Start(job, *self.sizes[job])

    def release(self, job):
        self.holding.remove(job)
        self.oracle.move(*self.sizes[job], -1)
        kind = self.rng.choice((ev.Finish, ev.Finish, ev.Terminate, ev.Return, Preempted, Retried))
        if kind in (ev.Return, Preempted, Retried):
            self.waiting.append(job)
        return kind(job), End(job, *self.sizes[job])


def ordered(observations, config):
    seen = [Seen(i // 3, i // 3, what, 0, i + 2) for i, what in enumerate(observations)]
    return History(config, lambda: iter(seen), ("h",), ordered=True)
