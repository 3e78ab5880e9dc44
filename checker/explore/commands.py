"""What a person types: a queue and what happens to it as AWS CLI commands, and the payload of a job that sleeps.

Commands are lists of words; `lines` breaks them for a screen. Names of operations and parameters are AWS's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from ...spec import events as ev
from ...spec.model import QueueConfig, Strategy
from .starts import ENVIRONMENT, QUEUE

POLICY = "experiment-policy"
MINUTES = 10
"""Until a step has settled: instances start, containers load, a stopped job lets go after two minutes."""
_SLEEPS = "trap '' TERM; sleep 7200"
_ENDS = "trap 'sleep 30; exit 0' TERM; sleep 7200 & wait"


def setup(config: QueueConfig) -> Iterator[list[str]]:
    """What creates the queue, in order."""
    limits = _limits(config.environment.capacity)
    yield ["create-service-environment", "--service-environment-name", ENVIRONMENT,
           "--service-environment-type", "SAGEMAKER_TRAINING", "--capacity-limits", *limits]  # fmt: skip
    yield ["create-scheduling-policy", "--name", POLICY, "--quota-share-policy", "idleResourceAssignmentStrategy=FIFO"]
    yield ["create-job-queue", "--job-queue-name", QUEUE, "--job-queue-type", "SAGEMAKER_TRAINING", "--priority", "1",
           "--scheduling-policy-arn", "$POLICY_ARN",
           "--service-environment-order", f"order=1,serviceEnvironment={ENVIRONMENT}"]  # fmt: skip
    for share in config.shares:
        yield ["create-quota-share", "--quota-share-name", share.name, "--job-queue", QUEUE,
               "--capacity-limits", *_limits(share.limits),
               "--resource-sharing-configuration", _sharing(share.strategy, share.borrow_limit),
               "--preemption-configuration",
               f"inSharePreemption={share.preemption_configuration.in_share_preemption}"]  # fmt: skip


def command(event: ev.Event) -> list[str]:
    """What makes an event happen; [] where nobody can."""
    match event:
        case ev.Submit():
            ((_, size),) = event.size.items()
            words = ["submit-service-job", "--job-name", event.job, "--job-queue", QUEUE,
                     "--service-job-type", "SAGEMAKER_TRAINING", "--quota-share-name", event.share,
                     "--scheduling-priority", str(event.priority),
                     "--service-request-payload", f"file://job-{size}.json"]  # fmt: skip
            if event.retries is not None:
                words += ["--preemption-configuration", f"preemptionRetriesBeforeTermination={event.retries}"]
            return words
        case ev.SetPriority():
            return ["update-service-job", "--job-id", f"${event.job}", "--scheduling-priority", str(event.priority)]
        case ev.Terminate():
            return ["terminate-service-job", "--job-id", f"${event.job}", "--reason", "experiment"]
        case ev.SetSharing():
            sharing = _sharing(event.strategy, event.borrow_limit)
            return [
                "update-quota-share",
                "--quota-share-arn",
                f"${event.share}",
                "--resource-sharing-configuration",
                sharing,
            ]
        case ev.SetShareState():
            return ["update-quota-share", "--quota-share-arn", f"${event.share}", "--state", event.state.value]
        case ev.DeleteShare():
            return ["delete-quota-share", "--quota-share-arn", f"${event.share}"]
        case ev.SetCapacity():
            limits = _limits(event.capacity)
            return ["update-service-environment", "--service-environment", ENVIRONMENT, "--capacity-limits", *limits]
        case _:
            return []


def payload(unit: str, size: int, *, ends: bool = False) -> str:
    """The file of a job that sleeps and, told to stop, lets go after two minutes; `ends`: ends by itself then."""
    sleeps = {"TrainingImage": "IMAGE", "TrainingInputMode": "File",
              "ContainerEntrypoint": ["bash", "-c", _ENDS if ends else _SLEEPS]}  # fmt: skip
    machines = {"InstanceType": unit, "InstanceCount": size, "VolumeSizeInGB": 1}
    return json.dumps({"TrainingJobName": "sleep", "RoleArn": "ROLE", "AlgorithmSpecification": sleeps,
                       "ResourceConfig": machines, "OutputDataConfig": {"S3OutputPath": "s3://BUCKET/"},
                       "StoppingCondition": {"MaxRuntimeInSeconds": 7200}})  # fmt: skip


def lines(words: Sequence[str], width: int, *, into: str = "", query: str = "") -> list[str]:
    """`aws batch` with these words, broken into lines; `into` names the variable that gets what `query` picks."""
    chunks = ["aws batch " + words[0]]
    for word in words[1:]:
        if word.startswith("--") or len(chunks[-1]) + len(word) > width - 6:
            chunks.append(word)
        else:
            chunks[-1] += f" {word}"
    if into:
        chunks[0] = f"{into}=$({chunks[0]}"
        chunks += [f"--query {query}", "--output text)"]
    found = [chunks[0]]
    for chunk in chunks[1:]:
        if len(found[-1]) + 1 + len(chunk) + 2 > width:
            found[-1] += " \\"
            found.append(f"  {chunk}")
        else:
            found[-1] += f" {chunk}"
    return found


def _limits(counts: Mapping[str, int]) -> list[str]:
    return [f"maxCapacity={n},capacityUnit={unit}" for unit, n in counts.items()]


def _sharing(strategy: Strategy, borrow_limit: int | None) -> str:
    return f"strategy={strategy}" + ("" if borrow_limit is None else f",borrowLimit={borrow_limit}")
