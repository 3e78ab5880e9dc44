"""Claims that were once refuted: each stays refuted, or stays true, for the reason given."""

from __future__ import annotations

import pytest
from quotaproof.checker.findings.table import lots, table
from quotaproof.checker.judge.book import Book
from quotaproof.checker.judge.rest import at_rest
from quotaproof.checker.judge.stepwise import judge
from quotaproof.checker.prove.theorems import prove
from quotaproof.checker.prove.verify import verdicts
from quotaproof.checker.results import Verdict
from quotaproof.checker.witness.find import Ground, passed
from quotaproof.checker.witness.play import play
from quotaproof.checker.witness.shrink import smaller
from quotaproof.spec import events as ev
from quotaproof.spec.formats.document import Document
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Breaks, Scenario
from quotaproof.spec.formats.scenario_text import read
from quotaproof.spec.model import State
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share, walkthrough

BORROWS = "LEND_AND_BORROW"


@pytest.fixture(scope="module")
def proofs():
    return prove()


def submit(job, name, n, priority=0):
    return ev.Submit(job, name, {"u": n}, priority)


def started(job, name, n):
    return [submit(job, name, n), ev.Dispatch(job)]


def test_a_plan_that_does_not_suffice_breaks_a_promise_unless_plans_are_greedy():
    config = queue(5, share("A", 2), share("C", 2), share("B", 1, BORROWS))
    loop = [ev.Claim("a", ("l1",), holds=False), ev.Stopped("l1"), ev.Finish("c1"), ev.Dispatch("l1"),
            *started("c2", "C", 2)]  # fmt: skip
    steps = [*started("b0", "B", 1), *started("l1", "B", 1), *started("l2", "B", 1), *started("c1", "C", 2),
             submit("a", "A", 2), *loop]  # fmt: skip
    scenario = Scenario("x", "", config, tuple(steps), Readings(), (), Breaks("G14", "lasso", "a"), 10)
    played = play(scenario)
    assert not played.shows
    assert played.violations[0].code == "G6+"
    assert played.violations[0].sentence == "the plan does not suffice: a would still lack room"


def test_a_claim_that_is_over_ends_before_the_schedulers_next_step():
    book = Book(queue(5, share("a", 4), share("b", 1, BORROWS)), Readings())
    for event in (submit("big", "a", 4, 1), ev.Claim("big"), submit("hi", "a", 1, 2)):
        assert judge(book, event) is None
        book.record(event)
    violation = judge(book, ev.Dispatch("hi"))
    assert violation is not None
    assert violation.code == "G7"
    assert violation.sentence.startswith("the claim of big is over and was not ended before: a release of big belongs")
    book.record(ev.Release("big"))
    assert judge(book, ev.Dispatch("hi")) is None


@pytest.mark.parametrize("turned", [False, True])
def test_the_order_of_the_units_makes_no_difference(proofs, turned):
    many = [share(f"s{i}", {"u": 2}, BORROWS) for i in range(8)]
    few = [share("A", {"w": 1}), share("C", {"w": 1}), share("B", {"w": 1}, BORROWS)]
    capacity = {"w": 3, "u": 12} if turned else {"u": 12, "w": 3}
    config = queue(capacity, *(few + many if turned else many + few))
    (others,) = [r for r in verdicts(config, Readings(), proofs).results if r.code == "G14" and r.subject == "others"]
    assert others.combinations == ({"A23": "no"}, {"A58": "freed", "A15": "no"})


def g18(config, proofs, **chosen):
    (found,) = [r for r in verdicts(config, Readings.of(**chosen), proofs).results if r.code == "G18"]
    return found


def test_a_borrower_that_retakes_what_was_freed_is_a_circle_too(proofs):
    found = g18(walkthrough(), proofs, A23="no", A15="no")
    assert (found.verdict, found.asked, found.witness) == (Verdict.BROKEN_IF, True, "A23-A15.json")


