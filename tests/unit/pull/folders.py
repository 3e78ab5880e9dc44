"""Pulls into a folder, and what lies there then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from quotaproof.checker.pull.folder import Folder
from quotaproof.checker.pull.pull import Pulled, pull

from ...support.aws import DAY, NOW, SECRET, Aws, record

SUBMITTED = record(
    "SubmitServiceJob",
    {"jobName": "a", "jobQueue": "gpu", "quotaShareName": "vision", "schedulingPriority": 3,
     "serviceRequestPayload": json.dumps({"Environment": {"K": SECRET}, "ResourceConfig": {"InstanceCount": 2}})},
    responseElements={"jobId": "gone", "jobName": "a"},
)  # fmt: skip


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def told(what: str, done: int, of: int) -> None:
    """Progress that nobody looks at."""


def pulled(aws: Aws, root: Path, *, now: int = NOW, since: int = NOW - 7 * DAY, progress: Any = told) -> Pulled:
    return pull(aws.access(), "gpu", Folder(root), since=since, now=now, progress=progress)


def files(root: Path) -> list[str]:
    return sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file())


def lines(root: Path) -> list[dict[str, Any]]:
    return list(Folder(root).lines("history/cloudtrail"))
