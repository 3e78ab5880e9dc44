"""Two sides of a game: the same side shows the same; another one comes to its own rest; what it cannot do is told."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.teach.beside import changed, label, rests
from quotaproof.checker.teach.frame import as_json
from quotaproof.checker.teach.game import Side, Tick
from quotaproof.checker.teach.plays import Plays
from quotaproof.checker.teach.scenarios import played
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Expect, Settle

from ...support.games import games


@settings(max_examples=12, deadline=None)
@given(games())
def test_the_same_side_beside_shows_the_same(game):
    with Plays().shown(replace(game, beside=Side())) as pair:
        assert pair.count == pair.first.count
        for number in range(pair.count):
            assert as_json(pair.frame(number)) == as_json(pair.beside(number))
            assert pair.line(number).beside == ""


@settings(max_examples=12, deadline=None)
@given(games(), st.sampled_from(["never-reclaims", "starts-no-loans", "reference"]))
def test_every_step_of_either_side_is_shown_beside_one_of_the_same_move(game, scheduler):
    with Plays().shown(replace(game, side=Side("never-reclaims"), beside=Side(scheduler))) as pair:
        first, other = pair.first, pair.other
        assert {pair.first_at(n) for n in range(pair.count)} == set(range(first.count))
        told = [pair.line(n) for n in range(pair.count)]
        assert [line.number for line in told] == list(range(pair.count))
        for number, line in enumerate(told):
            beside = pair.beside(number)
            assert beside.line.move == line.move == first.line(pair.first_at(number)).move
            assert as_json(pair.frame(number).bars) == as_json(first.frame(pair.first_at(number)).bars)
        shown = [pair.beside(n).line.said[0].sentence for n in range(pair.count)]
        assert [s for s in shown if not s.startswith("It waits")] == [line.said[0].sentence for line in other.lines()]
        for lamp in pair.frame(pair.count - 1).lamps:
            assert lamp.state != "broken" or lamp.code in [b.code for b in told[lamp.since].broken]


@settings(max_examples=12, deadline=None)
@given(games(), st.data())
def test_two_sides_that_are_cut_and_stepped_on_are_the_same_two(game, data):
    game = replace(game, side=Side("never-reclaims"), beside=Side())
    plays = Plays()
    with plays.shown(game) as pair:
        at = data.draw(st.integers(0, pair.count - 1))
        cut, expected = pair.cut(at), (as_json(pair.frame(at).bars), as_json(pair.beside(at).bars))
    with plays.shown(cut) as again:
        assert again.count == at + 1
        assert (as_json(again.frame(at).bars), as_json(again.beside(at).bars)) == expected


def test_a_scheduler_that_stops_waits_while_the_one_beside_it_takes_back_and_both_are_told():
    moves = tuple(move for move in played("DEMO-1").moves if not isinstance(move, (*ev.SCHEDULER, Expect)))
    with Plays().shown(replace(played("DEMO-1"), moves=moves[:6], side=Side("never-reclaims"), beside=Side())) as pair:
        last = pair.first.line(pair.first.count - 1)
        assert last.kind == "rest" and [b.code for b in last.broken] == ["G14"]
        late = [line for line in pair.lines() if line.said[0].sentence.startswith("It waits")]
        told = " ".join(line.beside for line in pair.lines())
        assert "the reference: Room is made for qs2_job_1: qs1_job_med must stop." in told
        assert "the reference: qs1_job_med has stopped." in told and "the reference: qs2_job_1 starts." in told
        assert len(late) == 3 and pair.count == pair.first.count + 3
        assert [b.code for b in pair.line(pair.count - 1 - 3).broken] == ["G14"]


def test_what_comes_next_is_told_of_the_side_that_has_something_to_do():
    moves = tuple(move for move in played("DEMO-1").moves if not isinstance(move, (*ev.SCHEDULER, Expect)))
    game = replace(played("DEMO-1"), moves=(*moves[:5], Tick()), side=Side("never-reclaims"), beside=Side())
    with Plays().shown(game) as pair:
        assert pair.first.next() is None
        assert pair.frame(pair.count - 1).next.sentence == "the reference: qs1_job_med has stopped."


def test_a_step_is_the_last_when_nothing_is_left_to_do_and_each_side_has_been_judged():
    moves = tuple(move for move in played("DEMO-1").moves if not isinstance(move, (*ev.SCHEDULER, Expect)))
    game = replace(played("DEMO-1"), moves=moves[:5], side=Side("never-reclaims"), beside=Side())
    ends = []
    for ticks in range(6):
        with Plays().shown(replace(game, moves=(*game.moves, *[Tick()] * ticks))) as pair:
            last = pair.count - 1
            ends.append(rests(pair.frame(last), pair.beside(last)))
    assert ends == [False, False, False, False, True, True]
    with Plays().shown(replace(game, moves=(*game.moves, Settle(drains=False)), side=Side(), beside=None)) as play:
        frame = play.frame(play.count - 1)
        assert (frame.line.kind, frame.next.sentence) == ("rest", "qs1_job_med has stopped.")
        assert not rests(frame, None), "a victim still has to stop"


def test_what_is_impossible_beside_is_left_out_there_and_told():
    game = played("DEMO-1")
    moves = (*game.moves[:3], Settle(), ev.Finish("qs1_job_med"))
    with Plays().shown(replace(game, moves=moves, beside=Side("starts-no-loans"))) as pair:
        last = pair.count - 1
        assert pair.line(last).note == ""
        told = pair.beside(last).line
        assert told.said[0].sentence.startswith("Not possible here") and "RUNNABLE" in told.note


def test_given_choices_become_ticks_for_another_scheduler():
    game = played("exchange-of-part-owners")
    assert any(isinstance(move, ev.Claim) for move in game.moves)
    assert not any(isinstance(move, ev.SCHEDULER) for move in changed(game, Side()).moves)
    assert changed(game, Side()).shows is None


def test_a_side_is_labelled_by_what_differs_from_the_reference():
    assert label(Side()) == "the reference"
    assert label(Side("never-reclaims", {"A24": "b"})) == "never-reclaims, A24 b"
