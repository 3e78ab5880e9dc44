"""What records say of one job, put together in any order: its facts, its moves, and the requests about it.

Nothing of a payload is kept but size, checkpoint setting, training plan and timeout. Trusted: nothing; what two records
say differently is remembered as a contradiction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ...model import LARGEST, Size
from .. import json_text
from ..errors import InputError, shown
from ..jobs import checkpoint_of, size_of

SECOND = 1000
NEVER = 10**14
"""A time after all others."""
PREEMPTING, PREEMPTED = "PREEMPTING", "PREEMPTED"
"""Beside AWS's states: what the two preemption events say."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a record stands: file (an index) and line."""

    file: int
    line: int


@dataclass(slots=True)
class Move:
    """A change of state of a job, at an instant from `low` to `high` (milliseconds)."""

    status: str
    low: int
    high: int
    mark: Mark
    attempt: str = ""
    """ARN of the training job, '' when the record names none."""
    reason: str = ""
    count: int | None = None
    final: str = ""
    """For PREEMPTED: the state after it."""
    logged: bool = True
    """False for a move known only from an answer about the job, which says when the latest attempt moved."""


@dataclass(frozen=True, slots=True)
class Request:
    """Somebody asked for something about the job."""

    at: int
    mark: Mark
    priority: int | None = None
    by: str = ""
    """Who asked, as CloudTrail names them."""


@dataclass(slots=True)
class Known:
    """One job, as far as the records go."""

    job: str
    mark: Mark
    """Of the first record that was read."""
    name: str = ""
    arn: str = ""
    queue: str = ""
    share: str = ""
    size: Size = field(default_factory=dict[str, int])
    created: int | None = None
    described: bool = False
    """An answer of describe-service-job from after its end is among the records."""
    states: set[str] = field(default_factory=set[str])
    """What answers give as its state, each at a time that is not known."""
    submissions: list[Request] = field(default_factory=list[Request])
    owner: str = ""
    retries: int | None = None
    retries_known: bool = False
    attempts_allowed: int | None = None
    checkpoint: str | None = None
    training_plan: bool | None = None
    timeout: int | None = None
    priorities: set[int] = field(default_factory=set[int])
    """Values that answers have given; each was the current one at an unknown time."""
    updates: list[Request] = field(default_factory=list[Request])
    terminations: list[Request] = field(default_factory=list[Request])
    terminated: bool = False
    moves: dict[tuple[str, str, int], Move] = field(default_factory=dict[tuple[str, str, int], Move])
    stops: dict[str, int] = field(default_factory=dict[str, int])
    """Attempt -> when it stopped, exact."""
    preempted: dict[str, str] = field(default_factory=dict[str, str])
    """Attempts that answers or events list as preempted, with the reason."""
    ended: set[str] = field(default_factory=set[str])
    """Attempts that answers list as ended without a preemption."""
    running: dict[str, int] = field(default_factory=dict[str, int])
    """Listed attempt -> when its training job started."""
    reasons: dict[str, Mark] = field(default_factory=dict[str, Mark])
    """MISCONFIGURATION texts of answers, whose time is not known."""
    contradictions: list[tuple[Mark, str]] = field(default_factory=list[tuple[Mark, str]])

    @property
    def submitted(self) -> Request | None:
        """The first of its submissions; a job has no other."""
        return min(self.submissions, key=lambda r: r.at, default=None)

    def says(self, mark: Mark, **facts: Any) -> None:
        """Take over facts that a record states; a second, different one is a contradiction."""
        for name, value in facts.items():
            old = getattr(self, name)
            if value in (None, "", {}) or old == value:
                continue
            if old in (None, "", {}):
                setattr(self, name, value)
            else:
                self.contradictions.append(
                    (mark, f"{name} of job {self.job} is {_shown(value)}, elsewhere {_shown(old)}")
                )

    def moved(self, move: Move) -> bool:
        """Add a move; False when the same one was read before."""
        key = (move.status, move.attempt or move.reason, move.low)
        if key in self.moves:
            self.moves[key].logged |= move.logged
            return False
        self.moves[key] = move
        return True


def _shown(value: Any) -> str:
    return ", ".join(f"{n} {u}" for u, n in value.items()) if isinstance(value, Mapping) else shown(value)


def sizes(usage: Any) -> Size | None:
    """capacityUsage as unit -> instances; None when it is none, or not whole numbers."""
    size: dict[str, int] = {}
    for one in usage if isinstance(usage, list) else ():
        unit, n = (one.get(k) if isinstance(one, dict) else None for k in ("capacityUnit", "quantity"))
        whole = isinstance(n, int | float) and not isinstance(n, bool) and 1 <= n <= LARGEST and n == int(n)
        if not isinstance(unit, str) or not unit or not whole or n is None:
            return None
        size[unit] = size.get(unit, 0) + int(n)
    return size or None


@dataclass(frozen=True, slots=True)
class Payload:
    """What is kept of a request to SageMaker."""

    size: Size
    checkpoint: str
    training_plan: bool


def payload(text: Any) -> Payload | None:
    """The few things that count of a serviceRequestPayload; None when it is not there or cannot be read."""
    if not isinstance(text, str):
        return None
    try:
        value = json_text.parse("serviceRequestPayload", text).value
    except InputError:
        return None
    if not isinstance(value, dict):
        return None
    found = value.get("ResourceConfig")
    resources = found if isinstance(found, dict) else {}
    plans = [resources.get("TrainingPlanArn")]
    preferences = resources.get("InstancePreferences")
    for one in preferences if isinstance(preferences, list) else ():
        plans += found if isinstance(one, dict) and isinstance(found := one.get("TrainingPlanArns"), list) else []
    return Payload(
        size_of(value),
        checkpoint_of(value),
        any(isinstance(plan, str) and plan for plan in plans),
    )
