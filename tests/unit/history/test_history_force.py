"""Which configuration was in force, from dumps and CloudTrail, and what is said where it is not known."""

from __future__ import annotations

import json

import pytest
from quotaproof.spec import events as ev
from quotaproof.spec.formats import InputError
from quotaproof.spec.model import State, Strategy

from ...support.aws_records import dumps, iso, limits, recorded, share_arn, share_tree
from ...support.aws_runs import START
from ...support.histories import history, observed, sentences
from ...support.queues import queue, share

CONFIG = queue(4, share("a", 2, "LEND_AND_BORROW", 100), share("b", 2))
RUN = [(START + 60_000, ev.Submit("j1", "a", {"u": 1}, 1)), (START + 65_000, ev.Dispatch("j1")),
       (START + 900_000, ev.Finish("j1"))]  # fmt: skip


def call(at, name, **asked):
    return {"eventTime": iso(START + at), "eventSource": "batch.amazonaws.com", "eventName": name,
            "requestParameters": asked}  # fmt: skip


def update(at, share_name, **asked):
    return call(at, "UpdateQuotaShare", quotaShareArn=share_arn("q", share_name), **asked)


def create(at, one):
    return call(at, "CreateQuotaShare", jobQueue="q", **share_tree(one))


def read(tmp_path, *calls, config=CONFIG, run=RUN, dump=True, **more):
    folder = recorded(CONFIG, run).write(tmp_path / "h")
    trail = json.loads((folder / "cloudtrail.json").read_text())["Records"]
    (folder / "cloudtrail.json").write_text(json.dumps({"Records": [*calls, *trail]}))
    written = dumps(config)
    for name, tree in written.items():
        (folder / f"{name}.json").write_text(json.dumps(tree))
    if not dump:
        (folder / "list-quota-shares.json").unlink()
    return history(folder, **more)


def changes(found):
    return [s.what for s in found.seen() if isinstance(s.what, ev.ADMINISTRATOR)]


def test_a_dump_without_changes_is_in_force_throughout(tmp_path):
    found = read(tmp_path)
    assert found.config == CONFIG
    assert changes(found) == []


def test_a_share_that_is_created_first_is_rebuilt_from_its_creation_and_updates(tmp_path):
    created = share("a", 1, "LEND_AND_BORROW", 100)
    found = read(tmp_path, create(0, created), create(1000, share("b", 2)),
                 update(100_000, "a", capacityLimits=limits({"u": 2})))  # fmt: skip
    assert found.config.share("a").limits == {"u": 1}
    assert changes(found) == [ev.SetLimits("a", {"u": 2})]
    assert found.completeness.gaps == ()


def test_without_a_dump_of_shares_cloudtrail_says_what_there_was(tmp_path):
    found = read(tmp_path, create(0, share("a", 2, "LEND_AND_BORROW", 100)), create(1000, share("b", 2)), dump=False)
    assert found.config.shares == CONFIG.shares
    assert not found.problems


def test_a_share_created_while_jobs_ran_is_an_observation(tmp_path):
    late = share("b", 2)
    found = read(tmp_path, create(200_000, late))
    assert [s.name for s in found.config.shares] == ["a"]
    assert changes(found) == [ev.CreateShare(late)]


def test_a_dump_from_after_a_change_leaves_the_time_before_it_unknown(tmp_path):
    now = queue(4, share("a", 3, "LEND_AND_BORROW", 100), share("b", 2))
    found = read(tmp_path, update(300_000, "a", capacityLimits=limits({"u": 3})), config=now)
    (gap,) = found.completeness.gaps
    assert "capacityLimits of share a before cloudtrail.json:1 is not known" in gap.why
    assert (gap.start, gap.end) == (START + 60_000, START + 300_000)
    assert any(gap.why in note for note in found.notes)


def test_a_dump_from_before_a_change_is_what_was_in_force_before_it(tmp_path):
    found = read(tmp_path, update(300_000, "a", capacityLimits=limits({"u": 3})))
    assert found.config == CONFIG
    assert changes(found) == [ev.SetLimits("a", {"u": 3})]
    assert found.completeness.gaps == ()


def test_every_change_that_a_request_makes_is_seen(tmp_path):
    found = read(
        tmp_path,
        update(100_000, "a", resourceSharingConfiguration={"strategy": "LEND"}, state="DISABLED"),
        update(200_000, "b", preemptionConfiguration={"inSharePreemption": "ENABLED"}),
        call(
            300_000,
            "UpdateServiceEnvironment",
            serviceEnvironment="env",
            capacityLimits=limits({"u": 9}),
            state="DISABLED",
        ),
        call(400_000, "UpdateJobQueue", jobQueue="q", state="DISABLED", priority=3),
        call(500_000, "DeleteQuotaShare", quotaShareArn=share_arn("q", "a")),
    )
    assert changes(found) == [
        ev.SetSharing("a", Strategy.LEND, None),
        ev.SetShareState("a", State.DISABLED),
        ev.SetInShare("b", True),
        ev.SetCapacity({"u": 9}),
        ev.SetEnvironmentState(State.DISABLED),
        ev.SetQueueState(State.DISABLED),
        ev.DeleteShare("a"),
    ]


