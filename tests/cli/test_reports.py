"""--report, --fail-on and --redact, as verify and replay share them."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from quotaproof.checker.results import Finding, Severity, Waiver

from .conftest import BROKEN, HOLDS, LIMIT, Ran, written

Command = Callable[..., Ran]
Prover = Callable[..., list[dict[str, object]]]
WAIVER = Waiver("the new rack comes in January", "2027-01-31", "waivers.yaml:4")
WARNING = Finding("QP110", Severity.WARNING, "25 % of 3 is less than one")
ACCOUNT, ARN = "123456789012", "arn:aws:batch:us-east-1:123456789012:job-queue/gpu"


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replace the catalogue of findings by given ones."""

    def given(*findings: Finding) -> None:
        monkeypatch.setattr("quotaproof.checker.findings.catalogue.findings", lambda *_, **__: findings)

    return given


def scenario(folder: Path, *steps: dict[str, Any], **more: Any) -> str:
    shares = [{"name": "a", "limits": {"u": 2}, "strategy": "LEND"}]
    form = {
        "scenario": 1,
        "name": f"a scenario of {ACCOUNT}",
        "about": f"zq-job waits for {ARN}.",
        "queue": {"quotaproof": 1, "queue": "q", "environment": {"u": 2}, "shares": shares},
        "steps": [{"submit": "zq-job", "share": "a", "size": {"u": 1}}, *steps],
        **more,
    }
    path = folder / "scenario.json"
    path.write_text(json.dumps(form), encoding="utf-8")
    return str(path)


def test_one_run_writes_every_form(quotaproof: Command, prover: Prover, here: Path) -> None:
    prover(HOLDS)
    queue = written(here / "q", 3, a=2, b=2)
    files = ["--report=md=r.md", "--report=sarif=r.sarif", "--report=junit=r.xml", "--report=json=r.json"]
    got = quotaproof("verify", queue, *files, "--report", "text")
    assert (got.code, got.err) == (1, "")
    assert got.out.startswith("read ")
    assert (here / "r.md").read_text(encoding="utf-8").startswith("## BROKEN: gpu: 2 of 2 shares cannot count")
    log = json.loads((here / "r.sarif").read_text(encoding="utf-8"))
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location == {"artifactLocation": {"uri": "q/quotaShares.json"}, "region": {"startLine": 1}}
    assert ElementTree.fromstring((here / "r.xml").read_text(encoding="utf-8")).get("failures") == "1"
    assert json.loads((here / "r.json").read_text(encoding="utf-8"))["exit_code"] == 1


def test_replay_takes_the_same_reports(quotaproof: Command, here: Path) -> None:
    path = scenario(here, {"expect": {"dispatched": ["zq-job"]}})
    got = quotaproof("replay", path, "--report=junit=r.xml", "--report=sarif=r.sarif", "--report", "json")
    assert (got.code, got.err) == (1, "")
    document = json.loads(got.out)
    assert (document["command"], document["outcome"]) == ("replay", "BROKEN")
    assert [(r["code"], r["class"]) for r in document["results"]] == [("KEPT", "passed"), ("EXPECT", "failed")]
    assert [s["what"] for s in document["steps"]] == [
        "a submits zq-job: 1 u",
        "expect: dispatched should be zq-job, is nobody",
    ]
    assert ElementTree.fromstring((here / "r.xml").read_text(encoding="utf-8")).get("failures") == "1"


@pytest.mark.parametrize(
    ("command", "options", "message"),
    [
        ("verify", ["--report", "md", "--report", "junit"], "only one report can go to the screen"),
        ("replay", ["--report", "md", "--report", "junit"], "only one report can go to the screen"),
        ("replay", ["--report", "md=r", "--report", "json=./r"], "--report: r is named twice"),
        ("replay", ["--report", "md=scenario.json"], "--report: scenario.json is a file that is read"),
        (
            "replay",
            ["--report", "pdf"],
            "--report: there is no form 'pdf'; choose text, json, md, sarif, junit, html or badge",
        ),
        ("replay", ["--report", "md=no/such/r"], "no/such/r: cannot be written: No such file or directory"),
        ("replay", ["--fail-on", "notes"], "--fail-on: there is no level 'notes'; choose error, warning or never"),
    ],
)
def test_what_cannot_be_reported_is_one_message(
    quotaproof: Command, here: Path, command: str, options: list[str], message: str
) -> None:
    got = quotaproof(command, scenario(here), *options)
    assert (got.code, bool(got.out)) == (2, "cannot be written" in message)
    assert message in got.err
    assert len(got.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("level", "code", "said"),
    [("error", 0, 0), ("warning", 1, 1), ("never", 0, 0)],
)
def test_a_warning_fails_where_it_is_asked_to(
    quotaproof: Command, prover: Prover, found: Callable[..., None], here: Path, level: str, code: int, said: int
) -> None:
    prover(HOLDS)
    found(WARNING)
    got = quotaproof("verify", written(here / "q", 3, a=1), "--fail-on", level)
    assert got.code == code
    assert got.out.count("\n        The exit code is 1 because of --fail-on warning.\n") == said
    assert got.out.rstrip().endswith(f"exit {code}")


