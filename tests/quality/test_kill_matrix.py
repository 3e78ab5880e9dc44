"""The kill matrix as it was recorded: what killed a mutant still does, and a mutant that nobody kills has a reason.

Every recorded kill by a run is run again here and a fixed part of those by theorems, all in the campaign.
`python -m tests.support.killing.matrix` makes the matrix anew.
"""

from __future__ import annotations

from zlib import crc32

import pytest
from quotaproof.checker.conform.corpus import find
from quotaproof.checker.generate.scenarios import seeded
from quotaproof.spec.rules.mutants import mutants

from ..support.killing import theorem
from ..support.killing.matrix import ENGINES, Row, lost, read, sampled, write
from ..support.killing.running import by_rules, fault
from ..support.killing.survivors import NOT_REACHED, why_not
from ..support.wrong import WRONG
from .planted import FORGOTTEN

PART = {"corpus": 1, "generated": 1, "theorem": 16}
"""Engine -> one of so many of its recorded kills is run again by default."""
LEAST = {"theorem": 269, "explorer": 22, "corpus": 192, "generated": 187}
"""Mutants of the rules that each engine kills, at least: these numbers only grow while the sample is the same."""

MOST_NOT_REACHED = 6
"""Mutants of the sample that could be found and are not, at most."""

MATRIX = read()
BY_ID = {m.id: m for m in mutants()}


def again(row: Row, engine: str) -> bool:
    """Whether the recorded killer of the row still kills it."""
    code, _, where = row.killers[engine].partition(" ")
    if engine == "theorem":
        return theorem.refutes(BY_ID[row.id]) is not None
    if engine == "corpus":
        name, _, seed = where.rpartition(" ")
        scenario = find(name).scenario
    else:
        seed, scenario = where, seeded(int(where))
    kind, _, name = row.id.partition(":")
    backend = WRONG[name].backend(name) if kind == "scheduler" else by_rules(BY_ID[row.id])(int(seed))
    return fault(backend, scenario) == code


ASKED = [
    (row, engine)
    for row in MATRIX.values()
    if not row.id.startswith("forgotten:")
    for engine in PART
    if engine in row.killers
]
"""The kills that can be run again here: planted clauses and what the explorer finds have tests of their own."""


def test_the_matrix_has_a_row_for_every_mutant_of_the_sample_and_every_planted_bug():
    wanted = {m.id for m in sampled(mutants())} | {f"forgotten:{c}" for c in FORGOTTEN}
    assert MATRIX.keys() >= wanted | {f"scheduler:{name}" for name in WRONG}
    rules = {i for i in MATRIX if not i.startswith(("forgotten:", "scheduler:"))}
    assert rules <= BY_ID.keys(), "a mutant of a rule that is written otherwise now: make the matrix anew"


def test_every_planted_bug_and_every_wrong_scheduler_is_killed():
    planted = [row for row in MATRIX.values() if row.id.startswith(("forgotten:", "scheduler:"))]
    assert [row.id for row in planted if not row.killers] == []
    assert all(row.theorem for row in planted if row.id.startswith("forgotten:"))


def test_each_engine_kills_at_least_as_many_as_ever():
    rows = [row for row in MATRIX.values() if row.id in BY_ID]
    assert {engine: sum(engine in row.killers for row in rows) >= LEAST[engine] for engine in ENGINES} == dict.fromkeys(
        ENGINES, True
    )


def test_a_mutant_that_nobody_kills_has_a_reason_and_a_killed_one_has_none():
    assert [row.id for row in MATRIX.values() if bool(row.killers) == bool(row.why)] == []


def test_the_reasons_are_true():
    said = {row.id: row.why for row in MATRIX.values() if row.why}
    assert said == {name: why_not(BY_ID[name]) for name in said}


def test_few_mutants_that_could_be_found_are_not():
    assert sum(row.why.startswith(NOT_REACHED) for row in MATRIX.values()) <= MOST_NOT_REACHED


def parted(row: Row, engine: str) -> bool:
    """Whether a kill is one that is run again by default."""
    return crc32(row.id.encode()) % PART[engine] == 0


@pytest.mark.parametrize(("row", "engine"), [a for a in ASKED if parted(*a)], ids=lambda a: getattr(a, "id", a))
def test_a_recorded_kill_is_one_still(row, engine):
    assert again(row, engine)


@pytest.mark.campaign
def test_every_recorded_kill_is_one_still():
    assert [(row.id, engine) for row, engine in ASKED if not parted(row, engine) and not again(row, engine)] == []


def test_a_matrix_that_loses_a_kill_is_told_so(tmp_path, monkeypatch):
    old = {"a": Row("a", theorem="G1 x", corpus="n/a: y"), "b": Row("b", corpus="G2 z")}
    new = {"a": Row("a", generated="G1 3"), "b": Row("b", corpus="G3 z")}
    assert lost(old, new) == ["a theorem"]
    monkeypatch.setattr("tests.support.killing.matrix.FILE", tmp_path / "kills.json")
    write(old.values())
    assert read() == old
