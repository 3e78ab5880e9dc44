"""--redact: no account, job or path of the input, and no backend's command, is in any report, and the same is the same."""

from __future__ import annotations

import json as json_module
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotaproof.checker.measured import Month
from quotaproof.checker.promised import How, Promised, Suggestion
from quotaproof.checker.report import badge, html, json, junit, md, sarif, text
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.redact import Redactor, redacted
from quotaproof.checker.results import Began, Ended, Event, Finding, Severity, Source, Step, Witness
from quotaproof.checker.shell import quoted

from .audits import measured
from .conformances import about_conformance
from .samples import BROKEN, HOLDS, played, sample
from .streams import PIECES, REPEATABLE

JOBS = ("zq-train", "zq-train-2", "Zq.eval", "z+q", "zq_é")
NAMED = [
    "123456789012",
    "999999999999",
    "arn:aws:batch:us-east-1:123456789012:job-queue/gpu",
    "arn:aws-us-gov:iam::999999999999:role/x",
    "ARN:AWS:BATCH",
    *JOBS,
]
"""What the name of a file may hold, too."""
SECRETS = [
    *NAMED,
    "s3://qz-bucket/x",
    "redis://:qz-word@qz-host:6379/0",
    "/srv/qz-home/a.json:7",
    "--out=/srv/qz-home",
    "'/srv/qz home/qz a.py'",
    "~qz-home/a.json",
    "../qz-home/a.json",
    "x=file:///srv/qz-home/a.json",
    r"C:\Users\qz-home",
    "cmd:node qz-scheduler.js --key qz-key",
    "'cmd:node qz-scheduler.js --key qz-key'",
]
prose = st.lists(st.sampled_from([*SECRETS, *PIECES]), min_size=1, max_size=5).map(" ".join)
findings = st.builds(
    Finding,
    st.just("QP101"),
    st.sampled_from(Severity),
    prose,
    place=prose,
    body=st.tuples(prose),
    share=prose,
    unit=prose,
    witness=prose,
    fix=prose,
)
steps = st.builds(Step, st.just(1), prose, prose, prose, prose)
files = st.lists(st.sampled_from([*NAMED, *PIECES]), min_size=1, max_size=5).map(" ".join)
sources = st.builds(Source, files, files, st.just("queue form"))
began = st.builds(
    Began, st.sampled_from(["verify", "replay"]), prose, st.tuples(sources), st.tuples(prose), about=prose,
    rests_on=st.tuples(prose), jobs=st.just(JOBS), backends=st.just(("cmd:node qz-scheduler.js --key qz-key",)),
)  # fmt: skip
promises = st.builds(
    lambda said: Promised(
        "P1", said, "gets", How.PROVED, replace(BROKEN, code="P1", subject=said, because=said), owner=said, why=said,
        suggestion=Suggestion((said,), 1, said, (said,), said),
    ),
    prose,
)  # fmt: skip
streams = st.builds(
    lambda first, found, promised, step, why: [
        first, *found, promised, step, replace(BROKEN, subject=why, because=why), Ended(0.1),
    ],
    began, st.lists(findings, max_size=2), promises, steps, prose,
)  # fmt: skip

audits = st.builds(
    lambda first, seen, why: [
        replace(first, command="audit"), *(e for e in seen if not isinstance(e, Month)), replace(BROKEN, because=why),
        Ended(0.1),
    ],  # a month speaks of shares only, and their names stay
    began, measured(prose, prose), prose,
)  # fmt: skip


def assert_clean(text: str) -> None:
    assert not re.search(r"(?<!\d)\d{12}(?!\d)", text)
    assert "arn:" not in text.lower()
    assert not [job for job in JOBS if job in text]
    assert "qz" not in text


conformances = st.builds(
    lambda first, seen, why: [replace(first, command="conform"), *seen, replace(BROKEN, because=why), Ended(0.1)],
    began, about_conformance(prose), prose,
)  # fmt: skip


@REPEATABLE
@given(st.one_of(streams, audits, conformances))
def test_no_secret_survives_in_any_form(events: list[Event]) -> None:
    told = list(redacted(events))
    for form in (text, md, junit, sarif, json, html, badge):
        assert_clean(form.write(told, Options()))
        assert_clean(form.write(told, Options(verbose=True)))


