"""What became of an organisation's promises, as events of the stream: one `Promised` for each promise, term and share.

A promise is judged where it can be: PROVED for all workloads or REFUTED with a scenario on the configuration, MEASURED on
a history, CHECKED when a configuration changes, or only RECORDED. The verdict itself is a `Result` whose code is the
promise's, so that every report and the exit code treat it as they treat a guarantee.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Result


STOPS = "STOPS"
"""Code of what all promises assume of stops: `assume.stop_takes` of the file. It is judged as they are, and is none."""


class How(StrEnum):
    """By what a promise is judged."""

    PROVED = "proved"
    """On the configuration, for all workloads; a refutation too."""
    MEASURED = "measured"
    """On a history."""
    AT_CHANGE = "checked at change"
    """By `plan`."""
    RECORDED = "recorded"
    """By people; quotaproof keeps it in view."""


@dataclass(frozen=True)
class Suggestion:
    """A change of the configuration with which the promise is proved; that was tried before it is said. Or why none."""

    changes: tuple[str, ...]
    """Such as "foundation ml.p5.48xlarge 8 -> 5"; nothing where there is none."""
    total: int
    """Instances (or percent of a borrow limit) changed, added up: what was made least."""
    costs: str = ""
    """What it takes from others, in words; '' for nothing."""
    instead: tuple[str, ...] = ()
    """Another way, that changes no limit; nothing where there is none."""
    none: str = ""
    """Why no change is suggested: that the solver proved there is none, or that none was found and how far it looked."""


@dataclass(frozen=True)
class Promised:
    """One term of a promise, judged."""

    code: str
    says: str
    term: str
    """Its key in the file: gets, fits, undisturbed, ..."""
    how: How
    result: Result
    """`code` is the promise's; `subject` the share or group; `because` the numbers, or the reason."""
    owner: str = ""
    why: str = ""
    valid: str = ""
    """'from 2027-01-11 until 2027-01-29' where it is bounded."""
    in_force: bool = True
    """False outside its days: shown, and it does not count."""
    suggestion: Suggestion | None = None
    already: bool = False
    """Broken before the change as well, so that it does not count: the change did not break it."""

    @property
    def assumed(self) -> bool:
        """Whether it is no promise, but what promises rest on."""
        return self.code == STOPS

    def with_suggestion(self, found: Suggestion | None) -> Promised:
        return replace(self, suggestion=found)
