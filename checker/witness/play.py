"""Play a scenario on the specification and on the reference scheduler at once, step by step.

Every event is judged on the judge's own book before it is recorded; the reference is driven through the same events, and
where it would choose otherwise that is said. What a witness claims (`Breaks`) is checked here and nowhere else: a
witness that does not show what it says is not shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ...reference.apply import apply
from ...reference.plan import plan
from ...reference.policy import Policy
from ...reference.queue import Queue
from ...reference.run import GoesRound, settle
from ...spec import events as ev
from ...spec.formats.scenario import Breaks, Expect, Scenario, Settle, Step
from ...spec.model import Stage
from ...spec.observations import Seen, Settled, observed
from ..judge.book import ENDED, Book, Impossible
from ..judge.jobs import Entry
from ..judge.rest import at_rest
from ..judge.rules import entitled, short_of_loans
from ..judge.start import fits, heads, refusal, situation
from ..judge.stepwise import Violation, judge
from ..judge.unpromised import Unpromised, unpromised
from .compared import otherwise, unmet

_SECOND = 1000


@dataclass
class Line:
    """One event of a play."""

    number: int
    """Of the scenario's step, from 1; a settle has several lines with its number."""
    event: ev.Event | None
    violation: Violation | None = None
    note: str = ""
    """What the reference would have chosen, or what an expectation found wrong."""
    usage: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    """The share of the event's job -> unit -> instances after the event."""


@dataclass
class Played:
    """A scenario, played."""

    scenario: Scenario
    lines: list[Line] = field(default_factory=list[Line])
    wrong: list[str] = field(default_factory=list[str])
    """Expectations that were not met, or why the witness does not show what it says."""
    shows: bool = False
    """True when `breaks` is confirmed, or that the promise is broken."""
    unconfirmed: str = ""
    """The last of `wrong`, where it is why the witness does not show what it says."""
    unusable: str = ""
    """Why the play could not go on: a step names a job or share that is not there."""
    because: str = ""
    """The first false clause that keeps the suffering job waiting at the end, with its numbers."""
    seen: list[Seen] = field(default_factory=list[Seen])
    """What was seen, one second a step; `Settled` at the end where nobody has anything left to do."""
    unserved: Violation | None = None
    """What a scheduler that stops at that end breaks."""
    unpromised: list[Unpromised] = field(default_factory=list[Unpromised])
    """What guarantees do not say of jobs that wait when it ends."""

    @property
    def violations(self) -> list[Violation]:
        return [line.violation for line in self.lines if line.violation is not None]


