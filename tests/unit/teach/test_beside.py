"""Two sides of a game: the same side shows the same; another one has as many steps; what it cannot do is told."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from quotaproof.checker.teach.beside import changed, label, other_moves, partner
from quotaproof.checker.teach.frame import as_json
from quotaproof.checker.teach.game import Side, Tick
from quotaproof.checker.teach.plays import Plays
from quotaproof.checker.teach.run import Play
from quotaproof.checker.teach.scenarios import played
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Settle

from ...support.games import games


@settings(max_examples=12, deadline=None)
@given(games())
def test_the_same_side_beside_shows_the_same(game):
    with Plays().both(replace(game, moves=(*game.moves, Settle()), beside=Side())) as (first, other):
        for number in range(first.count):
            assert partner(first, other, number) == number
            assert as_json(first.frame(number)) == as_json(other.frame(number))


@settings(max_examples=12, deadline=None)
@given(games())
def test_beside_every_frame_of_a_move_stands_one_of_the_same_move(game):
    with Plays().both(replace(game, moves=(*game.moves, Settle()), beside=Side("never-reclaims"))) as (first, other):
        assert len(other.game.moves) == len(first.game.moves)
        for number in range(first.count):
            beside = partner(first, other, number)
            assert other.line(beside).move == first.line(number).move
            outside = not isinstance(first.game.moves[first.line(number).move], (Tick, Settle)) if number else True
            assert not outside or other.line(beside).kind == first.line(number).kind


def test_two_policies_differ_in_the_walkthrough_and_one_settles_where_the_other_rests():
    moves = [move for move in played("DEMO-1").moves if not isinstance(move, ev.SCHEDULER)][:4]
    game = replace(played("DEMO-1"), moves=(*moves[:3], Tick(), Tick(), Tick()), beside=Side("starts-no-loans"))
    first = Play(game)
    assert other_moves(first) == (*moves[:3], Tick(), Tick(), Settle())
    with Plays().both(game) as (first, other):
        used = [sum(b.own + b.borrowed for b in p.frame(p.count - 1).bars) for p in (first, other)]
        assert used == [2, 1]
        assert other.line(partner(first, other, first.count - 1)).kind == "rest"


def test_what_is_impossible_beside_is_left_out_there_and_told():
    game = played("DEMO-1")
    moves = (*game.moves[:3], Settle(), ev.Finish("qs1_job_med"))
    with Plays().both(replace(game, moves=moves, beside=Side("starts-no-loans"))) as (first, other):
        assert first.line(first.count - 1).note == ""
        told = other.line(other.count - 1)
        assert told.said[0].sentence.startswith("Not possible here") and "RUNNABLE" in told.note


def test_given_choices_become_ticks_for_another_scheduler():
    game = played("exchange-of-part-owners")
    assert any(isinstance(move, ev.Claim) for move in game.moves)
    assert not any(isinstance(move, ev.SCHEDULER) for move in changed(game, Side()).moves)
    assert changed(game, Side()).shows is None


def test_a_side_is_labelled_by_what_differs_from_the_reference():
    assert label(Side()) == "the reference"
    assert label(Side("never-reclaims", {"A24": "b"})) == "never-reclaims, A24 b"
