"""quotaproof audit on AWS's walkthrough as records: its screen, its forms, its bounds, and what cannot be used."""

from __future__ import annotations

import json
import os
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from quotaproof.checker.judge.judged import Fault, Judged
from quotaproof.spec import schemas
from quotaproof.spec.observations import History

from ..support.documented import lasting
from .conftest import Ran

Command = Callable[..., Ran]
EXAMPLE = Path(__file__).parents[2] / "examples" / "history"
SCREEN = Path(__file__).with_name("audit_history.txt")
HIDDEN = ("qs1_job", "qs2_job", "a0000001-1111", "123456789012", "arn:", "AWSBatch")


@pytest.fixture
def records(here: Path) -> Path:
    """The example's files, in the current folder."""
    shutil.copytree(EXAMPLE, here / "history")
    return here / "history"


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that finds the job's first start broken."""

    def judged(history: History, _readings: object, **_: object) -> Judged:
        number, seen = next((n, s) for n, s in enumerate(history.seen()) if type(s.what).__name__ == "Dispatch")
        return Judged(9, {"G1": 3}, (Fault("G4", number, seen, "QS1 would exceed its limit by 1", "dispatch.limit"),))

    monkeypatch.setattr("quotaproof.checker.judge.engines.judge_both", judged)


def test_the_screen_is_the_one_on_file(quotaproof: Command, records: Path) -> None:
    got = quotaproof("audit", str(records.name))
    assert (got.code, got.err) == (0, "")
    screen = lasting(got.out, "0.0")
    if os.environ.get("REWRITE_GOLDEN"):
        SCREEN.write_text(screen, encoding="ascii")
    assert screen == SCREEN.read_text(encoding="ascii")
    assert max(map(len, screen.splitlines())) <= 100


def test_the_short_verdict_is_whole(quotaproof: Command, records: Path) -> None:
    got = quotaproof("audit", str(records), "--quiet")
    assert got.out == "OK      my-sm-training-qm-jq: 14 rules kept, 3 never came up, 6 cannot be judged.\n"


def test_everything_says_where_limits_are_from_and_what_it_takes_to_see_the_rest(
    quotaproof: Command, records: Path
) -> None:
    said = " ".join(quotaproof("audit", str(records), "--verbose").out.split())
    assert "limits in force: from CloudTrail, 3 changes, all before the first job" in said
    assert said.count("kept as far as it can be seen; strictly it needs:") == 1
    assert "claim kept (G7): which job capacity was claimed for" in said
    for command in (["audit", str(records)], ["why", "qs1_job_med", "--in", str(records)], ["status", str(records)]):
        assert "before the first job" not in quotaproof(*command).out


def test_markdown_says_whether_the_rules_were_kept_and_escapes_no_number(quotaproof: Command, records: Path) -> None:
    text = quotaproof("audit", str(records), "--report", "md").out
    assert "### Did the queue keep the rules?\n\n- **kept** environment respected (G1) 4, " in text
    assert "lost: from 'every job saves every 30 min' to 'none saves'" in text
    assert "| of it stops of borrowers | 10 |" in text  # the stop within QS1 on its own machine is not lending's
    assert "| net (borrowed less that) | 0 |" in text
    assert "\\-" not in text
    assert "|  |\n| QS1" not in text


def test_a_redacted_job_has_one_number_in_audit_and_in_why(quotaproof: Command, records: Path) -> None:
    audited = quotaproof("audit", str(records), "--redact").out
    lines = " ".join(audited.split())
    assert "have no checkpoint setting (job-3, job-1)" in lines  # qs1_job_med, qs1_job_high
    for job, number in (("qs1_job_med", "job-3"), ("qs1_job_high", "job-1")):
        assert quotaproof("why", job, "--in", str(records), "--redact").out.startswith(f"{number} ")


