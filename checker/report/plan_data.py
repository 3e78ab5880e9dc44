"""What a plan says, as JSON data; times in milliseconds, counts in instances."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ..planned import Giving, Plan, PromiseChange, ShareChange, Standing, UnitChange


def planned_data(plan: Plan) -> dict[str, Any]:
    """In the order of the schema."""
    overview = plan.overview
    return {
        "shares_before": overview.shares_before if overview else 0,
        "shares_after": overview.shares_after if overview else 0,
        "units": [
            {"unit": u, "given_before": was, "given_after": now, "capacity_before": room, "capacity_after": becomes}
            for u, was, now, room, becomes in (overview.given if overview else ())
        ],
        "already_broken": list(overview.already) if overview else [],
        "shares": [_share(s) for s in plan.shares],
        "promise_changes": [_promise(p) for p in plan.promises],
        "running": None if plan.running is None else {**asdict(plan.running), "notes": list(plan.running.notes)},
        "over_limit": [asdict(o) for o in plan.over],
        "jobs": [{**asdict(j), "machines": dict(j.machines)} for j in plan.stoppable],
        "untouched": [asdict(u) for u in plan.untouched],
        "never_run": [asdict(n) for n in plan.never],
        "places": [{"shares": list(p.shares), "why": p.why} for p in plan.places],
        "givings": [_giving(g) for g in plan.givings],
        "steps": [asdict(s) for s in plan.steps],
        "order": None
        if plan.ordered is None
        else {k: list(v) if isinstance(v, tuple) else v for k, v in asdict(plan.ordered).items()},
        "folder": plan.folder,
    }


def _giving(g: Giving) -> dict[str, Any]:
    return {
        "share": g.share,
        "unit": g.unit,
        "wanted": g.wanted,
        "had": g.had,
        "ways": [
            {
                "changes": list(w.changes),
                "limits": dict(w.limits),
                "total": w.total,
                "unallotted": w.unallotted,
                "givers": [{"share": share, "gives": n} for share, n in w.givers],
                "costs": list(w.costs),
                "breaks": [asdict(s) for s in w.breaks],
                "command": w.command,
            }
            for w in g.ways
        ],
        "in_the_way": [asdict(s) for s in g.in_the_way],
        "none": g.none,
        "undecided": g.undecided,
    }


def _share(s: ShareChange) -> dict[str, Any]:
    return {
        "share": s.share,
        "direction": s.direction.value,
        "changes": list(s.changes),
        "in_share_preemption": s.in_share.value,
        "state": s.state.value,
        "owner": s.owner,
        "place": s.place,
        "units": [_unit(u) for u in s.units],
    }


def _unit(u: UnitChange) -> dict[str, Any]:
    return {
        "unit": u.unit,
        "direction": u.direction.value,
        "before": _standing(u.before),
        "after": _standing(u.after),
        "quantities": {name: found.value for name, found in u.quantities.items()},
        "rests_on": list(u.rests),
        "shows": u.shows,
        "witness": u.witness,
    }


def _standing(s: Standing | None) -> dict[str, Any] | None:
    if s is None:
        return None
    row = s.row
    return {
        "given": row.given if row else 0,
        "sure": s.sure,
        "at_once": s.at_once,
        "most": s.most,
        "never_stopped": s.unstopped,
        "borrow": row.borrow if row else 0,
        "lenders": list(row.lenders) if row else [],
        "loses": row.loses if row else 0,
        "own_back": row.own_back if row else "",
    }


def _promise(p: PromiseChange) -> dict[str, Any]:
    return {
        "code": p.code,
        "term": p.term,
        "subject": p.subject,
        "owner": p.owner,
        "before": p.before.value if p.before else None,
        "after": p.after.value if p.after else None,
        "direction": p.direction.value,
        "because": p.because,
        "steps": list(p.steps),
        "in_force": p.in_force,
        "needs_time": p.needs_time,
    }
