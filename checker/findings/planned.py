"""QP310 to QP312: what `plan` finds about a change. No configuration has them by itself."""

from __future__ import annotations

from ..results import Severity
from .check import Check

QP310 = Check(
    "QP310",
    Severity.NOTE,
    "a share has less than before",
    "A planned change takes something from a share: what it is sure of, what it gets at once, the most that it can hold, "
    "what nobody can stop, its state, or the share itself. `plan --fail-on weaker` makes it count.",
)
QP311 = Check(
    "QP311",
    Severity.WARNING,
    "no safe order of requests",
    "Whichever request of a planned change is sent first, some configuration in between gives more than there is, leaves "
    "a share sure of less than before and after, has too many shares, or breaks a promise that both ends keep.",
)
QP312 = Check(
    "QP312",
    Severity.ERROR,
    "nothing can be given",
    "`plan --give` asks where the capacity for a share's limit can come from. No change of limits gives it and keeps every "
    "promise that is kept now, or none gives it at all. That is proved, not only not found.",
)
