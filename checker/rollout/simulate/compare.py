"""One workload in several queues and under several policies, on the jobs that all of them can run: the events of `simulate`.

Trusted: `policies` and `runs` for what happens, `measure` for what is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ....spec.formats.errors import InputError
from ....spec.model import QueueConfig
from ....spec.workload import Work, Workload
from ...measured import HOUR
from ...simulated import Column, LeftOut, Simulated, Simulating
from .measure import Measured, Window, measure
from .policies import POLICIES, Moment, Settings, Setup
from .runs import common, prepare
from .worth import dearer, enlarged, worth

EXAMPLES = 3
LENDS, STATIC = "lend-borrow", "static"
Watch = Callable[[Iterator[Moment], str], Iterator[Moment]]
"""Passes the moments of a run on and may show how far it is."""


def unwatched(moments: Iterator[Moment], _doing: str) -> Iterator[Moment]:
    """Nothing is shown."""
    return moments


@dataclass(frozen=True)
class Asked:
    """What is to be compared. Times are milliseconds of the workload."""

    workload: Workload
    name: str
    """Of the workload."""
    queues: Mapping[str, QueueConfig]
    """By the name of their file."""
    policies: tuple[str, ...]
    settings: Settings = field(default_factory=Settings)
    since: int | None = None
    until: int | None = None
    told: Mapping[str, str] = field(default_factory=dict[str, str])
    """Settings in words."""
    warnings: tuple[str, ...] = ()
    draws: bool = False
    """Whether each column has its timeline."""

    def column(self, queue: str, policy: str) -> str:
        """What a column is called: by what tells it from the others."""
        if len(self.queues) == 1:
            return policy
        return queue if len(self.policies) == 1 else f"{queue} {policy}"

    @property
    def window(self) -> Window:
        """The time that counts: from the first arrival to the last, unless the user says otherwise. Raises InputError."""
        work = self.workload.work
        first, last = min(w.at for w in work), max(w.at for w in work)
        until = max(last, first + max(w.runs for w in work)) if first == last else last
        window = Window(first if self.since is None else self.since, until + 1 if self.until is None else self.until)
        if not any(window.start <= w.at < window.end for w in work):
            raise InputError(
                "no job arrives in the time that counts",
                where="--since, --until",
                why=f"Jobs arrive from {first / 1000:,.0f} s to {last / 1000:,.0f} s of the workload.",
                fix="name a time in which some do, or leave both out.",
            )
        return window


def simulate(asked: Asked, watch: Watch = unwatched) -> Iterator[Simulated]:
    """Run and measure every column. Raises InputError where no job can run in all of them."""
    queues = list(asked.queues.values())
    workload, left = common(queues, asked.workload, asked.policies, asked.settings)
    if not workload.work:
        whys = list(dict.fromkeys(why.rstrip(".") for found in left.values() for why in found.values()))
        raise InputError(
            "there is no job that every column can run",
            where=asked.name,
            why=f"Columns are compared on the same jobs. {'; '.join(whys[:EXAMPLES]) or 'There is none at all'}.",
            fix="leave a policy out with --policy, or give queues with the shares and sizes of these jobs.",
        )
    window = asked.window
    yield _began(asked, workload, window)
    columns = [(file, config, policy) for file, config in asked.queues.items() for policy in asked.policies]
    shares = {w.submit.job: w.submit.share for w in asked.workload.work}
    for (index, policy), found in left.items():
        yield from _left_out(asked.column(list(asked.queues)[index], policy), found, shares)
    measured: dict[tuple[str, str], Measured] = {}
    for file, config, policy in columns:
        name = asked.column(file, policy)
        setup = prepare(config, workload, policy, asked.settings)
        found = _measured(name, setup, config, workload, window, watch, draws=asked.draws)
        measured[file, policy] = found
        yield _column(name, policy, setup, config)
        yield from found.units
        yield from found.runs
        yield from found.curves
        yield from found.usages
        if found.timeline is not None:
            yield found.timeline
    for file, config in asked.queues.items():
        if {LENDS, STATIC} <= set(asked.policies):
            yield from _lending(asked, file, config, workload, window, measured, watch)


def _began(asked: Asked, workload: Workload, window: Window) -> Simulating:
    def counted(work: Sequence[Work]) -> tuple[int, float]:
        found = [w.runs * sum(w.submit.size.values()) for w in work if window.start <= w.at < window.end]
        return len(found), sum(found) / HOUR

    (jobs, hours), (compared, some) = counted(asked.workload.work), counted(workload.work)

    return Simulating(
        asked.name,
        window.start / 1000,
        window.end / 1000,
        jobs=jobs,
        compared=compared,
        hours=hours,
        hours_compared=some,
        shares=tuple(dict.fromkeys(share.name for config in asked.queues.values() for share in config.shares)),
        settings=asked.told,
        notes=asked.workload.notes,
        warnings=asked.warnings,
        files=tuple(asked.queues),
    )


def _column(name: str, policy: str, setup: Setup, config: QueueConfig) -> Column:
    own = {} if setup.pooled else {s.name: dict(s.limits) for s in setup.config.shares}
    capacity = dict(setup.config.environment.capacity)
    return Column(name, policy, POLICIES[policy].sentence, config.job_queue_name, capacity, own, setup.notes)


def _left_out(column: str, left: Mapping[str, str], shares: Mapping[str, str]) -> Iterator[LeftOut]:
    groups: dict[tuple[str, str], list[str]] = {}
    for job, why in left.items():
        groups.setdefault((shares[job], why), []).append(job)
    for (share, why), jobs in groups.items():
        yield LeftOut(column, share, why, len(jobs), tuple(jobs[:EXAMPLES]))


def _measured(
    name: str,
    setup: Setup,
    config: QueueConfig,
    workload: Workload,
    window: Window,
    watch: Watch,
    *,
    draws: bool = False,
) -> Measured:
    """What a run gave the shares that the workload names, which are not the queue's where a policy pools them."""
    saves = {w.submit.job: w.checkpoints for w in setup.work}
    if setup.tells:  # what saving cost there nobody recorded
        saves = {job: replace(found, save=0, restart=0) for job, found in saves.items()}
    work = [replace(w, checkpoints=saves[w.submit.job]) for w in workload.work]
    alike, readings = not setup.pooled, setup.settings.readings
    owned = setup.config if alike else config
    moments = watch(setup.moments(), name)
    return measure(name, moments, work, owned, readings, window, keeps=alike, claims=not setup.tells, draws=draws)


def _lending(
    asked: Asked,
    file: str,
    config: QueueConfig,
    workload: Workload,
    window: Window,
    measured: Mapping[tuple[str, str], Measured],
    watch: Watch,
) -> Iterator[Simulated]:
    """What lending is worth in one queue."""
    column, against = asked.column(file, LENDS), asked.column(file, STATIC)
    lends, alone = measured[file, LENDS], measured[file, STATIC]

    def run(more: int) -> float | None:
        setup = prepare(enlarged(config, more), workload, STATIC, asked.settings)
        found = _measured(f"{against} + {more}", setup, config, workload, window, watch).all
        return found.waits.mean if found.waits.times == found.jobs else None

    found = worth(column, against, lends, alone, config, run)
    if found is not None:
        yield found
    yield from dearer(column, against, lends, alone, workload.work)
