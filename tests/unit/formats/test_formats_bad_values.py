"""Values that AWS would refuse or that are slips of the pen: each is refused in its place with its fix."""

from __future__ import annotations

import json

import pytest

SHARING, STRATEGY = "resourceSharingConfiguration", "LEND_AND_BORROW"
LIMIT = [{"maxCapacity": 1, "capacityUnit": "u"}]


def limit(value: object) -> list[dict[str, object]]:
    return [{"maxCapacity": value, "capacityUnit": "ml.p5.48xlarge"}]


FIRST = "share vision, capacityLimits[0].maxCapacity"
BORROW = "share vision, resourceSharingConfiguration.borrowLimit"

BAD_SHARES = {
    # fields, what, where without file and line, fix
    "limit 0": ({"capacityLimits": limit(0)}, "the limit is 0, at least 1", FIRST, "write 1 or more"),
    "limit -2": ({"capacityLimits": limit(-2)}, "the limit is -2, at least 1", FIRST, "write 1 or more"),
    "limit true": ({"capacityLimits": limit(True)}, "true stands where a whole number", FIRST, "whole number"),
    "limit 1.5": ({"capacityLimits": limit(1.5)}, "1.5 stands where a whole number", FIRST, "no fractions"),
    "limit 2.0": ({"capacityLimits": limit(2.0)}, "2.0 stands where a whole number", FIRST, "write 2."),
    "limit text": ({"capacityLimits": limit("3")}, '"3" stands where a whole number', FIRST, "write 3 without quotes"),
    "limit null": ({"capacityLimits": limit(None)}, "null stands where a whole number", FIRST, "delete the field"),
    "limit list": ({"capacityLimits": limit([1])}, "a list stands where a whole number", FIRST, "whole number"),
    "limit huge": ({"capacityLimits": limit(10**9 + 1)}, "at most 1,000,000,000", FIRST, "that was meant"),
    "limit of 20 digits": ({"capacityLimits": limit(10**20)}, "at most 1,000,000,000", FIRST, "that was meant"),
    "no limits": ({"capacityLimits": []}, "there is no capacity limit", "share vision, capacityLimits", "add a limit"),
    "limits object": (
        {"capacityLimits": {"u": 1}},
        "an object stands where a list is expected",
        "share vision, capacityLimits",
        "write a list",
    ),
    "limit without number": (
        {"capacityLimits": [{"capacityUnit": "u"}]},
        "maxCapacity is missing",
        FIRST,
        "add maxCapacity",
    ),
    "unit twice": (
        {"capacityLimits": LIMIT + LIMIT},
        '"u" has two limits',
        "share vision, capacityLimits[1].capacityUnit",
        "keep one limit",
    ),
    "unit with newline": (
        {"capacityLimits": [{"maxCapacity": 1, "capacityUnit": "u\n"}]},
        '"u\\n" is not an instance type',
        "share vision, capacityLimits[0].capacityUnit",
        "the instance type alone",
    ),
    "unit empty": (
        {"capacityLimits": [{"maxCapacity": 1, "capacityUnit": ""}]},
        'capacityUnit is ""',
        "share vision, capacityLimits[0].capacityUnit",
        "write the instance type",
    ),
    "unit half a character": (
        {"capacityLimits": [{"maxCapacity": 1, "capacityUnit": "\ud800"}]},
        'capacityUnit is "\\ud800"',
        "share vision, capacityLimits[0].capacityUnit",
        "write the instance type",
    ),
    "nested unknown key": (
        {"capacityLimits": [{"maxCapacity": 1, "capacityUnits": "u"}]},
        'there is no field "capacityUnits"',
        "share vision, capacityLimits[0].capacityUnits",
        "did you mean capacityUnit?",
    ),
    "borrow limit misspelt": (
        {SHARING: {"strategy": STRATEGY, "borowLimit": 5}},
        'there is no field "borowLimit"',
        "share vision, resourceSharingConfiguration.borowLimit",
        "did you mean borrowLimit?",
    ),
    "key like no other": ({"zzz": 1}, 'there is no field "zzz"', "share vision, zzz", "the fields here are"),
    "strategy misspelt": (
        {SHARING: {"strategy": "LEND_AND_BOROW"}},
        'strategy cannot be "LEND_AND_BOROW"',
        "share vision, resourceSharingConfiguration.strategy",
        "did you mean LEND_AND_BORROW?",
    ),
    "strategy in small letters": (
        {SHARING: {"strategy": "lend"}},
        'strategy cannot be "lend"',
        "share vision, resourceSharingConfiguration.strategy",
        "did you mean LEND?",
    ),
    "strategy number": (
        {SHARING: {"strategy": 1}},
        "strategy cannot be 1",
        "share vision, resourceSharingConfiguration.strategy",
        "RESERVE or LEND or LEND_AND_BORROW",
    ),
    "no strategy": (
        {SHARING: {}},
        "strategy is missing",
        "share vision, resourceSharingConfiguration.strategy",
        "add strategy",
    ),
    "no sharing": (
        {SHARING: None},
        "resourceSharingConfiguration is missing",
        "share vision, resourceSharingConfiguration",
        "add resourceSharingConfiguration",
    ),
    "no preemption": (
        {"preemptionConfiguration": None},
        "preemptionConfiguration is missing",
        "share vision, preemptionConfiguration",
        "add preemptionConfiguration",
    ),
    "preemption as boolean": (
        {"preemptionConfiguration": {"inSharePreemption": True}},
        "inSharePreemption cannot be true",
        "share vision, preemptionConfiguration.inSharePreemption",
        "ENABLED or DISABLED",
    ),
    "sharing a list": (
        {SHARING: []},
        "a list stands where an object is expected",
        "share vision, resourceSharingConfiguration",
        "write an object",
    ),
    "borrow limit -2": ({SHARING: {"strategy": STRATEGY, "borrowLimit": -2}}, "at least -1", BORROW, "-1 or more"),
    "borrow limit 0.5": ({SHARING: {"strategy": STRATEGY, "borrowLimit": 0.5}}, "0.5 stands", BORROW, "no fractions"),
    "borrow limit text": ({SHARING: {"strategy": STRATEGY, "borrowLimit": "50 %"}}, '"50 %"', BORROW, "whole number"),
    "borrow limit on LEND": (
        {SHARING: {"strategy": "LEND", "borrowLimit": 50}},
        "borrowLimit 50 is given with strategy LEND",
        BORROW,
        "--assume A7=ignored",
    ),
    "borrow limit on RESERVE": (
        {SHARING: {"strategy": "RESERVE", "borrowLimit": 0}},
        "borrowLimit 0 is given with strategy RESERVE",
        BORROW,
        "delete borrowLimit",
    ),
    "state": ({"state": "ENABLE"}, 'state cannot be "ENABLE"', "share vision, state", "did you mean ENABLED?"),
    "tags a list": ({"tags": []}, "a list stands where an object", "share vision, tags", "write an object"),
    "queue a number": ({"jobQueue": 7}, "7 stands where text is expected", "share vision, jobQueue", "in quotes"),
    "queue no name": ({"jobQueue": "a b"}, '"a b" is not a name', "share vision, jobQueue", "without blanks"),
    "no queue": ({"jobQueue": None}, "jobQueue is missing", "share vision, jobQueue", "the name of the queue"),
    "queue by a bad ARN": (
        {"jobQueue": None, "quotaShareArn": "arn:aws:batch:r:1:job-queue/a b/quota-share/vision"},
        '"a b" is not a name',
        "share vision, quotaShareArn",
        "without blanks",
    ),
    "two queues in one share": (
        {"quotaShareArn": "arn:aws:batch:r:1:job-queue/other/quota-share/vision"},
        "jobQueue says queue research, quotaShareArn says other",
        "share vision, jobQueue",
        "correct one of the two",
    ),
}


