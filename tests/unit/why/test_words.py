"""The story of a job and the state of a queue as people read them."""

from __future__ import annotations

import pytest
from quotaproof.checker.judge.judged import Fault, Judged
from quotaproof.checker.why import md, status_words, text, words
from quotaproof.checker.why.find import Meant, submissions
from quotaproof.checker.why.judged import faults
from quotaproof.checker.why.page import Clock, lasted, named
from quotaproof.checker.why.status import status
from quotaproof.checker.why.why import why
from quotaproof.spec import events as ev
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Completeness, Gap, JobFacts, Preempting, Problem, Snapshot, Submitted
from quotaproof.spec.readings import Readings

from ...support.queues import queue, share
from ...support.stories import START, by_minutes, random_run, runs, stopped, submitted
from ...support.stories import history_of as whole
from .test_helps import RESEARCH, STOPPED
from .test_stops import vague

HOSTILE = "evil\x1b[2J\r\n| <b>@x</b> `ü` " + "n" * 200


def screen(*steps, config=RESEARCH, job="speech-sft", at=None, **more):
    history = by_minutes(config, *steps, **more)
    jobs = submissions(history)
    return text.write(words.page(why(history, Readings(), Meant(job), jobs, at)))


def board(*steps, config=RESEARCH, at=None, **more):
    history = by_minutes(config, *steps, **more)
    return text.write(status_words.page(status(history, Readings(), submissions(history), at)))


def test_a_stopped_job_as_on_the_screen():
    lines = screen(*STOPPED, start=START).splitlines()
    assert lines[0].startswith("speech-sft   share speech, 4 x u, priority 50")
    assert lines[0].endswith("RUNNABLE since Mon 19:17, 1st of 2")
    assert "Stopped once, because speech used 1 machine that was not its own (4 used, limit 3)." in lines
    assert "Mon 19:15:20 - 19:17:20   vision, job vision-11   no: the only borrowed job         5 h 01" in lines
    assert "  Allowed by AWS rules 36-38. No rule was broken in its story." in lines
    assert "  Its priority 50 plays no part between shares." in lines
    said = " ".join(" ".join(lines).split())
    assert "Waits now for 1 machine to borrow. Lenders: foundation 5 of 5 in use and vision 2 of 2 in use." in said
    assert "6 idle machines of prod are RESERVE and never lent." in said
    assert "Blocks 1 job of speech that would fit behind it, though 3 own machines are idle (AWS rule 32, A18)." in said
    assert "Lost up to 5 h 01 (20 machine-hours). A checkpoint path is set: s3://ckpt/sft;" in said
    assert "no preemption limit is set: it is requeued without end." in said
    assert "run it on 3 machines starts at once; no other share can stop it then" in said
    assert "Tried, no help a higher priority, because 17 u would be in use or kept idle for their owners" in said
    assert lines[-1].split() == [
        "from",
        "12",
        "events",
        "and",
        "the",
        "limits",
        "in",
        "force",
        "since",
        "2026-09-21",
        "exit",
        "0",
    ]


@pytest.mark.parametrize(
    ("retries", "known", "sentence"),
    [
        (None, True, "no preemption limit is set: it is requeued without end."),
        (2, True, "preemption 3 fails it; there were 1 so far (AWS rule 43)."),
        (None, False, "whether a preemption limit is set is not known."),
    ],
)
def test_when_a_stop_will_fail_it(retries, known, sentence):
    first = Submitted("speech-sft", "speech", {"u": 4}, 50, retries, known, JobFacts(name="speech-sft"))
    assert sentence in screen((0, first), *STOPPED[1:])


@pytest.mark.parametrize(
    ("checkpoint", "sentence"),
    [(None, "Whether a checkpoint path is set is not known."), ("", "No checkpoint path is set:")],
)
def test_what_is_known_of_checkpoints(checkpoint, sentence):
    first = Submitted("speech-sft", "speech", {"u": 4}, 50, facts=JobFacts(checkpoint=checkpoint))
    assert sentence in screen((0, first), *STOPPED[1:])


