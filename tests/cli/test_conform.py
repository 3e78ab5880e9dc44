"""`conform`: a scheduler that obeys and some that do not, on the screen and in every form, with exit codes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from junitparser import JUnitXml
from quotaproof.checker.cli.conform import duration
from quotaproof.checker.cli.options import FORMS
from quotaproof.checker.cli.output import Unusable
from quotaproof.checker.conform.corpus import corpus
from quotaproof.spec import schemas

from ..support.documented import lasting
from .conftest import Ran

Command = Callable[..., Ran]
WRONG = "tests.support.named:never_reclaims"
FEW = 12
"""Scenarios of the corpus in most of these tests."""


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A corpus of a few."""
    some = corpus()[:FEW]
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: some)


def said(screen: str) -> str:
    """The screen without what differs from run to run."""
    return re.sub(r"[0-9,]+ (scenarios/s|events/s)", r"N \1", lasting(screen, "T.T"))


def test_the_reference_conforms(quotaproof: Command) -> None:
    got = quotaproof("conform", "reference", "--examples", "40", "--executor", "local", "--seed", "5")
    assert (got.code, got.err) == (0, "")
    lines = said(got.out).splitlines()
    assert " ".join(" ".join(lines[:2]).split()).startswith(
        "OK reference: CONFORMANT (aws-batch): 22 guarantees came up and were kept each time, 1 never came up."
    )
    assert lines[2:5] == [
        "        reference, profile aws-batch",
        "        core features 13 of 13",
        "        extended features 11 of 11",
    ]
    assert f"        corpus: {len(corpus())} scenarios: {len(corpus())} passed. N scenarios/s, N events/s" in lines
    assert "        campaign: 40 scenarios, seed 5: 40 passed. N scenarios/s, N events/s, in this process" in lines
    again = "quotaproof conform reference --profile aws-batch --seed 5 --examples 40"
    assert f"the same scenarios   {again}" in lines
    assert lines[-1].strip() == "0 guarantees broken; 0 scenarios failed; 0 undecided     T.T s   exit 0"
    assert len(lines) <= 60


def test_a_scheduler_that_never_reclaims_is_not_conformant(quotaproof: Command, here: Path) -> None:
    got = quotaproof("conform", WRONG, "--examples", "40", "--executor", "local")
    assert (got.code, got.err) == (1, "")
    lines = got.out.splitlines()
    assert lines[0].startswith("BROKEN  never-reclaims: NOT CONFORMANT (aws-batch): ")
    assert any(
        line.startswith("G14     lenders always reclaim: A share always gets its own back for its") for line in lines
    )
    assert len(lines) <= 70
    shown = re.findall(r"See it: quotaproof replay (quotaproof-out/conform/G14-[0-9a-f]{8}.json)", got.out)
    kept = json.loads((here / shown[0]).read_text())
    assert kept["found"] == {"backend": WRONG, "guarantee": "G14", "profile": "aws-batch", "seed": 0}
    assert kept["checks"] == ["G14"]
    assert sum("submit" in step for step in kept["steps"]) <= 3


@pytest.mark.usefixtures("few")
def test_a_failure_that_was_kept_fails_again_until_it_is_fixed(quotaproof: Command, here: Path) -> None:
    quotaproof("conform", WRONG, "--budget", "0")
    (file, *_) = sorted(map(str, here.glob("quotaproof-out/conform/G14-*.json")))
    failed = quotaproof("replay", file)
    assert (failed.code, failed.err) == (1, "")
    assert "\nFAILED  G14 lenders always reclaim: step " in failed.out
    assert f"run by {WRONG}" in " ".join(failed.out.split())
    fixed = quotaproof("replay", file, "--backend", "reference")
    assert (fixed.code, fixed.err) == (0, "")
    assert "\nFIXED   G14 lenders always reclaim: no step breaks a promise.\n" in fixed.out
    gone = quotaproof("replay", file, "--backend", "cmd:./no-such-program", "--redact")
    assert (gone.code, gone.err) == (3, "")
    assert "\nERROR   G14 lenders always reclaim: " in gone.out
    assert "It was run in the current folder, from which a relative path counts." in " ".join(gone.out.split())
    assert str(here) not in "".join(gone.out.split())
    shown = quotaproof("replay", file, "--backend", "cmd:./no-such-program")
    assert str(here) in "".join(shown.out.split())
    wrong = quotaproof("replay", file, "--backend", "tests.support.named:errs", "--report", "badge")
    assert (wrong.code, json.loads(wrong.out)["message"]) == (3, "unknown")
    assert "\nERROR   G14 lenders always reclaim: it likes nothing.\n" in quotaproof(
        "replay", file, "--backend", "tests.support.named:errs"
    ).out  # fmt: skip


def test_a_scenario_that_never_failed_is_not_fixed_on_a_backend(quotaproof: Command) -> None:
    file = str(files("quotaproof.checker.conform.corpus").joinpath("admin-1-limit-lowered.json"))
    got = quotaproof("replay", file, "--backend", "reference")
    assert (got.code, got.err) == (0, "")
    assert "\nOK      every step keeps every promise" in got.out
    assert "FIXED" not in got.out
    assert quotaproof("replay", file, "--backend", "cmd:./no-such-program").code == 2


