"""What HTCondor does that a promise forbids: each with a variant that shows it and, where one is known, one that does not."""

from __future__ import annotations

from ...real.findings import Finding

FINDINGS = (
    Finding("C1", "G14", "htcondor:parent-surplus", ("htcondor",)),
    Finding("C2", "G14", "htcondor:pslot", ("htcondor:gangs",)),
    Finding("C3", "G21", "htcondor:one-user", ("htcondor",)),
    Finding("C4", "G6", "htcondor:slow-stops"),
    Finding("C5", "G21", "htcondor:capped"),
    Finding("C6", "G16", "htcondor:weights", ("htcondor",)),
    Finding("C7", "G5x", "htcondor:gangs"),
    Finding("C8", "G9", "htcondor", ("htcondor:reuse",)),
    Finding("C9", "G8", "htcondor:reuse", ("htcondor",)),
)
