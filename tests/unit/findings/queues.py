"""Queues of one unit in one line: `one_unit(16, a=(8, "LEND_AND_BORROW", 25))`."""

from __future__ import annotations

from quotaproof.checker.findings.catalogue import CHECKS, every
from quotaproof.checker.findings.check import Subject
from quotaproof.checker.findings.table import lots
from quotaproof.checker.results import Finding
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share

UNIT = "ml.p5.48xlarge"


def one_unit(capacity: int, **shares: tuple[int, str] | tuple[int, str, int | None]) -> QueueConfig:
    """Every share is (limit, strategy, borrow limit)."""
    made = [share(name, {UNIT: given[0]}, *given[1:]) for name, given in shares.items()]
    return queue({UNIT: capacity}, *made, name="queue")


def found(config: QueueConfig, *codes: str, readings: Readings | None = None, **more: object) -> list[Finding]:
    """What the checks find, of all codes or of these. `more`: place, assumed, jobs, drift of the subject."""
    chosen = readings or Readings()
    subject = Subject(config, chosen, lots(config, chosen), **more)  # type: ignore[arg-type]
    if not codes:
        return every(subject)
    return [f for code in codes for f in (CHECKS[code].find or (lambda _: ()))(subject)]
