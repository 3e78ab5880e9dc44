"""The story of a job: submitted, waited, started, stopped for whom and why, each with the event to look at."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.teach.opened import open_paths
from quotaproof.checker.teach.run import Play
from quotaproof.checker.teach.scenarios import played
from quotaproof.checker.teach.story import story
from quotaproof.checker.teach.watched import Watched
from quotaproof.spec import events as ev
from quotaproof.spec.formats.errors import InputError

from ...support.games import games

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_a_stopped_job_says_when_for_whom_and_why():
    play = Play(played("DEMO-1"))
    told_at = next(
        n for n in range(play.count) if isinstance(e := play.step(n), ev.Claim) and "qs1_job_med" in e.victims
    )
    told = story(play, "qs1_job_med", play.count - 1)
    assert told.stopped.startswith(
        f"Told to stop once: at event {told_at} for qs2_job_1. QS1 uses 1 ml.g5.xlarge more than its own"
    )
    whats = [one.what for one in told.passages]
    assert whats[:4] == ["Submitted", "Starts", "Told to stop for qs2_job_1", "Has stopped"]
    stop = told.passages[2]
    assert stop.number == told_at
    assert any("takes back what is its own" in said.sentence and "36" in said.source for said in stop.said)


def test_a_job_that_was_not_submitted_yet_has_no_story_and_the_nearest_is_named():
    play = Play(played("DEMO-1"))
    with pytest.raises(InputError, match="there is no job") as told:
        story(play, "qs1_job_mad", play.count - 1)
    assert told.value.fix == "did you mean qs1_job_med?"
    with pytest.raises(InputError):
        story(play, "qs2_job_1", 3)


@settings(max_examples=40, deadline=None)
@given(games(), st.data())
def test_a_story_tells_every_event_of_its_job_and_every_stop_and_nothing_of_later(game, data):
    play = Play(game, lenient=True)
    at = data.draw(st.integers(0, play.count - 1))
    submitted = {e.job for n in range(at + 1) if isinstance(e := play.step(n), ev.Submit)}
    for job in submitted:
        told = story(play, job, at)
        numbers = [one.number for one in told.passages]
        assert numbers == sorted(numbers) and numbers[-1] <= at
        own = [n for n in range(1, at + 1) if getattr(play.step(n), "job", None) == job]
        stops = [n for n in range(1, at + 1) if isinstance(e := play.step(n), ev.Claim) and job in e.victims]
        assert set(own) | set(stops) <= set(numbers)
        assert [one.number for one in told.passages if one.what.startswith("Told to stop")] == stops
        for number in stops:
            assert f"at event {number} for {play.step(number).job}" in told.stopped
        stage = next((j.stage for j in play.frame(at).jobs if j.name == job), "")
        if stage == "DRAINING":
            assert told.passages[-1].what == "Is stopping now"


def test_a_job_of_a_history_has_a_story_with_times():
    game = open_paths([str(EXAMPLES / "history")]).game
    play = Watched(game)
    told = story(play, "qs1_job_med", play.count - 1)
    assert told.stopped.startswith("Told to stop once: at event ")
    assert "for QS2, job qs2_job_1" in told.stopped
    assert all(one.at for one in told.passages)