@pytest.mark.usefixtures("few")
def test_of_what_goes_wrong_one_scenario_of_each_kind_is_kept(quotaproof: Command, here: Path) -> None:
    got = quotaproof("conform", "tests.support.named:errs_at_times", "--examples", "20", "--executor", "local")
    assert "See it: quotaproof replay quotaproof-out/conform/ERROR-odd.json" in got.out
    assert [p.name for p in here.glob("quotaproof-out/conform/*.json")] == ["ERROR-odd.json"]
    again = quotaproof("replay", "quotaproof-out/conform/ERROR-odd.json")
    assert (again.code, again.err) == (3, "")
    assert "\nERROR   it does not like odd numbers of steps" in again.out
    fixed = quotaproof("replay", "quotaproof-out/conform/ERROR-odd.json", "--backend", "reference")
    assert (fixed.code, "\nFIXED   no step breaks a promise.\n" in fixed.out) == (0, True)


@pytest.mark.usefixtures("few")
def test_what_failed_is_counted_once_and_by_where_it_was_found(quotaproof: Command, here: Path) -> None:
    got = quotaproof("conform", WRONG, "--examples", "30", "--executor", "local", "--report", "json=r.json")
    document = json.loads((here / "r.json").read_text())
    corpus_, generated = document["conform"]["tried"]
    assert generated["failed"]
    (result,) = [r for r in document["results"] if r["code"] == "G14"]
    ran = sum(t["scenarios"] - t["skipped"] for t in (corpus_, generated))
    found = re.match(
        rf"([0-9]+) of {ran} scenarios break it \(([0-9]+) of the corpus, ([0-9]+) generated\); ", result["because"]
    )
    assert found
    assert int(found[1]) == int(found[2]) + int(found[3]) == result["count"]
    failed = f"scenarios failed: {corpus_['failed']} of the corpus, {generated['failed']} generated; "
    assert failed in " ".join(got.out.split())
    assert "\nScenarios of the corpus that fail\n" in got.out


def test_what_was_skipped_is_one_line_and_no_error(quotaproof: Command, here: Path) -> None:
    got = quotaproof("conform", "tests.support.named:no_gangs", "--budget", "0", "--report", "junit=r.xml")
    (suite,) = JUnitXml.fromfile(str(here / "r.xml"))
    kinds = {case.name: [type(r).__name__ for r in case.result] for case in suite}
    skipped = sum(kinds[s.name] == ["Skipped"] for s in corpus())
    assert skipped == sum("gangs" in s.features for s in corpus())
    assert kinds["PROFILE"] == ["Error"]
    lines = got.out.splitlines()
    start = lines.index("Not decided")
    told = lines[start + 1 : lines.index("", start)]
    assert sum("needs gangs" in line for line in told) == 1
    assert sum("were skipped" in line for line in told) <= 2
    assert len(told) <= 8
    assert f"{skipped} skipped; " in " ".join(got.out.split())


@pytest.mark.usefixtures("few")
def test_messages_are_in_the_words_of_the_trace(quotaproof: Command, here: Path) -> None:
    got = quotaproof("conform", "tests.support.named:borrows_one_more", "--budget", "0", "--report", "html=r.html")
    (file, *_) = sorted(map(str, here.glob("quotaproof-out/conform/G3-*.json")))
    html = (here / "r.html").read_text()
    for text in (got.out, quotaproof("replay", file).out, html):
        assert re.search(r"dispatch \w", text)
        assert not re.search(r"Dispatch |Submitted |Reached |victims=|\{'|BROKEN here|HOLDS here", text)


@pytest.mark.usefixtures("few")
def test_replay_writes_what_the_backend_did_as_a_trace(quotaproof: Command, here: Path) -> None:
    quotaproof("conform", WRONG, "--budget", "0")
    (file, *_) = sorted(map(str, here.glob("quotaproof-out/conform/G14-*.json")))
    got = quotaproof("replay", file, "--trace", "t.ndjson")
    assert got.err == "written t.ndjson\n"
    audited = quotaproof("audit", "t.ndjson")
    assert audited.code == 1
    assert "rule was broken: G14" in audited.out or "rules were broken: G14" in audited.out


@pytest.mark.usefixtures("few")
def test_a_scenario_that_errs_leaves_it_undecided_and_the_others_run(quotaproof: Command) -> None:
    got = quotaproof("conform", "tests.support.named:errs_at_times", "--budget", "0")
    assert got.code == 3
    assert got.out.startswith("UNKNOWN errs-at-times: PARTIAL (aws-batch): ")
    assert "That is not a yes." in " ".join(got.out.split())
    odd = sum(len(s.steps) % 2 for s in corpus()[:FEW])
    assert 0 < odd < FEW
    assert f"{FEW} scenarios: {FEW - odd} passed, {odd} went wrong." in got.out


