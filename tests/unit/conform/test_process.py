"""Programs as backends: every failure is told of the scenario in which it happens, and the others are run."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from quotaproof.checker.conform.backend import BackendError, Report, Unable
from quotaproof.checker.conform.failures import Hangs
from quotaproof.checker.conform.process import Process
from quotaproof.checker.conform.verdict import Status, judged
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle

from ...support.backends import command
from ...support.queues import queue, share

CONFIG = queue(1, share("a", 1))
TOO_LARGE = Scenario("one too large", "", CONFIG, (ev.Submit("j", "a", {"u": 2}), Settle()))
POISON = Scenario("poison", "", queue(1, share("a", 1)), (ev.Submit("poison", "a", {"u": 2}), Settle()))
SHORT = 1.0
"""Seconds for an answer that does not come."""


def program(name, *arguments, **more):
    return closing(Process(command(name, *map(str, arguments)), **more))


def verdicts(backend, scenarios):
    declared = backend.declare()
    return [judged(s, a, declared) for s, a in zip(scenarios, backend.run(scenarios), strict=True)]


FAULTS = [
    ("hangs", {"deadline": SHORT}, "hangs", "did not answer within 1 s"),
    ("stops_midway", {"deadline": SHORT}, "hangs", "did not answer"),
    ("exits", {}, "exited", "status 1 before it answered; its standard error ends: IndexError: no such share"),
    ("is_killed", {}, "exited", "SIGKILL"),
    ("exits_midway", {}, "exited", "status 0 in the middle of an answer"),
    ("leaves_child", {}, "exited", "status 7 in the middle of an answer (6 bytes of it)"),
    ("garbage", {}, "garbage", '"Loading model: 100%" where an answer was expected'),
    ("gigabytes", {"limit": 3 << 20}, "too-much-output", "more than 3 MiB"),
    ("out_of_order", {}, "out-of-order", "answered run 3 when it was the turn of run 2"),
    ("unasked", {}, "out-of-order", "nobody asked"),
    ("late", {}, "late", "answered run 1 when it was the turn of run 2"),
    ("invalid", {}, "invalid-message", '"trase" is not known here'),
    ("invalid_line", {}, "invalid-message", "answer 2, trace[0]"),
    ("closes_output", {"to_end": 0.1}, "closed-output", "goes on running"),
    ("errs", {}, "errored", "it does not settle"),
]


@pytest.mark.parametrize(("name", "options", "code", "why"), FAULTS, ids=[f[0] for f in FAULTS])
def test_a_failure_is_told_of_its_scenario_and_the_others_are_run(name, options, code, why):
    with program(name, **options) as backend:
        first, second, third, fourth = verdicts(backend, [TOO_LARGE, POISON, TOO_LARGE, TOO_LARGE])
    assert second.status is Status.ERRORED
    assert second.failure == code
    assert why in second.why
    assert second.hint or code == "errored"
    assert [t.status for t in (first, third, fourth)] == [Status.PASSED] * 3


def test_what_a_program_cannot_run_is_skipped_with_its_reason():
    with program("skips") as backend:
        found = verdicts(backend, [POISON, TOO_LARGE])
    assert [(t.status, t.why) for t in found] == [(Status.SKIPPED, "no gangs"), (Status.PASSED, "")]


def test_a_program_that_closes_its_input_fails_in_the_scenario_that_it_did_not_read():
    with program("closes_input", deadline=SHORT, at_once=1) as backend:
        found = verdicts(backend, [TOO_LARGE, POISON])
    assert [(t.status, t.failure) for t in found] == [(Status.PASSED, ""), (Status.ERRORED, "closed-input")]


def test_a_program_that_closes_its_input_is_not_waited_for_as_long_as_one_that_reads():
    with program("closes_input", deadline=60, to_end=0.1, at_once=1) as backend:
        start = time.monotonic()
        found = verdicts(backend, [TOO_LARGE, POISON])
    assert found[1].failure == "closed-input"
    assert time.monotonic() - start < 10


def test_a_program_that_fails_every_second_time_is_given_up_in_the_end():
    with program("exits", most=3) as backend:
        found = verdicts(backend, [TOO_LARGE, POISON] * 6)
    assert [t.failure for t in found] == ["", "exited"] * 4 + ["given-up"] * 4


def test_a_program_says_itself_how_long_an_answer_may_take():
    with program("slow", deadline=0.05) as backend:
        assert backend.declare().deadline == 60
        assert [t.status for t in verdicts(backend, [TOO_LARGE] * 2)] == [Status.PASSED] * 2


def test_a_long_log_on_standard_error_is_no_fault():
    with program("chatty") as backend:
        assert [t.status for t in verdicts(backend, [TOO_LARGE] * 3)] == [Status.PASSED] * 3


def test_what_a_program_started_ends_with_it_also_in_a_session_of_its_own(tmp_path):
    pids = tmp_path / "pids"
    with program("forks", pids, deadline=SHORT) as backend:
        assert [t.status for t in verdicts(backend, [POISON, TOO_LARGE])] == [Status.ERRORED, Status.PASSED]
        started = pids.read_text().split()
        assert len(started) == 2
        assert not any(lives(pid) for pid in started)


def test_a_program_that_ignores_stop_is_ended(tmp_path):
    file = tmp_path / "pid"
    with program("ignores_stop", file, to_end=0.1) as backend:
        assert [t.status for t in verdicts(backend, [TOO_LARGE])] == [Status.PASSED]
        assert lives(file.read_text())
    assert not lives(file.read_text())


CAMPAIGN = """
import sys
from quotaproof.checker.conform.batch import Work, tried
from quotaproof.checker.conform.executors import workers
if __name__ == "__main__":
    with workers(sys.argv[1]) as pool:
        pool.executor.submit(tried, Work(sys.argv[2], 0, 0, 0, 1)).result()
