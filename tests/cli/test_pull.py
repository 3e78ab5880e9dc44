"""`quotaproof pull`: what it says, what it leaves for verify, and how it fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from quotaproof.checker.pull import access
from quotaproof.spec.formats import InputError

from ..support.aws import QUEUE, Aws, job
from .conftest import HOLDS, Ran

Command = Callable[..., Ran]


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Aws:
    """AWS, which answers from a list."""
    stubbed = Aws()

    def connect(*, region: str | None, profile: str | None, rate: float) -> access.Access:
        stubbed.asked.append(f"{region} {profile} {rate}")
        return stubbed.access()

    monkeypatch.setattr(access, "connect", connect)
    return stubbed


def test_a_queue_is_read_into_a_folder_that_verify_reads(
    quotaproof: Command, aws: Aws, prover: Callable[..., object]
) -> None:
    aws.whole(job("a"), job("b"))
    got = quotaproof("pull", "gpu", "-o", "live", "--profile", "ml", "--rate", "2")
    aws.done()
    assert (got.code, got.err, aws.asked[0]) == (0, "", "None ml 2.0")
    lines = got.out.splitlines()
    assert lines[0].startswith("pulled  gpu, us-east-1: from ")
    assert "    configuration     2 quota shares" in lines
    assert "    jobs/             2 jobs, 2 described now" in lines
    assert "next: quotaproof verify live; quotaproof audit live" in lines
    prover(HOLDS)
    got = quotaproof("verify", "live")
    assert (got.code, got.err) == (0, "")
    assert "OK      gpu" in got.out


def test_what_keeps_history_is_written_without_asking_aws(quotaproof: Command, aws: Aws) -> None:
    got = quotaproof("pull", "gpu", "-o", "live", "--setup", "--region", "eu-west-1")
    assert (got.code, got.err, aws.asked) == (0, "", [])
    assert got.out.startswith("written  live/setup/keep-history.yaml\n         live/setup/README.txt\n")
    assert '"cloudtrail:LookupEvents"' in got.out
    assert "--template-file live/setup/keep-history.yaml --region=eu-west-1\n" in got.out
    assert {p.name for p in Path("live/setup").iterdir()} == {"keep-history.yaml", "README.txt"}


def test_a_refused_operation_is_named_with_the_policy_that_allows_all(quotaproof: Command, aws: Aws) -> None:
    aws.configuration()
    aws.fails("GetJobQueueSnapshot", "AccessDeniedException", "User: alice is not authorized", 403)
    got = quotaproof("pull", "gpu", "-o", "live")
    assert (got.code, got.out) == (2, "")
    assert got.err.startswith("aws batch get-job-queue-snapshot: AWS refuses it to these credentials\n")
    assert "Fix: have batch:GetJobQueueSnapshot allowed, then run the same command again" in got.err
    assert '        "batch:ListServiceJobs",\n' in got.err


def test_what_cannot_be_read_is_exit_2_and_no_traceback(quotaproof: Command, aws: Aws) -> None:
    aws.says("DescribeJobQueues", {"jobQueues": []})
    aws.says("DescribeJobQueues", {"jobQueues": []})
    got = quotaproof("pull", "gpu", "-o", "live")
    assert (got.code, got.out) == (2, "")
    assert got.err == (
        "aws batch describe-job-queues: there is no job queue gpu\nThis account has 0 job queues in us-east-1.\n"
        "Fix: correct --region or --profile; queues of another Region or account are not seen here.\n"
    )


def test_a_missing_package_is_exit_2(quotaproof: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(**_: object) -> None:
        raise InputError("boto3 is missing", where="quotaproof pull", why="x", fix="pip install boto3")

    monkeypatch.setattr(access, "connect", connect)
    got = quotaproof("pull", "gpu", "-o", "live")
    assert (got.code, got.err.splitlines()[-1]) == (2, "Fix: pip install boto3")


def test_the_region_of_an_arn_is_the_region_that_is_asked(quotaproof: Command, aws: Aws) -> None:
    aws.says("DescribeJobQueues", {"jobQueues": []}, jobQueues=[QUEUE])
    aws.says("DescribeJobQueues", {"jobQueues": []})
    assert quotaproof("pull", QUEUE, "-o", "live").code == 2
    assert aws.asked[0] == "us-east-1 None 5.0"
    got = quotaproof("pull", QUEUE, "-o", "live", "--region", "eu-west-1")
    assert got == Ran(2, "", f"--region: eu-west-1 is not the Region of {QUEUE}\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--since", "soon"], "--since: 'soon' is no time; write 12h, 7d, 4w, or a date such as 2026-11-01"),
        (["--since", "2999-01-01"], "--since: '2999-01-01' is not in the past"),
        (["--since", "99999w"], "--since: '99999w' is not in the past"),
        (["--rate", "0"], "--rate: 0.0 is not a number of requests per second above 0"),
        (["--rate", "nan"], "--rate: nan is not a number of requests per second above 0"),
    ],
)
def test_options_are_checked_before_anything_is_asked(
    quotaproof: Command, aws: Aws, arguments: list[str], said: str
) -> None:
    got = quotaproof("pull", "gpu", "-o", "live", *arguments)
    assert (got.code, got.out, aws.asked) == (2, "", [])
    assert got.err.startswith(said)


@pytest.mark.parametrize("since", ["30m", "12h", "7d", "4w", "2026-11-01", "2026-11-01T08:00Z"])
def test_every_form_of_a_time_is_taken(quotaproof: Command, aws: Aws, since: str) -> None:
    aws.whole()
    assert quotaproof("pull", "gpu", "-o", "live", "--since", since).code == 0
    aws.done()


def test_progress_is_shown_on_a_terminal_only(quotaproof: Command, aws: Aws, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    aws.whole(job("a"))
    got = quotaproof("pull", "gpu", "-o", "live")
    assert "\r1 of 1 jobs described" in got.err
    assert got.err.endswith("\r")
    assert got.err.split("\r")[-2].strip() == ""