class Player:
    """The state of one play: the judge's book and the reference's queue, fed the same events."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.played = Played(scenario)
        self.book = Book(scenario.config, scenario.readings)
        self.policy = Policy.of(scenario.readings)
        self.queue = Queue(scenario.config, scenario.readings)
        self._preempted: list[str] = []
        self._start: tuple[object, ...] | None = None
        self._loop: list[tuple[ev.Event, bool]] = []
        """Events since the loop began, and whether the suffering job's share could act before each."""

    def play(self) -> Played:
        """Play all steps. An event that is impossible ends the play."""
        for number, step in enumerate(self.scenario.steps, 1):
            if number == self.scenario.repeats_from:
                self._start = signature(self.book)
            try:
                self._step(number, step)
            except (Impossible, GoesRound) as error:
                self.played.wrong.append(f"step {number}: {error}")
                if isinstance(error, Impossible):
                    self.played.unusable = self.played.wrong[-1]
                return self.played
        if self.scenario.breaks is not None and not self.played.wrong:
            self._confirm(self.scenario.breaks)
        if self.scenario.promise and not self.played.wrong:
            self._confirm_promise(self.scenario)
        self._rest()
        self.played.unpromised = list(unpromised(self.book))
        return self.played

    def _rest(self) -> None:
        """Say at the end that nobody has anything left to do, where that is so."""
        seen = self.played.seen
        if (
            seen
            and not isinstance(seen[-1].what, Settled)
            and next(settle(self.queue.copy(), self.policy), None) is None
        ):
            at = _SECOND * len(self.scenario.steps)
            seen.append(Seen(at, at, Settled()))
            self.played.unserved = at_rest(self.book)

    def _step(self, number: int, step: Step) -> None:
        if isinstance(step, Expect):
            wrong = list(unmet(self.book, self.queue, step, self._preempted))
            self.played.wrong.extend(f"step {number}: {w}" for w in wrong)
            self.played.lines.append(Line(number, None, note="; ".join(wrong) or "as expected"))
            self._preempted.clear()
        elif isinstance(step, Settle):
            for event in settle(self.queue, self.policy, drains=step.drains):
                self._record(number, event, "")
            self.played.seen.append(Seen(_SECOND * number, _SECOND * number, Settled()))
        else:
            note = otherwise(self.book, self.queue, self.policy, step)
            self._record(number, step, note)
            apply(self.queue, step)

    def _record(self, number: int, event: ev.Event, note: str) -> None:
        violation = judge(self.book, event)
        if self._start is not None:
            self._loop.append((event, self._could_act()))
        self.book.record(event)
        self.played.seen.extend(observed(_SECOND * number, event, self.book.jobs))
        if isinstance(event, ev.Claim):
            self._preempted.extend(event.victims)
        self.played.lines.append(Line(number, event, violation, note, self._usage(event)))

    def _usage(self, event: ev.Event) -> dict[str, dict[str, int]]:
        named = getattr(event, "job", None)
        if named not in self.book.jobs:
            return {}
        share = self.book.jobs[named].share
        return {share: self.book.in_use(share)}

    def _confirm(self, breaks: Breaks) -> None:
        how = {"step": self._by_step, "stuck": self._stuck, "lasso": self._lasso, "circle": self._circle}[breaks.how]
        wrong = how(breaks)
        self.played.shows = not wrong
        job = self.book.jobs.get(breaks.job)
        false = refusal(self.book, job) if job is not None and job.stage is Stage.RUNNABLE else None
        self.played.because = false.sentence if false else ""
        if wrong:
            self.played.unconfirmed = wrong
            self.played.wrong.append(wrong)

    def _confirm_promise(self, scenario: Scenario) -> None:
        """Every expectation was met; the last one is what breaks the promise."""
        last = scenario.steps[-1] if scenario.steps else None
        self.played.shows = isinstance(last, Expect) and not self.played.violations
        if not self.played.shows:
            why = "a step breaks a promise itself" if self.played.violations else "it does not end with an expectation"
            self.played.unconfirmed = f"it does not show that {scenario.promise} is broken: {why}"
            self.played.wrong.append(self.played.unconfirmed)

    def _by_step(self, breaks: Breaks) -> str:
        last = self.played.lines[-1].violation if self.played.lines else None
        if last is None or last.code != breaks.guarantee:
            return f"the last step does not break {breaks.guarantee}"
        return "an earlier step breaks a promise" if len(self.played.violations) > 1 else ""

    def _stuck(self, breaks: Breaks) -> str:
        if self.played.violations:
            return f"a step breaks a promise itself: {self.played.violations[0]}"
        job = self._waiting(breaks)
        if job is None:
            return f"{breaks.job} does not wait as the entitled head of its share"
        if fits(self.book, job):
            return f"{breaks.job} may start"
        if any(self.book.draining()):
            return "victims are still draining"
        if not situation(self.book, job).holds(short_of_loans):
            false = refusal(self.book, job)
            shortage = false is not None and false.code.split(".")[1] in ("environment", "reserved", "pool")
            other = f"{breaks.job} waits for another reason: {false.sentence}" if false else ""
            return f"the other shares borrow what {breaks.job} lacks" if shortage else other
        copy = self.queue.copy()
        for step in settle(copy, self.policy):
            if isinstance(step, ev.Dispatch | ev.Claim) and step.job == breaks.job:
                return f"the reference serves {breaks.job}: {ev.describe(step)}"
        return ""

    def _lasso(self, breaks: Breaks) -> str:
        if self.played.violations:
            return f"a step breaks a promise itself: {self.played.violations[0]}"
        if self._start is None or signature(self.book) != self._start:
            return "the state after the last step is not that before the repeated steps"
        if self._waiting(breaks) is None:
            return f"{breaks.job} does not wait as the entitled head of its share"
        events = [event for event, _ in self._loop]
        if any(isinstance(e, ev.ADMINISTRATOR) for e in events):
            return "an administrator acts in the loop"
        if any(isinstance(e, ev.Dispatch) and e.job == breaks.job for e in events):
            return f"{breaks.job} is dispatched in the loop"
        acts = any(isinstance(e, ev.Claim) and e.job == breaks.job for e in events)
        if not acts and all(could for _, could in self._loop):
            return f"{breaks.job} could act throughout the loop and never does: the scheduler only forgets it"
        return self._drains_end(events)

    def _circle(self, _breaks: Breaks) -> str:
        if self.played.violations:
            return f"a step breaks a promise itself: {self.played.violations[0]}"
        if self._start is None or signature(self.book) != self._start:
            return "the state after the last step is not that before the repeated steps"
        events = [event for event, _ in self._loop]
        if not events or not all(isinstance(e, (*ev.SCHEDULER, ev.Stopped)) for e in events):
            return "somebody else than scheduler and drains acts in the loop"
        if not any(isinstance(e, ev.Claim) for e in events):
            return "nobody is preempted in the loop"
        return self._drains_end(events)

    def _drains_end(self, events: list[ev.Event]) -> str:
        told = {v for e in events if isinstance(e, ev.Claim) for v in e.victims}
        ended = {e.job for e in events if isinstance(e, ev.Stopped | ev.Finish | ev.Terminate)}
        forever = [j.name for j in self.book.draining() if j.name not in told | ended]
        return "a victim drains for ever in the loop" if forever else ""

    def _waiting(self, breaks: Breaks) -> Entry | None:
        job = self.book.jobs.get(breaks.job)
        if job is None or job not in heads(self.book, job.share) or not situation(self.book, job).holds(entitled):
            return None
        return job

    def _could_act(self) -> bool:
        breaks = self.scenario.breaks
        if breaks is None or breaks.job not in self.book.jobs:
            return False
        job = self.book.jobs[breaks.job]
        waits = job.stage is Stage.RUNNABLE and not fits(self.book, job)
        return not waits or plan(self.queue, self.policy, self.queue.jobs[breaks.job]) is not None


