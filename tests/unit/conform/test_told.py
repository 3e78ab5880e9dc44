"""What a scheduler has done is told in the words of a trace: those of its author, whatever the language."""

from __future__ import annotations

import pytest
from quotaproof.checker.conform.reference import Reference
from quotaproof.checker.conform.told import told, words
from quotaproof.checker.conform.verdict import judged
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Observation, Preempted, Reached, Settled, Submitted

from ...support.queues import queue, share


@pytest.mark.parametrize(("what", "said"), [
    (Submitted("a1", "a", {"u": 1}, 0), 'submit a1, share a, size {"u": 1}'),
    (Submitted("a1", "a", {"u": 1}, 3, 2), 'submit a1, share a, size {"u": 1}, priority 3, retries 2'),
    (Submitted("a1", "a", {"u": 1}, 0, None), 'submit a1, share a, size {"u": 1}'),
    (ev.Claim("a1", ("b1", "b2"), holds=False), 'claim a1, victims ["b1", "b2"], holds false'),
    (Reached("c1", Stage.STARTING), "start c1"),
    (Preempted("b1", Stage.RUNNABLE, 1), "preempted b1, stage RUNNABLE, count 1"),
    (ev.SetLimits("a", {"u": 2}), 'share a, limits {"u": 2}'),
    (Settled(), "settled"),
])  # fmt: skip
def test_an_observation_is_told_as_its_line(what: Observation, said: str) -> None:
    assert words(what) == said


def test_a_job_that_may_be_preempted_once_is_told_so_in_words() -> None:
    config = queue(2, share("a", 1, "LEND"), share("b", 1, "LEND_AND_BORROW"))
    steps = (*(ev.Submit(f"b{n}", "b", {"u": 1}, retries=1) for n in (1, 2)), Settle(), ev.Submit("a1", "a", {"u": 1}),
             Settle())  # fmt: skip
    scenario, backend = Scenario("once", "", config, steps), Reference()
    (answer,) = backend.run([scenario])
    seen = [Preempted(w.job, Stage.FAILED, w.count) if isinstance(w, Preempted) else w for w in answer.seen]
    tested = judged(scenario, type(answer)(seen), backend.declare())
    assert tested.codes[0] == "G11"
    assert "may be preempted 1 time and run again" in told(tested)
    assert "submit b1" in told(tested)
