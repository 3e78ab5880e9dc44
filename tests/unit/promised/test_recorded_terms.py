"""Terms that no configuration decides: jobs among the files, evidence, bands of priority, and who judges the rest."""

from __future__ import annotations

import json
import os
from datetime import date

import pytest
from quotaproof.checker.rollout.promises.case import Case
from quotaproof.checker.rollout.promises.judge import judged
from quotaproof.spec.formats import load
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.promises import evidence as evidence_form
from quotaproof.spec.formats.promises.evidence import evidence
from quotaproof.spec.promises import (
    Changes,
    Measure,
    Measured,
    Notice,
    PriorityBand,
    Promise,
    Promises,
    Recovery,
    Scope,
    StopsPerJob,
)
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share

TODAY = date(2026, 11, 30)
DAY = 86_400_000
CONFIG = queue(
    6, share("lends", 2, "LEND"), share("borrows", 2, "LEND_AND_BORROW"), share("own", 2, "RESERVE", in_share=True)
)


def write_job(folder, name, of, *, priority=None, retries=None, checkpoint=None):
    payload = {"ResourceConfig": {"InstanceType": "u", "InstanceCount": 1}}
    payload |= {} if checkpoint is None else {"CheckpointConfig": {"S3Uri": checkpoint}}
    request = {"jobName": name, "jobQueue": "q", "quotaShareName": of, "serviceRequestPayload": json.dumps(payload)}
    request |= {} if priority is None else {"schedulingPriority": priority}
    request |= {} if retries is None else {"preemptionConfiguration": {"preemptionRetriesBeforeTermination": retries}}
    (folder / f"{name}.json").write_text(json.dumps(request, indent=1), encoding="utf-8")


@pytest.fixture
def jobs(tmp_path):
    """Writes requests, and reads them with a configuration beside them."""
    (tmp_path / "queue.yaml").write_text(
        "quotaproof: 1\nqueue: q\nenvironment: {u: 6}\nshares:\n"
        "- {name: lends, strategy: LEND, limits: {u: 2}}\n"
        "- {name: borrows, strategy: LEND_AND_BORROW, limits: {u: 2}}\n"
        "- {name: own, strategy: RESERVE, limits: {u: 2}, inSharePreemption: true}\n",
        encoding="utf-8",
    )

    def made(*given):
        for one in given:
            write_job(tmp_path, **one)
        loaded = load([str(tmp_path)], readings=Readings())
        assert len(loaded.jobs) == len(given), loaded.left_out
        return loaded.jobs

    return made


def told(proofs, *promises, jobs=(), folder=""):
    case = Case(Promises(promises, folder=str(folder)), CONFIG, Readings(), proofs, TODAY, tuple(jobs))
    return [(p.how.name, p.result.verdict.name, p.result.subject, p.result) for p in judged(case)]


def promise(*terms, code="P1", **scope):
    return Promise(code, "As it was said.", Scope(**scope), terms, "owner", place=f"promises.yaml:{code[1:]}")


def test_stops_are_bounded_where_nobody_can_stop_a_job(proofs) -> None:
    found = told(proofs, promise(StopsPerJob(3)))
    assert [f[:3] for f in found] == [
        ("PROVED", "HOLDS_HERE", "lends"),
        ("RECORDED", "NOT_APPLICABLE", "borrows"),
        ("RECORDED", "NOT_APPLICABLE", "own"),
    ]


def test_jobs_that_may_be_stopped_more_often_are_named_with_their_places(proofs, jobs) -> None:
    given = jobs(
        {"name": "j1", "of": "borrows", "retries": 3}, {"name": "j2", "of": "borrows"},
        {"name": "j3", "of": "borrows", "retries": 4}, {"name": "j4", "of": "lends"},
    )  # fmt: skip
    ((how, verdict, subject, result),) = told(proofs, promise(StopsPerJob(3), shares=("borrows",)), jobs=given)
    assert (how, verdict, subject, result.count, result.place) == ("PROVED", "BROKEN", "borrows", 2, "j2.json:2")
    assert "j2 sets nothing (j2.json:2), j3 sets 4 (j3.json:2)" in result.because
    fine = [j for j in given if j.name == "j1"]
    ((_, verdict, _, result),) = told(proofs, promise(StopsPerJob(3), shares=("borrows",)), jobs=fine)
    assert (verdict, result.because.startswith("each of the 1 jobs")) == ("NOT_APPLICABLE", True)


