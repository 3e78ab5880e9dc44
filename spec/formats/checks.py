"""What a quota-share queue must be (rules 1 and 2), and that all files are of one account and Region. Trusted: nothing."""

from __future__ import annotations

from collections.abc import Sequence

from .document import Pointer
from .errors import InputError, listed, shown
from .items import EnvironmentItem, Item, PolicyItem, QueueItem, Spot

QUOTA_TYPE = "SAGEMAKER_TRAINING"


def check_queue(queue: QueueItem, policy: PolicyItem | None) -> None:
    path: Pointer = ()
    because = ""
    if queue.type not in ("", QUOTA_TYPE):
        path, because = ("jobQueueType",), f"its jobQueueType is {shown(queue.type)}"
    elif queue.has_compute and not queue.environments:
        path, because = ("computeEnvironmentOrder",), "it has compute environments and no service environment"
    elif len(queue.environments) > 1:
        path, because = ("serviceEnvironmentOrder",), f"it has {len(queue.environments)} service environments"
    elif policy and not policy.quota:
        path, because = ("schedulingPolicyArn",), f"its scheduling policy {policy.name} is a fairsharePolicy"
    if because:
        raise _not_quota(queue.spot, path, queue.name, because)


def _not_quota(spot: Spot, path: Pointer, queue: str, because: str) -> InputError:
    return spot.error(
        path,
        f"{queue} is not a quota-share queue: {because}",
        why="Quota shares need a SAGEMAKER_TRAINING queue with a quotaSharePolicy and one service environment in "
        "instance types (rules 1, 2).",
        fix="give the files of a quota-share queue, or name it with --queue.",
    )


def check_environment(item: EnvironmentItem, queue: str) -> None:
    if item.type not in ("", QUOTA_TYPE):
        because = f"its service environment is of type {shown(item.type)}"
        raise _not_quota(item.spot, ("serviceEnvironmentType",), queue, because)


def check_home(items: Sequence[Item]) -> None:
    """One name in two accounts or Regions is two queues."""
    homes: dict[str, Item] = {}
    for item in items:
        if item.spot.home:
            homes.setdefault(item.spot.home, item)
    if len(homes) > 1:
        first, second = list(homes.values())[:2]
        raise second.spot.error(
            (),
            f"the files are of two accounts or Regions: {listed(homes)}",
            why=f"The ARN at {first.spot.place(())} is in {first.spot.home}, this one in {second.spot.home}.",
            fix="give the files of one account and Region.",
        )
