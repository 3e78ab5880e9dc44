"""What a history does not show: for each guarantee that cannot be judged, or only in part, the field that is missing."""

from __future__ import annotations

from ...spec.observations import Observation, Preempting, Settled, Submitted
from .book import Book


class Unseen:
    """Follows a history and notes what is missing from it."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._priorities: set[str] = set()
        """Shares of which a job's priority is not known."""
        self._retries = 0
        self._claimants = 0
        self._kinds = 0
        self._started = 0
        self._settled = False

    def note(self, what: Observation) -> None:
        """One observation, before or after it is recorded."""
        match what:
            case Submitted():
                if what.priority is None:
                    self._priorities.add(what.share)
                self._retries += not what.retries_known
            case Preempting():
                self._claimants += what.claimant is None
                self._kinds += what.kind is None and what.claimant is None
            case Settled():
                self._settled = True
            case _:
                return

    def told(self) -> dict[str, str]:
        """Guarantee -> what is missing."""
        found = {"G18": "a history that ends does not show that preemption would not go round for ever"}
        if self._priorities:
            shares = ", ".join(sorted(self._priorities))
            found["G9"] = f"the priority of some jobs of {shares}: only jobs of known priority were compared"
            found["G5s"] = f"the priority of some jobs of {shares}: each may have been higher or lower"
            found["G21"] = f"the priority of some jobs of {shares}: only jobs of known priority were compared"
        if not self._book.claims_known:
            why = "which job capacity was claimed for, and when"
            found["G7"] = f"{why}; judged in part: no borrower took what a waiting owner needed (G8)"
            found["G6+"] = f"{why}: the victims of one plan are not known to belong together"
            if self._book.chosen["A18"] == "backfill":
                found["G9"] = f"{why}: a job of higher priority that seems to fit may have had to wait for a claim"
        if self._claimants:
            some = f"for which job {self._claimants} jobs were stopped"
            found["G5x"] = f"{some}: each was judged against every job that it may have been for"
            found["G6"] = found["G5x"]
        if self._kinds:
            found.setdefault(
                "G5s", f"the kind of {self._kinds} preemptions: each may have been in-share or cross-share"
            )
        if self._retries:
            found["G11"] = f"the preemption limit of {self._retries} jobs: only their counts were judged"
        if not self._settled:
            waits = {"G14": "an owner", "G16": "a job that fits", "G17": "an owner", "G21": "a job of higher priority"}
            for code, what in waits.items():
                found[code] = f"when the scheduler had nothing left to do: {what} that waits may be about to start"
        return found
