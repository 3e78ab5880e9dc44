"""Administrator's events to the request that has AWS do them. Trusted: nothing; `after` says what the events do.

An update sends a structure whole: all capacity limits (A10), and with the strategy always a borrow limit where it may
have one, so that nothing depends on what AWS makes of a missing one (A9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ... import events as ev
from ...changes import Edit, Verb
from ...model import QuotaShare, State, Strategy
from .arns import Arns


def edit(
    events: Sequence[ev.AdministratorEvent], arns: Arns, environment: str, *, place: str = "", why: str = ""
) -> Edit:
    """The one request that does all of the events, which are about one subject; `environment` is what people call the
    queue's. ValueError for events that need two requests."""
    if not events:
        raise ValueError("a request that does nothing is none")
    first = events[0]
    match first:
        case ev.CreateShare():
            verb, subject, request = Verb.CREATE, first.share.name, _create(first.share, arns)
        case ev.DeleteShare():
            verb, subject, request = Verb.DELETE, first.share, {"quotaShareArn": arns.share(first.share)}
        case ev.SetCapacity() | ev.SetEnvironmentState():
            verb, subject, request = Verb.ENVIRONMENT, environment, {"serviceEnvironment": arns.environment}
        case ev.SetQueueState():
            raise ValueError("a queue's state is not a matter of its shares")
        case _:
            verb, subject, request = Verb.UPDATE, first.share, {"quotaShareArn": arns.share(first.share)}
    if verb in (Verb.CREATE, Verb.DELETE) and len(events) > 1:
        raise ValueError(f"{verb} does one thing")
    for event in events if verb in (Verb.UPDATE, Verb.ENVIRONMENT) else ():
        if _subject(event, environment) != (verb, subject):
            raise ValueError(f"{type(event).__name__} is not a part of {verb} of {subject}")
        request |= fields(event)
    return Edit(verb, subject, tuple(events), request, place, why)


def _subject(event: ev.AdministratorEvent, environment: str) -> tuple[Verb, str] | None:
    match event:
        case ev.SetCapacity() | ev.SetEnvironmentState():
            return Verb.ENVIRONMENT, environment
        case ev.SetLimits() | ev.SetSharing() | ev.SetInShare() | ev.SetShareState():
            return Verb.UPDATE, event.share
        case _:
            return None


def _create(share: QuotaShare, arns: Arns) -> dict[str, Any]:
    tree = share.model_dump(by_alias=True, mode="json", exclude_none=True)
    return {"quotaShareName": tree.pop("quotaShareName"), "jobQueue": arns.queue, **tree}


def fields(event: ev.AdministratorEvent) -> dict[str, Any]:
    """What an update sends to have the event done."""
    match event:
        case ev.SetLimits():
            return {"capacityLimits": limits(event.limits)}
        case ev.SetCapacity():
            return {"capacityLimits": limits(event.capacity)}
        case ev.SetSharing():
            sharing: dict[str, Any] = {"strategy": event.strategy.value}
            if event.strategy is Strategy.LEND_AND_BORROW:
                sharing["borrowLimit"] = -1 if event.borrow_limit is None else event.borrow_limit
            return {"resourceSharingConfiguration": sharing}
        case ev.SetInShare():
            switch = State.ENABLED if event.enabled else State.DISABLED
            return {"preemptionConfiguration": {"inSharePreemption": switch.value}}
        case ev.SetShareState() | ev.SetEnvironmentState():
            return {"state": event.state.value}
        case _:
            return {}


def limits(counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Unit -> count as AWS lists it."""
    return [{"maxCapacity": count, "capacityUnit": unit} for unit, count in counts.items()]
