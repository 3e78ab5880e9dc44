"""What Slurm does that a promise forbids, or looks as if: a scenario each, with a mapping that shows it and one that does not.

The pages in docs/findings say what happens; `quotaproof replay SCENARIO --backend slurm:MAPPING` shows it. Trusted: nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from .....spec.formats import json_text
from .....spec.formats.scenario import Scenario
from .....spec.formats.scenario_text import read


@dataclass(frozen=True)
class Finding:
    """One behaviour. `code`: the guarantee that is broken, '' where it is legal."""

    name: str
    code: str
    shown_by: str
    """The backend that shows it."""
    avoided_by: tuple[str, ...] = ()
    """Backends that keep every promise in the same scenario."""

    @property
    def file(self) -> str:
        return f"slurm-{self.name.lower()}.json"

    def scenario(self) -> Scenario:
        return read(json_text.parse(self.file, files(__name__).joinpath(self.file).read_text(encoding="utf-8")))


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