def test_a_share_that_is_made_again_was_gone(tmp_path):
    found = read(tmp_path, create(0, share("b", 2)), call(200_000, "DeleteQuotaShare", quotaShareArn=share_arn("q", "b")),
                 create(400_000, share("b", 1)))  # fmt: skip
    assert changes(found) == [ev.DeleteShare("b"), ev.CreateShare(share("b", 1))]
    gone = [s for s in found.seen() if isinstance(s.what, ev.ShareGone)]
    assert [(s.what.share, s.inferred) for s in gone] == [("b", True)]


def test_changes_of_other_queues_and_environments_do_not_count(tmp_path):
    found = read(
        tmp_path,
        call(100_000, "UpdateQuotaShare", quotaShareArn=share_arn("other", "a"), capacityLimits=limits({"u": 9})),
        call(100_000, "UpdateServiceEnvironment", serviceEnvironment="other", capacityLimits=limits({"u": 9})),
        call(100_000, "UpdateJobQueue", jobQueue="other", state="DISABLED"),
    )
    assert changes(found) == []


def test_two_dumps_that_differ_are_named(tmp_path):
    (tmp_path / "h" / "z").mkdir(parents=True)
    other = dumps(queue(4, share("a", 3, "LEND_AND_BORROW", 100), share("b", 2)))
    (tmp_path / "h" / "z" / "list-quota-shares.json").write_text(json.dumps(other["list-quota-shares"], indent=1))
    found = read(tmp_path)
    assert found.config == CONFIG
    assert "two configurations: share a, limit of u, is 2 here and 3 in z/list-quota-shares.json:7" in sentences(found)


def test_an_older_dump_says_what_was_in_force_before_a_change(tmp_path):
    (tmp_path / "h" / "z").mkdir(parents=True)
    old = dumps(queue(4, share("a", 1, "LEND_AND_BORROW", 100), share("b", 2)))
    (tmp_path / "h" / "z" / "list-quota-shares.json").write_text(json.dumps(old["list-quota-shares"]))
    found = read(tmp_path, update(300_000, "a", capacityLimits=limits({"u": 2})))
    assert found.config.share("a").limits == {"u": 1}
    assert changes(found) == [ev.SetLimits("a", {"u": 2})]
    assert not found.problems
    assert not found.completeness.gaps


def test_a_dump_that_cloudtrail_does_not_lead_to_is_noted(tmp_path):
    found = read(tmp_path, create(0, share("a", 7, "LEND_AND_BORROW", 100)))
    assert any("share a: capacityLimits of the dump is not what CloudTrail's changes lead to" in n for n in found.notes)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (update(100_000, "a", capacityLimits=[{"maxCapacity": 0, "capacityUnit": "u"}]), "the limit is 0, at least 1"),
        (update(100_000, "a", state="OFF"), '"OFF"'),
        (update(100_000, "x", state="DISABLED"), "which no dump and no CreateQuotaShare describes"),
        (call(100_000, "UpdateJobQueue", jobQueue="q", state="OFF"), "state is not ENABLED or DISABLED"),
    ],
)
def test_a_change_that_cannot_be_is_named_and_the_rest_is_read(asked, says, tmp_path):
    found = read(tmp_path, asked)
    assert says in sentences(found)
    assert "cloudtrail.json:1: " in sentences(found)
    assert ev.Dispatch("j1") in observed(found)
    assert changes(found) == []


def test_a_configuration_can_be_given_apart(tmp_path):
    folder = recorded(CONFIG, RUN).write(tmp_path / "h")
    apart = tmp_path / "config"
    apart.mkdir()
    for name in dumps(CONFIG):
        (folder / f"{name}.json").rename(apart / f"{name}.json")
    assert history(folder, config=[str(apart)]).config == CONFIG
    with pytest.raises(InputError, match="says nothing of how the queue is configured") as error:
        history(folder)
    assert error.value.where == str(folder)
    assert error.value.fix.startswith("add --config FILE")


def test_of_two_queues_one_is_chosen(tmp_path):
    recorded(CONFIG, RUN).write(tmp_path / "h" / "one")
    other = queue(2, share("a", 2), name="r")
    run = [(START, ev.Submit("k1", "a", {"u": 1})), (START + 1000, ev.Dispatch("k1"))]
    recorded(other, run).write(tmp_path / "h" / "two")
    with pytest.raises(InputError, match="2 queues"):
        history(tmp_path / "h")
    found = history(tmp_path / "h" / "one", tmp_path / "h" / "two", queue="q")
    assert set(found.jobs) == {"j1"}
    assert any("1 job is of another queue: r" in line for line in found.left_out)