@pytest.mark.usefixtures("few")
def test_a_core_scenario_that_is_skipped_is_never_conformant(quotaproof: Command) -> None:
    got = quotaproof("conform", "tests.support.named:no_gangs", "--budget", "0", "--quiet")
    assert got == Ran(3, "UNKNOWN no-gangs: PARTIAL (aws-batch).\n", "")


@pytest.mark.usefixtures("few")
def test_what_was_kept_is_told_where_core_scenarios_were_skipped(quotaproof: Command) -> None:
    got = quotaproof(
        "conform", "tests.support.named:no_gangs", "--budget", "0", "--report", "text", "--report", "md=r.md"
    )
    assert "\nkept    where they came up, with core scenarios skipped: G" in got.out
    assert "\nkept    none" not in got.out
    assert "**kept where they came up, with core scenarios skipped** G" in Path("r.md").read_text(encoding="utf-8")


def test_a_scheduler_that_does_not_repeat_itself_is_told_so(quotaproof: Command) -> None:
    got = quotaproof("conform", "tests.support.named:Moody", "--budget", "0")
    assert (got.code, got.err) == (1, "")
    assert "the scheduler does not repeat itself" in " ".join(got.out.split())


@pytest.mark.usefixtures("few")
def test_every_form_is_written_at_once(quotaproof: Command, here: Path) -> None:
    reports = [part for form in FORMS if form != "text" for part in ("--report", f"{form}=r.{form}")]
    got = quotaproof("conform", WRONG, "--budget", "0", *reports)
    assert (got.code, got.err) == (1, "")
    schema = json.loads(files(schemas).joinpath("verification.schema.json").read_text(encoding="utf-8"))
    document = json.loads((here / "r.json").read_text())
    Draft202012Validator(schema).validate(document)
    assert document["conform"]["declared"]["name"] == "never-reclaims"
    (suite,) = JUnitXml.fromfile(str(here / "r.junit"))
    cases = [case for case in suite if case.classname == "conform.scenario"]
    assert [case.name for case in cases] == [s.name for s in corpus()[:FEW]]
    assert all(case.time is not None for case in cases)
    assert suite.time > 0
    assert json.loads((here / "r.badge").read_text())["message"] == "not conformant (aws-batch)"
    assert "<h2>How to reproduce</h2>" in (here / "r.html").read_text()


@pytest.mark.usefixtures("few")
def test_a_backend_that_names_an_account_is_redacted(quotaproof: Command, here: Path) -> None:
    got = quotaproof(
        "conform", "tests.support.named:account_123456789012", "--budget", "0", "--redact", "--report", "html=h"
    )
    assert got.err == ""
    assert "123456789012" not in got.out + (here / "h").read_text()
    assert "quotaproof conform tests.support.named:account_account-1 " in got.out


@pytest.mark.usefixtures("few")
def test_a_campaign_goes_on_only_when_asked(quotaproof: Command) -> None:
    run = ("conform", "reference", "--executor", "local")
    quotaproof(*run, "--examples", "20")
    assert "30 passed; 20 of them were done before." in quotaproof(*run, "--examples", "30", "--resume").out
    assert "done before" not in quotaproof(*run, "--examples", "30").out
    other = quotaproof(*run, "--examples", "30", "--seed", "1", "--resume")
    assert (other.code, other.out) == (2, "")
    assert "it is the journal of another campaign\nseed 0 there, 1 asked for.\nFix: " in other.err


def test_stopped_by_hand_it_says_how_to_go_on(here: Path) -> None:
    run = [str(Path(sys.executable).with_name("quotaproof")), "conform", "reference", "--executor", "processes:1"]
    journal = here / "quotaproof-out" / "conform" / "campaign.ndjson"
    with subprocess.Popen(
        [*run, "--budget", "60s"], cwd=here, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        while not journal.exists() or journal.read_bytes().count(b"\n") < 2:
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said == b"stopped: the same command with --resume goes on with the generated scenarios\n"
    assert journal.read_bytes().count(b"\n") >= 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "'nothing' names no backend"),
        (["no.such:thing"], "there is no module no.such"),
        (["cmd:./no-such-program"], "no-such-program"),
        (["reference", "--profile", "aws-bach"], "did you mean aws-batch?"),
        (["reference", "--budget", "soon"], "--budget: 'soon' is no time; write 30s, 10m or 2h"),
        (["reference", "--executor", "threads"], "--executor: there is no executor 'threads'"),
        (["tests.support.named:thrashes"], "does not allow A24=b"),
    ],
)
def test_what_cannot_be_used_is_one_message_and_exit_2(
    quotaproof: Command, here: Path, arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: ())
    got = quotaproof("conform", *arguments)
    assert (got.code, got.out) == (2, "")
    assert message in got.err
    assert "Traceback" not in got.err
    redacted = quotaproof("conform", *arguments, "--redact", "--report", "json=r.json")
    assert redacted.code == 2
    assert json.loads((here / "r.json").read_text())["outcome"] == "UNUSABLE"


def test_times_are_read() -> None:
    assert [duration(t) for t in ("0", "90", "1.5s", "10m", "2h")] == [0, 90, 1.5, 600, 7200]
    for text in ("-1", "1d", "m", "1e3"):
        with pytest.raises(Unusable):
            duration(text)
