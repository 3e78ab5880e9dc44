"""Jobs: sizes at and around every number that decides, few priorities (so that there are ties), few retries.

Trusted: the three numbers of a share (`spec.model.grant`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...spec.events import Submit
from ...spec.model import QueueConfig, QuotaShare
from ...spec.readings import Readings
from .choices import Choices, pick, record

PRIORITIES = (0, 1, 2, 0, 1, 3, 0, 1, 2, None)
"""None: left out, which is 0 (A22)."""
RETRIES = (*(None,) * 6, 0, 0, 1, 1, 2, 3, 2, 4, 10)
_SIMPLE = 8
"""So many in twenty sizes are 1 or 2, else queues are full of jobs that never run."""
_DEFAULTS = Readings()


def boundaries(config: QueueConfig, share: QuotaShare, unit: str, readings: Readings = _DEFAULTS) -> list[int]:
    """Sizes of one unit that decide something for a share, and the next above: limit, limit and loan, pool, environment."""
    own = share.grant(unit, readings)
    lent = sum(s.grant(unit, readings).lendable for s in config.shares if s.name != share.name)
    there = config.environment.capacity.get(unit, 0)
    loan = lent if own.borrowable is None else own.borrowable
    edges = (own.limit, own.limit + loan, own.limit + lent, there)
    return [max(1, n) for edge in edges for n in (edge, edge + 1)]


def job(
    choose: Choices,
    config: QueueConfig,
    *,
    name: str = "",
    share: str = "",
    priorities: Sequence[int | None] = PRIORITIES,
    retries: Sequence[int | None] = RETRIES,
    small: bool = False,
    readings: Readings = _DEFAULTS,
) -> Submit:
    """A job for one of the queue's shares, or for `share`. `name` '' calls it after its share. `small`: of 1 or 2."""
    drawn = record(choose, 6)
    picked = pick(drawn, config.shares)
    of = config.share(share) if share else picked
    units, kind = drawn.number(0, 5), drawn.number(0, 19)
    known = list(of.limits)
    used = known if units == 5 else [known[units % len(known)]]
    size = {unit: _size(config, of, unit, 0 if small else kind, readings) for unit in used}
    if units == 4 and kind == 19 and not small:
        size = {pick(drawn, config.units): 1}
    priority, again = pick(drawn, priorities), pick(drawn, retries)
    return Submit(name or f"{of.name}1", of.name, size, priority, again)


def _size(config: QueueConfig, share: QuotaShare, unit: str, kind: int, readings: Readings) -> int:
    if kind < _SIMPLE:
        return 1 + kind % 2 * (kind > 2)
    edges = boundaries(config, share, unit, readings)
    return edges[(kind - _SIMPLE) % len(edges)]
