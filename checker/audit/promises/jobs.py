"""What jobs are ready for and what they are called urgent by: checkpoints of jobs on loans, and bands of priority."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ....spec import events as ev
from ....spec.observations import Seen, Submitted
from ....spec.promises import PriorityBand
from ...results import Result, Verdict
from ..jobs import Live
from ..numbers import BORROWED
from ..words import instant
from .heads import called
from .watch import Now, Watch

MOST = 20
"""Jobs that are named."""


@dataclass
class Ready(Watch):
    """Jobs of the share that ran on loans have a checkpoint setting: any that held machines while the share borrowed."""

    share: str
    bare: list[str] = field(default_factory=list[str])
    unknown: int = 0
    borrowing: dict[str, None] = field(default_factory=dict[str, None])
    place: str = ""

    def look(self, now: Now) -> None:
        units = frozenset(
            u for u in now.follow.shape().get(self.share, {}) if now.follow.quantities(self.share, u)[BORROWED]
        )
        if units:
            for job in now.follow.holding():
                if job.share == self.share and units & job.size.keys() and job.name not in self.borrowing:
                    self._add(now, job)

    def _add(self, now: Now, job: Live) -> None:
        self.borrowing[job.name] = None
        if job.facts.checkpoint is None:
            self.unknown += 1
        elif not job.facts.checkpoint:
            self.place = self.place or now.place
            self.bare.append(called(job))

    def results(self) -> Iterator[Result]:
        n = len(self.borrowing)
        if self.bare:
            named = ", ".join(self.bare[:MOST]) + (" ..." if len(self.bare) > MOST else "")
            yield Result("", Verdict.BROKEN_HERE, f"{len(self.bare)} of {n} jobs on loans have no checkpoint setting: {named}",
                         self.share, place=self.place, count=len(self.bare))  # fmt: skip
        elif self.unknown:
            yield Result("", Verdict.NOT_SEEN, f"of {self.unknown} of {n} jobs on loans the checkpoint setting is not recorded",
                         self.share, count=self.unknown)  # fmt: skip
        elif n:
            yield Result("", Verdict.KEPT, f"{n} jobs on loans, each with a checkpoint setting", self.share, count=n)
        else:
            yield Result("", Verdict.NEVER_CAME_UP, "no job ran on a loan", self.share)


@dataclass
class Crowd(Watch):
    """How many live jobs have a priority of the band at once."""

    band: PriorityBand
    shares: Sequence[str]
    most: tuple[int, str] = (0, "")
    unknown: int = 0
    place: str = ""
    now_in: dict[str, None] = field(default_factory=dict[str, None])

    def submitted(self, now: Now, job: Live) -> None:  # noqa: ARG002
        self.unknown += job.priority is None and job.share in self.shares

    def look(self, now: Now) -> None:
        live = now.follow.live
        inside = {
            name: None
            for name, job in live.items()
            if job.share in self.shares and job.priority is not None and self.band.low <= job.priority <= self.band.high
        }
        if len(inside) > self.most[0]:
            self.most, self.now_in, self.place = (len(inside), instant(now.at)), inside, now.place

    def results(self) -> Iterator[Result]:
        bound = self.band.at_most_jobs
        subject = f"priority {self.band.low} to {self.band.high}"
        assert bound is not None
        if self.most[0] > bound:
            named = ", ".join([*self.now_in][:MOST]) + (" ..." if len(self.now_in) > MOST else "")
            said = f"{self.most[0]} jobs at once at {self.most[1]}, at most {bound} are promised: {named}"
            yield Result("", Verdict.BROKEN_HERE, said, subject, place=self.place, count=1)
        elif self.unknown:
            said = f"of {self.unknown} jobs the priority is not recorded"
            yield Result("", Verdict.NOT_SEEN, said, subject, count=self.unknown)
        elif self.most[0]:
            yield Result("", Verdict.KEPT, f"at most {self.most[0]} at once ({self.most[1]})", subject, count=1)
        else:
            yield Result("", Verdict.NEVER_CAME_UP, "no job had such a priority", subject)


@dataclass
class SetBy(Watch):
    """Who gave jobs a priority of the band, as CloudTrail names them."""

    band: PriorityBand
    shares: Sequence[str]
    others: list[str] = field(default_factory=list[str])
    people: dict[str, None] = field(default_factory=dict[str, None])
    unnamed: int = 0
    allowed: int = 0
    place: str = ""

    def seen(self, now: Now, seen: Seen) -> None:
        match seen.what:
            case Submitted(share=share, priority=priority, facts=facts):
                self._given(now, share, priority, facts.name or seen.what.job, facts.owner)
            case ev.SetPriority(job=job, priority=priority) if (live := now.follow.live.get(job)) is not None:
                self._given(now, live.share, priority, called(live), seen.by)
            case _:
                pass

    def _given(self, now: Now, share: str, priority: int | None, job: str, who: str) -> None:
        if share not in self.shares or priority is None or not self.band.low <= priority <= self.band.high:
            return
        if not who:
            self.unnamed += 1
        elif any(is_named(who, name) for name in self.band.set_by):
            self.allowed += 1
        else:
            self.place = self.place or now.place
            self.people[who] = None
            self.others.append(f"{job} {priority} by {who}")

    def results(self) -> Iterator[Result]:
        subject = f"who sets {self.band.low} to {self.band.high}"
        every = self.unnamed + self.allowed + len(self.others)
        if self.others:
            by = "1 other" if len(self.people) == 1 else f"{len(self.people)} others"
            yield Result("", Verdict.BROKEN_HERE, f"{len(self.others)} of {every} set by {by}: {self.others[0]}", subject,
                         more=tuple(self.others[1:MOST]), place=self.place, count=len(self.others))  # fmt: skip
        elif self.unnamed:
            yield Result("", Verdict.NOT_SEEN, f"of {self.unnamed} of {every} nobody recorded who set it", subject)
        elif every:
            yield Result("", Verdict.KEPT, f"{every} set, all by those who may", subject, count=every)
        else:
            yield Result("", Verdict.NEVER_CAME_UP, "nobody set such a priority", subject)


def is_named(principal: str, name: str) -> bool:
    """Whether an ARN of CloudTrail is the one that a promise names: whole, or by its kind and name, as in role/Release.

    Of a role that somebody has assumed, the role counts, and so does role and session together.
    """
    if principal == name:
        return True
    parts = principal.rsplit(":", 1)[-1].split("/")
    if parts[0] == "assumed-role":
        parts[0] = "role"
    return name in ("/".join(parts), "/".join(parts[:2]) if parts[0] == "role" else "")
