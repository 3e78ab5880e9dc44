"""The theorems speak of every queue: proved once for all commands that a test session runs, where no bound is set."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from quotaproof.checker.prove import theorems
from quotaproof.checker.rollout.plan import plan

_prove = theorems.prove


@cache
def _proved() -> theorems.Proofs:
    return _prove()


@pytest.fixture
def proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proving again takes half of the time of most commands; one with a time limit or files to write proves itself."""

    def prove(*bounds: Any) -> theorems.Proofs:
        return _prove(*bounds) if any(bound is not None for bound in bounds) else _proved()

    for module in (theorems, plan):
        monkeypatch.setattr(module, "prove", prove)
