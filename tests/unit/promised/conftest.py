"""The theorems, proved once for all promises."""

from __future__ import annotations

import pytest
from quotaproof.checker.prove.theorems import prove


@pytest.fixture(scope="session")
def proofs():
    return prove()
