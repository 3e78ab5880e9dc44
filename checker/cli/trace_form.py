"""What `explain trace` says: every event in a line, a whole trace, and what strict judging needs."""

from __future__ import annotations

from collections.abc import Iterator

from ...spec.formats.trace_schema import schema
from ..report.layout import entry, paragraph

EXAMPLE = """\
{"trace": 1, "config": {"quotaproof": 1, "queue": "q", "environment": {"ml.g5.xlarge": 2}, "shares": [
 {"name": "a", "limits": {"ml.g5.xlarge": 1}, "strategy": "LEND_AND_BORROW", "borrowLimit": 100},
 {"name": "b", "limits": {"ml.g5.xlarge": 1}, "strategy": "LEND"}]}, "ordered": true, "claims": true}
{"at": 1000, "submit": "a1", "share": "a", "size": {"ml.g5.xlarge": 1}, "priority": 1, "retries": null}
{"at": 2000, "dispatch": "a1"}
{"at": 3000, "submit": "a2", "share": "a", "size": {"ml.g5.xlarge": 1}, "priority": 1, "retries": null}
{"at": 4000, "dispatch": "a2"}
{"at": 5000, "submit": "b1", "share": "b", "size": {"ml.g5.xlarge": 1}, "priority": 1, "retries": null}
{"at": 6000, "claim": "b1", "victims": ["a2"]}
{"at": "1970-01-01T00:00:07Z", "until": 9000, "preempted": "a2", "stage": "RUNNABLE", "count": 1}
{"at": 9000, "dispatch": "b1"}
{"at": 9000, "settled": true}
"""
"""A trace whose header is broken into three lines for the screen."""
_STRICT = {
    "ordered": "true in the header. Without it lines of equal time have no order, and what some order allows counts as kept.",
    "claims": "true in the header, and every claim in the trace with its victims, every release. Without it a stop counts as "
    "kept when it may have been for some job, and G7 and G6+ are judged in part.",
    "settled": "wherever the scheduler has nothing left to do. Without it a job that waits may be about to start, and G14, "
    "G16, G17 and G21 are not judged.",
    "priority": "and retries in each submit, the claimant in each preempt outside of claims: G9 and G5s, G11, G5x and G6.",
}


def introduction() -> Iterator[str]:
    """The whole text."""
    yield from paragraph(schema()["description"], 0)
    yield from (
        "",
        "Events: the word, its own value, and what it says; the schema has the fields that a line may have",
    )
    for line in schema()["oneOf"]:
        word = next(key for key in line["properties"] if key not in ("at", "until"))
        yield from entry(word, line["description"])
    yield from ("", "A trace; its header is one line, broken here", *EXAMPLE.splitlines())
    yield from ("", "What strict judging needs")
    for word, why in _STRICT.items():
        yield from entry(word, why)