def test_a_job_that_failed_at_its_limit_waits_for_nothing():
    first = Submitted("speech-sft", "speech", {"u": 4}, 50, 0)
    steps = [(0, first), *STOPPED[1:6], (302, Preempting("speech-sft")), (304, stopped("speech-sft", 1, Stage.FAILED))]
    said = screen(*steps)
    assert "FAILED since" in said
    assert "Waits now for" not in said
    assert "What would help" not in said
    assert "Lost up to 5 h 01" in " ".join(said.split())
    assert "Will go on" not in said
    assert "SageMaker gives" not in said
    ended = screen(*STOPPED[:3], (9, ev.Finish("speech-sft")))
    assert "SUCCEEDED since" in ended
    assert "If stopped" not in ended


def test_claimants_that_cannot_be_told_apart_are_named_as_that():
    config = queue(4, share("a", 1, "LEND_AND_BORROW"), share("b", 2), share("c", 1))
    steps = [(0, submitted("a-1", 5, 4)), *((1, x) for x in runs("a-1"))]
    waiting = [(2, submitted("b-1")), (2, submitted("c-1"))]
    said = screen(*steps, *waiting, (3, Preempting("a-1")), config=config, job="a-1")
    assert "b or c" in said
    assert "AWS does not publish for which job: where several are named" in said
    nobody = screen(*steps, (3, Preempting("a-1")), config=config, job="a-1")
    assert "Not known: nobody who was seen waiting then could ask for it." in nobody


def test_a_stop_without_a_record_is_told_with_the_attempt_s_own_times_and_its_kind():
    config = queue(4, share("a", 1, "LEND_AND_BORROW"), share("b", 2), share("c", 1))
    for told, who in ((vague(), "b, job b-1"), (vague()[:4] + vague()[5:], "another share, which is not known")):
        history = whole(config, told)
        story = why(history, Readings(), Meant("a-1"), submissions(history))
        said = " ".join(text.write(words.page(story)).split())
        assert f"by Mon 14:22:20 {who}" in said
        assert "not known 8 min" in said or "the only borrowed job 8 min" in said
        assert "came at an unknown time between Mon 14:14:20 and Mon 14:22:20." in said
        assert '"Cross-share preemption triggered to reclaim borrowed capacity": cross-share preemption.' in said
        assert "Stopped once, because a used 3 machines that were not its own (4 used, limit 1)." in said
        assert "Lost up to 8 min (0.5 machine-hours)." in said


def test_a_stop_that_may_have_been_of_either_kind_gives_no_reason():
    config = queue(4, share("a", 1, "LEND_AND_BORROW", in_share=True), share("b", 2), share("c", 1))
    steps = [(0, submitted("a-1", 5, 4)), *((1, x) for x in runs("a-1"))]
    steps += [(2, submitted("b-1")), (2, submitted("a-2", 9)), (3, Preempting("a-1"))]
    said = screen(*steps, config=config, job="a-1")
    assert "Stopped once." in said
    assert "Allowed by AWS rules 36-38 or 39 and 40." in said


def test_a_broken_rule_is_told_with_its_line_and_changes_the_exit_code():
    config = queue(4, share("a", 2, "LEND_AND_BORROW"), share("b", 2))
    steps = [(0, submitted("a-1", 5, 1)), *((1, x) for x in runs("a-1")), (2, submitted("b-1", n=2))]
    history = by_minutes(config, *steps, (3, Preempting("a-1", "b-1")), files=("log.ndjson",))
    story = why(history, Readings(), Meant("a-1"), submissions(history))
    assert story.exit_code == 1
    assert [f.code for f in story.faults] == ["G6"]
    said = text.write(words.page(story))
    assert "BROKEN          G6: Nothing is preempted for a claim that is already covered." in said
    assert said.rstrip().endswith("exit 1")
    assert "No rule was broken" not in said


def test_a_sentence_that_begins_with_a_job_leaves_its_name_as_it_is():
    history = by_minutes(RESEARCH, *STOPPED)
    seen = next(s for s in history.seen() if isinstance(s.what, Preempting))
    (told,) = faults(history, Judged(1, faults=(Fault("G10", 0, seen, "speech-sft is DRAINING"),)), "speech-sft")
    assert told.sentence.endswith(" Here: speech-sft is DRAINING.")


def test_a_time_before_the_submission_is_said_to_be_that():
    said = screen(*STOPPED, job="vision-11", at=START + 60_000)
    assert "SUBMITTED" in said
    assert "it had not been submitted by then" in said


