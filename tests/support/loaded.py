"""What `load` gives, in the words tests compare."""

from __future__ import annotations

from collections import Counter

from quotaproof.spec.formats import Loaded


def kinds(loaded: Loaded) -> str:
    """The kinds that were read, in order, with counts: "create-job-queue, create-quota-share x3"."""
    counts = Counter(source.kind for source in loaded.sources)
    return ", ".join(kind if n == 1 else f"{kind} x{n}" for kind, n in sorted(counts.items()))
