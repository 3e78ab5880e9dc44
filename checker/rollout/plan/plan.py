"""`plan`: a change of a queue to one stream of events. Where comparison, promises, order, running jobs and commands meet.

What the old configuration has wrong already is told and does not count: a plan is about what the change does. Nothing
here judges.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from time import perf_counter

from ....spec.changes import Edit, after
from ....spec.formats.changes import Change
from ....spec.formats.scenario import as_form
from ....spec.model import MAX_SHARES, QueueConfig
from ....spec.observations import History, known_names
from ....spec.promises import Promises
from ....spec.readings import Readings
from ...findings.table import lots
from ...planned import LOSSES, Direction, Ordered, Overview, Planned, PromiseChange, ShareChange, UnitChange, Written
from ...promised import How, Promised
from ...prove.solver import Solver
from ...prove.theorems import Proofs, prove
from ...results import Began, Ended, Event, Result, Source, Verdict, Witness
from ...verify import disabled, sources_of
from ..promises.case import Case
from . import kept
from .commands import Command, commands, folder, what
from .compare import compare
from .examples import Examples
from .findings import no_order, weaker
from .fresh import Fresh
from .gives import Wishes
from .order import Order, order
from .places import places
from .running import Now, affected

_NOTHING = Promises(())
_ARN = re.compile(r"arn:\S+/")


def plan(
    change: Change,
    readings: Readings,
    *,
    running: History | None = None,
    today: date,
    wishes: Wishes | None = None,
    timeout: float | None = None,
    out: str = "",
) -> Iterator[Event]:
    """Judge the change. `running`: what is known of the jobs of the queue. `wishes` are asked of the new configuration.
    The requests go to the folder `out`.

    `timeout` bounds the solver, in seconds, for each configuration. `today` is the day on which the
    change is announced.
    """
    start = perf_counter()
    made = _Plan(change, readings, running, today, timeout, out)
    yield made.began()
    yield made.overview()
    yield from made.shares()
    yield from made.promises()
    if made.now is not None:
        yield from affected(made.now, made.old, made.new, readings, made.owners)
    if len(made.new.shares) > MAX_SHARES >= len(made.old.shares):
        yield from places(made.old, made.new, made.now, made.owners)
    if wishes is not None:
        yield from wishes.told(made.case(made.new))
    yield from made.steps()
    yield from made.judged()
    yield from made.proofs.theorems()
    yield Ended(perf_counter() - start, dict(made.proofs.solver))


@dataclass(frozen=True)
class _Plan:
    """A change with everything that is worked out of it once."""

    change: Change
    readings: Readings
    history: History | None
    today: date
    timeout: float | None
    out: str

    @property
    def old(self) -> QueueConfig:
        return self.change.old.config

    @property
    def new(self) -> QueueConfig:
        return self.change.new

    @cached_property
    def now(self) -> Now | None:
        return Now.of(self.history, self.readings) if self.history is not None else None

    @cached_property
    def proofs(self) -> Proofs:
        return prove(self.timeout)

    @property
    def promised(self) -> Promises:
        return self.change.old.promises or _NOTHING

    def case(self, config: QueueConfig) -> Case:
        jobs = self.change.old.jobs
        return Case(self.promised, config, self.readings, self.proofs, self.today, jobs, Solver(seconds=self.timeout))

    @cached_property
    def fresh(self) -> Fresh:
        return Fresh(self.change, self.readings, self.proofs, self.today)

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """Share -> who answers for it: the owner of the first promise to it alone."""
        found: dict[str, str] = {}
        for promise in self.promised.promises:
            if len(promise.scope.shares) == 1 and not promise.scope.group:
                found.setdefault(promise.scope.shares[0], promise.owner)
        return found

    @cached_property
    def places(self) -> Mapping[str, str]:
        """Share -> where its change is asked for."""
        return {edit.share: edit.place for edit in reversed(self.change.edits)}

    @cached_property
    def notice(self) -> bool:
        """Whether some request has to wait for a promise of notice."""
        between = [after(self.old, self.change.edits[:k], self.readings) for k in range(len(self.change.edits))]
        return bool(self._waits(self.change.edits, between))

    @cached_property
    def order(self) -> Order:
        return order(self.old, self.change.edits, self.readings, loses=self.guard, notice=self.notice)

    @cached_property
    def guard(self) -> kept.Guard:
        return kept.Guard(*self.judgements)

    @property
    def unverified(self) -> tuple[str, ...]:
        """Promises, by name, that the order may not keep in between."""
        return tuple(dict.fromkeys((*self.guard.unverified, *self.order.undecided)))

    @cached_property
    def judgements(self) -> tuple[kept.Judgements, kept.Judgements]:
        """The promises before and after."""
        return kept.Judgements.of(self.case(self.old)), kept.Judgements.of(self.case(self.new))

    @cached_property
    def compared(self) -> tuple[ShareChange, ...]:
        found = compare(self.old, self.new, self.readings, owners=self.owners, places=self.places)
        examples = Examples(self.new, self.readings, self.timeout)
        return tuple(replace(s, units=tuple(self._with_example(s, u, examples) for u in s.units)) for s in found)

    def _with_example(self, share: ShareChange, unit: UnitChange, examples: Examples) -> UnitChange:
        found = examples.of(share, unit)
        if found is None:
            return unit
        if found.scenario is not None:
            self.scenarios[found.scenario.name] = Witness(f"{found.scenario.name}.json", as_form(found.scenario))
        return replace(unit, shows=found.shows, witness=f"{found.scenario.name}.json" if found.scenario else "")

    @cached_property
    def scenarios(self) -> dict[str, Witness]:
        return {}

    @cached_property
    def waiting(self) -> Mapping[int, kept.Waits]:
        """Number of the step -> what it has to wait for."""
        return self._waits(self.order.edits, (self.old, *self.order.between))

    def _waits(self, edits: Sequence[Edit], before: Sequence[QueueConfig]) -> Mapping[int, kept.Waits]:
        return kept.waiting(self.promised, edits, before, self.old, self.readings, self.today)

    def began(self) -> Began:
        loaded, history = self.change.old, self.history
        asked = sources_of(self.change.sources)
        files = [*sources_of(loaded.files), *asked]
        sources = [*sources_of(loaded.sources), *(s for s in asked if s not in sources_of(loaded.sources))]
        names = list(loaded.job_names)
        if history is not None and self.now is not None:
            names += known_names(self.now.jobs)
            files += [Source(n, p, "history") for n, p in zip(history.files, history.paths, strict=False)]
            many = f"history of {len(self.now.jobs)} job{'' if len(self.now.jobs) == 1 else 's'}"
            sources += [Source(many, history.paths[0] if history.paths else "", many)]
        return Began(
            "plan",
            self.old.job_queue_name,
            sources=tuple(sources),
            left_out=(*loaded.left_out, *self.change.left_out),
            notes=(*loaded.notes, *self.change.notes, *disabled(self.new)),
            assumed=dict(self.readings.chosen),
            jobs=tuple(dict.fromkeys(names)),
            files=tuple(files),
        )

    def overview(self) -> Overview:
        before, after = ({lot.unit: lot for lot in lots(c, self.readings)} for c in (self.old, self.new))
        units = dict.fromkeys([*before, *after])

        def of(unit: str) -> tuple[str, int, int, int, int]:
            was, now = before.get(unit), after.get(unit)
            given, room = (
                [lot.given if lot else 0 for lot in (was, now)],
                [lot.capacity if lot else 0 for lot in (was, now)],
            )
            return unit, given[0], given[1], room[0], room[1]

        return Overview(
            len(self.old.shares), len(self.new.shares), tuple(of(u) for u in units), tuple(self.fresh.already())
        )

    def shares(self) -> Iterator[Event]:
        for share in self.compared:
            for unit in share.units:
                if unit.witness:
                    yield self.scenarios[unit.witness.removesuffix(".json")]
            yield share

    def promises(self) -> Iterator[Event]:
        """What becomes of the promises; those of notice are kept by waiting."""
        noticed = {c.code: c for c in kept.notices(self.waiting)}
        for event in kept.compared(*self.judgements):
            one = event if isinstance(event, Promised | PromiseChange) and event.term == "changes" else None
            if one is None:
                yield event
            elif isinstance(one, PromiseChange):
                yield noticed.get(one.code, replace(one, because="nothing shrinks that needs notice"))
            else:
                told = noticed[one.code].needs_time if one.code in noticed else "nothing shrinks that needs notice"
                result = replace(one.result, verdict=Verdict.HOLDS_HERE, because=told)
                yield replace(one, how=How.AT_CHANGE, result=result)
        if not self.order.found:
            yield from self._between()

    def _between(self) -> Iterator[Event]:
        """Promises that both ends keep and that no order keeps in between, broken by the order asked for."""
        about = {p.code: p for p in self.promised.promises}
        lost: dict[str, list[int]] = {}
        for number, config in enumerate(self.order.between[:-1], 1):
            for code in dict.fromkeys(code for code, _, _ in self.guard.lost(config)):
                lost.setdefault(code, []).append(number)
        for code, steps in lost.items():
            promise = about[code]
            which = f"step{'' if len(steps) == 1 else 's'} {', '.join(map(str, steps))}"
            verdict, because = Verdict.BROKEN, f"kept before and after the change, and broken after {which} of it"
            if self.order.undecided:
                verdict, because = Verdict.UNKNOWN, "kept before and after the change; not decided in between"
            result = Result(code, verdict, because, place=promise.place)
            yield PromiseChange(
                code, "between", promise.says, "", promise.owner, Verdict.HOLDS_HERE, Verdict.HOLDS_HERE,
                Direction.WEAKER, because, () if self.order.undecided else tuple(steps),
            )  # fmt: skip
            yield Promised(code, promise.says, "between", How.AT_CHANGE, result, promise.owner, promise.why)

    def steps(self) -> Iterator[Event]:
        given = commands(self.order.edits)
        for command in given:
            wait = self.waiting.get(command.number)
            yield Planned(
                command.number,
                command.edit.verb.value,
                command.edit.subject,
                command.short,
                what(command.edit),
                not_before=wait.day.isoformat() if wait else "",
                ends=command.ends,
                wait=_ARN.sub("...:quota-share/", command.wait),
                place=command.edit.place,
            )
        found = self.order
        yield Ordered(found.found, found.why, found.split, found.exhausted, self.unverified)
        if self.out and given:
            yield from self._written(given)

    def _written(self, given: Sequence[Command]) -> Iterator[Written]:
        remarks = {
            number: [f"Not before {w.day.isoformat()}: {w.promise.code}, {w.promise.says}"]
            for number, w in self.waiting.items()
        }
        about = [f"Planned on {self.today.isoformat()}."]
        if not self.order.found:
            about.append(
                "No order was found in which every configuration in between is safe; this is the one asked for."
            )
            about += self.order.why
        if self.unverified:
            about.append(f"Not verified in between: {', '.join(self.unverified)}.")
        for name, text in folder(given, self.change.arns, about=about, remarks=remarks).items():
            yield Written(self.out, name, text)

    def judged(self) -> Iterator[Event]:
        """What is wrong with the new configuration and was not with the old one, and what the plan itself finds."""
        yield from self.fresh.told()
        for share in self.compared:
            if share.direction in LOSSES or share.loses:
                yield weaker(share)
        if not self.order.found:
            yield no_order(self.order)
