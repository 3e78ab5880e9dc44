"""Every clause of a guard names the rules and readings that it rests on, and they exist."""

from __future__ import annotations

import re

from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.catalogue import ACTIONS
from quotaproof.spec.rules.sources import CLAUSES, RULES


def test_every_clause_has_its_rules_and_no_other_has():
    assert set(CLAUSES) == {code for action in ACTIONS for code in action.clauses}


def test_the_rules_and_readings_exist():
    for source in CLAUSES.values():
        rules = [int(n) for n in re.findall(r"(?<![A0-9])\d+", source)]
        readings = re.findall(r"A\d+", source)
        assert rules or readings
        assert set(rules) <= set(RULES) and set(readings) <= set(READINGS), source
