"""`why` and `status` on the command line, over the walkthrough's history as AWS records it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from .conftest import Ran

Command = Callable[..., Ran]

ROOT = Path(__file__).parents[2]
HISTORY = str(ROOT / "examples" / "history")
WALKTHROUGH = str(ROOT / "examples" / "walkthrough")


def schema(name: str) -> Any:
    return json.loads((ROOT / "spec" / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))


def request(folder: Path, **more: Any) -> str:
    """A request for a job on the walkthrough's queue; returns its path."""
    payload = {
        "TrainingJobName": "t",
        "ResourceConfig": {"InstanceType": "ml.g5.xlarge", "InstanceCount": more.pop("instances", 1)},
        **more.pop("payload", {}),
    }
    asked = {
        "jobName": "new-job",
        "jobQueue": "my-sm-training-qm-jq",
        "quotaShareName": "QS2",
        "serviceJobType": "SAGEMAKER_TRAINING",
        "serviceRequestPayload": json.dumps(payload),
        **more,
    }
    path = folder / "job.json"
    path.write_text(json.dumps(asked), encoding="utf-8")
    return str(path)


def test_the_borrower_of_the_walkthrough(quotaproof: Command) -> None:
    got = quotaproof("why", "qs1_job_med", "--in", HISTORY)
    assert (got.code, got.err) == (0, "")
    lines = got.out.splitlines()
    assert lines[0].startswith("qs1_job_med   share QS1, 1 x ml.g5.xlarge, priority 2")
    assert lines[0].endswith("RUNNABLE since Mon 15:10, 2nd of 2")
    assert "Stopped once, because QS1 used 1 machine that was not its own (2 used, limit 1)." in lines
    assert "Mon 15:10:05 - 15:10:27   QS2, job qs2_job_1   yes: qs1_job_high. AWS chose (A26)   7 min" in lines
    assert "  Allowed by AWS rules 36-38. No rule was broken in its story." in lines
    assert lines[-1].endswith("exit 0")


def test_the_in_share_victim_of_the_walkthrough(quotaproof: Command) -> None:
    out = quotaproof("why", "qs1_job_high", "--in", HISTORY).out
    assert "Stopped once, because a job of QS1 with a higher priority waited and in-share preemption is on." in out
    assert "Mon 15:20:04 - 15:20:26   its own share, job qs1_job_low   no: the only one below it         17 min" in out
    assert "  Allowed by AWS rules 39 and 40." in out
    assert "Waits now for   1 machine to borrow. Lenders: QS2 1 of 1 in use." in out


def test_a_job_is_found_by_id_arn_and_training_job(quotaproof: Command) -> None:
    story = json.loads(quotaproof("why", "qs1_job_med", "--in", HISTORY, "--report", "json").out)
    for name in (story["job"]["id"], story["arn"], "a0000002"):
        assert quotaproof("why", name, "--in", HISTORY).out == quotaproof("why", "qs1_job_med", "--in", HISTORY).out


def test_at_an_earlier_time_it_runs_and_its_lender_could_stop_it(quotaproof: Command) -> None:
    out = " ".join(quotaproof("why", "qs1_job_med", "--in", HISTORY, "--at", "2026-11-02T15:05").out.split())
    assert "RUNNING since Mon 15:02" in out
    assert "by QS2, if a job of 1 machine of ml.g5.xlarge arrives." in out
    assert "They are those that QS2 (0 of 1 in use) left" in out


def test_json_keeps_to_its_schema(quotaproof: Command, here: Path) -> None:
    for arguments in (
        ["qs1_job_med"],
        ["qs1_job_low"],
        ["--if", request(here)],
        ["qs1_job_med", "--at", "2026-11-02T15:05"],
    ):
        got = quotaproof("why", *arguments, "--in", HISTORY, "--report", "json")
        jsonschema.Draft202012Validator(schema("why")).validate(json.loads(got.out))
    got = quotaproof("status", HISTORY, "--report", "json")
    jsonschema.Draft202012Validator(schema("status")).validate(json.loads(got.out))


def test_reports_go_to_files_too(quotaproof: Command, here: Path) -> None:
    got = quotaproof("why", "qs1_job_med", "--in", HISTORY, "--report", "json=why.json", "--report", "md=why.md")
    assert (got.code, got.out.split()[0]) == (0, "qs1_job_med")
    assert json.loads((here / "why.json").read_text())["job"]["name"] == "qs1_job_med"
    assert (here / "why.md").read_text().startswith("## qs1_job_med\n")


