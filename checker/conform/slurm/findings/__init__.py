"""What Slurm does that a promise forbids, or looks as if: each with a mapping that shows it and those that do not."""

from __future__ import annotations

from ...real.findings import Finding

FINDINGS = (
    Finding(
        "S1",
        "a limit that is a QOS limit makes no room for a higher priority",
        "G21",
        "slurm:qos-cap",
        ("slurm", "slurm:pool"),
    ),
    Finding(
        "S2",
        "a lender gets nothing back where the pool is a limit of an account",
        "G14",
        "slurm:account-pool",
        ("slurm", "slurm:pool"),
    ),
    Finding(
        "S3",
        "a limit of a QOS takes the place of the account's limit",
        "G2",
        "slurm:both-limits",
        ("slurm", "slurm:pool", "slurm:account-pool"),
    ),
    Finding("S4", "a share preempts a loan that is a loan no more", "G5s", "slurm:label", ("slurm", "slurm:pool")),
    Finding("S5", "the fewest victims, not the smallest", "", "slurm:pool"),
    Finding(
        "S6",
        "a preempted job does not start again for two minutes",
        "G16",
        "slurm:requeue-delay",
        ("slurm", "slurm:pool"),
    ),
    Finding("S7", "what a large job leaves over is lent while it waits", "", "slurm:pool"),
    Finding(
        "S8",
        "a job that is sent to two partitions preempts in one and starts in the other",
        "G6",
        "slurm:spill",
        ("slurm", "slurm:pool"),
    ),
    Finding(
        "S9",
        "an owner's job that started elsewhere is taken back as a loan",
        "G5x",
        "slurm:spill",
        ("slurm", "slurm:pool"),
    ),
    Finding(
        "S10", "licences make no room for a higher priority, unless they are told to", "G21", "slurm", ("slurm:pool",)
    ),
    Finding("S11", "a share's own job does not take the place of its loan", "G21", "slurm", ("slurm:pool",)),
    Finding(
        "S12",
        "a job that has preempted preempts nobody more for a while",
        "G21",
        "slurm:preempts-once",
        ("slurm", "slurm:pool"),
    ),
    Finding("S13", "a small low priority starts while a large high one waits", "G9", "slurm", ("slurm:in-order",)),
    Finding(
        "S14",
        "a job that a lender's idle machine would do for stops a lower one of its own share",
        "G6",
        "slurm",
        ("slurm:pool",),
    ),
)
