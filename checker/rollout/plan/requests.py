"""What one request does to a queue: what it takes of a share, how urgent it is in an order, and how it can be made in two."""

from __future__ import annotations

from ....spec import events as ev
from ....spec.changes import Edit, Verb
from ....spec.formats.changes.requests import limits
from ....spec.model import QueueConfig

_NAMES = ("quotaShareArn", "serviceEnvironment")
"""Fields of a request that say what it is about."""


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


def halves(config: QueueConfig, edit: Edit) -> tuple[Edit, Edit] | None:
    """The update as two: of a share, first what it lowers, then what it raises; of an environment, the other way round.

    None when it does only one of these.
    """
    event = next((e for e in edit.events if isinstance(e, ev.SetLimits | ev.SetCapacity)), None)
    if edit.verb is Verb.UPDATE and isinstance(event, ev.SetLimits):
        now, then = config.share(edit.subject).limits, event.limits
        first = {u: min(n, then[u]) for u, n in now.items() if u in then}
        made: ev.AdministratorEvent = ev.SetLimits(edit.subject, first)
    elif edit.verb is Verb.ENVIRONMENT and isinstance(event, ev.SetCapacity):
        now, then = config.environment.capacity, event.capacity
        first = {u: max(now.get(u, 0), then.get(u, 0)) for u in [*now, *(u for u in then if u not in now)]}
        made = ev.SetCapacity(first)
    else:
        return None
    if not first or first in (dict(now), dict(then)):
        return None
    named = {k: v for k, v in edit.request.items() if k in _NAMES}
    why = f"{edit.subject} is updated in two steps, so that nothing is short in between"
    half = Edit(edit.verb, edit.subject, (made,), {**named, "capacityLimits": limits(first)}, edit.place, why)
    return half, edit


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
