"""Real schedulers on the command line where none is there: messages, exit codes, what `explain` says; and `--expect`."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from quotaproof.checker.conform.corpus import corpus
from quotaproof.checker.conform.htcondor import findings as htcondor_findings
from quotaproof.checker.conform.htcondor.variants import VARIANTS
from quotaproof.checker.conform.slurm import accounting, daemons
from quotaproof.checker.conform.slurm import findings as slurm_findings
from quotaproof.checker.conform.slurm.backend import MAPPINGS
from quotaproof.checker.conform.tested import tests as run
from quotaproof.checker.results import Verdict
from quotaproof.spec.formats.scenario import Found, as_form

from ..support import named
from .conftest import Ran

Command = Callable[..., Ran]
WRONG = "tests.support.named:never_reclaims"
NONE = ("--examples", "0")


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A machine on which a program is not installed."""
    which = shutil.which

    def gone(name: str) -> None:
        monkeypatch.setattr(shutil, "which", lambda tool: None if tool == name else f"/usr/bin/{tool}")

    monkeypatch.setattr(shutil, "which", which)
    return gone


def test_a_machine_without_slurm_is_told_what_to_install(quotaproof: Command, without: Callable[[str], None]) -> None:
    without("slurmctld")
    got = quotaproof("conform", "slurm", *NONE)
    assert (got.code, got.out) == (2, "")
    assert "slurmctld" in got.err
    assert f"Fix: apt-get install --no-install-recommends {daemons.PACKAGES}" in got.err
    assert "Traceback" not in got.err


def test_a_user_who_is_not_root_is_told_so(quotaproof: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: f"/usr/bin/{tool}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    got = quotaproof("conform", "slurm", *NONE)
    assert (got.code, got.out) == (2, "")
    assert got.err.splitlines()[0] == "only root can start a real scheduler"


@pytest.mark.parametrize(("name", "said"), [
    ("slurm:spil", "Fix: did you mean slurm:spill?"),
    ("slurm:zzz", "Fix: use slurm, or slurm: with spill, pool"),
    ("slurm:", "names no mapping"),
    ("htcondor:gang", "Fix: did you mean htcondor:gangs?"),
])  # fmt: skip
def test_a_mapping_that_does_not_exist_is_told_with_the_nearest(quotaproof: Command, name: str, said: str) -> None:
    got = quotaproof("conform", name, *NONE)
    assert (got.code, got.out) == (2, "")
    assert said in got.err


def test_only_a_real_scheduler_has_a_folder_to_keep(quotaproof: Command) -> None:
    got = quotaproof("conform", "reference", "--keep", *NONE)
    assert (got.code, got.err.splitlines()[0]) == (2, "--keep: reference leaves no folder")


def test_only_a_real_scheduler_has_a_folder_to_keep_when_a_scenario_is_replayed(
    quotaproof: Command, here: Path
) -> None:
    (here / "kept.json").write_text(json.dumps(as_form(corpus()[0])))
    got = quotaproof("replay", "kept.json", "--keep")
    assert (got.code, got.out) == (2, "")
    assert got.err == "--keep: only a real scheduler leaves a folder; name one with --backend\n"
    got = quotaproof("replay", "kept.json", "--keep", "--backend", "reference")
    assert (got.code, got.err.splitlines()[0]) == (2, "--keep: reference leaves no folder")


def test_explain_knows_each_mapping_and_variant_alone_as_it_stands_among_the_others(quotaproof: Command) -> None:
    for scheduler, names in (("slurm", MAPPINGS), ("htcondor", VARIANTS)):
        every = quotaproof("explain", scheduler).out.split("\n\n")
        for name in filter(None, names):
            got = quotaproof("explain", f"{scheduler}:{name}")
            assert got.code == 0
            part = next(part for part in every if part.splitlines()[0] == f"{scheduler}:{name}")
            assert got.out.startswith(part.rstrip("\n"))


def test_explain_says_of_a_finding_what_it_is_which_promise_it_breaks_and_where_its_page_is(
    quotaproof: Command,
) -> None:
    for finding in (*slurm_findings.FINDINGS, *htcondor_findings.FINDINGS):
        got = " ".join(quotaproof("explain", finding.name).out.split())
        assert finding.about in got
        assert (f"breaks {finding.code}, " if finding.code else "breaks no promise") in got
        assert f"Page: docs/reference/findings/{finding.title}.md" in got


def test_a_failure_kept_of_slurm_is_undecided_where_there_is_no_slurm(
    quotaproof: Command, here: Path, without: Callable[[str], None]
) -> None:
    found = replace(corpus()[0], found=Found("slurm", "G14", "lend-borrow", 0))
    (here / "kept.json").write_text(json.dumps(as_form(found)))
    without("slurmctld")
    got = quotaproof("replay", "kept.json")
    assert got.code == 3
    assert "slurmctld" in got.out


def test_explain_says_what_slurm_needs_and_of_every_mapping_what_is_lost(quotaproof: Command) -> None:
    got = quotaproof("explain", "slurm")
    assert got.code == 0
    assert f"apt-get install --no-install-recommends {daemons.PACKAGES}" in got.out
    assert accounting.PACKAGES in got.out
    parts = got.out.split("\n\n")[1:]
    assert [part.splitlines()[0] for part in parts] == [f"slurm:{name}" if name else "slurm" for name in MAPPINGS]
    assert all("\nlost    " in part and "without " in part for part in parts)


def test_explain_says_what_is_lost_with_htcondor_and_what_every_variant_cannot_do(quotaproof: Command) -> None:
    head, *parts = quotaproof("explain", "htcondor").out.split("\n\n")
    assert "\nlost    " in head
    assert "chooses A5=borrowable, A13=b" in head
    assert [part.splitlines()[0].removeprefix("htcondor").removeprefix(":") for part in parts] == list(VARIANTS)
    assert all("without " in part for part in parts)


@pytest.fixture
def known(quotaproof: Command, monkeypatch: pytest.MonkeyPatch, here: Path) -> dict[str, Any]:
    """What a wrong scheduler breaks in a small corpus, as the file of known failures says it."""
    some = corpus()[:16]
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: some)
    quotaproof("conform", WRONG, *NONE, "--report", "json=r.json")
    results = json.loads((here / "r.json").read_text())["results"]
    undecided = [r["subject"] or r["code"] for r in results if r["verdict"] == Verdict.UNKNOWN.value]
    broken: dict[str, list[str]] = {}
    for tested in run(named.never_reclaims, named.never_reclaims.declare(), some):
        for code in tested.codes:
            broken.setdefault(code, []).append(tested.scenario.name)
    assert broken
    return {"scenarios": len(some), "broken": broken, "undecided": undecided}


