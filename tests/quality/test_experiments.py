"""Experiments settle their questions: minimal, robust, played as scenarios, and understood when they become histories."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest
from quotaproof.checker.explore.experiment import experiment, scenarios, unlike
from quotaproof.checker.explore.recorded import recorded
from quotaproof.checker.explore.starts import ALIKE, OUTSIDE, STARTS
from quotaproof.checker.explore.telling import Experiment
from quotaproof.checker.explore.trial import Refused, course
from quotaproof.checker.judge.infer import rulings
from quotaproof.checker.witness.play import Player
from quotaproof.reference.run import GoesRound
from quotaproof.spec.formats import json_text
from quotaproof.spec.formats.scenario import as_form
from quotaproof.spec.formats.scenario_text import read
from quotaproof.spec.readings import READINGS, Readings

VIEWS = {"complete": {"claims": True}, "as AWS shows it": {"claims": False, "coarse": 1000}}
ANYBODY = {
    ("A34", "failed"): "a job that FAILED while it was being stopped may have failed by itself",
}
"""Choices whose outcome is also possible under the others, and why: their histories rule out nothing."""


@cache
def found(code: str) -> Experiment:
    made = experiment(code, seconds=300)
    assert made is not None
    return made


def outcome(e: Experiment, choice: str, moves=None, other=None):
    """What is shown at the places that tell, or None where the moves cannot be made."""
    try:
        made = course(e.config, e.moves if moves is None else moves, e.readings(choice).assuming(other or {}))
    except (Refused, GoesRound, KeyError):
        return None
    seen = {(f.look, f.job): f.shown for f in made.facts()}
    return {p: seen.get(p) for p in e.places}


def test_every_question_with_choices_has_an_experiment_or_is_settled_otherwise() -> None:
    modelled = {code for code, r in READINGS.items() if r.modelled}
    assert STARTS.keys() | OUTSIDE.keys() == modelled
    assert not STARTS.keys() & OUTSIDE.keys()


@pytest.mark.parametrize("code", STARTS)
def test_an_experiment_tells_the_choices_apart_and_its_history_rules_out_all_others_and_never_the_true_one(
    code,
) -> None:
    e = found(code)
    check_that_choices_look_different(e)
    check_that_no_other_question_matters(e)
    check_that_scenarios_play_as_expected(e)
    for choice in e.shown:
        for view in VIEWS.values():
            check_history(e, choice, view)


def check_that_choices_look_different(e: Experiment) -> None:
    assert set(e.shown) | set(unlike(e)) == READINGS[e.code].choices.keys()
    assert all((e.code, choice) in ALIKE for choice in unlike(e))
    assert len({tuple(shown.values()) for shown in e.shown.values()}) == len(e.shown)
    for choice, shown in e.shown.items():
        assert outcome(e, choice) == shown


def check_that_no_other_question_matters(e: Experiment) -> None:
    rng = random.Random(f"{e.code} again")
    for _ in range(12):
        free = [q for q in Readings() if q != e.code and q not in e.assumes]
        other = {q: rng.choice(list(READINGS[q].choices)) for q in free if rng.random() < 0.3}
        for choice, shown in e.shown.items():
            assert outcome(e, choice, other=other) == shown, other


def check_that_scenarios_play_as_expected(e: Experiment) -> None:
    for choice, scenario in scenarios(e).items():
        again = read(json_text.parse("scenario.json", json.dumps(as_form(scenario), indent=1)))
        played = Player(again).play()
        assert (choice, played.wrong, played.unusable) == (choice, [], "")


def check_history(e: Experiment, choice: str, view) -> None:
    history = recorded(e.config, e.readings(choice), e.course(choice).events, **view)
    ruled = {r.choice for r in rulings(history, questions=[e.code], given=e.assumes).ruled}
    wanted = set() if (e.code, choice) in ANYBODY else set(e.shown) - {choice}
    assert ruled - set(unlike(e)) == wanted, choice
    if choice == READINGS[e.code].default:
        assert not ruled & set(unlike(e))
    assert choice not in {r.choice for r in rulings(history, questions=[e.code]).ruled}


@pytest.mark.parametrize("code", ["A5", "A13", "A18", "A23", "A54"])
def test_no_move_of_an_experiment_can_be_dropped(code) -> None:
    e = found(code)
    for gone in range(len(e.moves)):
        fewer = (*e.moves[:gone], *e.moves[gone + 1 :])
        shown = [outcome(e, choice, fewer) for choice in e.shown]
        assert None in shown or len({tuple(s.items()) for s in shown}) < len(e.shown), gone


def test_two_choices_alone_are_told_apart_on_request() -> None:
    made = experiment("A13", "a", seconds=300)
    assert made is not None
    assert list(made.shown) == ["b", "a"]
    assert not made.base.chosen


def test_a_choice_that_looks_like_the_default_has_no_experiment() -> None:
    assert experiment("A28", "minimal", seconds=3) is None
