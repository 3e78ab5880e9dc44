"""A queue as HTCondor is told it: a pool of machines, a group for each share and type, and what each job says of itself.

A limit is a group's quota; a share that may borrow accepts surplus; a borrow limit is a ceiling of the group's one submitter.
Machines of RESERVE shares are theirs alone. A share within its quota takes machines back from groups above theirs by
PREEMPTION_REQUIREMENTS; within a share the machine's RANK prefers the higher priority. Rules 14, 19-22, 27, 36, 39.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from ....spec import events as ev
from ....spec.formats.scenario import Scenario
from ....spec.model import QuotaShare, Strategy
from ....spec.readings import Readings
from ..real.cluster import CannotExpress, Loss
from .variants import Variant

USER = "q"
"""The submitter of every group: a ceiling is one submitter's."""
MOST = 160
"""Machines of a queue."""
_WORKLIFE = 1200
"""Seconds for which a claim takes further jobs of its submitter, as HTCondor has it by default."""
_OTHER_SHARE = ("SubmitterGroup =!= RemoteGroup && SubmitterGroupResourcesInUse + TARGET.RequestCpus <= SubmitterGroupQuota"
                " && RemoteGroupResourcesInUse > RemoteGroupQuota")  # fmt: skip
_SAME_SHARE = "TARGET.InShare && SubmitterGroup =?= RemoteGroup && TARGET.JobPrio > MY.JobPrio"
_RANK = "ifThenElse(TARGET.InShare && TARGET.Group =?= MY.Group && TARGET.JobPrio > MY.JobPrio, MY.CurrentRank + 1, 0)"


@dataclass(frozen=True)
class Part:
    """Machines that the same jobs may use. `keeper`: the RESERVE share whose they are; '' everybody else's."""

    unit: str
    keeper: str
    machines: int


