"""Small systems for the explorer: shares of one unit, one kind of jobs each, as (limit, size, jobs, borrowable)."""

from __future__ import annotations

from quotaproof.checker.explore.kinds import Discipline, Kind
from quotaproof.spec.readings import Readings

from .queues import queue, share

SYSTEMS = {
    "unit": (3, ((1, 1, 1, 0), (1, 1, 2, 0), (1, 1, 3, 9))),
    "gang": (4, ((2, 2, 1, 0), (1, 1, 2, 0), (1, 1, 4, 9))),
    "over": (5, ((2, 1, 2, 0), (1, 1, 1, 0), (2, 2, 3, 9))),
    "surp": (4, ((1, 1, 1, 0), (2, 2, 1, 0), (1, 4, 1, 9))),
    "S2": (4, ((1, 1, 1, 0), (2, 1, 3, 0), (1, 2, 2, 9))),
    "S3": (5, ((2, 2, 1, 0), (2, 1, 3, 0), (1, 3, 2, 9))),
    "S4": (6, ((2, 2, 1, 0), (2, 1, 2, 0), (1, 1, 2, 0), (1, 3, 2, 9))),
}
"""Name -> environment and shares; the first share is the one that is asked about."""

HOLD = {"none": {"A23": "no"}, "freed": {"A58": "freed"}, "whole": {}}


def config(name, environment=None):
    """The queue of a system."""
    capacity, shares = SYSTEMS[name]
    made = [
        share(f"s{i}", limit, "LEND_AND_BORROW" if b else "LEND", b * 100 // limit if b else None)
        for i, (limit, _, _, b) in enumerate(shares)
    ]
    return queue(environment or capacity, *made)


def kinds(name):
    """The kinds of jobs of a system: k0 of share s0, and so on."""
    return [Kind(f"k{i}", f"s{i}", {"u": size}, 0, jobs) for i, (_, size, jobs, _) in enumerate(SYSTEMS[name][1])]


def readings(hold, yields):
    """Readings by what claims hold, and whether borrowers yield to entitled heads."""
    return Readings.of(A15="yes" if yields else "no", **HOLD[hold])


def arguments(name, hold="whole", yields=True, order="", environment=None, **faults):
    """What `explore` and `system` take."""
    discipline = Discipline(order=order, **faults)
    return config(name, environment), kinds(name), readings(hold, yields), discipline
