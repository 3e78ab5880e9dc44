"""Suggestions: for every kind of term one that then proves; the smallest, as trying every change one by one says."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from itertools import product

import pytest
from quotaproof.checker.prove.solver import Answer, Solver
from quotaproof.checker.results import HOLDS
from quotaproof.checker.rollout.promises.case import Case
from quotaproof.checker.rollout.promises.demands import demands
from quotaproof.checker.rollout.promises.envelope import Envelope
from quotaproof.checker.rollout.promises.judge import JUDGES, judged
from quotaproof.checker.rollout.promises.solve import Demand, Impossible, Search, Solved
from quotaproof.checker.rollout.promises.suggest import Suggester, is_broken, sums
from quotaproof.checker.rollout.promises.symbolic import Freedom, Symbolic
from quotaproof.spec.promises import (
    BorrowsAtMost,
    By,
    Fits,
    Gets,
    HoldsAtMost,
    IdleWhileWaiting,
    Promise,
    Promises,
    Scope,
    StopsPerJob,
    Undisturbed,
)
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share

MINUTE = 60_000
TODAY = date(2026, 11, 30)
TAKES = {"u": 10 * MINUTE}
FULL = queue(16, share("foundation", 8, "LEND_AND_BORROW"), share("speech", 3, "LEND_AND_BORROW", 25),
             share("vision", 2), share("prod", 6, "RESERVE"))  # fmt: skip
LENT = queue(
    8, share("a", 3, "LEND_AND_BORROW", 100, in_share=True), share("b", 3, "LEND_AND_BORROW", 34), share("c", 2)
)
EVERY = {
    "gets within": (FULL, Gets({"u": 2}, 15 * MINUTE), ("vision",), ("foundation u 8 -> 5",)),
    "gets at once": (LENT, Gets({"u": 2}, 0), ("c",), None),
    "fits": (FULL, Fits({"u": 4}), ("speech",), None),
    "at most": (LENT, HoldsAtMost({"u": 5}), ("a",), ("a borrowLimit 100 % -> 99 %",)),
    "at most, of a measure": (LENT, HoldsAtMost({"GPU": 47}), ("a",), ("a borrowLimit 100 % -> 99 %",)),
    "borrows at most": (LENT, BorrowsAtMost({"u": 1}), ("a",), ("a borrowLimit 100 % -> 66 %",)),
    "idle while waiting": (LENT, IdleWhileWaiting("u", 0), ("b",), ("b borrowLimit 34 % -> 167 %",)),
    "undisturbed always": (LENT, Undisturbed(By.OTHER_SHARES, always=True), ("a",), None),
    "undisturbed by anyone": (LENT, Undisturbed(By.ANYONE), ("a",), None),
    "undisturbed by anyone, always": (LENT, Undisturbed(By.ANYONE, always=True), ("a",), None),
}


def case_of(proofs, config, *promises):
    return Case(
        Promises(tuple(promises), stop_takes=TAKES, weights={"GPU": {"u": 8}}), config, Readings(), proofs, TODAY
    )


def promised(term, *shares, code="P1", owner="o"):
    return Promise(code, "as it was said", Scope(shares), (term,), owner)


def judgements(case, promise):
    (term,) = promise.terms
    return list(JUDGES[type(term)](case, promise, term))


@pytest.mark.parametrize("kind", EVERY)
def test_a_broken_term_of_every_kind_has_a_suggestion_that_then_proves(kind, proofs):
    config, term, shares, words = EVERY[kind]
    promise, other = promised(term, *shares), promised(HoldsAtMost({"u": 8}), "c", "vision", code="P2")
    case = case_of(proofs, config, promise, other)
    (broken,) = [j for j in judgements(case, promise) if is_broken(j.result)]
    better = Suggester(case).better(promise, term, broken)
    assert better is not None
    assert better.config is not None
    then = case.with_config(better.config)
    assert all(j.result.verdict in HOLDS for p in (promise, other) for j in judgements(then, p))
    if words is not None:
        assert better.said(case).changes == words


def test_a_suggestion_says_what_it_costs_and_another_way_without_changing_a_limit(proofs):
    promise = promised(Gets({"u": 2}, 0), "c")
    case = case_of(proofs, LENT, promise)
    (said,) = [e.suggestion for e in judged(case, suggest=True) if getattr(e, "suggestion", None)]
    assert said.total > 0
    assert "holds at most" in said.costs
    assert said.instead == ("c LEND -> RESERVE",)


def test_what_is_kept_now_stays_kept(proofs):
    alone = promised(Gets({"u": 2}, 15 * MINUTE), "vision")
    other = promised(Fits({"u": 5}), "foundation", code="P2")
    keeps = promised(Gets({"u": 6}, 0), "prod", code="P3")
    free = case_of(proofs, FULL, alone)
    bound = case_of(proofs, FULL, alone, other, keeps)
    (broken,) = judgements(free, alone)
    assert Suggester(free).suggestion(alone, alone.terms[0], broken).total == 3
    better = Suggester(bound).better(alone, alone.terms[0], broken)
    assert not any(
        is_broken(j.result) for p in (alone, other, keeps) for j in judgements(bound.with_config(better.config), p)
    )
    assert better.config.share("prod").limits == {"u": 6}


def test_more_than_the_environment_has_is_said_to_be_a_purchase(proofs):
    promise = promised(Fits({"u": 9}), "a")
    case = case_of(proofs, LENT, promise)
    (broken,) = judgements(case, promise)
    changes = Suggester(case).suggestion(promise, promise.terms[0], broken).changes
    assert any("(a purchase)" in change for change in changes)


def test_promises_that_contradict_each_other_leave_no_change_and_that_is_proved(proofs):
    one, other = promised(Fits({"u": 4}), "a"), promised(HoldsAtMost({"u": 3}), "c", "b", code="P2")
    never = promised(HoldsAtMost({"u": 6}), "a", code="P3")
    wanted = promised(Fits({"u": 7}), "a", code="P4")
    case = case_of(proofs, LENT, wanted, never, one, other)
    (broken,) = judgements(case, wanted)
    said = Suggester(case).suggestion(wanted, wanted.terms[0], broken)
    assert said.changes == ()
    assert ": proved of " in said.none


def test_what_no_configuration_decides_has_no_suggestion(proofs):
    promise = promised(StopsPerJob(3), "a")
    case = case_of(proofs, LENT, promise)
    assert all(Suggester(case).better(promise, promise.terms[0], j) is None for j in judgements(case, promise))


# the smallest, against trying every change


def random_queue(rng):
    kinds = [
        ("LEND_AND_BORROW", None),
        ("LEND_AND_BORROW", 50),
        ("LEND_AND_BORROW", 100),
        ("LEND", None),
        ("RESERVE", None),
    ]
    shares = [share(name, rng.randint(1, 4), *rng.choice(kinds)) for name in "abc"[: rng.randint(2, 3)]]
    return queue(rng.randint(3, 6), *shares)


def random_term(rng):
    n = rng.randint(1, 4)
    return rng.choice([
        Gets({"u": n}, 0), Gets({"u": n}, 15 * MINUTE), Fits({"u": n}), HoldsAtMost({"u": n}), BorrowsAtMost({"u": n - 1}),
        IdleWhileWaiting("u", 0), Undisturbed(By.OTHER_SHARES, always=True),
    ])  # fmt: skip


def with_limits(config, limits):
    return queue(config.environment.capacity["u"], *[
        share(s.name, n, s.strategy.value, s.borrow_limit) for s, n in zip(config.shares, limits, strict=True)
    ])  # fmt: skip


def by_trying(config, questions):
    """(machines changed, shares touched) of the smallest change of limits that does it; None: no change does."""
    capacity, now = config.environment.capacity["u"], [s.limits["u"] for s in config.shares]
    most = max(capacity, *now)
    every = product(range(1, most + 1), repeat=len(now))
    cost = {new: (sum(abs(a - b) for a, b in zip(new, now, strict=True)), sum(a != b for a, b in zip(new, now, strict=True)))
            for new in every if sum(new) <= max(capacity, sum(now))}  # fmt: skip
    for new in sorted(cost, key=cost.__getitem__):
        engine = Envelope(with_limits(config, new), Readings(), Solver())
        if all(engine.can(q) is Answer.REFUTED for q in questions):
            return cost[new]
    return None


def compared(seed):
    """Whether there was something to solve."""
    rng = random.Random(seed)
    config, term = random_queue(rng), random_term(rng)
    promise = promised(term, config.shares[0].name)
    questions = tuple(demands(Promises((), stop_takes=TAKES), config, promise, term))
    search = Search(Symbolic(config, Readings(), Freedom(frozenset({"u"}))), [Demand("", q) for q in questions])
    search.require(*sums(search.symbolic))
    found, best = search.best(), by_trying(config, questions)
    if best is None:
        assert found == Impossible()
    else:
        assert isinstance(found, Solved)
        assert (found.costs[3], found.costs[4]) == best
    return best != (0, 0)


def with_rights(config, chosen):
    return queue(config.environment.capacity["u"], *[
        share(s.name, s.limits["u"], kind, s.borrow_limit if kind == "LEND_AND_BORROW" else None)
        for s, kind in zip(config.shares, chosen, strict=True)
    ])  # fmt: skip


def fewest_rights(config, questions):
    """How many rights must be taken so that it holds; None: taking all does not do it."""
    order = ("LEND_AND_BORROW", "LEND", "RESERVE")
    now = [order.index(s.strategy.value) for s in config.shares]
    every = sorted(product(*[range(i, 3) for i in now]), key=lambda new: sum(new) - sum(now))
    for new in every:
        engine = Envelope(with_rights(config, [order[i] for i in new]), Readings(), Solver())
        if all(engine.can(q) is Answer.REFUTED for q in questions):
            return sum(new) - sum(now)
    return None


def fewest_points(config, questions):
    """By how many percent points the first share's borrow limit must change; None: no percentage does it."""
    first, *rest = config.shares
    for far in range(301):
        for percent in (first.borrow_limit - far, first.borrow_limit + far):
            if percent * first.limits["u"] >= 100:  # it still borrows something
                changed = share(first.name, first.limits, "LEND_AND_BORROW", percent)
                engine = Envelope(queue(config.environment.capacity, changed, *rest), Readings(), Solver())
                if all(engine.can(q) is Answer.REFUTED for q in questions):
                    return far
    return None


