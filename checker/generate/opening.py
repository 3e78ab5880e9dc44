"""What adversaries begin and end with: queues whose limits fill the environment, jobs that fill a queue, stray moves."""

from __future__ import annotations

from collections.abc import Callable

from ...spec.formats.scenario import Scenario
from ...spec.model import QuotaShare, Strategy
from ...spec.readings import Readings
from .choices import Choices, pick
from .configs import queue_of, share_of, totals
from .course import Course
from .moves import move

UNIT = "u"
LEND, BORROW = Strategy.LEND, Strategy.LEND_AND_BORROW
_STRAY = 12
"""Moves without aim that may come at the end."""


def opened(readings: Readings, *shares: QuotaShare, beyond: int = 0) -> Course:
    """A queue whose limits fill the environment exactly, or that has so many machines beyond them."""
    return Course(queue_of({u: n + beyond for u, n in totals(shares).items()}, shares), readings)


def borrower(name: str, limit: int = 1, borrow_limit: int | None = None, *, in_share: bool = False) -> QuotaShare:
    """A share that borrows, without maximum unless one is given."""
    return share_of(name, {UNIT: limit}, BORROW, borrow_limit, in_share=in_share)


def strategy(drawn: Choices) -> Strategy:
    """A share that lends, and perhaps borrows too."""
    return pick(drawn, (LEND, BORROW))


def turned(names: list[str], drawn: Choices) -> list[str]:
    """The names from any of them on, round, forwards or backwards."""
    start = drawn.number(0, len(names) - 1) if names else 0
    found = names[start:] + names[:start]
    return found[::-1] if drawn.number(0, 1) else found


def mixed(course: Course, share: str, drawn: Choices) -> list[str]:
    """Jobs of one, two or three machines in a share that fill the environment, and one more."""
    left, names = course.now.environment.capacity[UNIT], list[str]()
    pattern = pick(drawn, ((1,), (2, 1), (1, 2), (3, 1), (2,)))
    while left > 0:
        size = pattern[len(names) % len(pattern)]
        names.append(course.submit(share, {UNIT: size}, len(names) % 2))
        left -= size
    return names


def ended(choose: Choices, course: Course, adversary: Callable[[Choices, Readings], Scenario]) -> Scenario:
    """A few moves without aim more, then all settles; it is called after the adversary."""
    for _ in range(choose.number(0, _STRAY)):
        move(choose, course)
    about = (adversary.__doc__ or "").splitlines()[0]
    return course.scenario(adversary.__name__.replace("_", "-"), about)
