"""Streams of events to report on, made without solver or files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from quotaproof.checker.findings.table import table
from quotaproof.checker.promised import How, Promised, Suggestion
from quotaproof.checker.replay import EXPECT, KEPT
from quotaproof.checker.results import (
    Began,
    Ended,
    Event,
    Finding,
    Rests,
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
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import Readings

from ...support.findings import found as by_checks

HOLDS = tuple(Result(f"G{n}", Verdict.HOLDS_ALWAYS, "theorem B") for n in range(1, 5))
RESTS = Result(
    "G14",
    Verdict.HOLDS_IF,
    "theorem R",
    combinations=({"A23": "no", "A15": "no"},),
    assumes=("A23", "A24"),
    witness="A23-A15.json",
    witnesses=("A23-A15.json",),
)
OPEN = Result("G18", Verdict.UNKNOWN, "gangs: not proved", open=True)
LIMIT = Result("G7", Verdict.UNKNOWN, "the solver reached its limit")
BROKEN = Result("G14", Verdict.BROKEN, "an owner waits for ever", subject="speech", witness="G14.json")
BROKEN_IF = Result("G18", Verdict.BROKEN_IF, "two jobs take turns", combinations=({"A24": "b"},))
PROVED = Theorem("B", "no step makes an excess larger", "proved", 270)
FAILED = Theorem("T5", "the rank falls", "unknown", 12, reason="limit")


def sample(
    config: QueueConfig,
    *results: Result,
    theorems: tuple[Theorem, ...] = (PROVED,),
    solver: Mapping[str, str] | None = None,
    assumed: Mapping[str, str] | None = None,
    found: Sequence[Finding] | None = None,
    sources: tuple[Source, ...] = (),
    left_out: tuple[str, ...] = (),
    seconds: float = 0.0,
) -> list[Event]:
    """What `verify` says about `config`; `found` are its findings where they are not the errors of the catalogue."""
    units, rows = table(config, Readings())
    began = Began("verify", config.job_queue_name, sources, left_out, assumed=assumed or {})
    judged = by_checks(config, "QP101", "QP104", "QP105", "QP106") if found is None else found
    return [began, *units, *rows, *judged, *(results or HOLDS), *theorems, Ended(seconds, solver or {})]


HOSTILE = "]](javascript:x)<script>|`*_\x1b[2J\u202e ]]>&\"'\n# @all \ud800 http://x.y www.x.y"
"""A name that tries everything at once: a terminal, HTML, XML, Markdown, a link, a mention."""
WAIVER = Waiver("the new rack comes in January", "2027-01-31", "waivers.yaml:4")
SOURCES = (
    Source("queue.yaml", "live/queue.yaml", "queue form"),
    Source(f"{HOSTILE}.json", f"live/{HOSTILE} %41.json", "list-quota-shares"),
)
ERROR = Finding(
    "QP101",
    Severity.ERROR,
    "19 p5 given, 16 exist",
    place="queue.yaml:6",
    body=("1. a starts a job of 8     2. b submits a job of 3, within its limit", "Nobody can be stopped."),
    share="b",
    unit="p5",
    witness="QP101-b.json",
    fix="give 3 less",
)
WARNING = Finding("QP110", Severity.WARNING, "25 % of 3 is less than one", "queue.yaml:9", share="a", unit="p5")
NOTE = Finding("QP220", Severity.NOTE, "6 of 16 p5 stay empty", share="c", unit="p5")


def everything() -> list[Event]:
    """A `verify` with something in every class, accepted or not, and with hostile names."""
    of_b = Result("G14", Verdict.BROKEN, "limits 19 > environment 16", "b, p5")
    odd = replace(ERROR, code="QP104", title=f"{HOSTILE} is not there", share=HOSTILE, place=f"{HOSTILE}.json:7")
    accepted = replace(ERROR, code="QP105", title="21 shares, AWS allows 20", fix="", witness="", waiver=WAIVER)
    return [
        Began(
            "verify",
            f"queue {HOSTILE}",
            SOURCES,
            left_out=("notes.json: not a queue",),
            notes=("The service environment is assumed.",),
            assumed={"A16": "created"},
        ),
        UnitTotal("p5", 16, 19),
        UnitTotal(HOSTILE, None, 3),
        Row("a", "p5", "LEND_AND_BORROW", 8, 8, 10, 2, ("b",), 4, "by stopping borrowed jobs of b"),
        Row("b", "p5", "LEND", 3, 0, 4, 0, (), 0, "NO: may wait for ever"),
        Row(HOSTILE, HOSTILE, "RESERVE", 3, 0, 0, 0, (), 0, f"by stopping borrowed jobs of {HOSTILE}"),
        Rests("A6", "read as floor; as ceil, a could hold 5"),
        *(ERROR, odd, WARNING, replace(NOTE, waiver=WAIVER), accepted, NOTE),
        *HOLDS,
        replace(RESTS, code="G17"),
        OPEN,
        LIMIT,
        of_b,
        BROKEN,
        replace(BROKEN, code="G8", subject=HOSTILE, waiver=WAIVER),
        BROKEN_IF,
        Result("G19", Verdict.NOT_APPLICABLE, "no share is being deleted"),
        PROVED,
        FAILED,
        Ended(0.41, {"name": "z3", "version": "5", "logic": "QF_LIA", "budget": "1"}),
    ]


def accepted() -> list[Event]:
    """A `verify` in which everything that is broken is accepted."""
    return [
        Began("verify", "research", SOURCES[:1]),
        UnitTotal("p5", 16, 19),
        Row("b", "p5", "LEND", 3, 0, 4, 0, (), 0, "NO: may wait for ever"),
        replace(ERROR, waiver=WAIVER),
        *HOLDS,
        Result("G14", Verdict.BROKEN, "limits 19 > environment 16", "b, p5", waiver=WAIVER),
        Ended(0.1),
    ]


def played() -> list[Event]:
    """A `replay` with a broken promise and with an expectation that is met and one that is not."""
    return [
        Began(
            "replay",
            f"scenario {HOSTILE}",
            (Source("s.yaml", "s.yaml", "scenario"),),
            assumed={"A23": "no"},
            about=f"{HOSTILE} waits.",
            rests_on=("rule 36", HOSTILE),
            jobs=(HOSTILE, "train"),
        ),
        Step(1, f"a submits {HOSTILE}: 8 p5"),
        Step(2, f"{HOSTILE} starts", in_use=f"{HOSTILE} 8", note="the reference would choose: nothing"),
        Step(3, "train starts", broken="G1 environment respected: train starts: 9 of 8", loops=True),
        Step(4, "expect: as expected"),
        Step(5, "expect: a should use 2 p5, uses 3"),
        Result("G1", Verdict.BROKEN, "train starts: 9 of 8", "step 3"),
        Result(EXPECT, Verdict.HOLDS_HERE, "as expected", "step 4"),
        Result(EXPECT, Verdict.BROKEN, "a should use 2 p5, uses 3", "step 5"),
        Ended(0.1),
    ]


def shown() -> list[Event]:
    """A `replay` of a witness that shows what it says."""
    more = (
        "A share always gets its own back for its head job, which needs limits within the environment.",
        "train cannot start: 9 of 8.",
    )
    return [
        Began("replay", "QP101-b", about="b waits.", jobs=("train",)),
        Step(1, "b submits train: 3 p5"),
        Result("G14", Verdict.BROKEN, "train waits and nothing can move", "train", more=more),
        Ended(0.1),
    ]


def kept() -> list[Event]:
    """A `replay` in which nothing is wrong."""
    return [
        Began("replay", "quiet"),
        Step(1, "b submits train: 3 p5"),
        Result(KEPT, Verdict.HOLDS_HERE, "no step breaks a promise"),
        Ended(0.1),
    ]


def promised() -> list[Event]:
    """A `verify` with nothing wrong but promises, which came to everything that a promise can come to."""

    def promise(code: str, term: str, how: How, verdict: Verdict, because: str, **said: object) -> Promised:
        result = {k: said.pop(k) for k in [*said] if k not in _OF_PROMISED}
        made = replace(Result(code, verdict, because, place=f"promises.yaml:{code[1:]}"), **result)
        return replace(Promised(code, f"What {code} says.", term, how, made, owner="the platform team"), **said)

    proved, holds = How.PROVED, Verdict.HOLDS_HERE
    less = Suggestion(
        ("speech p5 3 -> 2", f"{HOSTILE} p5 1 -> 0"),
        2,
        costs="speech holds at most 2 p5, not 3",
        instead=("speech LEND",),
    )
    none = Suggestion((), 0, none="no change of the configuration can do it: proved")
    open_reading = ({"A6": "ceil"},)
    return [
        Began("verify", "research", (SOURCES[0], Source("promises.yaml", "live/promises.yaml", "promises"))),
        UnitTotal("p5", 16, 16),
        Row("speech", "p5", "LEND", 3, 3, 4, 0, (), 0, "by stopping borrowed jobs"),
        *HOLDS,
        promise("P1", "gets", proved, holds, "4 <= 6", subject="speech, p5", why="a deadline"),
        promise("P2", "at_most", proved, Verdict.BROKEN, "can hold 4 > 3", subject=f"{HOSTILE}, p5",
                witness="promise-P2-at_most-1.json", says=f"{HOSTILE} holds 3.", suggestion=less),
        promise("P2", "at_most", proved, Verdict.BROKEN, "can hold 5 > 3", subject="speech, p5", suggestion=none),
        promise("P2", "at_most", proved, holds, "can hold 2 <= 3", subject="vision, p5"),
        promise("P3", "fits", proved, Verdict.UNKNOWN, "the solver reached its limit", subject="speech, p5"),
        promise("P4", "borrows_at_most", proved, Verdict.BROKEN, "can borrow 6 > 2", waiver=WAIVER),
        promise("P5", "gets", proved, Verdict.BROKEN, "a job of 12 waits", in_force=False, valid="until 2027-01-29"),
        promise("P6", "stops_per_job", How.RECORDED, Verdict.NOT_APPLICABLE, "set when a job is submitted"),
        promise("P7", "changes", How.AT_CHANGE, Verdict.NOT_APPLICABLE, "plan checks it"),
        promise("P7", "measured", How.MEASURED, Verdict.NOT_APPLICABLE, "audit measures it"),
        promise("P8", "borrows_at_most", proved, Verdict.HOLDS_IF, "can borrow 2 <= 2", combinations=open_reading),
        promise("P9", "gets", proved, Verdict.BROKEN_IF, "a job of 2 waits", combinations=open_reading, asked=True),
        Ended(0.2),
    ]  # fmt: skip


_OF_PROMISED = ("says", "why", "suggestion", "in_force", "valid")
