"""Workloads in our own form, and histories as workloads: what is read, and what every bad row is told."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotaproof.spec import events as ev
from quotaproof.spec import schemas
from quotaproof.spec.formats import InputError, load
from quotaproof.spec.formats.workloads import load_workload
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import History, Preempted, Preempting, Reached, Seen, Submitted
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Attempt, Checkpoints, Work

from ...support.queues import queue, share
from ...support.scenarios import fuzz

QUEUE = queue({"ml.p5": 4, "ml.g5": 8}, share("a", {"ml.p5": 2, "ml.g5": 4}), share("b", {"ml.p5": 2}))
EXAMPLE = Path(__file__).parents[3] / "examples" / "simulate"
HEADER = "job,share,submit,runs,p5,g5,priority,retries,deadline,checkpoint_every,save_cost,restart_cost"
GOOD = "j2,a,10,60.5,1,2,5,0,100,30,0.5,2", "j1,b,0,3,1,,,,,,,"


@pytest.fixture
def table(tmp_path):
    """Writes a table and gives its path."""

    def write(*rows, header=HEADER):
        (tmp_path / "jobs.csv").write_text("\n".join([header, *rows]) + "\n")
        return str(tmp_path / "jobs.csv")

    return write


def test_a_row_is_a_job_and_an_empty_field_says_nothing(table):
    assert load_workload([table(*GOOD)], QUEUE).work == (
        Work(0, 3_000, ev.Submit("j1", "b", {"ml.p5": 1})),
        Work(
            10_000,
            60_500,
            ev.Submit("j2", "a", {"ml.p5": 1, "ml.g5": 2}, 5, 0),
            100_000,
            Checkpoints(30_000, 500, 2_000),
        ),
    )


def test_a_size_may_be_a_unit_and_a_count(table):
    path = table("x,a,0,1,g5,3", header="job,share,submit,runs,unit,count")
    assert load_workload([path], QUEUE).work[0].submit.size == {"ml.g5": 3}


def test_a_parquet_file_is_the_same_table(table, tmp_path):
    pytest.importorskip("pyarrow")
    from pyarrow import csv, parquet

    path = table(*GOOD)
    parquet.write_table(csv.read_csv(path), tmp_path / "jobs.parquet")
    assert load_workload([str(tmp_path / "jobs.parquet")], QUEUE) == load_workload([path], QUEUE)


def test_a_very_small_number_of_a_parquet_file_is_a_number(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    row = {"job": ["x"], "share": ["a"], "submit": [1e-12], "runs": [2.5], "p5": [1.0]}
    parquet.write_table(pyarrow.table(row), tmp_path / "jobs.parquet")
    (found,) = load_workload([str(tmp_path / "jobs.parquet")], QUEUE).work
    assert (found.at, found.runs) == (0, 2500)


@pytest.mark.parametrize(
    ("row", "where", "what"),
    [
        (",a,0,1,1,,,,,,,", "jobs.csv:2, job", "job is empty"),
        ("x,c,0,1,1,,,,,,,", "jobs.csv:2, share", 'there is no share "c"'),
        ("x,a,,1,1,,,,,,,", "jobs.csv:2, submit", "submit is empty"),
        ("x,a,0,-1,1,,,,,,,", "jobs.csv:2, runs", "runs is -1"),
        ("x,a,0,soon,1,,,,,,,", "jobs.csv:2, runs", 'runs is "soon", not a number'),
        ("x,a,0,1,0,,,,,,,", "jobs.csv:2, p5, g5", "the job asks for no machine"),
        ("x,a,0,1,1.5,,,,,,,", "jobs.csv:2, p5", 'p5 is "1.5", not a count'),
        ("x,a,0,1,1,,10000,,,,,", "jobs.csv:2, priority", "priority is 10000"),
        ("x,a,0,1,1,,,-1,,,,", "jobs.csv:2, retries", 'retries is "-1", not a count'),
        ("x,a,9,1,1,,,,8,,,", "jobs.csv:2, deadline", "deadline is 8, before submit"),
        ("x,a,0,1,1,,,,,0,,", "jobs.csv:2, checkpoint_every", "checkpoint_every is 0"),
        ("x,a,0,1,1,,,,,,-3,", "jobs.csv:2, save_cost", "save_cost is -3"),
        ("x,a,0,1,1,,,,,,,\nx,a,0,1,1,,,,,,,", "jobs.csv:3, job", 'the job "x" stands on line 2 already'),
        ("x,a,0,1", "jobs.csv:2", "4 fields under a header of 12"),
    ],
)
def test_a_bad_row_is_one_message_with_its_line(table, row, where, what):
    with pytest.raises(InputError) as error:
        load_workload([table(row)], QUEUE)
    assert (error.value.where, error.value.what) == (where, what)
    assert error.value.why
    assert error.value.fix


@pytest.mark.parametrize(
    ("header", "what"),
    [
        ("job,share,submit,runs,p5,priorty", 'the column "priorty" is no column of this form and no unit of the queue'),
        ("job,share,submit,runs,ml,count", 'the column "ml" is no column of this form and no unit of the queue'),
        ("job,share,submit,runs,unit,priority", "it does not say how many machines a job asks for"),
        ("job,share,submit,runs,p5,count", "it says sizes twice"),
        ("job,share,submit,runs,p5,ml.p5", "the columns p5, ml.p5 are all for ml.p5"),
        ("job,share,submit,runs,p5,p5", 'two columns have the name "p5"'),
    ],
)
def test_a_column_that_means_nothing_or_too_much_is_not_guessed(table, header, what):
    with pytest.raises(InputError) as error:
        load_workload([table("x,a,0,1,1,1", header=header)], QUEUE)
    assert error.value.what.startswith(what)


def test_without_a_queue_nothing_says_what_shares_are(table):
    with pytest.raises(InputError, match="there is no queue for its jobs"):
        load_workload([table(*GOOD)])


@fuzz
@given(
    st.lists(st.sampled_from(["j1", "a", "b", "", "0", "-1", "1e9", "9" * 13, "2", '"', "x\x00", "1.5"]), max_size=14)
)
def test_whatever_stands_in_a_row_it_is_a_job_or_one_message(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("row") / "jobs.csv"
    path.write_text(f"{HEADER}\n{','.join(values)}\n")
    try:
        assert len(load_workload([str(path)], QUEUE).work) <= 1
    except InputError as error:
        assert error.where


def test_the_shipped_example_is_in_order_and_has_the_form_of_the_schema():
    import csv

    loaded = load([str(EXAMPLE / "queue.yaml")], readings=Readings())
    work = load_workload([str(EXAMPLE / "workload.csv")], loaded.config).work
    assert {w.submit.share for w in work} == {"train", "speech", "prod"}
    assert 200 < len(work) < 500
    assert max(w.at for w in work) < 2 * 86_400_000
    validator = jsonschema.Draft202012Validator(json.loads(files(schemas).joinpath("workload.schema.json").read_text()))
    text = {"job", "share", "unit"}
    with (EXAMPLE / "workload.csv").open() as file:
        for row in csv.DictReader(file):
            validator.validate({k: v if k in text else float(v) for k, v in row.items() if v})


def test_the_shipped_example_is_what_its_script_writes():
    import subprocess
    import sys

    made = subprocess.run([sys.executable, str(EXAMPLE / "make.py")], capture_output=True, text=True, check=True)
    assert made.stdout == (EXAMPLE / "workload.csv").read_text()


def seen(*told):
    return History(queue(2, share("a", 2)), lambda: iter(Seen(at, at, what) for at, what in told), end=told[-1][0])


def test_a_history_says_how_long_jobs_worked_and_what_it_does_not_know():
    from quotaproof.spec.formats.workloads.seen import from_history

    told = from_history(
        seen(
            (0, Submitted("done", "a", {"u": 1}, 3, 2)), (5, ev.Dispatch("done")), (8, Reached("done", Stage.RUNNING)),
            (9, Submitted("never", "a", {"u": 1})), (20, Preempting("done")), (23, Preempted("done")),
            (30, ev.Dispatch("done")), (31, Reached("done", Stage.RUNNING)), (71, ev.Finish("done")),
            (72, Submitted("still", "a", {"u": 2})), (72, ev.Dispatch("still")), (73, Reached("still", Stage.RUNNING)),
            (90, ev.Dispatch("unknown")),
        )
    )  # fmt: skip
    assert told.work == (
        Work(
            0, 40, ev.Submit("done", "a", {"u": 1}, 3, 2), was=(Attempt(5, 8, 23, "stopped", 20), Attempt(30, 31, 71))
        ),
        Work(72, 17, ev.Submit("still", "a", {"u": 2}), was=(Attempt(72, 73),), open=True),
    )
    assert [note.split(":")[0] for note in told.notes] == [
        "1 jobs were never seen to run",
        "1 jobs were never seen to be submitted",
        "1 jobs had not ended when the history did",
        "1 jobs ran several times without a checkpoint that is known",
    ]
