"""`quotaproof simulate` from the command line: columns, reports, figures, and what it says of bad input."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from ..support.drawn import data_of
from .conftest import Ran

Command = Callable[..., Ran]
EXAMPLES = Path(__file__).parents[2] / "examples"
JOBS = """job_id,team,gpus,submit_s,duration_s
burst1,vision,1,0,3600
burst2,vision,1,0,3600
burst3,vision,1,0,3600
own1,speech,1,600,1800
own2,speech,1,700,1800
large,speech,4,800,60
"""
TEAMS = {"capacity_gpus": 4, "teams": [
    {"team": "vision", "quota_gpus": 2, "lend_limit_gpus": 2, "borrow_limit_gpus": 2},
    {"team": "speech", "quota_gpus": 2, "lend_limit_gpus": 2},
]}  # fmt: skip
QUEUE = """quotaproof: 1
queue: {name}
environment: {{ml.g5.xlarge: {n}}}
shares:
  - {{name: vision, limits: {{ml.g5.xlarge: {own}}}, strategy: LEND}}
  - {{name: speech, limits: {{ml.g5.xlarge: {own}}}, strategy: LEND}}
"""


@pytest.fixture
def jobs(here: Path) -> str:
    (here / "jobs.csv").write_text(JOBS, encoding="utf-8")
    (here / "jobs.config.json").write_text(json.dumps(TEAMS), encoding="utf-8")
    return "jobs.csv"


def test_a_workload_is_compared_under_policies(quotaproof: Command, jobs: str) -> None:
    ran = quotaproof("simulate", "--workload", jobs)
    assert (ran.code, ran.err) == (0, "")
    assert all(len(line) <= 100 and line.isascii() for line in ran.out.splitlines())
    heads = re.search(r"^ +lend-borrow +static +pool +pool-backfill$", ran.out, re.MULTILINE)
    assert heads, ran.out
    assert "5 jobs of 2 shares" in ran.out
    assert re.search(r"1 job of speech \(large\): lend-borrow, static: MISCONFIGURATION", " ".join(ran.out.split()))
    # own1 fits; own2 waits for a drain of 2 min. Alone vision's third waits for an hour.
    assert re.search(r"^wait, mean +24 s +12m00 +5m40 +5m40$", ran.out, re.MULTILINE), ran.out
    assert re.search(r"^stops +1 +0 +0 +0$", ran.out, re.MULTILINE)
    assert re.search(r"^lost work +0\.2 +0 +0 +0$", ran.out, re.MULTILINE)
    assert "Worth" in ran.out


def test_quiet_tells_only_of_all_shares_together(quotaproof: Command, jobs: str) -> None:
    ran = quotaproof("simulate", "--workload", jobs, "--policy", "pool", "--quiet")
    assert ran.code == 0
    assert "vision" not in ran.out
    assert "wait, mean" in ran.out


def test_every_report_says_the_same(quotaproof: Command, jobs: str, here: Path) -> None:
    import jsonschema

    reports = ("json=s.json", "md=s.md", "html=s.html")
    ran = quotaproof("simulate", "--workload", jobs, "--policy", "lend-borrow", "--policy", "static",
                     *(a for r in reports for a in ("--report", r)), "--report", "text")  # fmt: skip
    assert ran.code == 0, ran.err
    said = json.loads((here / "s.json").read_text())
    schema = json.loads(files("quotaproof.spec.schemas").joinpath("simulation.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(said)
    assert (said["compared"], said["settings"]["drain"]) == (5, "2min")
    lend, static = said["columns"]
    assert (lend["runs"][0]["waits"]["mean"], static["runs"][0]["waits"]["mean"]) == (24.0, 720.0)
    assert sum(lend["runs"][0]["waits"]["bins"]) == 5
    page = (here / "s.html").read_text()
    assert page.count("<svg") == 3
    assert [len(drawn["jobs"]["submitted"]) for drawn in data_of(page)["timelines"]] == [5, 5]
    assert "http-equiv" in page
    assert "| wait, mean | 24 s | 12m00 |" in (here / "s.md").read_text()


def test_queues_are_compared_as_columns(quotaproof: Command, jobs: str, here: Path) -> None:
    for name, own in (("now", 2), ("more", 3)):
        (here / f"{name}.yaml").write_text(QUEUE.format(name=name, n=2 * own, own=own), encoding="utf-8")
    ran = quotaproof("simulate", "now.yaml", "more.yaml", "--workload", jobs, "--policy", "lend-borrow")
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^ +now +more$", ran.out, re.MULTILINE), ran.out
    assert re.search(r"^wait, mean +12m00 +0 s$", ran.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "drain 2min; no job saves its work; save cost 0s; restart cost 0s"),
        (["--saves-every", "5min"], "drain 2min; work between checkpoints: 5min; save cost 0s; restart cost 0s"),
        (["--saves-every", "vision=1min"], "work between checkpoints: vision 1min, others never; save cost 0s"),
        (
            ["--saves-every", "5min", "--saves-every", "vision=1min"],
            "work between checkpoints: 5min, vision 1min; save",
        ),
    ],
)
def test_a_job_without_checkpoints_is_said_to_save_nothing(
    quotaproof: Command, jobs: str, options: list[str], said: str
) -> None:
    ran = quotaproof("simulate", "--workload", jobs, "--policy", "static", *options)
    assert said in " ".join(ran.out.split())


def test_the_screen_has_its_text_also_where_a_report_goes_to_a_file(quotaproof: Command, jobs: str, here: Path) -> None:
    run = ("simulate", "--workload", jobs, "--policy", "static", "--quiet")
    alone, beside = quotaproof(*run), quotaproof(*run, "--report", "json=r.json", "--report", "html=r.html")
    assert beside == alone
    assert alone.out
    assert json.loads((here / "r.json").read_text("utf-8"))["command"] == "simulate"


def test_durations_capacity_and_the_time_that_counts_are_taken(quotaproof: Command, jobs: str) -> None:
    ran = quotaproof(
        "simulate", "--workload", jobs, "--policy", "lend-borrow", "--saves-every", "5min", "--saves-every", "vision=1min",
        "--save-cost", "1s", "--restart-cost", "2s", "--drain", "30s", "--since", "5min", "--report", "json",
    )  # fmt: skip
    said = json.loads(ran.out)
    assert said["settings"] == {
        "drain": "30s",
        "saves every": "5min, vision 1min",
        "save cost": "1s",
        "restart cost": "2s",
    }
    assert (said["jobs"], said["compared"]) == (3, 2)
    work = said["columns"][0]["runs"][0]["work"]
    assert (work["lost"] > 0, work["restarting"]) == (True, pytest.approx(2 / 3600, abs=1e-6))
    half = quotaproof("simulate", "--workload", jobs, "--policy", "static", "--capacity", "50%")
    assert "50 % of the machines (2 of 4 gpu)" in " ".join(half.out.split())
    assert "WARNING" in half.out


def test_redact_hides_names_of_jobs(quotaproof: Command, jobs: str) -> None:
    ran = quotaproof("simulate", "--workload", jobs, "--redact", "--report", "json")
    assert ran.code == 0
    assert not re.search(r'burst|own1|"large"', ran.out)
    assert '"job-6"' in ran.out


def test_redact_hides_names_of_jobs_also_in_what_is_wrong_with_the_file(
    quotaproof: Command, jobs: str, here: Path
) -> None:
    secret = "secret-" + "x" * 90
    for row, said in (
        (f"{secret},vision,1,0,9", 'jobs.csv:9, job_id: the job "job-1" stands on line 8 already'),
        ("other,vision,own1,0,9", 'jobs.csv:9, gpus: gpus is "job-1", not a number'),
    ):
        (here / "jobs.csv").write_text(f"{JOBS}{secret},vision,1,0,9\n{row}\n", encoding="utf-8")
        told, open_ = (quotaproof("simulate", "--workload", jobs, *more) for more in (["--redact"], []))
        assert (told.code, open_.code) == (2, 2)
        assert re.sub(r"job-[0-9]+", "job-1", told.err).startswith(said), told.err
        assert ("secret-x" in open_.err or "own1" in open_.err, "secret" in told.err, "own1" in told.err) == (
            True, False, False,
        )  # fmt: skip


def test_redact_hides_also_what_stands_where_a_header_should(quotaproof: Command, jobs: str, here: Path) -> None:
    (here / jobs).write_text("secret,vision,1,0,9\n", encoding="utf-8")
    told = quotaproof("simulate", "--workload", jobs, "--redact")
    assert (told.code, "secret" in told.err, "its first line is no known header" in told.err) == (2, False, True)


def test_the_configuration_of_a_trace_is_a_queue_like_any_other(quotaproof: Command, jobs: str, here: Path) -> None:
    beside = quotaproof("simulate", "--workload", jobs, "--report", "json")
    given = quotaproof("simulate", "jobs.config.json", "--workload", jobs, "--report", "json")
    assert (given.code, given.err) == (0, "")
    assert given.out == beside.out
    half = TEAMS | {"capacity_gpus": 2, "teams": [team | {"quota_gpus": 1} for team in TEAMS["teams"]]}
    (here / "half.config.json").write_text(json.dumps(half), encoding="utf-8")
    both = quotaproof("simulate", "half.config.json", "jobs.config.json", "--workload", jobs, "--policy", "static")
    assert both.code == 0
    assert re.search(r"^ +half +jobs$", both.out, re.MULTILINE), both.out


def test_what_a_history_saw_stands_beside_what_policies_make_of_its_jobs(quotaproof: Command) -> None:
    ran = quotaproof("simulate", "--workload", str(EXAMPLES / "history"), "--report", "json")
    assert (ran.code, ran.err) == (0, "")
    said = json.loads(ran.out)
    runs = {column["policy"]: column["runs"][0] for column in said["columns"]}
    assert list(runs) == ["lend-borrow", "static", "pool", "pool-backfill", "as-it-was"]
    assert (runs["as-it-was"]["jobs"], runs["as-it-was"]["stops"]) == (4, 2)
    assert (runs["lend-borrow"]["completed"], runs["lend-borrow"]["unended"]) == (0, 4)
    alone = quotaproof("simulate", "--workload", str(EXAMPLES / "history"), "--policy", "as-it-was", "--quiet")
    assert re.search(r"^stops +2$", alone.out, re.MULTILINE), alone.out


def test_a_parquet_file_is_told_of_as_the_same_table(quotaproof: Command, here: Path) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import csv, parquet

    example = EXAMPLES / "simulate"
    parquet.write_table(csv.read_csv(example / "workload.csv"), here / "workload.parquet")
    names = str(example / "workload.csv"), "workload.parquet"
    asked = [
        [str(example / "queue.yaml"), "--workload", name, "--policy", "static", "--report", "json"] for name in names
    ]
    table, same = (quotaproof("simulate", *arguments) for arguments in asked)
    assert (same.code, same.err) == (0, "")
    assert json.loads(same.out) == json.loads(table.out) | {"workload": "workload.parquet"}
    (here / "broken.parquet").write_bytes((here / "workload.parquet").read_bytes()[:200])
    broken = quotaproof("simulate", str(example / "queue.yaml"), "--workload", "broken.parquet")
    assert (broken.code, broken.out) == (2, "")
    assert broken.err.startswith("broken.parquet: cannot be read as Parquet"), broken.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "name the jobs with --workload FILE"),
        (["--workload", "jobs.csv", "--policy", "pools"], "there is no policy 'pools'; did you mean pool?"),
        (["--workload", "jobs.csv", "--drain", "2"], "--drain: '2' is not a length of time, such as 90s"),
        (["--workload", "jobs.csv", "--save-cost", "a=x"], "--save-cost: 'x' is not a length of time"),
        (["--workload", "jobs.csv", "--saves-every", "0s"], "--saves-every: no job saves all the time"),
        (
            ["--workload", "jobs.csv", "--save-cost", "1s", "--save-cost", "2s"],
            "--save-cost: given twice for every share",
        ),
        (["--workload", "jobs.csv", "--capacity", "0%"], "--capacity: '0%' is not a percentage such as 85%"),
        (["--workload", "jobs.csv", "--since", "2026-01-01"], "these jobs have no dates"),
        (["--workload", "jobs.csv", "--since", "9d"], "no job arrives in the time that counts"),
        (
            ["--workload", "jobs.csv", "--report", "sarif"],
            "there is no form 'sarif' here; choose text, md, json or html",
        ),
        (["--workload", "none.csv"], "none.csv"),
        (["--workload", "jobs.csv", "--policy", "as-it-was"], "the source does not say when it ran"),
        (["jobs.csv", "--workload", "jobs.csv"], "jobs.csv"),
    ],
)
def test_bad_input_is_one_message_and_exit_2(quotaproof: Command, jobs: str, arguments: list[str], said: str) -> None:
    ran = quotaproof("simulate", *arguments)
    assert (ran.code, ran.out) == (2, ""), jobs
    assert said in " ".join(ran.err.split())
    assert "Traceback" not in ran.err


def test_one_figure_goes_to_a_file(quotaproof: Command, jobs: str, here: Path) -> None:
    ran = quotaproof("simulate", "--workload", jobs, "--policy", "lend-borrow", "--plot", "all.svg")
    assert (ran.code, ran.err) == (0, "")
    drawn = (here / "all.svg").read_text()
    for text in ("How long jobs waited", "Machines in use", "What stops cost", "capacity", "jobs.csv: 5 jobs"):
        assert f">{text}</text>" in drawn, text


def test_figures_go_to_a_folder(quotaproof: Command, jobs: str, here: Path) -> None:
    ran = quotaproof("simulate", "--workload", jobs, "--policy", "lend-borrow", "--plot", "figures")
    assert ran.code == 0
    names = ("waiting", "shares", "lost", "usage-lend-borrow")
    assert {p.name for p in (here / "figures").iterdir()} == {f"{n}{s}" for n in names for s in (".png", ".svg")}


def test_without_matplotlib_figures_cannot_be_had_and_the_rest_can(
    quotaproof: Command, jobs: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = quotaproof("simulate", "--workload", jobs, "--policy", "pool", "--plot", "x.png")
    assert (ran.code, 'pip install "quotaproof[plot]"' in ran.err) == (2, True)
    ran = quotaproof("simulate", "--workload", jobs, "--policy", "pool", "--report", "html=s.html")
    assert ran.code == 0
    assert "No figures: matplotlib is not installed" in (here / "s.html").read_text()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--report", "json=jobs.csv"], "--report: jobs.csv is a file that is read; give the report another one"),
        (["--report", "md=jobs.config.json"], "--report: jobs.config.json is a file that is read"),
        (["--report", "md=a", "--report", "json=./a"], "--report: a is named twice"),
        (["--plot", "jobs.svg"], "--plot: jobs.svg is a file that is read; give the figure another one"),
        (["--plot", "x.svg", "--report", "md=x.svg"], "--plot: x.svg is the file of a report as well"),
        (["--plot", "figs.pdf"], "--plot: no figure can be written as .pdf; name figs.png, figs.svg or a folder"),
        (["--save-cost", "visoin=1s"], "--save-cost: there is no share visoin; did you mean vision?"),
        (["--saves-every", "zzz=1s"], "--saves-every: there is no share zzz. The shares are vision, speech"),
    ],
)
def test_what_would_replace_a_file_or_means_nothing_is_refused_before_anything_runs(
    quotaproof: Command, jobs: str, here: Path, arguments: list[str], said: str
) -> None:
    (here / "jobs.svg").symlink_to("jobs.csv")
    before = {p.name: p.read_bytes() for p in here.iterdir()}
    ran = quotaproof("simulate", "--workload", jobs, *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())
    assert {p.name: p.read_bytes() for p in here.iterdir()} == before


def test_a_cost_of_saving_without_any_saving_is_said(quotaproof: Command, jobs: str) -> None:
    ran = quotaproof(
        "simulate", "--workload", jobs, "--policy", "pool", "--save-cost", "1s", "--saves-every", "vision=9s"
    )
    assert "WARNING no job of speech saves: --save-cost and --restart-cost cost it nothing" in " ".join(ran.out.split())
    ran = quotaproof("simulate", "--workload", jobs, "--policy", "pool", "--save-cost", "1s", "--saves-every", "9s")
    assert "saves: --save-cost" not in ran.out
