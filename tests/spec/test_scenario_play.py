"""A play never falls over, and a witness that is tampered with shows nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotaproof.checker.witness.play import play
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import (
    HOWS,
    Breaks,
    Expect,
    Scenario,
    Settle,
    Step,
)
from quotaproof.spec.formats.scenario_text import load_scenario
from quotaproof.spec.model import State, Strategy
from quotaproof.spec.readings import Readings
from quotaproof.spec.rules.guarantees import GUARANTEES

from ..support.queues import queue, share
from ..support.scenarios import ROOT, fuzz, happenings, readings, with_steps

UNKNOWN: Mapping[str, tuple[Step, str]] = {
    "a job dispatched": (ev.Dispatch("nobody"), "there is no job 'nobody'"),
    "a job advanced": (ev.Advance("nobody"), "there is no job 'nobody'"),
    "a job finished": (ev.Finish("nobody"), "there is no job 'nobody'"),
    "a job returned": (ev.Return("nobody"), "there is no job 'nobody'"),
    "a job stopped": (ev.Stopped("nobody"), "there is no job 'nobody'"),
    "a job terminated": (ev.Terminate("nobody"), "there is no job 'nobody'"),
    "a job's priority": (ev.SetPriority("nobody", 1), "there is no job 'nobody'"),
    "a claimant": (ev.Claim("nobody"), "there is no job 'nobody'"),
    "a victim": (ev.Claim("waits", ("nobody",)), "there is no job 'nobody'"),
    "a claim released": (ev.Release("nobody"), "there is no job 'nobody'"),
    "a job that is impossible": (ev.Misconfigured("nobody", "why"), "there is no job 'nobody'"),
    "a share for a job": (ev.Submit("new", "nobody", {"u": 1}), "there is no share 'nobody'"),
    "a share's limits": (ev.SetLimits("nobody", {"u": 1}), "there is no share 'nobody'"),
    "a share's strategy": (ev.SetSharing("nobody", Strategy.LEND), "there is no share 'nobody'"),
    "a share's in-share preemption": (ev.SetInShare("nobody", enabled=True), "there is no share 'nobody'"),
    "a share's state": (ev.SetShareState("nobody", State.DISABLED), "there is no share 'nobody'"),
    "a share deleted": (ev.DeleteShare("nobody"), "there is no share 'nobody'"),
    "a share gone": (ev.ShareGone("nobody"), "there is no share 'nobody'"),
    "a job expected to run": (Expect(dispatched=("runs", "nobody")), "dispatched should be nobody, runs, is runs"),
    "a share expected to use": (Expect(usage={"nobody": {"u": 0}}), "there is no share 'nobody'"),
    "a unit expected in use": (Expect(usage={"a": {"x": 0}}), "there is no x in this queue"),
    "a job expected preempted": (Expect(preemptions={"nobody": 0}), "there is no job 'nobody'"),
    "a job expected to say": (Expect(reasons={"nobody": ""}), "there is no job 'nobody'"),
    "a job submitted twice": (ev.Submit("runs", "a", {"u": 1}), "the job 'runs' was submitted twice"),
    "a share created twice": (ev.CreateShare(share("a", 1)), "the share 'a' exists already"),
    "a waiting job advanced": (ev.Advance("waits"), "the job 'waits' is RUNNABLE and cannot advance"),
}


@pytest.mark.parametrize(("step", "told"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_a_play_says_in_which_step_somebody_is_not_there(step: Step, told: str) -> None:
    before = (ev.Submit("runs", "a", {"u": 2}), Settle(), ev.Submit("waits", "a", {"u": 2}), Settle())
    played = play(with_steps(*before, step, Settle()))
    assert played.wrong == [f"step 5: {told}"]
    assert played.lines[0].event == before[0]


@fuzz
@given(
    st.lists(happenings, min_size=1, max_size=12), readings, st.sampled_from(HOWS), st.sampled_from(sorted(GUARANTEES))
)
def test_no_scenario_makes_a_play_raise(steps: list[Step], chosen: Readings, how: str, guarantee: str) -> None:
    scenario = replace(with_steps(*steps), readings=chosen, breaks=Breaks(guarantee, how, "j1"), repeats_from=1)
    played = play(scenario)
    assert played.wrong or played.shows
    assert all(line.number <= len(steps) for line in played.lines)


def test_a_loop_that_comes_back_in_a_settle_is_told() -> None:
    made = replace(
        with_steps(ev.Submit("own", "b", {"u": 1}), Settle(), ev.Submit("loan", "b", {"u": 1}), Settle(),
                   ev.Submit("back", "l", {"u": 1}), Settle()),
        config=queue(2, share("b", 1, "LEND_AND_BORROW"), share("l", 1)), readings=Readings.of(A15="no", A23="no"),
    )  # fmt: skip
    (wrong,) = play(made).wrong
    assert wrong.startswith("step 6: the same state again before ")


Change = Callable[[Scenario], Scenario]
WEAKER: Mapping[str, tuple[str, Change, str]] = {
    "a lasso that does not come back": (
        "churning-co-lender", lambda s: replace(s, steps=s.steps[:-1]), "the state after the last step is not that"),
    "a loop from another step": (
        "churning-co-lender", lambda s: replace(s, repeats_from=2), "the state after the last step is not that"),
    "a lasso about a job that runs": (
        "churning-co-lender", lambda s: replace(s, breaks=Breaks("G14", "lasso", "own")), "own does not wait"),
    "a lasso under readings that forbid it": (
        "churning-co-lender", lambda s: replace(s, readings=Readings.of(A15="no")), "a step breaks a promise itself"),
    "a circle in which a user acts": (
        "churning-co-lender", lambda s: replace(s, breaks=Breaks("G18", "circle")), "somebody else than scheduler"),
    "an exchange under the favoured reading": (
        "exchange-of-part-owners", lambda s: replace(s, readings=Readings()), "a step breaks a promise itself"),
    "a retaken machine in the right order": (
        "victim-retakes-its-place", lambda s: replace(s, readings=Readings.of(A23="no")), "a step breaks a promise"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "change", "told"), WEAKER.values(), ids=WEAKER.keys())
def test_a_witness_that_is_tampered_with_shows_nothing(name: str, change: Change, told: str) -> None:
    scenario = load_scenario(str(ROOT / "examples" / "scenarios" / f"{name}.yaml"))
    assert play(scenario).shows
    played = play(change(scenario))
    assert not played.shows
    assert len(played.wrong) == 1
    assert told in played.wrong[0]
