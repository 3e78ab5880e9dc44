"""Every planted bug of the menu turns its own lamp red, in the scenario that is offered for it and in drawn plays."""

from __future__ import annotations

import pytest
from hypothesis import Phase, find, settings
from hypothesis.errors import NoSuchExample
from quotaproof.checker.teach.frame import BROKEN
from quotaproof.checker.teach.game import Side
from quotaproof.checker.teach.planted import PLANTED
from quotaproof.checker.teach.run import Play
from quotaproof.checker.teach.scenarios import played
from quotaproof.spec import events as ev
from quotaproof.spec.rules.guarantees import GUARANTEES

from ...support.games import games
from ...support.wrong import WRONG

MENU = ("G1", "G2", "G3", "G4", "G5x", "G5s", "G6", "G6+", "G7", "G8", "G9", "G11", "G14", "G16", "G18", "G21")


def red(play: Play) -> set[str]:
    return {lamp.code for lamp in play.lamps.at(play.count - 1) if lamp.state == BROKEN}


def test_there_is_a_bug_for_every_guarantee_that_a_small_one_breaks():
    assert {bug.code for bug in PLANTED.values()} == set(MENU) <= set(GUARANTEES)
    assert {name: WRONG[name].code for name in PLANTED} == {bug.name: bug.code for bug in PLANTED.values()}


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_bug_turns_its_lamp_red_in_the_scenario_that_shows_it(name):
    bug, game = PLANTED[name], played(PLANTED[name].shows)
    play = Play(game, Side(name, game.side.assume))
    assert bug.code in red(play)
    lamp = next(lamp for lamp in play.lamps.at(play.count - 1) if lamp.code == bug.code)
    line = play.line(lamp.since)
    assert bug.code in {broken.code for broken in line.broken} and lamp.because
    before = {lamp.code: lamp.state for lamp in play.frame(lamp.since - 1).lamps}
    assert before[bug.code] != BROKEN
    assert red(Play(game)) == set()


def found(name, most, *phases):
    """A drawn play in which the bug shows, of so many."""
    how = settings(max_examples=most, deadline=None, derandomize=True, database=None, phases=phases)
    return find(games(Side(name)), lambda game: PLANTED[name].code in red(Play(game)), settings=how)


@pytest.mark.parametrize("name", ["one-more-machine", "borrows-one-more", "in-share-always", "low-priority-first"])
def test_a_planted_bug_is_found_in_150_drawn_plays(name):
    assert found(name, 150, Phase.generate).moves


@pytest.mark.campaign
@pytest.mark.parametrize("name", PLANTED)
def test_every_planted_bug_is_found_in_1000_drawn_plays_and_shrinks_to_5_jobs(name):
    try:
        game = found(name, 1_000, Phase.generate, Phase.shrink)
    except NoSuchExample:
        pytest.fail(f"{name} breaks nothing that is drawn")
    assert sum(isinstance(move, ev.Submit) for move in game.moves) <= 5
