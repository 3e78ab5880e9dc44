"""A play agrees with the replay of its scenario, adds up, and is the same however one gets to a step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.replay import how
from quotaproof.checker.teach.frame import BROKEN, as_json
from quotaproof.checker.teach.game import Game, Side, Tick
from quotaproof.checker.teach.opened import game_of
from quotaproof.checker.teach.plays import Plays
from quotaproof.checker.teach.run import Play
from quotaproof.checker.teach.scenarios import offered, scenario
from quotaproof.checker.witness.play import play as witness
from quotaproof.spec import events as ev
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Scenario, Settle

from ...support.games import games, queue

G5 = "ml.g5.xlarge"


def possible(scenario: Scenario) -> Scenario:
    """The scenario without the steps that are impossible, as its play leaves them out."""
    play = Play(game_of(scenario), lenient=True)
    left_out = {line.move for line in play.lines() if line.said[0].sentence.startswith("Not possible here")}
    if not left_out:
        return scenario
    steps = tuple(step for number, step in enumerate(scenario.steps) if number not in left_out)
    return replace(scenario, steps=steps, breaks=None, repeats_from=None)


def differences(scenario: Scenario) -> list[str]:
    """Where the frames of a scenario are not what its replay says."""
    scenario = possible(scenario)
    replayed, play = witness(scenario), Play(game_of(scenario), lenient=True)
    shown = f"{how(scenario.breaks)}." if scenario.breaks is not None else ""
    told = [n for n in range(play.count) if play.step(n) is not None]
    lines = [line for line in replayed.lines if line.event is not None or line.note]
    if len(told) != len(lines):
        return [f"{len(told)} frames, {len(lines)} lines"]
    found = []
    for number, line in zip(told, lines, strict=True):
        frame, step = play.frame(number), play.step(number)
        broken = [b.code for b in frame.line.broken if b.code != "G18" and b.sentence != shown]
        used = {(b.share, b.unit): b.own + b.borrowed for b in frame.bars}
        expected = {(share, unit): n for share, units in line.usage.items() for unit, n in units.items() if n}
        if line.event is not None and step != line.event:
            found.append(f"{number}: {step} is not {line.event}")
        if broken != ([line.violation.code] if line.violation else []) or frame.line.note != line.note:
            found.append(f"{number}: {broken} {frame.line.note} is not {line.violation} {line.note}")
        if any(used.get(key, 0) != n for key, n in expected.items()):
            found.append(f"{number}: {used} is not {expected}")
    red = {lamp.code for lamp in play.lamps.at(play.count - 1) if lamp.state == BROKEN}
    if scenario.breaks is not None and replayed.shows and scenario.breaks.guarantee not in red:
        found.append(f"{scenario.breaks} is not shown")
    return found


@pytest.mark.parametrize("name", [one.name for one in offered() if one.source in ("aws", "seed")])
def test_a_seed_scenario_is_played_as_it_is_replayed(name):
    assert differences(scenario(name)) == []


@pytest.mark.campaign
def test_every_scenario_of_the_corpus_is_played_as_it_is_replayed():
    assert {s.name: wrong for s in corpus() if (wrong := differences(s))} == {}


@settings(max_examples=25, deadline=None)
@given(games())
def test_bars_add_up_and_agree_with_the_units(game):
    play = Play(game, lenient=True)
    for number in range(play.count):
        frame = play.frame(number)
        for bar in frame.bars:
            idle = bar.limit - bar.own - bar.reserved_idle
            assert 0 <= bar.lent_least <= bar.lent_most <= idle
            assert bar.borrowed == 0 or bar.own == bar.limit
        for unit in frame.units:
            bars = [bar for bar in frame.bars if bar.unit == unit.unit]
            jobs = [j for j in frame.jobs if j.stage in ("SCHEDULED", "STARTING", "RUNNING", "DRAINING")]
            assert unit.used == sum(b.own + b.borrowed for b in bars) == sum(j.size.get(unit.unit, 0) for j in jobs)
            assert unit.draining == sum(bar.draining for bar in bars)
            assert unit.reserved_idle == sum(bar.reserved_idle for bar in bars)
            assert sum(b.lent_least for b in bars) <= sum(b.borrowed for b in bars)


@settings(max_examples=25, deadline=None)
@given(games(), st.randoms(use_true_random=False))
def test_a_frame_is_the_same_however_one_gets_there(game, rng):
    play = Play(game, lenient=True)
    forward = [as_json(play.frame(n)) for n in range(play.count)]
    order = [rng.randrange(play.count) for _ in range(30)]
    assert [as_json(play.frame(n)) for n in order] == [forward[n] for n in order]


def test_victims_are_named_in_the_order_in_which_they_were_told_also_after_going_back():
    config = queue([{"name": "a", "limits": {"u": 2}, "strategy": "LEND"},
                    {"name": "b", "limits": {"u": 1}, "strategy": "LEND_AND_BORROW"}], {"u": 3})  # fmt: skip
    loans = [ev.Submit(f"b{n}", "b", {"u": 1}, priority) for n, priority in ((1, 1), (2, 2), (3, 9))]
    game = Game("q", config, (*loans, Settle(), ev.Submit("a1", "a", {"u": 2}), Settle()))
    play = Play(game)
    told = next(n for n in range(play.count) if play.line(n).kind == "claim")
    before = Play(play.cut(told)).frame(told)
    assert any("b1 and b2 were told to stop" in job.waits.sentence for job in before.jobs if job.waits)
    for number in (play.count - 1, told):
        frame = play.frame(number)
    assert as_json(replace(frame, next=None)) == as_json(replace(before, next=None, line=frame.line))
    assert [job.name for job in play.book.draining()] == ["b1", "b2"]


@settings(max_examples=25, deadline=None)
@given(games(), st.data())
def test_a_play_that_is_cut_and_goes_on_is_the_same_play(game, data):
    play = Play(game, lenient=True)
    at = data.draw(st.integers(0, play.count - 1))
    again = Play(play.cut(at), lenient=True)
    assert again.count == at + 1

    def state(frame):
        return as_json(replace(frame, line=replace(frame.line, move=0), next=None))

    assert state(again.frame(at)) == state(play.frame(at))
    end = play.last_of(play.line(at).move)
    again.take([Tick()] * (end - at))
    assert [line.said for line in again.lines(at)] == [line.said for line in play.lines(at)[: end - at + 1]]


@settings(max_examples=12, deadline=None)
@given(games(), games(), st.data())
def test_what_is_kept_of_other_plays_makes_no_difference(one, two, data):
    plays = Plays()
    for _ in range(4):
        game = data.draw(st.sampled_from([one, two]))
        game = replace(game, moves=game.moves[: data.draw(st.integers(0, len(game.moves)))])
        with plays.play(game, lenient=True) as kept:
            fresh = Play(game, lenient=True)
            assert kept.lines() == fresh.lines()
            assert as_json(kept.frame(kept.count - 1)) == as_json(fresh.frame(fresh.count - 1))


@settings(max_examples=25, deadline=None)
@given(games())
def test_the_reference_breaks_nothing(game):
    play = Play(game, lenient=True)
    assert [lamp for lamp in play.lamps.at(play.count - 1) if lamp.state == BROKEN] == []


@pytest.mark.campaign
@settings(max_examples=3000, deadline=None)
@given(games())
def test_the_reference_breaks_nothing_in_many_plays(game):
    play = Play(game, lenient=True)
    assert [lamp for lamp in play.lamps.at(play.count - 1) if lamp.state == BROKEN] == []


WALK = queue(
    [
        {
            "name": "QS1",
            "limits": {G5: 1},
            "strategy": "LEND_AND_BORROW",
            "borrowLimit": 200,
            "inSharePreemption": True,
        },
        {"name": "QS2", "limits": {G5: 1}, "strategy": "LEND"},
        {"name": "QS3", "limits": {G5: 1}, "strategy": "RESERVE"},
    ],
    {G5: 3},
)


def submit(job, share, priority):
    return ev.Submit(job, share, {G5: 1}, priority)


WALKTHROUGH = Game(
    "walkthrough", WALK,
    (submit("high", "QS1", 3), submit("med", "QS1", 2), submit("low", "QS1", 1), Settle(), submit("own", "QS2", 1), Settle(),
     ev.SetPriority("low", 4), Settle()),
)  # fmt: skip


def test_the_walkthrough_says_what_happens_and_why():
    play = Play(WALKTHROUGH)
    said = {(line.kind, line.job): " ".join(s.sentence for s in line.said) for line in play.lines()}
    assert "borrows 1 ml.g5.xlarge of what QS2 leaves idle" in said["dispatch", "med"]
    assert "QS1 uses 1 ml.g5.xlarge more than its own" in said["claim", "own"]
    assert "QS2 takes back what is its own" in said["claim", "own"]
    assert "Priorities of QS2's jobs are not compared with QS1's (own 1, med 2)" in said["claim", "own"]
    assert "In-share preemption of QS1 is on: low has priority 4, high 3" in said["claim", "low"]
    assert "It waits again in QS1: preemption 1, without limit" in said["stopped", "med"]
    rest = next(line for line in play.lines() if line.kind == "rest")
    assert "1 idle machine of QS3 is RESERVE and never lent" in rest.said[1].sentence
    assert (rest.said[1].code, rest.said[1].source) == ("dispatch.reserved", "rules 22, 24")


def test_every_sentence_of_a_decision_has_its_source():
    play = Play(WALKTHROUGH)
    told = [s for line in play.lines(1) for s in line.said if line.kind != "rest"]
    assert [s.sentence for s in told if not s.source] == []


def test_an_impossible_last_move_is_refused_and_the_play_is_as_before():
    play = Play(WALKTHROUGH)
    before = play.count
    with pytest.raises(InputError) as refused:
        play.take([ev.Finish("med")])
    assert "med is RUNNABLE" in refused.value.why
    assert play.count == before and play.game == WALKTHROUGH
    disabled = ev.SetShareState("QS2", "DISABLED")
    with pytest.raises(InputError) as refused:
        play.take([disabled, submit("late", "QS2", 1)])
    assert play.game.moves[-1] == disabled and "disabled share" in refused.value.why.lower()


def test_an_impossible_move_among_others_is_left_out_and_told():
    play = Play(replace(WALKTHROUGH, moves=(ev.Finish("nobody"), *WALKTHROUGH.moves)))
    assert play.line(1).note == "there is no job 'nobody'"
    assert play.line(1).said[0].sentence.startswith("Not possible here")
    assert play.frame(play.count - 1).bars == Play(WALKTHROUGH).frame(Play(WALKTHROUGH).count - 1).bars


def test_jobs_are_shown_with_their_place_their_loans_and_whom_they_make_room_for():
    play = Play(replace(WALKTHROUGH, moves=(*WALKTHROUGH.moves[:5], Tick())))
    jobs = {job.name: job for job in play.frame(play.count - 1).jobs}
    assert jobs["med"].stage == "DRAINING" and jobs["med"].drains_for == "own"
    assert play.frame(play.count - 1).claims == ("own",)
    jobs = {job.name: job for job in play.frame(play.last_of(3)).jobs}
    assert jobs["low"].place == 1 and jobs["high"].borrows == {G5: 1} == jobs["med"].borrows
    assert play.frame(play.count - 1).next is not None
    assert play.frame(play.last_of(3)).next is None


def test_a_settle_without_end_is_told_as_going_round():
    game = replace(WALKTHROUGH, side=Side("victims-return"))
    play = Play(game)
    lamp = next(lamp for lamp in play.lamps.at(play.count - 1) if lamp.code == "G18")
    assert lamp.state == BROKEN and play.line(lamp.since).broken