@pytest.mark.parametrize(("fields", "what", "where", "fix"), BAD_SHARES.values(), ids=BAD_SHARES)
def test_a_bad_share_is_refused_with_its_field(refused, write, share, fields, what, where, fix):
    tree = {k: v for k, v in {**share(), **fields}.items() if v is not None}
    error = refused(write("s.json", tree))
    assert what in error.what
    place, owner_and_field = error.where.split(", ", 1)
    assert owner_and_field == where
    assert place.startswith("s.json:")
    assert fix in error.fix


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", '"" is not a name'),
        ("a b", '"a b" is not a name'),
        ("a\n", '"a\\n" is not a name'),
        ("a\u0000b", '"a\\x00b" is not a name'),
        ("a\x1b[2J", '"a\\x1b[2J" is not a name'),
        ("a\ud800", '"a\\ud800" is not a name'),
        ("Frühling", '"Frühling" is not a name'),
        ("n" * 129, "(129 characters) is not a name"),
    ],
)
def test_names_that_aws_refuses_are_refused(refused, write, share, name, words):
    error = refused(write("s.json", share(name)))
    assert words in error.what
    assert error.where.startswith("s.json:2, ")
    assert "rule 6" in error.why


def test_names_of_128_characters_are_fine(read, write, share):
    assert read(write("s.json", share("n" * 128))).config.shares[0].name == "n" * 128


