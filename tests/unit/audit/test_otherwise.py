"""A fault says which choice of an open question would allow it, and stays a fault."""

from quotaproof.checker.judge.history import judge_history
from quotaproof.checker.judge.otherwise import told_otherwise
from quotaproof.spec import events as ev
from quotaproof.spec.observations import History, Seen, Submitted
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share


def judged(readings, *whats):
    config = queue(3, share("s", 2, "LEND"), share("t", 1, "LEND"))
    seen = [Seen(i * 1000, i * 1000, what) for i, what in enumerate(whats)]
    history = History(config, lambda: iter(seen), ordered=True, claims=True)
    return told_otherwise(judge_history(history, readings), history, readings).faults


BLOCKED = (Submitted("a", "s", {"u": 1}, 1), ev.Dispatch("a"), Submitted("big", "s", {"u": 2}, 5),
           Submitted("small", "s", {"u": 1}, 1), ev.Dispatch("small"))  # fmt: skip


def test_a_job_that_passes_a_head_that_does_not_fit_is_allowed_by_backfill():
    (fault,) = judged(Readings(), *BLOCKED)
    assert fault.code == "G9" and fault.sentence.endswith("allowed with --assume A18=backfill")


def test_what_somebody_has_settled_is_not_offered():
    (fault,) = judged(Readings.of(A18="strict"), *BLOCKED)
    assert "allowed" not in fault.sentence


def test_a_job_that_passes_a_head_that_fits_is_allowed_by_nothing():
    first, *more = BLOCKED
    (fault,) = judged(Readings(), Submitted("big", "s", {"u": 2}, 5), first, ev.Dispatch("a"))
    assert more and fault.code == "G9" and "allowed" not in fault.sentence