"""


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="the system has no handles on processes")
@pytest.mark.parametrize("executor", ["local", "processes:1"])
def test_what_was_started_ends_also_when_quotaproof_is_killed(tmp_path, executor):
    pids = tmp_path / "pids"
    os.mkfifo(pids)
    told = os.open(pids, os.O_RDONLY | os.O_NONBLOCK)
    run = [sys.executable, "-c", CAMPAIGN, executor, "cmd:" + command("lingers", str(pids))]
    with subprocess.Popen(run) as process:
        assert select.select([told], [], [], 30)[0]
        started = [os.pidfd_open(int(pid)) for pid in os.read(told, 100).split()]
        process.kill()
    assert len(started) == 2
    assert all(select.select([handle], [], [], 5)[0] for handle in started)
    for handle in (told, *started):
        os.close(handle)


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


UNUSABLE = [
    ("noisy", {}, 'wrote "my scheduler 1.0 (c) me" where the answer to start was expected', "standard error"),
    ("wrong_version", {}, "speaks version 2", "the version that it names"),
    ("mute", {"to_start": 0.2}, "did not answer within 0.2 s", "flush"),
]


@pytest.mark.parametrize(("name", "options", "what", "fix"), UNUSABLE, ids=[f[0] for f in UNUSABLE])
def test_a_program_that_does_not_say_who_it_is_cannot_be_used(name, options, what, fix):
    with program(name, **options) as backend, pytest.raises(BackendError) as caught:
        backend.declare()
    assert what in caught.value.what
    assert fix in caught.value.fix
    assert caught.value.why


@pytest.mark.parametrize(("text", "what"), [
    ("no-such-program --fast", "no such file"), ("/", "denied"), ("node 'backend.js", "no closing quotation"),
    (" ", "no command"),
])  # fmt: skip
def test_a_command_that_cannot_be_started_is_named(text, what):
    with pytest.raises(BackendError) as caught:
        Process(text).declare()
    assert what in caught.value.what.lower()
    assert caught.value.fix


def test_a_program_that_fails_again_and_again_is_given_up_and_the_rest_is_errored():
    scenarios = [TOO_LARGE, *[POISON] * 6, TOO_LARGE]
    with program("exits", restarts=2) as backend:
        found = verdicts(backend, scenarios)
    assert [t.failure for t in found] == ["", *["exited"] * 3, *["given-up"] * 4]
    assert {t.status for t in found[1:]} == {Status.ERRORED}
    assert "failed 3 times in a row, the last time: it exited with status 1" in found[-1].why


def test_failures_that_are_not_in_a_row_do_not_add_up():
    with program("exits", restarts=1) as backend:
        found = verdicts(backend, [POISON, TOO_LARGE] * 4)
    assert [t.failure for t in found] == ["exited", ""] * 4


def test_a_program_that_hangs_again_and_again_is_given_less_time():
    with program("hangs", deadline=2 * SHORT, patience=1) as backend:
        found = verdicts(backend, [TOO_LARGE, POISON, TOO_LARGE, POISON])
    assert [t.failure for t in found] == ["", "hangs", "", "hangs"]
    assert found[1].why == "it did not answer within 2 s"
    assert found[3].why == "it did not answer within 1 s, a shorter time since it hangs again and again"


def test_a_program_that_needs_its_time_is_given_it_whatever_has_hung():
    with program("slow", deadline=SHORT) as backend:
        verdicts(backend, [TOO_LARGE] * 2)
        backend.patience = 0
        assert [t.status for t in verdicts(backend, [TOO_LARGE] * 2)] == [Status.PASSED] * 2


def test_the_advice_for_a_program_that_hangs_names_the_scheduler_that_goes_round():
    assert "goes round" in Hangs.causes
    assert "`errored`, with the trace so far" in Hangs.hint


def test_a_program_that_says_something_else_of_itself_when_it_is_started_again_is_not_believed():
    with program("changes") as backend:
        found = verdicts(backend, [POISON, TOO_LARGE])
    assert [t.failure for t in found] == ["exited", "invalid-message"]


def test_answers_that_nobody_waits_for_any_more_are_not_taken_for_later_ones():
    with program("silent") as backend:
        answers = backend.run([TOO_LARGE] * 50)
        next(answers)
        answers.close()
        assert [t.status for t in verdicts(backend, [POISON, TOO_LARGE])] == [Status.PASSED] * 2


def test_more_scenarios_than_pipes_hold_go_through():
    steps = tuple(ev.Submit(f"job-{i}", "a", {"u": 2}) for i in range(2000))
    large = Scenario("large", "", CONFIG, (*steps, Settle()))
    with program("silent") as backend:
        answers = list(backend.run([large] * 12))
    assert all(isinstance(a, Report) and len(a.seen) == 2001 for a in answers)


def test_time_that_the_harness_takes_for_itself_does_not_count():
    with program("silent", deadline=0.5) as backend:
        backend.declare()
        answers = backend.run([TOO_LARGE] * 3)
        next(answers)
        until = time.monotonic() + 0.8
        while time.monotonic() < until:
            pass
        assert not any(isinstance(a, Unable) for a in answers)
