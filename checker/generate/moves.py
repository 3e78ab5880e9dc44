"""What may happen next in a course of events: one function a move, which takes its draws from a record of fixed width.

`MOVES` says how often each is drawn; the first does nothing, so that a source that shrinks leaves moves out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...spec import events as ev
from ...spec.model import QuotaShare, State, Strategy
from .choices import Choices, Record, pick, record
from .configs import BORROW_LIMITS, SHARES, STRATEGIES, share
from .course import Course

Move = Callable[[Course, Record], None]
_WIDTH = 8
_MOST_STOPS = 4
_FURTHEST_BACK = 19
"""So many jobs back, at most, is the one that a move is about."""


def nothing(_course: Course, _drawn: Record) -> None:
    """Nothing happens."""


def submit(course: Course, drawn: Record) -> None:
    """A job arrives."""
    if course.now.shares:
        course.submit_any(drawn)


def submit_small(course: Course, drawn: Record) -> None:
    """A small job arrives."""
    if course.now.shares:
        course.submit_any(drawn, small=True)


def burst(course: Course, drawn: Record) -> None:
    """Two to five jobs arrive that are alike."""
    if course.now.shares:
        more = drawn.number(1, 4)
        course.submit_any(drawn, small=True)
        first = course.steps[-1]
        assert isinstance(first, ev.Submit)
        for _ in range(more):
            course.submit(first.share, first.size, first.priority, first.retries)


def rest(course: Course, _drawn: Record) -> None:
    """The scheduler acts; no victim stops."""
    course.settle(drains=False)


def settle(course: Course, _drawn: Record) -> None:
    """The scheduler acts and victims stop, until nothing moves."""
    course.settle()


def stops(course: Course, drawn: Record) -> None:
    """Some victims stop, in any order, and the scheduler acts after each or after all."""
    several, apart, jobs = drawn.number(1, _MOST_STOPS), drawn.number(0, 1), _some(course, drawn)
    for name in jobs[: several * 2]:
        course.do(ev.Stopped(name))
        if apart:
            course.settle(drains=False)


def advance(course: Course, drawn: Record) -> None:
    """Some jobs reach their next stage."""
    course.each(ev.Advance, _some(course, drawn)[: drawn.number(1, 4)])


def finish(course: Course, drawn: Record) -> None:
    """A job ends by itself."""
    failed = drawn.number(0, 5) == 5
    course.do(*(ev.Finish(name, failed) for name in _some(course, drawn)[:2]))


def give_back(course: Course, drawn: Record) -> None:
    """A SCHEDULED job is RUNNABLE again for lack of machines."""
    course.do(*(ev.Return(name) for name in _some(course, drawn)[:2]))


def priority(course: Course, drawn: Record) -> None:
    """The priority of a job changes."""
    level = drawn.number(0, 4)
    course.do(*(ev.SetPriority(name, level) for name in _some(course, drawn)[:1]))


def terminate(course: Course, drawn: Record) -> None:
    """A user terminates a job."""
    course.do(*(ev.Terminate(name) for name in _some(course, drawn)[:1]))


def administer(course: Course, drawn: Record) -> None:
    """An administrator changes something; every kind of change that can leave an excess is among them."""
    change = pick(drawn, CHANGES)
    if course.now.shares:
        change(course, pick(drawn, course.now.shares), drawn)


def undo(course: Course, drawn: Record) -> None:
    """An administrator puts everything back, or one share."""
    if drawn.number(0, 1):
        course.undo()
    else:
        course.restore(pick(drawn, course.config.shares))


Change = Callable[[Course, QuotaShare, Record], None]


def lower_limits(course: Course, share: QuotaShare, drawn: Record) -> None:
    """A share's limits are lowered."""
    by = drawn.number(1, 3)
    course.limits(share, {u: max(1, n - by) for u, n in share.limits.items()})