def test_never_hides_no_verdict_and_nothing_undecided(quotaproof: Command, prover: Prover, here: Path) -> None:
    queue = written(here / "q", 3, a=1)
    prover(BROKEN)
    got = quotaproof("verify", queue, "--fail-on", "never")
    assert got.code == 0
    assert "\nBROKEN  gpu: G14 is broken.\n" in got.out
    assert "        Without --fail-on never the exit code would be 1.\n" in got.out
    prover(LIMIT)
    assert quotaproof("verify", queue, "--fail-on", "never").code == 3
    assert quotaproof("verify", "nosuch", "--fail-on", "never").code == 2
    path = scenario(here, {"expect": {"dispatched": ["zq-job"]}})
    assert quotaproof("replay", path, "--fail-on", "never").code == 0


def test_everything_accepted_is_waived_with_its_date(
    quotaproof: Command, prover: Prover, found: Callable[..., None], here: Path
) -> None:
    prover(replace(BROKEN, waiver=WAIVER))
    found(replace(WARNING, severity=Severity.ERROR, waiver=WAIVER))
    got = quotaproof("verify", written(here / "q", 3, a=1))
    assert got.code == 0
    assert "\nWAIVED  gpu: G14 is broken; accepted until 2027-01-31.\n" in got.out
    assert got.out.count("accepted until 2027-01-31: the new rack comes in January (waivers.yaml:4)") == 2
    assert "keeps what it was given" not in got.out


def test_a_play_that_cannot_go_on_is_unusable_in_every_report(quotaproof: Command, here: Path) -> None:
    path = scenario(here, {"dispatch": "nobody"})
    got = quotaproof("replay", path, "--report=sarif=r.sarif", "--report=junit=r.xml", "--report=json=r.json")
    assert got.code == 2
    assert got.out.rstrip().endswith("exit 2")
    assert "the scenario cannot be played to its end" in got.err
    log = json.loads((here / "r.sarif").read_text(encoding="utf-8"))
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is False
    assert ElementTree.fromstring((here / "r.xml").read_text(encoding="utf-8")).get("errors") == "1"
    assert json.loads((here / "r.json").read_text(encoding="utf-8"))["outcome"] == "UNUSABLE"


@pytest.mark.parametrize("name", ["promises.yaml", "other.json", "broken.yaml", "link.json", "quotaShares.json"])
def test_no_report_replaces_a_file_of_a_folder_that_is_read(
    quotaproof: Command, prover: Prover, here: Path, name: str
) -> None:
    prover(HOLDS)
    written(here / "q", 3, a=1)
    (here / "q" / "promises.yaml").write_text("promises: []\n", encoding="utf-8")
    (here / "q" / "other.json").write_text('{"jobQueue": "x"}', encoding="utf-8")
    (here / "q" / "link.json").symlink_to("other.json")
    if name == "broken.yaml":
        (here / "q" / name).write_text("a: [", encoding="utf-8")
    before = (here / "q" / name).read_bytes()
    got = quotaproof("verify", "q", f"--report=json=q/{name}", "--report=md=other.md")
    assert (got.code, got.out) == (2, "")
    assert got.err == f"--report: q/{name} is a file that is read; give the report another one\n"
    assert (here / "q" / name).read_bytes() == before
    assert not (here / "other.md").exists()


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_a_report_in_the_folder_that_is_read_is_renewed(
    quotaproof: Command, prover: Prover, here: Path, form: str
) -> None:
    prover(HOLDS)
    written(here / "q", 3, a=1)
    for _ in range(2):
        got = quotaproof("verify", "q", f"--report={form}=q/r.json", "--report", "text")
        assert (got.code, got.err) == (0, "")
    assert "r.json" in got.out


def test_no_scenario_replaces_a_file_that_was_read_but_an_older_scenario(
    quotaproof: Command, prover: Prover, here: Path
) -> None:
    prover(HOLDS)
    written(here / "q", 3, a=2, b=2)
    for _ in range(2):
        got = quotaproof("verify", "q", "--out", "q")
        assert (got.code, got.err) == (1, "")
    (scenario_file,) = (here / "q").glob("QP*.json")
    request = '{"jobQueue": "x"}'
    scenario_file.write_text(request, encoding="utf-8")
    got = quotaproof("verify", "q", "--out", "q")
    assert got.err.startswith(f"scenarios are not written: q/{scenario_file.name} is a file that was read.")
    assert scenario_file.read_text(encoding="utf-8") == request


