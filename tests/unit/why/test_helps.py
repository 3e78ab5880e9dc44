"""What would help: each claim is made again on the queue itself, and what cannot help is said not to."""

from __future__ import annotations

import pytest
from quotaproof.checker.why import text, words
from quotaproof.checker.why.find import Meant, submissions
from quotaproof.checker.why.helps import helps
from quotaproof.checker.why.trial import Trial
from quotaproof.checker.why.why import NEW, Asked, before, why
from quotaproof.reference.apply import apply
from quotaproof.reference.queue import STOPPABLE
from quotaproof.reference.run import GoesRound, settle
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempting
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share
from ...support.stories import by_minutes, runs, stopped, submitted
from .test_follow import followed

RESEARCH = queue(
    16,
    share("foundation", 5, "LEND_AND_BORROW"),
    share("speech", 3, "LEND_AND_BORROW"),
    share("vision", 2),
    share("prod", 6, "RESERVE"),
)
STOPPED = [
    (0, submitted("speech-sft", 50, 4, checkpoint="s3://ckpt/sft")),
    *((1, x) for x in runs("speech-sft")),
    (300, submitted("vision-11", 5, 2)),
    (300, submitted("foundation-a", 5, 5)),
    *((301, x) for x in runs("foundation-a")),
    (302, Preempting("speech-sft")),
    (304, stopped("speech-sft", 1)),
    *((305, x) for x in runs("vision-11")),
    (400, submitted("speech-b", 40)),
]


def told(*steps, config=RESEARCH, job="speech-sft", at=None, **readings):
    history = by_minutes(config, *steps)
    return why(history, Readings().assuming(readings), Meant(job), submissions(history), at)


def change(story, start):
    (found,) = [h for h in story.helps if h.change.startswith(start)]
    return found


def test_fewer_machines_within_the_share_s_own_are_surest():
    story = told(*STOPPED)
    assert story.helps[0].change == "run it on 3 machines"
    assert (story.helps[0].rank, story.helps[0].outcome.threats, story.helps[0].outcome.borrows) == (0, (), False)
    assert [h.rank for h in story.helps] == sorted(h.rank for h in story.helps)


def test_a_limit_is_raised_at_the_cost_of_a_share_where_nothing_is_left_over():
    found = change(told(*STOPPED), "speech limit 3 -> 4")
    assert found.rank == 0
    assert found.hint.startswith("takes 1 from ")
    assert found.hint.endswith(", then quotaproof verify")
    spare = RESEARCH.model_copy(update={"environment": queue(17).environment})
    free = change(told(*STOPPED, config=spare), "speech limit 3 -> 4")
    assert free.hint == "set maxCapacity of u to 4 in speech, then quotaproof verify"


def test_a_higher_priority_does_not_help_against_other_shares():
    found = change(told(*STOPPED), "a higher priority")
    assert (found.rank, found.outcome.starts) == (3, False)


def test_what_does_not_let_a_job_start_says_the_first_clause_that_is_false():
    assert change(told(*STOPPED), "a higher priority").outcome.because.startswith("17 u would be in use or kept idle")


def test_a_running_job_is_not_told_to_go_to_another_share_and_what_was_true_before_is_no_help():
    config = queue(2, share("a", 1, "LEND_AND_BORROW", in_share=True), share("b", 1))
    story = told((0, submitted("a-1", 5, 2)), *((1, x) for x in runs("a-1")), config=config, job="a-1")
    assert not [h for h in story.helps if h.change.startswith("submit it")]
    priority = change(story, "a higher priority")
    assert (priority.own, priority.rank) == (True, 2)
    said = text.write(words.page(story))
    assert "a higher priority" in said
    assert "no job of its own share can stop it then; b still can" in said
    safe = told((0, submitted("a-1", 5)), *((1, x) for x in runs("a-1")), config=config, job="a-1")
    assert [(h.change, h.own) for h in safe.helps] == [("a higher priority", True)]
    assert "no other share can stop it" not in text.write(words.page(safe))


def test_for_a_job_that_can_never_run_only_what_lifts_that_is_tried():
    config = queue(4, share("a", 1, "LEND", in_share=True), share("b", 3))
    steps = [(0, submitted("a-1")), *((1, x) for x in runs("a-1")), (2, submitted("a-2", 9, 2))]
    story = told(*steps, config=config, job="a-2")
    assert story.waits.never
    assert {h.change.split()[0] for h in story.helps} == {"run", "a", "submit"}
    assert not [h for h in story.helps if h.change.startswith(("a higher", "wait", "in-share"))]
    said = text.write(words.page(story))
    assert "Will go on" not in said
    assert "If stopped" not in said


def test_what_helps_and_what_does_not_stand_apart():
    said = " ".join(text.write(words.page(told(*STOPPED))).split())
    helping, _, tried = said.partition("Tried, no help ")
    assert "What would help (simulated on the reference from this state) run it on 3 machines" in helping
    assert "a higher priority" not in helping
    assert "a higher priority, because 17 u would be in use or kept idle" in tried


def test_waiting_helps_when_somebody_ends_and_who_that_is_is_not_known():
    found = change(told(*STOPPED), "wait until")
    assert (found.change, found.rank) == ("wait until one of vision-11 or foundation-a ends", 2)
    assert found.hint == "which job ends next is not known"


def test_a_job_for_which_victims_drain_needs_no_change():
    steps = [*STOPPED[:6], (302, Preempting("speech-sft"))]
    (only,) = told(*steps, job="vision-11").helps
    assert (only.change, only.outcome.waits_for) == ("wait", ("speech-sft",))


def test_a_running_job_that_nobody_can_stop_needs_nothing():
    assert told(*STOPPED, job="vision-11").helps == ()


