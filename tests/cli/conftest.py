"""Fixtures for the command line: small queues on disk, a prover that answers at once, and the real script."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from quotaproof.checker.cli import run
from quotaproof.checker.prove.numbers import Numbers
from quotaproof.checker.prove.theorems import STATEMENTS, Proof, Proofs
from quotaproof.checker.prove.verify import Judged
from quotaproof.checker.results import Result, Verdict
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import Readings

from ..support.proved import proved as proved

HOLDS = Result("G1", Verdict.HOLDS_ALWAYS, "theorem B")
OPEN = Result("G18", Verdict.UNKNOWN, "gangs: not proved", open=True)
LIMIT = Result("G7", Verdict.UNKNOWN, "the solver reached its limit")
BROKEN = Result("G14", Verdict.BROKEN, "an owner waits for ever")


@dataclass(frozen=True)
class Ran:
    """What one command did."""

    code: int
    out: str
    err: str


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def quotaproof(here: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:  # noqa: ARG001
    """The command line in this process, in an empty folder."""

    def ran(*arguments: str) -> Ran:
        code = run(arguments)
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return ran


@pytest.fixture
def script(here: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The installed script in a process of its own."""
    path = Path(sys.executable).with_name("quotaproof")

    def started(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # type: ignore[call-overload]
            [str(path), *arguments], cwd=here, capture_output=True, text=True, timeout=60, check=False, **more
        )

    return started


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[dict[str, object]]]:
    """Replace the prover by one that answers with the given results; returns the calls it gets."""

    def answers(*results: Result) -> list[dict[str, object]]:
        calls: list[dict[str, object]] = []

        def verdicts(config: QueueConfig, readings: Readings, _proofs: Proofs) -> Judged:
            calls.append({"config": config, "readings": readings})
            return Judged(results, Numbers.of(config, readings))

        def prove(timeout: float | None = None, emit: Path | None = None, cross_check: object = None) -> Proofs:  # noqa: ARG001
            calls.append({"timeout": timeout, "emit": emit})
            codes = [code for _, members, _ in STATEMENTS for code in members]
            solver = {"name": "z3", "version": "5", "budget": "1"}
            return Proofs({code: Proof(code, 1) for code in codes}, Proof("together", 1), solver)

        monkeypatch.setattr("quotaproof.checker.prove.verify.verdicts", verdicts)
        monkeypatch.setattr("quotaproof.checker.prove.theorems.prove", prove)
        return calls

    return answers


def written(folder: Path, capacity: int, unit: str = "ml.g5.xlarge", **limits: int) -> str:
    """A queue of LEND shares as AWS's dumps; returns the folder."""
    arn = "arn:aws:batch:us-east-1:123456789012"
    environment = {
        "serviceEnvironmentName": "env",
        "serviceEnvironmentArn": f"{arn}:service-environment/env",
        "serviceEnvironmentType": "SAGEMAKER_TRAINING",
        "state": "ENABLED",
        "status": "VALID",
        "capacityLimits": [{"maxCapacity": capacity, "capacityUnit": "ml.g5.xlarge"}],
    }
    shares = [
        {
            "quotaShareName": name,
            "quotaShareArn": f"{arn}:job-queue/gpu/quota-share/{name}",
            "jobQueueArn": f"{arn}:job-queue/gpu",
            "capacityLimits": [{"maxCapacity": limit, "capacityUnit": unit}],
            "resourceSharingConfiguration": {"strategy": "LEND"},
            "preemptionConfiguration": {"inSharePreemption": "DISABLED"},
            "state": "ENABLED",
            "status": "VALID",
        }
        for name, limit in limits.items()
    ]
    queue = {
        "jobQueueName": "gpu",
        "jobQueueArn": f"{arn}:job-queue/gpu",
        "state": "ENABLED",
        "schedulingPolicyArn": f"{arn}:scheduling-policy/p",
        "status": "VALID",
        "priority": 1,
        "computeEnvironmentOrder": [],
        "serviceEnvironmentOrder": [{"order": 1, "serviceEnvironment": f"{arn}:service-environment/env"}],
        "jobQueueType": "SAGEMAKER_TRAINING",
    }
    folder.mkdir(exist_ok=True)
    dumps = {"serviceEnvironments": [environment], "quotaShares": shares, "jobQueues": [queue]}
    for key, value in dumps.items():
        (folder / f"{key}.json").write_text(json.dumps({key: value}), encoding="utf-8")
    return str(folder)
