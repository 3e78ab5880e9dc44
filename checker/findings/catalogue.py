"""The catalogue of findings: every code with its function. To add one, write it in a file of its theme and list it."""

from __future__ import annotations

from collections.abc import Mapping

from ...spec.model import QueueConfig
from ...spec.readings import Readings
from ..results import Finding, Severity
from .bounds import QP105, QP106
from .check import Check, Place, Subject, nowhere
from .sums import QP101
from .units import QP104

CHECKS: Mapping[str, Check] = {check.code: check for check in (QP101, QP104, QP105, QP106)}

_ORDER = tuple(Severity)


def findings(
    config: QueueConfig, readings: Readings, *, place: Place = nowhere, assumed: bool = False
) -> tuple[Finding, ...]:
    """Everything to mend or to know about `config`, errors first, then in the order of the codes."""
    subject = Subject.of(config, readings, place=place, assumed=assumed)
    found = [f for check in CHECKS.values() for f in check.find(subject)]
    return tuple(sorted(found, key=lambda f: _ORDER.index(f.severity)))
