"""What HTCondor does that a promise forbids: each with a variant that shows it and, where one is known, one that does not."""

from __future__ import annotations

from ...real.findings import Finding

FINDINGS = (
    Finding(
        "C1",
        "a lender gets nothing back where its parent group takes no surplus",
        "G14",
        "htcondor:parent-surplus",
        ("htcondor",),
    ),
    Finding(
        "C2",
        "a job of several machines gets nothing back on a divided slot",
        "G14",
        "htcondor:pslot",
        ("htcondor:gangs",),
    ),
    Finding(
        "C3", "a higher priority of the same submitter preempts nothing", "G21", "htcondor:one-user", ("htcondor",)
    ),
    Finding("C4", "a share's claim on a victim that still stops counts as nothing", "G6", "htcondor:slow-stops"),
    Finding("C5", "a share at its ceiling makes no room for a higher priority", "G21", "htcondor:capped"),
    Finding("C6", "a machine that is left is allotted in halves", "G16", "htcondor:weights", ("htcondor",)),
    Finding("C7", "the victims of one job are allowed one by one", "G5x", "htcondor:gangs"),
    Finding(
        "C8", "a removed job's machine is offered to a job that it then refuses", "G9", "htcondor", ("htcondor:reuse",)
    ),
    Finding(
        "C9",
        "a loan is passed on to the borrower's next job past a waiting owner",
        "G8",
        "htcondor:reuse",
        ("htcondor",),
    ),
)