def found_by(config, freedom, term):
    promise = promised(term, config.shares[0].name)
    questions = tuple(demands(Promises((), stop_takes=TAKES), config, promise, term))
    return Search(Symbolic(config, Readings(), freedom), [Demand("", q) for q in questions]).best(), questions


@pytest.mark.parametrize("seed", range(40, 46))
def test_no_fewer_rights_taken_do_it(seed):
    rng = random.Random(seed)
    config, term = random_queue(rng), random_term(rng)
    found, questions = found_by(config, Freedom(strategies=True), term)
    least = fewest_rights(config, questions)
    assert (found.costs[1] if isinstance(found, Solved) else None) == least


@pytest.mark.parametrize(
    ("term", "percent"),
    [
        (HoldsAtMost({"u": 4}), 90),
        (BorrowsAtMost({"u": 1}), 90),
        (IdleWhileWaiting("u", 0), 120),
        (Fits({"u": 3}), 34),
    ],
)
def test_no_smaller_change_of_a_borrow_limit_does_it(term, percent):
    config = queue(8, share("a", 3, "LEND_AND_BORROW", percent), share("b", 5))
    found, questions = found_by(config, Freedom(percents=True), term)
    assert (found.costs[5] if isinstance(found, Solved) else None) == fewest_points(config, questions)


def test_without_time_nothing_is_suggested_and_that_is_said(proofs):
    promise = promised(HoldsAtMost({"u": 5}), "a")
    case = case_of(proofs, LENT, promise)
    (broken,) = judgements(case, promise)
    said = Suggester(replace(case, solver=Solver(seconds=0))).suggestion(promise, promise.terms[0], broken)
    assert (said.changes, said.none) == ((), "none found; the time of --timeout is used up")


def test_no_smaller_change_of_limits_does_it():
    assert sum(compared(seed) for seed in range(6)) >= 2


@pytest.mark.campaign
def test_no_smaller_change_of_limits_does_it_in_many_queues():
    assert sum(compared(seed) for seed in range(1000, 1200)) >= 70
