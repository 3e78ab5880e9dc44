"""Every promise of the published example that a configuration decides, judged as a person would."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from quotaproof.checker.promised import Promised
from quotaproof.checker.prove.theorems import prove
from quotaproof.checker.results import Verdict, Witness
from quotaproof.checker.rollout.promises.case import Case
from quotaproof.checker.rollout.promises.judge import judged
from quotaproof.checker.witness.play import play
from quotaproof.spec.formats import load
from quotaproof.spec.formats.promises import load_promises
from quotaproof.spec.formats.scenario_text import load_scenario
from quotaproof.spec.readings import Readings

FOLDER = Path(__file__).parents[3] / "shared" / "aws" / "broken6"
PROVED = ("gets", "fits", "undisturbed", "at_most", "borrows_at_most", "idle_while_waiting")
EXPECTED = {
    ("P1", "vision, ml.p5.48xlarge"): Verdict.BROKEN,
    ("P2", "prod-retrain, ml.p5.48xlarge"): Verdict.HOLDS_HERE,
    ("P3", "foundation, ml.p5.48xlarge"): Verdict.HOLDS_HERE,
    ("P4", "foundation"): Verdict.HOLDS_IF,
    ("P5", "research, GPU"): Verdict.BROKEN,
    ("P8", "foundation, ml.p5.48xlarge"): Verdict.HOLDS_HERE,
    ("P8", "speech, ml.p5.48xlarge"): Verdict.HOLDS_HERE,
    ("P8", "vision, ml.p5.48xlarge"): Verdict.HOLDS_IF,
    ("P10", "foundation, ml.p5.48xlarge"): Verdict.HOLDS_HERE,
    ("P10", "speech, ml.p5.48xlarge"): Verdict.BROKEN,
    ("P10", "vision, ml.p5.48xlarge"): Verdict.BROKEN_IF,
    ("P11", "evals, ml.g5.xlarge"): Verdict.BROKEN,
}


@pytest.fixture(scope="module")
def events():
    if not FOLDER.is_dir():
        pytest.skip("the shared examples are not here")
    config = load([str(FOLDER)], readings=Readings()).config
    promises = load_promises(str(FOLDER / "promises.yaml"), config)
    return list(judged(Case(promises, config, Readings(), prove(), date(2026, 11, 30))))


def test_each_is_judged_as_a_person_would(events):
    found = {
        (p.code, p.result.subject): p.result.verdict for p in events if isinstance(p, Promised) and p.term in PROVED
    }
    assert found == EXPECTED


def test_the_one_of_conference_weeks_is_not_in_force_yet(events):
    (late,) = [p for p in events if isinstance(p, Promised) and p.code == "P11"]
    assert (late.in_force, late.valid) == (False, "from 2027-01-11 until 2027-01-29")


def test_what_is_kept_needs_no_exception(events):
    assert not [p for p in events if isinstance(p, Promised) and p.code == "P8" and p.result.waiver]


def test_every_refutation_is_a_scenario_that_can_be_read_and_played(events, tmp_path):
    shown = [e for e in events if isinstance(e, Witness)]
    assert len(shown) == 5
    for witness in shown:
        path = tmp_path / witness.name
        path.write_text(json.dumps(witness.form), encoding="utf-8")
        played = play(load_scenario(str(path)))
        assert not (played.wrong or played.violations)
