"""Shares for a trace that comes without: from the `*.config.json` beside it, or from the demand of its own groups.

AWS lends all or nothing and borrows by percent, these files say instances: a team that may borrow is LEND_AND_BORROW, one
that only lends is LEND, any other RESERVE, and a borrow limit is the smallest whole percentage that allows it. Trusted:
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...model import (
    LARGEST,
    MAX_SHARES,
    NAME,
    EnvironmentCapacityLimit,
    Preemption,
    QueueConfig,
    QuotaShare,
    ResourceSharing,
    ServiceEnvironment,
    ShareCapacityLimit,
    State,
    Strategy,
)
from .. import json_text
from ..document import Document, Pointer
from ..errors import InputError, shown
from .rows import lines

SUFFIX = ".config.json"
OTHERS = "others"
LENDS = "a team that may borrow lends all its quota too (LEND_AND_BORROW): AWS has no limit on lending"
PERCENT = "borrow limits are whole percentages of the quota, rounded up so that they allow what the file allows"
DERIVED = LENDS, PERCENT


def beside(path: str) -> str | None:
    """The configuration that belongs to a trace by its name."""
    file = Path(path)
    found = file.with_name(file.name.removesuffix(".gz").removesuffix(".csv") + SUFFIX)
    return str(found) if found.is_file() else None


def read(path: str, unit: str) -> QueueConfig:
    """The queue of a configuration file. Raises InputError."""
    document = json_text.parse(Path(path).name, "".join(text for _, text in lines(path)))
    value = document.value
    if not isinstance(value, dict) or not isinstance(value.get("teams"), list) or not value["teams"]:
        raise document.error(("teams",), "teams are missing", why="It is no configuration of a trace.",
                             fix="give teams with team and quota_gpus, and capacity_gpus.")  # fmt: skip
    capacity = _count(document, ("capacity_gpus",), value.get("capacity_gpus"), least=0)
    made: dict[str, QuotaShare] = {}
    for index, team in enumerate(value["teams"]):
        at: Pointer = ("teams", index)
        team = team if isinstance(team, dict) else {}
        name = team.get("team")
        if not isinstance(name, str) or not re.fullmatch(NAME, name) or name in made:
            why = "It names a share: 1 to 128 letters, digits, - and _, each name once."
            raise document.error((*at, "team"), f"team is {shown(name)}", why=why, fix="give it another name.")
        quota, lends, borrows = (
            _count(document, (*at, field), team.get(field, 0), least=least)
            for field, least in (("quota_gpus", 1), ("lend_limit_gpus", 0), ("borrow_limit_gpus", 0))
        )
        made[name] = _share(name, unit, quota, lends, -(-100 * borrows // quota))
    return queue(Path(path).name.removesuffix(SUFFIX), unit, capacity, list(made.values()))


def queue(name: str, unit: str, capacity: int, shares: Sequence[QuotaShare]) -> QueueConfig:
    """A queue of these shares over so many machines."""
    name = re.sub(r"[^a-zA-Z0-9_\-]", "-", name)[:128] or "workload"
    limits = (EnvironmentCapacityLimit(max_capacity=capacity, capacity_unit=unit),)
    environment = ServiceEnvironment(service_environment_name=name, capacity_limits=limits)
    return QueueConfig(job_queue_name=name, environment=environment, shares=tuple(shares))


def by_demand(name: str, unit: str, capacity: int, demand: Mapping[str, float]) -> QueueConfig:
    """Shares that split the capacity as their demand does, at least 1 each; they lend, and borrow without maximum."""
    total = sum(demand.values()) or 1.0
    spare = capacity - len(demand)
    wanted = {share: spare * value / total for share, value in demand.items()}
    given = {share: 1 + int(value) for share, value in wanted.items()}
    rest = capacity - sum(given.values())
    for share in sorted(wanted, key=lambda s: (int(wanted[s]) - wanted[s], s))[:rest]:
        given[share] += 1
    return queue(name, unit, capacity, [_share(s, unit, n, 0, None) for s, n in given.items()])


def largest(demand: Mapping[str, float]) -> Mapping[str, str]:
    """Group -> share: itself, or where there are more than a queue may have shares, the smallest together."""
    order = sorted(demand, key=lambda g: (-demand[g], g))
    alone = order if len(order) <= MAX_SHARES else order[: MAX_SHARES - 1]
    return {group: group if group in set(alone) else OTHERS for group in demand}


def _share(name: str, unit: str, quota: int, lends: int, percent: int | None) -> QuotaShare:
    """`percent` None: borrows without maximum; 0: may not borrow."""
    strategy = Strategy.LEND_AND_BORROW if percent != 0 else Strategy.LEND if lends else Strategy.RESERVE
    return QuotaShare(
        quota_share_name=name,
        capacity_limits=(ShareCapacityLimit(max_capacity=quota, capacity_unit=unit),),
        resource_sharing_configuration=ResourceSharing(strategy=strategy, borrow_limit=percent or None),
        preemption_configuration=Preemption(in_share_preemption=State.DISABLED),
    )


def _count(document: Document, at: Pointer, value: Any, *, least: int) -> int:
    if type(value) is not int or not least <= value <= LARGEST:
        raise document.error(at, f"{at[-1]} is {shown(value)}", why=f"It counts GPUs: a whole number from {least}.",
                             fix=f"write a whole number from {least} to {LARGEST}.")  # fmt: skip
    return value


def none_given(path: str) -> InputError:
    """The error for a trace whose shares nothing says."""
    return InputError(
        "there is no configuration for its teams",
        where=Path(path).name,
        why="The file has jobs of teams, and no quotas, lend or borrow limits.",
        fix=f"put {Path(path).name.removesuffix('.gz').removesuffix('.csv')}{SUFFIX} beside it, or give a queue.",
    )
