"""Plays as forms and as files: read back equal, and a saved play replays with the same events and verdicts."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.teach.form import as_form, game_of
from quotaproof.checker.teach.game import Game, Side
from quotaproof.checker.teach.opened import open_files, open_paths
from quotaproof.checker.teach.planted import PLANTED
from quotaproof.checker.teach.plays import Plays
from quotaproof.checker.teach.run import Play
from quotaproof.checker.teach.saved import scenario_of, text_of
from quotaproof.checker.teach.scenarios import played, scenario
from quotaproof.checker.teach.watched import Watched
from quotaproof.checker.witness.play import play as witness
from quotaproof.spec import events as ev
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Expect

from ...support.games import games

EXAMPLES = Path(__file__).parents[3] / "examples"


def opened(play: Play, at: int | None = None) -> Game:
    name, text = text_of(scenario_of(play, at))
    return open_files([(name, text)]).game


@settings(max_examples=25, deadline=None)
@given(games(), st.data())
def test_a_saved_play_has_the_same_events_and_breaks_the_same(game, data):
    side = Side(data.draw(st.sampled_from(["reference", *PLANTED])))
    play = Play(game, side, lenient=True)
    at = data.draw(st.integers(0, play.count - 1))
    again = Play(opened(play, at), lenient=True)
    stands_in = [n for n in range(1, at + 1) if fails_too_early(play, n)]
    events = []
    for n in range(1, at + 1):
        events += [] if play.step(n) is None else [play.step(n)]
        events += [ev.Terminate(play.line(n).job)] if n in stands_in else []
    assert [again.step(n) for n in range(1, again.count)] == events
    broken = [b.code for n in range(1, at + 1) for b in play.line(n).broken if play.step(n) is not None]
    kept = [code for n, code in enumerate(broken) if not (side.scheduler == "never-requeues" and code == "G11")]
    found = [b.code for line in again.lines() for b in line.broken]
    if side.scheduler != "reference":  # with its choices given it may be seen a step earlier to go round
        found, kept = ([code for code in codes if code != "G18"] for codes in (found, kept))
    assert found == kept
    assert (side.scheduler == "never-requeues") * broken.count("G11") == len(stands_in)
    assert again.frame(again.count - 1).bars == play.frame(at).bars


def fails_too_early(play: Play, number: int) -> bool:
    line = play.line(number)
    return line.kind == "stopped" and [b.code for b in line.broken] == ["G11"]


@pytest.mark.parametrize("name", ["in-share-always", "lends-reserve", "gives-claimed-away", "stops-one-more"])
def test_what_the_last_step_breaks_is_what_the_saved_scenario_shows(name):
    game = played(PLANTED[name].shows)
    play = Play(game, Side(name, game.side.assume))
    since = next(lamp.since for lamp in play.lamps.at(play.count - 1) if lamp.code == PLANTED[name].code)
    saved = scenario_of(play, since)
    assert saved.breaks is not None and saved.breaks.guarantee == PLANTED[name].code
    assert witness(saved).shows


def test_what_no_step_alone_shows_is_said_in_the_saved_scenario():
    play = Play(played("DEMO-1"), Side("never-reclaims"))
    since = next(lamp.since for lamp in play.lamps.at(play.count - 1) if lamp.code == "G14")
    saved = scenario_of(play, since)
    assert saved.breaks is None and "never-reclaims breaks here what its choices alone do not show: G14" in saved.about


def test_a_job_that_fails_when_it_stops_is_terminated_in_the_scenario_which_says_where_and_goes_on_the_same():
    play = Play(played("DEMO-1"), Side("never-requeues"))
    saved = scenario_of(play)
    again = witness(saved)
    found = [line.note for line in again.lines if isinstance(saved.steps[line.number - 1], Expect)]
    assert found == [play.line(n).note for n in range(play.count) if isinstance(play.step(n), Expect)]
    assert any("runnable should be" in note for note in found)
    assert again.violations == [], "nothing is broken that was not"
    assert [saved.steps[n - 1] for n in (10, 16)] == [ev.Terminate("qs1_job_med"), ev.Terminate("qs1_job_high")]
    assert "never-requeues breaks here what its choices alone do not show: G11 retries: qs1_job_med" in saved.about
    assert saved.about.endswith(
        "It lets stopped jobs fail that may run again, which no step says; instead step 10 terminates qs1_job_med, "
        "step 16 terminates qs1_job_high."
    )


def test_what_the_last_step_breaks_does_not_hide_what_broke_before():
    play = Play(played("DEMO-1"), Side("low-priority-first"))
    red = {lamp.code for lamp in play.lamps.at(play.count - 1) if lamp.state == "broken"}
    for number in (n for n in range(play.count) if play.line(n).broken):
        saved = scenario_of(play, number)
        shown = {line.violation.code for line in witness(saved).lines if line.violation is not None}
        shown |= {saved.breaks.guarantee} if saved.breaks is not None else set()
        broken = {lamp.code for lamp in play.lamps.at(number) if lamp.state == "broken" and lamp.code != "EXPECT"}
        assert all(code in shown or f"{code} " in saved.about for code in broken)
    assert red


@settings(max_examples=20, deadline=None)
@given(games())
def test_a_game_is_read_back_equal(game):
    game = replace(game, about="x", beside=Side("never-reclaims", {"A24": "b"}))
    assert game_of(json.loads(json.dumps(as_form(game)))) == game


@pytest.mark.parametrize("name", ["churning-co-lender", "DEMO-1", "backfill-goes-round"])
def test_a_scenario_with_what_it_shows_is_read_back_equal(name):
    game = played(name)
    assert (game.shows is not None) == (scenario(name).breaks is not None)
    assert game_of(json.loads(json.dumps(as_form(game)))) == game


@pytest.mark.parametrize(
    ("change", "what", "where"),
    [
        ({"play": 2}, "version 2 is not known", "play"),
        ({"moves": [{"tick": 2}]}, "2 is not one step", "moves[0].tick"),
        ({"moves": [{"tick": True}]}, "true is not one step", "moves[0].tick"),
        ({"moves": [{"submitt": "j"}]}, "the step has no known verb", "moves[0]"),
        ({"moves": [{"submit": "j", "share": "s", "size": {"u": -1}}]}, "-1 is out of range", "moves[0].size.u"),
        ({"moves": {}}, "an object is not a list of moves", "moves"),
        ({"scheduler": "never-reclaim"}, 'there is no scheduler "never-reclaim"', "scheduler"),
        ({"assume": {"A99": "x"}}, "there is no reading 'A99'", "assume"),
        ({"beside": {"scheduler": "x"}}, 'there is no scheduler "x"', "beside.scheduler"),
        ({"beside": []}, "a list is not an object", "beside"),
        ({"more": 1}, '"more" is not known here', "more"),
        ({"queue": 1}, "the queue is not an object", "queue"),
        ({"shows": {"guarantee": "G1", "how": "step", "moves": 9}}, "9 is out of range", "shows.moves"),
        ({"history": {"trace": ""}, "moves": [{"tick": 1}]}, "is looked at, not played", "moves"),
        (
            {"history": {"trace": "", "faults": [[1, "G99", "x"]]}, "moves": []},
            '"G99" is not known here',
            "history.faults[0]",
        ),
    ],
)
def test_a_mistake_in_a_form_is_named_with_its_place_and_a_fix(change, what, where):
    form = {**as_form(played("half-of-three")), **change}
    with pytest.raises(InputError) as wrong:
        game_of(form)
    assert what in wrong.value.what and where in wrong.value.where and wrong.value.fix


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_form_with_anything_in_any_place_is_a_game_or_an_input_error(data):
    form = json.loads(
        json.dumps({**as_form(played("half-of-three")), "beside": {"scheduler": "reference", "assume": {}}})
    )
    at = form
    while isinstance(at, (dict, list)) and at:
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        if not isinstance(at[key], (dict, list)) or not at[key] or data.draw(st.booleans()):
            at[key] = data.draw(JSON)
            break
        at = at[key]
    try:
        game = game_of(form)
    except InputError as error:
        assert error.what and error.fix
    else:
        assert game_of(as_form(game)) == game


def test_a_trace_is_looked_at_with_the_audits_lamps_and_no_moves():
    game = open_paths([str(EXAMPLES / "trace" / "walkthrough.ndjson")]).game
    assert game_of(json.loads(json.dumps(as_form(game)))) == game
    with Plays().play(game) as seen:
        forward = [seen.frame(n) for n in range(seen.count)]
        assert [seen.frame(n) for n in reversed(range(seen.count))] == forward[::-1]
        lamps = {lamp.code: lamp for lamp in forward[-1].lamps}
        assert lamps["G5x"].state == "kept" and lamps["G18"].because.startswith("Not known")
        assert [job.name for job in forward[-1].jobs if job.stage == "DRAINING"] == []


def test_a_history_is_not_saved_as_a_scenario():
    with (
        Plays().play(open_paths([str(EXAMPLES / "history")]).game) as seen,
        pytest.raises(InputError, match="no scenario"),
    ):
        scenario_of(seen)


def test_for_whom_and_by_which_rules_a_job_was_stopped_is_told_where_nobody_saw_the_claim():
    with Plays().play(open_paths([str(EXAMPLES / "history")]).game) as seen:
        taken, own = (line for line in seen.lines() if line.kind == "claim")
    assert [said.sentence for said in taken.said[:2]] == [
        "qs1_job_med is told to stop for QS2, job qs2_job_1.", "QS1 used 1 machine that was not its own (2 used, limit 1).",
    ]  # fmt: skip
    assert (taken.said[1].code, taken.said[1].source) == ("G5x", "rules 36-38; A13")
    assert own.said[0].sentence == "qs1_job_high is told to stop for its own share, job qs1_job_low."
    assert own.said[1].sentence == "A job of QS1 with a higher priority waited and in-share preemption is on."
    assert (own.said[1].code, own.said[1].source) == ("G5s", "rules 39 and 40")
    assert taken.at is not None


def test_a_part_of_a_history_begins_with_the_state_in_force_then():
    whole = open_paths([str(EXAMPLES / "history")]).game
    with Plays().play(whole) as seen:
        at = seen.count // 2
        since = seen.line(at).at
        expected = seen.frame(seen.count - 1)
    with Plays().play(open_paths([str(EXAMPLES / "history")], since=since).game) as part:
        assert part.count < at + 2 and part.line(0).kind == "start"
        last = part.frame(part.count - 1)
        assert (last.bars, last.units, last.shares) == (expected.bars, expected.units, expected.shares)
        assert {j.name: (j.stage, j.preemptions) for j in last.jobs} == {
            j.name: (j.stage, j.preemptions) for j in expected.jobs
        }


def test_a_time_at_which_nothing_was_seen_is_an_input_error():
    with pytest.raises(InputError, match="nothing was seen in that time"):
        open_paths([str(EXAMPLES / "history")], since=2**42)


@pytest.mark.parametrize("folder", ["own-form", "walkthrough", "oversubscribed"])
def test_a_configuration_is_opened_as_an_empty_queue(folder):
    game = open_paths([str(EXAMPLES / folder)]).game
    assert Play(game).count == 1 and game.config.shares and game_of(as_form(game)) == game


@pytest.mark.parametrize(
    "text", ["", "x", "{}", "[]", "{", "scenario: 2", "play: 1", "trace: 1", '{"trace":1}', "\ud800"]
)
def test_text_that_is_none_of_these_is_an_input_error(text):
    with pytest.raises(InputError) as wrong:
        open_files([("../../etc/x.yaml", text)])
    assert "/tmp" not in str(wrong.value)


def folder_files(folder: Path) -> list[tuple[str, str]]:
    """The files of a folder as a browser gives them: named from the folder on."""
    return [
        (f"{folder.name}/{f.relative_to(folder)}", f.read_text("utf-8"))
        for f in sorted(folder.rglob("*"))
        if f.is_file()
    ]


def history_files() -> list[tuple[str, str]]:
    """The files of a history as a browser gives those of a folder."""
    return folder_files(EXAMPLES / "history")


@pytest.mark.parametrize("name", ["history", "walkthrough", "research-gpu", "own-form", "oversubscribed"])
def test_a_folder_opens_in_the_page_as_it_does_in_a_terminal(name):
    assert open_files(folder_files(EXAMPLES / name)) == open_paths([str(EXAMPLES / name)])


def test_a_folder_in_a_folder_counts_only_where_a_terminal_counts_it(tmp_path):
    queue = tmp_path / "queue"
    shutil.copytree(EXAMPLES / "walkthrough", queue)
    shutil.copytree(EXAMPLES / "research-gpu", queue / "other")
    assert open_files(folder_files(queue)).game == open_paths([str(EXAMPLES / "walkthrough")]).game
    with pytest.raises(InputError, match=r"the folder holds no \.json") as wrong:
        open_files([(f"above/{name}", text) for name, text in folder_files(queue)])
    assert wrong.value.where == "above"


def test_files_that_are_dropped_without_their_folder_open_together():
    files = [(name.partition("/")[2], text) for name, text in folder_files(EXAMPLES / "walkthrough")]
    assert len(files) > 2
    assert open_files(files).game == open_paths([str(EXAMPLES / "walkthrough")]).game


def test_files_of_one_name_are_all_read_and_none_is_written_elsewhere():
    files = history_files()
    flat = [(name.rsplit("/", 1)[1], text) for name, text in files]
    assert len({name for name, _ in flat}) < len(flat)
    assert open_files(flat).game.history == open_files(files).game.history
    assert open_files([(f"../../../{name}", text) for name, text in files]).game.history


@pytest.mark.parametrize(
    ("name", "lacks", "fix"),
    [
        ("eventbridge.ndjson", "nothing of how the queue is configured", "list-quota-shares"),
        ("cloudtrail.ndjson", "nothing of any job was seen", "EventBridge's events"),
    ],
)
def test_events_alone_are_taken_for_a_history_and_what_to_open_with_them_is_said(name, lacks, fix):
    text = (EXAMPLES / "history" / "history" / name).read_text("utf-8")
    with pytest.raises(InputError) as told:
        open_files([(name, text)])
    assert lacks in told.value.what
    assert fix in told.value.fix
    assert "--" not in told.value.fix


def test_a_history_is_opened_at_its_first_stop_and_at_its_end_where_nobody_is_stopped():
    play = Watched(open_paths([str(EXAMPLES / "history")]).game)
    assert play.line(play.opens_at).said[0].sentence.startswith("qs1_job_med is told to stop")
    assert not any(isinstance(play.step(n), ev.Claim) for n in range(play.opens_at))
    quiet = Watched(play.cut(play.opens_at - 1))
    assert quiet.opens_at == quiet.count - 1


def test_the_lamps_of_a_history_are_lit_where_each_first_came_up():
    play = Watched(open_paths([str(EXAMPLES / "history")]).game)
    lit = [{lamp.code for lamp in play.frame(n).lamps if lamp.state == "kept"} for n in range(play.count)]
    assert lit[0] == set()
    assert all(before <= after for before, after in pairwise(lit))
    submitted = next(n for n in range(play.count) if play.line(n).kind == "submit")
    stopping = next(n for n in range(play.count) if isinstance(play.step(n), ev.Claim))
    assert "G13" in lit[submitted]
    assert "G5x" in lit[stopping] - lit[stopping - 1]
