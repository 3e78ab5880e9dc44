"""Games are named only where they exist: the gamed run ends differently from the honest one, and both replay."""

from __future__ import annotations

import pytest
from quotaproof.checker.findings.table import lots
from quotaproof.checker.rollout.games.pairs import CODES, GAMES, search, witness
from quotaproof.checker.witness.play import play
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share, walkthrough

LENT = queue(8, share("a", 2, "LEND_AND_BORROW"), share("b", 2, "LEND_AND_BORROW"), share("c", 4))
ALONE = queue(8, share("a", 2, "LEND"), share("b", 2, "RESERVE"), share("c", 4))
LOSES = {"splitting": ("a", "b", 2), "inflating": ("a", "b", 1), "padding": ("b", "a", 6)}


def looked(kind, config, readings=None):
    readings = readings or Readings()
    return search(kind, config, readings, lots(config, readings))


@pytest.mark.parametrize("kind", GAMES)
def test_both_runs_replay_and_the_loser_has_its_machines_only_in_the_honest_one(kind):
    pair = looked(kind, LENT)
    assert (pair.gamer, pair.loser, pair.amount) == LOSES[kind]
    ends = []
    for told in (pair.honest, pair.gamed):
        played = play(told)
        assert (played.wrong, played.violations) == ([], [])
        ends.append(set(told.steps[-1].dispatched))
    assert any(name.startswith(pair.loser) for name in ends[0] - ends[1])


@pytest.mark.parametrize("kind", GAMES)
def test_where_nobody_borrows_and_nobody_stops_colleagues_there_is_no_game(kind):
    assert looked(kind, ALONE) is None


def test_in_the_walkthrough_only_a_colleague_loses_by_priorities_and_one_borrower_by_fillers():
    assert looked("splitting", walkthrough()) is None
    assert (looked("inflating", walkthrough()).gamer, looked("inflating", walkthrough()).loser) == ("QS1", "QS1")
    assert (looked("padding", walkthrough()).gamer, looked("padding", walkthrough()).loser) == ("QS2", "QS1")


def test_high_priorities_keep_no_loan_where_the_oldest_job_is_stopped():
    pair = looked("inflating", LENT, Readings().assuming({"A26": "oldest"}))
    assert pair is None or pair.gamer == pair.loser


def both(*others):
    return share("a", 1, "LEND_AND_BORROW"), share("b", 1, "LEND_AND_BORROW"), *others


@pytest.mark.parametrize("kind", ["splitting", "inflating"])
def test_two_owners_that_lend_one_machine_each_are_enough(kind):
    pair = looked(kind, queue(4, *both(share("c", 1), share("d", 1))))
    assert (pair.gamer, pair.loser) == ("a", "b")
    assert all(play(told).wrong == [] for told in (pair.honest, pair.gamed))


def test_two_unallotted_machines_that_may_be_borrowed_are_enough_to_split_for():
    config = queue(7, *both(share("c", 2, "RESERVE")))
    assert looked("splitting", config) is None
    pair = looked("splitting", config, Readings().assuming({"A5": "borrowable"}))
    assert all(play(told).wrong == [] for told in (pair.honest, pair.gamed))


def test_a_colleague_who_loses_is_found_in_the_last_of_many_shares_and_units():
    oldest = Readings().assuming({"A26": "oldest"})
    shares = [share(f"s{i}", dict.fromkeys("uvw", 4), "LEND_AND_BORROW", in_share=i == 12) for i in range(13)]
    pair = looked("inflating", queue(dict.fromkeys("uvw", 52), *shares), oldest)
    assert (pair.gamer, pair.loser) == ("s12", "s12")


@pytest.mark.parametrize("kind", GAMES)
def test_few_choices_are_tried_of_many_shares(kind, monkeypatch):
    tried = []
    monkeypatch.setattr("quotaproof.checker.rollout.games.pairs._pair", lambda *told: tried.append(told))
    shares = [share(f"s{i}", dict.fromkeys("uvw", 4), "LEND_AND_BORROW", in_share=True) for i in range(20)]
    assert looked(kind, queue(dict.fromkeys("uvw", 80), *shares)) is None
    assert 3 <= len(tried) <= 9


@pytest.mark.parametrize("name", CODES)
def test_the_finding_names_the_gamed_run(name):
    made = witness(name, LENT, Readings(), lots(LENT, Readings()))
    assert made.name == name.removesuffix(".json")
    assert made.about == looked(CODES[name], LENT).gamed.about