def test_the_same_is_replaced_by_the_same_and_others_by_others() -> None:
    hide = Redactor(["b", "a"]).text
    one = "arn:aws:batch:eu-west-1:123456789012:job-queue/gpu"
    assert hide(f"a, b on 123456789012 and {one}") == "job-2, job-1 on account-1 and arn-1"
    assert hide(f"a {one} 210987654321 123456789012 {one}x") == "job-2 arn-1 account-2 account-1 arn-2"


def test_a_name_that_begins_another_is_not_replaced_within_it() -> None:
    hide = Redactor(["train", "train-2", "a.b", "in"]).text
    assert hide("train-2 and train. retrain train_3 a.b axb in: within") == (
        "job-2 and job-1. retrain train_3 job-3 axb job-4: within"
    )


def test_the_longest_secret_at_a_place_is_taken() -> None:
    hide = Redactor(["arn", "123456789012-train"], ["arn"]).text
    assert hide("arn:aws:batch:::x arn 123456789012-train 123456789012") == "arn-1 job-1 job-2 account-1"


@pytest.mark.parametrize(
    ("file", "new"),
    [
        ("05_submit-service-job_llama-secret_high.json", "05_submit-service-job_job-1_high.json"),
        ("submit_LLAMA-SECRET.json", "submit_job-3.json"),
        ("myllama-secret2.json", "myjob-12.json"),
        ("llama-secret.run-llama-secret/of 123456789012/q.json", "job-1.run-job-1/of account-1/q.json"),
        ("7.json", "job-2.json"),
    ],
)
def test_in_the_name_of_a_file_a_job_is_replaced_wherever_it_stands(file: str, new: str) -> None:
    hide = Redactor(["llama-secret", "7"], [file]).text
    assert hide(file) == new
    assert hide(f"see {file}:7, x/{file}.") == f"see {new}:7, x/{new}."


def test_the_line_behind_the_name_of_a_file_is_no_name_of_a_job() -> None:
    hide = Redactor(["7", "12"], ["q.yaml"]).text
    assert hide("q.yaml:7: 7 of 12, and q.yaml:12") == "q.yaml:7: job-1 of job-2, and q.yaml:12"
    assert hide("q.yaml:123456789012") == "q.yaml:account-1"


def test_two_files_never_get_one_name() -> None:
    hide = Redactor(["a", "b"], ["A-a.json", "A-job-1.json", "job-1.json", "a.json"]).text
    assert len({hide(f) for f in ("A-a.json", "A-job-1.json", "job-1.json", "a.json")}) == 4


def test_every_form_gives_a_file_its_new_name_and_keeps_the_line() -> None:
    files = (Source("q_llama-7.yaml", "of/llama-7/q_llama-7.yaml", "queue form"), Source("x-llama-7.json", "x", ""))
    begun = Began("verify", "q", files[:1], ("x-llama-7.json: is no job",), jobs=("llama-7", "7"), files=files)
    finding = Finding("QP101", Severity.ERROR, "t", place="q_llama-7.yaml:7", body=("as q_llama-7.yaml:7 says",))
    told = list(redacted([begun, finding, *HOLDS, Ended(0.1)]))
    for form in (text, md, junit, sarif, json, html, badge):
        assert "llama" not in form.write(told, Options(verbose=True))
    document = json_module.loads(json.write(told, Options()))
    assert document["sources"][0]["name"] == "q_job-1.yaml"
    assert document["sources"][0]["path"] == "of/job-1/q_job-1.yaml"
    assert document["left_out"] == ["x-job-1.json: is no job"]
    assert document["findings"][0]["place"] == "q_job-1.yaml:7"
    (result,) = json_module.loads(sarif.write(told, Options()))["runs"][0]["results"]
    where = result["locations"][0]["physicalLocation"]
    assert where == {"artifactLocation": {"uri": "of/job-1/q_job-1.yaml"}, "region": {"startLine": 7}}


def test_longer_numbers_are_no_accounts() -> None:
    assert Redactor().text("1234567890123 12345678901 x123456789012y") == "1234567890123 12345678901 xaccount-1y"


def test_shares_queues_and_types_stay_and_codes_are_the_program_s_own() -> None:
    event = replace(BROKEN, subject="speech, ml.p5.48xlarge", because="G14 of speech")
    begun = Began("replay", "research", jobs=("G14", "BROKEN", "replay"))
    first, second = redacted([begun, event])
    assert first == replace(begun, jobs=())
    assert second == replace(event, because="job-1 of speech", witness="job-1.json")