@dataclass(frozen=True)
class Layout:
    """One scenario's queue in one variant."""

    scenario: Scenario
    variant: Variant

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Every kind of machine of which there are any."""
        found: list[Part] = []
        for unit, left in self.scenario.config.environment.capacity.items():
            for share in self._shares:
                if share.strategy is Strategy.RESERVE:
                    kept = min(left, share.limits.get(unit, 0))
                    found.append(Part(unit, share.name, kept))
                    left -= kept
            found.append(Part(unit, "", left))
        return tuple(part for part in found if part.machines)

    @property
    def _shares(self) -> tuple[QuotaShare, ...]:
        return self.scenario.config.shares

    @cached_property
    def _units(self) -> tuple[str, ...]:
        return self.scenario.config.units

    @property
    def slots(self) -> int:
        """Slots of the pool while it is idle."""
        return len(self.parts) if self.variant.partitionable else sum(part.machines for part in self.parts)

    def group(self, share: str, unit: str) -> str:
        index = [s.name for s in self._shares].index(share)
        return f"u{self._units.index(unit)}{'.' if self.variant.parents else '_'}s{index}"

    def _part(self, share: str, unit: str) -> int:
        """Where jobs of a share run; -1 where there are no machines for them."""
        keeper = share if self.scenario.config.share(share).strategy is Strategy.RESERVE else ""
        return next((k for k, p in enumerate(self.parts) if (p.unit, p.keeper) == (unit, keeper)), -1)

    def ceilings(self) -> Iterator[tuple[str, int]]:
        """Submitters that may not use more than a number of machines."""
        for share, unit, borrows, most in self._grants():
            if borrows and most is not None:
                yield f"{self.group(share.name, unit)}.{USER}@local", most

    def _grants(self) -> Iterator[tuple[QuotaShare, str, bool, int | None]]:
        """Share, unit, whether it borrows, and the most it may use: None where only machines bound it."""
        for share in self._shares:
            for unit in share.limits:
                grant = share.grant(unit, Readings())
                most = None if grant.borrowable is None else grant.limit + grant.borrowable
                yield share, unit, grant.borrowable != 0, most

    def configuration(self) -> str:
        """What stands in the pool's configuration for this queue."""
        return "\n".join((*self._machines(), *self._preemption(), *self._groups(), ""))

    def _machines(self) -> Iterator[str]:
        total = sum(part.machines for part in self.parts)
        yield f"NUM_CPUS = {max(1, total)}"
        yield f"MEMORY = {100 * max(1, total)}"
        for k, part in enumerate(self.parts, 1):
            cpus = part.machines if self.variant.partitionable else 1
            yield f"SLOT_TYPE_{k} = cpus={cpus},memory={100 * cpus}"
            yield f"NUM_SLOTS_TYPE_{k} = {1 if self.variant.partitionable else part.machines}"
            if self.variant.partitionable:
                yield f"SLOT_TYPE_{k}_PARTITIONABLE = True"
        yield f"Part = {self._part_of_slot()}"
        if not self.parts:
            yield "SLOT_TYPE_1 = cpus=1,memory=100"
            yield "NUM_SLOTS_TYPE_1 = 1"
        yield f"ALLOW_PSLOT_PREEMPTION = {self.variant.partitionable and self.variant.pslot_preemption}"

    def _part_of_slot(self) -> str:
        """The number of a slot's part: slots are numbered part by part."""
        expression, last = "-2", 0
        bounds: list[int] = []
        for part in self.parts:
            last += 1 if self.variant.partitionable else part.machines
            bounds.append(last)
        for k in range(len(bounds) - 1, -1, -1):
            expression = f"ifThenElse(SlotID <= {bounds[k]}, {k}, {expression})"
        return expression

    def _preemption(self) -> Iterator[str]:
        required = f"({_OTHER_SHARE})" if self.variant.ranked else f"({_OTHER_SHARE}) || ({_SAME_SHARE})"
        yield f"PREEMPTION_REQUIREMENTS = {required}"
        yield f"NEGOTIATOR_USE_SLOT_WEIGHTS = {self.variant.weighted}"
        yield f"CLAIM_WORKLIFE = {_WORKLIFE if self.variant.reused else 0}"
        yield f"RANK = {_RANK if self.variant.ranked else 0}"

    def _groups(self) -> Iterator[str]:
        grants = list(self._grants())
        names = [self.group(share.name, unit) for share, unit, _, _ in grants]
        parents = [f"u{k}" for k in range(len(self._units))] if self.variant.parents else []
        yield f"GROUP_NAMES = {', '.join((*parents, *names))}"
        for k, parent in enumerate(parents):
            yield f"GROUP_QUOTA_{parent} = {self.scenario.config.environment.capacity.get(self._units[k], 0)}"
            yield f"GROUP_ACCEPT_SURPLUS_{parent} = False"
        for name, (share, unit, borrows, _) in zip(names, grants, strict=True):
            yield f"GROUP_QUOTA_{name} = {share.limits[unit]}"
            yield f"GROUP_ACCEPT_SURPLUS_{name} = {borrows}"

    def job(self, step: ev.Submit, executable: str, pipe: str) -> str:
        """What is handed to condor_submit."""
        ((unit, n),) = step.size.items()
        share = self.scenario.config.share(step.share)
        said = {
            "universe": "vanilla", "executable": executable, "arguments": pipe, "transfer_executable": "false",
            "should_transfer_files": "no", "accounting_group": self.group(step.share, unit),
            "accounting_group_user": USER, "priority": step.priority or 0, "request_cpus": n, "request_memory": n,
            "request_disk": 1, "job_max_vacate_time": 86400, "+JobName": f'"{step.job}"',
            "+Group": f'"{self.group(step.share, unit)}"', "+Part": self._part(step.share, unit), "+InShare": share.in_share,
        }  # fmt: skip
        return "".join(f"{key} = {value}\n" for key, value in said.items()) + "queue\n"

    def check(self) -> list[Loss]:
        """What HTCondor is not told. Raises CannotExpress."""
        total = sum(part.machines for part in self.parts)
        if total > MOST:
            raise CannotExpress(f"{total} machines: a pool on one machine is kept to {MOST}")
        for share in self._shares:
            asked = {
                u for s in self.scenario.steps if isinstance(s, ev.Submit) and s.share == share.name for u in s.size
            }
            if len(asked) > 1:
                raise CannotExpress(f"{share.name} asks for {', '.join(sorted(asked))}: a group has one type, and nothing "
                                    "keeps a job of one type behind a higher priority of another")  # fmt: skip
        for share, unit, borrows, most in self._grants():
            there = self.scenario.config.environment.capacity.get(unit, 0)
            binds = borrows and most is not None and most < there
            if binds and share.in_share and not self.variant.capped_in_share:
                raise CannotExpress(f"{share.name} may use {most} of {there} {unit} and its higher priorities stop its lower "
                                    "ones: a submitter at its ceiling preempts nothing, not even its own jobs")  # fmt: skip
        losses = [
            Loss("the order of jobs of equal priority in a share", "HTCondor goes by the time of submission"),
            Loss(
                "the order in which shares are served", "HTCondor serves first the group that uses least of its quota"
            ),
        ]
        if any(share.strategy is Strategy.RESERVE for share in self._shares):
            losses.append(Loss("RESERVE as a strategy", "such a share has machines of its own, on which no other share's jobs "
                               "start, since a group's unused quota is always lent"))  # fmt: skip
        if any(True for _ in self.ceilings()):
            losses.append(
                Loss("a borrow limit as a part of the limit", "a ceiling of the share's submitter, in machines")
            )
        return losses
