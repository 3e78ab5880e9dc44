"""The ledger's machine-hours are those of a plain evaluation of the specification, second by second."""

from __future__ import annotations

from collections import Counter, defaultdict
from random import Random

import pytest
from quotaproof.checker.audit.ledger import Ledger, Settings
from quotaproof.checker.audit.timeline import Columns
from quotaproof.checker.measured import HOUR, ShareHours, ShareJobs, UnitHours
from quotaproof.spec import events as ev
from quotaproof.spec.administered import Administered
from quotaproof.spec.expr.python import evaluate
from quotaproof.spec.observations import Preempted, Preempting, Retried, Submitted
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules.quantities import NOW
from quotaproof.spec.rules.view import Enumerated

from ...support.queues import queue, share
from ...support.small_histories import in_seconds, wild

CONFIG = queue(
    {"u": 6, "v": 3},
    share("a", {"u": 2, "v": 1}, "LEND_AND_BORROW"),
    share("b", {"u": 2}, "LEND"),
    share("c", {"u": 2, "v": 2}, "RESERVE"),
)
SECOND = 1000


class Plain:
    """The state, second by second, and sums of the quantities by their meaning."""

    def __init__(self) -> None:
        self.now = Administered.of(CONFIG)
        self.jobs: dict[str, Submitted] = {}
        self.holds: dict[str, Submitted] = {}
        self.waits: dict[str, Submitted] = {}
        self.sums: Counter[tuple[str, ...]] = Counter()

    def record(self, what) -> None:
        match what:
            case Submitted():
                self.jobs[what.job] = self.waits[what.job] = what
            case ev.Dispatch():
                self.holds[what.job] = self.waits.pop(what.job)
            case Preempted() | Retried() | ev.Return():
                self.waits[what.job] = self.holds.pop(what.job)
            case ev.Finish() | ev.Terminate():
                self.holds.pop(what.job, None)
                self.waits.pop(what.job, None)
            case Preempting():
                pass
            case ev.SetLimits() | ev.SetSharing() | ev.SetCapacity():
                self.now = self.now.after(what, Readings())
            case _:
                pass

    def second(self) -> None:
        shares = tuple(self.now.shares)
        for unit in CONFIG.units:
            view = Enumerated(shares, (unit,), Readings(), self.state(unit))
            total = {
                q: evaluate(view.total(q, unit), {})
                for q in (NOW.used, NOW.borrowed, NOW.lendable_idle, NOW.reserved_idle)
            }
            free = max(0, self.now.capacity.get(unit, 0) - total[NOW.used])
            self.sums["capacity", unit] += self.now.capacity.get(unit, 0)
            self.sums["beyond", unit] += max(0, total[NOW.borrowed] - total[NOW.lendable_idle])
            for s in shares:
                used, borrowed, idle, reserved = (evaluate(q(view.at(s, unit)), {}) for q in total)
                self.sums["own", s, unit] += used - borrowed
                self.sums["borrowed", s, unit] += borrowed
                if total[NOW.lendable_idle]:
                    self.sums["lent", s, unit] += idle * min(1, total[NOW.borrowed] / total[NOW.lendable_idle])
                if total[NOW.reserved_idle]:
                    kept = reserved * min(1, free / total[NOW.reserved_idle])
                    self.sums["kept", s, unit] += kept
                    others = any(j.share != s and unit in j.size for j in self.waits.values())
                    self.sums["kept_waiting", s, unit] += kept * others

    def state(self, unit: str):
        usage: Counter[str] = Counter()
        for job in self.holds.values():
            usage[job.share] += job.size.get(unit, 0)
        known = {}
        for s in self.now.shares:
            grant = self.now.grant(s, unit, Readings())
            known |= {
                ("usage", s, unit): usage[s],
                ("limit", s, unit): grant.limit,
                ("lendable", s, unit): grant.lendable,
            }
        return known


def ledger(seen, columns: Columns) -> list:
    made = Ledger(CONFIG, Settings(columns, Readings()), 0)
    made.read(iter(seen), ordered=True)
    return list(made.told())


def by_hand(told, start: int, end: int) -> Counter[tuple[str, ...]]:
    plain = Plain()
    at_second = defaultdict(list)
    for at, what in told:
        at_second[at].append(what)
    for second in range(end):
        for what in at_second[second]:
            plain.record(what)
        if second >= start:
            plain.second()
    return plain.sums


def rows(told, columns: Columns, period: str) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for row in ledger(in_seconds(told), columns):
        if isinstance(row, UnitHours) and row.period == period:
            found["capacity", row.unit], found["beyond", row.unit] = row.capacity, row.beyond
        if isinstance(row, ShareHours) and row.period == period:
            for name in ("own", "borrowed", "lent", "kept", "kept_waiting"):
                found[name, row.share, row.unit] = getattr(row, name)
    return found


def same(got: Counter[tuple[str, ...]], wanted: Counter[tuple[str, ...]]) -> None:
    for key in {*got, *wanted}:
        assert got[key] * HOUR / SECOND == pytest.approx(wanted[key], abs=1e-6), key


@pytest.mark.parametrize("seed", range(25))
def test_hours_are_those_of_an_evaluation_of_every_second(seed: int) -> None:
    told = wild(CONFIG, Random(seed), 120)
    end = told[-1][0] + 5
    same(rows(told, Columns.of(0, end * SECOND), "all"), by_hand(told, 0, end))


@pytest.mark.parametrize("seed", range(10))
def test_columns_part_the_hours_and_leave_out_what_was_before(seed: int) -> None:
    told = wild(CONFIG, Random(1000 + seed), 120)
    end = told[-1][0] + 5
    start, parted = end // 4, end // 2
    columns = Columns.of(start * SECOND, end * SECOND, parted * SECOND)
    same(rows(told, columns, "before"), by_hand(told, start, parted))
    same(rows(told, columns, "after"), by_hand(told, parted, end))


@pytest.mark.parametrize("seed", range(25))
def test_what_is_lent_is_what_is_borrowed_and_nothing_is_negative(seed: int) -> None:
    told = wild(CONFIG, Random(2000 + seed), 300)
    found = ledger(in_seconds(told), Columns.of(0, (told[-1][0] + 5) * SECOND))
    for unit in (row for row in found if isinstance(row, UnitHours)):
        shares = [row for row in found if isinstance(row, ShareHours) and row.unit == unit.unit]
        numbers = (unit.capacity, unit.busy, unit.borrowed, unit.beyond, unit.lost.low, unit.kept, unit.kept_waiting)
        assert min(numbers) >= 0
        assert all(min(r.own, r.borrowed, r.lent, r.kept, r.kept_waiting) >= 0 for r in shares)
        assert sum(r.own + r.borrowed for r in shares) == pytest.approx(unit.busy)
        assert sum(r.lent for r in shares) + unit.beyond == pytest.approx(unit.borrowed)
        assert sum(r.kept for r in shares) == pytest.approx(unit.kept)
        assert unit.kept_waiting <= unit.kept + 1e-9
        assert unit.lost.low <= unit.lost.high
    jobs = [row for row in found if isinstance(row, ShareJobs)]
    assert sum(r.stops for r in jobs) > 0
    assert all(0 <= r.finished_on_loan <= r.finished + 1e-9 for r in jobs)
