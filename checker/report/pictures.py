"""What is drawn in an HTML report: the timeline of a history, and scenarios step by step; for paper, and as the script's data.

Drawn only where the stream has something to draw; else a report has no script. Trusted: `hypertext`, which escapes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..audit.words import duration, instant, tenths
from ..drawn import DATED, KINDS, NONE, STATES, JobTable, Timeline
from ..results import Verification, Witness
from .drawn import timeline_data
from .hypertext import Drawn, Tag, paragraphs, section, table, tag
from .layout import plain
from .measured import HOURS
from .plays import play_data, told

if TYPE_CHECKING:
    from ..teach.scene import Scene

MOST = 24
"""Scenarios that are drawn in one report."""
STILL = 100
"""Rows of a table that stand on paper."""
_JOB_HEADS = ("job", "share", "size", "priority", "submitted (UTC)", "waited", "held machines", "borrowed h", "stopped",
              "ended (UTC)", "became")  # fmt: skip
_STOP_HEADS = (
    "told to stop (UTC)",
    "job",
    "why allowed",
    "for",
    "share",
    "kind",
    "drained",
    "could it have been another?",
)


def scenes(witnesses: Iterable[Witness], *, failures: bool = False) -> list[tuple[Scene, str]]:
    """The pictures of the first scenarios, each with what is false in it; `failures`: of those that a scheduler failed."""
    from ..teach.scene import scene

    named = {w.name: w for w in witnesses if w.told is not None or not failures}
    return [(scene(w.told or w.form, given=w.told is not None), w.fault) for w in [*named.values()][:MOST]]


def page(timelines: Sequence[Timeline], plays: Sequence[tuple[Scene, str]]) -> Drawn | None:
    """The script of a report that draws these, and its data; None where there is nothing to draw. A scenario opens at the break
    of the guarantee with which what is false in it begins."""
    from ..teach.assets import inlined, sheet

    drawn = _shown(timelines)
    if not drawn and not any(play.frames for play, _ in plays):
        return None
    data: dict[str, Any] = {
        "timelines": [*map(timeline_data, drawn)],
        "plays": [play_data(play, fault.partition(":")[0]) for play, fault in plays],
    }
    return Drawn(inlined("report.js"), data, sheet("picture.css", "report.css"))


def steps(verification: Verification, found: Sequence[tuple[Scene, str]]) -> Iterator[Tag]:
    """The scenarios under a heading: the one that was replayed, or each in a part that opens."""
    if verification.began.command == "replay":
        yield from section("Step by step", [t for k, (scene, _) in enumerate(found) for t in told(scene, k)])
        return
    parts = [tag("details", _summary(scene, fault), *told(scene, k)) for k, (scene, fault) in enumerate(found)]
    more = len(verification.witnesses) - len(found)
    rest = [f"{more:,} more scenarios are not drawn; `quotaproof replay FILE` plays each."] if more > 0 else []
    yield from section("Step by step", [*parts, *paragraphs(rest if parts else [], "small")])


def _summary(scene: Scene, fault: str) -> Tag:
    """What a scenario is called, and what it shows."""
    return tag("summary", tag("strong", plain(scene.title)), f" {plain(fault or scene.about)}")


def history(timelines: Sequence[Timeline]) -> Iterator[Tag]:
    """Where timelines and preemptions are drawn, and what of them stands on paper."""
    drawn = _shown(timelines)
    yield from paragraphs([note for timeline in timelines for note in plain(timeline.notes)], "small")
    if drawn:
        still = [t for timeline in drawn for t in section(f"Preemptions{_label(timeline)}", _stops(timeline))]
        yield tag("div", place="history")
        yield tag("div", *still, css="still")


def records(timelines: Sequence[Timeline]) -> Iterator[Tag]:
    """Where the tables of jobs and of what was seen are, and what of them stands on paper."""
    drawn = _shown(timelines)
    if drawn:
        still = [t for timeline in drawn for t in section(f"Jobs{_label(timeline)}", _jobs(timeline))]
        yield tag("div", place="records")
        yield tag("div", *still, css="still")


def _shown(timelines: Sequence[Timeline]) -> list[Timeline]:
    return [plain(timeline) for timeline in timelines if timeline.table.name]


def _heads(timeline: Timeline, heads: Sequence[str]) -> list[str]:
    return [head if timeline.end >= DATED else head.removesuffix(" (UTC)") for head in heads]


def _label(timeline: Timeline) -> str:
    return f": {timeline.label}" if timeline.label else ""


def _stops(t: Timeline) -> list[Tag]:
    s, jobs = t.stops, t.table
    rows = [
        [instant(s.at[k]), jobs.name[s.job[k]], s.texts[s.why[k]], s.texts[s.whom[k]],
         t.shares[jobs.share[s.job[k]]], KINDS[s.kind[k]] or "not known", _lasted(s.drained[k]), s.texts[s.instead[k]]]
        for k in range(min(len(s.at), STILL))
    ]  # fmt: skip
    return [*table(_heads(t, _STOP_HEADS), rows, (6,)), *_more(len(s.at), "preemption")]


def _jobs(t: Timeline) -> list[Tag]:
    jobs = t.table
    rows = [_job(t, jobs, k) for k in range(min(len(jobs.name), STILL))]
    return [*table(_heads(t, _JOB_HEADS), rows, (3, 5, 6, 7, 8)), *_more(len(jobs.name), "job")]


def _job(t: Timeline, j: JobTable, k: int) -> list[str]:
    size = ", ".join(f"{n} x {unit}" for unit, n in j.sizes[j.size[k]].items())
    waited = NONE if j.started[k] == NONE else j.started[k] - j.submitted[k]
    priority = "" if j.priority[k] == NONE else str(j.priority[k])
    ended = "" if j.ended[k] == NONE else instant(j.ended[k])
    return [j.name[k], t.shares[j.share[k]], size, priority, instant(j.submitted[k]), _lasted(waited), _lasted(j.ran[k]),
            tenths(round(j.borrowed[k], HOURS)), str(j.stops[k]), ended, STATES[j.state[k]]]  # fmt: skip


def _lasted(milliseconds: int) -> str:
    return "" if milliseconds == NONE else duration(milliseconds / 1000)


def _more(number: int, thing: str) -> list[Tag]:
    if number <= STILL:
        return []
    return paragraphs([f"{number - STILL:,} more {thing}s: open this file in a browser that runs its script."], "small")