def test_redact_leaves_no_secret_on_screen_in_reports_or_in_messages(quotaproof: Command, here: Path) -> None:
    folder = here / f"of-{ACCOUNT}"
    folder.mkdir()
    path = scenario(folder, {"expect": {"dispatched": ["zq-job"]}})
    reports = [f"--report={form}=r.{form}" for form in ("json", "md", "sarif", "junit")]
    got = quotaproof("replay", path, "--redact", *reports)
    assert got.code == 1
    written_texts = [(here / f"r.{form}").read_text(encoding="utf-8") for form in ("json", "md", "sarif", "junit")]
    for text in (got.out, *written_texts):
        assert not [secret for secret in (ACCOUNT, "arn:", "zq-job") if secret in text]
    assert "job-1 waits for arn-1." in got.out
    lost = quotaproof("replay", f"of-{ACCOUNT}/nosuch.json", "--redact")
    assert lost.code == 2
    assert lost.err.startswith("of-account-1/nosuch.json: there is no such file")
    stopped = quotaproof("replay", scenario(folder, {"dispatch": ARN}), "--redact")
    assert stopped.code == 2
    assert not [secret for secret in (ACCOUNT, "arn:") if secret in stopped.err]


def test_redact_hides_jobs_in_names_of_files_also_of_those_left_out_and_in_complaints(
    quotaproof: Command, prover: Prover, here: Path
) -> None:
    prover(HOLDS)
    written(here / "q", 3, a=1)
    request = {"jobName": "zq-job", "jobQueue": "other", "quotaShareName": "a", "serviceRequestPayload": "{"}
    for name in ("05_submit_zq-job_high.json", "zq-job.json"):
        (here / "q" / name).write_text(json.dumps(request), encoding="utf-8")
    forms = ("json", "md", "sarif", "junit")
    got = quotaproof("verify", "q", "--redact", "--verbose", *(f"--report={form}=r.{form}" for form in forms))
    assert got.code == 0
    for text in (got.out, *((here / f"r.{form}").read_text(encoding="utf-8") for form in forms)):
        assert "zq-job" not in text
    assert "05_submit_job-1_high.json" in got.out
    (here / "q" / "zz_zq-job.json").write_text("{", encoding="utf-8")
    got = quotaproof("verify", "q", "--redact", "--report=json=r.json")
    assert got.err.startswith("zz_job-1.json:1: not valid JSON")
    assert "zz_job-1.json:1" in json.loads((here / "r.json").read_text(encoding="utf-8"))["unusable"]


def test_redact_takes_account_numbers_out_of_witnesses(quotaproof: Command, prover: Prover, here: Path) -> None:
    prover(HOLDS)
    written(here / "q", 3, **{f"a-{ACCOUNT}": 2, "b": 2})
    got = quotaproof("verify", "q", "--redact")
    assert got.code == 1
    (witness,) = (here / "quotaproof-out").iterdir()
    assert ACCOUNT not in got.out + witness.name + witness.read_text(encoding="utf-8")
    assert f"quotaproof replay quotaproof-out/{witness.name}" in got.out
    assert quotaproof("replay", str(witness)).code == 1


