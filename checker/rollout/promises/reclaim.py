"""Promises of getting machines: at once, by one round of stops, or whenever others are busy.

At once is a question of states alone. Else a job that does not fit waits for stops, and then Theorem R decides: where the
share is entitled and others borrow what it lacks, one claim serves it, so that it waits as long as one round of stops
takes. Readings outside the theorem break it only by a job sequence that is played here for this share and this size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeAlias

from ....spec.expr.nodes import Bool
from ....spec.formats.scenario import Scenario
from ....spec.model import QuotaShare, State
from ....spec.promises import Promise
from ....spec.rules.commitments import Bound
from ....spec.rules.view import Share, Unit, View
from ...findings.table import Lot
from ...promised import How
from ...prove.numbers import PATTERNS, TRIES, Numbers, Pattern
from ...prove.reclaim import ASSUMES, NEEDS
from ...prove.solver import Answer
from ...report.amounts import length
from ...results import Combination, Result, Verdict
from ...witness.find import Ground
from ...witness.play import play
from .answers import Answered, answered, minimal, result
from .case import Case, Judgement
from .demands import held_too, slower
from .envelope import Proved, Question, Reached, Undecided
from .scenarios import MOST_STEPS, Stage
from .words import asked, in_use

Bad: TypeAlias = Callable[[View, Share, tuple[Bound, ...]], Bool]


@dataclass(frozen=True)
class Wanted:
    """What a share is promised to get, and the two ways in which a state can break that."""

    share: QuotaShare
    units: tuple[Unit, ...]
    bounds: tuple[Bound, ...]
    says: str
    """The amount, in words."""
    not_at_once: Bad
    not_by_stops: Bad

    @property
    def subject(self) -> str:
        return ", ".join((self.share.name, *self.units)) if len(self.units) == 1 else self.share.name

    def asks(self, bad: Bad) -> Question:
        name = self.share.name
        return Question(self.units, lambda view: bad(view, name, self.bounds), about=(name,))


def judged(case: Case, promise: Promise, wanted: Wanted, within: int | None) -> Judgement:
    """Whether it comes within so many milliseconds; 0 is at once, None whenever the job is first of its share."""
    stops = max((case.promises.stop_takes.get(u, 0) for u in wanted.units), default=0)
    unstated = [u for u in wanted.units if u not in case.promises.stop_takes]
    slow = within is not None and stops > within
    question = wanted.asks(wanted.not_at_once if within == 0 or slow else wanted.not_by_stops)
    answer = answered(case.envelopes, question)
    if isinstance(answer.found, Reached):
        return _refuted(case, promise, wanted, answer, answer.found, within, stops)
    if isinstance(answer.found, Proved) and within != 0 and not slow:
        soon = case.envelopes.in_force.can(wanted.asks(wanted.not_at_once))
        if soon is not Answer.REFUTED:
            late = _late(case, promise, wanted, within)
            if isinstance(late, Judgement):
                return late
            answer = replace(answer, breaks=minimal((*answer.breaks, *late)))
            return _by_stops(case, promise, wanted, answer, within, stops, unstated)
    because = f"{wanted.says}: {_at_once(case, wanted)}{_disabled(wanted.share)}"
    return Judgement(How.PROVED, result(promise.code, wanted.subject, answer, because=because, broken=""))


def _refuted(
    case: Case, promise: Promise, wanted: Wanted, answer: Answered, found: Reached, within: int | None, stops: int
) -> Judgement:  # fmt: skip
    """Shown in a state in which it waits for ever, where there is one."""
    worse = case.envelopes.in_force.reach(wanted.asks(wanted.not_by_stops))
    ever = isinstance(worse, Reached)
    state = worse if isinstance(worse, Reached) else found
    why = f"{in_use(state)}: {asked(state, wanted.share.name)} waits"
    if ever:
        why += _for_ever(case, wanted, state)
    else:
        why += " until borrowed jobs have stopped" + (f": {length(stops)} > {length(within)}" if within else "")
    stage = Stage(case.config, case.readings, promise.code, promise.says)
    made = result(promise.code, wanted.subject, answer, because="", broken=why + _disabled(wanted.share))
    return shown(made, stage.waits(state, drains=ever, because=why))


def _late(case: Case, promise: Promise, wanted: Wanted, within: int | None) -> Judgement | tuple[Combination, ...]:
    """Refuted, or not decided, by a unit that a job which is stopped may hold as well and of which a stop takes too long;
    else the changes of readings under which it would be."""
    breaks: list[Combination] = []
    late = () if within is None else slower(case.promises, case.config, wanted.bounds, within)
    for unit in late:
        also = answered(case.envelopes, held_too(wanted.not_at_once, wanted.share.name, wanted.bounds, unit))
        if isinstance(also.found, Proved):
            breaks += also.breaks
            continue
        takes = case.promises.stop_takes.get(unit)
        if isinstance(also.found, Undecided) or takes is None:
            why = f"a job that is stopped for it may hold {unit} as well, and no stop time of {unit} is stated: "
            why += f"write assume: {{stop_takes: {{{unit}: 10m}}}}"
            why = also.found.reason if isinstance(also.found, Undecided) else why
            return Judgement(How.PROVED, Result(promise.code, Verdict.UNKNOWN, why, wanted.subject))
        why = f"{in_use(also.found)}, perhaps in one job: {asked(also.found, wanted.share.name)} waits until it has stopped: "
        why += f"{length(takes)} > {length(within or 0)}"
        made = result(promise.code, wanted.subject, also, because="", broken=why)
        stage = Stage(case.config, case.readings, promise.code, promise.says)
        return shown(made, stage.waits(also.found, drains=False, because=why, whole=True))
    return tuple(breaks)


def shown(made: Result, scenario: Scenario | None) -> Judgement:
    """The refutation with its scenario; without one that shows it when played, nothing is said."""
    if scenario is None:
        return Judgement(
            How.PROVED,
            Result(made.code, Verdict.UNKNOWN, f"{made.because}; no scenario shows it", made.subject, more=made.more),
        )
    return Judgement(How.PROVED, made, scenario)


def _for_ever(case: Case, wanted: Wanted, found: Reached) -> str:
    """Why nobody is stopped for the job."""
    config, name = case.config, wanted.share.name
    for (share, unit), n in found.asks.items():
        limit, has = wanted.share.limits.get(unit, 0), found.usage.get((share, unit), 0)
        if unit not in config.environment.capacity:
            return f": the environment has no {unit} (rule 13)"
        if has + n > limit:
            return f": {has + n} {unit} are beyond its limit of {limit}"
    stopped = any(
        name == config.shares[i].name for lot in case.envelopes.lots for i in lot.stopped if lot.unit in wanted.units
    )
    return ": nothing starts (DISABLED)" if stopped else ", and nobody borrows"


def _disabled(share: QuotaShare) -> str:
    off = share.state is State.DISABLED
    return "; it is DISABLED and takes no new jobs (rule 50): judged for those it has" if off else ""


def _at_once(case: Case, wanted: Wanted) -> str:
    """Why nobody can be in the way."""
    if not wanted.units or all(b.most == 0 for b in wanted.bounds):
        return "nothing is promised"
    i = case.config.shares.index(wanted.share)
    kept = [lot.grants[i].kept for lot in case.envelopes.lots if lot.unit in wanted.units]
    if all(b.counts_machines for b in wanted.bounds) and all(
        b.most <= k for b, k in zip(wanted.bounds, kept, strict=True)
    ):
        return (
            f"at once, kept for it: {', '.join(f'{b.most} <= {k}' for b, k in zip(wanted.bounds, kept, strict=True))}"
        )
    return "at once, whatever the others use"


# by stops


def _by_stops(
    case: Case, promise: Promise, wanted: Wanted, answer: Answered, within: int | None, stops: int, unstated: list[Unit]
) -> Judgement:  # fmt: skip
    def unknown(why: str) -> Judgement:
        return Judgement(How.PROVED, Result(promise.code, Verdict.UNKNOWN, why, wanted.subject))

    if fails := case.proofs.reclaim_fails():
        return unknown(f"Theorem R: {fails}")
    if within is not None and unstated:
        return unknown(
            f"it waits for borrowed jobs to stop, and no stop time of {', '.join(unstated)} is stated: "
            f"write assume: {{stop_takes: {{{unstated[0]}: 10m}}}}"
        )
    numbers = Numbers.of(case.config, case.readings)
    found = list(_interrupted(case, numbers, wanted))
    against = next((f for f in found if numbers.is_asked(f[0])), None)
    if against is not None:
        why = f"{wanted.says}: {against[1].about}"
        made = Result(promise.code, Verdict.BROKEN_IF, why, wanted.subject, (against[0],), asked=True)
        return Judgement(How.PROVED, made, against[1])
    outside = [f"{c}={v}" for c, allowed in NEEDS.items() if (v := numbers.assumed(c)) and v not in allowed]
    if outside:
        return unknown(f"{', '.join(outside)} is outside Theorem R, and no job sequence is known here that breaks it")
    time = "" if within is None else f"; one round of stops, {length(stops)} <= {length(within)}"
    because = f"{wanted.says}: {_sure(case, wanted)}, by stopping borrowed jobs{time}{_disabled(wanted.share)}"
    made = result(promise.code, wanted.subject, answer, because=because, broken="",
                  breaks=tuple(combination for combination, _ in found), assumes=ASSUMES)  # fmt: skip
    return Judgement(How.PROVED, made)


def _sure(case: Case, wanted: Wanted) -> str:
    i = case.config.shares.index(wanted.share)
    sure = {lot.unit: lot.sure(i) for lot in case.envelopes.lots}
    said = [f"{b.most} <= {sure[u]} sure" for b in wanted.bounds if b.counts_machines for u in b.weights]
    return ", ".join(said) or "Theorem R"


def _interrupted(case: Case, numbers: Numbers, wanted: Wanted) -> Iterator[tuple[Combination, Scenario]]:
    """Combinations of readings under which a job of the share never gets its own back here, each with its play."""
    i = case.config.shares.index(wanted.share)
    found: list[Combination] = []
    for pattern in PATTERNS:
        if case.in_force and not numbers.is_asked(pattern.readings):
            continue
        if any(f.items() <= pattern.readings.items() for f in found) or not numbers.still_open((pattern.readings,)):
            continue
        made = next(
            (s for lot in numbers.lots if lot.unit in wanted.units for s in _plays(case, pattern, lot, i, wanted)), None
        )
        if made is not None:
            found.append(pattern.readings)
            yield pattern.readings, made


def _plays(case: Case, pattern: Pattern, lot: Lot, owner: int, wanted: Wanted) -> Iterator[Scenario]:
    if owner not in pattern.owners(lot):
        return
    size = next((b.most // b.weights[lot.unit] for b in wanted.bounds if b.weights.get(lot.unit)), 0)
    ground = Ground(case.config, lot, case.readings.assuming(pattern.readings), size)
    for made in islice(pattern.build(ground, pattern.name.removesuffix(".json"), owner), TRIES):
        if size and made is not None and len(made.steps) <= MOST_STEPS and play(made).shows:
            yield made
