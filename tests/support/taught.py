"""Lesson files for tests: a small lesson that is in order, and the shipped ones as values that can be changed."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from importlib.resources import files
from typing import Any

from quotaproof.checker.teach.lessons.model import Ask, Happen, Lesson, Tell
from quotaproof.checker.teach.lessons.read import read
from quotaproof.spec.formats import json_text, yaml_text
from quotaproof.spec.formats.scenario import Expect

from .trees import DELETE, changed

FILES = sorted(
    (f for f in files("quotaproof.checker.teach.lessons").iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name
)
_SIZE = {"u": 1}
SMALL: dict[str, Any] = {
    "lesson": 1,
    "subject": "A subject",
    "title": "T",
    "summary": "S.",
    "for": "F.",
    "queue": {
        "quotaproof": 1,
        "queue": "queue-1",
        "environment": {"u": 2},
        "shares": [
            {"name": "team-a", "limits": {"u": 1}, "strategy": "LEND"},
            {"name": "team-b", "limits": {"u": 1}, "strategy": "LEND_AND_BORROW"},
        ],
    },
    "parts": [
        {
            "moves": [
                {"submit": "own-1", "share": "team-b", "size": _SIZE, "priority": 1},
                {"submit": "loan-1", "share": "team-b", "size": _SIZE},
                {"settle": "all"},
            ]
        },
        {"tell": ["team-b uses {team-b.used}."]},
        {
            "ask": "team-a submits a job. Which job stops?",
            "choices": [
                {"says": "own-1", "expect": {"preempted": ["own-1"]}, "under": [{"A26": "oldest"}]},
                {"says": "loan-1", "expect": {"preempted": ["loan-1"]}},
            ],
            "right": 2,
            "then": [{"submit": "back-1", "share": "team-a", "size": _SIZE}, {"settle": "all"}],
            "why": ["team-b borrowed.", "team-b uses {team-b.used instances} now."],
            "source": ["rule 36", "A26"],
            "certainty": "open",
        },
    ],
    "advice": [{"says": "Save checkpoints.", "source": ["rule 45"]}],
    "explain": ["G5x"],
}


def small(**changes: Any) -> dict[str, Any]:
    """The small lesson as a value of its own; a change names a way into it, `parts__2__right`."""
    tree = copy.deepcopy(SMALL)
    for way, value in changes.items():
        path = [int(step) if step.isdigit() else step for step in way.split("__")]
        tree = changed(tree, path, DELETE if value is None else value)
    return tree


def lesson_of(tree: Any) -> Lesson:
    """The lesson in a value. Raises InputError."""
    return read(json_text.parse("07-small.json", json.dumps(tree)))


def trees() -> list[Any]:
    """The shipped lessons as values."""
    return [yaml_text.parse(f.name, f.read_text(encoding="utf-8")).value for f in FILES]


def otherwise(taught: Lesson, question: int) -> Lesson:
    """The lesson with other answers from that question on, other words behind it, and another end."""
    asked = [index for index, _ in taught.asked()]
    first = asked[question] if question < len(asked) else len(taught.parts)
    parts = list(taught.parts)
    for index, part in enumerate(parts):
        if index >= first and isinstance(part, Ask):
            choices = tuple(replace(choice, expect=Expect(), under=()) for choice in part.choices)
            right = (part.right + 1) % len(choices)
            asks = part.asks if index == first else "?"
            parts[index] = replace(part, asks=asks, right=right, choices=choices, then=(), why=("?",), source=())
        elif index > first:
            parts[index] = Tell(("?",)) if isinstance(part, Tell) else Happen(())
    return replace(taught, name="?", title="?", summary="?", parts=tuple(parts), advice=(), explain=())
