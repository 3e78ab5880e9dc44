"""What the checks find about a configuration that comes from no file."""

from __future__ import annotations

from quotaproof.checker.findings.catalogue import CHECKS, every
from quotaproof.checker.findings.check import Subject
from quotaproof.checker.findings.table import lots
from quotaproof.checker.results import Finding
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import Readings


def found(config: QueueConfig, *codes: str, readings: Readings | None = None, **more: object) -> list[Finding]:
    """What the checks find, of all codes or of these. `more`: place, assumed, jobs, drift of the subject."""
    chosen = readings or Readings()
    subject = Subject(config, chosen, lots(config, chosen), **more)  # type: ignore[arg-type]
    if not codes:
        return every(subject)
    return [f for code in codes for f in (CHECKS[code].find or (lambda _: ()))(subject)]
