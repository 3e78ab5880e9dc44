"""Adversaries that play on what is easily overlooked: claims that end, stages of jobs, units beside the one in question."""

from __future__ import annotations

from ...spec import events as ev
from ...spec.formats.scenario import Scenario
from ...spec.readings import Readings
from .choices import Choices, pick, record
from .configs import share_of
from .opening import BORROW, UNIT, borrower, ended, mixed, opened, strategy, turned

_DEFAULTS = Readings()


def abandoned_claims(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """Two owners claim; one of their jobs is terminated or outranked while victims still drain, and others come.

    Breaks a scheduler under which a claim outlives its reason, or the drains of one that has ended serve another.
    """
    drawn = record(choose, 10)
    first, second = drawn.number(1, 3), drawn.number(1, 2)
    course = opened(readings, share_of("a", {UNIT: first}), share_of("c", {UNIT: second}), borrower("b"))
    victims = mixed(course, "b", drawn)
    course.settle(drains=False)
    claimants = [course.submit("a", {UNIT: first}), course.submit("c", {UNIT: drawn.number(1, second)})]
    course.settle(drains=False)
    order = turned(victims, drawn)
    course.do(ev.Stopped(order[0]))
    given_up = pick(drawn, claimants[::-1])
    if drawn.number(0, 2):
        course.do(ev.Terminate(given_up))
    else:
        course.submit(given_up[0], {UNIT: 1}, 1)
    course.submit(pick(drawn, ("c", "a", "b")), {UNIT: 1})
    course.settle(drains=False)
    for name in order[1:]:
        course.do(ev.Stopped(name))
        course.settle(drains=False)
    return ended(choose, course, abandoned_claims)


def victims_in_every_stage(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """The jobs that borrow are SCHEDULED, STARTING or RUNNING when the owner comes back, or when one of them is returned.

    Breaks a scheduler that spares jobs for their stage, or that takes a stage for another (rule 35).
    """
    drawn = record(choose, 8)
    own = drawn.number(1, 3)
    shares = (share_of("a", {UNIT: own}), borrower("b", drawn.number(1, 2), in_share=drawn.number(0, 1) == 1))
    course = opened(readings, *shares)
    victims = mixed(course, "b", drawn)
    course.settle(drains=False)
    course.each(ev.Advance, victims)
    course.each(ev.Advance, victims[drawn.number(0, 2) :])
    course.submit("a", {UNIT: own}, 0)
    course.submit("b", {UNIT: 1}, drawn.number(0, 2))
    course.settle(drains=drawn.number(0, 1) == 1)
    return ended(choose, course, victims_in_every_stage)


def units_apart(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """A share that borrows one unit wants its own of another back; limits go and come for one unit while it is used.

    Breaks a scheduler that lets one unit decide about another, that looks at units a job does not ask for, or that
    forgets usage of a unit without a limit.
    """
    drawn = record(choose, 9)
    own, other = {UNIT: drawn.number(1, 2), "w": drawn.number(1, 2)}, {UNIT: 1, "w": drawn.number(1, 3)}
    shares = (share_of("a", own, BORROW), borrower("b"), share_of("c", other, strategy(drawn)))
    course = opened(readings, *shares)
    course.submit("a", {"w": drawn.number(1, own["w"] + 1)})
    for _ in range(drawn.number(0, 1) + own[UNIT] + 1):
        course.submit("b", {UNIT: 1}, drawn.number(0, 1))
    course.settle(drains=False)
    course.submit("a", {UNIT: own[UNIT]})
    course.settle(drains=False)
    changed = pick(drawn, ("a", "c"))
    course.limits(course.now.share(changed), {UNIT: 1})
    course.submit("b", {UNIT: 1, "w": 1})
    course.submit("c", {"w": 1})
    return ended(choose, course, units_apart)


def stopped_again(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """A job on a loan is stopped for owners that come and go; at last its share's limit is raised, and it is an owner.

    Breaks a scheduler that miscounts its preemptions, or that takes nothing back for a job that was stopped itself.
    """
    drawn = record(choose, 8)
    limit = drawn.number(2, 4)
    loan = drawn.number(1, limit - 1)
    course = opened(readings, share_of("a", {UNIT: limit}, BORROW), borrower("b"))
    stopped = course.submit(
        "b", {UNIT: 1 + loan}, drawn.number(0, 2), pick(drawn, (None, 0, 1, 2, 3, 4, 3, 4, 10, None))
    )
    course.settle()
    changes = drawn.number(0, 3) == 3
    for number in range(pick(drawn, (1, 2, 3, 5))):
        if number:
            course.do(ev.Finish(f"a{number}"))
            course.settle()
        course.submit("a", {UNIT: limit})
        course.settle()
        if changes:
            course.do(ev.SetPriority(stopped, number + 1))
    course.limits(course.now.share("a"), {UNIT: limit - loan})
    course.limits(course.now.share("b"), {UNIT: 1 + loan})
    course.settle(drains=drawn.number(0, 1) == 1)
    return ended(choose, course, stopped_again)


def changed_before_anybody_acts(choose: Choices, readings: Readings = _DEFAULTS) -> Scenario:
    """An owner's job is accepted; before the scheduler acts, the queue or a share is DISABLED, or a borrower deleted.

    Breaks a scheduler that takes nothing back then.
    """
    drawn = record(choose, 8)
    own = drawn.number(1, 3)
    course = opened(readings, share_of("a", {UNIT: own}), borrower("b"), share_of("c", {UNIT: 1}, strategy(drawn)))
    mixed(course, "b", drawn)
    course.settle(drains=False)
    course.submit("a", {UNIT: drawn.number(1, own)})
    change = drawn.number(0, 3)
    if change == 0:
        course.queue(False)
    elif change == 1:
        course.delete(course.now.share("b"))
    else:
        course.enable(course.now.share("b" if change == 2 else "a"), False)
    course.settle(drains=False)
    course.submit("c", {UNIT: 1})
    return ended(choose, course, changed_before_anybody_acts)
