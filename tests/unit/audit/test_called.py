"""Jobs are called as people call them."""

from __future__ import annotations

from dataclasses import replace

from quotaproof.checker.audit.called import Called
from quotaproof.checker.measured import FaultSeen, Line
from quotaproof.spec.observations import History, JobFacts

from ...support.queues import queue, share
from ...support.small_histories import history, submitted

ONE, TWO, THREE, FOUR = (f"{n}2345678-89ab-4def-8123-456789abcdef" for n in range(4))


def of() -> History:
    names = {ONE: "train", TWO: "eval", THREE: "eval", FOUR: ""}
    jobs = {job: submitted(job, "a", facts=JobFacts(name=name)) for job, name in names.items()}
    return replace(history(queue(4, share("a", 2))), jobs=jobs)


def test_a_job_is_called_by_its_name_and_by_the_beginning_of_its_id_where_others_have_the_name() -> None:
    called = Called(of(), hidden=False)
    assert called.text(f"{ONE} starts, {TWO} waits") == "train starts, eval (12345678) waits"
    assert (
        called.text(f"{FOUR} and {ONE[:-1]}0 are not known by name") == f"{FOUR} and {ONE[:-1]}0 are not known by name"
    )


def test_where_names_are_hidden_no_part_of_an_id_stays() -> None:
    assert Called(of(), hidden=True).text(f"{ONE}, {TWO}") == f"train, {TWO}"


def test_a_fault_and_the_lines_around_it_name_jobs_alike_and_its_raw_line_stays() -> None:
    line = Line(1, 0, f"{ONE} starts", "a:1")
    fault = FaultSeen("G4", 0, 0, 1, f"{ONE} exceeds the limit", "", "a:1", f'{{"jobId": "{ONE}"}}', (line,))
    (told,) = Called(of(), hidden=False).faults([fault])
    assert (told.sentence, told.window[0].what) == ("train exceeds the limit", "train starts")
    assert told.raw == fault.raw


def test_jobs_of_one_name_that_a_history_has_no_list_of_keep_their_ids() -> None:
    called = Called(history(queue(4, share("a", 2))), hidden=False)
    same = [submitted(job, "a", facts=JobFacts(name="train")) for job in ("id-1", "id-2")]
    assert [called.name(job) for job in same] == ["id-1", "id-2"]
