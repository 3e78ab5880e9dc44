"""A 21st share: how one of the 20 places of a queue could be freed (rule 3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations

from ....spec.model import MAX_SHARES, QueueConfig, QuotaShare
from ...findings.check import short_units
from ...planned import Place
from .running import Now

MOST = 3
"""Ways of each kind that are told."""


def extra(old: QueueConfig, new: QueueConfig) -> tuple[str, ...]:
    """Names of the shares that have no place in the new configuration, those that it creates first."""
    known = {s.name for s in old.shares}
    order = sorted(new.shares, key=lambda s: s.name not in known)
    return tuple(s.name for s in order[MAX_SHARES:])


def places(old: QueueConfig, new: QueueConfig, now: Now | None, owners: Mapping[str, str]) -> Iterator[Place]:
    """Shares of both configurations without a job, idle for longest first; then pairs that could be one, smallest first."""
    known = {s.name for s in old.shares}
    stay = [s for s in new.shares if s.name in known]
    short = short_units(new.units)
    if now is not None:
        idle = sorted((s for s in stay if not now.of_share(s.name)), key=lambda s: now.last_active(s.name) or 0)
        for share in idle[:MOST]:
            at = now.last_active(share.name)
            since = f"no job since {_day(at)}" if at else f"no job in this history (since {_day(now.history.start)})"
            yield Place((share.name,), f"{since}, 0 running, 0 waiting, gives back {_sum([share], short)}")
    pairs = [
        (a, b) for a, b in combinations(stay, 2) if _alike(a, b) and owners.get(a.name, "") == owners.get(b.name, "")
    ]
    for pair in sorted(pairs, key=lambda p: sum(n for s in p for n in s.limits.values()))[:MOST]:
        owned = "same owner in the promises" if owners.get(pair[0].name) else "nobody is named as owner of either"
        yield Place(tuple(s.name for s in pair), f"same rule, {owned}, together {_sum(pair, short)}")


def _alike(a: QuotaShare, b: QuotaShare) -> bool:
    """Both are subject to the same rule in everything but their numbers."""
    same = (s.canonical().model_copy(update={"quota_share_name": "", "capacity_limits": ()}) for s in (a, b))
    return next(same) == next(same)


def _sum(shares: Sequence[QuotaShare], short: Mapping[str, str]) -> str:
    total: dict[str, int] = {}
    for share in shares:
        for unit, n in share.limits.items():
            total[unit] = total.get(unit, 0) + n
    return ", ".join(f"{n} {short[unit]}" for unit, n in total.items())


def _day(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat()
