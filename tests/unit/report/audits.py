"""Streams of `audit` to report on, and random measured events; made by hand, without a history."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from quotaproof.checker.audit.rules import INPUT
from quotaproof.checker.measured import (
    FaultSeen,
    Line,
    Month,
    Observed,
    Period,
    Range,
    Recovery,
    RuledOut,
    ShareHours,
    ShareJobs,
    UnitHours,
    Unsettled,
    Waits,
)
from quotaproof.checker.promised import How, Promised
from quotaproof.checker.results import Began, Ended, Event, Result, Source, Verdict
from quotaproof.spec.observations import Gap

from .samples import HOSTILE, WAIVER

DAY = 86_400_000
START = 1_782_864_000_000
"""2026-07-01."""
END = START + 92 * DAY
GAP = Gap(START + DAY, START + DAY + 8_400_000, "no state change of any job, though 12 run")
NOTHING = Waits(0)
BACK = Waits(43, 130.0, 400.0, 660.0, 2460.0, 2460.0)
WAITED = Waits(41_000, 41.0, 3_600.0, 21_700.0, 190_000.0, 610_000.0)
SPEECH = ShareJobs(
    "all", "speech", 900, replace(BACK, times=12), WAITED, 3, 164, 9, 101, 80, Range(390, 1900), 11_800, 7_434
)
KEPT = Result("G1", Verdict.KEPT, "kept 41,870 times", count=41_870)
FAULT = FaultSeen(
    "G4",
    START + DAY,
    START + DAY + 999,
    7,
    "b would exceed its limit by 1 p5 and may not borrow",
    "dispatch.limit",
    "events.ndjson:8",
    '{"detail": {"jobName": "train"}}',
    (
        Line(6, START + DAY - 5_500, "b submits train: 4 p5", "events.ndjson:7"),
        Line(7, START + DAY, "train starts", "events.ndjson:8"),
        Line(8, START + DAY, "train is RUNNING", "events.ndjson:9"),
    ),
)


def _promise(code: str, term: str, verdict: Verdict, because: str, **more: object) -> Promised:
    of_result = {k: more.pop(k) for k in ("subject", "place", "more", "count", "waiver") if k in more}
    made = Result(code, verdict, because, **of_result)  # pyright: ignore[reportArgumentType]
    return Promised(code, f"{HOSTILE} is promised", term, How.MEASURED, made, owner="ml-platform", **more)  # pyright: ignore[reportArgumentType]


PROMISED = (
    _promise("P1", "gets", Verdict.BROKEN_HERE, "broken twice of 43: eval waited 41m00", subject=HOSTILE,
             place=f"{HOSTILE}.json:7", more=("prep waited 22m00",), count=2),
    _promise("P1", "gets", Verdict.KEPT, "kept 12 times; the longest wait was 4m10", subject="speech", count=12),
    _promise("P4", "undisturbed", Verdict.UNKNOWN, "not decided once: for whom is in no record", subject="speech"),
    _promise("P8", "borrows_at_most", Verdict.BROKEN_HERE, "borrowed 3 p5", subject="speech", waiver=WAIVER),
    _promise("P9", "priority", Verdict.NOT_SEEN, "of 3 of 3 nobody recorded who set it"),
    _promise("P11", "gets", Verdict.NEVER_CAME_UP, "in force on no day of this history", in_force=False,
             valid="from 2027-01-11"),
    _promise("STOPS", "stop_takes", Verdict.KEPT, "43 stops took 2m10 (p50), 9m00 (worst); 10m00 is assumed", subject="p5"),
)  # fmt: skip


def audited() -> list[Event]:
    """An `audit` of a quarter in which nothing is broken, as an operator sees it."""
    return [
        Began("audit", "research-gpu-qm", (Source("events.ndjson", "history/events.ndjson", "history"),)),
        Observed(START, END, 251_220, 41_870, 20, expected=250_000, seen=249_000, gaps=(GAP,)),
        KEPT,
        Result("G2", Verdict.KEPT, "kept 41,870 times", count=41_870),
        Result("G5x", Verdict.KEPT, "kept 164 times", count=164),
        Result("G5x", Verdict.NOT_SEEN, "no claimant is named", subject="strict form"),
        Result("G6+", Verdict.NOT_SEEN, "no claimant is named"),
        Result("G19", Verdict.NEVER_CAME_UP, "nothing happened to which it applies"),
        Result("G14", Verdict.PENDING, "2 answers were still due when the history ended", count=2),
        Period("all", START, END),
        UnitHours("all", "ml.p5.48xlarge", 141_312, 118_420, 21_930, 0, Range(612, 2640), Range(612, 2640), 7410, 5120),
        ShareHours("all", "vision", "ml.p5.48xlarge", 30_000, 0, 6120, 0, 0),
        ShareHours("all", "speech", "ml.p5.48xlarge", 4200, 11_800, 1010, 0, 0),
        replace(SPEECH, share="", submitted=41_870, stops=195),
        ShareJobs("all", "vision", 90, BACK, WAITED, 0, 0, 0, 0, 0, Range(0, 0), 6000, 0),
        SPEECH,
        Month("2026-07", {"speech": 3, "vision": 1}, 14_000, 420, 2, 50),
        Month("2026-08", {"speech": 9}, 14_000, 700, 0, 200),
        Month("2026-09", {"speech": 17}, 13_870, 1526, 0, 400),
        Recovery(1200, 300, 20, 900, 5, ("train", "eval")),
        RuledOut("A13", "a", "events.ndjson:912", "a job that had borrowed nothing at its start was stopped"),
        Ended(4.2),
    ]


def broken() -> list[Event]:
    """An `audit` with something of everything, in two columns, and with hostile names."""
    place = f"{HOSTILE}.json:7"
    source = Source(f"{HOSTILE}.json", f"live/{HOSTILE} %41.json", "history")
    odd = replace(SPEECH, share=HOSTILE)
    return [
        Began("audit", f"queue {HOSTILE}", (source,), ("notes.txt: not a history",), notes=("Configuration of today.",)),
        Observed(START, END, 12, 3, 2, expected=0, seen=0, notes=(f"No limit of {HOSTILE} before July.",)),
        Result("G4", Verdict.BROKEN_HERE, f"2026-07-02 00:00:00 {HOSTILE} starts: beyond its limit", more=("1 more of them",),
               place=place, count=2),
        replace(KEPT, waiver=WAIVER),
        Result("G7", Verdict.UNKNOWN, "not decided twice: more than 4,096 states", count=2),
        Result(INPUT, Verdict.UNKNOWN, f"{HOSTILE} is no event", place=place),
        *PROMISED,
        replace(FAULT, sentence=f"{HOSTILE} would exceed its limit", raw=HOSTILE * 20, place=place),
        replace(FAULT, number=90, window=(), raw=""),
        Period("before", START, START + 46 * DAY),
        Period("after", START + 46 * DAY, END),
        UnitHours("before", HOSTILE, 70_000, 1, 0.5, 0.1, Range(0.01, 9.96), Range(0, 4.5), 0.2, 0.1),
        UnitHours("after", HOSTILE, 0, 0, 0, 0, Range(0, 0), Range(0, 0), 0, 0),
        UnitHours("after", "p5", 1, 1, 1, 0, Range(3, 3), Range(3, 3), 0, 0),
        ShareHours("before", HOSTILE, HOSTILE, 1, 0.5, 0.4, 0.2, 0.1),
        *(replace(odd, period=period, share=s) for period in ("before", "after") for s in ("", HOSTILE)),
        Month("2026-07", {HOSTILE: 1}),
        Recovery(1, 1, 0, 0, 1, (HOSTILE,)),
        RuledOut("A15", "no", place, HOSTILE),
        Unsettled("A16", HOSTILE),
        Ended(0.1),
    ]  # fmt: skip


def measured(names: st.SearchStrategy[str], places: st.SearchStrategy[str]) -> st.SearchStrategy[list[Event]]:
    """Measured events with any names and numbers."""
    hours = st.sampled_from([0.0, 0.01, 1.5, 12345.678])
    counts = st.integers(0, 3)
    times = st.integers(START, END)
    periods = st.sampled_from(["before", "after"])
    ranges = st.builds(Range, hours, hours)
    waits = st.sampled_from([NOTHING, BACK])
    gaps = st.lists(st.builds(Gap, st.just(START), times, names), max_size=1).map(tuple)
    lines = st.lists(st.builds(Line, counts, times, names, places), max_size=2).map(tuple)
    notes = st.lists(names, max_size=1).map(tuple)
    every = (
        st.builds(Observed, st.just(START), times, counts, counts, counts, counts, counts, gaps, notes),
        st.builds(Period, periods, st.just(START), times),
        st.builds(UnitHours, periods, names, hours, hours, hours, hours, ranges, ranges, hours, hours),
        st.builds(ShareHours, periods, names, names, hours, hours, hours, hours, hours),
        st.builds(ShareJobs, periods, st.one_of(st.just(""), names), counts, waits, waits, counts, counts, counts, counts,
                  counts, ranges, st.just(2.0), st.sampled_from([0.0, 1.5])),
        st.builds(Month, st.just("2026-07"), st.dictionaries(names, counts, max_size=2), counts, counts, counts,
                  st.one_of(st.none(), counts)),
        st.builds(Recovery, counts, counts, counts, counts, counts, notes),
        st.builds(FaultSeen, st.just("G4"), times, times, counts, names, st.just("dispatch.limit"), places, names, lines),
        st.builds(Unsettled, st.sampled_from(["A13", "A99"]), names),
        st.builds(RuledOut, st.sampled_from(["A13", "A99"]), st.just("no"), places, names),
    )  # fmt: skip
    return st.lists(st.one_of(*every), max_size=5)
