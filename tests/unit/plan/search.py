"""The oracle of comparisons: every reachable state of a small queue of one unit, by the reference's own `fit`.

It shares nothing with the share table: no sum, no formula; what a share may rely on is read off the states.
"""

from __future__ import annotations

from quotaproof.reference.fit import eligible, entitled, lacked, room
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Job, Queue
from quotaproof.reference.usage import Usage

UNIT = "u"


class Reachable:
    """The states of one queue, and what its shares can count on."""

    def __init__(self, config, readings) -> None:
        self.queue, self.policy = Queue(config, readings), Policy.of(readings)
        self.names = tuple(self.queue.shares)
        self.states = self._search()

    def job(self, share, n):
        return Job("asked", share, {UNIT: n}, 0, None, 0)

    def fits(self, state, share, n) -> bool:
        return n == 0 or room(self.queue, self.policy, self.usage(state), self.job(share, n))

    def usage(self, state):
        return Usage(self.queue, {(s, UNIT): r for s, r in zip(self.names, state, strict=True)})

    def _search(self):
        start = (0,) * len(self.names)
        seen, todo = {start}, [start]
        while todo:
            state = todo.pop()
            for i, share in enumerate(self.names):
                ways = [state[i] - 1] if state[i] else []
                ways += [state[i] + 1] if self.fits(state, share, 1) else []
                for held in ways:
                    after = (*state[:i], held, *state[i + 1 :])
                    if after not in seen:
                        seen.add(after)
                        todo.append(after)
        return sorted(seen)

    def limit(self, share) -> int:
        return self.queue.grant(share, UNIT).limit

    def most(self, i) -> int:
        return max(state[i] for state in self.states)

    def sure(self, i) -> int:
        """A job this large fits in every state in which the share is idle and, up to its limit, nobody borrows."""
        limits = [self.limit(s) for s in self.names]
        idle = [s for s in self.states if s[i] == 0 and all(r <= n for r, n in zip(s, limits, strict=True))]
        lent = [s for s in self.states if s[i] == 0]

        def fits(m) -> bool:
            return all(self.fits(s, self.names[i], m) for s in (idle if m <= limits[i] else lent))

        return max(n for n in range(self.most(i) + 1) if all(fits(m) for m in range(n + 1)))

    def at_once(self, i) -> int:
        share = self.names[i]
        return max(
            n
            for n in range(self.limit(share) + 1)
            if all(self.fits(s, share, m - s[i]) for s in self.states for m in range(s[i], n + 1))
        )

    def unstopped(self, i) -> int:
        """The most the share holds in any state such that holding so much or less never exposes it to a reclaim."""
        exposed = min((s[i] for s in self.states if self._exposed(s, i)), default=self.most(i) + 1)
        return exposed - 1

    def _exposed(self, state, i) -> bool:
        """An entitled job of another share lacks a machine, and the share's may be the one that is stopped."""
        used = self.usage(state)
        victim = Job("victim", self.names[i], {UNIT: 1}, 0, None, 0)
        claimants = [
            self.job(share, n)
            for j, share in enumerate(self.names)
            for n in range(1, self.limit(share) - state[j] + 1)
            if j != i
        ]
        return state[i] > 0 and any(
            entitled(self.queue, self.policy, used, job) and self._may_be(victim, used, job) for job in claimants
        )

    def _may_be(self, victim, used, job) -> bool:
        return eligible(self.queue, self.policy, used, victim, lacked(self.queue, self.policy, used, job))

    def numbers(self, share):
        i = self.names.index(share)
        return {"sure": self.sure(i), "at_once": self.at_once(i), "most": self.most(i), "unstopped": self.unstopped(i)}
