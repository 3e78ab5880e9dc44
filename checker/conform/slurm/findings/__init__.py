"""What Slurm does that a promise forbids, or looks as if: each with a mapping that shows it and those that do not."""

from __future__ import annotations

from ...real.findings import Finding

FINDINGS = (
    Finding("S1", "G21", "slurm:qos-cap", ("slurm", "slurm:pool")),
    Finding("S2", "G14", "slurm:account-pool", ("slurm", "slurm:pool")),
    Finding("S3", "G2", "slurm:both-limits", ("slurm", "slurm:pool", "slurm:account-pool")),
    Finding("S4", "G5s", "slurm:label", ("slurm", "slurm:pool")),
    Finding("S5", "", "slurm:pool"),
    Finding("S6", "G16", "slurm:requeue-delay", ("slurm", "slurm:pool")),
    Finding("S7", "", "slurm:pool"),
    Finding("S8", "G6", "slurm:spill", ("slurm", "slurm:pool")),
    Finding("S9", "G5x", "slurm:spill", ("slurm", "slurm:pool")),
    Finding("S10", "G21", "slurm", ("slurm:pool",)),
    Finding("S11", "G21", "slurm", ("slurm:pool",)),
    Finding("S12", "G21", "slurm:preempts-once", ("slurm", "slurm:pool")),
    Finding("S13", "G9", "slurm", ("slurm:in-order",)),
    Finding("S14", "G6", "slurm", ("slurm:pool",)),
)
