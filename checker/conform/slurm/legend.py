"""What the names in a cluster's configuration stand for, for an administrator who reads it: at the head of slurm.conf, and in
README of a folder that is kept. Trusted: the layouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....spec import events as ev
from .layout import GHOST, ROUNDS, Layout

_ABOUT = f"""What the names in slurm.conf stand for.

quotaproof wrote it; it is Slurm's for the scenarios that were played last. Each scenario has a lane: nodes, partitions and
jobs of its own, all of whose names begin alike. No lane uses anything of another, so that what is yours
is what stands under your share. `squeue` and the log of slurmctld have the jobs by the names that stand there.

{GHOST:7} a node that is down for ever. A job larger than every node waits for it; else Slurm would refuse the job.
{ROUNDS:7} a partition with one job that waits for ever, so that the scheduler goes its rounds where nobody else waits.
"""
_FILES = """
slurm.conf, gres.conf   the configuration
slurmctld.log           what Slurm did, in its order; quotaproof reads its trace from it
job.sh                  what every job runs: it goes on until its pipe in jobs/ says with which code it ends
spool/                  a folder and a log of each node

Nothing of it runs any more when quotaproof has ended. Remove the folder when you have seen it; nobody else does.
"""


def readme(layouts: Sequence[Layout]) -> str:
    """For the folder."""
    return "\n".join([_ABOUT, *_lanes(layouts)]) + "\n" + _FILES


def header(layouts: Sequence[Layout]) -> Iterator[str]:
    """For slurm.conf: comments."""
    for line in [*_ABOUT.splitlines(), "", *_lanes(layouts)]:
        yield f"# {line}".rstrip()


def _lanes(layouts: Sequence[Layout]) -> Iterator[str]:
    for k, unit in enumerate(layouts[0].units):
        yield f"GRES u{k}: {_line(unit)}"
    for layout in layouts:
        yield ""
        yield f"lane {layout.lane}: scenario {_line(layout.scenario.name)}"
        for share in layout.shares:
            yield f"  share {_line(share.name)} ({share.strategy.value})"
            yield from (f"    {what:13} {name}" for what, name in layout.stands_for(share))
            jobs = [s.job for s in layout.scenario.steps if isinstance(s, ev.Submit) and s.share == share.name]
            yield f"    {'jobs':13} {', '.join(map(_line, jobs)) or 'none'}"


def _line(text: str) -> str:
    """On one line, which does not go on in the next as Slurm reads it."""
    return " ".join(text.split()).rstrip("\\")
