"""Fixtures for reading: a small valid queue to spoil, files to write it to, and the folder of real samples."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from quotaproof.spec.formats import InputError, Loaded, load
from quotaproof.spec.readings import Readings

ROOT = Path(__file__).parents[3]


@pytest.fixture
def examples() -> Path:
    return ROOT / "examples"


@pytest.fixture
def schema() -> Any:
    return json.loads((ROOT / "spec" / "schemas" / "queue.schema.json").read_text())


@pytest.fixture
def samples() -> Path:
    """AWS's requests and outputs, kept beside the repository."""
    folder = ROOT.parent / "shared" / "aws"
    if not folder.is_dir():
        pytest.skip("the folder shared/aws of real samples is not beside the repository")
    return folder


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Write text, bytes or a value (as JSON) to a file and return its path."""

    def write(name: str, content: Any) -> str:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def read() -> Callable[..., Loaded]:
    """`load` with default readings."""

    def read(*paths: object, queue: str | None = None, **chosen: str) -> Loaded:
        return load([str(p) for p in paths], queue=queue, readings=Readings.of(**chosen))

    return read


@pytest.fixture
def refused(read: Callable[..., Loaded]) -> Callable[..., InputError]:
    """The InputError that reading raises; its message keeps to the common form."""

    def refused(*paths: object, **options: Any) -> InputError:
        with pytest.raises(InputError) as caught:
            read(*paths, **options)
        error = caught.value
        lines = str(error).split("\n")
        assert len(lines) <= 3
        assert all(part and part in str(error) for part in (error.what, error.where, error.why, error.fix))
        assert all(line.isprintable() for line in lines)
        assert "pydantic" not in str(error).lower()
        return error

    return refused


@pytest.fixture
def share() -> Callable[..., dict[str, Any]]:
    """A create-quota-share request; keyword arguments replace fields, None deletes one."""

    def share(name: str = "vision", *, limits: Any = None, **fields: Any) -> dict[str, Any]:
        limits = {"ml.p5.48xlarge": 2} if limits is None else limits
        tree = {
            "quotaShareName": name,
            "jobQueue": "research",
            "capacityLimits": [{"maxCapacity": n, "capacityUnit": u} for u, n in limits.items()],
            "resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW", "borrowLimit": 50},
            "preemptionConfiguration": {"inSharePreemption": "ENABLED"},
            "state": "ENABLED",
        }
        return {k: v for k, v in {**tree, **fields}.items() if v is not None}

    return share


@pytest.fixture
def environment() -> Callable[..., dict[str, Any]]:
    """A create-service-environment request."""

    def environment(name: str = "research-se", *, limits: Any = None, **fields: Any) -> dict[str, Any]:
        limits = {"ml.p5.48xlarge": 16} if limits is None else limits
        tree = {
            "serviceEnvironmentName": name,
            "serviceEnvironmentType": "SAGEMAKER_TRAINING",
            "capacityLimits": [{"maxCapacity": n, "capacityUnit": u} for u, n in limits.items()],
        }
        return {**tree, **fields}

    return environment


@pytest.fixture
def job_queue() -> Callable[..., dict[str, Any]]:
    """A create-job-queue request."""

    def job_queue(name: str = "research", *, environment: str = "research-se", **fields: Any) -> dict[str, Any]:
        tree = {
            "jobQueueName": name,
            "jobQueueType": "SAGEMAKER_TRAINING",
            "priority": 1,
            "serviceEnvironmentOrder": [{"order": 1, "serviceEnvironment": environment}],
        }
        return {k: v for k, v in {**tree, **fields}.items() if v is not None}

    return job_queue
