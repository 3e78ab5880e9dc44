"""What `explain promises` says: what a file of promises is for, each kind of term in a line, and a whole file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files

from ...spec import schemas
from ...spec.promises import KEYS
from ..report.layout import entry, paragraph

EXAMPLE = """\
promises: 1                                  # the version of this form (JSON: version: 1)
queue: research
units: {ml.p5.48xlarge: 8 GPU, ml.g5.xlarge: 1 GPU}
assume: {stop_takes: {p5: 10m, g5: 4m}}      # how long a stop takes; audit measures it
groups: {teams: [foundation, speech]}
defaults: {owner: ml-platform, review: 2027-03-01}
promises:
- id: P1
  says: vision gets its 2 p5 back within 15 minutes.
  share: vision
  gets: {p5: 2, within: 15m}                 # or within: at-once
  owner: vision-lead
  why: the evaluation every Monday
- id: P2
  says: The teams together never hold more than 96 GPUs.
  group: teams
  at_most: {GPU: 96}
  why: the budget of 2027
exceptions:
- {id: E1, to: P2, owner: cto, until: 2026-12-20, why: the December model}
"""
_ANSWERS = (
    ("proved", "on the configuration, for all workloads; or refuted, with a scenario that replay plays: exit code 1"),
    ("measured", "by audit, on a history"),
    ("checked", "by plan, when the configuration changes"),
    ("recorded", "by people; quotaproof keeps it in view"),
)


def introduction() -> Iterator[str]:
    """The whole text."""
    form = json.loads(files(schemas).joinpath("promises.schema.json").read_text(encoding="utf-8"))
    yield from paragraph(form["description"], 0)
    yield from ("", "Terms; a promise has one or several")
    fields = form["$defs"]["promise"]["properties"]
    for key in KEYS.values():
        yield from paragraph(f"{key}: {fields[key]['description']}", 2)
    yield from ("", "A file", *EXAMPLE.splitlines())
    yield from ("", "What becomes of a promise")
    for word, what in _ANSWERS:
        yield from entry(word, what)
    yield from paragraph(
        "Ids such as A1, G1, QP101 or STOPS are refused: reports call other things so. Take P1, P2 and so on.", 0
    )
    yield from paragraph(
        "With --suggest, smallest means, one after the other: fewest machines bought, rights taken, limits removed or new, "
        "machines by which limits change, shares touched, percent points. Each suggestion is by itself: "
        "verify again after each.",
        0,
    )
    yield from paragraph(
        "A file named promises.yaml, .yml or .json beside the configuration is found by itself; --promises names another one.",
        0,
    )