def test_jobs_without_a_checkpoint_are_named_where_they_can_be_stopped(proofs, jobs) -> None:
    given = jobs(
        {"name": "j1", "of": "borrows", "checkpoint": "s3://c"},
        {"name": "j2", "of": "borrows"},
        {"name": "j3", "of": "lends"},
    )
    found = told(proofs, promise(Recovery(checkpoint=True)), jobs=given)
    assert [f[:3] for f in found] == [
        ("PROVED", "HOLDS_HERE", "lends"),
        ("PROVED", "BROKEN", "borrows"),
        ("MEASURED", "NOT_APPLICABLE", "own"),
    ]
    assert found[1][3].because == "1 of 2 jobs is submitted without CheckpointConfig: j2 (j2.json:2)"


@pytest.mark.parametrize(
    ("files", "verdict", "because"),
    [
        ({"2026-10-01.md": ""}, "HOLDS_HERE", "the newest of 1 is drills/2026-10-01.md of 2026-10-01, 60 days old"),
        ({"a.md": "# Drill\n\nDate: 2026-11-29\n"}, "HOLDS_HERE", "of 2026-11-29, 1 day old"),
        ({"a.md": '---\ndate: "2026-11-01"\n---\n', "2026-01-01.md": ""}, "HOLDS_HERE", "newest of 2 is drills/a.md"),
        ({"2026-08-01.md": ""}, "BROKEN", "121 days old; at most 90 are promised, so it has lacked for 31"),
        ({}, "BROKEN", "no file matches drills/*.md"),
        ({"a.md": "it went well on 2026-11-01"}, "BROKEN", "none of drills/a.md is dated up to today; put the day"),
        ({"2026-13-45.md": "date: soon"}, "BROKEN", "put the day into its name"),
        ({"2027-01-01.md": ""}, "BROKEN", "dated up to today"),
        ({"a.md": "\n" * 30 + "date: 2026-11-01"}, "BROKEN", "dated up to today"),
        ({"a.md": "x" * 5000 + "\ndate: 2026-11-01"}, "BROKEN", "dated up to today"),
        ({"a.txt": "date: 2026-11-01", ".hidden.md": "date: 2026-11-01"}, "BROKEN", "no file matches"),
    ],
)
def test_evidence_is_dated_by_its_name_or_its_first_lines(proofs, tmp_path, files, verdict, because) -> None:
    (tmp_path / "drills").mkdir()
    for name, text in files.items():
        (tmp_path / "drills" / name).write_text(text, encoding="utf-8")
    term = Recovery(checkpoint=False, evidence="drills/*.md", not_older_than=90 * DAY)
    ((how, found, _, result),) = told(proofs, promise(term), folder=tmp_path)
    assert (how, found) == ("RECORDED", verdict)
    assert because in result.because


def test_when_a_file_was_written_says_nothing(tmp_path) -> None:
    (tmp_path / "a.md").write_text("date: 2020-01-01", encoding="utf-8")
    os.utime(tmp_path / "a.md", (1_795_000_000, 1_795_000_000))
    assert evidence(str(tmp_path), "*.md", place="p:1")[0].day == date(2020, 1, 1)


def test_evidence_without_a_folder_is_undecided(proofs) -> None:
    ((_, verdict, _, _),) = told(proofs, promise(Recovery(checkpoint=False, evidence="*.md")))
    assert verdict == "UNKNOWN"


