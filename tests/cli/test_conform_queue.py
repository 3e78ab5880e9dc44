"""`conform --config`: a scheduler on one queue of one's own, in any form that verify reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from quotaproof.checker.conform.in_process import InProcess
from quotaproof.checker.conform.profiles import PROFILES

from ..support import per_lender
from .conftest import Ran

Command = Callable[..., Ran]
NEVER = "tests.support.named:never_reclaims"
LENT = {
    "quotaproof": 1,
    "queue": "training",
    "environment": {"gpu": 4},
    "shares": [
        {"name": "vision", "limits": {"gpu": 2}, "strategy": "LEND", "inSharePreemption": True},
        {"name": "speech", "limits": {"gpu": 2}, "strategy": "LEND_AND_BORROW", "inSharePreemption": True},
    ],
}


def written(here: Path, **changes: object) -> str:
    here.joinpath("queue.json").write_text(json.dumps({**LENT, **changes}), encoding="utf-8")
    return "queue.json"


def plain(text: str) -> str:
    return " ".join(text.split())


def test_the_reference_conforms_on_a_queue(quotaproof: Command, here: Path) -> None:
    got = quotaproof("conform", "reference", "--config", written(here), "--examples", "150", "--executor", "local")
    assert (got.code, got.err) == (0, "")
    said = plain(got.out)
    assert "only the queue of queue.json: nothing of the corpus" in said
    assert "campaign: 150 scenarios, seed 0: 150 passed" in said
    assert "corpus: " not in said
    again = "quotaproof conform reference --config queue.json --profile aws-batch --seed 0 --examples 150"
    assert again in said
    assert again in plain(quotaproof(*again.split()[1:], "--executor", "local").out)


def test_every_scenario_has_that_queue(quotaproof: Command, here: Path) -> None:
    got = quotaproof(
        "conform", NEVER, "--config", written(here), "--examples", "40", "--executor", "local", "--seed", "3"
    )
    assert got.code == 1
    assert "NOT CONFORMANT (aws-batch)" in plain(got.out)
    assert "G14" in got.out
    kept = [json.loads(file.read_text()) for file in here.glob("quotaproof-out/conform/G14-*.json")]
    assert kept
    assert all({share["name"] for share in k["queue"]["shares"]} <= {"vision", "speech"} for k in kept)
    assert all(k["queue"]["environment"].keys() <= {"gpu"} for k in kept)


def test_what_the_queue_needs_and_the_scheduler_lacks_is_told_once(quotaproof: Command, here: Path) -> None:
    plain_one = "tests.support.named:no_in_share"
    got = quotaproof("conform", plain_one, "--config", written(here), "--examples", "40")
    assert (got.code, got.err) == (3, "")
    assert plain(got.out).count("in-share-preemption") >= 1
    assert "the queue needs what it does not have: in-share-preemption" in plain(got.out)
    assert "campaign" not in got.out


def test_limits_above_the_environment_are_told_with_share_unit_and_numbers(quotaproof: Command, here: Path) -> None:
    shares = [{**LENT["shares"][0], "limits": {"gpu": 3, "tpu": 1}}, LENT["shares"][1]]
    got = quotaproof(
        "conform", "tests.support.per_lender:FOR_CLUSTERS", "--config", written(here, shares=shares), "--examples", "40"
    )
    assert (got.code, got.err) == (3, "")
    said = plain(got.out)
    assert "In queue.json the limits of gpu add up to 5 (vision 3, speech 2), and the environment has 4" in said
    assert "shares have limits of tpu (vision 1), which the environment does not have" in said
    assert "Fix: raise the environment to what the limits add up to, or lower limits." in said
    assert "How to reproduce" not in said
    assert "kept none" not in said


def test_a_queue_without_a_budget_is_no_question(quotaproof: Command, here: Path) -> None:
    for none in (("--budget", "0"), ("--examples", "0")):
        got = quotaproof("conform", "reference", "--config", written(here), *none)
        assert (got.code, got.out) == (2, "")
        assert got.err == "nothing was asked: --config needs a budget\n"


def test_a_scheduler_under_a_profile_that_it_is_not_made_for_is_told_to_leave_it_out(
    quotaproof: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    choosing = replace(per_lender.PerLender.declaration, choices={"A13": "a"}, profile="lend-borrow")
    monkeypatch.setattr(per_lender, "FOR_CLUSTERS", InProcess.of(per_lender.PerLender, choosing))
    monkeypatch.setitem(PROFILES, "aws-batch", replace(PROFILES["aws-batch"], readings={}))
    got = quotaproof("conform", "tests.support.per_lender:FOR_CLUSTERS", "--profile", "aws-batch", "--examples", "1")
    assert (got.code, got.out) == (2, "")
    assert "Fix: leave --profile out: it is judged by lend-borrow then." in got.err
    assert "declare " not in got.err


def test_what_cannot_come_up_in_the_queue_is_no_gap(quotaproof: Command, here: Path) -> None:
    shares = [{**LENT["shares"][0], "inSharePreemption": False}, {**LENT["shares"][1], "inSharePreemption": False}]
    alone = written(here, shares=[shares[0]], environment={"gpu": 2})
    got = quotaproof("conform", "reference", "--config", alone, "--examples", "100", "--executor", "local")
    assert "undecided: G5" not in plain(got.out)
    assert "0 undecided" in plain(got.out)


def test_a_path_that_holds_no_queue_is_unusable(quotaproof: Command, here: Path) -> None:
    here.joinpath("queue.json").write_text("{}", encoding="utf-8")
    for path in ("queue.json", "no-such.json"):
        got = quotaproof("conform", "reference", "--config", path)
        assert got.code == 2
        assert path in got.err


def test_the_profile_is_that_which_the_scheduler_is_made_for(quotaproof: Command, here: Path) -> None:
    one = ("--config", written(here), "--examples", "20", "--executor", "local")
    got = plain(quotaproof("conform", "tests.support.per_lender:FOR_CLUSTERS", *one).out)
    assert "profile lend-borrow" in got
    assert "capacity per lender: a loan is of one lender's machines, and a share takes back its own" in got
    assert "--profile lend-borrow --seed 0" in got
    assert "profile aws-batch" in plain(quotaproof("conform", "reference", *one).out)
    assert "capacity pooled: a machine is a machine" in plain(quotaproof("conform", "reference", *one).out)
