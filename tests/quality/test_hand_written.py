"""A model written by hand in Promela, from the guarantees, agrees with the explorer's, which is made from the rules.

The exporter and the explorer read one model; this one shares nothing with it, so that a fault of theirs shows.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from quotaproof.checker.explore.explored import explore
from quotaproof.checker.explore.oracle import accepts, available, search
from quotaproof.checker.explore.promela import Export
from quotaproof.spec.expr.walk import without

from ..support.explored import arguments

pytestmark = pytest.mark.skipif(bool(available()), reason=available())
TEXT = (Path(__file__).parent.parent / "support" / "unit_jobs.pml").read_text()
YIELDS = {True: "", False: "#define EAGER\n"}
long = pytest.mark.campaign


@cache
def by_hand(defined=""):
    """States, transitions and stuck states of the program with something planted."""
    found = search(defined + TEXT)
    return found.states, found.transitions, found.stuck


@cache
def of_rules(yields=True):
    """The same of the explorer's model: k0 of s0 is the job of a, and so on."""
    return explore(*arguments("unit", yields=yields), ask=["k0"])


@pytest.mark.parametrize("g8", [True, pytest.param(False, marks=long)])
def test_the_model_by_hand_has_the_states_and_steps_of_the_model_made_from_the_rules(g8):
    explored = of_rules(g8)
    space = explored.space
    assert by_hand(YIELDS[g8]) == (len(space), len(space.edges.source), 0)
    assert explored.served["k0"].kept is True


@pytest.mark.parametrize(
    ("planted", "starves"),
    [("", False), pytest.param("#define EAGER\n", False, marks=long), ("#define FORGETFUL\n", True)],
)
def test_its_lender_is_served_by_every_fair_run_unless_claims_are_forgotten(planted, starves):
    assert accepts("#define FAIR\n" + planted + TEXT, fair=True) is starves


@pytest.mark.parametrize("code", ["dispatch.hold", pytest.param("dispatch.yields", marks=long)])
def test_a_clause_that_the_exporter_drops_is_noticed(code):
    model = of_rules().space.model

    class Forgets(Export):
        def guards(self):
            return [without(guard, code) for guard in super().guards()]

    found = search(Forgets.of(model).text())
    assert (found.states, found.transitions, found.stuck) != by_hand()


@long
def test_a_step_that_the_exporter_drops_is_noticed():
    model = of_rules().space.model
    less = replace(model, transitions=tuple(t for t in model.transitions if t.name != "stop.k2.for.s0"))
    assert len(less.transitions) == len(model.transitions) - 1
    found = search(Export.of(less).text())
    assert (found.states, found.transitions, found.stuck) != by_hand()
