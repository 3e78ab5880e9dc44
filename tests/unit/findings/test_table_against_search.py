"""The formulas of the share table agree with an explicit search over all reachable states."""

from __future__ import annotations

import itertools
import random

import pytest
from quotaproof.checker.findings.table import Lot
from quotaproof.spec.model import Grant

from .search import Queue

UNALLOTTED = ("owners", "void", "borrowable")


def all_grants(limits: range, borrowables: tuple[int | None, ...]) -> list[tuple[int, int, int | None]]:
    """RESERVE, LEND and LEND_AND_BORROW shares of every limit, as AWS can configure them."""
    kinds: list[tuple[int, int, int | None]] = []
    for limit in limits:
        kinds += [(limit, 0, 0), *[(limit, limit, b) for b in borrowables]]
    return kinds


def disagreements(queue: Queue) -> list[str]:
    lot = Lot("u", queue.capacity, tuple(Grant(*g) for g in queue.grants), queue.unallotted)
    wrong: list[str] = []
    for i, (limit, _, _) in enumerate(queue.grants):
        pairs = {
            "most": (lot.most(i), queue.most(i)),
            "sure": (lot.sure(i), queue.sure(i)),
            "loses": (lot.loses(i), queue.loses(i)),
            "at once": (lot.at_once(i), queue.at_once(i)),
            "unstopped": (lot.unstopped(i), queue.unstopped(i)),
        }
        if lot.sure(i) == limit:
            pairs["must take back"] = (lot.must_take_back(i), queue.must_take_back(i))
        wrong += [f"{queue} share {i} {what}: {a}, search {b}" for what, (a, b) in pairs.items() if a != b]
    reached = max(sum(usage) for usage in queue.states)
    if lot.kept <= lot.capacity and lot.reach != reached:
        wrong.append(f"{queue} reach: {lot.reach}, search {reached}")
    return wrong


@pytest.mark.parametrize("unallotted", UNALLOTTED)
def test_every_pair_of_shares_has_the_numbers_the_search_finds(unallotted: str) -> None:
    kinds = all_grants(range(1, 4), (0, 1, None))
    pairs = itertools.combinations_with_replacement(kinds, 2)
    queues = [Queue(e, pair, unallotted) for pair in pairs for e in range(1, 7)]
    assert len(queues) == 468
    assert [w for q in queues for w in disagreements(q)] == []


@pytest.mark.parametrize("unallotted", UNALLOTTED)
def test_a_random_choice_of_three_shares_has_the_numbers_the_search_finds(unallotted: str) -> None:
    kinds = all_grants(range(1, 4), (0, 1, 2, None))
    choose = random.Random(7)
    triples = [tuple(choose.choice(kinds) for _ in range(3)) for _ in range(250)]
    assert [w for t in triples for w in disagreements(Queue(choose.randint(0, 8), t, unallotted))] == []


@pytest.mark.parametrize("unallotted", UNALLOTTED)
def test_partly_lendable_limits_as_other_systems_have_them_agree_too(unallotted: str) -> None:
    choose = random.Random(11)
    queues: list[Queue] = []
    for _ in range(200):
        limits = [choose.randint(0, 3) for _ in range(3)]
        grants = tuple((x, choose.randint(0, x), choose.choice([0, 1, 2, None])) for x in limits)
        queues.append(Queue(choose.randint(0, 8), grants, unallotted))
    assert [w for q in queues for w in disagreements(q)] == []


def test_two_lenders_and_one_spare_machine_leave_an_owner_waiting() -> None:
    """B borrows from A and C, C returns into the spare machine, and A has to stop B: the spare is gone."""
    queue = Queue(4, ((1, 1, 0), (1, 1, None), (1, 1, 0)))
    assert queue.must_take_back(0)
    assert Lot("u", 4, tuple(Grant(*g) for g in queue.grants), "owners").must_take_back(0)


@pytest.mark.parametrize("unallotted", UNALLOTTED)
def test_a_borrower_that_may_take_the_whole_pool_leaves_no_loan_to_others(unallotted: str) -> None:
    choose = random.Random(5)
    kinds = all_grants(range(1, 4), (0, 1, 2, None))
    seen = {True: 0, False: 0}
    for _ in range(300):
        queue = Queue(choose.randint(1, 8), tuple(choose.choice(kinds) for _ in range(3)), unallotted)
        lot = Lot("u", queue.capacity, tuple(Grant(*g) for g in queue.grants), queue.unallotted)
        for i, (limit, _, _) in enumerate(queue.grants):
            if lot.borrow(i) == 0:
                continue
            alone = tuple(queue.most(i) if k == i else 0 for k in range(3))
            others = [j for j in range(3) if j != i]
            lent = any(
                alone[j] + n > queue.grants[j][0] and queue.fits(alone, j, n) for j in others for n in range(1, 9)
            )
            could = any(lot.borrow(j) for j in others)
            if could and lot.given <= lot.capacity:
                whole = lot.borrow(i) == lot.pool(i)
                seen[whole] += 1
                assert not (whole and lent), (queue, i)
                assert whole == (queue.most(i) - limit == lot.pool(i))
    assert min(seen.values()) > 20
