"""How long the head of a share waited: for machines that are promised to it, or until somebody else's were idle.

A wait begins when the share's first waiting job asks for no more than what is promised, beside what the share holds. It
ends when that job starts, or when it no longer is so. Of each wait the least and the most that it may have taken are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ...results import Result, Verdict
from ..jobs import Live
from ..words import duration, instant
from .watch import Breaks, Holds, Now, Watch, times


@dataclass
class Wait:
    """One head that waits."""

    job: Live
    earliest: int
    latest: int
    """It began to wait between these."""
    lacks: int | None = None
    """Since when it has not fitted, at the latest; None while it fits."""
    lacked: int = 0
    """For how long it did not, at least."""

    def see(self, now: Now, *, fits: bool) -> None:
        if fits and self.lacks is not None:
            self.lacked += max(0, now.earliest - self.lacks)
            self.lacks = None
        elif not fits and self.lacks is None:
            self.lacks = now.latest

    def until(self, earliest: int, latest: int) -> tuple[int, int, int]:
        """It ends between these: how long it waited at least and at most, and for how long at least it did not fit."""
        least = max(0, earliest - self.latest)
        lacked = self.lacked + (0 if self.lacks is None else max(0, earliest - self.lacks))
        return least, max(least, latest - self.earliest), lacked


@dataclass
class Heads(Watch):
    """Heads of one share that stay within what is promised, by what it holds then (`Gets`, `Fits`).

    `amounts`: unit -> machines; None: the limits in force. `within`: milliseconds; 0: none ever lacks a machine; None:
    each of them starts.
    """

    share: str
    amounts: Mapping[str, int] | None
    within: int | None
    waits: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Of those that started: at least and at most, in milliseconds."""
    lacked: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The same of those that did not fit for a time."""
    breaks: Breaks = field(default_factory=Breaks)
    due: int = 0
    still: list[int] = field(default_factory=list[int])
    """Of those that lack something and wait at the end: for how long, at least."""
    worst: tuple[int, str, str] = (0, "", "")
    """The longest wait at least, its job and its time."""
    _wait: Wait | None = None

    def covers(self, now: Now, job: Live) -> bool:
        """Whether what the job asks is promised."""
        follow = now.follow
        promised = self.amounts if self.amounts is not None else follow.shape().get(self.share, {})
        return all(follow.used(self.share, u) + n <= promised.get(u, 0) for u, n in job.size.items())

    def look(self, now: Now) -> None:
        head = now.follow.head(self.share) if now.follow.starts(self.share) else None
        if head is not None and not self.covers(now, head):
            head = None
        if self._wait is not None and self._wait.job is not head:
            self._judge(now, *self._wait.until(now.earliest, now.latest), self._wait.job, started=False)
            self._wait = None
        if head is not None:
            if self._wait is None:
                self._wait = Wait(head, now.earliest, now.latest)
            self._wait.see(now, fits=now.follow.conditions(head)[1])

    def started(self, now: Now, job: Live) -> None:
        if job.share != self.share or now.seen is None:
            return
        wait, self._wait = self._wait, None
        if wait is not None and wait.job is job:
            found = wait.until(now.seen.at, now.seen.until)
        elif self.covers(now, job):
            found = 0, 0, 0
        else:
            self._wait = wait
            return
        self.waits.append(found[:2])
        if found[2]:
            self.lacked.append(found[:2])
        self._judge(now, *found, job, started=True)

    def close(self, now: Now) -> None:
        if self._wait is not None:
            found = self._wait.until(now.at, now.at)
            self.still += [found[0]] if found[2] else []
            self.due += not self._judge(now, *found, self._wait.job, started=False)
            self._wait = None

    def _judge(self, now: Now, least: int, most: int, lacked: int, job: Live, *, started: bool) -> bool:
        """Whether a wait that is over, or as long as it has been, breaks the promise or may do so."""
        end = now.seen.at if started and now.seen is not None else now.earliest
        if least > self.worst[0]:
            self.worst = least, called(job), instant(end)
        if self.within is None:
            return False
        late = lacked if self.within == 0 else least
        over = lacked > 0 if self.within == 0 else least > self.within
        if over and (why := now.doubtful(end - most, end)):
            self.breaks.doubt(why)
        elif over:
            did = f"started at {instant(end)}" if started else f"had not started by {instant(end)}"
            what = "did not fit for" if self.within == 0 else "waited"
            self.breaks.add(f"{called(job)} {what} {duration(late / 1000)} and {did}", now.place, late)
        elif started and self.within and most > self.within:
            self.breaks.doubt(f"{called(job)} waited {duration(least / 1000)} to {duration(most / 1000)}")
            return True
        return over

    def results(self) -> Iterator[Result]:
        b, came = self.breaks, len(self.waits)
        slowest = f"{times(came)}; the longest wait was {duration(self.worst[0] / 1000)}"
        if self.worst[1]:
            slowest += f" ({self.worst[1]}, {self.worst[2]})"
        if b.times:
            of = f" of {came}" if came >= b.times else ""
            yield Result("", Verdict.BROKEN_HERE, f"broken {times(b.times)}{of}: {b.said[0]}", self.share,
                         more=tuple(b.said[1:]), place=b.place, count=b.times)  # fmt: skip
        elif b.undecided:
            yield Result(
                "", Verdict.UNKNOWN, f"not decided {times(b.undecided)}: {b.why}", self.share, count=b.undecided
            )
        elif came:
            yield Result("", Verdict.KEPT, f"kept {slowest}", self.share, count=came)
        elif not self.due:
            yield Result("", Verdict.NEVER_CAME_UP, "no job of it waited for what is promised", self.share)
        if self.due and not b.times:
            heads = "1 job was" if self.due == 1 else f"{self.due} jobs were"
            yield Result("", Verdict.PENDING, f"{heads} still waiting for it at the end", self.share, count=self.due)


@dataclass
class Idle(Watch):
    """For how long machines that may be lent were idle while a share that may borrow waited for them.

    Its head asks for this unit alone, and for no more than would be there for it if it had no borrow limit.
    """

    share: str
    unit: str
    at_most: int
    breaks: Breaks = field(default_factory=Breaks)
    longest: tuple[int, str] = (0, "")
    waited: int = 0
    """Heads that waited for the unit."""
    _since: tuple[int, int] | None = None
    _last: Live | None = None
    holds = Holds.MOST

    def look(self, now: Now) -> None:
        head = now.follow.head(self.share) if now.follow.starts(self.share) else None
        if head is not None and (set(head.size) != {self.unit} or not now.follow.may_borrow(self.share)):
            head = None
        if head is not None and head is not self._last:
            self.waited += 1
        self._last = head
        idle = head is not None and now.follow.conditions(head, unlimited=True)[1]
        if idle and self._since is None:
            self._since = now.earliest, now.latest
        elif not idle:
            self._over(now, now.earliest, now.latest)

    def close(self, now: Now) -> None:
        self._over(now, now.at, now.at)

    def _over(self, now: Now, earliest: int, latest: int) -> None:
        if self._since is None:
            return
        began, self._since = self._since, None
        least, most = max(0, earliest - began[1]), latest - began[0]
        if least > self.longest[0]:
            self.longest = least, instant(began[1])
        said = f"{duration(least / 1000)} from {instant(began[1])} on"
        if least > self.at_most and (why := now.doubtful(began[0], latest)):
            self.breaks.doubt(why)
        elif least > self.at_most:
            self.breaks.add(said, now.place, least)
        elif most > self.at_most:
            self.breaks.doubt(f"{duration(least / 1000)} to {duration(most / 1000)} from {instant(began[0])} on")

    def results(self) -> Iterator[Result]:
        b, subject = self.breaks, f"{self.share}, {self.unit}"
        if b.times:
            yield Result("", Verdict.BROKEN_HERE, f"broken {times(b.times)}: idle for {b.said[0]}", subject,
                         more=tuple(b.said[1:]), place=b.place, count=b.times)  # fmt: skip
        elif b.undecided:
            yield Result("", Verdict.UNKNOWN, f"not decided {times(b.undecided)}: idle for {b.why}", subject)
        elif self.longest[0]:
            so = f"idle for at most {duration(self.longest[0] / 1000)} (from {self.longest[1]} on)"
            yield Result("", Verdict.KEPT, so, subject, count=self.waited)
        elif self.waited:
            yield Result("", Verdict.KEPT, f"nothing that may be lent was idle while it waited, {times(self.waited)}", subject,
                         count=self.waited)  # fmt: skip
        else:
            yield Result("", Verdict.NEVER_CAME_UP, "no job of it waited for one", subject)


def called(job: Live) -> str:
    """The job by the name that its owner gave it."""
    return job.facts.name or job.name
