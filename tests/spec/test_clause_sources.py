"""Every clause of a guard names the rules and readings that it rests on, and they exist."""

from __future__ import annotations

import re

from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.catalogue import ACTIONS
from quotaproof.spec.rules.sources import CLAUSES, RULES, certainty, least, rules_in


def test_every_clause_has_its_rules_and_no_other_has():
    assert set(CLAUSES) == {code for action in ACTIONS for code in action.clauses}


def test_the_rules_and_readings_exist():
    for source in CLAUSES.values():
        rules = rules_in(source)
        readings = re.findall(r"A\d+", source)
        assert rules or readings
        assert set(rules) <= set(RULES) and set(readings) <= set(READINGS), source


def test_rules_are_found_where_a_text_names_them():
    assert rules_in("rule 36, A2") == (36,)
    assert rules_in("rules 14, 19; A5, rule 3, 20 shares") == (14, 19, 3)
    assert rules_in("(rules 35-38, 48) and rules 12 to 14, rules\n  39, 40") == (35, 36, 37, 38, 48, 12, 13, 14, 39, 40)
    assert rules_in("ruler 5, rules of AWS, A23") == ()


def test_the_least_certain_counts():
    assert [certainty(n) for n in (36, 24, 25)] == ["documented", "implied", "open"]
    assert least(map(certainty, (36, 24, 25))) == "open"
    assert least(map(certainty, (36, 24))) == "implied"
    assert least(()) == "documented"
