"""A portable scenario leaves to a scheduler what is a scheduler's, and is one text however it was written."""

from __future__ import annotations

import json

import pytest
from quotaproof.checker.conform.portable import text, why_not
from quotaproof.spec import events as ev
from quotaproof.spec.formats import json_text
from quotaproof.spec.formats.scenario import Breaks, Expect, Scenario, Settle
from quotaproof.spec.formats.scenario_text import read
from quotaproof.spec.model import State
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share

CONFIG = queue(2, share("a", 1), share("b", 1, "LEND_AND_BORROW", 50, in_share=True))
JOB = ev.Submit("j", "a", {"u": 1})
PORTABLE = Scenario("s", "About it.", CONFIG, (JOB, Settle(drains=False), ev.Stopped("j"), ev.Terminate("j"), Settle()),
                    rests_on=("rule 36",), checks=("G1",), features=("terminations",))  # fmt: skip
REASONS = {
    "expects something": Expect(dispatched=("j",)),
    "when to dispatch": ev.Dispatch("j"),
    "when to claim": ev.Claim("j"),
    "when to release": ev.Release("j"),
    "when to misconfigured": ev.Misconfigured("j", "why"),
    "ends by itself": ev.ShareGone("a"),
    "submits j a second time": JOB,
    "which is not DISABLED": ev.DeleteShare("a"),
}


def with_step(*steps):
    return Scenario("s", "", CONFIG, (JOB, *steps, Settle()))


def test_what_users_platform_and_administrators_do_is_portable():
    assert why_not(PORTABLE) == ""
    assert why_not(with_step(ev.SetShareState("a", State.DISABLED), ev.DeleteShare("a"))) == ""


@pytest.mark.parametrize("reason", REASONS)
def test_what_a_scheduler_decides_or_might_do_otherwise_is_not(reason):
    assert why_not(with_step(REASONS[reason])).startswith("step 2 ")
    assert reason in why_not(with_step(REASONS[reason]))


def test_a_witness_and_a_reading_are_not_portable():
    assert "scheduler" in why_not(Scenario("s", "", CONFIG, (JOB,), breaks=Breaks("G14", "stuck", "j")))
    assert "reading" in why_not(Scenario("s", "", CONFIG, (JOB,), readings=Readings.of(A5="void")))


def test_a_share_that_is_enabled_again_may_not_be_deleted():
    off, on = (ev.SetShareState("a", state) for state in (State.DISABLED, State.ENABLED))
    assert "not DISABLED" in why_not(with_step(off, on, ev.DeleteShare("a")))


def test_its_text_is_read_back_and_has_sorted_keys_and_a_line_for_each_step():
    written = text(PORTABLE)
    again = read(json_text.parse("s.json", written))
    assert (again.config.shares, again.steps, again.checks) == (CONFIG.shares, PORTABLE.steps, PORTABLE.checks)
    assert text(again) == written
    value = json.loads(written)
    assert list(value) == sorted(value)
    for step in value["steps"]:
        assert f"    {json.dumps(step, sort_keys=True)}" in written
