"""Verdicts and numbers under readings that the user fixed, and for queues with something switched off."""

from __future__ import annotations

import pytest
from quotaproof.checker.findings.sensitivity import sensitive
from quotaproof.checker.findings.table import table
from quotaproof.checker.prove.theorems import prove
from quotaproof.checker.prove.verify import verdicts
from quotaproof.checker.results import Verdict
from quotaproof.checker.witness.play import play
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Breaks, Scenario, Settle
from quotaproof.spec.model import State
from quotaproof.spec.readings import Readings

from ..support.queues import queue, share, walkthrough

BORROWS = "LEND_AND_BORROW"


@pytest.fixture(scope="module")
def proofs():
    return prove()


def result(config, proofs, code="G14", **chosen):
    (found,) = [r for r in verdicts(config, Readings.of(**chosen), proofs).results if r.code == code]
    return found


@pytest.mark.parametrize("chosen", [{"A28": "greedy"}, {"A24": "b"}, {"A23": "no"}, {"A58": "freed"}])
def test_a_reading_outside_the_theorem_is_never_answered_by_the_theorem(proofs, chosen):
    found = result(walkthrough(), proofs, **chosen)
    assert found.verdict is Verdict.UNKNOWN
    ((code, choice),) = chosen.items()
    assert found.because.startswith(f"{code}={choice} is outside Theorem R")
    assert not found.open


def test_where_nobody_ever_has_to_be_stopped_no_reading_matters(proofs):
    config = queue(4, share("A", 2), share("B", 2, BORROWS, 0))
    assert result(config, proofs, A23="no").verdict is Verdict.HOLDS_HERE


def test_what_breaks_under_the_users_own_readings_counts(proofs):
    found = result(walkthrough(), proofs, A23="no", A15="no")
    assert (found.verdict, found.asked, found.witness) == (Verdict.BROKEN_IF, True, "A23-A15.json")


def test_without_readings_it_holds_if_and_names_the_combination(proofs):
    found = result(walkthrough(), proofs)
    assert (found.verdict, found.combinations, found.witnesses) == (
        Verdict.HOLDS_IF, ({"A23": "no", "A15": "no"},), ("A23-A15.json",))  # fmt: skip


def test_a_job_of_several_units_is_lost_whole_for_what_it_borrows_of_one():
    config = queue({"p5": 3, "g5": 20}, share("found", {"p5": 1, "g5": 10}, BORROWS), share("lab", {"p5": 2, "g5": 10}))
    _, rows = table(config, Readings())
    assert {(r.share, r.unit): r.loses for r in rows} == {
        ("found", "p5"): 3, ("lab", "p5"): 0, ("found", "g5"): 20, ("lab", "g5"): 0}  # fmt: skip
    only_one = queue({"p5": 2, "g5": 20}, share("found", {"p5": 2, "g5": 10}, BORROWS), share("lab", {"g5": 10}))
    _, rows = table(only_one, Readings())
    assert {(r.share, r.unit): (r.borrow, r.loses) for r in rows} == {
        ("found", "p5"): (0, 2), ("found", "g5"): (10, 20), ("lab", "g5"): (0, 0)}  # fmt: skip


def test_a_disabled_share_whose_jobs_do_not_start_can_count_on_nothing(proofs):
    off = share("B", 2).model_copy(update={"state": State.DISABLED})
    config = queue(4, share("A", 2), off)
    _, rows = table(config, Readings.of(A46="no"))
    assert [(r.share, r.sure, r.most, r.own_back) for r in rows] == [
        ("A", 2, 2, "at once: nobody can borrow it"), ("B", 0, 0, "NO: DISABLED, nothing starts")]  # fmt: skip
    broken = [r for r in verdicts(config, Readings.of(A46="no"), proofs).results if r.verdict is Verdict.BROKEN]
    assert [(r.subject, r.because) for r in broken] == [
        ("B, u", "DISABLED, nothing starts (rule 52, or A46 no): 0 of 2 sure")]  # fmt: skip
    _, rows = table(config, Readings())
    assert [r.sure for r in rows] == [2, 2]


def test_a_job_that_waits_for_a_disabled_share_is_not_said_to_wait_for_loans():
    off = share("B", 2).model_copy(update={"state": State.DISABLED})
    steps = (ev.SetShareState("B", State.ENABLED), ev.Submit("x", "B", {"u": 2}), ev.SetShareState("B", State.DISABLED),
             Settle())  # fmt: skip
    scenario = Scenario("x", "", queue(4, share("A", 2), off), steps, Readings.of(A46="no"), (),
                        Breaks("G14", "stuck", "x"))  # fmt: skip
    played = play(scenario)
    assert not played.shows
    assert played.wrong == ["x waits for another reason: B is DISABLED"]


def test_the_readings_that_numbers_rest_on_are_named_with_what_changes():
    config = queue(4, share("A", 3, BORROWS, 50), share("B", 1))
    _, rows = table(config, Readings())
    assert sensitive(config, Readings(), rows) == ()
    config = queue(5, share("A", 3, BORROWS, 50), share("B", 2))
    _, rows = table(config, Readings())
    assert sensitive(config, Readings(), rows) == (("A6", "read as floor; as ceil, A could hold 5 u, not 4"),)
    assert sensitive(config, Readings.of(A6="floor"), rows) == (), "the user fixed it"


def test_a_default_that_the_user_fixed_excludes_what_its_other_choices_break(proofs):
    assert result(walkthrough(), proofs, A23="yes").verdict is Verdict.HOLDS_HERE
    assert result(walkthrough(), proofs, "G8", A15="yes").verdict is Verdict.HOLDS_ALWAYS