def test_redacted_reports_name_no_job_owner_or_account(quotaproof: Command) -> None:
    for form in ("text", "md", "json"):
        for got in (
            quotaproof("why", "qs1_job_med", "--in", HISTORY, "--redact", "--report", form),
            quotaproof("status", HISTORY, "--redact", "--report", form),
        ):
            assert got.code == 0
            for secret in ("qs1_job", "qs2_job", "a0000002", "123456789012", "alice"):
                assert secret not in got.out, (form, secret)


def test_an_unknown_job_is_exit_2_with_the_nearest_name(quotaproof: Command) -> None:
    got = quotaproof("why", "qs1_job_mid", "--in", HISTORY)
    assert (got.code, got.out) == (2, "")
    assert 'no job is called "qs1_job_mid"' in got.err
    assert "did you mean qs1_job_med?" in got.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["qs1_job_med"], "name the folder with the queue's history: --in DIR"),
        (["--in", HISTORY], "name either a job, or with --if FILE a request"),
        (["qs1_job_med", "--in", "nowhere"], "there is no such file or folder"),
        (["qs1_job_med", "--in", HISTORY, "--at", "yesterday"], "--at: 'yesterday' is not a date or time"),
        (["qs1_job_med", "--in", HISTORY, "--at", "2020-01-01"], "--at: the history begins at 2026-11-02T"),
        (["qs1_job_med", "--in", HISTORY, "--report", "sarif"], "there is no form 'sarif' here"),
        (["qs1_job_med", "--in", HISTORY, "--report", "json="], "name a file after ="),
        (
            ["qs1_job_med", "--in", HISTORY, "--report", "md", "--report", "json"],
            "only one report can go to the screen",
        ),
        (["qs1_job_med", "--in", HISTORY, "--job-id", "zzz"], "0 jobs called"),
        (["qs1_job_med", "--in", HISTORY, "--assume", "A13=z"], "A13"),
    ],
)
def test_unusable_input_is_one_message(quotaproof: Command, arguments: list[str], said: str) -> None:
    got = quotaproof("why", *arguments)
    assert (got.code, got.out) == (2, "")
    assert said in got.err
    assert "Traceback" not in got.err


def test_a_request_before_its_submission(quotaproof: Command, here: Path) -> None:
    got = quotaproof("why", "--if", request(here, schedulingPriority=7), "--in", HISTORY, "--at", "2026-11-02T15:05")
    assert (got.code, got.err) == (0, "")
    assert "new-job   share QS2, 1 x ml.g5.xlarge, priority 7" in got.out
    assert "Would start     when qs1_job_med has stopped." in got.out
    assert "Would stop      qs1_job_med of QS1." in got.out
    assert "No checkpoint path is set" in got.out
    never = quotaproof("why", "--if", request(here, instances=4), "--in", HISTORY).out
    assert "nothing that will come: it can never run." in never
    saved = request(here, payload={"CheckpointConfig": {"S3Uri": "s3://b/c"}},
                    preemptionConfiguration={"preemptionRetriesBeforeTermination": 2})  # fmt: skip
    out = quotaproof("why", "--if", saved, "--in", HISTORY).out
    assert "A checkpoint path is set: s3://b/c;" in out
    assert "preemption 3 fails it; there were 0 so far (AWS rule 43)." in out


def test_without_events_the_answers_still_tell_of_the_stop(quotaproof: Command, here: Path) -> None:
    folder = here / "queue"
    shutil.copytree(HISTORY, folder)
    (folder / "history" / "eventbridge.ndjson").unlink()
    for older in ("0500", "0610", "0900"):
        shutil.rmtree(folder / "history" / f"jobs-{older}")
    got = quotaproof("why", "qs1_job_med", "--in", str(folder))
    out = " ".join(got.out.split())
    assert (got.code, got.err) == (0, "")
    assert "Stopped once, because QS1 used 1 machine that was not its own (2 used, limit 1)." in out
    assert "by Mon 15:10:25 QS2, job qs2_job_1 yes: qs1_job_high. AWS chose (A26) 8 min" in out
    assert "came at an unknown time between Mon 15:01:38 and Mon 15:10:25." in out
    assert "Lost up to 8 min" in out
    document = json.loads(quotaproof("why", "qs1_job_med", "--in", str(folder), "--report", "json").out)
    jsonschema.Draft202012Validator(schema("why")).validate(document)
    assert document["stops"][0]["kind"] == "cross-share"


