"""ARNs of quota shares: read from requests, and found for shares whose description gives one.

AWS names a share in an update by its ARN only. Where no file gives it, it is made from the queue's, else a placeholder
stands for it, with REGION and ACCOUNT in capitals. Trusted: nothing.
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
_SHARE = re.compile(rf"(arn:[a-z-]+:batch:([a-z0-9-]*):([0-9]*):job-queue/({_PART}))/quota-share/({_PART})")
_QUEUE = re.compile(rf"arn:[a-z-]+:batch:[a-z0-9-]*:[0-9]*:job-queue/{_PART}")
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
    """The parts of an ARN of a quota share; None for any other text."""
    found = _SHARE.fullmatch(text)
    return ShareArn(*found.groups()) if found else None


def is_placeholder(arn: str) -> bool:
    """Whether an ARN has to be completed before AWS takes it."""
    return arn.startswith(_UNKNOWN)


@dataclass(frozen=True)
class Arns:
    """The ARNs of one queue's shares."""

    queue: str
    """Name of the queue."""
    queue_arn: str
    """'' where no file gives it."""
    shares: Mapping[str, str]
    """By name: as the files give them."""

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
        return cls(config.job_queue_name, queue_arn, shares)

    @property
    def home(self) -> str:
        """Region:account; '' where no file gives it."""
        return ":".join(self.queue_arn.split(":")[3:5])

    def share(self, name: str) -> str:
        """The ARN of a share of this queue, also of one that is yet to be created; a placeholder if need be."""
        queue = self.queue_arn or f"{_UNKNOWN}{self.queue}"
        return self.shares.get(name, f"{queue}/quota-share/{name}")


def _text(loaded: Loaded, share: str, field: Pointer) -> str:
    """A field of what describes the share, if it is a text."""
    spot = loaded.spot(share)
    at: Any = spot.document.value
    for step in spot.at(*field):
        try:
            at = at[step]
        except (LookupError, TypeError):
            return ""
    return at if isinstance(at, str) else ""