def test_a_running_job_that_borrows_is_safe_on_its_own_machines():
    config = queue(2, share("a", 1, "LEND_AND_BORROW"), share("b", 1))
    story = told((0, submitted("a-1", 5, 2)), *((1, x) for x in runs("a-1")), config=config, job="a-1")
    assert [t.share for t in story.runs.threats] == ["b"]
    assert (story.helps[0].change, story.helps[0].rank) == ("run it on 1 machine", 0)
    assert change(story, "a higher priority").rank == 3


def test_in_share_preemption_is_tried_where_lower_priorities_run():
    config = queue(2, share("a", 1, "LEND"), share("b", 1, "RESERVE"))
    steps = [(0, submitted("a-1", 1)), *((1, x) for x in runs("a-1")), (2, submitted("a-2", 5))]
    found = change(told(*steps, config=config, job="a-2"), "in-share preemption of a on")
    assert (found.outcome.starts, found.outcome.waits_for) == (True, ("a-1",))


def test_a_borrow_limit_that_binds_is_tried():
    config = queue(4, share("a", 1, "LEND_AND_BORROW", 100), share("b", 3))
    found = change(told((0, submitted("a-1", n=4)), config=config, job="a-1"), "a borrows without maximum")
    assert (found.outcome.starts, found.rank) == (True, 2)


def test_a_job_of_several_units_is_not_cut_in_size():
    config = queue({"u": 1, "w": 1}, share("a", {"u": 1, "w": 1}))
    big = submitted("a-1")
    big = type(big)("a-1", "a", {"u": 1, "w": 2}, 0)
    assert not [h for h in told((0, big), config=config, job="a-1").helps if h.change.startswith("run it")]


def resettled(queue_, policy, *events):
    """The queue itself after a change: independent of the book and of the rebuilt queue."""
    made = queue_.copy()
    for event in events:
        apply(made, event)
    for _ in settle(made, policy):
        pass
    return made


@pytest.mark.parametrize("seed", range(24))
def test_what_is_said_to_help_helps_the_queue_itself(seed):
    run, state = followed(seed)
    trial = Trial(state, run.config)
    waiting = [j for j in run.queue.live() if j.stage is Stage.RUNNABLE and len(j.size) == 1][:4]
    for job in waiting:
        (unit,) = job.size
        own = run.queue.shares[job.share]
        try:
            found = helps(trial, job.name, {})
            for h in found:
                if h.outcome.round:
                    continue
                again = f"{job.name}'"
                if h.change.startswith("run it on"):
                    size = {unit: int(h.change.split()[3])}
                    events = [ev.Terminate(job.name), ev.Submit(again, job.share, size, job.priority, job.retries)]
                elif h.change.startswith("submit it to"):
                    other = h.change.split()[-1]
                    events = [ev.Terminate(job.name), ev.Submit(again, other, job.size, job.priority, job.retries)]
                elif h.change == "a higher priority":
                    again, events = job.name, [ev.SetPriority(job.name, 9999)]
                elif h.change.startswith(f"{job.share} limit") and "takes" not in h.hint:
                    again = job.name
                    limit = int(h.change.split(" -> ")[1].split()[0])
                    events = [ev.SetLimits(job.share, {**own.limits, unit: limit})]
                else:
                    continue
                then = resettled(run.queue, run.policy, *events)
                assert (then.jobs[again].stage in STOPPABLE) is h.outcome.starts, (seed, h)
        except GoesRound:
            continue


def test_a_trial_leaves_the_state_as_it_was():
    run, state = followed(3)
    trial = Trial(state, run.config)
    kept = {(s, u): state.book.usage(s, u) for s in state.book.now.shares for u in state.book.units()}
    stages = {j.name: j.stage for j in state.book.jobs.values()}
    for job in [j for j in state.book.jobs.values() if j.stage is Stage.RUNNABLE]:
        helps(trial, job.name, {})
    assert {(s, u): state.book.usage(s, u) for s in state.book.now.shares for u in state.book.units()} == kept
    assert {j.name: j.stage for j in state.book.jobs.values()} == stages


# before submission


def asked(share_, n, priority=0, retries=None, config=RESEARCH, steps=STOPPED):
    history = by_minutes(config, *steps)
    request = Asked("new", ev.Submit(NEW, share_, {"u": n}, priority, retries), "")
    return before(history, Readings(), request, submissions(history))


def test_a_request_that_fits_starts_at_once_and_says_what_it_borrows():
    story = asked("prod", 6)
    assert (story.request.outcome.starts, story.request.outcome.waits_for, story.request.stops) == (True, (), ())
    borrowing = asked("a", 2, config=queue(2, share("a", 1, "LEND_AND_BORROW"), share("b", 1)), steps=[])
    assert [h.borrowed for h in borrowing.request.holdings] == [1]
    assert [t.share for t in borrowing.request.outcome.threats] == ["b"]


def test_a_request_that_reclaims_says_whom_it_stops():
    config = queue(2, share("a", 1, "LEND_AND_BORROW"), share("b", 1))
    steps = [(0, submitted("a-1", 9, 2)), *((1, x) for x in runs("a-1"))]
    story = asked("b", 1, config=config, steps=steps)
    assert ([j.name for j in story.request.stops], story.request.outcome.waits_for) == (["a-1"], ("a-1",))


def test_a_request_that_never_fits_says_so():
    story = asked("vision", 3)
    assert not story.request.outcome.starts
    assert story.request.waits.never.startswith("MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED")


def test_a_request_that_waits_says_for_what():
    story = asked("speech", 1)
    assert (story.request.waits.behind.name, story.request.waits.place) == ("speech-sft", 3)
    assert story.job.name == "new"
