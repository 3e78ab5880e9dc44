"""Queues of one unit and everything they can come to, searched with the reference's own rules: the engine's oracle.

Nothing of `spec.rules` is used. A state is the usage of each share; starts are those that `reference.fit` lets happen, and
jobs of one machine each end or are stopped one by one.
"""

from __future__ import annotations

import random
from functools import cached_property, lru_cache

from quotaproof.reference import fit
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Job, Queue
from quotaproof.reference.usage import Usage
from quotaproof.spec.model import QueueConfig, State, Strategy
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share

UNALLOTTED = ("owners", "void", "borrowable")
KINDS = [("RESERVE", None), ("LEND", None), *[("LEND_AND_BORROW", b) for b in (0, 50, 100, None)]]
CONFIGURED = [(limit, strategy, borrow) for limit in (1, 2, 3) for strategy, borrow in KINDS]
"""Every share of a limit up to 3."""


class Small:
    """A configuration under one choice of readings."""

    def __init__(self, config: QueueConfig, readings: Readings) -> None:
        self.config, self.readings = config, readings
        self.queue, self.policy = Queue(config, readings), Policy.of(readings)
        self.names = [s.name for s in config.shares]
        self.capacity = config.environment.capacity.get("u", 0)

    def used(self, state):
        return Usage(self.queue, {(name, "u"): n for name, n in zip(self.names, state, strict=True)})

    def job(self, i, n):
        return Job("job", self.names[i], {"u": n}, 0, None, 0)

    def limit(self, i):
        return self.queue.grant(self.names[i], "u").limit

    def starts(self, state, i, n):
        s = self.config.shares[i]
        on = self.config.environment.state is State.ENABLED
        on = on and (s.state is State.ENABLED or self.policy.disabled_run)
        return on and fit.room(self.queue, self.policy, self.used(state), self.job(i, n))

    @cached_property
    def states(self):
        first = (0,) * len(self.names)
        seen, todo = {first}, [first]
        while todo:
            state = todo.pop()
            for i, held in enumerate(state):
                more = [held + n for n in range(1, self.capacity + 1) if self.starts(state, i, n)]
                for n in [*more, *([held - 1] if held else [])]:
                    then = (*state[:i], n, *state[i + 1 :])
                    if then not in seen:
                        seen.add(then)
                        todo.append(then)
        return seen

    def loans_stopped(self, state, i):
        """The state when every machine that other shares borrow was taken back."""
        return tuple(n if j == i else min(n, self.limit(j)) for j, n in enumerate(state))

    def takes_back(self, state, i, n):
        entitled = fit.entitled(self.queue, self.policy, self.used(state), self.job(i, n))
        return entitled and self.starts(self.loans_stopped(state, i), i, n)

    # what is broken

    def not_at_once(self, i, most):
        return any(not self.starts(s, i, n) for s in self.states for n in range(1, most + 1) if s[i] + n <= most)

    def not_by_stops(self, i, most):
        return any(
            not self.starts(s, i, n) and not self.takes_back(s, i, n)
            for s in self.states
            for n in range(1, most + 1)
            if s[i] + n <= most
        )

    def does_not_fit(self, i, n):
        return any(s[i] == 0 and not self.starts(s, i, n) and not self.takes_back(s, i, n) for s in self.states)

    def most(self, members):
        return max(sum(s[i] for i in members) for s in self.states)

    def most_borrowed(self, i):
        return max(max(0, s[i] - self.limit(i)) for s in self.states)

    def idles(self, i):
        """Without its borrow limit, the share could start what it cannot start with it."""
        if self.config.shares[i].strategy is not Strategy.LEND_AND_BORROW:
            return False
        free = share(self.names[i], self.config.shares[i].limits, "LEND_AND_BORROW", None)
        shares = tuple(free if j == i else s for j, s in enumerate(self.config.shares))
        twin = Small(self.config.model_copy(update={"shares": shares}), self.readings)
        return any(s[i] >= self.limit(i) and not self.starts(s, i, 1) and twin.starts(s, i, 1) for s in self.states)

    def _may_be(self, victim, used, job):
        return fit.eligible(self.queue, self.policy, used, victim, fit.lacked(self.queue, self.policy, used, job))

    def loses_loans(self, i):
        """A claim that suffices exists and one machine of the share is among its possible victims."""
        victim = Job("victim", self.names[i], {"u": 1}, 0, None, 0)
        return any(
            not self.starts(s, j, n) and self.takes_back(s, j, n) and self._may_be(victim, self.used(s), self.job(j, n))
            for s in self.states
            for j in range(len(s))
            if j != i
            for n in range(1, self.limit(j) + 1)
        )

    def loses_to_its_own(self, i, *, always=False, inherits=True):
        """`inherits`: a job beyond the limit takes over what its victims borrowed (A31)."""
        if not self.config.shares[i].in_share:
            return False
        most = self.capacity if always else self.limit(i)
        return any(
            1 <= s[i] <= most and not self.starts(s, i, n) and self.starts((*s[:i], 0, *s[i + 1 :]), i, n)
            for s in self.states
            for n in range(1, (self.capacity if inherits else self.limit(i)) + 1)
        )


@lru_cache(maxsize=4096)
def searched(config: QueueConfig, readings: Readings) -> Small:
    return Small(config, readings)


def made(capacity: int, kinds, in_share=()) -> QueueConfig:
    shares = [
        share("abc"[i], limit, strategy, borrow, i in in_share) for i, (limit, strategy, borrow) in enumerate(kinds)
    ]
    return queue(capacity, *shares)


def drawn(seed: int, n: int) -> list[tuple[QueueConfig, Readings]]:
    """So many queues of two or three shares with at most 5 machines, each with a choice of A5."""
    rng = random.Random(seed)
    found = []
    for _ in range(n):
        kinds = [rng.choice(CONFIGURED) for _ in range(rng.choice((2, 3, 3)))]
        in_share = [i for i in range(len(kinds)) if rng.random() < 0.5]
        chosen = Readings.of(A5=rng.choice(UNALLOTTED)) if rng.random() < 0.8 else Readings()
        found.append((made(rng.randint(0, 5), kinds, in_share), chosen))
    return found
