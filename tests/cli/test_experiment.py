"""`explain A13 --experiment`: what to do on a real account, where to look, and a scenario for each choice."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from quotaproof.checker.explore.commands import command, lines, payload, setup
from quotaproof.checker.explore.starts import OUTSIDE, STARTS, UNIT
from quotaproof.spec import events as ev
from quotaproof.spec.model import Strategy
from quotaproof.spec.readings import READINGS

from .conftest import Ran

Command = Callable[..., Ran]


def test_an_experiment_says_what_it_costs_what_to_do_and_where_to_look(quotaproof: Command) -> None:
    got = quotaproof("explain", "a18", "--experiment")
    assert (got.code, got.err) == (0, "")
    lines = [line.strip() for line in got.out.splitlines()]
    assert lines[0].startswith("A18     Does a share's head block smaller jobs behind it")
    assert "Takes nothing for granted: no other open question makes a difference where to look." in lines
    assert "Costs about 40 machine-minutes, 10 minutes for each step." in lines
    assert "- {name: QS1, limits: {ml.m5.large: 2}, strategy: LEND}" in lines
    assert "2    When nothing has changed for five minutes: QS1 submits qs1_job_2: 2 ml.m5.large, priority 2" in lines
    assert "qs1_job_3 after step 3, when nothing has changed for five minutes" in lines
    assert "qs1_job_3 is RUNNABLE: A18=strict" in lines
    assert "qs1_job_3 is RUNNING: A18=backfill" in lines
    assert max(map(len, got.out.splitlines())) <= 100


def test_each_choice_is_written_as_a_scenario_that_plays(quotaproof: Command, here: Path) -> None:
    told = quotaproof("explain", "A46", "--experiment", "--out", "a46.yaml")
    assert told.code == 0
    assert told.out.endswith("\n\nwritten a46-yes.json\nwritten a46-no.json\n")
    assert sorted(path.name for path in here.iterdir()) == ["a46-no.json", "a46-yes.json"]
    for choice in ("yes", "no"):
        form = json.loads((here / f"a46-{choice}.json").read_text(encoding="utf-8"))
        assert form["assume"] == {"A46": choice}
        got = quotaproof("replay", f"a46-{choice}.json")
        assert (got.code, got.err) == (0, "")


def test_it_ends_with_the_commands_that_read_and_judge_what_happened(quotaproof: Command) -> None:
    asked = quotaproof("explain", "A13", "--experiment").out
    assert "        quotaproof pull experiment-queue --out a13-history\n        quotaproof audit a13-history\n" in asked
    assert ("any other outcome" in asked) == ("Takes for granted" in asked)


def test_what_an_experiment_takes_for_granted_is_settled_first(quotaproof: Command) -> None:
    asked = next(
        out for code in STARTS if "Takes for granted" in (out := quotaproof("explain", code, "--experiment").out)
    )
    (taken,) = re.findall(r"Takes for granted: (.*?)[.]\s", " ".join(asked.split()) + " ")
    (first,) = re.findall(r"any other outcome: what it takes for granted does not hold; run --experiment for (.*?) first",
                          " ".join(asked.split()))  # fmt: skip
    assert first.split(", ") == [code for code in re.findall(r"A\d+\w*", taken) if code in STARTS]


def test_two_choices_alone_can_be_told_apart(quotaproof: Command) -> None:
    got = quotaproof("explain", "A5", "--experiment", "--vs", "void")
    assert got.code == 0
    assert "A5=borrowable   anybody may borrow it (not told apart here: see --vs)" in got.out
    assert set(re.findall(r": A5=(\w+)$", got.out, re.MULTILINE)) == {"owners", "void"}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["G14", "--experiment"], "--experiment: name one open question, such as A13"),
        (["--experiment"], "--experiment: name one open question, such as A13"),
        (["A5", "A6", "--experiment"], "--experiment: name one open question, such as A13"),
        (["A2", "--experiment"], "--experiment: A2 has no choices: waits"),
        (["A7", "--experiment"], "--experiment: No job tells: the request itself does."),
        (
            ["A5", "--experiment", "--vs", "nobody"],
            "--vs: A5 has no choice 'nobody'; choose owners | void | borrowable",
        ),
        (["A5", "--experiment", "--vs", "owners"], "--vs: owners is the default itself; name another choice of A5"),
        (["A28", "--experiment", "--vs", "minimal"], "--vs: nothing that is seen from outside tells minimal from"),
        (["A5", "--vs", "void"], "--vs and --out belong to --experiment"),
        (["A46", "--experiment", "--out", "no/such/folder.json"], "no/such/folder-yes.json: cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_message_and_exit_2(quotaproof: Command, asked: list[str], said: str) -> None:
    got = quotaproof("explain", *asked)
    assert got.code == 2
    assert said in got.err


def test_a_question_says_how_it_is_settled(quotaproof: Command) -> None:
    for code in STARTS:
        assert f"`quotaproof explain {code} --experiment` prints" in quotaproof("explain", code).out
    assert "the request itself does" in quotaproof("explain", *OUTSIDE).out
    unmodelled = next(code for code, r in READINGS.items() if not r.modelled)
    assert "--experiment" not in quotaproof("explain", unmodelled).out


def commands() -> list[list[str]]:
    """Every command that an experiment can print."""
    configs = [start.config for starts in STARTS.values() for start in starts]
    events: list[ev.Event] = [event for starts in STARTS.values() for s in starts for event in s.admin]
    events += [offer.submit(1) for starts in STARTS.values() for s in starts for offer in s.offers]
    events += [ev.Terminate("j"), ev.SetPriority("j", 1), ev.SetSharing("QS1", Strategy.LEND_AND_BORROW, 50)]
    return [*(words for config in configs for words in setup(config)), *map(command, events)]


def test_every_command_is_one_of_aws_with_parameters_that_it_has() -> None:
    from botocore.session import get_session

    batch = get_session().get_service_model("batch")
    operations = {re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower(): name for name in batch.operation_names}
    for words in commands():
        shape = batch.operation_model(operations[words[0]]).input_shape
        for word in words[1:]:
            if word.startswith("--"):
                first, *rest = word[2:].split("-")
                assert first + "".join(r.capitalize() for r in rest) in shape.members, word
        given = {w[2:] for w in words if w.startswith("--")}
        needed = {re.sub(r"(?=[A-Z])", "-", name).lower() for name in shape.required_members}
        assert needed <= given, words


def test_a_command_broken_into_lines_is_the_same_command() -> None:
    for words in commands():
        broken = lines(words, 92)
        assert max(map(len, broken)) <= 92
        assert shlex.split(" ".join(line.rstrip("\\") for line in broken)) == ["aws", "batch", *words]


def test_a_payload_asks_for_the_machines_of_its_job() -> None:
    asked = json.loads(payload(UNIT, 3))["ResourceConfig"]
    assert (asked["InstanceType"], asked["InstanceCount"]) == (UNIT, 3)
    assert payload(UNIT, 1) != payload(UNIT, 1, ends=True)
