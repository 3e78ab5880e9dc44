"""What a scheduler may or may not be able to do, as features that it declares, and which of them a scenario needs.

A scenario's needs are worked out from what stands in it, never from what happens in a run: they are known before anything
is run, and are the same for every backend. A scenario that needs a feature that a backend has not declared is skipped,
with this reason. What every scheduler does needs no feature: jobs are submitted, start, end; victims stop.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ...spec import events as ev
from ...spec.formats.errors import InputError, listed, nearest
from ...spec.formats.scenario import Scenario, Settle
from ...spec.model import QuotaShare, State, Strategy


@dataclass(frozen=True)
class Feature:
    """One thing that a scheduler may be able to do. `rests_on`: the rules that speak of it."""

    name: str
    sentence: str
    rests_on: tuple[str, ...]


_ALL = (
    Feature("borrowing", "Shares borrow what others lend and leave idle, and lenders take it back.", ("rule 19", "rule 36")),
    Feature("gangs", "A job asks for several machines and starts with all of them or not at all.", ("rule 15", "rule 23")),
    Feature("several-units", "A queue has several instance types; a job may ask for any.", ("rule 4",)),
    Feature("mixed-jobs", "One job asks for several instance types.", ("A53",)),
    Feature("unlisted-units", "A job asks for an instance type for which its share or the environment has no limit.",
            ("rule 13", "A3", "A4")),
    Feature("overcommitment", "The limits of the shares add up to more than the environment has.", ("rule 17", "A1", "A2")),
    Feature("priorities", "Jobs have priorities within their share.", ("rule 27",)),
    Feature("priority-updates", "The priority of a job changes while it waits or runs.", ("rule 42",)),
    Feature("in-share-preemption", "A share may let its own higher priorities stop its lower ones.", ("rule 39",)),
    Feature("retries", "A job says how often it may be preempted and run again.", ("rule 43",)),
    Feature("terminations", "A user terminates a job.", ("rule 53",)),
    Feature("timed-stops", "Victims stop one by one, and other things happen while some still drain.", ("rule 46",)),
    Feature("early-ends", "A victim ends by itself or is terminated while it drains.", ("A34", "A35")),
    Feature("stages", "Jobs are SCHEDULED, STARTING and RUNNING, and may be stopped in each stage.", ("rule 29", "rule 35")),
    Feature("returns", "The platform returns a SCHEDULED job to RUNNABLE for lack of machines.", ("rule 18", "A54")),
    Feature("limit-changes", "An administrator changes the limits of a share.", ("rule 48",)),
    Feature("sharing-changes", "An administrator changes the strategy or the borrow limit of a share.",
            ("rule 7", "A9", "A44", "A45")),
    Feature("in-share-changes", "An administrator switches in-share preemption of a share on or off.", ("rule 7", "rule 39")),
    Feature("share-states", "A share is DISABLED and ENABLED again.", ("rule 50", "A46", "A47")),
    Feature("share-creation", "A share is created while the queue runs.", ("rule 7", "rule 8")),
    Feature("share-deletion", "A share is deleted, with jobs in it.", ("rule 51", "A48")),
    Feature("environment-changes", "An administrator changes the capacity of the environment.", ("rule 49",)),
    Feature("environment-states", "The environment is DISABLED and ENABLED again.", ("rule 52", "A49")),
    Feature("queue-states", "The queue is DISABLED and ENABLED again.", ("A49",)),
)  # fmt: skip
FEATURES: Mapping[str, Feature] = {f.name: f for f in _ALL}

_OF_STEP: Mapping[type, str] = {
    ev.SetPriority: "priority-updates",
    ev.Terminate: "terminations",
    ev.Stopped: "timed-stops",
    ev.Advance: "stages",
    ev.Return: "returns",
    ev.SetLimits: "limit-changes",
    ev.SetSharing: "sharing-changes",
    ev.SetInShare: "in-share-changes",
    ev.SetShareState: "share-states",
    ev.CreateShare: "share-creation",
    ev.DeleteShare: "share-deletion",
    ev.ShareGone: "share-deletion",
    ev.SetCapacity: "environment-changes",
    ev.SetEnvironmentState: "environment-states",
    ev.SetQueueState: "queue-states",
}


def needs(scenario: Scenario) -> frozenset[str]:
    """The features that a scheduler needs to run a scenario."""
    found = {_OF_STEP[type(step)] for step in scenario.steps if type(step) in _OF_STEP}
    if scenario.config.environment.state is State.DISABLED:
        found.add("environment-states")
    created = [step.share for step in scenario.steps if isinstance(step, ev.CreateShare)]
    for share in (*scenario.config.shares, *created):
        found |= _of_share(share)
    if any(isinstance(s, ev.SetSharing) and s.strategy is Strategy.LEND_AND_BORROW for s in scenario.steps):
        found.add("borrowing")
    if any(isinstance(s, ev.SetInShare) and s.enabled for s in scenario.steps):
        found.add("in-share-preemption")
    if len(_units(scenario)) > 1:
        found.add("several-units")
    return frozenset(found | _of_limits(scenario) | _of_jobs(scenario) | _while_draining(scenario))


def lacking(scenario: Scenario, declared: Collection[str] | None) -> tuple[str, ...]:
    """What a scenario needs and a backend has not declared, in the order of FEATURES; None: it has declared everything."""
    if declared is None:
        return ()
    missing = needs(scenario) - frozenset(declared)
    return tuple(f for f in FEATURES if f in missing)


def checked(names: Iterable[str], *, where: str) -> frozenset[str]:
    """The names as features. Raises InputError for one that does not exist, with the nearest one that does."""
    given = frozenset(names)
    for name in sorted(given - FEATURES.keys()):
        near = nearest(name, FEATURES)
        raise InputError(f"there is no feature {name!r}", where=where,
                         why="Features say which scenarios a scheduler can run; one that is not known would skip nothing.",
                         fix=f"did you mean {near}?" if near else f"use {listed(FEATURES, most=30)}.")  # fmt: skip
    return given


def _of_share(share: QuotaShare) -> set[str]:
    given = {
        "borrowing": share.strategy is Strategy.LEND_AND_BORROW,
        "in-share-preemption": share.in_share,
        "share-states": share.state is State.DISABLED,
    }
    return {name for name, needed in given.items() if needed}


def _units(scenario: Scenario) -> set[str]:
    """Every instance type that stands anywhere in it."""
    found = set(scenario.config.units)
    for step in scenario.steps:
        match step:
            case ev.Submit():
                found |= step.size.keys()
            case ev.SetLimits():
                found |= step.limits.keys()
            case ev.SetCapacity():
                found |= step.capacity.keys()
            case ev.CreateShare():
                found |= step.share.limits.keys()
            case _:
                pass
    return found


def _of_limits(scenario: Scenario) -> set[str]:
    """Whether limits ever add up to more than the environment has; a share that is deleted may be there to the end."""
    limits = {share.name: share.limits for share in scenario.config.shares}
    capacity, deleted = scenario.config.environment.capacity, set[str]()
    over = _overcommitted(limits.values(), capacity)
    for step in scenario.steps:
        match step:
            case ev.SetLimits():
                limits[step.share] = dict(step.limits)
            case ev.CreateShare() if step.share.name in deleted or step.share.name not in limits:
                limits[step.share.name] = step.share.limits
            case ev.DeleteShare():
                deleted.add(step.share)
            case ev.SetCapacity():
                capacity = dict(step.capacity)
            case _:
                continue
        over = over or _overcommitted(limits.values(), capacity)
    return {"overcommitment"} if over else set()


def _overcommitted(limits: Iterable[Mapping[str, int]], capacity: Mapping[str, int]) -> bool:
    left = dict(capacity)
    for unit, n in (pair for share in limits for pair in share.items()):
        left[unit] = left.get(unit, 0) - n
    return any(n < 0 for n in left.values())


def _of_jobs(scenario: Scenario) -> set[str]:
    found: set[str] = set()
    limits = {share.name: set(share.limits) for share in scenario.config.shares}
    capacity = set(scenario.config.environment.capacity)
    for step in scenario.steps:
        match step:
            case ev.SetLimits():
                limits[step.share] = set(step.limits)
            case ev.CreateShare():
                limits.setdefault(step.share.name, set(step.share.limits))
            case ev.SetCapacity():
                capacity = set(step.capacity)
            case ev.Submit():
                asked = set(step.size)
                given = {
                    "gangs": max(step.size.values()) > 1,
                    "mixed-jobs": len(asked) > 1,
                    "unlisted-units": not asked <= limits.get(step.share, asked) & capacity,
                    "priorities": bool(step.priority),
                    "retries": step.retries is not None,
                }
                found |= {name for name, needed in given.items() if needed}
            case _:
                pass
    return found


def _while_draining(scenario: Scenario) -> set[str]:
    """What is asked while victims may still drain: from a settle that lets none stop to the next that lets all."""
    drains, found = False, set[str]()
    for step in scenario.steps:
        if isinstance(step, Settle):
            drains = not step.drains
            found |= {"timed-stops"} if drains else set[str]()
        elif drains and isinstance(step, ev.Finish | ev.Terminate):
            found.add("early-ends")
    return found