def expecting(quotaproof: Command, here: Path, form: object, *more: str) -> Ran:
    (here / "known.json").write_text(json.dumps(form))
    return quotaproof("conform", WRONG, *(more or NONE), "--quiet", "--expect", "known.json")


def test_exactly_what_is_known_is_success(quotaproof: Command, here: Path, known: dict[str, Any]) -> None:
    got = expecting(quotaproof, here, known)
    assert (got.code, got.err) == (0, "")
    whole = quotaproof("conform", WRONG, *NONE, "--expect", "known.json", "--report", "json=r.json", "--report", "text")
    assert whole.out.rstrip().endswith("exit 0 (--expect)")
    why = "The exit code is 0 because of --expect: the run is as known.json says; without it the code would be 1."
    assert why in " ".join(whole.out.split())
    form = json.loads((here / "r.json").read_text())
    assert (form["exit_code"], form["conform"]["expected"]) == (0, {"path": "known.json", "differences": []})


def test_a_known_failure_that_vanished_and_a_new_one_are_differences(
    quotaproof: Command, here: Path, known: dict[str, Any]
) -> None:
    broken = known["broken"]
    gone = expecting(quotaproof, here, {**known, "broken": {**broken, "G9": ["queue-disabled"]}})
    assert gone.code == 1
    assert gone.err == "not as known.json says: queue-disabled is expected to break G9, and does not\n"
    new = expecting(quotaproof, here, {**known, "broken": {}})
    assert new.code == 1
    lines = new.err.splitlines()
    for name in {name for names in broken.values() for name in names}:
        codes = sorted(code for code, names in broken.items() if name in names)
        assert f"not as known.json says: {name} breaks {' and '.join(codes)}" in lines


def test_what_may_fail_need_not_and_too_few_of_the_corpus_are_a_difference(
    quotaproof: Command, here: Path, known: dict[str, Any]
) -> None:
    assert expecting(quotaproof, here, {**known, "sometimes": {"G9": ["queue-disabled"]}}).code == 0
    few = expecting(quotaproof, here, {**known, "scenarios": 17}, "--examples", "40")
    assert few.code == 1
    assert "not as known.json says: 16 scenarios of the corpus were run, 17 are expected" in few.err.splitlines()


def test_what_is_left_open_and_not_listed_and_what_is_listed_and_not_open_are_differences(
    quotaproof: Command, here: Path, known: dict[str, Any]
) -> None:
    first, *others = known["undecided"]
    more = expecting(quotaproof, here, {**known, "undecided": others})
    assert (more.code, len(more.err.splitlines())) == (1, 1)
    assert more.err.startswith(f"not as known.json says: {first} is undecided: ")
    fewer = expecting(quotaproof, here, {**known, "undecided": [*known["undecided"], "borrowed"]})
    assert fewer.code == 1
    assert fewer.err == "not as known.json says: borrowed is expected to be undecided, and is not\n"


@pytest.mark.parametrize(("text", "said"), [
    ("{", "is not JSON"),
    ("[]", "holds something else than scenarios, broken, sometimes, undecided"),
    ('{"scenarios": 1, "undecided": "G14"}', "lists under `undecided` no names"),
    ('{"scenarios": true}', "says in `scenarios` no number"),
    ('{"scenarios": 1, "broken": {"G1": "x"}}', "lists no scenarios under G1"),
    ('{"scenarios": 1, "broken": []}', "lists no scenarios by guarantee"),
])  # fmt: skip
def test_a_file_that_says_no_such_thing_is_told(quotaproof: Command, here: Path, text: str, said: str) -> None:
    (here / "known.json").write_text(text)
    got = quotaproof("conform", "reference", *NONE, "--expect", "known.json")
    assert (got.code, got.out) == (2, "")
    assert said in got.err
