"""Where a field of a share or an environment stands: file:line, whatever the form. Trusted: `Spot`."""

from __future__ import annotations

from collections.abc import Sequence

from .document import Pointer
from .items import Spot

_SHARING = ("resourceSharingConfiguration",)
_NAMED = ("quotaShareName",)
_ENVIRONMENT = ("serviceEnvironmentName",)
_PATHS: dict[str, tuple[Pointer, ...]] = {
    "share": (_NAMED,),
    "strategy": ((*_SHARING, "strategy"),),
    "borrowLimit": ((*_SHARING, "borrowLimit"), _SHARING),
    "inSharePreemption": (("preemptionConfiguration", "inSharePreemption"), _NAMED),
    "state": (("state",), _NAMED),
}
"""Where a field of a share stands, in AWS's tree: the first of the paths that exists."""
_OF_A_UNIT = {"limit": "maxCapacity", "capacity": "maxCapacity", "unit": "capacityUnit"}


def of_share(spot: Spot, field: str, unit: str | None, units: Sequence[str]) -> str:
    """Place of a share's field: share, limit, unit (these two of `unit`), strategy, borrowLimit, inSharePreemption,
    state. `units` are the units of its limits, in order. A field that is left out is placed at what would hold it.
    Raises KeyError for a field that does not exist."""
    if field in _PATHS:
        return spot.place(*_PATHS[field])
    return _of_unit(spot, field, unit, units, _NAMED)


def of_environment(spot: Spot, unit: str | None, units: Sequence[str]) -> str:
    """Place of the environment's limit of `unit`, or of its name."""
    return _of_unit(spot, "capacity", unit, units, _ENVIRONMENT)


def _of_unit(spot: Spot, field: str, unit: str | None, units: Sequence[str], otherwise: Pointer) -> str:
    part = _OF_A_UNIT[field]
    if unit not in units:
        return spot.place(otherwise)
    return spot.place(("capacityLimits", units.index(unit), part))
