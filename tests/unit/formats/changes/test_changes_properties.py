"""A change leads from OLD to NEW: as configurations, as events for a scheduler, and as requests that AWS takes."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.generate.strategies import configs
from quotaproof.reference.apply import apply
from quotaproof.reference.queue import Queue
from quotaproof.spec import events as ev
from quotaproof.spec.changes import Verb, after
from quotaproof.spec.formats import InputError, load
from quotaproof.spec.formats.changes import load_change
from quotaproof.spec.formats.changes.settings import setting
from quotaproof.spec.model import State
from quotaproof.spec.readings import Readings

LIVE = str(Path(__file__).parents[4] / "examples" / "plan" / "live")
READINGS = [Readings.of(A9="resets"), Readings.of(A9="keeps"), Readings.of(A8="unset")]


def dumped(folder, config):
    """The queue as AWS's lists give it."""
    folder.mkdir()
    shares = [s.model_dump(mode="json", by_alias=True, exclude_none=True) for s in config.shares]
    environment = config.environment.model_dump(mode="json", by_alias=True)
    home = "arn:aws:batch:us-east-1:123456789012:job-queue/queue"
    lists = {
        "quotaShares": [{**s, "quotaShareArn": f"{home}/quota-share/{s['quotaShareName']}"} for s in shares],
        "serviceEnvironments": [environment],
        "jobQueues": [{"jobQueueName": "queue", "jobQueueType": "SAGEMAKER_TRAINING",
                       "serviceEnvironmentOrder": [{"order": 1, "serviceEnvironment": "queue"}]}],
    }  # fmt: skip
    for key, value in lists.items():
        (folder / f"{key}.json").write_text(json.dumps({key: value}))
    return str(folder)


def same(one, other):
    return (
        {s.name: s.canonical() for s in one.shares} == {s.name: s.canonical() for s in other.shares}
        and one.environment.capacity == other.environment.capacity
        and one.environment.state == other.environment.state
    )


def seen(queue):
    """What a scheduler sees of the configuration."""
    units = {*queue.capacity, *(u for s in queue.shares.values() for u in s.limits)}
    grants = {(s, u): queue.grant(s, u) for s in queue.shares for u in units}
    switches = {s.name: (s.strategy, s.in_share, s.enabled, s.deleting) for s in queue.shares.values()}
    return grants, switches, queue.capacity, queue.environment_enabled


def pairs():
    """Two queues of one name, the second mostly with shares of the first changed, gone, and new ones."""
    return st.tuples(configs(most_shares=5, most_units=3), configs(most_shares=5, most_units=3))


def disabled(config, draw):
    state = State.DISABLED if draw else State.ENABLED
    return config.model_copy(update={"environment": config.environment.model_copy(update={"state": state})})


def check(folder, old, new, readings):
    found = load_change([dumped(folder / "old", old)], [dumped(folder / "new", new)], readings=readings)
    assert same(found.new, new)
    assert same(after(found.old.config, found.edits, readings), new)
    assert all(e.events and e.place for e in found.edits)

    queue = Queue(old, readings)
    for edit in found.edits:
        for event in edit.events:
            if isinstance(event, ev.DeleteShare):
                assert not queue.shares[event.share].enabled  # rule 51
            apply(queue, event)
            if isinstance(event, ev.DeleteShare):
                apply(queue, ev.ShareGone(event.share))
    assert seen(queue) == seen(Queue(new, readings))

    if found.edits:
        asked = folder / "asked.json"
        asked.write_text(json.dumps([edit.request for edit in found.edits]))
        again = load_change([str(folder / "old")], apply=[str(asked)], readings=readings)
        assert [(e.verb, e.subject, e.events, dict(e.request)) for e in again.edits] == [
            (e.verb, e.subject, e.events, dict(e.request)) for e in found.edits
        ]
        assert all("an update replaces all limits (A10)" in note for note in again.notes)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(pair=pairs(), reading=st.sampled_from(READINGS), off=st.booleans())
def test_the_requests_of_a_difference_lead_from_one_queue_to_the_other(pair, reading, off):
    with TemporaryDirectory() as folder:
        check(Path(folder), pair[0], disabled(pair[1], off), reading)


@pytest.mark.campaign
@settings(max_examples=2000, deadline=None)
@given(pair=pairs(), reading=st.sampled_from(READINGS), off=st.booleans())
def test_the_requests_of_many_differences_lead_from_one_queue_to_the_other(pair, reading, off):
    with TemporaryDirectory() as folder:
        check(Path(folder), pair[0], disabled(pair[1], off), reading)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(config=configs(most_shares=4, most_units=3))
def test_a_queue_and_itself_differ_in_nothing(config):
    with TemporaryDirectory() as folder:
        one = dumped(Path(folder, "old"), config)
        found = load_change([one], [one], readings=Readings())
        assert found.edits == () and found.new == found.old.config


REQUESTS = [
    {"quotaShareArn": "speech", "capacityLimits": [{"maxCapacity": 3, "capacityUnit": "ml.p5.48xlarge"}]},
    {"quotaShareArn": "speech", "resourceSharingConfiguration": {"strategy": "LEND_AND_BORROW", "borrowLimit": 10}},
    {"serviceEnvironment": "research-gpu-se", "capacityLimits": [{"maxCapacity": 3, "capacityUnit": "u"}]},
    {
        "quotaShareName": "new",
        "jobQueue": "research-gpu-qm",
        "capacityLimits": [{"maxCapacity": 3, "capacityUnit": "u"}],
        "resourceSharingConfiguration": {"strategy": "LEND"},
        "preemptionConfiguration": {"inSharePreemption": "ENABLED"},
    },
]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=4,
)


@st.composite
def spoilt(draw):
    """A request with one part replaced, anywhere in it."""
    tree = json.loads(json.dumps(draw(st.sampled_from(REQUESTS))))
    at, key = tree, draw(st.sampled_from(list(tree)))
    while isinstance(at[key], dict | list) and at[key] and draw(st.booleans()):
        at = at[key]
        key = draw(st.sampled_from(list(at))) if isinstance(at, dict) else draw(st.integers(0, len(at) - 1))
    at[key] = draw(VALUES)
    return tree


@settings(max_examples=80, deadline=None, derandomize=True)
@given(trees=st.lists(spoilt() | st.sampled_from(REQUESTS), min_size=1, max_size=3))
def test_whatever_is_asked_is_a_change_or_an_input_error(trees):
    with TemporaryDirectory() as folder:
        file = Path(folder, "asked.json")
        file.write_text(json.dumps(trees))
        try:
            found = load_change([LIVE], apply=[str(file)], readings=Readings())
        except InputError as error:
            assert all((error.what, error.where, error.why, error.fix))
        else:
            assert same(found.new, after(found.old.config, found.edits, Readings()))
            assert all(e.verb in Verb and e.events for e in found.edits)


@pytest.fixture(scope="module")
def live():
    return load([LIVE], readings=Readings()).config


PIECES = st.sampled_from(
    ["foundation", "environment", ".", "=", "p5", "ml.p5.48xlarge", "12", "-1", "strategy", "LEND", " "]
)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(text=st.lists(PIECES | st.text(max_size=4), max_size=6).map("".join))
def test_whatever_is_set_is_a_setting_or_an_input_error(live, text):
    try:
        found = setting(text, live, option="--set")
    except InputError as error:
        assert error.where.startswith("--set")
    else:
        assert found.subject in ("", *(s.name for s in live.shares))