def test_gaps_problems_and_what_does_not_fit_are_said():
    complete = Completeness(10, 9, (Gap(START, START + 3_600_000, "the log has a hole"),), ("no priorities",))
    said = screen(*STOPPED, (500, ev.Dispatch("nobody")), completeness=complete, notes=("limits of today",),
                  problems=(Problem("x.json:3", "cut off"),))  # fmt: skip
    said = " ".join(said.split())
    assert "the log is 90.0 % complete: 1 of 10 moves of jobs were not seen" in said
    assert "the log has a hole: nothing was seen from 2026-09-21 14:13:20 UTC to 2026-09-21 15:13:20 UTC" in said
    assert "x.json:3: cut off" in said
    assert "1 observation cannot have happened and are left out, the first: there is no job 'nobody'" in said
    assert "no priorities" in said
    assert "limits of today" in said


def test_several_jobs_of_one_name_are_counted():
    history = by_minutes(RESEARCH, *STOPPED)
    story = why(history, Readings(), Meant("speech-sft", ("other-one-1", "other-two-2")), submissions(history))
    said = text.write(words.page(story))
    assert "3 jobs have this name; this is speech-s. Others: --job-id other-on or other-tw" in said


# status


def test_a_queue_as_on_the_screen():
    lines = board(*STOPPED).splitlines()
    assert " ".join(lines[0].split()) == "q u 16: 7 own use, 0 borrowed, 6 kept (RESERVE), 3 idle"
    rows = {line.split()[0]: line for line in lines[2:7]}
    assert rows["foundation"].split()[1:6] == ["5", "5", "0", "0", "0"]
    assert rows["speech"].split()[1:6] == ["3", "0", "0", "0", "2"]
    assert rows["speech"].endswith("speech-sft (4), 1 h 36")
    assert lines[-1].split()[:3] == ["by", "the", "history,"]


def test_loans_are_told_as_a_range_where_they_may_be_anybody_s():
    borrowing = board(*STOPPED[:3])
    assert "3 own use, 1 borrowed, 6 kept (RESERVE), 6 idle" in borrowing
    rows = {line.split()[0]: line.split() for line in borrowing.splitlines()[2:7]}
    assert (rows["foundation"][4], rows["vision"][4], rows["prod"][4]) == ("0-1", "0-1", "0")


def test_the_only_lender_lends_all_that_is_borrowed():
    config = queue(5, share("a", 2), share("b", 3, "LEND_AND_BORROW"))
    said = board((0, submitted("b-1", n=5)), *((1, x) for x in runs("b-1")), config=config)
    rows = {line.split()[0]: line for line in said.splitlines()[3:5]}
    assert rows["a"].split()[:5] == ["a", "2", "0", "0", "2"]
    assert "b-1 (5) by a" in rows["b"]


def test_a_head_that_never_fits_is_stuck():
    said = " ".join(board((0, submitted("vision-1", n=3))).split())
    assert "vision-1 (3), 0 s, stuck" in said
    assert "Stuck vision-1 of vision: MISCONFIGURATION:QUOTA_MANAGEMENT_LIMIT_EXCEEDED" in said


def test_victims_that_drain_are_counted():
    said = board(*STOPPED[:8])
    assert "4 of the used told to stop" in said
    heading, row, *_ = (line.split() for line in said.splitlines()[2:])
    assert heading[5:7] == ["queue", "stopping"]
    (speech,) = (line.split() for line in said.splitlines() if line.startswith("speech "))
    assert (row[0], speech[5:7]) == ("foundation", ["0", "4"])
    assert "stopping" not in board(*STOPPED[:3])


def test_the_cells_of_a_crowded_queue_go_on_below_and_cut_no_name():
    config = queue(4, share("team-one-of-two", 1, "LEND_AND_BORROW"), share("team-two-of-two", 3))
    name = "a-job-of-a-long-name"
    steps = [(0, Submitted(name, "team-one-of-two", {"u": 2}, 1)), *((1, x) for x in runs(name))]
    steps += [(2, Submitted(f"{name}-2", "team-one-of-two", {"u": 3}, 2))]
    lines = board(*steps, config=config).splitlines()
    row = next(i for i, line in enumerate(lines) if line.startswith("team-one-of-two"))
    assert lines[row].split()[6] == name
    assert lines[row].endswith(f"  {name}-2")
    assert lines[row + 1].split() == ["by", "team-two-of-two", "(3),", "0", "s"]
    assert max(map(len, lines)) <= 100


