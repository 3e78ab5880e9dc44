"""Stops of jobs: whether the share was within its limit, how often one job was stopped, and how long stops took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil

from ....spec.model import Stage
from ....spec.observations import Preempted, Preempting, Seen
from ....spec.promises import By
from ...results import Result, Verdict
from ..jobs import Live
from ..words import duration, instant
from .heads import called
from .watch import Breaks, Holds, Now, Watch, times


@dataclass
class Undisturbed(Watch):
    """No job of the share is told to stop while the share, without what drains already, is within its limits."""

    share: str
    by: By
    always: bool
    """Also while it borrows."""
    stops: int = 0
    """Stops while it borrowed."""
    busy: bool = False
    breaks: Breaks = field(default_factory=Breaks)
    holds = Holds.MOST
    _open: list[tuple[Live, Preempting, Seen, str]] = field(default_factory=list[tuple[Live, Preempting, Seen, str]])
    """Stops within the limits whose instant may yet turn out to be one above them, each with its place."""

    def look(self, now: Now) -> None:
        if self._open and self._above(now, self._open[0][0]):
            self.stops += len(self._open)
            self._open = []
        self._settle(now)
        self.busy = self.busy or any(now.follow.used(self.share, u) for u in now.follow.shape().get(self.share, {}))

    def close(self, now: Now) -> None:
        for stop in self._open:
            self._judge(now, *stop)
        self._open = []

    def told(self, now: Now, job: Live, what: Preempting) -> None:
        if job.share != self.share or now.seen is None:
            return
        self._settle(now)
        if self._above(now, job) and not self.always:
            self.stops += 1
        elif self.always or now.ordered:
            self._judge(now, job, what, now.seen, now.place)
        else:
            self._open.append((job, what, now.seen, now.place))

    def _settle(self, now: Now) -> None:
        """Judge the stops whose time is over."""
        for stop in [s for s in self._open if s[2].until < now.at]:
            self._open.remove(stop)
            self._judge(now, *stop)

    def _above(self, now: Now, job: Live) -> bool:
        """Whether the share may hold more than a limit, if none of the open stops had been told yet."""
        limits = now.follow.shape().get(self.share, {})
        told = [stop[0] for stop in self._open]
        held = {u: now.follow.undrained(self.share, u) + sum(j.size.get(u, 0) for j in told) for u in job.size}
        return any(n > limits.get(u, 0) for u, n in held.items())

    def _judge(self, now: Now, job: Live, what: Preempting, seen: Seen, place: str) -> None:
        who = self._who(now, what)
        if who is By.ANYONE and self.by is By.OTHER_SHARES:
            return
        said = f"{called(job)} was told to stop at {instant(seen.at)}"
        if why := now.doubtful(seen.at, seen.until):
            self.breaks.doubt(why)
        elif who is None and self.by is By.OTHER_SHARES:
            self.breaks.doubt(f"{said}; whether it was for another share is in no record")
        else:
            within = "" if self.always else ", while the share was within its limits"
            self.breaks.add(said + within, place)

    def _who(self, now: Now, what: Preempting) -> By | None:
        """OTHER_SHARES; ANYONE for a job of the share itself; None where nobody knows."""
        if what.claimant is not None and (claimant := now.follow.live.get(what.claimant)) is not None:
            return By.ANYONE if claimant.share == self.share else By.OTHER_SHARES
        if what.kind is not None:
            return By.ANYONE if what.kind == "in-share" else By.OTHER_SHARES
        return None if now.follow.in_share(self.share) else By.OTHER_SHARES

    def results(self) -> Iterator[Result]:
        b = self.breaks
        if b.times:
            yield Result("", Verdict.BROKEN_HERE, f"broken {times(b.times)}: {b.said[0]}", self.share, more=tuple(b.said[1:]),
                         place=b.place, count=b.times)  # fmt: skip
        elif b.undecided:
            yield Result("", Verdict.UNKNOWN, f"not decided {times(b.undecided)}: {b.why}", self.share)
        elif self.stops:
            said = f"stopped {times(self.stops)}, each time while the share was above a limit"
            yield Result("", Verdict.KEPT, said, self.share, count=self.stops)
        elif self.busy:
            yield Result("", Verdict.KEPT, "none of its jobs was stopped", self.share, count=1)
        else:
            yield Result("", Verdict.NEVER_CAME_UP, "it had no job that could be stopped", self.share)


@dataclass
class StopsPerJob(Watch):
    """No job of the share comes back by itself after more stops; a stop that ends it is where somebody decides.

    What AWS counted before the history began counts too.
    """

    share: str
    at_most: int
    most: tuple[int, str] = (0, "")
    jobs: dict[str, int] = field(default_factory=dict[str, int])
    """Stops of each live job."""
    beyond: dict[str, str] = field(default_factory=dict[str, str])
    place: str = ""
    ended: int = 0
    """Jobs that a stop ended."""
    ran: bool = False

    def started(self, now: Now, job: Live) -> None:  # noqa: ARG002
        self.ran = self.ran or job.share == self.share

    def freed(self, now: Now, job: Live, *, stopped: bool) -> None:
        if job.share != self.share or not stopped:
            return
        what = now.seen.what if now.seen is not None else None
        said = what.count if isinstance(what, Preempted) else None
        if isinstance(what, Preempted) and (what.stage is Stage.FAILED or _spent(job, what)):
            self.ended += 1
            return
        stops = self.jobs[job.name] = max(self.jobs.get(job.name, 0) + 1, said or 0)
        if stops > self.most[0]:
            self.most = stops, called(job)
        if stops > self.at_most:
            self.place = self.place or now.place
            self.beyond[job.name] = f"{called(job)} {times(stops)}"

    def results(self) -> Iterator[Result]:
        if self.beyond:
            jobs = "1 job was" if len(self.beyond) == 1 else f"{len(self.beyond):,} jobs were"
            worst = f"{self.most[1]}, {times(self.most[0])}"
            because = f"{jobs} stopped more than {times(self.at_most)} and came back; worst: {worst}"
            yield Result("", Verdict.BROKEN_HERE, because, self.share, more=tuple(self.beyond.values())[:20],
                         place=self.place, count=len(self.beyond))  # fmt: skip
        elif self.most[0]:
            ended = f"; a stop ended {self.ended:,}" if self.ended else ""
            said = f"no job came back after more than {self.most[0]:,} stop{'' if self.most[0] == 1 else 's'}{ended}"
            yield Result("", Verdict.KEPT, said, self.share, count=len(self.jobs))
        elif self.ran:
            said = f"no job came back after a stop; a stop ended {self.ended:,}" if self.ended else "no job was stopped"
            yield Result("", Verdict.KEPT, said, self.share, count=1)
        else:
            yield Result("", Verdict.NEVER_CAME_UP, "no job of it ran", self.share)


def _spent(job: Live, what: Preempted) -> bool:
    """Whether the job had no retry left, where what became of it was not seen."""
    return what.stage is None and job.retries is not None and what.count is not None and what.count > job.retries


@dataclass
class StopTimes(Watch):
    """How long stops of one unit took, from when a job was told until its machines were free, against what is assumed."""

    unit: str
    assumed: int
    took: list[int] = field(default_factory=list[int])
    """At least, in milliseconds."""
    breaks: Breaks = field(default_factory=Breaks)
    _told: dict[str, Seen] = field(default_factory=dict[str, Seen])

    def told(self, now: Now, job: Live, what: Preempting) -> None:  # noqa: ARG002
        if self.unit in job.size and now.seen is not None:
            self._told[job.name] = now.seen

    def freed(self, now: Now, job: Live, *, stopped: bool) -> None:  # noqa: ARG002
        told = self._told.pop(job.name, None)
        if told is None or now.seen is None:
            return
        least, most = max(0, now.seen.at - told.until), now.seen.until - told.at
        self.took.append(least)
        if least > self.assumed and (why := now.doubtful(told.at, now.seen.until)):
            self.breaks.doubt(why)
        elif least > self.assumed:
            self.breaks.add(f"{called(job)} took {duration(least / 1000)} from {instant(told.at)} on", now.place, least)
        elif most > self.assumed:
            self.breaks.doubt(f"{called(job)} took {duration(least / 1000)} to {duration(most / 1000)}")

    def results(self) -> Iterator[Result]:
        b, assumed = self.breaks, duration(self.assumed / 1000)
        if not self.took:
            yield Result("", Verdict.NEVER_CAME_UP, "no job that held it was stopped", self.unit)
            return
        ordered = sorted(self.took)
        half, worst = (duration(ordered[k - 1] / 1000) for k in (ceil(len(ordered) / 2), len(ordered)))
        so = f"{len(ordered):,} stops took {half} (p50), {worst} (worst); {assumed} is assumed"
        if b.times:
            yield Result("", Verdict.BROKEN_HERE, so, self.unit, more=tuple(b.said), place=b.place, count=b.times)
        elif b.undecided:
            yield Result("", Verdict.UNKNOWN, f"{so}; {b.why}", self.unit)
        else:
            yield Result("", Verdict.KEPT, so, self.unit, count=len(ordered))
