"""Amounts, states and answers as a person reads them, and the bounds that amounts of a promise are."""

from __future__ import annotations

from collections.abc import Mapping

from ....spec.model import QueueConfig
from ....spec.promises import Amounts, Promises
from ....spec.rules.commitments import Bound
from ....spec.rules.view import Share, Unit
from ...witness.words import amount
from .envelope import Reached


def bounds(promises: Promises, amounts: Amounts, config: QueueConfig) -> dict[str, Bound]:
    """Unit or measure -> its bound: of a measure, over every unit of the queue that counts in it."""
    made: dict[str, Bound] = {}
    for name, most in amounts.items():
        weights = promises.weights.get(name)
        counted = {name: 1} if weights is None else {u: n for u, n in weights.items() if u in config.units}
        made[name] = Bound(counted, most)
    return made


def units_of(every: Mapping[str, Bound]) -> tuple[Unit, ...]:
    """The units that bounds speak of."""
    return tuple(dict.fromkeys(unit for bound in every.values() for unit in bound.weights))


def in_use(found: Reached) -> str:
    """foundation uses 8 ml.p5.48xlarge, speech 2."""
    units = {unit for _, unit in found.usage}
    said: list[str] = []
    for share in found.sharers:
        counts = {unit: n for (s, unit), n in found.usage.items() if s == share}
        bare = said and len(units) == 1
        said.append(f"{share} {next(iter(counts.values()))}" if bare else f"{share} uses {amount(counts)}")
    return ", ".join(said) or "nothing is in use"


def asked(found: Reached, share: Share) -> str:
    """a job of 2 ml.p5.48xlarge of vision."""
    return f"a job of {amount({unit: n for (s, unit), n in found.asks.items() if s == share})} of {share}"
