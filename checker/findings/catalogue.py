"""The catalogue of findings: every code with its function. To add one, write it in a file of its theme and list it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from ...spec.readings import Readings
from ..results import Finding, Severity
from .borrowing import QP110, QP111, QP112, QP113
from .bounds import QP105, QP106
from .capacity import QP102, QP103
from .check import Check, Subject
from .games import QP240, QP241, QP242
from .lending import QP114, QP115, QP207
from .planned import QP310, QP311, QP312
from .promises import QP250, QP251, QP252, QP253
from .reserve import QP220, QP221
from .sources import QP301, QP304
from .stopping import QP230, QP231, QP232, QP233
from .sums import QP101
from .units import QP104, QP107, QP108
from .waive import QP302, QP303, waive

if TYPE_CHECKING:
    from ...spec.formats import Loaded

_ALL = (
    *(QP101, QP102, QP103, QP104, QP105, QP106, QP107, QP108),
    *(QP110, QP111, QP112, QP113, QP114, QP115),
    *(QP207, QP220, QP221, QP230, QP231, QP232, QP233),
    *(QP240, QP241, QP242),
    *(QP250, QP251, QP252, QP253),
    *(QP301, QP302, QP303, QP304),
)
CHECKS: Mapping[str, Check] = {check.code: check for check in _ALL}
DESCRIBED: Mapping[str, Check] = {**CHECKS, **{check.code: check for check in (QP310, QP311, QP312)}}
"""With those about a change, which no configuration has by itself."""

_ORDER = tuple(Severity)


def findings(loaded: Loaded, readings: Readings, *, today: date, games: bool = False) -> tuple[Finding, ...]:
    """Everything to mend or to know about what was loaded, errors first, then in the order of the codes.

    `today` decides which waivers and exceptions count; `games` asks for QP240 to QP242 too.
    """
    found = waive(every(Subject.of(loaded, readings, games=games, today=today)), loaded.waivers, today)
    return tuple(sorted(found, key=lambda f: _ORDER.index(f.severity)))


def every(subject: Subject) -> list[Finding]:
    """What the checks find, in the order of the codes, before anything is accepted."""
    return [finding for check in CHECKS.values() if check.find for finding in check.find(subject)]