def test_the_line_is_that_of_the_field(refused, write, share):
    tree = {"quotaShares": [share("a"), {**share("b"), "capacityLimits": limit(0)}]}
    error = refused(write("l.json", tree))
    written = json.dumps(tree, indent=2).split("\n")
    line = next(n for n, text in enumerate(written, 1) if '"maxCapacity": 0' in text)
    assert error.where == f"l.json:{line}, share b, capacityLimits[0].maxCapacity"


def test_a_missing_name_is_missed_and_not_taken_for_another_kind(refused, write, share):
    error = refused(write("s.json", share(quotaShareName=None)))
    assert error.what == "quotaShareName is missing"
    misspelt = {("quotaSharename" if k == "quotaShareName" else k): v for k, v in share().items()}
    error = refused(write("s.json", misspelt))
    assert (error.what, error.fix) == ('there is no field "quotaSharename"', "did you mean quotaShareName?")


def test_borrow_limit_with_lend_is_dropped_and_noted_under_a7_ignored(read, write, share):
    tree = {**share(), SHARING: {"strategy": "LEND", "borrowLimit": 50}}
    loaded = read(write("s.json", tree), A7="ignored")
    assert loaded.config.share("vision").borrow_limit is None
    assert loaded.notes[0] == "vision: borrowLimit 50 is ignored, its strategy is LEND (A7=ignored)"


def test_an_environment_may_have_0_of_a_unit_but_not_less(read, refused, write, share, environment):
    share_file = write("s.json", share())
    loaded = read(share_file, write("e.json", environment(limits={"ml.p5.48xlarge": 0})))
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 0}
    error = refused(share_file, write("e.json", environment(limits={"ml.p5.48xlarge": -1})))
    assert error.what == "the limit is -1, at least 0 is needed"
    assert error.where == "e.json:6, environment research-se, capacityLimits[0].maxCapacity"


def test_an_environment_with_one_unit_twice_is_refused(refused, write, environment):
    error = refused(write("e.json", environment(capacityLimits=[*LIMIT, *LIMIT])))
    assert error.what == '"u" has two limits'
    assert "environment research-se, capacityLimits[1].capacityUnit" in error.where


@pytest.mark.parametrize("key", ["quotaShares", "serviceEnvironments", "jobQueues", "schedulingPolicies"])
@pytest.mark.parametrize("items", [None, {}, "x", 3, [None], ["x"], [[]], [3]])
def test_lists_of_outputs_hold_objects(refused, write, key, items):
    error = refused(write("o.json", {key: items}))
    assert "stands where" in error.what
    assert error.where.startswith(f"o.json:{'3' if isinstance(items, list) else '2'}, {key}")


@pytest.mark.parametrize(
    ("key", "command"),
    [("quotaShares", "list-quota-shares"), ("jobQueues", "describe-job-queues")],
)
def test_an_incomplete_list_is_refused(refused, write, key, command):
    error = refused(write("o.json", {key: [], "nextToken": "abc"}))
    assert error.what == "the list is incomplete: it ends with a nextToken"
    assert error.where == "o.json:3, nextToken"
    assert f"`aws batch {command}` again" in error.fix


def test_an_empty_or_null_next_token_is_the_end_of_the_list(read, write, share):
    for token in ("", None):
        assert [s.kind for s in read(write("o.json", {"quotaShares": [share()], "nextToken": token})).sources] == [
            "list-quota-shares"
        ]


def test_unknown_fields_of_a_job_queue_are_refused_inside_too(refused, write, job_queue):
    order = [{"order": 1, "serviceEnvironments": "x"}]
    error = refused(write("q.json", job_queue(serviceEnvironmentOrder=order)))
    assert error.what == 'there is no field "serviceEnvironments"'
    assert error.fix == "did you mean serviceEnvironment?"
    assert error.where == "q.json:8, queue research, serviceEnvironmentOrder[0].serviceEnvironments"


@pytest.mark.parametrize("status", ["CREATING", "INVALID", "UPDATING", "DELETING"])
def test_a_share_of_any_status_is_read(read, write, share, status):
    assert read(write("s.json", share(status=status, tags={"a": "b"}))).config.share("vision").limits
    assert [s.kind for s in read(write("s.json", share(status=status))).sources] == ["describe-quota-share"]


def test_more_than_20_shares_of_6_limits_are_read(read, write, share):
    shares = [share(f"s{i}", limits={f"u{j}": 1 for j in range(6)}) for i in range(25)]
    loaded = read(write("l.json", {"quotaShares": shares}))
    assert len(loaded.config.shares) == 25
    assert len(loaded.config.shares[24].limits) == 6
