"""Files of promises: what each field comes to, and that the sample beside the repository is read whole."""

from __future__ import annotations

from datetime import date
from typing import get_args

import pytest
from quotaproof.spec.formats import load
from quotaproof.spec.formats.promises import load_promises
from quotaproof.spec.formats.units import candidates
from quotaproof.spec.promises import (
    BorrowsAtMost,
    By,
    Changes,
    Fits,
    Gets,
    HoldsAtMost,
    IdleWhileWaiting,
    Measure,
    Measured,
    Notice,
    PriorityBand,
    Recovery,
    Scope,
    Span,
    StopsPerJob,
    Term,
    Undisturbed,
)
from quotaproof.spec.readings import Readings

from ...support.promised import CONFIG, EVERY, G5, P5, document, parsed, promise

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000


def test_every_kind_of_term_is_read_as_what_it_says() -> None:
    terms = [t for p in parsed(EVERY).promises for t in p.terms]
    assert terms == [
        Gets({P5: 8}, 15 * MINUTE),
        Fits({P5: 2}),
        Undisturbed(By.OTHER_SHARES),
        Undisturbed(By.ANYONE, always=True),
        HoldsAtMost({"GPU": 148}),
        BorrowsAtMost({P5: 4, G5: 4}),
        StopsPerJob(3, owner="oncall", within="1 working day", choose=("resubmit", "smaller job")),
        Recovery(True, "drills/*.md", 90 * DAY, "x"),
        PriorityBand(9000, 9999, "release", ("role/R",), 2),
        IdleWhileWaiting(G5, 0),
        Changes(Notice(5, working=True)),
        Measured(Measure.LOST_SHARE, 2.5, "quarter"),
        Measured(Measure.WAIT_P95, 2.0 * HOUR),
    ]
    assert {type(t) for t in terms} == set(get_args(Term))


def test_whom_it_is_about_when_it_counts_and_who_answers_for_it() -> None:
    read = parsed(EVERY)
    first, second, *_, last = read.promises
    assert [p.scope for p in read.promises[3:6]] == [
        Scope(("vital",)),
        Scope(("train", "serve", "vital"), "all"),
        Scope(borrows=True),
    ]
    assert second.scope == Scope(("serve", "vital")) and read.promises[6].scope == Scope()
    assert last.valid == Span(date(2027, 1, 11), date(2027, 1, 29)) and last.change == "pull request"
    assert (first.why, second.why, first.owner) == ("a deadline", "it was agreed", "platform")
    assert (first.review, second.review) == (None, date(2027, 3, 1))
    (exempt,) = read.exemptions
    assert (exempt.to, exempt.share, exempt.until) == ("P6", "train", date(2026, 12, 20))
    assert read.weights == {"GPU": {P5: 8, G5: 1}}
    assert read.stop_takes == {P5: 10 * MINUTE, G5: 90_000}
    assert read.queue == "gpu"


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("at-once", 0), ("90s", 90_000), ("15m", 15 * MINUTE), ("2 h", 2 * HOUR), ("1d", DAY)],
)
def test_times(text: str, milliseconds: int) -> None:
    tree = document(promise(gets={"p5": 1, "within": text}))
    assert parsed(tree).promises[0].terms == (Gets({P5: 1}, milliseconds),)


@pytest.mark.parametrize(("said", "percent"), [(2, 2.0), (0.5, 0.5), ("2 %", 2.0), ("100%", 100.0), (0, 0.0)])
def test_percentages(said: object, percent: float) -> None:
    tree = document(promise(measured={"lost_share": {"at_most": said}}))
    assert parsed(tree).promises[0].terms == (Measured(Measure.LOST_SHARE, percent),)


@pytest.mark.parametrize(
    ("said", "notice"),
    [("5 working days", Notice(5, True)), ("1 working day", Notice(1, True)), ("3 days", Notice(3)), ("7d", Notice(7))],
)
def test_notices(said: str, notice: Notice) -> None:
    assert parsed(document(promise(changes={"shrink_notice": said}))).promises[0].terms == (Changes(notice),)


def test_a_unit_may_be_called_by_any_part_that_no_other_has() -> None:
    units = ["ml.p5.48xlarge", "ml.p5e.48xlarge", "ml.g5.xlarge", "p5"]
    assert candidates("ml.p5e.48xlarge", units) == ["ml.p5e.48xlarge"]
    assert candidates("p5", units) == ["p5"]
    assert candidates("p5", units[:3]) == ["ml.p5.48xlarge"]
    assert candidates("p5.48xlarge", units) == ["ml.p5.48xlarge"]
    assert candidates("5e", units) == ["ml.p5e.48xlarge"]
    assert candidates("48xlarge", units) == units[:2]
    assert candidates("trn1", units) == candidates("", units) == candidates(".", units) == []


def test_an_exception_without_a_share_is_for_every_share_of_the_promise() -> None:
    exception = {"id": "E1", "to": "P1", "until": "2026-12-20", "why": "asked", "owner": "o"}
    tree = document(promise(fits={"p5": 1}), exceptions=[exception])
    assert [(e.share, e.says) for e in parsed(tree).exemptions] == [("", "")]


def test_defaults_stand_in_for_what_a_promise_does_not_say() -> None:
    tree = document({"id": "P1", "says": "x", "fits": {"p5": 1}}, defaults={"owner": "o", "review": "2027-01-02"})
    (read,) = parsed(tree).promises
    assert (read.owner, read.review, read.why) == ("o", date(2027, 1, 2), "")


def test_the_sample_is_read_whole(samples) -> None:
    folder = samples / "broken6"
    loaded = load([str(folder)], readings=Readings(), promises="")
    read = loaded.promises
    assert read is not None and read == load_promises(str(folder / "promises.yaml"), loaded.config)
    assert [p.code for p in read.promises] == [f"P{n}" for n in range(1, 13)]
    assert [type(t) for p in read.promises for t in p.terms] == [
        *(Gets, Gets, Fits, Undisturbed, HoldsAtMost, StopsPerJob, Recovery, BorrowsAtMost, PriorityBand),
        *(IdleWhileWaiting, Gets, Changes, Measured),
    ]
    assert [p.owner for p in read.promises[:3]] == ["vision-lead", "prod-lead", "ml-platform"]
    assert [p.place for p in read.promises[:2]] == ["promises.yaml:13", "promises.yaml:19"]
    assert {p.review for p in read.promises} == {date(2027, 3, 1)}
    assert [(e.code, e.to, e.until) for e in read.exemptions] == [("E1", "P8", date(2026, 12, 20))]
    assert read.stop_takes == {P5: 10 * MINUTE, G5: 4 * MINUTE}
    assert read.folder == str(folder)


def test_the_amounts_of_a_measure_weigh_the_units_of_the_queue() -> None:
    read = parsed(EVERY)
    assert read.per_unit({"GPU": 148}, CONFIG.units) == ({P5: 8, G5: 1}, 148)
    assert read.per_unit({P5: 2}, CONFIG.units) is None
