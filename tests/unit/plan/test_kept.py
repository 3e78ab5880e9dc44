"""Promises between the two ends of a change: which are guarded, for whom, and what is said of those not decided."""

from __future__ import annotations

from datetime import date

from quotaproof.checker.planned import Direction, Given, Giving, Plan, PromiseChange
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.outcome import outcome
from quotaproof.checker.report.planned import wish
from quotaproof.checker.report.promised import cells as table
from quotaproof.checker.report.text import write
from quotaproof.checker.results import Verdict, Verification
from quotaproof.checker.rollout.plan.plan import plan
from quotaproof.spec.formats.changes import load_change
from quotaproof.spec.readings import Readings

READINGS = Readings()
QUEUE = """quotaproof: 1
queue: q
environment: {ml.p5.48xlarge: 8, ml.g5.xlarge: 8}
shares:
- {name: a, limits: {ml.p5.48xlarge: 4}, strategy: LEND_AND_BORROW, borrowLimit: -1}
- {name: x, limits: {ml.p5.48xlarge: 2}, strategy: LEND}
- {name: y, limits: {ml.p5.48xlarge: 2}, strategy: RESERVE}
- {name: c, limits: {ml.g5.xlarge: 4}, strategy: LEND_AND_BORROW, borrowLimit: -1}
- {name: z, limits: {ml.g5.xlarge: 4}, strategy: LEND}
"""
BOTH = """promises: 1
queue: q
promises:
- {id: P1, says: borrows 2., share: [a, c], borrows_at_most: {p5: 2, g5: 2}, owner: o, why: w}
"""
ACCEPTED = "exceptions:\n- {id: E1, to: P1, share: c, owner: o, until: 2099-12-30, why: w}\n"
SWAP = ("y.strategy=LEND", "x.strategy=RESERVE")


def planned(folder, *asked, promises, queue=QUEUE, timeout=None):
    (folder / "queue.yaml").write_text(queue)
    (folder / "promises.yaml").write_text(promises)
    change = load_change([str(folder)], set_=asked, readings=READINGS, promises="")
    events = list(plan(change, READINGS, today=date(2026, 11, 30), timeout=timeout))
    found = Verification.of(events)
    return found, outcome(found, Options()), write(events, Options())


def test_a_promise_is_guarded_for_those_it_is_kept_for_when_it_is_broken_or_accepted_for_others(tmp_path):
    found, _, screen = planned(tmp_path, *SWAP, promises=BOTH + ACCEPTED)
    assert [s.subject for s in found.planned.steps] == ["x", "y"], "y first would let a borrow 4"
    assert found.planned.ordered.why == ("2 before 1 would break P1 for a, which is kept before and after.",)
    assert "Order (each state in between was verified)" in screen


def test_what_is_accepted_for_a_share_does_not_hold_up_its_requests(tmp_path):
    promises = BOTH.replace("[a, c]", "a") + ACCEPTED.replace("share: c", "share: a")
    found, _, _ = planned(tmp_path, *SWAP, promises=promises)
    assert (found.planned.ordered.found, found.planned.ordered.why) == (True, ())


def test_a_promise_that_no_end_is_decided_of_is_not_verified_in_between(tmp_path):
    found, judged, screen = planned(tmp_path, *SWAP, promises=BOTH, timeout=1e-6)
    assert judged.exit_code == 3
    assert found.planned.ordered.unverified == ("P1 for a", "P1 for c")
    assert "Order (not verified for P1 for a and P1 for c)" in screen
    assert "each state in between was verified" not in screen
    assert "is kept after each of its steps" not in screen


def test_what_was_promised_to_a_share_that_goes_does_not_hold_up_its_going(tmp_path):
    more = "- {id: P2, says: sure., share: [a, x], gets: {p5: 1, within: 10m}, owner: o, why: w}\n"
    promises = BOTH + more + "assume: {stop_takes: {p5: 5m}}\n"
    (tmp_path / "new.yaml").write_text("".join(line for line in QUEUE.splitlines(True) if "name: x" not in line))
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "queue.yaml").write_text(QUEUE)
    (tmp_path / "old" / "promises.yaml").write_text(promises)
    change = load_change([str(tmp_path / "old")], [str(tmp_path / "new.yaml")], readings=READINGS, promises="")
    found = Verification.of(plan(change, READINGS, today=date(2026, 11, 30)))
    assert found.planned.ordered.found
    assert [s.subject for s in found.planned.steps] == ["x", "x"]


