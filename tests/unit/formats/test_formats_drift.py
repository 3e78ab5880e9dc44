"""One object in two sources: the first counts, and every difference is listed with both places."""

from __future__ import annotations

import pytest

from ...support.loaded import kinds
from .templates import template

OWN = "quotaproof: 1\nqueue: research\nenvironment: {ml.p5.48xlarge: 15}\nshares:\n"


def told(loaded):
    return [(d.what, d.field, d.value, d.other) for d in loaded.drift]


def test_the_source_given_first_counts(read, write, share):
    first, second = write("a.json", share(limits={"u": 2})), write("b.json", share(limits={"u": 3}))
    for files, counts, other in (((first, second), 2, 3), ((second, first), 3, 2)):
        loaded = read(*files)
        assert loaded.config.share("vision").limits == {"u": counts}
        (found,) = loaded.drift
        assert (found.field, found.value, found.other) == ("limit of u", str(counts), str(other))
        assert kinds(loaded) == "create-quota-share x2"


def test_both_places_are_named(read, write, share):
    files = [write(f"{n}.json", share(limits={"u": k})) for n, k in (("a", 2), ("b", 3))]
    (found,) = read(*files).drift
    assert (found.place, found.other_place) == ("a.json:6", "b.json:6")
    assert (found.share, found.unit) == ("vision", "u")


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ({"state": "DISABLED"}, ("state", "ENABLED", "DISABLED")),
        ({"preemptionConfiguration": {"inSharePreemption": "DISABLED"}}, ("inSharePreemption", "ENABLED", "DISABLED")),
        (
            {"resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW", "borrowLimit": 51}},
            ("borrowLimit", "50 %", "51 %"),
        ),
        (
            {"resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW"}},
            ("borrowLimit", "50 %", "no maximum"),
        ),
        ({"limits": {"ml.p5.48xlarge": 2, "v": 1}}, ("limit of v", "none", "1")),
    ],
)
def test_every_field_of_a_share_is_compared(read, write, share, other, expected):
    loaded = read(write("a.json", share()), write("b.json", share(**other)))
    assert told(loaded) == [("share vision", *expected)]


def test_absent_and_minus_one_are_the_same_borrow_limit(read, write, share):
    sharing = [{"strategy": "LEND_AND_BORROW"}, {"strategy": "LEND_AND_BORROW", "borrowLimit": -1}]
    files = [write(f"{i}.json", share(resourceSharingConfiguration=s)) for i, s in enumerate(sharing)]
    assert read(*files).drift == ()


def test_environments_queues_and_policies_are_compared_too(read, write, share, environment, job_queue):
    s = write("s.json", share())
    e, q = write("e.json", environment()), write("q.json", job_queue())
    again = [write("e2.json", environment(state="ENABLED")), write("q2.json", job_queue(priority=5))]
    assert read(s, e, q, *again).drift == ()
    assert told(read(s, e, write("e3.json", environment(limits={"ml.p5.48xlarge": 15})))) == [
        ("environment research-se", "capacity of ml.p5.48xlarge", "16", "15")
    ]
    assert told(read(s, q, write("q3.json", job_queue(environment="other")))) == [
        ("queue research", "environment", "research-se", "other")
    ]


def test_two_environments_of_one_queue_are_compared_under_their_two_names(read, write, environment, job_queue):
    own = write("q.yaml", OWN + "- {name: a, limits: {ml.p5.48xlarge: 1}, strategy: LEND}\n")
    aws = [write("e.json", environment()), write("q.json", job_queue())]
    loaded = read(own, *aws)
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 15}
    assert told(loaded) == [("environment research", "capacity of ml.p5.48xlarge", "15", "16")]
    assert read(*aws, own).config.environment.capacity == {"ml.p5.48xlarge": 16}


def test_a_share_given_after_a_complete_list_that_lacks_it_does_not_count(read, write):
    first = write("p1.yaml", OWN + "- {name: a, limits: {ml.p5.48xlarge: 1}, strategy: LEND}\n")
    more = OWN + "".join(f"- {{name: {n}, limits: {{ml.p5.48xlarge: 1}}, strategy: LEND}}\n" for n in ("a", "old"))
    loaded = read(first, write("p2.yaml", more))
    assert [s.name for s in loaded.config.shares] == ["a"]
    (found,) = loaded.drift
    assert (found.what, found.value, found.place, found.other_place) == (
        "share old",
        "not counted",
        "p2.yaml:6",
        "p1.yaml",
    )
    assert "p2.yaml: share old is not in p1.yaml, which was given first" in loaded.left_out


def test_a_share_that_a_complete_list_lacks_is_drift(read, write, share):
    a, b = share("a", jobQueueArn="arn:aws:batch:us-east-1:1:job-queue/research", jobQueue=None), share("b")
    listed = write("l.json", {"quotaShares": [a]})
    loaded = read(write("b.json", b), listed)
    assert [s.name for s in loaded.config.shares] == ["b", "a"]
    (found,) = loaded.drift
    assert (found.what, found.field, found.other_place) == ("share b", "", "l.json")
    assert read(write("a.json", share("a")), write("b.json", b)).drift == ()


def test_what_another_queue_says_is_no_drift(read, write, share):
    files = [write("a.json", share()), write("b.json", share("x", jobQueue="other"))]
    files.append(write("c.json", share("x", jobQueue="other", limits={"u": 9})))
    loaded = read(*files, queue="research")
    assert loaded.drift == ()


def test_the_same_share_twice_in_one_file_stays_an_error(refused, write, share):
    a = share("a", jobQueueArn="arn:aws:batch:us-east-1:1:job-queue/research", jobQueue=None)
    error = refused(
        write("l.json", {"quotaShares": [a, {**a, "capacityLimits": [{"maxCapacity": 9, "capacityUnit": "u"}]}]})
    )
    assert error.what == "share a is given twice in one file"


def test_a_share_that_is_deployed_and_not_in_the_template_counts_and_is_drift(read, write, share):

    stack = write("t.json", template())
    live = [write("a.json", share("QS1", limits={"ml.p5.48xlarge": 2}))]
    live.append(write("c.json", share("c", jobQueue="research")))
    loaded = read(stack, *live)
    assert [s.name for s in loaded.config.shares] == ["QS1", "c"]
    assert [(d.what, d.field, d.other_place) for d in loaded.drift] == [("share c", "", "t.json")]


def test_two_templates_of_one_queue_lack_nothing_of_each_other(read, write):

    first, second = template(), template(QS1={"QuotaShareName": "b", "JobQueue": "research"})
    second["Resources"] = {"B": second["Resources"]["QS1"]}
    loaded = read(write("1.json", first), write("2.json", second))
    assert ([s.name for s in loaded.config.shares], loaded.drift) == (["QS1", "b"], ())


@pytest.mark.parametrize("status", ["DELETING", "INVALID"])
def test_what_aws_says_about_the_status_is_noted(read, write, share, environment, job_queue, status):
    files = [write("s.json", share(status=status)), write("e.json", environment(status=status))]
    loaded = read(*files, write("q.json", job_queue(status=status, state="DISABLED")))
    assert [n.split(",")[0] for n in loaded.notes] == [
        f"share vision is {'being deleted' if status == 'DELETING' else 'INVALID'}",
        f"queue research is {'being deleted' if status == 'DELETING' else 'INVALID'}",
        "queue research is DISABLED: it takes no new jobs (A49)",
        f"environment research-se is {'being deleted' if status == 'DELETING' else 'INVALID'}",
    ]
