"""The folder that `pull` fills, and that verify, audit, why and status read.

    DIR/describe-job-queues.json              the queue's configuration as it is now, for `quotaproof verify DIR`:
        describe-service-environments.json    answers of the AWS CLI, pages joined
        describe-scheduling-policies.json
        list-quota-shares.json
    DIR/history/                              what happened, for `quotaproof audit DIR`
        list-service-jobs.json                every job that lived since --since of any pull, as AWS listed it last
        jobs/DAY/describe-service-job-ID.json one file a job, by the day on which it was made; as it was last
        snapshots/get-job-queue-snapshot-TIME.json
                                              the queue's own view, one each pull
        cloudtrail/lookup-events-TIME.ndjson  requests of people and programs, one CloudTrail record a line, each once
        configuration/TIME/...                the configuration that an older pull found, where it has changed since;
                                              TIME is when it was last seen
        events/...                            exports of EventBridge's events, which pull cannot read: see DIR/setup
    DIR/setup/                                what --setup writes
    DIR/.pull.state                           what was done, so that the next pull goes on from there

Every file is written under another name and renamed, so there is never half of one. TIME is UTC. Trusted: the names of
files; `.pull.state` says whose they are.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...spec.formats.errors import InputError

STATE = ".pull.state"
HISTORY = "history"
QUEUES = "describe-job-queues.json"
ENVIRONMENTS = "describe-service-environments.json"
POLICIES = "describe-scheduling-policies.json"
SHARES = "list-quota-shares.json"
CONFIGURATION = (QUEUES, ENVIRONMENTS, POLICIES, SHARES)
LIST = f"{HISTORY}/list-service-jobs.json"
REQUESTS = f"{HISTORY}/cloudtrail"
_PART = ".part"

Tree = dict[str, Any]


@dataclass
class State:
    """What earlier pulls did. Times are milliseconds since 1970, UTC."""

    queue: str
    """ARN."""
    configuration: int = 0
    """When the configuration in the folder was last seen; 0: never."""
    requests: tuple[int, int] = (0, 0)
    """From when to when CloudTrail was read; (0, 0): not yet."""
    pulls: list[Tree] = field(default_factory=list[Tree])
    """One entry for each pull that came to its end."""


@dataclass(frozen=True)
class Folder:
    """A folder on disk. Everything raises InputError where it cannot be read or written."""

    root: Path

    def state(self, queue: str) -> State:
        """What was done here for the queue with this ARN; nothing, for a new folder."""
        found = self.read(STATE)
        if found is None:
            self._refuse_strangers()
            return State(queue)
        try:
            begin, end = found["requests"]
            state = State(found["queue"], int(found["configuration"]), (int(begin), int(end)), list(found["pulls"]))
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged(STATE) from error
        if state.queue != queue:
            raise InputError(
                f"the folder holds another queue, {state.queue}",
                where=str(self.root),
                why="The histories of two queues in one folder would be judged as one.",
                fix="name another folder with -o.",
            )
        return state

    def save(self, state: State) -> None:
        """Write down what was done."""
        self.write(STATE, asdict(state))

    def keep_older(self, seen: int) -> None:
        """Put the configuration that was last seen at `seen` aside, since it has changed. What an interrupted pull has put
        there stays: the file here may be a newer one by now."""
        for name in CONFIGURATION:
            aside = f"{HISTORY}/configuration/{stamp(seen)}/{name}"
            older = self.read(name)
            if older is not None and self.read(aside) is None:
                self.write(aside, older)

    def read(self, name: str) -> Tree | None:
        """The object in a file; None when there is no such file."""
        try:
            value = json.loads((self.root / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError) as error:
            raise self._damaged(name) from error
        except OSError as error:
            raise _failed(self.root / name, "read", error) from error
        if not isinstance(value, dict):
            raise self._damaged(name)
        return value

    def lines(self, folder: str) -> Iterator[Tree]:
        """Every object in the NDJSON files of a folder."""
        for path in sorted((self.root / folder).glob("*.ndjson")):
            try:
                yield from (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line)
            except ValueError as error:
                raise self._damaged(str(path.relative_to(self.root))) from error
            except OSError as error:
                raise _failed(path, "read", error) from error

    def write(self, name: str, value: Mapping[str, Any]) -> None:
        """Write a file of JSON, whole or not at all."""
        self.write_text(name, f"{json.dumps(value, indent=2)}\n")

    def write_lines(self, name: str, values: Iterable[Mapping[str, Any]]) -> None:
        """Write a file of NDJSON, whole or not at all."""
        self.write_text(name, "".join(f"{json.dumps(value)}\n" for value in values))

    def write_text(self, name: str, text: str) -> None:
        """Write a text file, whole or not at all."""
        path = self.root / name
        part = path.with_name(f".{path.name}.{os.getpid()}{_PART}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.replace(path)
        except OSError as error:
            raise _failed(path, "written", error) from error
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def _refuse_strangers(self) -> None:
        """Raises InputError when files stand here that pull would replace and did not write."""
        there = [name for name in CONFIGURATION if (self.root / name).exists()]
        if there:
            raise InputError(
                f"{there[0]} stands there already, and no pull has written it",
                where=str(self.root),
                why="It would be replaced.",
                fix="name an empty folder with -o.",
            )

    def _damaged(self, name: str) -> InputError:
        return InputError(
            "the file cannot be read as what pull writes",
            where=str(self.root / name),
            why="Somebody has changed it, or the disk has.",
            fix="delete the file and run the same command again, or name an empty folder with -o.",
        )


def job_file(job: Mapping[str, Any]) -> str:
    """Where a job is kept: the day on which it was made never changes."""
    made = job.get("createdAt")
    day = datetime.fromtimestamp(made / 1000, UTC).strftime("%Y-%m-%d") if isinstance(made, int) else "no-day"
    return f"{HISTORY}/jobs/{day}/describe-service-job-{re.sub(r'[^A-Za-z0-9-]', '_', job['jobId'])}.json"


def snapshot_file(at: int) -> str:
    """Where the queue's own view at a time is kept."""
    return f"{HISTORY}/snapshots/get-job-queue-snapshot-{stamp(at)}.json"


def requests_file(at: int) -> str:
    """Where the CloudTrail records that a pull found are kept."""
    return f"{REQUESTS}/lookup-events-{stamp(at)}.ndjson"


def joined(pages: Iterable[Mapping[str, Any]], key: str) -> Tree:
    """The pages of a list as the AWS CLI puts them together."""
    return {key: [item for page in pages for item in page.get(key, [])]}


def newest(lists: Sequence[Mapping[str, Any] | None]) -> Tree:
    """Lists of jobs as one: each job once, as the last list has it."""
    jobs: dict[str, Any] = {}
    for every in lists:
        jobs |= {job["jobId"]: job for job in (every or {}).get("jobSummaryList", [])}
    return {"jobSummaryList": list(jobs.values())}


def stamp(at: int) -> str:
    """A time as names of files have it, so that they sort."""
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y%m%dT%H%M%SZ")


def _failed(path: Path, what: str, error: OSError) -> InputError:
    return InputError(
        f"cannot be {what}: {(error.strerror or 'the disk refuses').lower()}",
        where=str(path),
        why="What was read so far stays.",
        fix="make room or permission for it, or name another folder with -o.",
    )
