"""A queue of two units and a file with a promise of every kind about it, to read, to spoil and to judge."""

from __future__ import annotations

import copy
from typing import Any

from quotaproof.spec.formats.document import Document
from quotaproof.spec.formats.promises import read
from quotaproof.spec.promises import Promises

from .queues import queue, share

P5, G5 = "ml.p5.48xlarge", "ml.g5.xlarge"
CONFIG = queue(
    {P5: 16, G5: 20},
    share("train", {P5: 8, G5: 8}, "LEND_AND_BORROW", 50),
    share("serve", {P5: 6, G5: 12}, "LEND"),
    share("vital", {P5: 2}, "RESERVE"),
    name="gpu",
)
OWNED = {"owner": "platform"}


def promise(**fields: Any) -> dict[str, Any]:
    """One promise; its id is P1 unless it is said otherwise."""
    return {"id": "P1", "says": "As it was said.", **OWNED, **fields}


def document(*promises: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A whole file."""
    return {"version": 1, "promises": [*promises], **more}


def parsed(tree: Any) -> Promises:
    """What the tree promises about CONFIG."""
    return read(Document("promises.json", copy.deepcopy(tree), dict, "promises.json"), CONFIG)


EVERY = document(
    promise(id="P1", share="train", gets={"p5": 8, "within": "15m"}, why="a deadline"),
    promise(id="P2", share=["serve", "vital"], fits={P5: 2}, review="2027-03-01"),
    promise(id="P3", share="serve", undisturbed="by-other-shares"),
    promise(id="P4", share="vital", undisturbed={"by": "by-anyone", "always": True}),
    promise(id="P5", group="all", at_most={"GPU": 148}),
    promise(id="P6", share={"borrows": True}, borrows_at_most={P5: 4, "g5": 4}),
    promise(
        id="P7",
        stops_per_job={"at_most": 3, "set_at_submit": "preemptionRetriesBeforeTermination"},
        on_reached={"owner": "oncall", "within": "1 working day", "choose": ["resubmit", "smaller job"]},
    ),
    promise(
        id="P8", recovery={"checkpoint": "required", "evidence": "drills/*.md", "not_older_than": "90d", "owner": "x"}
    ),
    promise(id="P9", priority={"from": 9000, "to": 9999, "meaning": "release", "set_by": "role/R", "at_most_jobs": 2}),
    promise(id="P10", idle_while_waiting={"unit": "g5.xl", "at_most": "at-once"}),
    promise(
        id="P11",
        changes={"shrink_notice": "5 working days"},
        measured={"lost_share": {"at_most": "2.5 %", "over": "quarter"}, "wait_p95": {"at_most": "2h"}},
        valid={"from": "2027-01-11", "until": "2027-01-29"},
        change="pull request",
    ),
    queue="gpu",
    units={"p5": "8 GPU", G5: {"GPU": 1}},
    assume={"stop_takes": {P5: "10m", "g5": "90s"}},
    groups={"all": ["train", "serve", "vital"]},
    defaults={"owner": "somebody", "why": "it was agreed"},
    exceptions=[
        {
            "id": "E1",
            "to": "P6",
            "says": "for a month",
            "owner": "o",
            "until": "2026-12-20",
            "why": "asked",
            "share": "train",
        }
    ],
)
"""A file with every kind of term and every field."""
