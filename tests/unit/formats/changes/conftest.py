"""A queue to change, and the change that is read over it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from quotaproof.spec.formats import InputError
from quotaproof.spec.formats.changes import Change, load_change
from quotaproof.spec.readings import Readings

LIVE = str(Path(__file__).parents[4] / "examples" / "plan" / "live")


@pytest.fixture
def change() -> Callable[..., Change]:
    """`load_change` over the example's queue, with default readings but those in `chosen`."""

    def change(*new: str, old: str = LIVE, apply: Any = (), set_: Any = (), **chosen: str) -> Change:
        return load_change([old], new, apply=apply, set_=set_, readings=Readings.of(**chosen))

    return change


@pytest.fixture
def mistake(change: Callable[..., Change]) -> Callable[..., InputError]:
    """The InputError that is raised; its message keeps to the common form."""

    def mistake(*new: str, **options: Any) -> InputError:
        with pytest.raises(InputError) as caught:
            change(*new, **options)
        error = caught.value
        lines = str(error).split("\n")
        assert len(lines) == 3
        assert all(line.isprintable() for line in lines)
        assert all((error.what, error.where, error.why, error.fix))
        return error

    return mistake


@pytest.fixture
def update() -> Callable[..., dict[str, Any]]:
    """An update-quota-share request for a share of the example's queue."""

    def update(share: str, *, limits: Any = None, **fields: Any) -> dict[str, Any]:
        tree = {"quotaShareArn": f"arn:aws:batch:us-east-1:123456789012:job-queue/research-gpu-qm/quota-share/{share}"}
        if limits is not None:
            tree["capacityLimits"] = [{"maxCapacity": n, "capacityUnit": u} for u, n in limits.items()]
        return {**tree, **fields}

    return update