def test_a_configuration_without_history_is_an_empty_queue(quotaproof: Command, here: Path) -> None:
    taken = "Note            there is no history in these files: the queue is taken to be empty"
    got = quotaproof("why", "--if", request(here), "--in", WALKTHROUGH)
    assert (got.code, got.err) == (0, "")
    assert "Would start     at once." in got.out
    assert taken in got.out
    stands = quotaproof("status", WALKTHROUGH)
    assert (stands.code, stands.err) == (0, "")
    assert "0 own use, 0 borrowed, 1 kept (RESERVE), 2 idle" in stands.out
    assert taken in stands.out
    assert "1970" not in got.out + stands.out
    for arguments in (["why", "--if", request(here), "--in", WALKTHROUGH], ["status", WALKTHROUGH]):
        document = json.loads(quotaproof(*arguments, "--report", "json").out)
        jsonschema.Draft202012Validator(schema(arguments[0])).validate(document)
        assert document["at"] is None


def test_a_job_in_no_history_and_a_folder_without_a_queue_are_unusable(quotaproof: Command, here: Path) -> None:
    (here / "empty").mkdir()
    (here / "empty" / "x.json").write_text("{}", encoding="utf-8")
    for arguments in (["why", "j", "--in", WALKTHROUGH], ["status", "empty"]):
        got = quotaproof(*arguments)
        assert (got.code, got.out) == (2, "")
        assert "there is no history in these files" in got.err


def test_a_time_after_the_history_is_said_to_be_that(quotaproof: Command) -> None:
    for command in (["why", "qs1_job_med", "--in", HISTORY], ["status", HISTORY]):
        out = " ".join(quotaproof(*command, "--at", "2026-11-03").out.split())
        assert "the history ends at 2026-11-02 15:22:50 UTC: what happened from then to 2026-11-03 00:00:00" in out
        assert "the history ends" not in quotaproof(*command).out


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"quotaShareName": "QS9"}, 'there is no share "QS9"'),
        ({"jobQueue": "other"}, 'the request is for the queue "other"'),
        ({"schedulingPriority": 10_000}, "schedulingPriority is 10000"),
        ({"schedulingPriority": True}, "schedulingPriority is true"),
        (
            {"preemptionConfiguration": {"preemptionRetriesBeforeTermination": -1}},
            "preemptionRetriesBeforeTermination is -1",
        ),
        ({"serviceRequestPayload": "{"}, "this is no request for a job"),
        ({"serviceRequestPayload": "{}"}, "this is no request for a job"),
    ],
)
def test_a_request_that_cannot_be_used_is_said_to_be_that(
    quotaproof: Command, here: Path, more: dict[str, Any], said: str
) -> None:
    got = quotaproof("why", "--if", request(here, **more), "--in", HISTORY)
    assert (got.code, got.out) == (2, "")
    assert said in got.err


def test_the_walkthrough_s_queue_as_it_stands(quotaproof: Command) -> None:
    got = quotaproof("status", HISTORY)
    assert (got.code, got.err) == (0, "")
    first, _, _, one, two, three, *_ = got.out.splitlines()
    assert first == "my-sm-training-qm-jq   ml.g5.xlarge   3:  2 own use, 0 borrowed, 1 kept (RESERVE), 0 idle"
    assert one.split()[:6] == ["QS1", "1", "1", "0", "0", "2"]
    assert one.endswith("qs1_job_low (1) by QS1   qs1_job_high (1), 2 min")
    assert two.split() == ["QS2", "1", "1", "0", "0", "0", "-", "-"]
    assert three.split() == ["QS3", "1", "0", "0", "0", "0", "-", "-"]
    assert "Differs" not in got.out


def test_the_queue_while_qs1_borrows(quotaproof: Command) -> None:
    out = quotaproof("status", HISTORY, "--at", "2026-11-02T15:08").out
    assert "1 own use, 1 borrowed, 1 kept (RESERVE), 0 idle" in out
    rows = {line.split()[0]: line.split() for line in out.splitlines()[3:6]}
    assert (rows["QS1"][3], rows["QS2"][4], rows["QS3"][4]) == ("1", "1", "0")


def test_an_unknown_job_is_told_without_the_names_of_others(quotaproof: Command) -> None:
    got = quotaproof("why", "nobody", "--in", HISTORY, "--redact")
    assert got.code == 2
    assert "no job is called" in got.err
    assert not [name for name in ("qs1_job", "qs2_job", "nobody") if name in got.err]


def test_a_request_that_is_a_list_is_unusable(quotaproof: Command, here: Path) -> None:
    (here / "job.json").write_text("[1]", encoding="utf-8")
    got = quotaproof("why", "--if", "job.json", "--in", HISTORY)
    assert got.code == 2
    assert "this is no request for a job" in got.err