def test_every_form_says_the_same(quotaproof: Command, records: Path, here: Path) -> None:
    forms = ["--report=md=r.md", "--report=sarif=r.sarif", "--report=junit=r.xml", "--report=json=r.json"]
    assert quotaproof("audit", str(records), *forms, "--quiet").code == 0
    document = json.loads((here / "r.json").read_text(encoding="utf-8"))
    schema = json.loads(files(schemas).joinpath("verification.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(schema).validate(document)
    assert (document["command"], document["outcome"], document["audit"]["observed"]["jobs"]) == ("audit", "OK", 4)
    assert (here / "r.md").read_text(encoding="utf-8").startswith("## OK: my-sm-training-qm-jq: ")
    assert json.loads((here / "r.sarif").read_text(encoding="utf-8"))["runs"][0]["results"] == []
    suite = ElementTree.fromstring((here / "r.xml").read_text(encoding="utf-8"))
    assert (suite.get("failures"), suite.get("errors")) == ("0", "0")


def test_strict_asks_for_what_cannot_be_seen(quotaproof: Command, records: Path) -> None:
    got = quotaproof("audit", str(records), "--strict", "--quiet")
    assert got.code == 3
    assert got.out.startswith("UNKNOWN my-sm-training-qm-jq: could not decide ")


@pytest.mark.usefixtures("judge")
def test_a_broken_rule_is_shown_with_its_line_and_its_place(quotaproof: Command, records: Path, here: Path) -> None:
    got = quotaproof("audit", str(records), "--report", "text", "--report=sarif=r.sarif", "--verbose")
    assert got.code == 1
    assert "BROKEN  my-sm-training-qm-jq: 1 rule was broken: G4." in got.out
    assert "      > 2026-11-02 15:0" in got.out
    assert '"detail-type": "Batch Service Job State Change"' in " ".join(got.out.split())
    assert "QS1 submits qs1_job" in got.out
    brief = quotaproof("audit", str(records)).out
    assert "eventbridge.ndjson:" in brief
    assert "detail-type" not in brief
    assert "0 errors, 1 rule broken" in brief
    (result,) = json.loads((here / "r.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    where = result["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"].endswith("history/history/eventbridge.ndjson")


@pytest.mark.usefixtures("judge")
@pytest.mark.parametrize("form", ["text", "json", "md", "sarif", "junit"])
def test_redacted_nothing_names_a_job_or_an_account(quotaproof: Command, records: Path, form: str) -> None:
    got = quotaproof("audit", str(records), "--redact", "--report", form)
    assert got.code == 1
    assert not [secret for secret in HIDDEN if secret in got.out]


def test_a_line_that_is_cut_off_is_named_and_the_rest_is_judged_and_not_called_ok(
    quotaproof: Command, records: Path
) -> None:
    file = records / "history" / "eventbridge.ndjson"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines, lines[-1][:80]]) + "\n", encoding="utf-8")
    got = quotaproof("audit", str(records))
    assert got.code == 3
    assert f"eventbridge.ndjson:{len(lines) + 1}" in got.out
    assert "UNKNOWN my-sm-training-qm-jq: 1 part of the input cannot be used. That is not a yes." in got.out
    assert "0 errors, 1 unreadable line " in got.out
    assert "kept    environment respected (G1) 4, " in got.out


def test_columns_part_at_a_time_in_any_zone(quotaproof: Command, records: Path) -> None:
    for time in ("2026-11-02T15:10", "2026-11-02T15:10:00Z", "2026-11-02T16:10+01:00"):
        got = quotaproof("audit", str(records), "--before", time, "--report", "json")
        periods = json.loads(got.out)["audit"]["periods"]
        assert [p["period"] for p in periods] == ["before", "after"]
        assert periods[1]["start"] == "2026-11-02T15:10:00.000Z"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--since", "yesterday"], "--since: 'yesterday' is not a date or time, such as 2026-07-01 or"),
        (["--before", "2020-01-01"], "--before does not part the time that counts"),
        (["--until", "2020-01-01"], "--since and --until leave nothing"),
        (["--skew", "-1"], "--skew: -1.0 is not a number of seconds, 0 or more"),
        (["--skew", "nan"], "--skew: nan is not a number of seconds, 0 or more"),
        (["--saves-every", "0"], "--saves-every: 0 is not a number of minutes above 0"),
        (["--promises", "nosuch.yaml"], "nosuch.yaml: "),
        (["--queue", "nosuch"], "nosuch"),
    ],
)
def test_what_cannot_be_used_is_one_message(
    quotaproof: Command, records: Path, here: Path, options: list[str], message: str
) -> None:
    got = quotaproof("audit", str(records), *options, "--report", "json=r.json")
    assert (got.code, got.out) == (2, "")
    assert message in got.err
    assert len(got.err.splitlines()) <= 3
    if (here / "r.json").exists():
        assert json.loads((here / "r.json").read_text(encoding="utf-8"))["outcome"] == "UNUSABLE"


def test_a_bar_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from quotaproof.checker.cli.progress import shown
    from quotaproof.spec.observations import Retried, Seen

    seen = [Seen(n, n, Retried("j")) for n in range(5)]
    assert list(shown(0, 5)(iter(seen), "measuring")) == seen
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert list(shown(0, 5)(iter(seen), "measuring")) == seen
    assert "measuring" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["unknown", "empty", "two"])
def test_what_cannot_be_used_is_named_and_never_ok(name: str, quotaproof: Command, here: Path) -> None:
    folder = here / "queue"
    shutil.copytree(EXAMPLE, folder)
    log, dump = folder / "history" / "eventbridge.ndjson", folder / "list-quota-shares.json"
    if name == "unknown":
        log.write_text(log.read_text().replace("Service Job State Change", "Service Job Teleported", 1))
    elif name == "empty":
        (folder / "history" / "more.ndjson.gz").write_bytes(b"")
    else:
        changed = dump.read_text().replace('"maxCapacity": 1', '"maxCapacity": 2', 1)
        (folder / "history" / "list-quota-shares.json").write_text(changed)
    got = quotaproof("audit", str(folder), "--report", "json")
    said = {"unknown": "Teleported", "empty": "it is empty", "two": "two configurations: capacityLimits of share QS1"}
    assert got.code == 3
    assert [r for r in json.loads(got.out)["results"] if r["code"] == "INPUT" and said[name] in json.dumps(r)]


def test_a_sentence_that_ends_with_a_mark_of_its_own_gets_no_second_one(quotaproof: Command, tmp_path: Path) -> None:
    trace = (EXAMPLE.parent / "trace" / "walkthrough.ndjson").read_text(encoding="utf-8")
    path = tmp_path / "t.ndjson"
    path.write_text(trace + '{"at":17000,"shares":"QS1"}\n', encoding="utf-8")
    got = quotaproof("audit", str(path)).out
    assert "did you mean share?" in got and "?." not in got
