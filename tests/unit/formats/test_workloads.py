"""Job files, series of usage and the Standard Workload Format become workloads; what cannot be read says where."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotaproof.reference.clock import run
from quotaproof.spec import events as ev
from quotaproof.spec.formats import InputError
from quotaproof.spec.formats.workloads import load_usage, load_workload
from quotaproof.spec.model import Strategy
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Use, Work

from ...support.queues import queue, share
from ...support.scenarios import fuzz

SAMPLE = Path(__file__).parents[3] / "examples" / "workloads" / "small.swf"
HEADER = "job_id,team,user,class,gpus,gpu_types,submit_s,start_s,end_s,duration_s,status,carry_in\n"
HOURS = (
    "hour_start_s,team,quota_gpus,running_avg,running_max,pending_avg,pending_max,idle_min,over_quota_minutes,"
    "over_quota_max_gpus\n"
)
TEAMS = {
    "capacity_gpus": 8,
    "teams": [
        {"team": "a", "quota_gpus": 3, "lend_limit_gpus": 1, "borrow_limit_gpus": 1},
        {"team": "b", "quota_gpus": 3, "lend_limit_gpus": 1, "borrow_limit_gpus": 0},
        {"team": "c", "quota_gpus": 2, "lend_limit_gpus": 0, "borrow_limit_gpus": 0},
    ],
}


@pytest.fixture
def jobs(tmp_path):
    """Writes a job file with its configuration and gives its path."""

    def write(*rows, teams=TEAMS, header=HEADER):
        (tmp_path / "week.config.json").write_text(json.dumps(teams))
        (tmp_path / "week.csv").write_text(header + "".join(f"{row}\n" for row in rows))
        return str(tmp_path / "week.csv")

    return write


@pytest.fixture
def text(tmp_path):
    def write(content, name="trace.swf"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(tmp_path / name)

    return write


def swf(*rows, header="; MaxProcs: 8\n"):
    """Rows of (job, submit, run, processors, status, group) in the 18 columns."""
    made = (
        f"{j} {at} -1 {ran} -1 -1 -1 {n} -1 -1 {status} -1 {g} -1 -1 -1 -1 -1\n" for j, at, ran, n, status, g in rows
    )
    return header + "".join(made)


# job files


def test_a_job_arrives_when_it_was_submitted_and_runs_for_its_duration(jobs):
    found = load_workload([jobs("j2,b,,,2,,30,,,60.5,,0", "j1,a,,,1,,10,,,20,,0")])
    assert found.work == (
        Work(10_000, 20_000, ev.Submit("j1", "a", {"gpu": 1})),
        Work(30_000, 60_500, ev.Submit("j2", "b", {"gpu": 2})),
    )


def test_a_team_is_a_share_that_lends_and_borrows_as_far_as_aws_has_words_for_it(jobs):
    found = load_workload([jobs()])
    assert found.config.environment.capacity == {"gpu": 8}
    assert [(s.name, s.limits, s.strategy, s.borrow_limit) for s in found.config.shares] == [
        ("a", {"gpu": 3}, Strategy.LEND_AND_BORROW, 34),
        ("b", {"gpu": 3}, Strategy.LEND, None),
        ("c", {"gpu": 2}, Strategy.RESERVE, None),
    ]
    assert [s.grant("gpu", Readings()).borrowable for s in found.config.shares] == [1, 0, 0]


def test_what_is_changed_to_make_a_file_fit_is_counted_and_said(jobs):
    rows = ("j1,a,,,0.5,T4|P100,5,,,20,,0", "j2,a,,best_effort,1,,-30,,,50,,1", "j3,a,,,1,,7,,9,,,0",
            "j4,b,,,0,,7,,,9,,0", "j5,b,,guaranteed,1,,-30,,,20,,1")  # fmt: skip
    found = load_workload([jobs(*rows)])
    assert found.work == (
        Work(0, 20_000, ev.Submit("j2", "a", {"gpu": 1}, 0)),
        Work(5_000, 20_000, ev.Submit("j1", "a", {"gpu": 1})),
    )
    said = " / ".join(found.notes)
    for words in ("1 jobs ask for a fraction", "1 jobs accept only some GPU models", "1 jobs were there before",
                  "1 jobs have no run time", "1 jobs ask for no GPU", "1 jobs had ended before"):  # fmt: skip
        assert words in said


def test_a_job_that_started_before_the_window_has_less_left_than_one_that_waited(jobs):
    started, waited = load_workload([jobs("j1,a,,,1,,-30,-20,30,50,,1", "j2,a,,,1,,-30,5,55,50,,1")]).work
    assert (started.at, started.runs, waited.at, waited.runs) == (0, 30_000, 0, 50_000)


def test_a_queue_that_is_given_counts_before_the_one_beside_the_file(jobs):
    path, own = jobs("j1,a,,,1,,10,,,20,,0"), queue(4, share("a", 4))
    found = load_workload([path], own)
    assert (found.config, found.work[0].submit.size) == (own, {"u": 1})


@pytest.mark.parametrize(
    ("row", "where", "what"),
    [
        ("j1,a,,,x,,1,,,2,,0", "week.csv:2, gpus", "not a number"),
        ("j1,a,,,nan,,1,,,2,,0", "week.csv:2, gpus", "not a number"),
        ("j1,a,,,-1,,1,,,2,,0", "week.csv:2, gpus", "gpus is -1"),
        ("j1,a,,,1,,1,,,-2,,0", "week.csv:2, duration_s", "duration_s is -2"),
        ("j1,a,,,99999999999,,1,,,2,,0", "week.csv:2, gpus", "99999999999"),
        ("j1,a,,,1,,,,,2,,0", "week.csv:2, submit_s", "empty"),
        (",a,,,1,,1,,,2,,0", "week.csv:2, job_id", "empty"),
        ("j1,aa,,,1,,1,,,2,,0", "week.csv:2, team", "did you mean a?"),
        ("j1,a,,,1", "week.csv:2", "5 fields under a header of 12"),
        ("j1,a,,,1,,1,,,2,,0\nj1,b,,,1,,1,,,2,,0", "week.csv:3, job_id", "stands on line 2 already"),
        ('"j1,a', "week.csv:2", "not valid CSV"),
    ],
)
def test_a_row_that_cannot_be_read_says_where_and_what(jobs, row, where, what):
    with pytest.raises(InputError) as error:
        load_workload([jobs(row)])
    assert error.value.where == where
    assert what in error.value.what


@pytest.mark.parametrize(
    ("teams", "where"),
    [
        ({}, "teams"),
        ({"capacity_gpus": 8, "teams": []}, "teams"),
        ({**TEAMS, "capacity_gpus": None}, "capacity_gpus"),
        ({**TEAMS, "capacity_gpus": True}, "capacity_gpus"),
        ({"capacity_gpus": 8, "teams": [{"team": "a", "quota_gpus": 0}]}, "quota_gpus"),
        ({"capacity_gpus": 8, "teams": [{"team": "a b", "quota_gpus": 1}]}, "team"),
        ({"capacity_gpus": 8, "teams": [{"team": "a", "quota_gpus": 1}] * 2}, "team"),
        ({"capacity_gpus": 8, "teams": [5]}, "team"),
    ],
)
def test_a_configuration_that_cannot_be_read_says_where(jobs, teams, where):
    with pytest.raises(InputError) as error:
        load_workload([jobs(teams=teams)])
    assert error.value.where.startswith("week.config.json")
    assert error.value.where.endswith(where)


def test_a_trace_whose_shares_nothing_says_cannot_be_used(text):
    with pytest.raises(InputError, match="no configuration"):
        load_workload([text(HEADER, "alone.csv")])


def test_one_trace_is_one_workload(jobs):
    path = jobs()
    for paths in ([], [path, path], [path, "a.json", "b.json"]):
        with pytest.raises(InputError, match="traces and"):
            load_workload(paths)
    with pytest.raises(InputError, match="units"):
        load_workload([path], queue({"u": 1, "w": 1}, share("a", {"u": 1})))


@pytest.mark.parametrize("content", ["", "\n\n", "a,b\n1,2\n", "1 2 3\n", "{}"])
def test_a_file_of_no_known_format_is_refused_with_the_formats_that_are(text, content):
    for read in (load_workload, load_usage):
        with pytest.raises(InputError) as error:
            read([text(content, "trace.txt")])
        assert error.value.where == "trace.txt"


def test_a_file_that_is_no_text_or_is_cut_off_says_so(text, tmp_path):
    whole = gzip.compress(SAMPLE.read_bytes())
    for content, name in (
        (b"; \xff\n", "a.swf"),
        (whole[:-20], "b.swf.gz"),
        (b"; x", "c.swf.gz"),
        (b"; " * 65536, "d.swf"),
    ):
        with pytest.raises(InputError):
            load_workload([text(content, name)])
    for path in (str(tmp_path), str(tmp_path / "none.csv"), "", "\0"):
        with pytest.raises(InputError):
            load_workload([path])
    assert load_workload([text(whole, "e.swf.gz")]).work == load_workload([str(SAMPLE)]).work


# the Standard Workload Format


def test_the_sample_is_a_workload_that_runs():
    found = load_workload([str(SAMPLE)])
    assert len(found.work) == 39
    assert {s.name for s in found.config.shares} == {"group-1", "group-2", "group-3"}
    assert (
        sum(s.limits["processor"] for s in found.config.shares) == found.config.environment.capacity["processor"] == 16
    )
    assert "1 jobs have no run time" in " / ".join(found.notes)
    happened = [e for _, e in run(found.config, Readings(), found.work, drain=1000)]
    assert sum(isinstance(e, ev.Finish) for e in happened) == 39
    assert any(isinstance(e, ev.Claim) for e in happened)


def test_fields_of_the_standard_format_are_taken_by_their_place(text):
    found = load_workload([text(swf((1, 30, 60, 2, 1, 7), (2, 10, 5.5, 3, 0, 7)))], queue(8, share("group-7", 8)))
    assert found.work == (
        Work(10_000, 5_500, ev.Submit("job-2", "group-7", {"u": 3})),
        Work(30_000, 60_000, ev.Submit("job-1", "group-7", {"u": 2})),
    )


def test_parts_of_jobs_and_jobs_that_never_started_are_left_out_and_said(text):
    rows = ((1, 0, 60, 2, 1, 1), (1, 0, 30, 2, 2, 1), (2, 5, -1, 2, 5, 1), (3, 6, 9, -1, 1, 1), (4, 7, 9, 1, 1, -1))
    found = load_workload([text(swf(*rows))])
    assert [w.submit.job for w in found.work] == ["job-1", "job-4"]
    said = " / ".join(found.notes)
    for words in ("1 lines tell of a part", "1 jobs have no run time", "1 jobs have no number", "1 jobs have no group"):
        assert words in said


def test_more_groups_than_a_queue_may_have_shares_are_put_together(text):
    found = load_workload([text(swf(*((i, i, 60 + i, 1, 1, i) for i in range(1, 26)), header="; MaxProcs: 99\n"))])
    assert len(found.config.shares) == 20
    assert sum(s.limits["processor"] for s in found.config.shares) == 99
    assert sum(w.submit.share == "others" for w in found.work) == 6


@pytest.mark.parametrize(
    ("content", "where", "what"),
    [
        ("; MaxProcs: 8\n1 2 3\n", "trace.swf:2", "3 fields"),
        (swf((1, 0, 60, 2, 1, 1), (1, 0, 60, 2, 1, 1)), "trace.swf:3, job", "stands on line 2"),
        (swf((1, "x", 60, 2, 1, 1)), "trace.swf:2, submit", "not a number"),
        (swf((1, -5, 60, 2, 1, 1)), "trace.swf:2, submit", "submit is -5"),
        (swf((1, 5, 60, 2, 1, 1.5)), "trace.swf:2, group", "not a count"),
        (swf((1, 5, 60, 2, 1, 1), header=""), "trace.swf", "no MaxProcs"),
        (swf((1, 5, 60, 2, 1, 1), header="; MaxProcs: 0\n"), "trace.swf", "no MaxProcs"),
        (swf(), "trace.swf", "no jobs"),
    ],
)
def test_a_line_of_the_standard_format_that_cannot_be_read_says_where_and_what(text, content, where, what):
    with pytest.raises(InputError) as error:
        load_workload([text(content)])
    assert error.value.where == where
    assert what in error.value.what


def test_a_group_that_the_queue_has_no_share_for_is_refused(text):
    with pytest.raises(InputError, match="there is no share"):
        load_workload([text(swf((1, 5, 60, 2, 1, 1)))], queue(8, share("group-7", 8)))


# usage


def test_usage_beyond_the_quota_is_added_to_what_is_cut_off_at_it(text):
    path = text(HOURS + "0,a,64,61.6,64,0.8,16,0,6,32\n3600,a,64,58,60,0,0,4,0,0\n", "hours.csv")
    over, within = load_usage([path]).uses
    assert over == Use(0, 3_600_000, "a", 64, 61.6, 96, 0.8, 360_000, "hours.csv:2")
    assert (over.excess, within.excess) == (32, 0)
    assert load_usage([path]).exceeded() == (over,)


def test_changes_of_quota_have_a_day(text):
    (change,) = load_usage([text("date,team,quota_gpus,previous_gpus\n2020-05-09,a,0,64\n", "quota.csv")]).changes
    assert (change.at, change.share, change.quota, change.place) == (1588982400000, "a", 0, "quota.csv:2")


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (HOURS + "0,a,64,61.6,64,0.8,16,0,99,32\n", "x.csv:2, over_quota_minutes"),
        (HOURS + "0,a,-4,61.6,64,0.8,16,0,9,32\n", "x.csv:2, quota_gpus"),
        (HOURS + "0,a,4,,64,0.8,16,0,9,32\n", "x.csv:2, running_avg"),
        ("date,team,quota_gpus\n2020-13-09,a,0\n", "x.csv:2, date"),
    ],
)
def test_usage_that_cannot_be_read_says_where(text, content, where):
    with pytest.raises(InputError) as error:
        load_usage([text(content, "x.csv")])
    assert error.value.where == where


def test_a_file_of_usage_is_no_workload(text):
    with pytest.raises(InputError, match="not jobs"):
        load_workload([text(HOURS, "hours.csv")])


# whatever comes in

CELLS = st.sampled_from(["", "0", "1", "-1", "a", "j1", "0.5", "1e9", "nan", '"', "\x00", "é", "2020-05-01", "9" * 40])
LINES = st.lists(CELLS, max_size=19)
FIRST = st.sampled_from([HEADER, HOURS, "date,team,quota_gpus\n", "; MaxProcs: 4\n", "", "\ufeff" + HEADER])
BODIES = st.tuples(
    FIRST, st.sampled_from([",", " "]), st.lists(LINES | st.lists(CELLS, min_size=12, max_size=12), max_size=4)
)


@fuzz
@given(BODIES, st.binary(max_size=40))
def test_whatever_comes_in_is_a_workload_or_an_input_error(tmp_path_factory, body, tail):
    first, between, rows = body
    reads(tmp_path_factory, (first + "\n".join(between.join(row) for row in rows)).encode() + tail)


@fuzz
@given(st.integers(0, 2500), st.integers(0, 60), st.text("0123456789-. ;\n,\x00é", max_size=12))
def test_a_good_file_with_a_piece_of_it_replaced_is_a_workload_or_an_input_error(tmp_path_factory, at, length, piece):
    text = SAMPLE.read_text()
    reads(tmp_path_factory, (text[:at] + piece + text[at + length :]).encode())


def reads(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    path.write_bytes(content)
    own = queue(4, share("a", 4))
    for read in (load_workload, load_usage, lambda paths: load_workload(paths, own)):
        try:
            read([str(path)])
        except InputError as error:
            assert str(error).replace("\n", "", 2).isprintable()
