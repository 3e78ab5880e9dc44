"""In-share priority served (G21): when a scheduler at rest is to blame for a higher priority that waits, and when not."""

from __future__ import annotations

from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.rest import at_rest, due
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage, State
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share

FULL = queue(2, share("a", 2, in_share=True))
"""One share that has everything."""
TOO_MANY = queue(3, share("a", 3, in_share=True), share("b", 3))
"""Limits beyond the environment, so that an owner may wait though nobody borrows."""


def runs(name: str, priority: int | None = 1, share: str = "a", n: int = 1):
    """A job that was submitted and started."""
    return ("runs", name, share, n, priority)


def waits(name: str, priority: int | None = 5, share: str = "a", n: int = 1):
    """A job that was submitted."""
    return ("waits", name, share, n, priority)


def told(config, *steps, claims_known=True, **readings: str) -> str:
    """What a scheduler breaks that has nothing left to do after these steps; '' for nothing."""
    book = Book(config, Readings().assuming(readings), claims_known=claims_known)
    for step in steps:
        if isinstance(step, tuple):
            kind, name, of, n, priority = step
            book.submit(name, of, {"u": n}, priority, None)
            if kind == "runs":
                book.record(ev.Dispatch(name))
        else:
            book.record(step)
    found = at_rest(book)
    code = found.code if found else ""
    assert due(book).get("G21", 0) == (code == "G21" and claims_known), "what is due then is what is told"
    return code


def test_a_head_that_fits_once_lower_priorities_of_its_share_have_stopped_may_not_wait() -> None:
    assert told(FULL, runs("low"), runs("other", 9), waits("high")) == "G21"
    assert told(FULL, runs("low"), runs("lower", 0), waits("pair", n=2)) == "G21"
    assert told(FULL, runs("low"), runs("other", 9), waits("high"), claims_known=False) == "G21"


def test_the_sentence_names_the_head_and_who_could_have_stopped() -> None:
    book = Book(FULL, Readings())
    for name, priority, starts in (("low", 1, True), ("equal", 5, True), ("high", 5, False)):
        book.submit(name, "a", {"u": 1}, priority, None)
        if starts:
            book.record(ev.Dispatch(name))
    found = at_rest(book)
    assert found is not None
    assert found.sentence == (
        "high is the head of a: it would fit once low, of lower priority in its share, had stopped, and nothing drains"
    )
    assert book.jobs["low"].stage is Stage.SCHEDULED, "the question changes nothing"


def test_an_update_of_a_priority_alone_makes_it_due() -> None:
    before = runs("x", 5), runs("y", 5), waits("z", 5)
    assert told(FULL, *before) == ""
    assert told(FULL, *before, ev.SetPriority("z", 6)) == "G21"
    assert told(FULL, *before, ev.SetPriority("x", 4)) == "G21"
    assert told(FULL, *before, ev.SetPriority("x", 4), A33="ignored") == ""
    assert told(FULL, *before, ev.SetPriority("z", 6), A33="ignored") == "G21"


def test_it_is_due_whatever_keeps_the_head_waiting() -> None:
    limit = queue(4, share("a", 1, in_share=True), share("b", 3))
    assert told(limit, runs("low"), waits("high")) == "G21"
    loans = queue(4, share("a", 1, "LEND_AND_BORROW", 100, in_share=True), share("b", 3))
    assert told(loans, runs("low"), runs("loan"), waits("high")) == "G21"
    assert told(TOO_MANY, runs("low"), runs("o1", 1, "b"), runs("o2", 1, "b"), waits("high")) == "G21"


