"""The life of a job: its stages, the moves between them (rule 29, G10), and what a preemption does to it (G11).

Stages are numbers in expressions, in the order of `Stage`. DRAINING is a victim that was told to stop and still holds
its machines (rule 46).
"""

from __future__ import annotations

from ..expr.nodes import Bool, Int, all_of, any_of, ite
from ..model import DISPATCHED, HOLDING, NEXT, Stage
from .view import View

STAGES = tuple(Stage)
LIVE = (Stage.SUBMITTED, Stage.RUNNABLE, *HOLDING)

MOVES: frozenset[tuple[Stage, Stage]] = frozenset(
    [
        (Stage.SUBMITTED, Stage.RUNNABLE),
        (Stage.RUNNABLE, Stage.SCHEDULED),
        *NEXT.items(),
        *((stage, Stage.SUCCEEDED) for stage in HOLDING),
        *((stage, Stage.FAILED) for stage in LIVE),
        *((stage, Stage.RUNNABLE) for stage in DISPATCHED),
        *((stage, Stage.DRAINING) for stage in DISPATCHED),
        (Stage.DRAINING, Stage.RUNNABLE),
    ]
)
"""Legal moves. A dispatched job is RUNNABLE again when machines are lacking (rule 18) or its retries allow (rule 55)."""


def code(stage: Stage) -> int:
    """The number that stands for a stage."""
    return STAGES.index(stage)


def stage(view: View, job: str) -> Int:
    """The stage of the step's job or victim."""
    return view.number("stage", job)


def is_in(view: View, job: str, *stages: Stage) -> Bool:
    """Whether the job is in one of these stages."""
    return any_of(*[stage(view, job) == code(s) for s in stages])


def legal_move(before: View, after: View, job: str) -> Bool:
    """Whether the step moves the job as rule 29 allows, or not at all."""
    old, new = stage(before, job), stage(after, job)
    pairs = [all_of(old == code(a), new == code(b)) for a, b in sorted(MOVES)]
    return any_of(old == new, *pairs)


def after_preemption(view: View, job: str) -> tuple[Int, Int]:
    """Preemption count and stage of a victim that has stopped: FAILED on preemption N+1 (rule 43)."""
    count = view.number("preemptions", job) + ite(counts(view, job), 1, 0)
    again = any_of(view.fact("retries_unset", job), count <= view.number("retries", job))
    return count, ite(again, code(Stage.RUNNABLE), code(Stage.FAILED))


def counts(view: View, job: str) -> Bool:
    """Whether this stop counts as a preemption: with A38 no, a job that had only been SCHEDULED does not."""
    return any_of(view.reading("A38", "yes"), ~view.fact("was_scheduled", job))
