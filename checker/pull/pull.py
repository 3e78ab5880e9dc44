"""A pull: the queue's configuration, its own view, its jobs, and the requests about them, from AWS into a folder.

Configuration is read whole before any of it is written. A job that had ended when it was last described is not described
again, and CloudTrail is read from where the last pull came to, so a pull that was interrupted goes on when it is run
again. Trusted: `folder` for what is there already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...spec.formats.errors import InputError, listed, nearest
from . import folder as layout
from . import keep
from .access import Access
from .failures import command, no_such_job
from .folder import Folder, State
from .requests import EVENTS, KEPT_FOR, Requests

ENDED = frozenset(("SUCCEEDED", "FAILED"))
_LATE = 3600 * 1000
"""Milliseconds that are looked up again: CloudTrail shows events minutes after they happened."""

Tree = Mapping[str, Any]
Progress = Callable[[str, int, int], None]
"""Told what is being read, how many of it are done, and how many there are (0: not known)."""


@dataclass(frozen=True)
class Pulled:
    """What one pull did."""

    queue: str
    region: str
    since: int
    at: int
    shares: int
    changed: bool
    """The configuration is another one than the last pull found."""
    jobs: int
    """Jobs that were alive at some time since `since`."""
    described: int
    requests: int
    """CloudTrail records that are new in the folder."""
    notes: tuple[str, ...] = ()
    """What is missing, and why: one sentence each."""


def pull(access: Access, queue: str, root: Folder, *, since: int, now: int, progress: Progress) -> Pulled:
    """Read the queue of this name or ARN; times are in milliseconds. Raises InputError; what was written stays."""
    configuration = _configuration(access, queue)
    found = configuration[layout.QUEUES]["jobQueues"][0]
    state = root.state(found["jobQueueArn"])
    changed = _write_configuration(root, state, configuration, now)
    root.write(layout.snapshot_file(now), access.call("GetJobQueueSnapshot", jobQueue=found["jobQueueArn"]))
    done = Pulled(
        queue=found["jobQueueName"],
        region=access.region,
        since=since,
        at=now,
        shares=len(configuration[layout.SHARES]["quotaShares"]),
        changed=changed,
        jobs=0,
        described=0,
        requests=0,
    )
    environments = [e["serviceEnvironmentName"] for e in configuration[layout.ENVIRONMENTS]["serviceEnvironments"]]
    every, done = _jobs(access, found["jobQueueArn"], root, done, progress)
    asked = Requests(done.queue, environments, every, {r["eventID"] for r in root.lines(layout.REQUESTS)})
    done = _requests(access, asked, root, state, done, progress)
    counts = {name: getattr(done, name) for name in ("at", "since", "jobs", "described", "requests")}
    root.save(replace(state, pulls=[*state.pulls, counts]))
    return done


def _configuration(access: Access, queue: str) -> dict[str, Any]:
    """The four answers that say how the queue is configured, by the file that each goes to."""
    queues = layout.joined(access.pages("DescribeJobQueues", jobQueues=[queue]), "jobQueues")
    if not queues["jobQueues"]:
        raise _no_such_queue(access, queue)
    found = queues["jobQueues"][0]
    policies = [found["schedulingPolicyArn"]] if found.get("schedulingPolicyArn") else []
    policy = access.call("DescribeSchedulingPolicies", arns=policies) if policies else {"schedulingPolicies": []}
    environments = [e["serviceEnvironment"] for e in found.get("serviceEnvironmentOrder", [])]
    if not environments or not any("quotaSharePolicy" in p for p in policy["schedulingPolicies"]):
        raise _no_shares(queue, "its scheduling policy is none for quota shares" if environments else
                         "it has no service environment")  # fmt: skip
    shares = layout.joined(access.pages("ListQuotaShares", jobQueue=found["jobQueueArn"]), "quotaShares")
    if not shares["quotaShares"]:
        raise _no_shares(queue, "the list of its quota shares is empty")
    every = access.pages("DescribeServiceEnvironments", serviceEnvironments=environments)
    return {
        layout.QUEUES: queues,
        layout.ENVIRONMENTS: layout.joined(every, "serviceEnvironments"),
        layout.POLICIES: policy,
        layout.SHARES: shares,
    }


def _write_configuration(root: Folder, state: State, configuration: Mapping[str, Tree], now: int) -> bool:
    """Whether it differs from what is in the folder; that is put aside then."""
    root.save(state)
    older = {name: root.read(name) for name in configuration}
    changed = bool(state.configuration) and older != configuration
    if changed:
        root.keep_older(state.configuration)
    for name, answer in configuration.items():
        if answer != older[name]:
            root.write(name, answer)
    state.configuration = now
    root.save(state)
    return changed


def _jobs(access: Access, queue: str, root: Folder, done: Pulled, progress: Progress) -> tuple[set[str], Pulled]:
    """List every job that AWS still knows, keep and describe those that lived since `since`; the ids of all, and the
    counts."""
    summaries: list[Tree] = []
    # this filter makes AWS list jobs in every state, not only RUNNING ones; newest first
    filters = [{"name": "AFTER_CREATED_AT", "values": ["0"]}]
    for page in access.pages("ListServiceJobs", jobQueue=queue, filters=filters, maxResults=100):
        summaries += page["jobSummaryList"]
        progress("jobs listed", len(summaries), 0)
    lived = {s["jobId"]: s for s in summaries if _lived(s, done.since)}
    kept = layout.newest([root.read(layout.LIST), {"jobSummaryList": list(lived.values())}])
    root.write(layout.LIST, kept)
    described = gone = 0
    for number, summary in enumerate(lived.values(), 1):
        file = layout.job_file(summary)
        if summary["status"] not in ENDED or (root.read(file) or {}).get("status") not in ENDED:
            try:
                root.write(file, keep.job(access.call("DescribeServiceJob", jobId=summary["jobId"])))
                described += 1
            except InputError as error:
                if not no_such_job(error):
                    raise
                gone += 1
        progress("jobs described", number, len(lived))
    still = {s["jobId"] for s in summaries}
    lost = [s for s in kept["jobSummaryList"] if s["jobId"] not in still and s["status"] not in ENDED]
    notes = (
        *((f"{_jobs_of(gone)} had gone from AWS when the description was asked for",) if gone else ()),
        *((f"{_jobs_of(len(lost))} had not ended when last seen, and AWS no longer lists: how that ended is not known",)
          if lost else ()),
    )  # fmt: skip
    every = still | {s["jobId"] for s in kept["jobSummaryList"]}
    return every, replace(done, jobs=len(lived), described=described, notes=notes)


def _lived(summary: Tree, since: int) -> bool:
    """Whether a job was alive at some time since then, as far as is known."""
    return summary["status"] not in ENDED or summary.get("stoppedAt", since) >= since


def _requests(access: Access, asked: Requests, root: Folder, state: State, done: Pulled, progress: Progress) -> Pulled:
    """Look up what people and programs asked of AWS, from where the last pull came to."""
    notes = done.notes
    begin = done.since
    if begin < done.at - KEPT_FOR:
        begin = done.at - KEPT_FOR
        notes = (*notes, "requests of more than 90 days ago are not in CloudTrail's event history: a trail in S3 may "
                 "have them")  # fmt: skip
    first, last = state.requests
    goes_on = first <= begin <= last
    start = max(begin, last - _LATE) if goes_on else begin
    for number, name in enumerate(EVENTS, 1):
        asked.look_up(access, name, start, done.at)
        progress("kinds of requests", number, len(EVENTS))
    if asked.found:
        root.write_lines(layout.requests_file(done.at), sorted(asked.found, key=lambda r: str(r.get("eventTime"))))
    state.requests = (first if goes_on else begin, done.at)
    if asked.others:
        notes = (*notes, f"requests left out: {asked.others}, about other queues or about jobs that nothing says are "
                 "this queue's")  # fmt: skip
    if asked.unreadable:
        notes = (*notes, f"CloudTrail's records that cannot be read, left out: {asked.unreadable}")
    return replace(done, requests=len(asked.found), notes=notes)


def _jobs_of(number: int) -> str:
    return "1 job" if number == 1 else f"{number} jobs"


def _no_such_queue(access: Access, queue: str) -> InputError:
    names = [q["jobQueueName"] for page in access.pages("DescribeJobQueues") for q in page["jobQueues"]]
    close = nearest(queue.rsplit("/", 1)[-1], names)
    fix = f"did you mean {close}?" if close else f"its job queues are {listed(names)}."
    return InputError(
        f"there is no job queue {queue}",
        where=command("DescribeJobQueues"),
        why=f"This account has {len(names)} job queues in {access.region}.",
        fix=fix if names else "correct --region or --profile; queues of another Region or account are not seen here.",
    )


def _no_shares(queue: str, why: str) -> InputError:
    return InputError(
        f"{queue} is no queue with quota shares: {why}",
        where=command("ListQuotaShares"),
        why="There is nothing to verify or to audit: what quotaproof knows is how quota shares lend and borrow.",
        fix="name a queue that has quota shares.",
    )
