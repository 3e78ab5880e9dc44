"""A play in the terminal: what is typed does what it says, mistakes are told with the way out, and nothing ever raises."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from quotaproof.checker.teach.commands import COMMANDS, VERBS, meant
from quotaproof.checker.teach.opened import open_paths
from quotaproof.checker.teach.scenarios import offered, played, walkthrough
from quotaproof.checker.teach.terminal import Terminal
from quotaproof.checker.witness.play import play as replayed
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario_text import load_scenario

from ...support.queues import queue, share

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
Typed = Callable[..., str]


def terminal(game=None) -> Typed:
    """Types lines, and gives what was said to the last."""
    said: list[str] = []
    play = Terminal(
        game or walkthrough(), said.append, lambda code: f"about {code.encode('unicode_escape').decode()}\n"
    )
    play.begin()

    def typed(*lines: str) -> str:
        for line in lines:
            said.clear()
            assert play.typed(line)
        return "".join(said)

    return typed


def bars(said: str) -> dict[str, str]:
    return dict(re.findall(r"^  (\S+)\s+(\S*[|][^ ]*)", said, re.MULTILINE))


def test_the_walkthrough_comes_to_its_three_outcomes():
    typed = terminal()
    assert bars(typed("run")) == {"QS1": "#|+", "QS2": "-|", "QS3": "=|"}
    assert "QS1: qs1_job_med (1, priority 2, can be stopped for a lender)" in typed("picture")
    said = typed("submit qs2_job_1 QS2 1 priority 1", "run")
    assert bars(said) == {"QS1": "#|", "QS2": "#|", "QS3": "=|"}
    assert "Room is made for qs2_job_1: qs1_job_med must stop." in said
    assert "Priorities of QS2's jobs are not compared with QS1's" in " ".join(said.split())
    said = typed("priority qs1_job_low 4", "run")
    assert "In-share preemption of QS1 is on: qs1_job_low has priority 4, qs1_job_high 3." in said
    assert "runs    QS1: qs1_job_low (1, priority 4)" in said
    assert "BROKEN" not in typed("lamps")


def test_a_verb_may_be_cut_short_where_no_other_begins_so():
    assert [meant(word).verb for word in ("n", "RU", "subm", "beside", "sche", "in", "scenario")] == [
        "next", "run", "submit", "beside", "scheduler", "in-share", "scenario",
    ]  # fmt: skip
    with pytest.raises(InputError, match="can be back or borrow or beside"):
        meant("b")


def test_every_command_is_understood_by_itself_and_helped_with():
    assert list(VERBS) == [meant(verb).verb for verb in VERBS]
    typed = terminal()
    said = typed("help")
    for command in COMMANDS:
        assert f"\n{command.verb}" in f"\n{said}"
        assert command.says in " ".join(typed(f"help {command.verb}").split())


@pytest.mark.parametrize(("line", "said"), [
    ("foo", 'there is no command "foo". Fix: `help` lists them.'),
    ("submt x QS1 1", 'there is no command "submt". Fix: did you mean submit?'),
    ("submit x", "submit is not written so. Fix: write it as `submit JOB SHARE N [UNIT] [priority P] [retries R]`."),
    ("submit x QS11 1", 'there is no share "QS11". Fix: did you mean QS1?'),
    ("submit x QS1 0", '"0" is no whole number from 1 to 1000000000. Fix: write a number.'),
    ("submit x QS1 1 ml.g5.xlarg", 'there is no unit "ml.g5.xlarg". Fix: did you mean ml.g5.xlarge?'),
    ("submit x QS1 1 priority", "submit is not written so."),
    ("submit qs1_job_low QS1 1", "qs1_job_low"),
    ("finish qs1_job_hi", 'there is no job "qs1_job_hi". Fix: did you mean qs1_job_high?'),
    ("finish qs1_job_high", "it is not possible"),
    ("strategy QS1 LENDD", 'there is no strategy "LENDD". Fix: did you mean LEND?'),
    ("in-share QS1 maybe", 'there is no choice "maybe". Fix: choose of on, off.'),
    ("assume A99=x", 'there is no reading "A99".'),
    ("assume A23=x", "A23 has no choice 'x'; choose yes | no."),
    ("scheduler never-reclaim", "did you mean never-reclaims?"),
    ("scenario half-of-thre", "did you mean half-of-three?"),
    ("go 99", '"99" is no whole number from 0 to 3.'),
    ("create QS1 1 LEND", "QS1"),
    ("save /", "is a file that is no scenario"),
    ("save nowhere/x.yaml", "cannot be written"),
])  # fmt: skip
def test_a_mistake_is_told_with_the_way_out_and_changes_nothing(line: str, said: str):
    typed = terminal()
    before = typed("picture"), typed("log")
    told = " ".join(typed(line).split())
    assert told.startswith("! ")
    assert said in told
    assert (typed("picture"), typed("log")) == before


def test_going_back_shows_the_step_before_and_what_is_done_then_goes_on_from_there():
    typed = terminal()
    rest = typed("run")
    assert typed("back 2").startswith("4       qs1_job_high starts.")
    assert typed("run").startswith("5       qs1_job_med starts.")
    assert typed("back 3", "next 3").splitlines()[-9:] == rest.splitlines()[-9:]
    typed("back 2", "terminate qs1_job_med")
    assert typed("log").count("qs1_job_med starts") == 0


def test_undo_takes_back_one_step_after_the_other_to_the_start():
    typed = terminal()
    typed("run", *["undo"] * 6)
    assert typed("log") == "0       The queue walkthrough is empty: nothing has happened yet.\n"
    assert "nothing has happened yet. Fix: `submit` a job." in typed("undo")


def test_at_rest_it_says_so_and_adds_nothing():
    typed = terminal()
    typed("run")
    before = typed("log")
    assert "nobody has anything left to do" in typed("run")
    assert "nobody has anything left to do" in typed("next")
    assert typed("log") == before


def test_with_two_sides_it_goes_on_until_both_are_at_rest():
    typed = terminal()
    typed("scheduler never-reclaims", "run", "beside reference", "submit qs2_job_1 QS2 1")
    steps = [typed("next").split("\nbeside: the reference\n") for _ in range(4)]
    assert [one.splitlines()[0].split(maxsplit=1)[1] for one, _ in steps] == ["The scheduler does nothing more."] * 4
    assert [" ".join(other.splitlines()[0].split()[1:]) for _, other in steps] == [
        "Room is made for qs2_job_1: qs1_job_med must stop. (rules 35-40; A23, A58)", "qs1_job_med has stopped. (rules 43, 46)",
        "qs2_job_1 starts. (rule 16)", "Nothing is left to do for scheduler and platform.",
    ]  # fmt: skip
    assert "nobody has anything left to do" in typed("next")
    assert "nobody has anything left to do" in typed("run")


def test_a_bug_breaks_its_promise_beside_the_one_that_keeps_it():
    typed = terminal()
    said = typed("run", "submit qs2_job_1 QS2 1", "beside never-reclaims", "run")
    mine, other = said.split("\nbeside: never-reclaims\n")
    assert "BROKEN" not in mine
    assert re.search(r"^BROKEN  G14 .*qs2_job_1", other, re.MULTILINE)
    assert "beside" not in typed("beside off")


def test_an_assumption_plays_the_same_moves_under_another_reading():
    typed = terminal()
    typed("run", "assume a23=no")
    assert typed("assume").startswith(
        "A23=no  Is capacity freed for a claimant kept for it: whoever comes first takes it"
    )
    assert typed("assume A23") == "about A23\n"
    typed("assume A23=yes")
    assert typed("assume").startswith("Only the defaults.")


def test_a_share_and_the_environment_change_as_it_is_typed():
    typed = terminal()
    said = typed("limit QS1 2", "borrow QS1 50%", "capacity 5", "in-share qs1 off", "disable QS2", "strategy QS3 lend",
                 "create new 1 LEND_AND_BORROW", "delete QS2")  # fmt: skip
    shares = {row.split()[0]: row for row in said.splitlines() if row.startswith("  ")}
    assert "limit 2, may use 3" in shares["QS1"]
    assert "LEND_AND_BORROW 50 %" in shares["QS1"]
    assert "in-share" not in shares["QS1"]
    assert "LEND, DISABLED" in shares["QS2"]
    assert shares["QS3"].endswith("LEND")
    assert "LEND_AND_BORROW" in shares["new"]
    assert "5 machines" in said


def test_with_several_units_the_unit_has_to_be_named():
    game = walkthrough()
    two = queue({"p5": 2, "g5": 2}, share("a", {"p5": 1, "g5": 1}, "LEND"))
    typed = terminal(type(game)("two", two))
    assert "there are several units. Fix: name one of p5, g5 behind the number." in typed("submit x a 1")
    assert "a: 1. x (1 p5 + 1 g5, priority 0)" in typed("submit x a 1 p5 1 g5")
    assert "limit 2" in typed("limit a 2 g5")


@pytest.mark.parametrize("name", ["mine.yaml", "mine.json"])
def test_what_is_saved_replays_the_same(tmp_path: Path, name: str):
    typed = terminal()
    file = tmp_path / name
    typed("run", "submit qs2_job_1 QS2 1", "run")
    assert typed(f"save '{file}'") == f"written {file}\n"
    found = replayed(load_scenario(str(file)))
    assert (found.wrong, found.violations) == ([], [])
    assert [e.job for e in found.scenario.steps if type(e).__name__ == "Claim"] == ["qs2_job_1"]
    assert typed(f"save '{file}'") == f"written {file}\n"
    other = tmp_path / "other.txt"
    other.write_text("mine")
    assert "is a file that is no scenario" in " ".join(typed(f"save '{other}'").split())
    assert other.read_text() == "mine"


def test_a_history_is_looked_at_and_nothing_can_be_done_in_it():
    typed = terminal(open_paths([str(EXAMPLES / "trace" / "walkthrough.ndjson")]).game)
    assert "qs1_job_high" in typed("go 4")
    before = typed("log")
    for line in ("submit x QS1 1", "undo", "scheduler never-reclaims", "beside never-reclaims", "assume A23=no"):
        assert "what was seen of a real queue is looked at, not played" in " ".join(typed(line).split())
    assert typed("log") == before
    assert typed("next").startswith("5       day 1 00:00:0")


def test_a_file_is_opened_and_looked_at_from_its_first_step():
    said = terminal()(f"open {EXAMPLES / 'scenarios' / 'half-of-three.yaml'}")
    assert said.startswith("half-of-three\n")
    assert "It has 10 steps" in said
    assert "\n0       The queue rounding is empty" in said


def test_the_files_of_a_history_are_opened_together_and_its_jobs_tell_their_story():
    typed = terminal()
    folder = EXAMPLES / "history"
    said = typed(
        f"open {folder / 'list-quota-shares.json'} {folder / 'describe-service-environments.json'} {folder / 'history'}"
    )
    assert said.startswith("my-sm-training-qm-jq\n")
    typed("go 12")
    told = typed("why qs1_job_med")
    assert "\n        Told to stop once: at event 11" in told
    assert "\n12      Has stopped, 2026-11-02 15:10:2" in told
    assert "\n11      2026-11-02 15:10:0" in typed("log")
    assert "there is no job" in typed("why nobody")


def test_every_scenario_that_is_offered_can_be_played():
    assert len({one.name for one in offered()}) == len(offered()) >= 180
    for one in offered()[::12]:
        assert played(one.name).name == one.name


WORDS = st.sampled_from([*VERBS, "QS1", "QS2", "qs1_job_high", "x", "1", "2", "-1", "priority", "none", "off", "A23=no", "LEND",
                         "'", "never-reclaims", "ml.g5.xlarge", "\0", "é", "half-of-three"])  # fmt: skip
NO_FILES = re.compile(r"sa|op")


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), max_size=6))
@example(["submit x QS1 1 priority 9999999999999", "go ²", "next ٣", "borrow QS1 %"])
def test_whatever_is_typed_ends_in_no_traceback(lines: list[str]):
    typed = terminal()
    for line in lines:
        if not NO_FILES.match(line) and not "quit".startswith(line.split()[0].lower()):
            for row in typed(line).split("\n"):
                assert len(row) <= 100
                assert row.isprintable()
