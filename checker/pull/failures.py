"""What boto3 raises, in words for the person at the keyboard: what, why, and what to do next.

Told by the class's name for failures before AWS answers, and by the error code for AWS's own. Trusted: nothing; what no
table knows is shown in AWS's words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ...spec.formats.errors import InputError


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_THROTTLED = _words(
    "Throttling ThrottlingException ThrottledException RequestThrottled RequestThrottledException "
    "TooManyRequestsException RequestLimitExceeded LimitExceededException SlowDown"
)
_SAYS_THROTTLED = re.compile(r"too many requests|rate exceeded|throttl", re.IGNORECASE)
_DENIED = _words("AccessDenied AccessDeniedException UnauthorizedOperation NotAuthorized")
_EXPIRED = _words("ExpiredToken ExpiredTokenException TokenRefreshRequired")
_UNKNOWN_KEY = _words(
    "UnrecognizedClientException InvalidClientTokenId InvalidAccessKeyId AuthFailure InvalidToken "
    "MissingAuthenticationToken MissingAuthenticationTokenException IncompleteSignature SignatureDoesNotMatch "
    "InvalidSignatureException"
)
_SKEWED = _words("RequestTimeTooSkewed RequestExpired")
_SAYS_SKEWED = re.compile(r"signature (expired|not yet current)|request.{0,40}too (skewed|old)", re.IGNORECASE)
_NOT_ENABLED = _words("OptInRequired SubscriptionRequiredException")

_SIGN_IN = "sign in (`aws sso login`, `aws configure`), or name another profile with --profile."
_REACH = "check the connection, the proxy (HTTPS_PROXY) and the Region, then run the same command again."
_AGAIN = "run the same command again later; what was read stays, and it goes on from there."

_BEFORE_AN_ANSWER: Mapping[str, tuple[str, str, str]] = {
    "NoCredentialsError": ("there are no credentials for AWS", "Nothing can be read without them.", _SIGN_IN),
    "PartialCredentialsError": ("the credentials for AWS are incomplete", "A key without its other part is none.", _SIGN_IN),
    "NoRegionError": (
        "no Region is set",
        "A queue belongs to one Region, and a guess could read another queue of the same name.",
        "add --region, such as --region us-east-1.",
    ),
    "InvalidRegionError": ("there is no such Region", "Nothing was read.", "correct --region, such as us-east-1."),
    "ProfileNotFound": ("there is no such profile", "Nothing was read.",
                        "`aws configure list-profiles` lists those there are."),
    "SSOError": ("the sign-in has expired, or there was none", "AWS takes no request without it.", _SIGN_IN),
    "TokenRetrievalError": ("the sign-in has expired", "AWS takes no request without it.", _SIGN_IN),
    "NoAuthTokenError": ("the sign-in has expired, or there was none", "AWS takes no request without it.", _SIGN_IN),
    "LoginError": ("the sign-in has expired, or there was none", "AWS takes no request without it.", _SIGN_IN),
    "CredentialRetrievalError": ("the credentials for AWS cannot be had", "Their provider failed.", _SIGN_IN),
    "EndpointConnectionError": ("AWS cannot be reached", "No connection could be made.", _REACH),
    "ConnectTimeoutError": ("AWS cannot be reached", "It did not answer in time.", _REACH),
    "ReadTimeoutError": ("AWS did not answer in time", "The request was sent, no answer came.", _REACH),
    "SSLError": ("the connection to AWS is not trusted", "Its certificate could not be checked.",
                 "check the clock and the certificates (AWS_CA_BUNDLE), then run the same command again."),
    "HTTPClientError": ("the connection to AWS broke off", "No answer came.", _REACH),
    "ConnectionError": ("AWS cannot be reached", "No connection could be made.", _REACH),
}  # fmt: skip
"""Class of botocore, or of one it derives from -> what, why, fix."""


class Denied(InputError):
    """AWS refuses an operation to these credentials."""


def command(operation: str) -> str:
    """An operation as the AWS CLI calls it, where it was asked for."""
    service = "cloudtrail" if operation == "LookupEvents" else "batch"
    return f"aws {service} {re.sub(r'(?<!^)(?=[A-Z])', '-', operation).lower()}" if operation else "AWS"


def throttled(error: Exception) -> bool:
    """Whether AWS only wants to be asked later."""
    code, status, message = _answer(error)
    return code in _THROTTLED or status == 429 or (code == "ClientException" and bool(_SAYS_THROTTLED.search(message)))


def no_such_job(error: InputError) -> bool:
    """Whether AWS says that it does not know a job: it has one word for everything, so its sentence decides."""
    return bool(re.search(r"not exist|not found|could not be found", error.what, re.IGNORECASE))


def explained(error: Exception, operation: str) -> InputError:
    """What boto3 raised, for people."""
    where = command(operation)
    for cls in type(error).__mro__:
        if cls.__name__ in _BEFORE_AN_ANSWER:
            what, why, fix = _BEFORE_AN_ANSWER[cls.__name__]
            return InputError(what, where=where, why=f"{why} ({error})", fix=fix)
    code, status, message = _answer(error)
    if not code:
        return InputError(f"boto3 failed: {error}", where=where, why="No answer came.", fix=_AGAIN)
    said = f"AWS says: {code}: {message}" if message else f"AWS says: {code}."
    if throttled(error):
        return InputError(
            "AWS throttles the requests, again and again",
            where=where,
            why=f"Others ask a lot in this account. {said}",
            fix="run the same command again with a lower --rate; it goes on from here.",
        )
    if code in _DENIED:
        service = "cloudtrail" if operation == "LookupEvents" else "batch"
        return Denied(
            "AWS refuses it to these credentials",
            where=where,
            why=said,
            fix=f"have {service}:{operation} allowed, then run the same command again; it goes on from here.",
        )
    if code in _SKEWED or _SAYS_SKEWED.search(message):
        return InputError(
            "the clock of this machine is wrong",
            where=where,
            why=f"AWS takes a request only within minutes of its time. {said}",
            fix="set the clock, then run the same command again.",
        )
    if code in _EXPIRED:
        return InputError(
            "the credentials have expired",
            where=where,
            why=said,
            fix=f"{_SIGN_IN[:-1]}, then run the same command again; it goes on from here.",
        )
    if code in _UNKNOWN_KEY:
        return InputError("AWS does not accept the credentials", where=where, why=said, fix=_SIGN_IN)
    if code in _NOT_ENABLED:
        return InputError(
            "the Region, or the service in it, is not enabled for this account",
            where=where,
            why=said,
            fix="correct --region, or have it enabled.",
        )
    if status >= 500:
        return InputError("AWS failed to answer", where=where, why=said, fix=_AGAIN)
    return InputError(
        f"AWS refuses the request: {message or code}",
        where=where,
        why=f"AWS says: {code}.",
        fix="check the queue, the Region and the profile.",
    )


def not_installed() -> InputError:
    """boto3 is an extra."""
    return InputError(
        "the Python package boto3 is missing or broken",
        where="quotaproof pull",
        why="It is what asks AWS; quotaproof does not need it otherwise.",
        fix="install quotaproof with the extra aws, or pip install 'boto3>=1.42.72'.",
    )


def too_old(operation: str) -> InputError:
    """Quota shares are in boto3 since 1.42.72."""
    return InputError(
        f"the installed boto3 does not know {operation}",
        where="quotaproof pull",
        why="It is older than what it is to ask for.",
        fix="pip install --upgrade 'boto3>=1.42.72'.",
    )


def _answer(error: Exception) -> tuple[str, int, str]:
    """Code, HTTP status and message of AWS's answer; empty where there was none."""
    response: Mapping[str, Any] = getattr(error, "response", None) or {}
    said = response.get("Error", {})
    status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return str(said.get("Code", "")), status if isinstance(status, int) else 0, str(said.get("Message", ""))
