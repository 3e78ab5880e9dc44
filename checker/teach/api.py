"""What the page may ask, as functions from what it sends to what it gets; a mistake in it is one InputError.

Nothing is remembered between two questions but what makes the next answer quick. Trusted: nothing that is sent.
"""

from __future__ import annotations

from typing import Any

from ...spec.readings import READINGS
from ...spec.rules.guarantees import GUARANTEES
from .scenarios import seeds


class Api:
    """The answers."""

    def ready(self) -> None:
        """Load what the first question needs, while the page is still on its way."""
        seeds()

    def menu(self) -> dict[str, Any]:
        """Everything there is to choose from."""
        return {
            "scenarios": [{"name": s.name, "about": s.about, "source": source} for source, s in seeds().values()],
            "schedulers": [],
            "readings": [
                {"code": r.code, "question": r.question, "default": r.default, "choices": dict(r.choices)}
                for r in READINGS.values()
                if r.modelled
            ],
            "guarantees": [{"code": g.code, "name": g.name, "sentence": g.sentence} for g in GUARANTEES.values()],
            "lessons": [],
        }
