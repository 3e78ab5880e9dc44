"""How AWS is told which share and which environment is meant: ARNs and names, as far as files give them.

AWS names a share in an update by its ARN only. Where no file gives it, it is made from the queue's, else a placeholder
stands for it, with REGION and ACCOUNT in capitals; ENVIRONMENT stands for an environment without a name. Trusted: nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...model import NAME
from .. import Loaded
from ..document import Pointer

_PART = NAME.removeprefix("^").removesuffix("$")
_SHARE = re.compile(
    rf"(arn:[a-z-]+:batch:([a-z0-9-]*|REGION):([0-9]*|ACCOUNT):job-queue/({_PART}))/quota-share/({_PART})"
)
_QUEUE = re.compile(rf"arn:[a-z-]+:batch:[a-z0-9-]*:[0-9]*:job-queue/{_PART}")
NO_NAME = "ENVIRONMENT"
"""Stands for the name of an environment that no file gives."""
_UNKNOWN = "arn:aws:batch:REGION:ACCOUNT:job-queue/"


@dataclass(frozen=True)
class ShareArn:
    """The parts of a share's ARN."""

    queue_arn: str
    region: str
    account: str
    queue: str
    share: str


def parsed(text: str) -> ShareArn | None:
    """The parts of an ARN of a quota share, or of a placeholder for one; None for any other text."""
    found = _SHARE.fullmatch(text)
    return ShareArn(*found.groups()) if found else None


def is_placeholder(name: str) -> bool:
    """Whether an ARN or a name has to be completed before AWS takes it."""
    return name.startswith(_UNKNOWN) or name == NO_NAME


@dataclass(frozen=True)
class Arns:
    """What one queue's shares and its environment are called in requests."""

    queue: str
    """Name of the queue."""
    queue_arn: str
    """'' where no file gives it."""
    shares: Mapping[str, str]
    """By name: as the files give them."""
    environment: str = NO_NAME

    @classmethod
    def of(cls, loaded: Loaded) -> Arns:
        """As the files that were read give them."""
        config = loaded.config
        shares: dict[str, str] = {}
        queue_arn = ""
        for share in config.shares:
            given = [_text(loaded, share.name, (field,)) for field in ("quotaShareArn", "jobQueueArn", "jobQueue")]
            own = parsed(given[0])
            if own and own.share == share.name:
                shares[share.name] = given[0]
            homes = ([own.queue_arn] if own else []) + [arn for arn in given[1:] if _QUEUE.fullmatch(arn)]
            queue_arn = queue_arn or next(iter(homes), "")
        environment = _text(loaded, None, ("serviceEnvironmentName",))
        known = environment == config.environment.service_environment_name
        return cls(config.job_queue_name, queue_arn, shares, environment if known else NO_NAME)

    @property
    def home(self) -> str:
        """Region:account; '' where no file gives it."""
        return ":".join(self.queue_arn.split(":")[3:5])

    def share(self, name: str) -> str:
        """The ARN of a share of this queue, also of one that is yet to be created; a placeholder if need be."""
        queue = self.queue_arn or f"{_UNKNOWN}{self.queue}"
        return self.shares.get(name, f"{queue}/quota-share/{name}")


def _text(loaded: Loaded, share: str | None, field: Pointer) -> str:
    """A field of what describes the share or the environment, if it is a text."""
    spot = loaded.spot(share)
    if spot is None:
        return ""
    at: Any = spot.document.value
    for step in spot.at(*field):
        try:
            at = at[step]
        except (LookupError, TypeError):
            return ""
    return at if isinstance(at, str) else ""
