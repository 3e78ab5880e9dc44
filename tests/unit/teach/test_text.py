"""A frame in the terminal: every kind of use has a sign of its own, numbers are words too, and no line is too wide."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.teach import text
from quotaproof.checker.teach.frame import Bar, Broken, Frame, JobState, Lamp, Line, Said, ShareState, UnitState

UNIT = "ml.g5.xlarge"


def bar(
    share: str = "a", limit: int = 4, own: int = 0, borrowed: int = 0, borrowable: int | None = 0, **more: int
) -> Bar:
    rest = {"draining": 0, "reserved_idle": 0, "lent_least": 0, "lent_most": 0, "claimed": 0} | more
    reachable = rest.pop("reachable", borrowable or 0)
    return Bar(share, UNIT, limit, limit, borrowable, reachable, own, borrowed, **rest)


def frame(*bars: Bar, capacity: int = 8, jobs: tuple[JobState, ...] = (), lamps: tuple[Lamp, ...] = ()) -> Frame:
    shares = tuple(ShareState(b.share, "LEND", None, False, True, False, 0) for b in bars)
    return Frame(Line(1, 0, "user", "submit", (Said("It is so"),)), (UnitState(UNIT, capacity, 0, 0, 0, capacity, 0),), bars,
                 shares, jobs, (), lamps)  # fmt: skip


def job(name: str, stage: str = "RUNNING", share: str = "a", **more: object) -> JobState:
    return replace(JobState(name, share, {UNIT: 1}, 0, stage, 0, {}, 0, None), **more)


def drawn_bar(one: Bar, capacity: int = 8) -> str:
    row = text.drawn(frame(one, capacity=capacity)).splitlines()[1]
    return re.split(r"\s{3}", row.removeprefix(f"  {one.share}").strip())[0]


@pytest.mark.parametrize(("one", "sign"), [
    (bar(own=4), "####|"),
    (bar(), "....|"),
    (bar(own=1, lent_least=2, lent_most=2), "#--.|"),
    (bar(lent_least=1, lent_most=3), "-~~.|"),
    (bar(own=1, reserved_idle=3), "#===|"),
    (bar(limit=2, own=2, borrowed=1, borrowable=2), "##|+ ]"),
    (bar(limit=2, own=2, borrowed=2, borrowable=None), "##|++>"),
    (bar(limit=2, own=2, borrowed=2, borrowable=2, draining=1), "##|+x]"),
    (bar(limit=2, own=2, draining=1), "#x|"),
    (bar(limit=1, own=1, borrowed=1, borrowable=1, draining=2), "x|x]"),
])  # fmt: skip
def test_every_kind_of_use_has_a_sign_of_its_own(one: Bar, sign: str):
    assert drawn_bar(one) == sign


def test_a_share_without_a_borrow_limit_has_no_percentage_and_what_it_can_get_counts_as_what_it_may_use():
    unlimited = bar("QS1", limit=2, borrowable=None, reachable=1)
    one = replace(frame(unlimited), shares=(ShareState("QS1", "LEND_AND_BORROW", -1, False, True, False, 0),))
    row = " ".join(text.drawn(one).splitlines()[1].split())
    assert row == "QS1 ..|> uses nothing; limit 2, no maximum, can get 3 LEND_AND_BORROW"
    two = bar("QS1", limit=2, borrowable=4, reachable=1)
    assert "limit 2, may use 6, can get 3" in text.drawn(frame(two))


def test_the_clause_for_which_a_job_waits_is_named_in_words():
    waits = Said("j waits for 1 machine to come free", "dispatch.environment", "rule 12")
    assert "(too few machines, rule 12)" in text.drawn(frame(bar(), jobs=(job("j", "RUNNABLE", waits=waits, place=1),)))


def test_a_large_bar_is_drawn_to_a_scale_that_is_said():
    drawn = text.drawn(frame(bar(limit=1000, own=700), bar("b", limit=10, own=1), capacity=2000))
    assert "(one sign stands for up to 34 machines)" in drawn
    assert "#.|" in drawn.splitlines()[2]
    assert "own 700; limit 1000" in drawn


def test_what_the_signs_mean_is_said_in_words():
    said = text.legend()
    for sign in "#+x-~.=|]>":
        assert f"{sign} " in said


def test_of_many_jobs_some_are_shown_and_the_rest_counted():
    many = frame(bar(), jobs=tuple(job(f"job{n}") for n in range(200)))
    assert text.drawn(many).count("job1") < 12
    assert "and 188 more; `jobs` shows all" in text.drawn(many)
    assert "job199" in text.drawn(many, most=200)


def test_jobs_stand_in_groups_with_what_is_known_of_them():
    jobs = (
        job("owner"),
        job("guest", borrows={UNIT: 1}, preemptions=2, retries=3, priority=7),
        job("victim", "DRAINING", drains_for="owner2"),
        job("second", "RUNNABLE", place=2),
        job("first", "RUNNABLE", place=1, waits=Said("first waits for 1 machine", "dispatch.own", "rule 26")),
        job("over", "SUCCEEDED"),
    )
    assert text.drawn(frame(bar(), jobs=jobs)).splitlines()[2:] == [
        "runs    a: owner (1, priority 0)",
        "        a: guest (1, priority 7, can be stopped for a lender, stopped 2 times, retries 3)",
        "drains  a: victim (1, priority 0, makes room for owner2)",
        "waits   a: 1. first (1, priority 0) waits for 1 machine. (dispatch.own, rule 26)",
        "        a: 2. second (1, priority 0)",
        "ended   a: over (1, priority 0, SUCCEEDED)",
    ]


def test_a_broken_promise_stands_out_where_it_is_told_and_as_a_lamp():
    line = Line(
        3, 1, "scheduler", "dispatch", (Said("x starts", "G2", "rule 22"),), (Broken("G2", "reserve", "too much"),)
    )
    assert text.told(line) == "3       x starts. (G2, rule 22)\nBROKEN  G2 reserve: too much.\n"
    lamps = (
        Lamp("G1", "one", "It is one", "kept"),
        Lamp("G2", "two", "It is two", "broken", 3, "why"),
        Lamp("G3", "", "", "dark"),
    )
    assert text.drawn(frame(bar(), lamps=lamps)).splitlines()[2:] == ["BROKEN  G2 two, at 3: why.", "lamps   kept: G1"]
    assert text.lit(lamps).splitlines() == [
        "BROKEN  G2 two, at 3: why.", "kept    G1 one: It is one.", "dark    G3: they have not come up.",
    ]  # fmt: skip


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)
COUNTS = st.integers(0, 10**9)


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    bars = []
    for name in names:
        own, lent, kept, idle, borrowed = (draw(COUNTS) for _ in range(5))
        least = draw(st.integers(0, lent))
        bars.append(bar(name, own + lent + kept + idle, own, borrowed, draw(st.none() | COUNTS), lent_least=least,
                        lent_most=lent, reserved_idle=kept, draining=draw(st.integers(0, own + borrowed))))  # fmt: skip
    jobs = tuple(
        job(draw(NAMES), stage, draw(st.sampled_from(names)), waits=Said(draw(NAMES)))
        for stage in ("RUNNING", "RUNNABLE")
    )
    lamps = (Lamp("G1", draw(NAMES), draw(NAMES), draw(st.sampled_from(["dark", "kept", "broken"])), 1, draw(NAMES)),)
    return frame(*bars, capacity=draw(COUNTS), jobs=jobs, lamps=lamps)


@settings(max_examples=25, deadline=None)
@given(frames())
def test_no_line_is_too_wide_or_holds_what_a_terminal_acts_on(one: Frame):
    for line in lines(one):
        assert len(line) <= 100
        assert line.isascii()
        assert line.isprintable()


def lines(one: Frame) -> Iterator[str]:
    yield from text.drawn(one).split("\n")
    yield from text.lit(one.lamps).split("\n")
    for lamp in one.lamps:
        said = (Said(lamp.name, lamp.because, lamp.sentence),)
        yield from text.told(
            Line(1, 0, "user", "x", said, (Broken("G1", lamp.name, lamp.sentence),), lamp.because)
        ).split("\n")