@pytest.mark.parametrize("pattern", ["../*.md", "/etc/*", "a/../../b", "C:/x", "a\\b", "", "."])
def test_no_pattern_leads_out_of_the_folder(tmp_path, pattern) -> None:
    with pytest.raises(InputError, match="no pattern of files below this folder"):
        evidence(str(tmp_path), pattern, place="promises.yaml:3")


def test_no_link_is_followed(tmp_path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    (outside / "deep").mkdir(parents=True)
    inside.mkdir()
    (outside / "2026-01-01.md").write_text("", encoding="utf-8")
    (inside / "folder").symlink_to(outside)
    (inside / "2026-01-02.md").symlink_to(outside / "2026-01-01.md")
    assert evidence(str(inside), "**/*.md", place="p:1") == ()
    assert evidence(str(inside), "folder/*.md", place="p:1") == ()


def test_folders_are_looked_through_and_too_many_files_are_refused(tmp_path, monkeypatch) -> None:
    (tmp_path / "2026-05-01" / "run").mkdir(parents=True)
    (tmp_path / "2026-05-01" / "run" / "report.md").write_text("", encoding="utf-8")
    (found,) = evidence(str(tmp_path), "**/*.md", place="p:1")
    assert (found.path, found.day) == ("2026-05-01/run/report.md", date(2026, 5, 1))
    for n in range(9):
        (tmp_path / f"{n}.md").write_text("", encoding="utf-8")
    monkeypatch.setattr(evidence_form, "MOST", 5)
    monkeypatch.setattr(evidence_form._Left, "__init__", lambda self: setattr(self, "entries", 5))
    with pytest.raises(InputError, match="leads to more than 5 files and folders"):
        evidence(str(tmp_path), "*.md", place="p:1")


def test_bands_of_two_promises_must_not_share_a_priority(proofs) -> None:
    first, second = promise(PriorityBand(9000, 9999)), promise(PriorityBand(9500, 9600, at_most_jobs=1), code="P2")
    found = told(proofs, first, second)
    assert [f[:2] for f in found] == [
        ("RECORDED", "NOT_APPLICABLE"),
        ("RECORDED", "BROKEN"),
        ("MEASURED", "NOT_APPLICABLE"),
    ]
    assert (
        found[1][3].because
        == "priority 9500 to 9600 is also in the band of P1 (promises.yaml:1), so it means two things"
    )
    apart = promise(PriorityBand(1, 8999), code="P2")
    assert [f[1] for f in told(proofs, first, apart)] == ["NOT_APPLICABLE"] * 2
    others = promise(PriorityBand(9500, 9600), code="P2", shares=("own",))
    assert [f[1] for f in told(proofs, promise(PriorityBand(9000, 9999), shares=("lends",)), others)] == [
        "NOT_APPLICABLE"
    ] * 2


def test_jobs_in_a_band_are_listed_where_they_are_too_many(proofs, jobs) -> None:
    given = jobs(*({"name": f"j{n}", "of": "own", "priority": p} for n, p in enumerate((9000, 9999, 8999))))
    ((how, verdict, _, result),) = told(proofs, promise(PriorityBand(9000, 9999, at_most_jobs=1)), jobs=given)
    assert (how, verdict, result.count, result.place) == ("PROVED", "BROKEN", 2, "j0.json:2")
    assert "j0 has 9000 (j0.json:2), j1 has 9999 (j1.json:2)" in result.because
    ((how, verdict, _, _),) = told(proofs, promise(PriorityBand(9000, 9999, at_most_jobs=2)), jobs=given)
    assert (how, verdict) == ("MEASURED", "NOT_APPLICABLE")


def test_changes_are_for_plan_and_measures_for_audit(proofs) -> None:
    found = told(proofs, promise(Changes(Notice(5, working=True)), Measured(Measure.LOST_SHARE, 2)))
    assert [f[:2] for f in found] == [("AT_CHANGE", "NOT_APPLICABLE"), ("MEASURED", "NOT_APPLICABLE")]
