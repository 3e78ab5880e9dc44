"""The real samples and the shipped examples read as the screens say."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest

from ...support.loaded import kinds


def test_the_walkthrough_example_reads_as_four_kinds_of_request(read, examples):
    loaded = read(examples / "walkthrough")
    assert (
        kinds(loaded) == "create-job-queue, create-quota-share x3, create-scheduling-policy, create-service-environment"
    )
    assert loaded.left_out == ()
    assert loaded.notes == ()
    assert loaded.config.job_queue_name == "my-sm-training-qm-jq"
    assert loaded.config.environment.capacity == {"ml.g5.xlarge": 3}
    assert [(s.name, s.strategy, s.borrow_limit, s.in_share) for s in loaded.config.shares] == [
        ("QS1", "LEND_AND_BORROW", 200, True),
        ("QS2", "LEND", None, False),
        ("QS3", "RESERVE", None, False),
    ]


def test_the_research_example_finds_its_environment_through_the_job_queue(read, examples):
    loaded = read(examples / "research-gpu")
    assert kinds(loaded) == "describe-job-queues, describe-service-environments, list-quota-shares"
    assert loaded.notes == ()
    assert not loaded.capacity_assumed
    assert loaded.config.environment.service_environment_name == "research-gpu-qm-se"
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 16, "ml.g5.xlarge": 40}
    assert [s.name for s in loaded.config.shares] == ["foundation", "speech", "evals", "prod-retrain"]
    assert loaded.config.share("foundation").borrow_limit == -1
    assert loaded.config.share("evals").limits == {"ml.g5.xlarge": 12}


def test_the_own_form_example_reads_to_the_same_terms(read, examples):
    loaded = read(examples / "own-form" / "queue.yaml")
    assert kinds(loaded) == "queue form"
    assert loaded.config.job_queue_name == "research"
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 16, "ml.g5.xlarge": 40}
    assert loaded.config.share("foundation").borrow_limit is None
    assert loaded.config.share("foundation").in_share
    assert loaded.config.share("speech").borrow_limit == 50
    assert not loaded.config.share("speech").in_share
    assert loaded.config.share("prod-retrain").strategy == "RESERVE"
    assert loaded.config.share("prod-retrain").state == "ENABLED"


def test_submitted_jobs_are_read_and_other_requests_are_left_out_by_name(read, samples):
    loaded = read(samples / "inputs")
    assert kinds(loaded) == (
        "create-job-queue, create-quota-share x3, create-scheduling-policy, create-service-environment, "
        "submit-service-job x5"
    )
    assert [(job.name, job.share, dict(job.size)) for job in loaded.jobs][-2:] == [
        ("qs2_job_1", "QS2", {"ml.g5.xlarge": 1}),
        ("llm-sft-4n", "QS1", {"ml.g5.xlarge": 4}),
    ]
    assert loaded.left_out[0] == "06_update-service-job_priority.json, update-service-job: a request, not configuration"
    assert [line.split(", ")[1].split(":")[0] for line in loaded.left_out] == [
        "update-service-job",
        *["update-quota-share"] * 2,
        "update-service-environment",
    ]


def test_broken6_is_read_and_its_promises_are_left_out(read, samples):
    loaded = read(samples / "broken6")
    assert kinds(loaded) == "describe-job-queues, describe-service-environments, list-quota-shares"
    assert loaded.left_out == ("promises.yaml, promises: not judged here",)
    assert [s.name for s in loaded.config.shares] == [
        "foundation",
        "speech",
        "evals",
        "vision",
        "robotics",
        "prod-retrain",
    ]
    assert loaded.config.share("vision").borrow_limit == 0
    assert loaded.config.share("robotics").limits == {"ml.p5e.48xlarge": 2}


def test_a_folder_of_two_queues_names_both_and_the_flag(refused, samples):
    error = refused(samples / "outputs")
    assert error.what == "the files are of 2 queues: my-sm-training-qm-jq, research-gpu-qm"
    assert "--queue my-sm-training-qm-jq" in error.fix


def test_queue_picks_one_and_assumes_the_only_environment_with_its_units(read, samples):
    loaded = read(samples / "outputs", queue="research-gpu-qm")
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 16, "ml.g5.xlarge": 40}
    assert loaded.notes == (
        "environment research-gpu-qm-se is assumed to be the one of research-gpu-qm: no file says it, "
        "and no other environment here has these units",
    )
    assert kinds(loaded) == "describe-service-environments, list-quota-shares"
    assert "describe-job-queues.json: another queue, my-sm-training-qm-jq" in loaded.left_out
    assert "list-quota-shares_demo.json: shares of another queue, my-sm-training-qm-jq" in loaded.left_out


def test_a_share_in_two_files_with_the_same_meaning_counts_once(read, samples):
    loaded = read(samples / "outputs", queue="my-sm-training-qm-jq")
    assert [s.name for s in loaded.config.shares] == ["QS1", "QS2", "QS3"]
    assert kinds(loaded) == (
        "describe-job-queues, describe-quota-share, describe-scheduling-policies, "
        "describe-service-environments, list-quota-shares"
    )


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("outputs/demo/A_t0500/describe-service-job_qs1_job_high.json", "describe-service-job"),
        ("outputs/demo/A_t0500/list-service-jobs_QS1_RUNNING.json", "list-service-jobs"),
        ("outputs/demo/A_t0500/get-job-queue-snapshot.json", "get-job-queue-snapshot"),
    ],
)
def test_history_is_left_out_as_history(read, samples, examples, name, kind):
    loaded = read(examples / "walkthrough", samples / name)
    assert loaded.left_out == (
        f"{name.rsplit('/', 1)[-1]}, {kind}: history, not configuration; `quotaproof audit` reads it",
    )


def test_history_alone_says_nothing_about_a_queue(refused, samples):
    error = refused(samples / "outputs" / "demo" / "A_t0500")
    assert error.what == "nothing here says how a queue is configured"
    assert "describe-service-job: history" in error.why


def test_standard_input_is_told_apart_by_its_first_character(read, examples, monkeypatch):
    own = (examples / "own-form" / "queue.yaml").read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(own)))
    assert read("-").place("speech", "borrowLimit") == "-:18"
    listed = (examples / "research-gpu" / "list-quota-shares.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"\n " + listed)))
    loaded = read("-")
    assert kinds(loaded) == "list-quota-shares"
    assert loaded.place("foundation", "share") == "-:5"


def test_a_file_given_by_itself_and_by_its_folder_is_read_once(read, examples):
    folder = examples / "own-form"
    assert kinds(read(folder, folder / "queue.yaml")) == "queue form"


def test_a_byte_order_mark_is_accepted(read, write, examples):
    for name in ("own-form/queue.yaml", "research-gpu/list-quota-shares.json"):
        file = examples / name
        marked = write(f"marked{file.suffix}", b"\xef\xbb\xbf" + file.read_bytes())
        assert read(marked).config == read(file).config


def test_files_in_folders_inside_and_other_files_are_not_read(read, write, examples, tmp_path):
    write("queue.yaml", (examples / "own-form" / "queue.yaml").read_text())
    write("notes.txt", "nothing to see")
    (tmp_path / "inner.json").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "bad.json").write_text("not json")
    assert kinds(read(tmp_path)) == "queue form"