PAIR = """quotaproof: 1
queue: q
environment: {ml.p5.48xlarge: 8}
shares:
- {name: a, limits: {ml.p5.48xlarge: 4}, strategy: LEND_AND_BORROW, borrowLimit: 50}
- {name: b, limits: {ml.p5.48xlarge: 4}, strategy: LEND_AND_BORROW, borrowLimit: 50}
"""
FITS = "promises: 1\nqueue: q\npromises:\n- {id: P3, says: x, share: [a, b], fits: {p5: 5}, owner: o, why: w}\n"


def test_a_promise_still_broken_for_one_share_is_not_said_to_be_kept(tmp_path):
    found, judged, screen = planned(tmp_path, "a.p5=3", "b.p5=5", promises=FITS, queue=PAIR)
    assert judged.exit_code == 0
    assert "Promises   1: 1 broken already" in screen
    assert "Broken before the change as well: P3 for a." in screen
    assert "Kept now: P3 for b." in screen
    assert {p.result.subject.partition(",")[0]: p.already for p in found.promised} == {"a": True, "b": False}
    rows = {row[0]: row[1] for row in table(found, Options())[:1]}
    assert rows == {"P3 fits": "broken already"}, "Markdown and HTML"


def test_ways_to_give_are_said_to_break_no_promise_only_where_there_are_promises():
    giving = Giving("a", "u", 3, 2, (Given((), {}, 1, 1, (), ()),))
    about = PromiseChange("P1", "fits", "x", "a", "o", Verdict.HOLDS_HERE, Verdict.HOLDS_HERE, Direction.SAME, "")
    assert wish(giving, Plan(givings=(giving,))) == "a shall have 3 u and has 2: 1 way."
    said = "a shall have 3 u and has 2: 1 way, which breaks no promise that is kept now."
    assert wish(giving, Plan(givings=(giving,), promises=(about,))) == said


def test_what_is_accepted_or_not_in_force_is_counted_as_that(tmp_path):
    accepted = "exceptions:\n- {id: E1, to: P3, share: a, owner: o, until: 2099-12-30, why: w}\n"
    later = "- {id: P4, says: x, share: a, fits: {p5: 6}, owner: o, why: w, valid: {from: 2027-01-11}}\n"
    _, judged, screen = planned(tmp_path, "a.p5=3", "b.p5=5", promises=FITS + later + accepted, queue=PAIR)
    assert (judged.exit_code, judged.waived) == (0, ())
    assert "Promises   2: 1 accepted, 1 not in force" in screen


NOTICE = (
    "promises: 1\nqueue: q\npromises:\n- {id: N, says: n, changes: {shrink_notice: 5 working days}, owner: o, why: w}\n"
)


def test_a_cut_of_the_environment_that_takes_what_is_sure_waits_for_its_notice(tmp_path):
    found, _, screen = planned(tmp_path, "environment.p5=4", promises=NOTICE, queue=PAIR)
    assert [s.not_before for s in found.planned.steps] == ["2026-12-07"]
    assert "earliest start of step 1: 2026-12-07" in screen


def test_what_takes_nothing_that_is_sure_waits_for_no_notice(tmp_path):
    spare = PAIR.replace("48xlarge: 8}", "48xlarge: 10}")
    found, _, _ = planned(tmp_path, "environment.p5=8", promises=NOTICE, queue=spare)
    assert [s.not_before for s in found.planned.steps] == [""]


def test_of_a_cut_that_limits_allow_for_only_the_limits_wait(tmp_path):
    found, _, _ = planned(tmp_path, "a.p5=2", "environment.p5=6", promises=NOTICE, queue=PAIR)
    assert [(s.subject, bool(s.not_before)) for s in found.planned.steps] == [("a", True), ("q", False)]
