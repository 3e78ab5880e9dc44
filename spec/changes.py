"""What is asked of AWS to change a queue: the nouns of `plan`.

An `Edit` is one request to AWS. What it does is told by the administrator's events of `spec.events`, in the order in which
they count at once; what is sent is the request with AWS's field names. `after` is the configuration that edits lead to.
Trusted: `spec.administered`, which says what each event does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from . import events as ev
from .administered import Administered
from .model import EnvironmentCapacityLimit, QueueConfig, State
from .readings import Readings


class Verb(StrEnum):
    """An operation of AWS Batch, as `aws batch` calls it."""

    CREATE = "create-quota-share"
    UPDATE = "update-quota-share"
    DELETE = "delete-quota-share"
    ENVIRONMENT = "update-service-environment"


@dataclass(frozen=True)
class Edit:
    """One request to AWS, and what it changes."""

    verb: Verb
    subject: str
    """Name of the share, or of the environment for ENVIRONMENT."""
    events: tuple[ev.AdministratorEvent, ...]
    """At least one; each changes something."""
    request: Mapping[str, Any]
    """As `--cli-input-json` takes it."""
    place: str = ""
    """Who asks for it: file:line, or an option of the command line."""
    why: str = ""
    """For an edit that nobody asked for: what needs it."""

    @property
    def share(self) -> str:
        """Name of the share; '' for an edit of the environment."""
        return "" if self.verb is Verb.ENVIRONMENT else self.subject


def after(config: QueueConfig, edits: Iterable[Edit], readings: Readings) -> QueueConfig:
    """The configuration after the edits, one after the other; a deleted share is gone (A9 decides what an update leaves).

    Raises ValueError for an edit of a share that is not there, or that is there and would be created.
    """
    state = Administered.of(config)
    for edit in edits:
        for event in edit.events:
            state = _stepped(state, event, readings)
            if isinstance(event, ev.DeleteShare):
                state = _stepped(state, ev.ShareGone(event.share), readings)
    environment = config.environment.model_copy(
        update={
            "capacity_limits": tuple(
                EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in state.capacity.items()
            ),
            "state": State.ENABLED if state.environment_enabled else State.DISABLED,
        }
    )
    return config.model_copy(update={"environment": environment, "shares": tuple(state.shares.values())})


def _stepped(state: Administered, event: ev.Event, readings: Readings) -> Administered:
    if why := state.impossible(event):
        raise ValueError(why)
    stepped = state.after(event, readings)
    assert isinstance(stepped, Administered)
    return stepped
