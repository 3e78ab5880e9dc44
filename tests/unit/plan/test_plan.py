"""The stream of a plan: what counts, what is told, in which order it is asked for."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from quotaproof.checker.planned import Direction, Place
from quotaproof.checker.report.options import FailOn, Options
from quotaproof.checker.report.outcome import outcome
from quotaproof.checker.report.text import write
from quotaproof.checker.results import Severity, Verification
from quotaproof.checker.rollout.plan.kept import earliest
from quotaproof.checker.rollout.plan.plan import plan
from quotaproof.spec.formats.changes import load_change
from quotaproof.spec.promises import Notice
from quotaproof.spec.readings import Readings

from tests.support.stories import by_minutes, runs, submitted

pytestmark = pytest.mark.usefixtures("proved")
TODAY = date(2026, 11, 30)
READINGS = Readings()
QUEUE = """quotaproof: 1
queue: q
environment: {ml.p5.48xlarge: 24}
shares:
- {name: a, limits: {ml.p5.48xlarge: 12}, strategy: LEND_AND_BORROW, borrowLimit: 100}
- {name: b, limits: {ml.p5.48xlarge: 10}, strategy: LEND}
- {name: c, limits: {ml.p5.48xlarge: 2}, strategy: RESERVE}
"""
PROMISES = """promises: 1
queue: q
defaults: {owner: platform, why: because}
promises:
- {id: P1, says: a job of 10 of a always runs., share: a, fits: {p5: 10}}
- {id: P2, says: b and c hold at most 12., share: [b, c], at_most: {p5: 12}}
- {id: P3, says: Nothing shrinks without notice., changes: {shrink_notice: 5 working days}}
- {id: P4, says: c has its own at once., share: c, gets: {p5: 2, within: at-once}}
"""


def planned(folder: Path, *asked: str, promises: str = "", running=None, queue: str = QUEUE, fail_on=FailOn.ERROR):
    """The verification of a plan, and its screen."""
    (folder / "queue.yaml").write_text(queue)
    if promises:
        (folder / "promises.yaml").write_text(promises)
    change = load_change([str(folder)], set_=asked, readings=READINGS, promises="")
    events = list(plan(change, READINGS, running=running, today=TODAY, out="out"))
    options = Options(fail_on=fail_on, out="out")
    found = Verification.of(events)
    return found, outcome(found, options), write(events, options)


def directions(found):
    return {s.share: s.direction for s in found.planned.shares}


def test_a_lowered_limit_is_weaker_for_its_team_and_fails_only_when_asked(tmp_path):
    found, judged, screen = planned(tmp_path, "a.p5=10")
    assert directions(found)["a"] is Direction.WEAKER
    assert judged.exit_code == 0
    assert "a       limit 12 -> 10   12 -> 10" in screen
    _, strict, _ = planned(tmp_path, "a.p5=10", fail_on=FailOn.WEAKER)
    assert strict.exit_code == 1
    assert strict.because == "The exit code is 1 because of --fail-on weaker."


def test_a_promise_that_the_change_breaks_counts_and_one_broken_before_does_not(tmp_path):
    _, judged, screen = planned(tmp_path, "a.p5=8", promises=PROMISES)
    assert judged.exit_code == 1
    assert [p.code for p in judged.promises] == ["P1"]
    assert "q: the change breaks promise P1." not in screen.partition("\n")[0]
    assert "the change breaks promise P1" in screen
    broken = PROMISES.replace("p5: 10", "p5: 20")
    again, judged, screen = planned(tmp_path, "a.p5=8", promises=broken)
    assert judged.exit_code == 0
    assert "Broken before the change as well: P1." in screen
    assert [p.direction for p in again.planned.promises if p.code == "P1"] == [Direction.SAME]


def test_what_shrinks_waits_for_its_notice(tmp_path):
    found, judged, screen = planned(tmp_path, "a.p5=11", promises=PROMISES)
    assert judged.exit_code == 0
    assert [s.not_before for s in found.planned.steps] == ["2026-12-07"]
    assert "earliest start of step 1: 2026-12-07" in screen
    grows, _, _ = planned(tmp_path, "environment.p5=30", promises=PROMISES)
    assert [s.not_before for s in grows.planned.steps] == [""]


@pytest.mark.parametrize(
    ("notice", "day"),
    [
        (Notice(5, working=True), date(2026, 12, 7)),
        (Notice(4, working=True), date(2026, 12, 4)),
        (Notice(5), date(2026, 12, 5)),
        (Notice(0), TODAY),
    ],
)
def test_notice_counts_days_or_working_days(notice, day):
    assert earliest(TODAY, notice) == day


def test_what_was_wrong_before_is_told_and_does_not_count(tmp_path):
    over = QUEUE.replace("48xlarge: 24", "48xlarge: 20")
    found, judged, screen = planned(tmp_path, "c.p5=1", queue=over)
    assert judged.exit_code == 0
    assert "Broken before the change as well: G14" in screen
    assert [f.code for f in found.findings if f.severity is Severity.ERROR] == []


def test_a_sum_beyond_the_environment_is_an_error_of_the_change(tmp_path):
    _, judged, screen = planned(tmp_path, "b.p5=12")
    assert judged.exit_code == 1
    assert "QP101" in [f.code for f in judged.failed]
    assert "QP101" in screen


def test_every_weaker_share_has_a_scenario_that_is_in_the_stream(tmp_path):
    found, _, screen = planned(tmp_path, "a.p5=8")
    [unit] = [u for s in found.planned.shares if s.share == "a" for u in s.units]
    assert unit.witness == "plan-a-ml.p5.48xlarge.json"
    assert f"quotaproof replay out/{unit.witness}" in screen


def test_the_twenty_first_share_stops_and_says_which_place_could_be_freed(tmp_path):
    shares = "".join(f"- {{name: s{k:02}, limits: {{u: 1}}, strategy: LEND}}\n" for k in range(20))
    queue = f"quotaproof: 1\nqueue: q\nenvironment: {{u: 21}}\nshares:\n{shares}"
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "queue.yaml").write_text(queue)
    (tmp_path / "new.yaml").write_text(f"{queue}- {{name: extra, limits: {{u: 1}}, strategy: LEND_AND_BORROW}}\n")
    change = load_change([str(tmp_path / "old")], [str(tmp_path / "new.yaml")], readings=READINGS)
    steps = [(0, submitted(f"s{k:02}-job")) for k in range(19)]
    history = by_minutes(change.old.config, *steps, *[(1, what) for what in runs("s00-job")], start=1_790_000_000_000)
    events = list(plan(change, READINGS, running=history, today=TODAY))
    found = Verification.of(events)
    assert outcome(found, Options()).exit_code == 1
    assert outcome(found, Options(fail_on=FailOn.NEVER)).exit_code == 0
    ways = [e for e in events if isinstance(e, Place)]
    assert [w.shares for w in ways] == [("s19",), ("s00", "s01"), ("s00", "s02"), ("s00", "s03")]
    assert "gives back 1 u" in ways[0].why
    screen = write(events, Options())
    assert "STOP    extra would be share 21 on q. AWS allows 20 (rule 3)." in screen
    assert "The rest of this plan is worked out as if the place were free." in screen
    assert "create-quota-share" in screen


def test_running_jobs_are_told_with_what_they_have_at_stake(tmp_path):
    (tmp_path / "queue.yaml").write_text(QUEUE)
    change = load_change([str(tmp_path)], set_=["a.p5=8"], readings=READINGS)
    unit = "ml.p5.48xlarge"

    def job(name, n, **facts):
        made = submitted(name, **facts)
        return type(made)(made.job, made.share, {unit: n}, 0, None, facts=made.facts)

    steps = [(0, job("a-big", 9, checkpoint="s3://x/y")), (0, job("a-small", 2, checkpoint=""))]
    steps += [(1, what) for name in ("a-big", "a-small") for what in runs(name)]
    history = by_minutes(change.old.config, *steps, end=1_790_000_000_000 + 61 * 60_000)
    screen = write(list(plan(change, READINGS, running=history, today=TODAY)), Options())
    assert "2 running jobs affected" in screen
    assert "Jobs that can now be stopped (a runs 11, its new limit is 8: AWS may free 3)" in screen
    rows = [" ".join(line.split()) for line in screen.splitlines() if "machines" in line]
    assert "a-big a 9 machines running 1 h 00 set" in rows
    assert "a-small a 2 machines running 1 h 00 NO CHECKPOINT" in rows
    assert "AWS does not say which of them (A26), nor whether at once or only on need (A42)." in screen


def test_promises_about_a_share_that_is_only_to_come_are_judged(tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "queue.yaml").write_text(QUEUE)
    more = "- {id: P9, says: d has 2., share: d, gets: {p5: 2, within: at-once}}\n"
    (tmp_path / "old" / "promises.yaml").write_text(PROMISES + more)
    fewer = QUEUE.replace("name: b, limits: {ml.p5.48xlarge: 10}", "name: b, limits: {ml.p5.48xlarge: 8}")
    (tmp_path / "new.yaml").write_text(f"{fewer}- {{name: d, limits: {{ml.p5.48xlarge: 2}}, strategy: RESERVE}}\n")
    change = load_change([str(tmp_path / "old")], [str(tmp_path / "new.yaml")], readings=READINGS, promises="")
    found = Verification.of(plan(change, READINGS, today=TODAY))
    [mine] = [p for p in found.planned.promises if p.code == "P9"]
    assert (mine.before, mine.direction) == (None, Direction.NEW)
    assert outcome(found, Options()).exit_code == 0


SEVERAL = """quotaproof: 1
queue: q
environment: {u: 16, v: 16}
shares:
- {name: a, limits: {u: 4, v: 4}, strategy: LEND_AND_BORROW, borrowLimit: -1}
- {name: b, limits: {u: 4, v: 4}, strategy: LEND_AND_BORROW, borrowLimit: 50}
- {name: c, limits: {u: 8, v: 8}, strategy: LEND}
"""


def test_a_finding_about_two_units_is_not_new_when_the_change_mends_it_in_one(tmp_path):
    found, _, _ = planned(tmp_path, "c.u=0", "b.u=1", "environment.u=5", queue=SEVERAL)
    assert [f.title for f in found.findings if f.code == "QP115"] == []
    found, _, _ = planned(tmp_path, "a.borrowLimit=-1", "b.borrowLimit=-1", queue=SEVERAL)
    assert "QP115" in [f.code for f in found.findings if f.share == "b"]


def test_of_several_units_each_number_has_its_unit_and_what_is_more_is_said_as_well(tmp_path):
    found, _, screen = planned(tmp_path, "a.strategy=RESERVE", "a.u=3", "a.v=5", "c.v=7",
                               queue=SEVERAL.replace("borrowLimit: 50", "borrowLimit: -1"))  # fmt: skip
    lines = [" ".join(line.split()) for line in screen.splitlines()]
    assert "a LEND_AND_BORROW no maximum -> RESERVE incomparable" in lines
    assert any(line.startswith("limit 4 -> 3 u 4 -> 3") for line in lines)
    assert any(line.startswith("limit 4 -> 5 v 4 -> 5") for line in lines)
    assert [line for line in lines if line.startswith("b less: ")] == [
        "b less: most (u, v); more: at once (u, v), never stopped (u); can no longer borrow from a"
    ]
    (title,) = [f.title for f in found.findings if f.code == "QP310" and f.share == "a"]
    assert "; more: " in title
