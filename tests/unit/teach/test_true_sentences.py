"""What a play says of loans, limits and those who wait is true while something drains, and whatever is assumed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.teach.game import Game, Side, Tick
from quotaproof.checker.teach.run import Play
from quotaproof.checker.teach.scenarios import walkthrough
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Settle
from quotaproof.spec.model import State

from ...support.games import queue

BOTH, LEND, RESERVE = "LEND_AND_BORROW", "LEND", "RESERVE"


def share(name, limit, strategy=BOTH, **more):
    return {"name": name, "limits": {"u": limit}, "strategy": strategy, **more}


def submit(job, size=1):
    """Of the share that its first letter names."""
    return ev.Submit(job, job[0], {"u": size}, 1, None)


def played(shares, machines, *moves, **assumed):
    return Play(Game("q", queue(shares, {"u": machines}), moves, Side(assume=assumed)))


def waits(play):
    return {job.name: job.waits.sentence for job in play.frame(play.count - 1).jobs if job.waits}


def said(play, kind):
    return [[one.sentence for one in line.said] for line in play.lines() if line.kind == kind]


def lent(play):
    return {bar.share: (bar.lent_least, bar.lent_most) for bar in play.frame(play.count - 1).bars}


def test_a_job_for_which_its_own_share_makes_room_borrows_nothing():
    game = walkthrough()
    more = (
        Settle(),
        ev.Submit("q", "QS2", {"ml.g5.xlarge": 1}, 1, None),
        Settle(),
        ev.SetPriority("qs1_job_low", 4),
        Tick(),
    )
    told = waits(Play(replace(game, moves=(*game.moves, *more))))["qs1_job_low"]
    assert told.startswith("qs1_job_low waits for 1 machine to come free. ")


def test_a_share_is_not_told_that_others_use_what_it_owns_where_that_is_not_known():
    shares = [share("a", 1, LEND), share("b", 1), share("c", 1)]
    play = played(shares, 3, submit("b1"), submit("b2"), Settle(), submit("c1", 2), Settle())
    assert lent(play)["c"] == (0, 1)
    assert waits(play) == {
        "c1": "c1 waits for 1 machine to borrow. a uses 0 of its 1 and lends 0 to 1. b uses 2, its limit is 1."
    }
    play = played(shares, 3, submit("b1", 3), Settle(), submit("c1", 2), Settle())
    assert lent(play)["c"] == (1, 1)
    assert (
        "c1 waits for 2 machines to come free, 1 of them to borrow. Others use machines that c owns;"
        in waits(play)["c1"]
    )


@pytest.mark.parametrize(("assumed", "lends", "sentence"), [
    ({}, (2, 2), "b borrows 2 u of what a leaves idle: 3 in use, limit 1."),
    ({"A5": "borrowable"}, (0, 2),
     "b borrows 2 u of what a leaves idle or that no share owns (AWS does not say whose it is): 3 in use, limit 1."),
])  # fmt: skip
def test_what_no_share_owns_is_lent_only_where_that_may_be_borrowed(assumed, lends, sentence):
    play = played([share("a", 2, LEND), share("b", 1)], 5, submit("b1", 3), Settle(), **assumed)
    assert (lent(play)["a"], said(play, "dispatch")[0][1]) == (lends, sentence)
    assert play.frame(play.count - 1).units[0].unowned_lent == (2 if assumed else 0)


def test_a_limit_that_is_cut_makes_loans_of_which_nobody_knows_whose_they_are():
    cut = ev.SetLimits("a", {"u": 1})
    play = played([share("a", 2), share("b", 1, LEND)], 5, submit("a1", 3), Settle(), cut)
    assert lent(play) == {"a": (0, 0), "b": (0, 1)}


def test_machines_of_a_disabled_share_that_lends_nothing_are_not_called_reserve():
    off = ev.SetShareState("a", State.DISABLED)
    shares = [share("a", 2, LEND), share("b", 1)]
    play = played(shares, 3, off, submit("b1"), submit("b2"), Settle(), A47="no")
    assert waits(play) == {
        "b2": "b2 waits for 1 machine to borrow. 2 idle machines of a are not lent, since a is DISABLED (A47)."
    }
    play = played([share("a", 2, RESERVE), share("b", 1)], 3, off, submit("b1"), submit("b2"), Settle(), A47="no")
    assert "2 idle machines of a are RESERVE and never lent." in waits(play)["b2"]


@pytest.mark.parametrize(("borrow", "sentence", "source"), [
    (50, "a uses more u than it may ever use (3 in use, limit 1): b takes back what is its own.", "rules 36, 37, 48; A13"),
    (200, "a uses 2 u more than its own (3 in use, limit 1): b takes back what is its own.", "rules 36, 37; A13"),
])  # fmt: skip
def test_a_share_above_all_that_it_may_ever_use_is_told_of_the_cut_that_made_it_so(borrow, sentence, source):
    shares = [share("a", 2, borrowLimit=borrow), share("b", 2)]
    play = played(shares, 4, submit("a1", 3), Settle(), ev.SetLimits("a", {"u": 1}), submit("b1", 2), Tick())
    told = next(line for line in play.lines() if line.kind == "claim").said[1]
    assert (told.sentence, told.code, told.source) == (sentence, "G5x", source)


def test_what_drains_already_is_no_share_s_more_than_its_own():
    shares = [share("a", 1), share("b", 1, LEND), share("c", 1, LEND)]
    jobs = (submit("a1"), submit("a2"), submit("a3"), Settle(), submit("b1"), Tick(), submit("c1"), Tick())
    play = played(shares, 3, *jobs, ev.SetLimits("a", {"u": 1}))
    assert [told[1] for told in said(play, "claim")] == [
        "a uses 2 u more than its own (3 in use, limit 1): b takes back what is its own.",
        "a uses 1 u more than its own (2 in use once what drains has stopped, limit 1): c takes back what is its own.",
    ]
    assert said(play, "set-limits") == [["The limits of a become 1 u."]]


def test_a_victim_that_was_lent_machines_is_told_so_where_that_makes_it_a_borrower():
    ends = (ev.Advance("a1"), ev.Advance("a1"), ev.Finish("a1"), ev.SetCapacity({"u": 1}))
    moves = (submit("a1"), submit("a2"), Settle(), *ends, submit("b1"), Tick())
    play = played([share("a", 1), share("b", 1, LEND)], 2, *moves, A13="a")
    assert said(play, "claim")[0][1] == "When it started, a2 was lent 1 u: b takes back what is its own."


def test_a_job_that_fits_says_that_another_borrower_goes_before_it_only_where_one_does():
    shares = [share("a", 1), share("b", 1), share("c", 2, LEND)]
    moves = (submit("a1", 2), Settle(), submit("b1", 4), Settle(), submit("a2"))
    strict = played(shares, 4, *moves, Settle(), A16b="strict")
    assert waits(strict)["a2"] == "a2 fits; it waits where another share's job that borrows goes before it."
    alone = played(shares, 4, *moves[:2], submit("a2"), A16b="strict")
    assert waits(alone)["a2"] == waits(played(shares, 4, *moves))["a2"] == "a2 may start now."


def test_a_job_that_can_never_run_is_told_so_before_the_scheduler_says_it():
    assert waits(played([share("a", 1, LEND), share("b", 2)], 3, submit("a1", 3))) == {
        "a1": "a1 can never run: it asks for 3 u, and a may use 1 and borrow nothing."
    }


def test_a_claim_that_holds_only_what_is_freed_is_not_said_to_hold_more():
    play = played([share("a", 1, LEND), share("b", 2)], 3, submit("b1", 3), Settle(), submit("a1"), Tick(), A58="freed")
    assert said(play, "claim")[0][-1] == "What is freed for a1 is kept for it until it starts."
    assert waits(play)["a1"].endswith(" What is freed for it is kept for it.")
