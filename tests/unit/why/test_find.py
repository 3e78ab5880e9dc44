"""Which job is meant: ids, ARNs, training jobs, names that several jobs have, names that nobody has."""

from __future__ import annotations

import pytest
from quotaproof.checker.why.find import find, submissions
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.observations import JobFacts, Submitted

from ...support.queues import walkthrough
from ...support.stories import by_minutes

ARN = "arn:aws:batch:us-east-1:123456789012:service-job/"


def job(name: str, identity: str) -> Submitted:
    return Submitted(identity, "QS1", {"u": 1}, 0, facts=JobFacts(name=name, arn=ARN + identity))


HISTORY = by_minutes(
    walkthrough(),
    (0, job("sft", "aaa-1")),
    (1, job("sft", "abc-2")),
    (2, job("eval", "bbb-3")),
    (3, job("sft", "ccc-4")),
    attempts={"train-7": "bbb-3"},
    files=("events.ndjson",),
)
JOBS = submissions(HISTORY)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("bbb-3", "bbb-3"),
        (ARN + "aaa-1", "aaa-1"),
        ("train-7", "bbb-3"),
        ("arn:aws:sagemaker:us-east-1:123456789012:training-job/train-7", "bbb-3"),
        ("eval", "bbb-3"),
        ("sft", "ccc-4"),
        ("bbb-", "bbb-3"),
    ],
)
def test_a_job_is_found_by_everything_that_names_it(asked, meant):
    assert find(HISTORY, JOBS, asked).job == meant


def test_of_several_jobs_of_a_name_the_newest_is_meant_and_the_others_are_named():
    assert find(HISTORY, JOBS, "sft").alike == ("abc-2", "aaa-1")
    assert find(HISTORY, JOBS, "aaa-1").alike == ("ccc-4", "abc-2")
    assert find(HISTORY, JOBS, "eval").alike == ()


def test_the_beginning_of_an_id_chooses_one():
    chosen = find(HISTORY, JOBS, "sft", "ab")
    assert (chosen.job, chosen.alike) == ("abc-2", ("ccc-4", "aaa-1"))


def test_the_beginning_of_an_id_is_a_job_where_it_is_one_only():
    long = by_minutes(walkthrough(), (0, job("sft", "a0000001-1")), (1, job("sft", "a0000002-2")))
    found = find(long, submissions(long), "a0000001")
    assert (found.job, found.alike) == ("a0000001-1", ("a0000002-2",))
    with pytest.raises(InputError, match="2 jobs have an id that begins with"):
        find(long, submissions(long), "a000000")
    with pytest.raises(InputError, match="no job is called"):
        find(long, submissions(long), "a00")


@pytest.mark.parametrize("job_id", ["a", "x", "bbb"])
def test_a_beginning_that_chooses_none_or_several_is_an_error(job_id):
    with pytest.raises(InputError, match="jobs called"):
        find(HISTORY, JOBS, "sft", job_id)


def test_an_unknown_name_is_an_error_with_the_nearest_and_what_there_is():
    with pytest.raises(InputError) as error:
        find(HISTORY, JOBS, "evil")
    assert "did you mean eval?" in str(error.value)
    assert "It tells of 4 jobs: sft, eval." in str(error.value)
    with pytest.raises(InputError, match="give a job's name, id"):
        find(HISTORY, JOBS, "zzzzzz")