def test_nobody_has_to_make_room_that_may_not_be_stopped_or_does_not_suffice() -> None:
    off = queue(2, share("a", 2))
    assert told(off, runs("low"), runs("lower", 0), waits("high")) == ""
    assert told(FULL, ev.SetInShare("a", False), runs("low"), runs("lower"), waits("high")) == ""
    assert told(FULL, runs("x", 5), runs("y", 5), waits("equal", 5)) == ""
    assert told(FULL, runs("low"), runs("x", 9), waits("pair", n=2)) == ""
    assert told(FULL, runs("low"), runs("x"), waits("huge", n=3)) == ""
    assert told(TOO_MANY, runs("o1", 1, "b", 3), waits("high")) == "", "the others are within their limit"


def test_a_share_that_starts_nothing_is_owed_nothing() -> None:
    before = runs("low"), runs("x"), waits("high")
    assert told(FULL, *before, ev.SetEnvironmentState(State.DISABLED)) == ""
    assert told(FULL, *before, ev.DeleteShare("a")) == ""
    off = ev.SetShareState("a", State.DISABLED)
    assert told(FULL, *before, off) == "G21"
    assert told(FULL, *before, off, A46="no") == ""
    cut = ev.SetCapacity({"u": 1})
    assert told(FULL, *before, cut) == "G21"
    assert told(FULL, *before, cut, A50="waits") == ""


def test_nothing_is_due_while_a_victim_drains() -> None:
    before = runs("low"), runs("x"), waits("high")
    assert told(FULL, *before, ev.Claim("high", ("low",))) == ""


def test_of_equal_heads_each_has_to_be_owed_it() -> None:
    before = runs("low"), runs("x", 9), waits("high")
    assert told(FULL, *before, waits("pair", n=2)) == "", "the pair may be the head, and one machine does not suffice"
    assert told(FULL, *before, waits("other")) == "G21"


def test_priorities_that_are_not_known_excuse() -> None:
    assert told(FULL, runs("x", None), runs("y", 9), waits("high")) == ""
    assert told(FULL, runs("low"), runs("y", 9), waits("high"), waits("unknown", None)) == ""
    changed = runs("x", None), runs("y", 9), waits("high"), ev.SetPriority("x", 1)
    assert told(FULL, *changed) == "G21"
    assert told(FULL, *changed, A33="ignored") == "", "it may have started with a higher one"


def test_a_head_that_can_never_run_blocks_its_share_or_is_skipped() -> None:
    before = runs("low"), runs("x"), waits("never", 9, n=3), waits("high")
    assert told(FULL, *before) == ""
    assert told(FULL, *before, A52="skipped") == "G21"


def test_where_no_loan_is_inherited_the_share_has_to_end_within_its_limit() -> None:
    loans = queue(3, share("a", 1, "LEND_AND_BORROW", in_share=True), share("b", 2))
    two_loans = runs("x", 9), runs("low"), runs("lower", 0), waits("high")
    assert told(loans, *two_loans) == "G21"
    assert told(loans, *two_loans, A31="own") == ""
    own = queue(1, share("a", 1, "LEND_AND_BORROW", in_share=True))
    assert told(own, runs("low"), waits("high"), A31="own") == "G21"


def test_a_borrower_that_would_have_to_yield_or_to_stand_in_line_may_wait() -> None:
    lent = queue(4, share("a", 1, "LEND_AND_BORROW", in_share=True), share("b", 3), share("c", 2))
    full = runs("x", 9), runs("y", 9), runs("low"), runs("o", 1, "b"), waits("high")
    assert told(lent, *full) == "G21"
    assert told(lent, *full, A16b="strict") == "G21", "nobody else wants to borrow"
    others = queue(5, share("a", 1, "LEND_AND_BORROW", in_share=True), share("b", 3), share("c", 1, "LEND_AND_BORROW"))
    in_line = *full, runs("i", 1, "c"), waits("other", 1, "c")
    assert told(others, *in_line) == "G21"
    assert told(others, *in_line, A16b="strict") == "", "the other one may take what low gives back"
    owner = waits("gang", 1, "b", 2)
    assert told(lent, *full, owner) == "", "what low gives back is owed to the gang, and high would borrow it (A15)"
    assert told(lent, *full, owner, A15="no") == "G21"
