"""CloudTrail's records about one queue: who submitted, reprioritised and stopped jobs, and who changed limits.

CloudTrail finds events by one attribute, so each name is looked up for itself, submissions first: a request that names
only a job counts when the job is the queue's. Trusted: nothing; a record that cannot be read is counted, not guessed at.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from . import keep
from .access import Access

EVENTS = (
    "SubmitServiceJob",
    "UpdateServiceJob",
    "TerminateServiceJob",
    "TerminateServiceJobs",
    "CreateServiceEnvironment",
    "CreateJobQueue",
    "CreateQuotaShare",
    "UpdateQuotaShare",
    "DeleteQuotaShare",
    "UpdateServiceEnvironment",
    "UpdateJobQueue",
)
"""What changes a queue or its jobs, submissions first."""

KEPT_FOR = 90 * 24 * 3600 * 1000
"""How long CloudTrail keeps its event history, in milliseconds."""


@dataclass
class Requests:
    """What CloudTrail says about a queue."""

    queue: str
    """Its name."""
    environments: Collection[str]
    """Names of its service environments."""
    jobs: set[str]
    """Ids of its jobs; submissions add theirs."""
    known: set[str] = field(default_factory=set[str])
    """Ids of records that are kept already."""
    found: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    """New records, without what is not kept."""
    others: int = 0
    """Records about other queues, or about jobs that nothing says are this queue's."""
    unreadable: int = 0

    def look_up(self, access: Access, name: str, begin: int, end: int) -> None:
        """Read the events of one name from `begin` to `end`, in milliseconds. Raises InputError."""
        pages = access.pages(
            "LookupEvents",
            LookupAttributes=[{"AttributeKey": "EventName", "AttributeValue": name}],
            StartTime=datetime.fromtimestamp(begin / 1000, UTC),
            EndTime=datetime.fromtimestamp(end / 1000, UTC),
            MaxResults=50,
        )
        for page in pages:
            for event in page.get("Events", []):
                self._take(event.get("CloudTrailEvent"))

    def _take(self, text: Any) -> None:
        try:
            record = json.loads(text)
            identity, service = record["eventID"], record["eventSource"]
        except (KeyError, TypeError, ValueError, RecursionError):
            self.unreadable += 1
            return
        if service != "batch.amazonaws.com" or identity in self.known:
            return
        self.known.add(identity)
        asked = _object(record, "requestParameters")
        if not self._about_us(asked):
            self.others += 1
            return
        self.jobs.update(_jobs(_object(record, "responseElements")))
        self.found.append(keep.record(record))

    def _about_us(self, asked: Mapping[str, Any]) -> bool:
        queue = asked.get("jobQueue", asked.get("jobQueueName"))
        environment = asked.get("serviceEnvironment", asked.get("serviceEnvironmentName"))
        if queue is not None:
            return _name(queue) == self.queue
        if environment is not None:
            return _name(environment) in self.environments
        if "quotaShareArn" in asked:
            return f":job-queue/{self.queue}/quota-share/" in str(asked["quotaShareArn"])
        return any(job in self.jobs for job in _jobs(asked))


def _object(record: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = record.get(name)
    return value if isinstance(value, dict) else {}


def _jobs(tree: Mapping[str, Any]) -> Iterator[str]:
    """Ids of the jobs that a request or its answer names: `jobId`, or `jobs` of a request about several."""
    several = tree.get("jobs")
    for job in (tree.get("jobId"), *(several if isinstance(several, list) else ())):
        if isinstance(job, str):
            yield _name(job)


def _name(text: object) -> str:
    """The last part of an ARN, or the name itself."""
    return str(text).rsplit("/", 1)[-1]
