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


@pytest.mark.parametrize("name", CODES)
def test_the_finding_names_the_gamed_run(name):
    made = witness(name, LENT, Readings(), lots(LENT, Readings()))
    assert made.name == name.removesuffix(".json")
    assert made.about == looked(CODES[name], LENT).gamed.about
