"""Random streams of events, for properties that hold of every one."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import settings
from hypothesis import strategies as st
from quotaproof.checker.promised import How, Promised, Suggestion
from quotaproof.checker.report.options import FailOn, Options
from quotaproof.checker.results import (
    Began,
    Ended,
    Event,
    Finding,
    Result,
    Row,
    Severity,
    Source,
    Step,
    Theorem,
    UnitTotal,
    Verdict,
    Waiver,
)

from .audits import measured
from .conformances import about_conformance
from .plans import about_plan

REPEATABLE = settings(derandomize=True, deadline=None, max_examples=150, database=None)
PIECES = [
    *(
        "a",
        "train",
        "QS1",
        " ",
        "\n",
        "\r",
        "\t",
        "\x00",
        "\x1b[31m",
        "\x7f",
        "\x9b",
        "\u202e",
        "\u2028",
        "\ud800",
        "\udcff",
    ),
    *(
        "<script>alert(1)</script>",
        "<img src=x onerror=y>",
        "<!--",
        "-->",
        "]]>",
        "<![CDATA[",
        "&amp;",
        "&#0;",
        "&",
        '"',
    ),
    *(
        "|",
        "`",
        "```",
        "~~~",
        "**",
        "_",
        "#",
        "# ",
        "- ",
        "1. ",
        "0001. ",
        "1) ",
        "+ ",
        "===",
        "---",
        "> ",
        "![x](y)",
        "](javascript:x)",
    ),
    *("[a](b)", "[a]: b", "\\", "$$", "http://x.y", "www.x.y", "@all", "a@b.c", "%0a", "%41", "../", "é", "😀"),
]
names = st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join)
places = st.one_of(st.just(""), names, st.builds("{}:{}".format, names, st.integers(1, 99)))
waivers = st.one_of(st.none(), st.builds(Waiver, names, st.just("2027-01-31"), places))
findings = st.builds(
    Finding,
    st.sampled_from(["QP101", "QP104", "QP105", "QP310", "QP999"]),
    st.sampled_from(Severity),
    names,
    place=places,
    body=st.lists(names, max_size=2).map(tuple),
    share=names,
    unit=names,
    witness=st.one_of(st.just(""), names),
    fix=names,
    waiver=waivers,
)
readings = st.sampled_from([{}, {"A24": "b"}, {"A15": "no", "A23": "no"}])
results = st.builds(
    Result,
    st.sampled_from(["G1", "G14", "G18", "G99", "INPUT", "PROMISES", "SCENARIO", "CAMPAIGN", "PROFILE", "GOAL"]),
    st.sampled_from(Verdict),
    names,
    subject=st.one_of(st.just(""), names),
    combinations=readings.map(lambda one: (one,) if one else ()),
    witness=st.one_of(st.just(""), names),
    asked=st.booleans(),
    open=st.booleans(),
    waiver=waivers,
    place=places,
    count=st.integers(0, 3),
)
sizes = st.integers(0, 20)
suggestions = st.builds(
    Suggestion,
    st.lists(names, max_size=2).map(tuple),
    sizes,
    names,
    instead=st.lists(names, max_size=2).map(tuple),
    none=names,
)
codes = st.sampled_from(["P1", "P2", "P3"])
promises = st.builds(
    lambda code, result, **said: Promised(code, result=replace(result, code=code), **said),
    codes,
    results,
    says=names,
    term=st.sampled_from(["gets", "at_most", "measured"]),
    how=st.sampled_from(How),
    owner=names,
    why=names,
    valid=st.sampled_from(["", "until 2027-01-29"]),
    in_force=st.booleans(),
    suggestion=st.none() | suggestions,
)
rows = st.builds(
    Row, names, names, names, sizes, sizes, sizes, sizes, st.lists(names, max_size=2).map(tuple), sizes, names
)
theorems = st.builds(Theorem, st.just("B"), names, st.sampled_from(["proved", "unknown"]), sizes)
steps = st.builds(Step, st.integers(1, 9), names, names, st.one_of(st.just(""), names), names, st.booleans())
sources = st.lists(st.builds(Source, names, names.filter(lambda n: n != "-"), names), max_size=2).map(tuple)
options = st.builds(Options, strict=st.booleans(), fail_on=st.sampled_from(FailOn), verbose=st.booleans(), out=names)


@st.composite
def streams(draw: st.DrawFn) -> list[Event]:
    command = draw(st.sampled_from(["verify", "plan", "replay", "audit", "conform"]))
    began = Began(command, draw(names), draw(sources), about=draw(names), rests_on=(draw(names),))
    judged: list[Event] = [*draw(st.lists(findings, max_size=3)), *draw(st.lists(results, max_size=4))]
    if command in ("verify", "audit"):
        judged += draw(st.lists(promises, max_size=4))
    table: list[Event] = []
    if command == "verify":
        table = draw(st.lists(rows, max_size=2))
        table = [*(UnitTotal(r.unit, 3, 4) for r in table if isinstance(r, Row)), *table, *draw(st.lists(theorems))]
    if command == "audit":
        table = draw(measured(names, places))
    if command == "plan":
        table = draw(about_plan(names, places, rows))
    if command == "conform":
        table = draw(about_conformance(names))
    return [began, *table, *judged, *(draw(st.lists(steps, max_size=3)) if command == "replay" else []), Ended(0.1)]
