"""What one request does to a queue: what it takes of a share, how urgent it is in an order, and how it can be made in steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from ....spec import events as ev
from ....spec.changes import Edit, Verb, after
from ....spec.formats.changes.requests import fields
from ....spec.model import QueueConfig, State, Strategy
from ....spec.readings import Readings
from ...findings.table import lots

_NAMES = ("quotaShareArn", "serviceEnvironment")
"""Fields of a request that say what it is about."""
_RIGHTS = {Strategy.RESERVE: 0, Strategy.LEND: 1, Strategy.LEND_AND_BORROW: 2}


def told(edit: Edit) -> str:
    """The request in two words."""
    if edit.verb is Verb.ENVIRONMENT:
        return f"updating the environment {edit.subject}"
    if any(isinstance(e, ev.SetShareState) for e in edit.events) and len(edit.events) == 1:
        return f"{'disabling' if disables(edit) else 'enabling'} {edit.subject}"
    verb = {Verb.CREATE: "creating", Verb.UPDATE: "updating", Verb.DELETE: "deleting"}[edit.verb]
    return f"{verb} {edit.subject}"


def disables(edit: Edit) -> bool:
    """Whether the share takes no new jobs afterwards."""
    return any(isinstance(e, ev.SetShareState) and e.state == "DISABLED" for e in edit.events)


def shrinks(config: QueueConfig, edit: Edit) -> tuple[str, ...]:
    """What the request takes of the share's allocation: units of which its limit falls, all where it is disabled or goes."""
    share = next((s for s in config.shares if s.name == edit.share), None)
    if share is None:
        return ()
    if edit.verb is Verb.DELETE or disables(edit):
        return tuple(share.limits)
    lower = (e.limits for e in edit.events if isinstance(e, ev.SetLimits))
    return tuple(u for given in lower for u, n in share.limits.items() if given.get(u, 0) < n)


def poorer(before: QueueConfig, edit: Edit, readings: Readings) -> tuple[str, ...]:
    """Shares that the request, sent where `before` is in force, takes something of: of their allocation, or of what
    they are sure of."""
    was, now = (sure(config, readings) for config in (before, after(before, [edit], readings)))
    less = [share for (share, unit), n in was.items() if now.get((share, unit), 0) < n]
    return tuple(dict.fromkeys([*([edit.share] if shrinks(before, edit) else []), *less]))


def sure(config: QueueConfig, readings: Readings) -> Mapping[tuple[str, str], int]:
    """(Share, unit) -> what the share is sure of."""
    names = [s.name for s in config.shares]
    return {(n, lot.unit): lot.sure(i) for lot in lots(config, readings) for i, n in enumerate(names)}


def parts(config: QueueConfig, edit: Edit) -> tuple[Edit, ...]:
    """The update in steps. Of a share: rights that it takes, limits that it lowers, limits that it raises, rights that it
    gives; of an environment: more of units, then less. The last is the request itself. One where it does only one of these.
    """
    groups = [group for group in _groups(config, edit) if group]
    why = f"{edit.subject} is updated in steps, so that nothing is short in between"
    named = {k: v for k, v in edit.request.items() if k in _NAMES}
    return (*(_part(edit, group, named, why) for group in groups[:-1]), edit)


def joined(one: Edit, other: Edit) -> Edit:
    """Two parts of a request that follow each other as one; of an event of both, what the later says."""
    kinds = {type(event): event for event in (*one.events, *other.events)}
    return replace(other, events=tuple(kinds.values()), request={**one.request, **other.request})


def _groups(config: QueueConfig, edit: Edit) -> list[list[ev.AdministratorEvent]]:
    taken: list[ev.AdministratorEvent] = []
    lowered: list[ev.AdministratorEvent] = []
    raised: list[ev.AdministratorEvent] = []
    given: list[ev.AdministratorEvent] = []
    if edit.verb in (Verb.CREATE, Verb.DELETE):
        return [[*edit.events]]
    for event in edit.events:
        match event:
            case ev.SetLimits(share, then):
                now = config.share(share).limits
                first = {u: min(n, then[u]) for u, n in now.items() if u in then}
                lowered += [ev.SetLimits(share, first)] if first and first not in (dict(now), dict(then)) else []
                (lowered if first == dict(then) else raised).append(event)
            case ev.SetCapacity(then):
                now = config.environment.capacity
                most = {u: max(now.get(u, 0), then.get(u, 0)) for u in (*now, *(u for u in then if u not in now))}
                raised += [ev.SetCapacity(most)] if most not in (dict(now), dict(then)) else []
                (raised if most == dict(then) else given).append(event)
            case _:
                (taken if _takes(config, event) else given).append(event)
    return [taken, lowered, raised, given]


def _takes(config: QueueConfig, event: ev.AdministratorEvent) -> bool:
    """Whether the event takes a right of a share, or the queue's machines."""
    match event:
        case ev.SetSharing(name, strategy, borrow):
            share = config.share(name)
            rights = (_RIGHTS[s] for s in (strategy, share.strategy))
            percents = (inf if p in (None, -1) else p for p in (borrow, share.borrow_limit))
            now, was = zip(rights, percents, strict=True)
            return now < was
        case ev.SetInShare():
            return not event.enabled
        case ev.SetShareState() | ev.SetEnvironmentState():
            return event.state is State.DISABLED
        case _:
            return False


def _part(edit: Edit, events: Sequence[ev.AdministratorEvent], named: Mapping[str, Any], why: str) -> Edit:
    request = dict(named)
    for event in events:
        request |= fields(event)
    return Edit(edit.verb, edit.subject, tuple(events), request, edit.place, why)


def rank(config: QueueConfig, edit: Edit) -> int:
    """More room first, then what gives room back, then what takes it; less room at the end."""
    if edit.verb is Verb.ENVIRONMENT:
        now = config.environment.capacity
        lower = [
            e for e in edit.events if isinstance(e, ev.SetCapacity) for u, n in now.items() if e.capacity.get(u, 0) < n
        ]
        return (
            5
            if lower or any(isinstance(e, ev.SetEnvironmentState) and e.state == "DISABLED" for e in edit.events)
            else 0
        )
    if edit.verb is Verb.DELETE or disables(edit):
        return 1
    if shrinks(config, edit):
        return 2
    return 4 if edit.verb is Verb.CREATE else 3
