"""A small queue as a transition system: `system` makes the model, from the rules and nothing else.

Users submit jobs while fewer of a kind exist than may, jobs end, victims stop; the scheduler starts, claims, and ends the
claims that are over, before anybody does anything else (A56). A claim and its victims are one step, for a head that may
not start; a share has one live claim at most. Every choice among shares and victims is there; `Discipline` narrows it.
Where a claim holds only what its victims free (A58) and they were not enough, more are told for it: what it holds stays
held. Trusted: `counters`, for the numbers that the rules ask for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...spec.expr.nodes import Bool, Int, add, all_of, any_of, const, ite
from ...spec.expr.walk import N, rebuild
from ...spec.model import QueueConfig
from ...spec.readings import Readings
from ...spec.rules import actions, guarantees
from ...spec.rules.quantities import NOW, beyond_kept
from ...spec.rules.view import Enumerated
from .counters import Counters, Updates
from .kinds import Discipline, Kind
from .model import Model, Transition
from .plans import Plan, Victims, plans


def system(
    config: QueueConfig,
    kinds: Sequence[Kind],
    readings: Readings | None = None,
    discipline: Discipline | None = None,
    name: str = "",
) -> Model:
    """The model of a queue with jobs of these kinds. Raises NotExplored."""
    counters = Counters(config, kinds, readings or Readings(), discipline or Discipline())
    return _System(counters).model(name or config.job_queue_name)


class _System:
    def __init__(self, counters: Counters) -> None:
        self.c = counters
        self.over = {s: self._over(s) for s in counters.shares}
        self.calm = ~any_of(*self.over.values())
        self.room = {k.name: self._room(k) for k in counters.kinds}
        self.starts = {k.name: self._starts(k) for k in counters.kinds}
        self.entitled = {k.name: self._entitled(k) for k in counters.kinds}

    def model(self, name: str) -> Model:
        c = self.c
        steps = [t for k in c.kinds for t in self._of(k)]
        steps += [self._release(s) for s in c.shares if c.holds]
        ordered = [self._ordered(t) for t in steps]
        facts = {f"waits.{k.name}": self._waits(k) for k in c.kinds}
        facts |= {f"entitled.{s}": self._waits_of(s) for s in c.shares}
        facts |= {**self._kept(), "urgent": ~self.calm}
        return Model(name, tuple(c.variables.values()), tuple(ordered), facts)

    # what the rules say here

    def _starts(self, kind: Kind) -> Bool:
        """A job of the kind may start now."""
        c = self.c
        above = {
            k.name: self.room[k.name] if c.readings["A18"] == "backfill" else const(True)
            for k in c.of(kind.share)
            if k.priority > kind.priority
        }
        best = c.best_waiting(kind.share, without={k.name: above.get(k.name, const(False)) for k in c.of(kind.share)})
        return all_of(c.waiting(kind) > 0, self._dispatch(kind, best), *self._beside(kind), *self._patience(kind))

    def _patience(self, kind: Kind) -> Iterator[Bool]:
        if self.c.discipline.patient:
            cells = self.c.view({kind.share: kind}).cells(kind.share)
            above = any_of(*[all_of(cell.asks > 0, cell.usage + cell.asks > cell.limit) for cell in cells])
            yield ~all_of(above, self._entitled(kind))

    def _room(self, kind: Kind) -> Bool:
        """The same, whoever waits before it in its share."""
        return all_of(self._dispatch(kind, const(-1)), *self._beside(kind))

    def _dispatch(self, kind: Kind, best: Int) -> Bool:
        ready = self.c.view({kind.share: kind}).after(
            {("best_ready", kind.share): best, ("priority", "job"): const(kind.priority)}
        )
        return self.c.closed(actions.dispatch(ready, kind.share).guard)

    def _beside(self, kind: Kind) -> Iterator[Bool]:
        """It leaves the live claims what is promised to them, and the entitled heads of others what they need."""
        c = self.c
        for s in c.shares if c.holds else ():
            holds = actions.holds(c.view({kind.share: kind}, watched=s), kind.share)
            yield any_of(c.place_of(s) == 0, c.closed(holds))
        for s in c.shares:
            if s != kind.share:
                heads: list[Bool] = [all_of(*[c.waiting(k) == 0 for k in c.of(s)])]
                for other in c.of(s):
                    heads.append(all_of(c.is_head(other), *self._yields(kind, other)))
                yield any_of(*heads)

    def _yields(self, kind: Kind, other: Kind) -> Iterator[Bool]:
        """A job of the kind leaves a head of the other kind what it needs."""
        c = self.c
        view = c.view({kind.share: kind, other.share: other})
        yield c.closed(actions.yields(view, kind.share, other.share))
        if c.discipline.wary:
            alone = view.after(actions.release(view, other.share).effect)
            stays = {
                (name, s, u): const(0)
                for name in ("drains_due", "drains_later")
                for s in view.shares
                for u in view.units
            }
            yield c.closed(actions.yields(alone.after(stays), kind.share, other.share), claims=False)

    def _entitled(self, kind: Kind) -> Bool:
        """The share may take its own back for a job of the kind; a claim that it has is not counted."""
        view = self.c.view({kind.share: kind})
        without = view.after(actions.release(view, kind.share).effect)
        return self.c.closed(actions.entitled(without, kind.share, "entitled"))

    def _waits(self, kind: Kind) -> Bool:
        """A job of the kind waits as the entitled head of its share."""
        return all_of(self.c.is_head(kind), self.entitled[kind.name])

    def _waits_of(self, share: str) -> Bool:
        return any_of(*[self._waits(k) for k in self.c.of(share)])

    def _over(self, share: str) -> Bool:
        """The share's claim has lost its reason."""
        c = self.c
        if not c.holds:
            return const(False)
        parts: list[Bool] = []
        for kind in c.of(share):
            gone = c.waiting(kind) == 0
            over = c.closed(actions.over(self._watched(kind), share))
            parts.append(all_of(c.place(kind) > 0, any_of(gone, over)))
        return any_of(*parts)

    def _released(self, kind: Kind) -> Bool:
        """The kind's claim may end without its dispatch."""
        return self.c.closed(actions.release(self._watched(kind), kind.share).guard)

    def _watched(self, kind: Kind) -> Enumerated:
        """The queue seen from the claim of the kind's share, as one of a job of the kind."""
        c, s = self.c, kind.share
        numbers = {("best_waiting", s): c.best_waiting(s), ("priority", "job"): const(kind.priority)}
        return c.view({s: kind}, watched=s).after(numbers)

    def _kept(self) -> dict[str, Bool]:
        """Promises that hold in every state: G1, G2, and G7 of every live claim."""
        c = self.c
        cells = [c.view({}).at(c.config.shares[0].name, u) for u in c.units]
        kept = {
            "kept.G1": all_of(*[guarantees.beyond_environment(cell) <= 0 for cell in cells]),
            "kept.G2": all_of(*[guarantees.beyond_protected(cell) <= 0 for cell in cells]),
        }
        funded: list[Bool] = []
        for s in c.shares if c.holds else ():
            watched = c.view({}, watched=s)
            lacks = [guarantees.unfunded(cell) <= 0 for cell in watched.cells(s)]
            funded.append(any_of(c.place_of(s) == 0, *[all_of(*lacks)]))
        if c.holds and c.whole:
            kept["kept.G7"] = all_of(*funded)
        return {name: c.closed(formula) for name, formula in kept.items()}

    # steps

    def _of(self, kind: Kind) -> Iterator[Transition]:
        c = self.c
        k = kind.name
        yield Transition(
            f"submit.{k}", "environment", all_of(self.calm, c.alive(kind) < kind.jobs),
            {f"waiting.{k}": c.waiting(kind) + 1}, "", {"event": "submit", "kind": kind},
        )  # fmt: skip
        yield Transition(
            f"finish.{k}", "environment", all_of(self.calm, c.running(kind) > 0),
            {f"running.{k}": c.running(kind) - 1}, "", {"event": "finish", "kind": kind},
        )  # fmt: skip
        for waits in c.classes:
            drains = c.draining_name(kind, waits)
            yield Transition(
                drains.replace("draining", "stop", 1), "platform", all_of(self.calm, c.now(drains) > 0),
                c.stopped(kind, waits), drains, {"event": "stop", "kind": kind, "waits": waits}, f"stops.{k}",
            )  # fmt: skip
        may = all_of(self.calm, self.starts[k])
        started = {f"waiting.{k}": c.waiting(kind) - 1, f"running.{k}": c.running(kind) + 1, **self._after_start(kind)}
        about: Mapping[str, object] = {"event": "dispatch", "kind": kind}
        group = f"share.{kind.share}"
        mine = self.entitled[k]
        yield Transition(f"start.{k}", "scheduler", all_of(may, mine, self._turn(kind)), started, group, about)
        yield Transition(f"borrow.{k}", "scheduler", all_of(may, ~mine, self._nobody_entitled()), started, "", about)
        yield from self._claims(kind)

    def _after_start(self, kind: Kind) -> Updates:
        """The kind's own claim ends; that of another kind of the share lives on."""
        if not self.c.holds:
            return {}
        own = self.c.place(kind) > 0
        return {name: ite(own, after, self.c.now(name)) for name, after in self.c.ended(kind.share).items()}

    def _claims(self, kind: Kind) -> Iterator[Transition]:
        c = self.c
        waits = all_of(self.calm, c.is_head(kind), ~self.starts[kind.name], self._first(kind))
        found = plans(c, kind)
        for victims, plan in found.items():
            allowed = all_of(waits, c.place_of(kind.share) == 0, plan.allowed, *self._minimal(found, victims, plan))
            if c.holds and (plan.victims or (c.whole and c.discipline.empty_claims)):
                yield self._claim(
                    "claim", kind, plan, found, all_of(allowed, plan.claims), c.opened(kind, plan.victims, holds=True)
                )
            enough = any_of(plan.suffices, c.readings["A28"] == "greedy")
            if plan.victims:
                less = ~plan.claims if c.holds else const(True)
                yield self._claim(
                    "preempt",
                    kind,
                    plan,
                    found,
                    all_of(allowed, enough, less),
                    c.opened(kind, plan.victims, holds=False),
                )
        if c.holds and not c.whole:
            yield from self._more(kind, waits)

    def _more(self, kind: Kind, waits: Bool) -> Iterator[Transition]:
        """A58 freed: nothing drains any more for the kind's claim and its job may not start, so more must stop for it."""
        c = self.c
        spent = all_of(c.place(kind) > 0, self._released(kind))
        found = plans(c, kind, again=True)
        for victims, plan in found.items():
            if plan.victims:
                guard = all_of(waits, spent, plan.allowed, plan.claims, *self._minimal(found, victims, plan))
                yield self._claim("more", kind, plan, found, guard, c.joined(kind, plan.victims))

    def _claim(
        self, verb: str, kind: Kind, plan: Plan, found: dict[Victims, Plan], guard: Bool, updates: Updates
    ) -> Transition:
        who = "".join(f".{n}x{name}" for name, n in plan.victims.items())
        about = {"event": verb, "kind": kind, "plan": plan, "plans": found}
        return Transition(f"{verb}.{kind.name}{who}", "scheduler", guard, updates, f"share.{kind.share}", about)

    def _minimal(self, found: dict[Victims, Plan], victims: Victims, plan: Plan) -> Iterator[Bool]:
        """A28 minimal: without any one of its victims the plan would not do."""
        if self.c.readings["A28"] != "minimal":
            return
        for at, kind in enumerate(self.c.kinds):
            fewer = (*victims[:at], victims[at] - 1, *victims[at + 1 :])
            if kind.name in plan.victims and fewer in found:
                yield ~found[fewer].suffices

    def _release(self, share: str) -> Transition:
        about = {"event": "release", "share": share}
        updates = self.c.ended(share)
        return Transition(f"release.{share}", "scheduler", self.over[share], updates, f"share.{share}", about)

    # orders among shares, of which the rules say nothing

    def _place(self, share: str) -> Int:
        return self.c.now(f"order.{share}")

    def _first(self, kind: Kind) -> Bool:
        return self._place(kind.share) == 1 if self.c.discipline.order else const(True)

    def _turn(self, kind: Kind) -> Bool:
        """It is the share's turn, or the job takes only what is kept for the share."""
        if not self.c.discipline.order:
            return const(True)
        view = self.c.view({kind.share: kind})
        kept = [(cell.asks > 0).implies(beyond_kept(cell, NOW, cell.asks) <= 0) for cell in view.cells(kind.share)]
        return any_of(self._first(kind), all_of(*kept))

    def _nobody_entitled(self) -> Bool:
        if not self.c.discipline.order:
            return const(True)
        return all_of(*[self._place(s) == 0 for s in self.c.shares])

    def _ordered(self, step: Transition) -> Transition:
        """The step, with the order of the entitled shares after it."""
        c = self.c
        if not c.discipline.order:
            return step
        kind = step.about.get("kind")
        renewed = c.discipline.order == "head" and step.about["event"] == "dispatch" and isinstance(kind, Kind)
        old = {s: self._place(s) for s in c.shares}
        if renewed and isinstance(kind, Kind):
            old[kind.share] = const(0)
        entitled = {s: _substituted(self._waits_of(s), step.updates) for s in c.shares}
        updates = dict(step.updates)
        for at, s in enumerate(c.shares):
            earlier = [
                ite(all_of(entitled[t], _before(old[t], old[s], i < at)), 1, 0)
                for i, t in enumerate(c.shares)
                if t != s
            ]
            updates[f"order.{s}"] = ite(entitled[s], add(1, *earlier), 0)
        return replace(step, updates=updates)


def _before(one: Int, other: Int, listed_first: bool) -> Bool:
    """A share that was in the order stays before one that was not; new ones stand as they are listed."""
    return any_of(all_of(one > 0, any_of(other == 0, one < other)), all_of(one == 0, other == 0, listed_first))


def _substituted(formula: N, updates: Mapping[str, Int]) -> N:
    return rebuild(formula, lambda n: updates.get(n.args[0]) if n.op == "var" else None)
