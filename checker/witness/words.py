"""Events as sentences, for a person who follows a scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...spec import events as ev
from ...spec.formats.scenario import Expect


def amount(counts: Mapping[str, int]) -> str:
    """3 ml.p5.48xlarge and 1 ml.g5.xlarge."""
    return " and ".join(f"{n} {unit}" for unit, n in counts.items()) or "nothing"


def words(event: ev.Event) -> str:
    """What happens, in a sentence."""
    match event:
        case ev.Submit():
            priority = f", priority {event.priority}" if event.priority else ""
            retries = (
                ""
                if event.retries is None
                else f", at most {event.retries} {'retry' if event.retries == 1 else 'retries'} after preemption"
            )
            return f"{event.share} submits {event.job}: {amount(event.size)}{priority}{retries}"
        case ev.Dispatch():
            return f"{event.job} starts"
        case ev.Claim():
            if not event.victims and event.holds:
                return f"what is free or drains already is kept for {event.job}: nobody else must stop"
            who = f"{', '.join(event.victims)} must stop" if event.victims else "nobody must stop"
            return f"room is made for {event.job}: {who}" + ("" if event.holds else ", and nothing is kept for it")
        case ev.Stopped():
            return f"{event.job} has stopped"
        case ev.Finish():
            return f"{event.job} ends" + (" and has failed" if event.failed else "")
        case ev.SetPriority():
            return f"{event.job} gets priority {event.priority}"
        case ev.Terminate():
            return f"{event.job} is terminated"
        case ev.Return():
            return f"{event.job} is RUNNABLE again: no machines were there for it"
        case ev.Advance():
            return f"{event.job} moves on"
        case ev.Release():
            return f"the claim of {event.job} ends"
        case ev.Misconfigured():
            return f"{event.job} can never run: {event.reason}"
        case _:
            return _administrator(event)


def expected(expect: Expect) -> str:
    """What is expected, in a sentence; '' where nothing is."""
    said = [_all(getattr(expect, name), one, more) for name, (one, more) in _STAGES.items()]
    said += [f"{share} uses {amount(units)}" for share, units in (expect.usage or {}).items()]
    said += [f"{job} was preempted {n} time{'s' * (n != 1)}" for job, n in (expect.preemptions or {}).items()]
    said += [f"{job} says {text!r}" for job, text in (expect.reasons or {}).items()]
    return ", ".join(s for s in said if s)


_STAGES = {
    "dispatched": ("runs", "run"),
    "runnable": ("waits", "wait"),
    "draining": ("is stopping", "are stopping"),
    "preempted": ("was told to stop", "were told to stop"),
    "succeeded": ("has succeeded", "have succeeded"),
    "failed": ("has failed", "have failed"),
}


def _all(jobs: Sequence[str] | None, one: str, more: str) -> str:
    if jobs is None:
        return ""
    return f"{' and '.join(jobs)} {more if len(jobs) > 1 else one}" if jobs else f"nobody {one}"


def _administrator(event: ev.Event) -> str:
    match event:
        case ev.SetLimits():
            return f"the limits of {event.share} become {amount(event.limits)}"
        case ev.SetCapacity():
            return f"the environment becomes {amount(event.capacity)}"
        case ev.SetSharing():
            borrow = "" if event.borrow_limit is None else f", borrow limit {event.borrow_limit} %"
            return f"{event.share} becomes {event.strategy}{borrow}"
        case ev.SetInShare():
            return f"in-share preemption of {event.share} is {'on' if event.enabled else 'off'}"
        case ev.SetShareState():
            return f"{event.share} is {event.state}"
        case ev.SetEnvironmentState():
            return f"the environment is {event.state}"
        case ev.SetQueueState():
            return f"the queue is {event.state}"
        case ev.CreateShare():
            return f"{event.share.name} is created: {event.share.strategy}, {amount(event.share.limits)}"
        case ev.DeleteShare():
            return f"{event.share} is being deleted"
        case ev.ShareGone():
            return f"{event.share} is gone"
        case _:
            return ev.describe(event)
