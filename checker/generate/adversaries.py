"""Adversaries by name: people and platforms that try to get more than their share, or to make a scheduler lose its way.

Each builds a queue and a course of events around one idea and draws the rest: numbers, sizes, orders. What it tries to
break stands in its docstring. `ADVERSARIES` has them by name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from ...spec import events as ev
from ...spec.formats.scenario import Scenario
from ...spec.readings import Readings
from .choices import Choices, pick, record
from .configs import SHARES, UNITS, share_of
from .configs import config as any_config
from .course import Course
from .moves import cut_loan, lower_capacity, lower_limits, raise_limits, reserve
from .opening import BORROW as _BORROW
from .opening import LEND as _LEND
from .opening import UNIT as _UNIT
from .opening import borrower as _borrower
from .opening import ended
from .opening import mixed as _mixed
from .opening import opened as _course
from .opening import strategy as _strategy
from .opening import turned as _turned
from .overlooked import (
    abandoned_claims,
    changed_before_anybody_acts,
    stopped_again,
    units_apart,
    victims_in_every_stage,
)
from .stretched import stretched
from .within import within

_DEFAULTS = Readings()

Adversary = Callable[[Choices, Readings], Scenario]


def churning_co_lender(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """A third share's short jobs come and go while a lender waits for several victims, one at a time.

    Breaks a scheduler that does not keep freed machines for the lender's gang (A23): it waits for ever.
    """
    drawn = record(choose, 6)
    own, other = drawn.number(2, 4), drawn.number(1, 2)
    course = _course(readings, share_of("a", {_UNIT: own}), _borrower("b"), _borrower("c", other))
    victims = course.fill("b", _UNIT)
    course.settle(drains=False)
    course.submit("a", {_UNIT: own}, 0)
    course.settle(drains=False)
    churner = course.submit("c", {_UNIT: drawn.number(1, 2)}, drawn.number(0, 3))
    for name in _turned(victims, drawn):
        course.do(ev.Stopped(name))
        course.settle(drains=False)
        course.do(ev.Finish(churner))
        churner = course.submit("c", {_UNIT: drawn.number(1, 2)})
    return ended(choose, course, churning_co_lender)


def desynchronised_stops(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """Victims of several claims stop in any order, one by one, and everybody acts in between.

    Breaks a scheduler that gives the machines of one claim's victims to another claim, or to the victims themselves.
    """
    drawn = record(choose, 9)
    first, second = drawn.number(1, 3), drawn.number(1, 3)
    shares = (share_of("a", {_UNIT: first}), share_of("b", {_UNIT: second}, _strategy(drawn)), _borrower("c"))
    course = _course(readings, *shares, beyond=drawn.number(0, 1))
    victims = _mixed(course, "c", drawn)
    course.settle(drains=False)
    for name in _turned(["a", "b"], drawn):
        course.submit(name, {_UNIT: drawn.number(1, 2)}, 0)
        course.submit(name, {_UNIT: 1}, 0)
        course.settle(drains=False)
    for name in _turned(victims, drawn):
        course.do(ev.Stopped(name))
        if drawn.number(0, 2):
            course.settle(drains=False)
    return ended(choose, course, desynchronised_stops)


def gang_reclaim(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """A job that needs all its machines at once wants them back from borrowers whose sizes do not divide them.

    Breaks plans that take too many or too few, that count one unit for another, or that take part of the machines.
    """
    drawn = record(choose, 15)
    units = UNITS[: pick(drawn, (1, 2, 1, 2, 1, 2, 1, 3, 4, 5))]
    borrowers = SHARES[1 : 1 + pick(drawn, (1, 2, 1, 2, 3, 4))]
    own = {u: drawn.number(max(2, len(borrowers)), 5) for u in units}
    shares = [share_of("a", own)]
    for name in borrowers:
        shares.append(share_of(name, dict.fromkeys(units, 1), _BORROW, pick(drawn, (None, 200, 300, 100))))
    course = _course(readings, *shares)
    for number in range(drawn.number(2, 6) + 2 * max(0, len(borrowers) - 2)):
        borrower = borrowers[number % len(borrowers)]
        more = record(choose, 1 + 2 * len(units))
        size = {u: more.number(1, 3) for u in units if u == _UNIT or more.number(0, 1)}
        course.submit(borrower, size, more.number(0, 2))
    course.settle(drains=False)
    course.submit("a", {u: max(1, n - drawn.number(0, 1)) for u, n in own.items()}, 0)
    course.settle(drains=False)
    return ended(choose, course, gang_reclaim)


def job_above_own_limit(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """The first in line needs a loan beside all that its share has; behind it wait jobs that fit, and lenders return.

    Breaks a scheduler that reclaims for a job that is not entitled, that lets the later overtake, or that takes a job of
    4 on limit 3 for one that lies within the limit.
    """
    drawn = record(choose, 9)
    limit, lent = drawn.number(1, 3), drawn.number(1, 3)
    borrower = share_of(
        "b", {_UNIT: limit}, _BORROW, pick(drawn, (None, 100, 50, 200)), in_share=drawn.number(0, 1) == 1
    )
    course = _course(readings, share_of("a", {_UNIT: lent}), borrower)
    if drawn.number(0, 1):
        course.submit("a", {_UNIT: drawn.number(1, lent)})
    course.submit("b", {_UNIT: limit + drawn.number(0, 3)}, drawn.number(0, 2))
    course.submit("b", {_UNIT: 1}, drawn.number(0, 2))
    course.settle(drains=False)
    course.submit("a", {_UNIT: drawn.number(1, 3)})
    course.submit("b", {_UNIT: limit}, drawn.number(0, 2))
    course.settle(drains=False)
    return ended(choose, course, job_above_own_limit)


def limit_cuts_while_lending(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """Limits, loans or the environment are cut while machines are lent, own jobs arrive, and all is put back.

    Breaks a scheduler that starts jobs on top of an excess, that stops jobs nobody is owed anything for, or that forgets
    what it lent.
    """
    drawn = record(choose, 9)
    own, second = drawn.number(1, 4), drawn.number(1, 2)
    shares = (
        share_of("a", {_UNIT: own}),
        _borrower("b", second, pick(drawn, (None, 100, 300))),
        share_of("c", {_UNIT: 1}),
    )
    course = _course(readings, *shares)
    _mixed(course, "b", drawn)
    course.settle(drains=False)
    for _ in range(drawn.number(1, 3)):
        cut = record(choose, 4)
        change = pick(cut, (lower_limits, reserve, cut_loan, lower_capacity, raise_limits))
        change(course, pick(cut, course.now.shares), cut)
        if cut.number(0, 1):
            course.settle(drains=False)
    course.submit("a", {_UNIT: drawn.number(1, 3)})
    course.submit(pick(drawn, ("c", "b")), {_UNIT: 1})
    course.settle(drains=drawn.number(0, 1) == 1)
    course.undo()
    return ended(choose, course, limit_cuts_while_lending)


def priority_inflation(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """Users raise the priorities of their waiting jobs, over and over, and lower those of others that run.

    Breaks a scheduler in which priority wins over entitlement, that preempts among equals, or that goes round.
    """
    drawn = record(choose, 8)
    shares = [share_of("a", {_UNIT: drawn.number(1, 2)}, _LEND, in_share=drawn.number(0, 1) == 1)]
    shares.append(share_of("b", {_UNIT: drawn.number(1, 2)}, _BORROW, in_share=drawn.number(0, 2) > 0))
    course = _course(readings, *shares)
    for _ in range(drawn.number(2, 5)):
        arrives = record(choose, 3)
        name = pick(arrives, ("b", "b", "a"))
        course.submit(name, {_UNIT: arrives.number(1, 2)}, arrives.number(0, 2))
    course.settle(drains=False)
    for level in range(drawn.number(1, 5)):
        raised = record(choose, 4)
        course.do(ev.SetPriority(pick(raised, course.jobs), 3 + level))
        if raised.number(0, 2) == 2:
            course.do(ev.SetPriority(pick(raised, course.jobs), 0))
        course.settle(drains=raised.number(0, 1) == 1)
    return ended(choose, course, priority_inflation)


def job_splitting(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """One share asks for its machines in many small jobs, another for the same in one, and small ones keep coming.

    Breaks a scheduler under which the small always find room and the large, though entitled, wait for ever.
    """
    drawn = record(choose, 7)
    own, other = pick(drawn, (2, 3, 4, 2, 3, 8)), drawn.number(1, 3)
    course = _course(readings, share_of("a", {_UNIT: own}, _strategy(drawn)), _borrower("b", other))
    small = course.fill("b", _UNIT)
    course.settle(drains=False)
    course.submit("a", {_UNIT: own})
    for name in _turned(small, drawn)[: drawn.number(1, 6)]:
        course.submit("b", {_UNIT: 1}, drawn.number(0, 1))
        course.do(pick(record(choose, 1), (ev.Finish, ev.Stopped))(name))
        course.settle(drains=False)
    return ended(choose, course, job_splitting)


def boundary_sizes(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """Jobs as large as a limit, a limit and its loan, the pool or the environment, and one larger each.

    Breaks a scheduler that is off by one, that rounds percentages otherwise, or that reads -1, 0 and absent alike.
    """
    course = Course(any_config(choose, most_shares=4, most_units=2, disabled=False), readings)
    for _ in range(choose.number(1, 8)):
        drawn = record(choose, 9)
        course.submit_any(drawn)
        course.settle(drains=drawn.number(0, 1) == 1)
        if drawn.number(0, 1):
            course.do(ev.Finish(pick(drawn, course.jobs)))
    return ended(choose, course, boundary_sizes)


def ties(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """Everything is equal: shares, sizes, priorities; jobs return, are preempted and come again.

    Breaks a scheduler whose order among equals changes between two looks, so that it preempts and readmits for ever.
    """
    drawn = record(choose, 7)
    size, limit, many = drawn.number(1, 2), drawn.number(1, 3), drawn.number(2, 4)
    in_share = drawn.number(0, 1) == 1
    shares = [share_of(n, {_UNIT: limit}, _BORROW, in_share=in_share) for n in ("a", "b", "c", "d")[:many]]
    course = _course(readings, *shares)
    for _ in range(drawn.number(1, 4)):
        for share in _turned([s.name for s in shares], record(choose, 1)):
            course.submit(share, {_UNIT: size}, 0)
        course.settle(drains=False)
        again = record(choose, 3)
        course.do(pick(again, (ev.Finish, ev.Stopped, ev.Return))(pick(again, course.jobs)))
        course.settle(drains=again.number(0, 1) == 1)
    return ended(choose, course, ties)


def retry_exhaustion(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """Borrowers that may be preempted never, once or twice are reclaimed from, again and again.

    Breaks a scheduler that miscounts: it requeues a job that is spent, fails one that is not, or counts a return.
    """
    drawn = record(choose, 8)
    own = drawn.number(1, 2)
    course = _course(readings, share_of("a", {_UNIT: own}), _borrower("b", 1, in_share=drawn.number(0, 1) == 1))
    borrowers = [course.submit("b", {_UNIT: 1}, drawn.number(0, 1), pick(drawn, (0, 1, 2))) for _ in range(own + 1)]
    course.settle()
    for _ in range(drawn.number(1, 4)):
        if drawn.number(0, 1):
            course.do(ev.Return(pick(drawn, borrowers)))
            course.settle()
        owner = course.submit("a", {_UNIT: drawn.number(1, own)})
        course.settle()
        course.do(ev.Finish(owner))
        course.settle()
    return ended(choose, course, retry_exhaustion)


def share_deletion_under_load(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """A share that lends, borrows, claims or drains is deleted, perhaps created again, and jobs go on arriving.

    Breaks a scheduler that loses machines or claims with the share, that starts jobs of one that is gone, or that has
    nothing taken back from it or for it.
    """
    drawn = record(choose, 15)
    shares = (share_of("a", {_UNIT: drawn.number(1, 3)}), _borrower("b", drawn.number(1, 2)), _borrower("c"))
    course = _course(readings, *shares)
    _mixed(course, "b", drawn)
    course.submit("c", {_UNIT: drawn.number(1, 2)}, 0)
    course.settle(drains=False)
    if drawn.number(0, 1):
        course.submit("a", {_UNIT: 1})
        course.settle(drains=False)
    course.delete(pick(drawn, (*shares, shares[1])))
    course.settle(drains=drawn.number(0, 1) == 1)
    for name in _turned([s.name for s in course.now.shares], drawn):
        course.submit(name, {_UNIT: drawn.number(1, 2)})
        course.settle(drains=False)
    if drawn.number(0, 1):
        course.settle()
        course.undo()
        course.submit(pick(drawn, shares).name, {_UNIT: drawn.number(1, 2)})
    return ended(choose, course, share_deletion_under_load)


ADVERSARIES: Mapping[str, Adversary] = {
    "churning-co-lender": churning_co_lender,
    "desynchronised-stops": desynchronised_stops,
    "gang-reclaim": gang_reclaim,
    "job-above-own-limit": job_above_own_limit,
    "limit-cuts-while-lending": limit_cuts_while_lending,
    "priority-inflation": priority_inflation,
    "job-splitting": job_splitting,
    "boundary-sizes": boundary_sizes,
    "ties": ties,
    "retry-exhaustion": retry_exhaustion,
    "share-deletion-under-load": share_deletion_under_load,
    "abandoned-claims": abandoned_claims,
    "victims-in-every-stage": victims_in_every_stage,
    "units-apart": units_apart,
    "stopped-again": stopped_again,
    "changed-before-anybody-acts": changed_before_anybody_acts,
}


def adversarial(
    choose: Choices,
    *,
    names: Collection[str] = tuple(ADVERSARIES),
    features: Collection[str] | None = None,
    readings: Readings = _DEFAULTS,
) -> Scenario:
    """A scenario of one of the adversaries `names`, within what the scheduler can do (None: everything)."""
    name = pick(record(choose, 1), [n for n in ADVERSARIES if n in names])
    return within(stretched(choose, ADVERSARIES[name](choose, readings)), features)