def signature(book: Book) -> tuple[object, ...]:
    """The book's state up to the names of jobs: two equal ones have the same future.

    A drain counts by the claims that wait for it; a label (A13 a), a stop before the start (A38 no) and what a claim's
    victims have freed (A58 freed) only where a reading looks at them.
    """
    labels, starts = book.readings["A13"] == "a", book.readings["A38"] == "no"
    counts = book.readings["A58"] == "freed"

    def job(j: Entry) -> tuple[object, ...]:
        waited = sum(p.number >= j.claim for p in book.promises) if j.stage is Stage.DRAINING else 0
        left = -1 if j.retries is None else min(j.preemptions, j.retries + 1)
        label = tuple(sorted(j.borrowed.items())) if labels else ()
        early = starts and j.was_scheduled and j.stage is Stage.DRAINING
        claims = book.promise(j.name) is not None
        return j.share, tuple(sorted(j.size.items())), j.priority, j.stage, claims, left, label, early, waited

    jobs = sorted(job(j) for j in book.jobs.values() if j.stage not in ENDED)
    claims = tuple((p.job.share, tuple(sorted(p.freed)) if counts else ()) for p in book.promises)
    now = book.now
    shares = tuple(
        (name, s.canonical().model_dump_json(), name in now.deleting) for name, s in sorted(now.shares.items())
    )
    return tuple(jobs), claims, shares, tuple(sorted(now.capacity.items())), now.environment_enabled, now.queue_enabled


def play(scenario: Scenario) -> Played:
    """The scenario, played to its end."""
    return Player(scenario).play()
