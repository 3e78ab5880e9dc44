"""A play that takes longer than it may is told so; what has been played is kept, and asking again comes to its end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from quotaproof.checker.teach.game import Tick
from quotaproof.checker.teach.plays import Plays, Unfinished
from quotaproof.checker.teach.scenarios import walkthrough
from quotaproof.spec.formats.errors import InputError


def test_each_time_it_is_asked_for_it_comes_further():
    game = replace(walkthrough(), moves=(*walkthrough().moves, Tick(), Tick()))
    plays, stopped = Plays(seconds=0), []
    while len(stopped) < 9:
        try:
            with plays.play(game) as play:
                assert play.count == 6
                break
        except Unfinished as error:
            stopped.append((error.where, error.why.split()[0]))
    assert stopped == [("move 2", "4"), ("move 3", "3"), ("move 4", "2"), ("move 5", "1")]


def test_with_time_it_is_played_at_once():
    with Plays(seconds=60).play(walkthrough()) as play:
        assert play.count == 4
    with pytest.raises(InputError, match="it takes more than 0 seconds"), Plays(seconds=0).play(walkthrough()):
        pass