def test_redact_also_holds_for_a_crash(quotaproof: Command, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise KeyError(ARN)

    monkeypatch.setattr("quotaproof.checker.replay.replay", fails)
    folder = here / ACCOUNT
    folder.mkdir()
    assert quotaproof("replay", scenario(folder), "--redact").code == 70
    (report,) = here.glob("quotaproof-crash-*.txt")
    text = report.read_text(encoding="utf-8")
    assert "KeyError: 'arn-1'" in text
    assert not [secret for secret in (ACCOUNT, "arn:") if secret in text]


def test_a_text_report_loads_no_xml_library(here: Path) -> None:
    code = (
        "import sys; from quotaproof.checker.cli import run; run(sys.argv[1:]);"
        "sys.exit(f'loaded {loaded}' if (loaded := {'junitparser', 'xml'} & set(sys.modules)) else 0)"
    )
    arguments = [sys.executable, "-c", code, "replay", scenario(here)]
    got = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert (got.returncode, got.stderr) == (0, "")


def test_unusable_input_leaves_no_old_report_behind(quotaproof: Command, here: Path) -> None:
    import jsonschema

    for name in ("o.json", "o.sarif", "o.xml", "o.md", "o.txt"):
        (here / name).write_text("STALE", encoding="utf-8")
    forms = ("json=o.json", "sarif=o.sarif", "junit=o.xml", "md=o.md", "text=o.txt")
    ran = quotaproof("verify", f"no-{ACCOUNT}.yaml", "--redact", *(f"--report={form}" for form in forms))
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("no-account-1.yaml: there is no such file or folder\n")
    document = json.loads((here / "o.json").read_text(encoding="utf-8"))
    schema = Path(__file__).parents[2] / "spec" / "schemas" / "verification.schema.json"
    jsonschema.Draft202012Validator(json.loads(schema.read_text(encoding="utf-8"))).validate(document)
    assert (document["outcome"], document["exit_code"]) == ("UNUSABLE", 2)
    run = json.loads((here / "o.sarif").read_text(encoding="utf-8"))["runs"][0]
    assert (run["invocations"][0]["executionSuccessful"], run["results"]) == (False, [])
    suite = ElementTree.fromstring((here / "o.xml").read_text(encoding="utf-8"))
    assert [e.tag for e in suite.iter() if e.tag in ("error", "failure")] == ["error"]
    for name in ("o.json", "o.sarif", "o.xml", "o.md", "o.txt"):
        text = (here / name).read_text(encoding="utf-8")
        assert "there is no such file" in text
        assert ACCOUNT not in text


def test_a_report_that_cannot_be_written_does_not_cost_the_verdict(
    quotaproof: Command, prover: Prover, here: Path
) -> None:
    prover(HOLDS)
    ran = quotaproof("verify", written(here / "q", 4, a=4), "--report", "json=no/o.json", "--report", "md=o.md")
    assert ran.code == 2
    assert ran.out.startswith("read ")
    assert "OK " in ran.out
    assert ran.err == "no/o.json: cannot be written: No such file or directory\n"
    assert (here / "o.md").is_file()


def test_a_full_standard_output_is_one_message() -> None:
    script = Path(sys.executable).with_name("quotaproof")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([script, "explain", "G14"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "standard output cannot be written: No space left on device\n")


def test_broken_guarantees_stand_at_their_limits(quotaproof: Command, here: Path) -> None:
    text = "quotaproof: 1\nqueue: q\nenvironment: {u: 4}\nshares:\n"
    text += "".join(f"- {{name: {n}, limits: {{u: 3}}, strategy: LEND}}\n" for n in "ab")
    (here / "q.yaml").write_text(text, encoding="utf-8")
    ran = quotaproof("verify", "q.yaml", "--report", "json")
    document = json.loads(ran.out)
    assert [(r["subject"], r["place"]) for r in document["results"] if r["class"] == "failed"] == [
        ("a, u", "q.yaml:5"),
        ("b, u", "q.yaml:6"),
    ]
    assert document["counts"]["failed"] == 3
    assert "1 error, 2 checks broken " in quotaproof("verify", "q.yaml").out


def test_a_full_screen_or_folder_leaves_no_old_report_behind(here: Path) -> None:
    script = Path(sys.executable).with_name("quotaproof")
    text = "quotaproof: 1\nqueue: q\nenvironment: {u: 4}\nshares:\n- {name: a, limits: {u: 4}, strategy: LEND}\n"
    (here / "q.yaml").write_text(text, encoding="utf-8")
    for options, outcome in (((), "OK"), (("--emit-smtlib", "q.yaml/x"), "UNUSABLE")):
        (here / "r.json").write_text('{"outcome": "STALE"}', encoding="utf-8")
        with Path("/dev/full").open("w") as full:
            command = [script, "verify", "q.yaml", "--report", "json=r.json", *options]
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, cwd=here, check=False)
        assert done.returncode == 2
        assert json.loads((here / "r.json").read_text(encoding="utf-8"))["outcome"] == outcome


def test_a_report_replaces_no_input_by_another_of_its_names(quotaproof: Command, prover: Prover, here: Path) -> None:
    prover(HOLDS)
    folder = Path(written(here / "q", 4, a=4))
    given = (folder / "quotaShares.json").read_text(encoding="utf-8")
    (here / "hard.json").hardlink_to(folder / "quotaShares.json")
    (here / "soft.json").symlink_to(folder / "quotaShares.json")
    for name in ("hard.json", "soft.json"):
        got = quotaproof("verify", str(folder), "--report", f"json={name}")
        assert (got.code, "is a file that is read" in got.err) == (2, True)
    assert (folder / "quotaShares.json").read_text(encoding="utf-8") == given


def test_redact_hides_the_job_of_a_later_file_in_the_name_of_one_that_cannot_be_read(
    quotaproof: Command, here: Path
) -> None:
    (here / "secret-train.yaml").write_text("quotaproof: 1\n", encoding="utf-8")
    job = {"jobName": "secret-train", "jobQueue": "q", "quotaShareName": "a", "serviceRequestPayload": "{}"}
    (here / "z.json").write_text(json.dumps(job), encoding="utf-8")
    got = quotaproof("verify", "secret-train.yaml", "z.json", "--redact", "--report", "json=r.json")
    assert got.code == 2
    assert "secret-train" not in got.err + (here / "r.json").read_text(encoding="utf-8")
    assert got.err.startswith("job-1.yaml:1")
