"""A part of a history as a game to look at: what the queue was like when it begins, what was seen, what an audit finds.

The whole history up to the end of the part is judged, by the audit's judge. Claims that nobody saw are told as not known,
and so is what they would decide. Trusted: `judge.history`, `why.follow`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from io import StringIO
from itertools import islice
from typing import Any

from ...spec import events as ev
from ...spec import observations as ob
from ...spec.formats.errors import InputError
from ...spec.formats.trace import write_trace
from ...spec.model import EnvironmentCapacityLimit, QueueConfig, Stage, State
from ...spec.observations import History, Seen
from ...spec.readings import Readings
from ..audit.called import Called
from ..audit.words import instant, interval
from ..drawn import DATED
from ..judge.book import ENDED, HOLDING
from ..judge.history import judge_history
from ..judge.jobs import Entry
from ..why.follow import Following, groups
from .game import Game, Record

MOST = 1_000
"""Observations that are looked at at once."""
_AFTER = (Stage.STARTING, Stage.RUNNING)


def part(history: History, since: int | None = None, until: int | None = None) -> tuple[Game, tuple[str, ...]]:
    """The part of a history between two times, and which parts are not in it. Raises InputError."""
    seen = history.seen() if until is None else (one for one in history.seen() if one.at < until)
    every = list(seen)
    first = 0 if since is None else next((i for i, one in enumerate(every) if one.at >= since), len(every))
    shown = every[first : first + MOST]
    if not every and since is None and until is None:
        raise InputError("nothing of any job was seen", where=history.config.job_queue_name,
                         why="What was read says how the queue was configured, and nothing of its jobs.",
                         fix="open it together with EventBridge's events, or answers of describe-service-job.")  # fmt: skip
    if not shown:
        raise InputError("nothing was seen in that time", where=history.config.job_queue_name,
                         why=_span(every), fix="choose another part with --since and --until.")  # fmt: skip
    end = first + len(shown)
    judged = judge_history(replace(history, seen=lambda: islice(iter(every), end)), Readings())
    config, opening = _opening(history, every[:first]) if first else (history.config, [])
    called = Called(history, hidden=False)
    text = StringIO()
    named = [_named(one, called) for one in (*opening, *shown)]
    write_trace(text, config, named, ordered=history.ordered, claims=history.claims and not first)
    faults = tuple(
        (f.number - first + len(opening), f.code, called.text(f.sentence)) for f in judged.faults if f.number >= first
    )
    unknown = {**judged.unseen, **{code: why for code, (_, why) in judged.undecided.items()}}
    came_up = {code: max(0, judged.first[code] - first + len(opening)) for code in judged.exercised}
    record = Record(text.getvalue(), len(opening), faults, came_up, unknown)
    times = interval(shown[0].at, shown[-1].at)
    game = Game(config.job_queue_name, config, history=record, about=f"Seen from {times}.")
    return game, (_later(every[first:]),) if end < len(every) else ()


def _later(every: Sequence[Seen]) -> str:
    """What comes after those that are looked at, and what shows it."""
    at = every[MOST].at // 1000 * 1000
    then, dated = instant(at), at >= DATED
    since = then.replace(" ", "T") if dated else f"'{then}'"
    return (
        f"observations {MOST + 1:,} to {len(every):,}, from {then}{' UTC' if dated else ''} on: "
        f"`quotaproof play ... --since {since}` looks at the next {MOST:,}, "
        "`quotaproof audit ... --report html=FILE` draws all of them"
    )


def _span(every: Sequence[Seen]) -> str:
    if not every:
        return "There are no observations up to then."
    return f"Observations are from {interval(every[0].at, every[-1].at)}."


def _opening(history: History, before: Sequence[Seen]) -> tuple[QueueConfig, list[Seen]]:
    """The configuration in force after these observations, and observations that lead to the same state at once."""
    state = Following(history.config, Readings(), claims_known=history.claims)
    for group in groups(replace(history, seen=lambda: iter(before))):
        explained = len(state.unexplained)
        for seen in group:
            state.take(seen)
        state.again(explained)
    now, at = state.book.now, before[-1].at
    limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in now.capacity.items())
    switched = State.ENABLED if now.environment_enabled else State.DISABLED
    environment = history.config.environment.model_copy(update={"capacity_limits": limits, "state": switched})
    config = history.config.model_copy(update={"environment": environment, "shares": tuple(now.shares.values())})
    whats = [what for job in state.book.jobs.values() if job.stage not in ENDED for what in _again(job)]
    whats += [ev.DeleteShare(share) for share in sorted(now.deleting)]
    if not now.queue_enabled:
        whats.append(ev.SetQueueState(State.DISABLED))
    return config, [Seen(at, at, what) for what in whats]


def _again(job: Entry) -> Iterator[ob.Observation]:
    """Observations that lead to a job as it is."""
    yield ob.Submitted(job.name, job.share, job.size, job.priority, job.retries, job.retries_known)
    if job.preemptions:
        yield ev.Dispatch(job.name)
        yield ob.Preempted(job.name, Stage.RUNNABLE, job.preemptions)
    if job.stage in HOLDING:
        yield ev.Dispatch(job.name)
        if job.stage in _AFTER:
            yield ob.Reached(job.name, job.stage)
        elif job.stage is Stage.DRAINING:
            yield ob.Preempting(job.name)


def _named(seen: Seen, called: Called) -> Seen:
    """The observation with jobs by the names that people gave them."""
    what: Any = seen.what
    named: dict[str, Any] = {}
    for f in fields(what):
        value = getattr(what, f.name)
        if f.name in ("job", "claimant") and isinstance(value, str):
            named[f.name] = called.text(value)
        elif f.name == "victims":
            named[f.name] = tuple(map(called.text, value))
    return replace(seen, what=replace(what, **named)) if named else seen
