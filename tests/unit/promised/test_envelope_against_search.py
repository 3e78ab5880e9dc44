"""The envelope is exactly what a queue can come to, and the share table reads the same numbers off it."""

from __future__ import annotations

import itertools

import pytest
from quotaproof.checker.findings.table import lots
from quotaproof.checker.prove.solver import Solver
from quotaproof.checker.rollout.promises.envelope import Envelope, Proved, Question, Reached, ground
from quotaproof.spec.expr.nodes import const
from quotaproof.spec.expr.python import compile_state
from quotaproof.spec.readings import READINGS, Readings
from quotaproof.spec.rules import commitments, quantities
from quotaproof.spec.rules.commitments import Bound
from quotaproof.spec.rules.view import Enumerated

from ...support.queues import queue, share
from .small import CONFIGURED, UNALLOTTED, drawn, made, searched


def enclosed(config, readings):
    """Every usage up to the capacity that `commitments.reachable` allows."""
    names = tuple(s.name for s in config.shares)
    view = Enumerated(names, ("u",), readings, ground(config, readings, ("u",)))
    holds = compile_state([commitments.reachable(view)], [f"usage.{n}.u" for n in names])
    each = range(config.environment.capacity["u"] + 1)
    return {usage for usage in itertools.product(each, repeat=len(names)) if holds(usage)[0]}


def differing(config, readings):
    real = searched(config, readings).states
    return sorted(real ^ enclosed(config, readings))


@pytest.mark.parametrize("seed", range(3))
def test_the_envelope_is_what_a_search_from_the_empty_queue_reaches(seed):
    queues = drawn(seed, 25)
    assert [(c, r) for c, r in queues if differing(c, r)] == []


@pytest.mark.campaign
@pytest.mark.parametrize("unallotted", UNALLOTTED)
@pytest.mark.parametrize("capacity", range(6))
def test_the_envelope_of_every_small_queue_is_what_a_search_reaches(capacity, unallotted):
    readings = Readings.of(A5=unallotted)
    groups = [g for n in (1, 2, 3) for g in itertools.combinations_with_replacement(CONFIGURED, n)]
    wrong = [g for g in groups if differing(made(capacity, g), readings)]
    assert (len(groups), wrong) == (1329, [])


@pytest.mark.parametrize("state", ["ENABLED", "DISABLED"])
@pytest.mark.parametrize("code", ["A46", "A47"])
def test_a_disabled_share_is_in_the_envelope_as_its_readings_say(code, state):
    for choice in READINGS[code].choices:
        shares = [share("a", 2, "LEND_AND_BORROW"), share("b", 2, "LEND", None, False, state), share("c", 1, "RESERVE")]
        assert not differing(queue(4, *shares), Readings.of(**{code: choice}))


WRONG = {
    "forgets what is kept": ("protected_at_loans", lambda c: c.usage),
    "lets borrowers fill what only owners may": ("lent_capacity", quantities.shared_capacity),
    "lets owners fill only what was given": ("shared_capacity", quantities.lent_capacity),
    "forgets the borrow limit": ("within_bounds", lambda c: c.usage >= 0),
    "forgets that loans may have been made before owners came": ("is_above_limit", lambda _: const(1)),
    "forgets that what is kept may be used whatever was given": ("uses_more_than_kept", lambda _: const(1)),
}


@pytest.mark.parametrize("name", WRONG)
def test_an_envelope_with_one_rule_wrong_differs_from_the_search_soon(name, monkeypatch):
    attribute, wrong = WRONG[name]
    real = getattr(commitments, attribute)
    made_wrong = type(real)(f"wrong_{attribute}", "", wrong, "") if hasattr(real, "source") else wrong
    monkeypatch.setattr(commitments, attribute, made_wrong)
    assert any(differing(c, r) for c, r in drawn(0, 400))


def asks(config, readings, bad, members=()):
    return Envelope(config, readings, Solver()).reach(Question(("u",), bad, members))


@pytest.mark.parametrize(("seed", "queues"), [(5, 6), pytest.param(6, 200, marks=pytest.mark.campaign)])
def test_the_share_table_has_the_numbers_of_the_envelope(seed, queues):
    for config, readings in drawn(seed, queues):
        (lot,) = lots(config, readings)
        envelope = Envelope(config, readings, Solver())
        for i, s in enumerate(config.shares):
            largest = envelope.largest(("u",), lambda v, n=s.name: v.at(n, "u").usage)
            assert largest == lot.most(i), (config, readings, i)
            whole = (Bound({"u": 1}, lot.grants[i].limit),)
            if lot.sure(i):
                fits = (Bound({"u": 1}, lot.sure(i)),)
                bad = asks(config, readings, lambda v, n=s.name, b=fits: commitments.does_not_fit(v, n, b))
                assert bad == Proved(), (config, readings, i)
            if lot.sure(i) < lot.grants[i].limit:
                more = (Bound({"u": 1}, lot.sure(i) + 1),)
                bad = asks(config, readings, lambda v, n=s.name, b=more: commitments.does_not_fit(v, n, b))
                assert isinstance(bad, Reached), (config, readings, i)
            else:
                bad = asks(config, readings, lambda v, n=s.name, b=whole: commitments.not_at_once(v, n, b))
                assert isinstance(bad, Reached) == lot.must_take_back(i), (config, readings, i)
            loses = asks(config, readings, lambda v, n=s.name: commitments.loses_loans(v.at(n, "u")))
            if lot.given <= lot.capacity:
                assert isinstance(loses, Reached) == (lot.loses(i) > 0), (config, readings, i)


def test_the_smallest_state_cannot_be_made_smaller():
    """No share left out, no number lowered: each such state is either not reachable or not bad."""
    checked = 0
    for config, readings in drawn(9, 10):
        for s in config.shares:
            bounds = (Bound({"u": 1}, s.limits["u"]),)
            found = asks(config, readings, lambda v, n=s.name, b=bounds: commitments.not_at_once(v, n, b))
            if isinstance(found, Reached):
                checked += 1
                small = searched(config, readings)
                i = small.names.index(s.name)
                state = tuple(found.usage.get((n, "u"), 0) for n in small.names)
                size = found.asks[s.name, "u"]
                assert state in small.states and not small.starts(state, i, size)
                for j, held in enumerate(state):
                    for fewer in range(held):
                        then = (*state[:j], fewer, *state[j + 1 :])
                        assert then not in small.states or small.starts(then, i, size)
                assert all(small.starts(state, i, n) for n in range(1, size))
    assert checked > 7
