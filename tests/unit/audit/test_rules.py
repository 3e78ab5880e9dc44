"""Results of a history that say more than the verdicts on guarantees."""

from quotaproof.checker.audit.rules import results
from quotaproof.checker.judge.judged import Judged
from quotaproof.checker.results import Verdict
from quotaproof.spec.observations import History

from ...support.queues import queue, share


def test_a_history_of_which_nothing_was_seen_is_never_in_order():
    history = History(queue(1, share("s", 1)), lambda: iter(()))
    first = next(results(history, Judged(0), ()))
    assert (first.code, first.verdict) == ("INPUT", Verdict.UNKNOWN)
