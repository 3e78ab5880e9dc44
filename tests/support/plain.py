"""A second judge that is slow and plain: every share named, sums worked out anew, expressions evaluated as they stand.

It keeps no running sum, compiles nothing and takes nothing back. What it shares with the judge that is tested is the
specification and nothing else.
"""

from __future__ import annotations

from collections import Counter

from quotaproof.spec import events as ev
from quotaproof.spec.expr.nodes import all_of, any_of
from quotaproof.spec.expr.walk import without
from quotaproof.spec.model import Stage, State, grant
from quotaproof.spec.observations import Settled
from quotaproof.spec.rules import actions, guarantees, premises
from quotaproof.spec.rules.lifecycle import DISPATCHED
from quotaproof.spec.rules.quantities import NOW, SETTLED, shared_capacity

from .plain_state import HOLDING, At, Claim, Job, Told

ENDED = (Stage.SUCCEEDED, Stage.FAILED)


class Plain:
    """State after the events so far, as lists of jobs and claims."""

    def __init__(self, config, readings):
        self.readings = readings
        self.shares = {s.name: s for s in config.shares}
        self.capacity = dict(config.environment.capacity)
        self.environment_enabled = config.environment.state is State.ENABLED
        self.queue_enabled = True
        self.deleting = set()
        self.jobs, self.claims, self.opened = {}, [], 0
        self.counts = Counter()

    def grant(self, share, unit):
        s = self.shares[share]
        made = grant(s.limits.get(unit), s.strategy, s.borrow_limit, self.readings)
        if share in self.deleting and self.readings["A48"] == "void":
            return type(made)(0, 0, 0)
        off = s.state == "DISABLED" and self.readings["A47"] == "no"
        return type(made)(made.limit, 0, made.borrowable) if off else made

    def claim_of(self, job):
        return next((c for c in self.claims if c.job is job), None)

    def waiting(self, share):
        return [j for j in self.jobs.values() if j.share == share and j.stage is Stage.RUNNABLE]

    def counted(self, share):
        found = self.waiting(share)
        if self.readings["A52"] == "skipped":
            found = [
                j for j in found
                if not (at := At(self, j)).true(any_of(*[actions.never(c) for c in at.view.cells(share)]))
            ]  # fmt: skip
        return found

    def heads(self, share):
        found = self.counted(share)
        return [j for j in found if j.priority == max(k.priority for k in found)]

    def best_ready(self, share, job):
        above = self.counted(share)
        if self.readings["A18"] == "backfill":
            above = [j for j in above if j.priority > job.priority and self.has_room(j)]
        return max((j.priority for j in above), default=-1)

    def has_room(self, job):
        """Everything that a start needs except the order within its share, whichever job is the head of another share."""
        view = At(self, job).view
        if not At(self, job).true(without(actions.dispatch(view, job.share).guard, "dispatch.head")):
            return False
        if not all(At(self, job, watched=c).true(actions.holds(view, job.share)) for c in self.claims):
            return False
        for share in self.shares:
            tied = [At(self, job, other=o) for o in self.heads(share)] if share != job.share else []
            if any(self.claim_of(at.other) for at in tied):
                continue
            if not all(at.true(actions.yields(at.view, job.share, at.other.share)) for at in tied):
                return False
        return True

    # judging

    def judge(self, event):
        """Codes that the event breaks, the first cause first. Counts what came up."""
        kind = type(event).__name__
        if isinstance(event, Settled):
            return self.at_rest()
        name = getattr(event, "job", None)
        if isinstance(event, ev.Submit):
            if event.job in self.jobs:
                self.counts.update(["G12"])
                return ["G12"]
            self.counts.update(["G12", "G13"])
            enabled = self.shares[event.share].state == "ENABLED" and self.queue_enabled
            return [] if enabled else ["G13"]
        if isinstance(event, ev.ShareGone):
            self.counts["G19"] += 1
            live = [j for j in self.jobs.values() if j.share == event.share and j.stage not in ENDED]
            return ["G19"] if live else []
        if name is None:
            return []
        if name not in self.jobs:
            return ["G12"]
        return getattr(self, f"_{kind.lower()}", lambda *_: [])(event, self.jobs[name])

    def _moves(self, job, *allowed):
        self.counts["G10"] += 1
        return [] if job.stage in allowed else ["G10"]

    def _advance(self, _event, job):
        return self._moves(job, Stage.SCHEDULED, Stage.STARTING)

    def _stopped(self, _event, job):
        self.counts.update(["G11", "G20"])
        return self._moves(job, Stage.DRAINING)

    def _return(self, _event, job):
        return self._moves(job, Stage.SCHEDULED)

    def _finish(self, _event, job):
        self.counts["G20"] += job.stage is Stage.DRAINING
        return self._moves(job, *HOLDING)

    def _terminate(self, _event, job):
        self.counts["G20"] += job.stage is Stage.DRAINING
        return self._moves(job, *[s for s in Stage if s not in ENDED])

    def _setpriority(self, _event, job):
        return ["G10"] if job.stage in ENDED else []

    def _over(self):
        return [
            "G7" for c in self.claims if (at := At(self, c.job, watched=c)).true(actions.over(at.view, c.job.share))
        ]

    def _release(self, _event, job):
        self.counts["G7"] += 1
        own = self.claim_of(job)
        at = At(self, job, watched=own)
        return [] if own and at.true(guarantees.g7_release(at.view, job.share)) else ["G7"]

    def _dispatch(self, _event, job):
        self.counts.update(["G10", "G12", "G13"])
        if job.stage is not Stage.RUNNABLE:
            return [*self._over(), "G10"]
        at, share = At(self, job), job.share
        view = at.view
        step = actions.dispatch(view, share)
        after = view.after(step.effect)
        pairs = [(view.at(share, u), after.at(share, u)) for u in view.units]
        for promise, premise in premises.DISPATCH.items():
            self.counts[promise] += at.true(any_of(*[premise(*p) for p in pairs]))
        self.counts["G9"] += len(self.waiting(share)) > 1
        others = [c for c in self.claims if c.job is not job]
        self.counts["G7"] += any(u in c.job.size for c in others for u in job.size)
        self.counts["G14"] += len(others) < len(self.claims)
        found = self._over()
        found += [] if at.true(guarantees.g13_dispatch(view, share)) else ["G13"]
        found += [] if at.true(guarantees.overtakes_nobody(view, share)) else ["G9"]
        for name in ("G4", "G3", "G1", "G2"):
            rule = getattr(guarantees, name.lower())
            found += [] if at.true(all_of(*[rule(*p) for p in pairs])) else [name]
        if self.readings["A23"] == "yes":
            kept = all_of(*[guarantees.g7_dispatch(*p) for p in pairs])
            found += ["G7" for c in self.claims if not At(self, job, watched=c).true(kept)]
        if self.readings["A15"] == "yes":
            found += self._yielding(job)
        return found

    def _yielding(self, job):
        found, came_up = [], False
        for share in self.shares:
            tied = [At(self, job, other=o) for o in self.heads(share)] if share != job.share else []
            kept, asked = [], []
            for at in tied:
                view = at.view
                after = view.after(actions.dispatch(view, job.share).effect)
                kept.append(at.true(guarantees.g8(view, after, job.share, share)))
                asked.append(at.true(premises.g8(view, after, job.share, share)))
            came_up = came_up or bool(asked and all(asked))
            found += ["G8"] if kept and not any(kept) else []
        self.counts["G8"] += came_up
        return found

    def _claim(self, event, job):
        victims = [self.jobs[v] for v in event.victims]
        self.counts["G7"] += event.holds
        self.counts["G6+"] += self.readings["A28"] != "greedy" and bool(victims)
        for v in victims:
            self.counts.update(["G10", "G6", *(["G5s", "G21"] if v.share == job.share else ["G5x"])])
            at = At(self, job, v)
            over = [all_of(c.takes > 0, premises.overdrawn(c)) for c in at.view.cells(v.share)]
            self.counts["G17"] += v.share != job.share and at.true(any_of(*over))
        found = self._over()
        found += [] if job.stage is Stage.RUNNABLE else ["G10"]
        found += ["G10" for v in victims if v.stage not in DISPATCHED]
        found += ["G6"] if self.claim_of(job) else []
        with Told(self, job, []) as told:
            for v in victims:
                found += [] if v.stage in DISPATCHED else ["G10"]
                found += self._victim(At(self, job, v))
                told.drain(v)
            kept = self._claimed(event, job)
        if victims and self.readings["A28"] != "greedy":
            found += [] if self._valid(job, victims) else ["G6+"]
            if self.readings["A28"] == "minimal":
                found += ["G6+" for v in victims if self._valid(job, [w for w in victims if w is not v])]
        return found + kept

    def _claimed(self, event, job):
        at, share = At(self, job), job.share
        after = at.view.after(actions.claim(at.view, share).effect)
        cells = [after.at(share, u) for u in at.view.units]
        if event.holds:
            found = [] if at.true(guarantees.is_head(at.view, share)) else ["G9"]
            found += [] if at.cells(actions.entitled_in) else ["G5x"]
            funded = [(c.asks > 0).implies(guarantees.settled_funded(c)) for c in cells]
            return found + ([] if at.true(all_of(*funded)) else ["G7"])
        there = [(c.asks > 0).implies(c.total(SETTLED.protected) <= shared_capacity(c)) for c in cells]
        kept = at.true(all_of(actions.claim(at.view, share).guard, *there))
        return ["G7"] if self.readings["A23"] == "yes" and kept else []

    def _victim(self, at):
        mine, theirs, view = at.job.share, at.victim.share, at.view
        if mine == theirs:
            found = [] if at.true(guarantees.g6_in_share(view, mine)) else ["G6"]
            return found + ([] if at.true(guarantees.g5s(view, mine)) else ["G5s"])
        found = [] if at.true(guarantees.g6(view, mine, theirs)) else ["G6"]
        return found + ([] if at.true(guarantees.g5x(view, mine, theirs)) else ["G5x"])

    def _valid(self, job, victims):
        own = [v for v in victims if v.share == job.share]
        with Told(self, job, own) as told:
            entitled = At(self, job).cells(actions.entitled_in)
            for v in victims:
                if v not in own:
                    told.drain(v)
            suffices = At(self, job).cells(lambda c: ~actions.lacks(c))
        return suffices and (entitled or len(own) == len(victims))

    def at_rest(self):
        first, came_up = [], set()
        for share in self.shares:
            told = [self._left(j, came_up) for j in self.heads(share)]
            if told and all(told) and not first:
                first = [min(told, key=("G16", "G14", "G17", "G21").index)]
        self.counts.update(came_up)
        return first

    def _left(self, job, came_up):
        at, share = At(self, job), job.share
        view = at.view
        if all(self._may_start(other) for other in self._line(job)):
            came_up.add("G16")
            if self._may_start(job):
                return "G16"
        over = any_of(*[all_of(c.asks > 0, c.total(NOW.used) > c.capacity) for c in view.cells(share)])
        able = self.environment_enabled and share not in self.deleting
        able = able and (self.readings["A46"] == "yes" or self.shares[share].state == "ENABLED")
        able = able and not (self.readings["A50"] == "waits" and at.true(over))
        if not able or any(j.stage is Stage.DRAINING for j in self.jobs.values()):
            return ""
        if at.true(premises.owed(view, share)):
            return "G14"
        if self._overdrawn_serve(at):
            return "G17"
        return "G21" if self.shares[share].in_share and self._in_share(job) else ""

    def _overdrawn_serve(self, at):
        view, share = at.view, at.job.share
        for other in self.shares if self.readings["A13"] == "b" else ():
            runs = next((j for j in self.jobs.values() if j.share == other and j.stage in DISPATCHED), None)
            if other != share and runs:
                seen = At(self, at.job, victim=runs)
                if seen.true(premises.owed_by(view, share, other)):
                    return True
        return False

    def _in_share(self, job):
        """Whether jobs of its share may be stopped for the head after which it fits, the smallest first."""
        own, gone = [(j, j.stage) for j in self.jobs.values() if j.share == job.share], False
        for v, _ in sorted(own, key=lambda one: (sum(one[0].size.values()), one[0].name)):
            at = At(self, job, v)
            if v.stage in DISPATCHED and at.true(actions.preempt_in_share(at.view, job.share).guard):
                v.stage, gone = Stage.FAILED, True
        at = At(self, job)
        served = gone and at.true(premises.let_in(at.view, job.share)) and not self._line(job) and self._may_start(job)
        for j, stage in own:
            j.stage = stage
        return served

    def _may_start(self, job):
        """Whether a head may start, whichever job of several is the head of another share."""
        return self.has_room(job) and self.best_ready(job.share, job) <= job.priority

    def _line(self, job):
        """With A16b strict: borrowers of other shares with which a borrower stands in line, in whatever order."""
        if self.readings["A16b"] != "strict" or not self._borrows(job):
            return []
        borrowing = [s for s, one in self.shares.items() if s != job.share and one.strategy == "LEND_AND_BORROW"]
        if self.readings["A48"] == "void":
            borrowing = [s for s in borrowing if s not in self.deleting]
        return [head for s in borrowing for head in self.heads(s) if self._borrows(head)]

    def _borrows(self, job):
        """Whether its start would leave its share above its limit."""
        at = At(self, job)
        after = at.view.after(actions.dispatch(at.view, job.share).effect)
        units = at.view.units
        return at.true(any_of(*[premises.lends(at.view.at(job.share, u), after.at(job.share, u)) for u in units]))

    # changing

    def record(self, event):
        """What the event does, allowed or not; one that cannot be does nothing."""
        job = self.jobs.get(getattr(event, "job", ""))
        match event:
            case Settled() | ev.Misconfigured():
                return
            case ev.Submit() if job is None:
                made = Job(event.job, event.share, dict(event.size), event.priority or 0, event.retries)
                self.jobs[event.job] = made
            case ev.Submit():
                return
            case ev.SetPriority() if job:
                job.priority = event.priority
                job.guard_priority = max(job.guard_priority, event.priority)
            case ev.Advance() if job and job.stage not in ENDED:
                job.stage = Stage.STARTING if job.stage is Stage.SCHEDULED else Stage.RUNNING
            case ev.Dispatch() if job:
                at = At(self)
                over = {
                    u: at.cell("usage", job.share, u) + n - self.grant(job.share, u).limit for u, n in job.size.items()
                }
                job.borrowed = {u: min(n, max(0, over[u])) for u, n in job.size.items()}
                self.claims = [c for c in self.claims if c.job is not job]
                job.stage, job.guard_priority = Stage.SCHEDULED, job.priority
            case ev.Claim() if job:
                told = Told(self, job, [])
                told.__enter__()
                for v in event.victims:
                    told.drain(self.jobs[v])
                if event.holds:
                    self.claims = [*self.claims, Claim(job, self.opened)]
            case ev.Release() if job:
                self.claims = [c for c in self.claims if c.job is not job]
            case ev.Stopped() if job:
                job.preemptions += not job.was_scheduled or self.readings["A38"] == "yes"
                spent = job.retries is not None and job.preemptions > job.retries
                self._leave(job, Stage.FAILED if spent else Stage.RUNNABLE)
            case ev.Finish() if job:
                drained = self.readings["A34"] if job.stage is Stage.DRAINING else "succeeded"
                ends = {"succeeded": Stage.SUCCEEDED, "requeued": Stage.RUNNABLE, "failed": Stage.FAILED}
                self._leave(job, ends["failed" if event.failed else drained])
            case ev.Terminate() if job:
                self._leave(job, Stage.FAILED)
            case ev.Return() if job:
                self._leave(job, Stage.RUNNABLE)
            case _ if not hasattr(event, "job"):
                self._administrator(event)

    def _leave(self, job, stage):
        for c in self.claims if job.stage is Stage.DRAINING else ():
            if c.number == job.claim:
                c.freed.update(job.size)
        self.claims = [c for c in self.claims if c.job is not job]
        job.stage, job.claim, job.borrowed = stage, 0, {}

    def _administrator(self, event):
        from quotaproof.spec.administered import Administered

        now = Administered(
            self.shares, self.capacity, frozenset(self.deleting), self.environment_enabled, self.queue_enabled
        )
        new = now.after(event, self.readings)
        if isinstance(new, str):
            return
        self.shares, self.capacity, self.deleting = dict(new.shares), dict(new.capacity), set(new.deleting)
        self.environment_enabled, self.queue_enabled = new.environment_enabled, new.queue_enabled
        self.jobs = {n: j for n, j in self.jobs.items() if j.share in self.shares}
        self.claims = [c for c in self.claims if c.job.share in self.shares]
