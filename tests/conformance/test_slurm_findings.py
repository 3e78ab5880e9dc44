"""What Slurm does wrong is found on a real one under the code of the promise, and not with the mapping that avoids it."""

from __future__ import annotations

from functools import cache

import pytest
from quotaproof.checker.conform import verdict
from quotaproof.checker.conform.backend import BackendError
from quotaproof.checker.conform.opening import opened
from quotaproof.checker.conform.real.findings import Finding
from quotaproof.checker.conform.slurm.findings import FINDINGS
from quotaproof.checker.conform.tested import tests as judged
from quotaproof.spec import events as ev
from quotaproof.spec.observations import Preempting

BROKEN = [f for f in FINDINGS if f.code]
on_slurm = pytest.mark.slurm_db


@cache
def ran(backend: str) -> dict[str, verdict.Tested]:
    """Every finding that is about a backend, on that backend, side by side."""
    about = [f for f in FINDINGS if backend in (f.shown_by, *f.avoided_by)]
    try:
        scheduler = opened(backend)
        declared = scheduler.declare()
    except BackendError as error:
        pytest.skip(str(error))
    try:
        tested = list(judged(scheduler, declared, [f.scenario() for f in about]))
    finally:
        scheduler.close()
    return {f.name: t for f, t in zip(about, tested, strict=True)}


@on_slurm
@pytest.mark.parametrize("finding", BROKEN, ids=lambda f: f.name)
def test_slurm_is_found_to_break_the_promise(finding: Finding) -> None:
    tested = ran(finding.shown_by)[finding.name]
    assert tested.status is verdict.Status.FAILED, tested.why
    assert finding.code in tested.codes, tested.codes


@on_slurm
@pytest.mark.parametrize("finding", BROKEN, ids=lambda f: f.name)
def test_the_mapping_that_avoids_it_keeps_every_promise(finding: Finding) -> None:
    for backend in finding.avoided_by:
        tested = ran(backend)[finding.name]
        assert tested.status is verdict.Status.PASSED, (backend, tested.why, tested.broken)


@on_slurm
def test_the_old_job_is_the_victim_although_a_machine_is_left_over() -> None:
    tested = ran("slurm:pool")["S5"]
    assert tested.status is verdict.Status.PASSED
    assert [w.job for w in tested.seen if isinstance(w, Preempting)] == ["old"]


@on_slurm
def test_what_a_large_job_leaves_over_is_lent_while_it_waits_and_taken_back() -> None:
    tested = ran("slurm:pool")["S7"]
    assert tested.status is verdict.Status.PASSED
    moves = [(type(w), w.job) for w in tested.seen if isinstance(w, ev.Dispatch | Preempting)]
    assert moves.index((ev.Dispatch, "b3")) < moves.index((Preempting, "b3"))
    assert moves[-1] == (ev.Dispatch, "low")
