"""The way to AWS: what may be asked, how often, what is tried again, and how failures are told."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import botocore.exceptions as boto
import pytest
from quotaproof.checker import pull as package
from quotaproof.checker.pull.access import OPERATIONS, Access, connect, policy
from quotaproof.checker.pull.failures import Denied, command, explained
from quotaproof.spec.formats import InputError

from ...support.aws import Aws, Clock


def failing(operation: str, code: str, message: str = "", status: int = 400) -> boto.ClientError:
    answer: Any = {"Error": {"Code": code, "Message": message}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return boto.ClientError(answer, operation)


def test_the_policy_allows_what_is_used_and_nothing_else() -> None:
    (statement,) = policy()["Statement"]
    assert statement["Action"] == [f"{service}:{operation}" for operation, service in OPERATIONS.items()]
    assert statement["Effect"] == "Allow"


def test_what_is_not_listed_cannot_be_called() -> None:
    aws = Aws()
    with pytest.raises(KeyError):
        aws.access().call("TerminateServiceJob", jobId="a")
    assert aws.asked == []


def test_clients_of_aws_are_touched_in_one_file_only() -> None:
    for file in Path(package.__file__).parent.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert file.name == "access.py" or not any(word in text for word in ("boto3.", "import boto", "_clients"))


def test_requests_keep_to_the_rate_and_lookups_to_what_cloudtrail_takes() -> None:
    aws = Aws()
    for _ in range(4):
        aws.says("ListQuotaShares", {"quotaShares": []})
        aws.says("LookupEvents", {"Events": []})
    access = aws.access(rate=10)
    for operation, parameters, seconds in (("ListQuotaShares", {"jobQueue": "q"}, 0.1), ("LookupEvents", {}, 0.5)):
        aws.clock.slept.clear()
        for _ in range(4):
            access.call(operation, **parameters)
        assert aws.clock.slept == pytest.approx([seconds] * 3)


@pytest.mark.parametrize(
    ("code", "message", "status"),
    [
        ("ThrottlingException", "Rate exceeded", 400),
        ("TooManyRequestsException", "Too Many Requests", 429),
        ("ClientException", "Too Many Requests", 400),
        ("ClientException", "", 429),
    ],
)
def test_a_throttled_request_waits_longer_each_time_and_is_sent_again(code: str, message: str, status: int) -> None:
    aws = Aws()
    for _ in range(3):
        aws.fails("ListQuotaShares", code, message, status)
    aws.says("ListQuotaShares", {"quotaShares": []})
    assert aws.access().call("ListQuotaShares", jobQueue="q") == {"quotaShares": []}
    assert [s for s in aws.clock.slept if s >= 1] == [1, 2, 4]
    aws.done()


def test_throttling_without_end_is_one_message() -> None:
    aws = Aws()
    for _ in range(7):
        aws.fails("ListQuotaShares", "ThrottlingException", "Rate exceeded")
    with pytest.raises(InputError) as caught:
        aws.access().call("ListQuotaShares", jobQueue="q")
    assert caught.value.what == "AWS throttles the requests, again and again"
    assert caught.value.where == "aws batch list-quota-shares"
    assert sum(aws.clock.slept) >= 63
    aws.done()


def test_a_list_that_never_ends_is_left() -> None:
    aws = Aws()
    for _ in range(2):
        aws.says("ListQuotaShares", {"quotaShares": [], "nextToken": "t"})
    with pytest.raises(InputError, match="the same page again and again"):
        list(aws.access().pages("ListQuotaShares", jobQueue="q"))


@pytest.mark.parametrize(
    ("code", "message", "status", "what", "fix"),
    [
        ("AccessDeniedException", "User x is not authorized", 403, "AWS refuses it", "have batch:GetJobQueueSnapshot allowed"),
        ("ExpiredTokenException", "", 403, "the credentials have expired", "aws sso login"),
        ("UnrecognizedClientException", "", 403, "does not accept the credentials", "--profile"),
        ("InvalidSignatureException", "Signature expired: 2026 is", 403, "the clock of this machine", "set the clock"),
        ("RequestTimeTooSkewed", "", 403, "the clock of this machine", "set the clock"),
        ("InvalidSignatureException", "does not match", 403, "does not accept the credentials", "--profile"),
        ("OptInRequired", "", 403, "is not enabled", "--region"),
        ("ServerException", "", 500, "AWS failed to answer", "run the same command again"),
        ("ClientException", "Quota is odd", 400, "AWS refuses the request: Quota is odd", "check the queue"),
    ],
)  # fmt: skip
def test_each_answer_of_aws_that_is_none_says_what_to_do(
    code: str, message: str, status: int, what: str, fix: str
) -> None:
    error = explained(failing("GetJobQueueSnapshot", code, message, status), "GetJobQueueSnapshot")
    assert what in error.what
    assert fix in error.fix
    assert code in error.why
    assert error.where == "aws batch get-job-queue-snapshot"
    assert isinstance(error, Denied) == (code == "AccessDeniedException")


@pytest.mark.parametrize(
    ("error", "what", "fix"),
    [
        (boto.NoCredentialsError(), "there are no credentials", "aws configure"),
        (boto.PartialCredentialsError(provider="env", cred_var="x"), "incomplete", "--profile"),
        (boto.NoRegionError(), "no Region is set", "--region us-east-1"),
        (boto.ProfileNotFound(profile="x"), "no such profile", "list-profiles"),
        (boto.UnauthorizedSSOTokenError(), "the sign-in has expired", "aws sso login"),
        (boto.TokenRetrievalError(provider="sso", error_msg="x"), "the sign-in has expired", "aws sso login"),
        (boto.EndpointConnectionError(endpoint_url="https://x"), "AWS cannot be reached", "HTTPS_PROXY"),
        (boto.ConnectTimeoutError(endpoint_url="https://x"), "AWS cannot be reached", "HTTPS_PROXY"),
        (boto.ReadTimeoutError(endpoint_url="https://x"), "did not answer in time", "HTTPS_PROXY"),
        (boto.ProxyConnectionError(proxy_url="https://x"), "AWS cannot be reached", "HTTPS_PROXY"),
        (boto.SSLError(endpoint_url="https://x", error="x"), "is not trusted", "AWS_CA_BUNDLE"),
        (boto.ConnectionClosedError(endpoint_url="https://x"), "broke off", "HTTPS_PROXY"),
        (boto.ParamValidationError(report="odd"), "boto3 failed", "run the same command again"),
    ],
)
def test_each_failure_before_an_answer_says_what_to_do(error: Exception, what: str, fix: str) -> None:
    told = explained(error, "LookupEvents")
    assert what in told.what
    assert fix in told.fix
    assert told.where == "aws cloudtrail lookup-events"


def test_every_operation_is_named_as_the_cli_calls_it() -> None:
    assert [command(o) for o in OPERATIONS][::7] == ["aws batch describe-job-queues", "aws cloudtrail lookup-events"]


def test_an_older_boto3_is_named() -> None:
    class Older:
        """A client without quota shares."""

    with pytest.raises(InputError, match="does not know ListQuotaShares"):
        Access({"batch": Older()}, clock=Clock().sleep).call("ListQuotaShares", jobQueue="q")  # type: ignore[arg-type]


def test_without_boto3_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(InputError) as caught:
        connect()
    assert "pip install 'boto3>=1.42.72'" in caught.value.fix


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which AWS is not set up."""
    for name in ("AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID",
                 "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                 "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_WEB_IDENTITY_TOKEN_FILE"):  # fmt: skip
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.mark.usefixtures("nobody")
def test_boto3_itself_says_what_is_missing() -> None:
    with pytest.raises(InputError, match="no Region is set"):
        connect()
    with pytest.raises(InputError, match="there is no such profile"):
        connect(region="us-east-1", profile="nosuch")
    with pytest.raises(InputError, match="there are no credentials for AWS"):
        connect(region="us-east-1").call("ListQuotaShares", jobQueue="q")
