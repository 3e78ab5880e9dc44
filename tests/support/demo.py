"""AWS's walkthrough as AWS records it (examples/history), to be corrupted record by record and written to a folder again."""

from __future__ import annotations

import copy
import json
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "history"
DAY = "2026-11-02T"
HIGH, MED, LOW = (f"a000000{i}-1111-4aaa-8aaa-00000000000{i}" for i in (1, 2, 3))
OWNER = "b0000001-2222-4bbb-8bbb-000000000001"
NAMES = {HIGH: "qs1_job_high", MED: "qs1_job_med", LOW: "qs1_job_low", OWNER: "qs2_job_1"}
UNIT = "ml.g5.xlarge"
ARN = "arn:aws:batch:us-east-1:123456789012:"
CROSS = "PREEMPTION_IN_PROGRESS: Cross-share preemption triggered to reclaim borrowed capacity"


def at(clock: str) -> str:
    """The time of the walkthrough's day at hh:mm:ss, as AWS writes it."""
    return f"{DAY}{clock}Z"


class Demo:
    """The records by kind: `events` of EventBridge, `calls` of CloudTrail, `answers` of describe and list calls by file."""

    def __init__(self) -> None:
        self.events, self.calls, self.answers = [], [], {}
        for path in sorted(EXAMPLE.rglob("*json")):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".ndjson":
                for record in map(json.loads, text.splitlines()):
                    (self.events if "detail-type" in record else self.calls).append(record)
            else:
                self.answers[path.relative_to(EXAMPLE).as_posix()] = json.loads(text)

    def write(self, folder: Path) -> list[str]:
        """Write all records; the path to read."""
        for name, records in (("events.ndjson", self.events), ("calls.ndjson", self.calls)):
            (folder / name).write_text("".join(f"{json.dumps(r)}\n" for r in records), encoding="utf-8")
        for name, answer in self.answers.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(json.dumps(answer), encoding="utf-8")
        return [str(folder)]

    def call(self, name: str, **wanted: object) -> dict:
        """The first CloudTrail record of an operation whose parameters have these values."""
        return next(
            c for c in self.calls
            if c["eventName"] == name and all(c["requestParameters"].get(k) == v for k, v in wanted.items())
        )  # fmt: skip

    def share(self, name: str, **fields: object) -> None:
        """Configure a share otherwise: in its creation and in every list of shares."""
        self.call("CreateQuotaShare", quotaShareName=name)["requestParameters"].update(copy.deepcopy(fields))
        for answer in self.answers.values():
            for share in answer.get("quotaShares", ()):
                if share["quotaShareName"] == name:
                    share.update(copy.deepcopy(fields))

    def capacity(self, n: int) -> None:
        """Another capacity of the environment."""
        for answer in self.answers.values():
            for environment in answer.get("serviceEnvironments", ()):
                environment["capacityLimits"] = [{"maxCapacity": n, "capacityUnit": UNIT}]

    def size(self, job: str, n: int) -> None:
        """A job of n machines."""
        for found in self.found(job):
            found["capacityUsage"] = [{"capacityUnit": UNIT, "quantity": float(n)}]
            if "serviceRequestPayload" in found:
                payload = json.loads(found["serviceRequestPayload"])
                payload["ResourceConfig"]["InstanceCount"] = n
                found["serviceRequestPayload"] = json.dumps(payload)

    def found(self, job: str) -> list[dict]:
        """Every answer, and every entry of a list, about a job."""
        entries = [e for a in self.answers.values() for e in (a, *a.get("jobSummaryList", ()))]
        return [e for e in entries if e.get("jobId") == job]

    def described(self, job: str) -> list[dict]:
        """Every answer of describe-service-job for a job."""
        return [a for a in self.answers.values() if a.get("jobId") == job and "jobArn" in a]

    def administer(self, clock: str, name: str, **parameters: object) -> None:
        """A call of an administrator or user."""
        call = copy.deepcopy(self.calls[0])
        call |= {"eventTime": at(clock), "eventName": name, "requestParameters": parameters, "responseElements": {}}
        self.calls.append(call)

    def of(self, job: str, what: str) -> dict:
        """The first event of a job: its status in a state change, or Started or Completed of its preemption."""
        for event in self.events:
            mine = any(r.endswith(job) for r in event["resources"])
            kind = event["detail-type"]
            if mine and (kind.endswith(what) or (kind.endswith("State Change") and event["detail"]["status"] == what)):
                return event
        raise LookupError(f"{NAMES[job]} {what}")

    def shift(self, job: str, what: str, clock: str) -> None:
        """Another time for an event."""
        self.of(job, what)["time"] = at(clock)

    def drop(self, job: str, what: str) -> None:
        """An event that was not recorded."""
        self.events.remove(self.of(job, what))

    def move(self, job: str, status: str, clock: str) -> None:
        """A state change that did not happen."""
        event = copy.deepcopy(self.of(HIGH, "RUNNABLE"))
        text = json.dumps(event).replace(HIGH, job).replace(NAMES[HIGH], NAMES[job])
        event = json.loads(text)
        event["id"] = f"corrupt-{len(self.events)}"
        event["time"] = at(clock)
        event["detail"]["status"] = status
        self.events.append(event)

    def stop(self, job: str, clock: str, reason: str = CROSS) -> None:
        """A preemption that began without a cause."""
        event = json.loads(json.dumps(self.of(MED, "Started")).replace(MED, job))
        event["id"] = f"corrupt-{len(self.events)}"
        event["time"] = at(clock)
        event["detail"]["statusReason"] = reason
        self.events.append(event)
