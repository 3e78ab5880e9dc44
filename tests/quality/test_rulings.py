"""What a history says of the open questions is never wrong: the choice that it was made under is never ruled out."""

from __future__ import annotations

import random

import pytest
from quotaproof.checker.explore.recorded import recorded
from quotaproof.checker.judge.infer import ruled_out, rulings
from quotaproof.spec import events as ev
from quotaproof.spec.observations import Completeness, Gap, History, Preempting, Seen, Settled, Submitted
from quotaproof.spec.readings import READINGS, Readings

from ..support.queues import queue, share
from ..support.reference import job
from ..support.told import AS_AWS_SHOWS_IT, COMPLETE, random_history

BORROWS = "LEND_AND_BORROW"
CHOICES = [(code, choice) for code in Readings() if code != "A7" for choice in READINGS[code].choices]


def histories(number: int, seed: int) -> list[tuple[str, str, History]]:
    """Histories under every choice in turn, complete and as AWS shows them in turn."""
    rng = random.Random(seed)
    order = rng.sample(CHOICES, len(CHOICES))
    made = []
    for i in range(number):
        code, choice = order[i % len(order)]
        view = (COMPLETE, AS_AWS_SHOWS_IT)[(i + i // len(order)) % 2]
        made.append((code, choice, random_history(seed + i, Readings().assuming({code: choice}), **view)))
    return made


def wrongly_ruled_out(number: int, seed: int) -> list[object]:
    return [
        ruled for code, choice, history in histories(number, seed)
        for ruled in ruled_out(history, questions=[code]) if ruled.choice == choice
    ]  # fmt: skip


def test_a_random_history_never_rules_out_the_choice_it_was_made_under() -> None:
    assert wrongly_ruled_out(60, 1) == []


@pytest.mark.campaign
def test_a_thousand_random_histories_never_rule_out_the_choice_they_were_made_under() -> None:
    assert wrongly_ruled_out(2000, 1000) == []


@pytest.mark.campaign
def test_another_question_answered_otherwise_does_not_rule_out_the_true_choice() -> None:
    rng = random.Random(7)
    for seed in range(1000):
        (code, choice), (other, answer) = rng.sample(CHOICES, 2)
        if code == other:
            continue
        view = (COMPLETE, AS_AWS_SHOWS_IT)[seed % 2]
        history = random_history(seed, Readings().assuming({code: choice, other: answer}), **view)
        assert choice not in {r.choice for r in ruled_out(history, questions=[code])}, (
            seed,
            code,
            choice,
            other,
            answer,
        )


def two_share_history(*events: ev.Event | None, capacity: int = 2, **view: object) -> History:
    """Share b borrows from share l; each event is a move of its own."""
    config = queue(capacity, share("b", 1, BORROWS), share("l", capacity - 1))
    return recorded(config, Readings(), list(enumerate(events)), **view)  # type: ignore[arg-type]


def test_a_history_in_which_nothing_distinguishes_rules_out_nothing() -> None:
    history = two_share_history(job("b-1"), ev.Dispatch("b-1"), None, job("l-1"), ev.Dispatch("l-1"), None)
    assert rulings(history).ruled == ()


def test_a_ruling_names_the_observation_and_what_does_explain_it() -> None:
    config = queue(2, share("a", 2))
    events = [job("a-1"), ev.Dispatch("a-1"), job("a-gang", 2, 2), job("a-small"), ev.Dispatch("a-small")]
    history = recorded(config, Readings(), list(enumerate(events)))
    (ruled,) = ruled_out(history, questions=["A18"])
    assert (ruled.code, ruled.choice, ruled.seen.what) == ("A18", "strict", ev.Dispatch("a-small"))
    assert ruled.sentence == "a-small started, which A18=strict does not explain and backfill does"


def test_silence_rules_out_only_where_it_is_known_that_nothing_was_left_to_do() -> None:
    events = [job("b-1"), ev.Dispatch("b-1"), job("b-two", 2, 2), job("b-3")]
    assert ruled_out(two_share_history(*events), questions=["A18"]) == []
    (ruled,) = ruled_out(two_share_history(*events, None), questions=["A18"])
    assert (ruled.choice, ruled.seen.what) == ("backfill", Settled())
    assert ruled.sentence == "nothing more was done, which A18=backfill does not explain and strict does"


def test_what_no_choice_explains_teaches_nothing_and_what_follows_still_does() -> None:
    config = queue(2, share("a", 2))
    events = [job("a-1"), ev.Dispatch("a-1"), job("a-huge", 1, 2), ev.Dispatch("a-huge"), ev.Finish("a-huge"),
              job("a-gang", 2, 2), job("a-small"), ev.Dispatch("a-small")]  # fmt: skip
    history = recorded(config, Readings(), list(enumerate(events)))
    assert [(r.choice, r.seen.what) for r in ruled_out(history, questions=["A18"])] == [
        ("strict", ev.Dispatch("a-small"))
    ]


def seconds(*told: tuple[int, object], **more: object) -> History:
    """A hand-made history as AWS shows it: (second, observation)."""
    seen = [Seen(at * 1000, at * 1000 + 999, what) for at, what in told]  # type: ignore[arg-type]
    config = queue(3, share("b", 1, BORROWS), share("l", 2))
    return History(config, lambda: iter(seen), **more)  # type: ignore[arg-type]


def submitted(name: str, priority: int | None = 0, n: int = 1) -> Submitted:
    return Submitted(name, name.split("-")[0], {"u": n}, priority)


OLD_VICTIM = [
    (1, submitted("b-old", 2)), (2, ev.Dispatch("b-old")), (3, submitted("b-1", 1)), (4, ev.Dispatch("b-1")),
    (5, submitted("b-2", 1)), (6, ev.Dispatch("b-2")), (7, submitted("l-1")), (8, Preempting("b-old")),
]  # fmt: skip
"""The oldest and most important of three is stopped."""


def test_a_victim_rules_out_the_heuristics_that_would_have_taken_another() -> None:
    assert [(r.choice, r.seen.at) for r in ruled_out(seconds(*OLD_VICTIM), questions=["A26"])] == [
        ("priority", 8000),
        ("borrowed", 8000),
    ]


def test_when_two_orders_are_possible_both_must_rule_a_choice_out() -> None:
    together = [(min(at, 7), what) for at, what in OLD_VICTIM]
    assert {r.choice for r in ruled_out(seconds(*together), questions=["A26"])} == {"priority", "borrowed"}
    tied = [(1, submitted("l-a")), (1, submitted("l-b")), (1, ev.Dispatch("l-b"))]
    assert ruled_out(seconds(*tied), questions=["A20"]) == []
    apart = [(1, submitted("l-a", n=2)), (2, submitted("l-b")), (3, ev.Dispatch("l-b"))]
    assert [r.choice for r in ruled_out(seconds(*apart), questions=["A20"])] == ["created"]


@pytest.mark.parametrize(
    ("history", "why"),
    [
        (seconds((1, submitted("b-1", None))), "the priority of b-1 is not known"),
        (seconds((1, ev.Dispatch("b-1"))), "the job b-1 was not submitted in this history, or has ended"),
        (seconds((1, Submitted("x-1", "x", {"u": 1}, 0))), "x-1 is of share x, which is not known"),
    ],
)
def test_what_is_not_known_ends_the_use_of_a_history_and_is_said(history: History, why: str) -> None:
    found = rulings(history, questions=["A17"])
    assert found.ruled == ()
    assert found.undecided == {"A17": why}


def test_nothing_after_a_gap_is_used() -> None:
    gap = Completeness(gaps=(Gap(7500, 7600, "no events"),))
    assert ruled_out(seconds(*OLD_VICTIM, completeness=gap), questions=["A26"]) == []


def test_a_bound_on_the_length_is_kept_and_said() -> None:
    history = random_history(3, Readings(), rounds=200, **AS_AWS_SHOWS_IT)
    found = rulings(history, steps=20)
    assert found.ruled == ()
    assert all("takes too many steps" in why or "too many orders" in why for why in found.undecided.values())
    assert found == rulings(history, steps=20)


def test_what_is_taken_for_granted_is_said_and_rules_out_more() -> None:
    config = queue(2, share("b", 1, BORROWS), share("l", 1))
    events = [job("l-1"), ev.Dispatch("l-1"), job("b-1"), ev.Dispatch("b-1"), None, job("l-2"), job("b-2"), ev.Finish("l-1"),
              ev.Dispatch("l-2")]  # fmt: skip
    history = recorded(config, Readings(), list(enumerate(events)))
    assert ruled_out(history, questions=["A15"]) == []
    (ruled,) = ruled_out(history, questions=["A15"], given={"A17": "creation", "A23": "yes"})
    assert (ruled.choice, ruled.how) == (
        "no",
        "the reference scheduler guided along the history, given A17=creation, A23=yes",
    )
