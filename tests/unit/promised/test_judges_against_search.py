"""Every verdict of every judge is what the reachable states of small queues say, and each names the readings it rests on."""

from __future__ import annotations

from itertools import product

import pytest
from quotaproof.checker.results import Verdict
from quotaproof.checker.rollout.promises import bounded, idle, undisturbed
from quotaproof.spec.expr.nodes import all_of, const
from quotaproof.spec.promises import BorrowsAtMost, By, Fits, Gets, HoldsAtMost, IdleWhileWaiting, Undisturbed
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules import actions, commitments

from .judging import BROKEN, KEPT, MINUTE, judge
from .small import drawn, searched

NUMBERS = ("A5", "A6", "A8")
LATE = {"stop_takes": {"u": MINUTE}}


def questions(config, most):
    """Term, share, and what the search says of it."""
    for i, s in enumerate(config.shares):
        for n in {1, s.limits["u"], most}:
            yield Gets({"u": n}, 0), (s.name,), lambda small, i=i, n=n: small.not_at_once(i, n)
            yield Gets({"u": n}, MINUTE), (s.name,), lambda small, i=i, n=n: small.not_by_stops(i, n)
            yield Fits({"u": n}), (s.name,), lambda small, i=i, n=n: small.does_not_fit(i, n)
        for n in (0, most - 1):
            yield HoldsAtMost({"u": n}), (s.name,), lambda small, i=i, n=n: small.most([i]) > n
        yield BorrowsAtMost({"u": 1}), (s.name,), lambda small, i=i: small.most_borrowed(i) > 1
        yield IdleWhileWaiting("u", MINUTE), (s.name,), lambda small, i=i: small.idles(i)
        yield Undisturbed(By.OTHER_SHARES, always=True), (s.name,), lambda small, i=i: small.loses_loans(i)
        always = Undisturbed(By.ANYONE, always=True)
        yield always, (s.name,), lambda small, i=i: small.loses_loans(i) or small.loses_to_its_own(i, always=True)
        yield Undisturbed(By.ANYONE), (s.name,), lambda small, i=i: small.loses_to_its_own(i)
    two = tuple(s.name for s in config.shares[:2])
    yield HoldsAtMost({"u": most}), two, lambda small: small.most([0, 1]) > most


def disagreements(proofs, queues, *, deep=False, only=object):
    """Where a judge says otherwise than the search; `deep`: also under every other choice of readings."""
    for config, readings in queues:
        for term, shares, broken in questions(config, 3):
            if not isinstance(term, only):
                continue
            (made,) = judge(proofs, config, term, *shares, readings=readings, **LATE)
            verdict = made.result.verdict
            right = BROKEN if broken(searched(config, readings)) else KEPT
            if verdict not in right:
                yield config, readings, term, shares, made.result
            elif deep:
                yield from wrong_readings(config, readings, made.result, term, broken)


def wrong_readings(config, readings, found, term, broken):
    """Readings under which the answer differs and that the verdict does not name, or names without reason.

    What breaks a kept promise is a change of the readings in force, all others as they are: a further change may mend it.
    """
    free = [c for c in NUMBERS if c not in dict(readings.chosen)]
    for chosen in product(*[READINGS[c].choices for c in free]):
        change = dict(zip(free, chosen, strict=True))
        named = [c for c in found.combinations if c.items() <= {**readings, **change}.items()]
        just_this = {c: v for c, v in change.items() if v != readings[c]} in [dict(c) for c in named]
        if found.verdict in BROKEN:
            told = True if found.verdict is Verdict.BROKEN or named else None
        else:
            told = True if just_this else None if named else False
        if told is not None and told != broken(searched(config, readings.assuming(change))):
            yield config, readings, term, change, found


def test_every_verdict_is_that_of_a_search_over_all_states(proofs):
    assert list(disagreements(proofs, drawn(21, 2))) == []


def test_every_verdict_names_the_readings_on_which_a_search_differs(proofs):
    assert list(disagreements(proofs, [(c, r) for c, r in drawn(22, 2) if not r.chosen], deep=True)) == []


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(8))
def test_many_queues_are_judged_as_the_search_does(seed, proofs):
    assert list(disagreements(proofs, drawn(100 + seed, 40), deep=True)) == []


def _waits_for_room_only(view, share):
    return ~all_of(*[c.total(commitments.usage) + c.asks <= c.capacity for c in view.cells(share)])


WRONG = {
    "at once: forgets what is kept for others": (Gets, (commitments, "waits"), _waits_for_room_only),
    "within: takes back what nobody borrows": (
        Gets, (commitments, "served_by_loans"), lambda _view, _share: const(True)),
    "fits: counts what the share itself uses": (
        Fits, (commitments, "does_not_fit"),
        lambda v, s, b: all_of(b[0].weigh(lambda u: v.at(s, u).asks) == b[0].most, commitments.waits_for_others(v, s))),
    "at most: forgets the first machine": (HoldsAtMost, (bounded, "holds_more"),
                                           lambda v, b: commitments.holds_more(v, commitments.Bound(b.weights, b.most + 1))),
    "borrows at most: counts all that is used": (
        BorrowsAtMost, (bounded, "borrows_more"), commitments.holds_more),
    "idle: a machine that is kept counts as idle": (
        IdleWhileWaiting, (idle, "idles"), lambda c: all_of(
            c.may_borrow, c.asks == 1, c.usage >= c.limit, c.total(commitments.usage) + 1 <= c.capacity,
            ~actions.room(c, commitments.NOW, "x"))),
    "always: nobody needs what is borrowed": (Undisturbed, (undisturbed, "loses_loans"), lambda _c: const(False)),
    "by anyone: forgets in-share preemption": (Undisturbed, (undisturbed, "loses_to_its_own"), lambda _c: const(False)),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_judge_with_one_condition_wrong_differs_from_the_search_soon(name, proofs, monkeypatch):
    kind, (module, attribute), wrong = WRONG[name]
    monkeypatch.setattr(module, attribute, wrong)
    assert next(disagreements(proofs, drawn(31, 60), only=kind), None) is not None