def raise_limits(course: Course, share: QuotaShare, drawn: Record) -> None:
    """A share's limits are raised, perhaps beyond the environment."""
    by = drawn.number(1, 3)
    course.limits(share, {u: n + by for u, n in share.limits.items()})


def reserve(course: Course, share: QuotaShare, _drawn: Record) -> None:
    """A share lends no more, whatever of it is lent."""
    course.sharing(share, Strategy.RESERVE)


def cut_loan(course: Course, share: QuotaShare, drawn: Record) -> None:
    """A share may borrow less, or no more."""
    limit = pick(drawn, (0, 33, 50, None))
    course.sharing(share, Strategy.LEND if limit is None else Strategy.LEND_AND_BORROW, limit)


def other_sharing(course: Course, share: QuotaShare, drawn: Record) -> None:
    """A share has any other strategy."""
    course.sharing(share, pick(drawn, STRATEGIES), pick(drawn, BORROW_LIMITS))


def lower_capacity(course: Course, _share: QuotaShare, drawn: Record) -> None:
    """The environment has less."""
    by = drawn.number(1, 3)
    course.capacity({u: max(0, n - by) for u, n in course.now.environment.capacity.items()})


def raise_capacity(course: Course, _share: QuotaShare, drawn: Record) -> None:
    """The environment has more."""
    by = drawn.number(1, 3)
    course.capacity({u: n + by for u, n in course.now.environment.capacity.items()})


def switch_in_share(course: Course, share: QuotaShare, _drawn: Record) -> None:
    """In-share preemption is switched on or off."""
    course.in_share(share, not share.in_share)


def switch_share(course: Course, share: QuotaShare, _drawn: Record) -> None:
    """A share is disabled or enabled."""
    course.enable(share, share.state is State.DISABLED)


def delete(course: Course, share: QuotaShare, _drawn: Record) -> None:
    """A share is deleted, whatever runs in it; the last one stays."""
    if len(course.now.shares) > 1:
        course.delete(share)


def create(course: Course, _share: QuotaShare, drawn: Record) -> None:
    """A share is created: one that was deleted, or another, perhaps beyond the environment."""
    if course.deleted:
        course.create(pick(drawn, tuple(course.deleted.values())))
    elif len(course.now.shares) < len(SHARES):
        taken = {s.name for s in course.now.shares}
        name = next(n for n in SHARES if n not in taken)
        course.create(share(drawn, name, course.now.units))


def switch_environment(course: Course, _share: QuotaShare, _drawn: Record) -> None:
    """The environment is disabled or enabled."""
    course.environment(not course.environment_enabled)


def switch_queue(course: Course, _share: QuotaShare, _drawn: Record) -> None:
    """The queue is disabled or enabled."""
    course.queue(not course.queue_enabled)


CHANGES: tuple[Change, ...] = (
    lower_limits, lower_limits, raise_limits, reserve, cut_loan, other_sharing, lower_capacity, lower_capacity,
    raise_capacity, switch_in_share, switch_share, switch_share, delete, create, switch_environment, switch_queue,
)  # fmt: skip

MOVES: tuple[Move, ...] = (
    nothing,
    *(submit,) * 9, *(submit_small,) * 6, *(burst,) * 4, *(rest,) * 10, *(settle,) * 4, *(stops,) * 6, *(finish,) * 7,
    *(advance,) * 2, *(priority,) * 3, give_back, terminate, *(administer,) * 4, *(undo,) * 2,
)  # fmt: skip


def move(choose: Choices, course: Course, moves: Sequence[Move] = MOVES) -> None:
    """One move more, or none."""
    drawn = record(choose, 1 + _WIDTH)
    pick(drawn, moves)(course, drawn)


def _some(course: Course, drawn: Record) -> list[str]:
    """Jobs from one of the last on, round to the first."""
    if not course.jobs:
        return []
    start = drawn.number(0, _FURTHEST_BACK) % len(course.jobs)
    backwards = course.jobs[::-1]
    return backwards[start:] + backwards[:start]
