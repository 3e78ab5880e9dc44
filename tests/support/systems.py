"""Small systems for the explorer, drawn at random."""

from __future__ import annotations

from quotaproof.checker.explore.kinds import Kind

from .queues import queue, share


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
