"""Small queues with jobs of one size a share: those of the proofs' exploration, and random ones."""

from __future__ import annotations

from quotaproof.checker.explore.kinds import Kind

from .queues import queue, share

TABLE = {
    "unit": (3, ((1, 1, 1), (1, 1, 2), (1, 1, 3))),
    "gang": (4, ((2, 2, 1), (1, 1, 2), (1, 1, 4))),
    "over": (5, ((2, 1, 2), (1, 1, 1), (2, 2, 3))),
    "surplus": (4, ((1, 1, 1), (2, 2, 1), (1, 4, 1))),
    "S2": (4, ((1, 1, 1), (2, 1, 3), (1, 2, 2))),
    "S3": (5, ((2, 2, 1), (2, 1, 3), (1, 3, 2))),
    "S4": (6, ((2, 2, 1), (2, 1, 2), (1, 1, 2), (1, 3, 2))),
    "gang, a machine short": (3, ((2, 2, 1), (1, 1, 2), (1, 1, 4))),
}
"""Name -> the environment, and each share's limit, size of its jobs and number of them; the last share borrows."""


def tabled(name):
    """The configuration and the kinds of jobs of a row of the table."""
    capacity, rows = TABLE[name]
    last = len(rows) - 1
    shares = [
        share("abcd"[n], limit, "LEND_AND_BORROW" if n == last else "LEND", -1 if n == last else None)
        for n, (limit, _, _) in enumerate(rows)
    ]
    kinds = [Kind("abcd"[n], "abcd"[n], {"u": size}, jobs=jobs) for n, (_, size, jobs) in enumerate(rows)]
    return queue(capacity, *shares), kinds


def drawn_system(rng):
    """Two or three shares and as many kinds of jobs or one more, priorities and in-share preemption included."""
    names = "abc"[: rng.randint(2, 3)]
    shares, total = [], 0
    for name in names:
        limit = rng.randint(1, 2)
        total += limit
        strategy = rng.choice(("LEND_AND_BORROW", "LEND_AND_BORROW", "LEND", "RESERVE"))
        borrow = rng.choice((-1, 50, 100)) if strategy == "LEND_AND_BORROW" else None
        shares.append(share(name, limit, strategy, borrow, in_share=rng.random() < 0.5))
    kinds = [Kind(name, name, {"u": rng.randint(1, 2)}, rng.randint(0, 1), rng.randint(1, 2)) for name in names]
    if rng.random() < 0.5:
        kinds.append(Kind("more", rng.choice(names), {"u": rng.randint(1, 3)}, rng.randint(0, 2)))
    return queue(max(1, total + rng.choice((-1, 0, 0, 1))), *shares), kinds
