"""Requests written in one line each."""

from __future__ import annotations

from quotaproof.spec import events as ev
from quotaproof.spec.changes import Edit, Verb
from quotaproof.spec.model import State, Strategy


def arn(share):
    return f"arn:aws:batch:us-east-1:123456789012:quota-share/{share}"


def limits(share, given):
    given = given if isinstance(given, dict) else {"u": given}
    asked = [{"capacityUnit": u, "maxCapacity": n} for u, n in given.items()]
    return Edit(
        Verb.UPDATE, share, (ev.SetLimits(share, given),), {"quotaShareArn": arn(share), "capacityLimits": asked}
    )


def sharing(share, strategy, borrow=None):
    event = ev.SetSharing(share, Strategy(strategy), borrow)
    return Edit(Verb.UPDATE, share, (event,), {"quotaShareArn": arn(share)})


def in_share(share, *, on):
    return Edit(Verb.UPDATE, share, (ev.SetInShare(share, on),), {"quotaShareArn": arn(share)})


def disable(share):
    event = ev.SetShareState(share, State.DISABLED)
    return Edit(Verb.UPDATE, share, (event,), {"quotaShareArn": arn(share), "state": "DISABLED"})


def delete(share):
    return Edit(Verb.DELETE, share, (ev.DeleteShare(share),), {"quotaShareArn": arn(share)})


def create(made):
    return Edit(Verb.CREATE, made.name, (ev.CreateShare(made),), {"quotaShareName": made.name})


def environment(capacity):
    capacity = capacity if isinstance(capacity, dict) else {"u": capacity}
    return Edit(Verb.ENVIRONMENT, "env", (ev.SetCapacity(capacity),), {"serviceEnvironment": "env"})