def test_a_witness_is_redacted_with_the_report_that_names_it() -> None:
    form = {
        "scenario": 1,
        "name": "QP101-123456789012",
        "queue": {"shares": [{"name": "123456789012", "limits": {"u": 3}}]},
        "steps": [
            {"submit": "train", "share": "123456789012", "size": {"u": 3}},
            {"expect": {"preemptions": {"train": 2}, "dispatched": ["train"], "usage": {"123456789012": {"u": 3}}}},
        ],
    }
    finding = Finding("QP101", Severity.ERROR, "x", witness="QP101-123456789012.json")
    stream = [Began("verify", "q", jobs=("train",)), Witness("QP101-123456789012.json", form), finding]
    _, witness, told = redacted(stream)
    assert isinstance(witness, Witness)
    assert isinstance(told, Finding)
    assert witness.name == told.witness == "QP101-account-1.json"
    assert witness.form["queue"] == {"shares": [{"name": "account-1", "limits": {"u": 3}}]}
    assert witness.form["steps"] == [
        {"submit": "job-1", "share": "account-1", "size": {"u": 3}},
        {"expect": {"preemptions": {"job-1": 2}, "dispatched": ["job-1"], "usage": {"account-1": {"u": 3}}}},
    ]
    assert witness.form["scenario"] == 1


def test_a_path_outside_the_current_folder_tells_no_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "123456789012" / "here"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    stream = [Began("verify", "q", (Source("q.json", "../q.json", "k"),)), BROKEN, Ended(0.1)]
    got = sarif.write(list(redacted(stream)), Options())
    assert_clean(got)
    (result,) = json_module.loads(got)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "path-1/q.json"


def test_paths_below_the_current_folder_stay_and_others_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/srv/qz home")
    hide = Redactor().text
    assert hide(f"./a/b, a/b of {tmp_path}/a/b:3 in {tmp_path}.") == "./a/b, a/b of a/b:3 in the current folder."
    assert hide("/srv/x/y.py and '/srv/x z'; ~/a, ../up/b and /srv/x/y.py.") == (
        "path-1 and 'path-2'; path-3, path-4 and path-1."
    )
    assert hide("in /srv/qz home/a b") == "in path-3 b"
    kept = "3/4 of https://x.org/a/b, and/or 60 jobs/min; 1 / 2, ~3/4, <p5>/h, G5x..."
    assert hide(kept) == kept


def test_a_file_outside_the_current_folder_keeps_its_name_and_a_folder_does_not(tmp_path: Path) -> None:
    (tmp_path / "qz-home").mkdir()
    file, folder = f"{tmp_path}/qz-home/q.yaml", f"{tmp_path}/qz-home"
    hide = Redactor(files=[file, folder, "live/q.yaml"]).text
    assert hide(f"{file}:7 in {folder}, live/q.yaml, {tmp_path}/x") == "path-1/q.yaml:7 in path-1, live/q.yaml, path-2"


def test_a_folder_that_is_written_to_is_hidden_and_what_is_in_it_is_called_by_its_name() -> None:
    hide = Redactor(files=["/srv/qz/q.yaml"], folders=["/srv/qz out"]).text
    assert hide("quotaproof replay '/srv/qz out/conform/G14-123456789012.json'") == (
        "quotaproof replay 'path-1/conform/G14-account-1.json'"
    )
    assert hide("/srv/qz/q.yaml") == "path-2/q.yaml"


@pytest.mark.parametrize("command", ["./qz", "node '/srv/qz a.js'", 'sh -c "it\'s qz"', "./qz-\u00e9 \x07", "qz\\n"])
def test_the_command_of_a_backend_is_hidden_however_it_is_written(command: str) -> None:
    hide = Redactor(backends=[f"cmd:{command}", "reference", "module:qz"]).text
    for spelt in (f"cmd:{command}", quoted(f"cmd:{command}"), repr(f"cmd:{command}"), f"{command} ended"):
        assert "qz" not in hide(spelt)
        assert "command-1" in hide(spelt)
    assert hide("reference module:qz") == "reference module:qz"


def test_without_secrets_nothing_changes() -> None:
    from ...support.queues import queue, share

    events = sample(queue({"u": 2}, share("a", {"u": 3})), *HOLDS, BROKEN)
    assert list(redacted(events)) == events
    assert [e for e in redacted(played()) if isinstance(e, Ended)] == [Ended(0.1)]