def test_a_snapshot_speaks_of_jobs_by_their_names():
    at = START + 420 * 60_000
    first = Submitted("a1b2", "speech", {"u": 4}, 50, facts=JobFacts(name="speech-sft"))
    taken = Snapshot(at, 0, {}, {"speech": (("a1b2", at),)})
    said = " ".join(board((0, first), *((1, x) for x in runs("a1b2")), snapshots=(taken,), end=at).split())
    assert "Differs speech-sft waits at the front of speech by the snapshot; by the history it is RUNNING." in said


def test_a_snapshot_that_says_something_else_is_told():
    at = START + 420 * 60_000
    taken = Snapshot(at, 40_000, {"speech": {"u": 1}, "vision": {"u": 2}}, {"speech": (("vision-11", at),)})
    said = " ".join(board(*STOPPED, snapshots=(taken,), end=at).split())
    assert "speech uses 1 u by the snapshot, 0 by the history." in said
    assert "vision uses" not in said
    assert "vision-11 waits at the front of speech by the snapshot; by the history it is RUNNING." in said
    assert "Snapshot 2026-09-21 21:13:20 UTC, its parts up to 40 s apart." in said


def test_twenty_shares_of_five_units_stay_readable():
    units = [f"ml.p5.{i}8xlarge" for i in range(5)]
    shares = [share(f"team-{i:02}-with-a-long-name", dict.fromkeys(units, 2), "LEND_AND_BORROW") for i in range(20)]
    config = queue(dict.fromkeys(units, 40), *shares)
    steps = []
    for i in range(20):
        job = f"job-of-team-{i:02}-that-trains-something"
        steps += [(0, Submitted(job, f"team-{i:02}-with-a-long-name", {units[0]: 1 + i % 3}, i)), (1, ev.Dispatch(job))]
    lines = board(*steps, config=config).splitlines()
    assert max(map(len, lines)) <= 100
    assert len(lines) < 140


# every form


def hostile():
    first = Submitted(
        "speech-sft", "speech", {"u": 4}, 50, facts=JobFacts(name=HOSTILE, owner=HOSTILE, checkpoint=HOSTILE)
    )
    claimant = Submitted("vision-11", "vision", {"u": 2}, 5, facts=JobFacts(name=HOSTILE + "v"))
    history = by_minutes(RESEARCH, (0, first), *STOPPED[1:3], (300, claimant), *STOPPED[4:], notes=(HOSTILE,))
    jobs = submissions(history)
    story = why(history, Readings(), Meant("speech-sft", (HOSTILE,)), jobs)
    return words.page(story), status_words.page(status(history, Readings(), jobs))


def test_hostile_names_are_harmless_on_a_terminal():
    for page in hostile():
        said = text.write(page)
        assert all(" " <= c <= "~" or c == "\n" for c in said)
        assert max(map(len, said.splitlines())) <= 100


def test_hostile_names_are_text_in_markdown():
    for page in hostile():
        said = md.write(page)
        assert "<b>" not in said
        assert "\x1b" not in said
        assert "@x" not in said


def test_no_random_story_is_too_wide():
    for seed in range(20):
        run, _, shown = random_run(seed, busy=seed % 2 == 0)
        history = whole(run.config, [s for one in shown for s in one], ordered=True)
        jobs = submissions(history)
        pages = [words.page(why(history, run.readings, Meant(j), jobs)) for j in list(jobs)[:6]]
        for page in [*pages, status_words.page(status(history, run.readings, jobs))]:
            said = text.write(page)
            assert max(map(len, said.splitlines())) <= 100
            assert md.write(page)


def test_times_are_told_by_weekday_within_six_days():
    clock = Clock(START)
    assert clock.at(START - 3_600_000) == "Mon 13:13:20"
    assert clock.at(START - 7 * 86_400_000) == "2026-09-14 14:13:20"
    assert clock.span(START - 86_400_000, START) == "Sun 14:13:20 - Mon 14:13:20"
    assert clock.span(START, None) == "Mon 14:13:20 - not yet"
    assert clock.span(None, START) == "? - Mon 14:13:20"


def test_durations_and_lists_are_short():
    assert [lasted(n * 1000) for n in (50, 2460, 21_720)] == ["50 s", "41 min", "6 h 02"]
    assert [named(list("abcd"[:n])) for n in (1, 2, 3, 4)] == ["a", "a and b", "a, b and c", "a, b, c and 1 more"]
