"""What checkpoints cost and save: hand-made cases, and that every moment of an attempt is accounted for once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quotaproof.reference.clock import run
from quotaproof.spec import events as ev
from quotaproof.spec.readings import Readings
from quotaproof.spec.workload import Checkpoints, Effort, Work

from ...support.queues import queue, share
from ...support.scenarios import fuzz

SAYS = Checkpoints(100, 10, 30)


@pytest.mark.parametrize(
    ("ran", "resumes", "became"),
    [
        (0, False, Effort(0, 0, 0, 0)),
        (99, False, Effort(0, 0, 99, 0)),
        (105, False, Effort(0, 0, 100, 5)),
        (110, False, Effort(0, 100, 0, 10)),
        (239, False, Effort(0, 200, 19, 20)),
        (20, True, Effort(20, 0, 0, 0)),
        (145, True, Effort(30, 100, 5, 10)),
    ],
)
def test_a_cut_off_attempt_keeps_what_its_last_whole_checkpoint_has(ran, resumes, became):
    assert SAYS.after(ran, 250, resumes=resumes) == became


def test_no_checkpoint_is_written_at_the_end_of_the_work():
    assert [SAYS.takes(left, resumes=False) for left in (0, 1, 100, 101, 200, 201)] == [0, 1, 100, 111, 210, 221]
    assert SAYS.takes(100, resumes=True) == 130
    assert Checkpoints(None, 10, 30).takes(100, resumes=False) == 100


def test_what_is_not_said_is_the_default():
    assert Checkpoints(save=3).over(SAYS) == Checkpoints(100, 3, 30)
    assert Checkpoints(every=0).over(SAYS).every == 0


@fuzz
@given(
    every=st.none() | st.integers(1, 50), save=st.integers(0, 20), restart=st.integers(0, 20),
    left=st.integers(1, 300), resumes=st.booleans(), part=st.floats(0, 1, exclude_max=True),
)  # fmt: skip
def test_every_moment_of_an_attempt_is_restart_work_or_saving(every, save, restart, left, resumes, part):
    says = Checkpoints(every, save, restart)
    ran = int(part * says.takes(left, resumes=resumes))
    became = says.after(ran, left, resumes=resumes)
    assert became.restarting + became.saved + became.lost + became.saving == ran
    assert min(became.restarting, became.saved, became.lost, became.saving) >= 0
    assert became.saved + became.lost <= left
    assert became.saved < left


def test_a_stopped_job_reads_its_checkpoint_and_does_the_rest():
    # a-2 borrows at 0 and is told at 250 to stop for b-1: two checkpoints of 100 each, written for 10 ms.
    config = queue(2, share("a", 1, "LEND_AND_BORROW"), share("b", 1, "LEND"))
    work = [Work(0, 5000, ev.Submit("a-1", "a", {"u": 1})), Work(0, 500, ev.Submit("a-2", "a", {"u": 1}), checkpoints=SAYS),
            Work(250, 150, ev.Submit("b-1", "b", {"u": 1}))]  # fmt: skip
    found = list(run(config, Readings(), work, drain=100))
    ends = {e.job: at for at, e in found if isinstance(e, ev.Finish)}
    assert [(at, e.job) for at, e in found if isinstance(e, ev.Stopped)] == [(350, "a-2")]
    assert ends["b-1"] == 500
    assert ends["a-2"] == 500 + 30 + 300 + 2 * 10