def test_single_machines_of_two_units_are_no_jobs_of_one_machine(proofs):
    config = queue(
        {"u": 2, "w": 2}, share("A", {"u": 1, "w": 1}, BORROWS, 0), share("B", {"u": 1, "w": 1}, in_share=True)
    )
    assert g18(config, proofs).verdict is Verdict.UNKNOWN
    single = queue({"u": 2}, share("A", {"u": 1}, BORROWS, 0), share("B", {"u": 1}, in_share=True))
    assert g18(single, proofs).verdict is Verdict.HOLDS_HERE
    assert g18(single, proofs, A23="no").verdict is Verdict.UNKNOWN


def test_one_victim_that_stops_does_not_excuse_another_that_drains_for_ever():
    config = queue(3, share("D", 2), share("B", 1, BORROWS))
    steps = [*started("b0", "B", 1), *started("b1", "B", 1), *started("b2", "B", 1), submit("d", "D", 2),
             ev.Claim("d", ("b1", "b2"), holds=False), ev.Stopped("b2"), ev.Dispatch("b2"),
             ev.Claim("d", ("b2",), holds=False)]  # fmt: skip
    scenario = Scenario(
        "x", "", config, tuple(steps), Readings.of(A23="no", A15="no"), (), Breaks("G14", "lasso", "d"), 9
    )
    assert play(scenario).wrong == ["a victim drains for ever in the loop"]


def test_labels_that_the_next_round_would_look_at_are_part_of_the_state():
    config = queue(2, share("A", 1), share("C", 1), share("B", 1, BORROWS))
    steps = [*started("b1", "B", 1), *started("b2", "B", 1), ev.Finish("b1"), *started("c", "C", 1), submit("a", "A", 1),
             ev.Claim("a", ("b2",), holds=False), ev.Stopped("b2"), ev.Dispatch("b2")]  # fmt: skip
    readings = Readings.of(A13="a", A23="no", A15="no")
    scenario = Scenario("x", "", config, tuple(steps), readings, (), Breaks("G14", "lasso", "a"), 9)
    assert play(scenario).wrong == ["the state after the last step is not that before the repeated steps"]


def test_a_witness_of_small_jobs_that_pass_is_minimal():
    config = queue(12, share("A", 5, BORROWS, in_share=True), share("B", 7))
    readings = Readings.of(A18="backfill")
    made = passed(Ground(config, lots(config, readings)[0], readings), "A18", 0)
    assert made is not None
    assert play(made).shows
    assert not any(play(less).shows for less in smaller(made) if less.steps)


def test_a_scenario_whose_queue_lacks_its_version_is_bad_input():
    form = {"scenario": 1, "steps": [], "queue": {"queue": "q", "shares": []}}
    with pytest.raises(InputError, match="quotaproof is missing"):
        read(Document("x.yaml", form, dict))


def test_nothing_starts_in_a_disabled_environment():
    config = walkthrough()
    off = config.model_copy(update={"environment": config.environment.model_copy(update={"state": State.DISABLED})})
    _, rows = table(off, Readings())
    assert {(r.sure, r.most, r.own_back) for r in rows} == {(0, 0, "NO: DISABLED, nothing starts")}


def test_an_entitled_head_that_waits_at_rest_for_loans_breaks_reclaim():
    book = Book(walkthrough(), Readings())
    for event in (*started("own", "QS1", 1), *started("loan", "QS1", 1), submit("back", "QS2", 1)):
        assert judge(book, event) is None
        book.record(event)
    found = at_rest(book)
    assert found is not None
    assert (found.code, found.event) == ("G14", "back waits")
    book.record(ev.Claim("back", ("loan",)))
    assert at_rest(book) is None, "a victim drains"


def test_a_borrower_is_blamed_only_if_every_job_that_may_be_the_head_shows_it():
    config = queue(4, share("A", 3), share("B", 1, BORROWS))
    book = Book(config, Readings())
    for event in (*started("b0", "B", 1), submit("small", "A", 1), submit("large", "A", 3), submit("b1", "B", 1)):
        assert judge(book, event) is None
        book.record(event)
    assert judge(book, ev.Dispatch("b1")) is None, "`small` may be the head, and it fits beside"
    book.record(ev.SetPriority("large", 1))
    violation = judge(book, ev.Dispatch("b1"))
    assert violation is not None
    assert violation.code == "G8"
