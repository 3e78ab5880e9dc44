"""The only way to AWS: the operations that are used, each with its service, at a bounded rate. All of them read.

An operation that is not in `OPERATIONS` cannot be called, and the IAM policy that is asked for is made from the same
table. botocore retries what it knows as throttling; Batch also says it with errors that botocore takes for final
(ClientException, status 429), so those are waited out here. Trusted: that AWS's operations named Describe, List, Get and
Lookup change nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from ...spec.formats.errors import InputError
from .failures import command, explained, not_installed, throttled, too_old

OPERATIONS: Mapping[str, str] = {
    "DescribeJobQueues": "batch",
    "DescribeServiceEnvironments": "batch",
    "DescribeSchedulingPolicies": "batch",
    "ListQuotaShares": "batch",
    "GetJobQueueSnapshot": "batch",
    "ListServiceJobs": "batch",
    "DescribeServiceJob": "batch",
    "LookupEvents": "cloudtrail",
}
"""Operation -> service."""

RATE = 5.0
"""Requests per second where nothing else is asked for: others use the same account."""
_MOST: Mapping[str, float] = {"cloudtrail": 2.0}
"""Service -> requests per second that AWS takes of one account and Region, whoever asks."""
_WAITS = (1, 2, 4, 8, 16, 32)
"""Seconds to wait after a request that AWS throttled, botocore's own retries done."""

Answer = dict[str, Any]


class Access:
    """AWS, as far as it is used. `clients` is a client of boto3 for each service."""

    def __init__(
        self,
        clients: Mapping[str, Any],
        *,
        rate: float = RATE,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clients = clients
        self._sleep = sleep
        self._clock = clock
        self._every = {s: 1 / min(rate, _MOST.get(s, rate)) for s in clients}
        self._next = dict.fromkeys(clients, 0.0)

    @property
    def region(self) -> str:
        """The Region that is asked."""
        return self._clients["batch"].meta.region_name

    def call(self, operation: str, **parameters: Any) -> Answer:
        """One answer of AWS. Raises InputError where there is none, KeyError for an operation that is not listed."""
        client = self._clients[OPERATIONS[operation]]
        method = getattr(client, import_module("botocore").xform_name(operation), None)
        if method is None:
            raise too_old(operation)
        for wait in (*_WAITS, None):
            self._pace(OPERATIONS[operation])
            try:
                answer: Answer = method(**parameters)
            except _failures() as error:
                if wait is None or not throttled(error):
                    raise explained(error, operation) from error
                self._sleep(wait)
            else:
                answer.pop("ResponseMetadata", None)
                return answer
        raise AssertionError("the last try has no wait")

    def pages(self, operation: str, **parameters: Any) -> Iterator[Answer]:
        """Every page of a list. Raises what `call` raises."""
        token = "NextToken" if OPERATIONS[operation] == "cloudtrail" else "nextToken"
        given: set[str] = set()
        while True:
            page = self.call(operation, **parameters)
            following = page.pop(token, None)
            yield page
            if not following:
                return
            if following in given:
                raise InputError(
                    "AWS gives the same page again and again",
                    where=command(operation),
                    why="The list would never end.",
                    fix="run the same command again; what was read stays.",
                )
            given.add(following)
            parameters[token] = following

    def _pace(self, service: str) -> None:
        """Wait until the service may be asked again."""
        early = self._next[service] - self._clock()
        if early > 0:
            self._sleep(early)
        self._next[service] = max(self._clock(), self._next[service]) + self._every[service]


def connect(*, region: str | None = None, profile: str | None = None, rate: float = RATE) -> Access:
    """AWS as boto3 finds it: environment, profiles, roles. Raises InputError; no request is made yet."""
    try:
        boto3 = import_module("boto3")
        config = import_module("botocore.config").Config(
            retries={"mode": "standard", "max_attempts": 5}, connect_timeout=10, user_agent_extra="quotaproof"
        )
    except ImportError as error:
        raise not_installed() from error
    try:
        session = boto3.Session(region_name=region, profile_name=profile)
        clients = {s: session.client(s, config=config) for s in dict.fromkeys(OPERATIONS.values())}
    except _failures() as error:
        raise explained(error, "") from error
    return Access(clients, rate=rate)


def policy() -> Mapping[str, Any]:
    """The IAM policy that allows what is used and nothing else."""
    allowed = [f"{service}:{operation}" for operation, service in OPERATIONS.items()]
    statement = {"Sid": "QuotaproofPull", "Effect": "Allow", "Action": allowed, "Resource": "*"}
    return {"Version": "2012-10-17", "Statement": [statement]}


def _failures() -> tuple[type[Exception], ...]:
    """What boto3 raises."""
    exceptions = import_module("botocore.exceptions")
    return exceptions.ClientError, exceptions.BotoCoreError
