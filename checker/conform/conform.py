"""`conform`: one backend and one profile to one stream of events. Nothing here judges a trace; `judged` does.

First what is declared, then the corpus, what is known to have failed, a campaign, and last what each guarantee came to.
What becomes of a single scenario is `outcomes`'.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from ...spec.formats.scenario import Scenario
from ..conformed import Again, Declared, Tried
from ..results import Began, Ended, Event, Result, Verdict
from ..shell import command, to_replay
from .account import FOLDER, Account, file_of
from .backend import Backend, Declaration, Loss
from .batch import Mishap, Tally
from .campaign import Enough, Merged, Plan, campaign
from .distinct import Kept, distinct
from .executors import Pool, usual, workers
from .explicit import witness
from .journal import NAME, Journal
from .one_queue import OneQueue
from .outcomes import CAMPAIGN, GOAL, PROFILE, Outcomes, fix
from .profiles import Profile, asked_of
from .sometimes import GOALS, Sometimes
from .tested import tests
from .verdict import Status, Tested

if TYPE_CHECKING:
    from hypothesis.database import ExampleDatabase

_OF = {"corpus": "of the corpus", "known failures": "known failures", "campaign": "generated"}
"""Parts of a run, as what was found in them is counted."""


@dataclass(frozen=True)
class Asked:
    """What is to be done. `backend` is the text that names it, `out` the folder for what is written."""

    backend: str
    profile: str = ""
    """Its name; '' for that which the backend is made for."""
    seed: int = 0
    enough: Enough = field(default_factory=Enough)
    executor: str = ""
    """'': what is usual for the backend."""
    out: Path = field(default_factory=Path)
    resume: bool = False
    database: str = ""
    only: OneQueue | None = None
    """The queue that the run is about, in place of the corpus and of queues that are drawn."""
    keep: bool = False
    """Whether what a real scheduler was given, and what it wrote, stays."""

    @property
    def generates(self) -> bool:
        """Whether a campaign follows the corpus."""
        return self.enough.examples != 0 and self.enough.seconds != 0


Doing = Callable[[str, str], None]
"""Is told what a slow backend is busy with: a phase of the run, and how far it has come."""


def conform(
    asked: Asked, watch: Callable[[int, float], None] | None = None, doing: Doing | None = None
) -> Iterator[Event]:
    """Do it. Raises BackendError, before the first event, where the backend cannot be used; InputError where the journal
    or the database cannot. `watch` is told how many generated scenarios were tried in how many seconds."""
    from .opening import opened

    start = perf_counter()
    backend = opened(asked.backend, keep=asked.keep)
    with ExitStack() as stack:
        stack.callback(backend.close)
        declared = backend.declare()
        profile = asked_of(declared, asked.profile, where=asked.backend)
        run = _Run(asked, profile, backend, declared, (declared.lanes and doing) or _untold)
        untold = asked.only.told_to(backend, declared) if asked.only else ()
        plan = _plan(asked, profile, declared) if asked.generates and not untold else None
        to_come = stack.enter_context(_campaign(asked, plan, asked.executor or usual(declared)))
        subject = f"{declared.name} {declared.version}".strip()
        files = (asked.only.source,) if asked.only else ()
        yield Began("conform", subject, assumed=dict(declared.choices), files=files, backends=(asked.backend,))
        yield run.declaration()
        yield from run.features(untold)
        if asked.only is None:
            yield from run.corpus()
            yield from run.known()
        if plan is not None and to_come is not None:
            yield from run.campaign(plan, *to_come, watch)
        yield from run.broken()
        if not untold:
            yield from run.guarantees()
            yield from run.goals()
            yield from run.account.losses()
            yield from run.again()
    yield Ended(perf_counter() - start)


@contextmanager
def _campaign(asked: Asked, plan: Plan | None, executor: str) -> Generator[tuple[Pool, Journal] | None]:
    """Who will work on the campaign, and its journal, if there is to be one: what cannot be used is told before anything
    is run."""
    if plan is None:
        yield None
        return
    with workers(executor) as pool:
        journal = Journal(asked.out / FOLDER / NAME, plan.header(), resume=asked.resume)
        with closing(journal):
            yield pool, journal


def _plan(asked: Asked, profile: Profile, declared: Declaration) -> Plan:
    config = asked.only.config if asked.only else None
    return Plan(asked.backend, declared.version, profile.name, asked.seed, config, declared.lanes)


class _Run:
    """One run as it goes on: what came up so far, and what failed."""

    def __init__(self, asked: Asked, profile: Profile, backend: Backend, declared: Declaration, doing: Doing) -> None:
        self._asked, self._profile, self._backend, self._declared = asked, profile, backend, declared
        self._doing = doing
        self.account = Account()
        self._outcomes = Outcomes(asked.backend, declared.name, profile, asked.seed)
        self._failed: list[tuple[str, Scenario]] = []
        self._small: dict[str, list[Tested]] = {}
        """Guarantee -> failures that need no shrinking: a real scheduler has no time for the small ones of the corpus."""
        self._kept: dict[str, list[Kept]] = {}
        """Guarantee -> its failures, the shortest first."""
        self._sometimes = Sometimes(declared, profile.asked_for(declared))
        self._merged: Merged | None = None

    def declaration(self) -> Declared:
        d, p, only = self._declared, self._profile, self._asked.only
        missing = () if d.features is None else tuple(f for f in (*p.core, *p.extended) if f not in d.features)
        return Declared(
            self._asked.backend, d.name, d.version, p.name, tuple(p.core), tuple(p.extended), missing, dict(d.choices),
            claims=d.claims, own_time=d.own_time, capacity=d.capacity, issue_url=d.issue_url, queue=only.path if only else "",
        )  # fmt: skip

    def features(self, untold: tuple[str, ...]) -> Iterator[Result]:
        """What the backend does not have of what the profile asks; `untold` is why it cannot be told the queue that the run
        is about, and what to do."""
        if untold:
            why, *more = untold
            yield Result(PROFILE, Verdict.UNKNOWN, why, more=tuple(more), skipped=True)
        missing = self._profile.lacks(self._declared.features)
        if missing:
            yield Result(PROFILE, Verdict.UNKNOWN, f"core features that it does not have: {', '.join(missing)}")
        else:
            yield Result(PROFILE, Verdict.HOLDS_HERE, "every core feature is declared")

    def corpus(self) -> Iterator[Event]:
        """Every scenario of the corpus. A core one that is skipped is undecided: never conformant."""
        from .corpus import corpus

        yield from self._all(corpus(), "corpus")

    def known(self) -> Iterator[Event]:
        """What an earlier run kept as failing, tried before anything new; what does not fail any more is forgotten."""
        store = self._store()
        if store is None:
            return
        from .database import fetched

        yield from self._all(list(fetched(store, self._asked.backend)), "known failures")

    def _all(self, scenarios: Sequence[Scenario], part: str) -> Iterator[Event]:
        if not scenarios:
            return
        start, tally = perf_counter(), Tally()
        before = start
        far = partial(self._doing, part)
        for number, tested in enumerate(tests(self._backend, self._declared, scenarios, far)):
            tally.take(number, tested)
            self._take(tested)
            yield from self._outcomes.result(tested, perf_counter() - before)
            before = perf_counter()
        batch = tally.batch(0)
        self.account.count(_OF[part], batch.exercised, batch.broken, batch.statuses)
        yield _tried(part, batch.statuses, batch.tried, batch.events, perf_counter() - start)

    def _take(self, tested: Tested) -> None:
        self._sometimes.take(tested)
        for code in tested.codes:
            if self._declared.lanes:
                self._small.setdefault(code, []).append(tested)
            else:
                self._failed.append((code, tested.scenario))
        self.account.take(tested, core=self._profile.is_core(tested.scenario))

    def campaign(
        self, plan: Plan, pool: Pool, journal: Journal, watch: Callable[[int, float], None] | None
    ) -> Iterator[Event]:
        """Generated scenarios, by whoever works on them."""
        asked = self._asked
        started = self._backend if self._declared.lanes else None
        most = "" if asked.enough.seconds is None else f" until {asked.enough.seconds:.0f} s are over"
        self._doing("campaign", f"rows of {plan.size} generated scenarios{most}")

        def far(tried: int, seconds: float) -> None:
            if watch is not None:
                watch(tried, seconds)
            self._doing("campaign", f"{tried:,} generated scenarios played{most}")

        merged = self._merged = campaign(plan, pool, journal, asked.enough, far, started)
        self.account.count(_OF["campaign"], merged.exercised, merged.broken, merged.statuses)
        self._failed += [(f.code, self._drawn(f.number)) for f in merged.failures]
        yield _tried("campaign", merged.statuses, merged.tried, merged.events, merged.seconds, asked.seed,
                     merged.resumed, pool.words)  # fmt: skip
        for m in merged.mishaps:
            yield from self._went_wrong(m)
        for lost in merged.losses:
            self.account.lose(Loss(lost.what, lost.instead), lost.count, f"generated-{asked.seed}-{lost.number}")
        for flake in merged.flakes:
            self.account.flakes[flake.code] += 1
            drawn = replace(self._drawn(flake.number), name=f"generated-{asked.seed}-{flake.number}")
            yield from self._outcomes.flake(flake.code, drawn, flake.why)
        if not merged.broken and not merged.mishaps and merged.tried:
            yield Result(CAMPAIGN, Verdict.HOLDS_HERE, f"no guarantee broken in {merged.tried} generated scenarios")

    def _went_wrong(self, m: Mishap) -> Iterator[Event]:
        many = "1 generated scenario" if m.count == 1 else f"{m.count} generated scenarios, the first"
        what, *more = f"{many} (number {m.number}) went wrong: {m.why}".splitlines()
        name = yield from self._outcomes.went(m.failure, self._drawn(m.number))
        yield Result(
            CAMPAIGN, Verdict.UNKNOWN, what, m.failure, more=(*more, *fix(m.hint)), count=m.count, witness=name
        )

    def _drawn(self, number: int) -> Scenario:
        from .drawing import drawn

        only = self._asked.only
        return drawn(self._asked.seed, number, self._declared, only.config if only else None)

    def broken(self) -> Iterator[Event]:
        """Every distinct failure: shrunk, kept as a file, and known from now on."""
        by_code: dict[str, list[Scenario]] = {}
        for code, scenario in self._failed:
            by_code.setdefault(code, []).append(scenario)
        for code in sorted({*by_code, *self._small}):
            failing, small = by_code.get(code, ()), self._small.get(code, ())
            far = partial(self._doing, f"shrinking {code}")
            self._kept[code] = distinct(self._backend, self._declared, code, failing, small, far)
            for kept in self._kept[code]:
                made = self._outcomes.witness(file_of(kept.scenario), kept.scenario, code)
                drawn = kept.tested and witness("", kept.tested.showing(code), self._declared, code)
                yield replace(made, told=drawn.told, fault=drawn.fault) if drawn else made
        self._remember()

    def _remember(self) -> None:
        store = self._store()
        if store is not None:
            from .database import remember

            remember(store, self._asked.backend, [k.scenario for kept in self._kept.values() for k in kept])

    def _store(self) -> ExampleDatabase | None:
        if not self._asked.database:
            return None
        from .database import database

        return database(self._asked.database)

    def guarantees(self) -> Iterator[Result]:
        """What each promise of the profile came to."""
        only = self._asked.only
        required = set(self._profile.required(self._declared)) - (only.never_shows() if only else set())
        for code in dict.fromkeys([*self._profile.guarantees, *sorted(self.account.broken)]):
            yield self.account.guarantee(code, self._kept.get(code, ()), required=code in required)

    def goals(self) -> Iterator[Result]:
        """What must have happened somewhere in the corpus for silence to mean anything."""
        for name in self._profile.asked_for(self._declared) if self._asked.only is None else ():
            where = self._sometimes.reached_in.get(name)
            if where is None:
                yield Result(GOAL, Verdict.UNKNOWN, f"never happened in the corpus: {GOALS[name].sentence}", name)
            else:
                yield Result(GOAL, Verdict.HOLDS_HERE, f"first in {where}", name)

    def again(self) -> Iterator[Again]:
        asked, merged = self._asked, self._merged
        queue = ("--config", asked.only.path) if asked.only else ()
        words = ["quotaproof", "conform", asked.backend, *queue]
        words += ["--profile", self._profile.name, "--seed", str(asked.seed)]
        tried, upto = (merged.tried, merged.upto) if merged else (0, 0)
        what = "the same scenarios" if tried == upto else f"these and {upto - tried} more"
        yield Again(what, command([*words, "--examples", str(upto)]))
        for code, failures in self._kept.items():
            for kept in failures:
                yield Again(code, to_replay(str(asked.out), file_of(kept.scenario)))


def _untold(phase: str, far: str) -> None:
    """Nobody is told."""


def _tried(
    part: str, statuses: Mapping[str, int], tried: int, events: int, seconds: float, seed: int | None = None,
    resumed: int = 0, by: str = "",
) -> Tried:  # fmt: skip
    passed, failed, skipped, errored, flaky = (statuses.get(s.value, 0) for s in Status)
    return Tried(part, tried, passed, failed, skipped, errored, events, seconds, seed, resumed, by, flaky)
