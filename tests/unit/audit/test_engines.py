"""The two engines judge the same history; where they differ nothing is shown as kept."""

from dataclasses import replace

from quotaproof.checker.judge.columns import CODES, judge_sums
from quotaproof.checker.judge.engines import agreed, judge_both
from quotaproof.checker.judge.history import judge_history
from quotaproof.spec.readings import Readings

from ...support.weeks import history, reference_trace


def week():
    config, moments = reference_trace(60, 3)
    return history(config, moments, Readings())


def test_on_a_run_of_the_reference_the_engines_agree_and_the_answer_is_the_stepwise_one():
    seen = week()
    judged = judge_both(seen, Readings())
    assert judged == judge_history(seen, Readings())
    assert not judged.undecided and all(judged.exercised[code] for code in ("G1", "G2", "G3"))


def test_a_count_on_which_the_engines_differ_is_undecided():
    seen = week()
    stepwise, sums = judge_history(seen, Readings()), judge_sums(seen, Readings())
    fewer = replace(sums, exercised={**sums.exercised, "G2": sums.exercised["G2"] - 1})
    assert list(agreed(stepwise, fewer).undecided) == ["G2"]


def test_a_fault_that_one_engine_alone_finds_is_undecided():
    seen = week()
    stepwise, sums = judge_history(seen, Readings()), judge_sums(seen, Readings())
    from quotaproof.checker.judge.judged import Fault

    fault = Fault("G1", 5, next(iter(seen.seen())), "too many")
    assert list(agreed(stepwise, replace(sums, faults=(fault,))).undecided) == ["G1"]
    assert list(agreed(replace(stepwise, faults=(fault,)), sums).undecided) == ["G1"]
    charged = replace(fault, code="G9")
    assert CODES and not agreed(replace(stepwise, faults=(charged,)), replace(sums, faults=(fault,))).undecided
