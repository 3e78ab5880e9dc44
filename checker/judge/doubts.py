"""Faults that a history cannot prove, because what they rest on was not known then: those are undecided, never broken.

A limit, a strategy or a state that no record gives was taken from elsewhere. Trusted: `RESTS`, which guarantees look at
which of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...spec.observations import Doubt, Doubtful
from .judged import Fault

_SHARED = frozenset({"G2", "G5x", "G5s", "G6", "G6+", "G7", "G8", "G14", "G16", "G17", "G21"})
RESTS: Mapping[Doubtful, frozenset[str]] = {
    "limits": _SHARED | {"G3", "G4"},
    "capacity": _SHARED | {"G1"},
    "sharing": _SHARED | {"G3", "G4"},
    "in-share": frozenset({"G5x", "G5s", "G6", "G6+", "G21"}),
    "state": _SHARED | {"G13"},
    "gone": _SHARED,
    "priority": frozenset({"G5x", "G5s", "G6", "G6+", "G8", "G9", "G21"}),
    "moves": _SHARED | {"G1", "G3", "G4", "G9", "G10", "G11", "G13"},
    "ends": frozenset({"G11"}),
    "jobs": frozenset({"G5x", "G5s", "G6", "G6+"}),
}
"""What may not be known -> the guarantees that look at it. Of jobs that are left out only those are missed that others
were stopped for: machines that nobody is seen to use break nothing."""


def proven(
    faults: Iterable[Fault], doubts: Sequence[Doubt], skew: int
) -> tuple[list[Fault], dict[str, tuple[int, str]]]:
    """The faults that stand, and for each code how many do not, and why."""
    kept: list[Fault] = []
    open_: dict[str, tuple[int, str]] = {}
    for fault in faults:
        doubt = next((d for d in doubts if _rests(fault, d, skew)), None)
        if doubt is None:
            kept.append(fault)
        else:
            times, why = open_.get(fault.code, (0, doubt.why))
            open_[fault.code] = times + 1, why
    return kept, open_


def _rests(fault: Fault, doubt: Doubt, skew: int) -> bool:
    meets = fault.seen.at - skew <= doubt.end and doubt.start <= fault.seen.until + skew
    own = doubt.job and doubt.job == getattr(fault.seen.what, "job", "")
    return meets and not own and fault.code in RESTS[doubt.of]
