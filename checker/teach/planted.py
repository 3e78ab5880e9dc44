"""Schedulers with one bug each, for a menu: what each does, which guarantee it breaks, and a play that shows it.

Each is the reference with one thing changed. Trusted: nothing; the judge has to find them, and a test sees that it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..conform.reference import Reference
from .game import REFERENCE

OBEYS = Reference(REFERENCE)
"""The scheduler without a bug."""


@dataclass(frozen=True)
class Planted:
    """A scheduler with a bug."""

    name: str
    code: str
    """The guarantee that it breaks."""
    says: str
    """What it does, for a newcomer."""
    shows: str
    """A seed scenario in which it breaks it."""
    scheduler: Reference


def scheduler(name: str) -> Reference:
    """The scheduler of this name: the reference, or a planted one."""
    return OBEYS if name == REFERENCE else PLANTED[name].scheduler


PLANTED: Mapping[str, Planted] = {}
