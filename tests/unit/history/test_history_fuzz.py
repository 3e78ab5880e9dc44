"""Whatever stands in a file, a history comes out or an InputError."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quotaproof.spec.formats import InputError
from quotaproof.spec.formats.aws_history.containers import Broken, Value, values
from quotaproof.spec.observations import History

from ...support.histories import DEMO, LOG, TRAIL, history

CONFIG = sorted(DEMO.glob("*.json"))
TEXTS = [
    *LOG.read_bytes().splitlines(keepends=True)[9:13],
    *TRAIL.read_bytes().splitlines(keepends=True)[2:4],
    *(p.read_bytes() for p in sorted((DEMO / "history" / "jobs-1500").glob("*.json"))),
]
_LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(
    ["RUNNING", "FAILED", "2026-11-02T15:00:00Z", "Records", "batch.amazonaws.com", "aws.batch", "UpdateQuotaShare"]
)  # fmt: skip
_KEYS = st.sampled_from(
    ["Records", "Events", "events", "message", "detail", "detail-type", "source", "time", "jobArn", "jobId", "status",
     "eventSource", "eventName", "eventTime", "requestParameters", "CloudTrailEvent", "frontOfQueue", "lastUpdatedAt"]
) | st.text(max_size=4)  # fmt: skip
TREES = st.recursive(_LEAVES, lambda t: st.lists(t, max_size=4) | st.dictionaries(_KEYS, t, max_size=5), max_leaves=20)


def read(file: Path) -> None:
    try:
        found = history(file, LOG, *CONFIG)
    except InputError:
        return
    assert isinstance(found, History)
    for seen in found.seen():
        found.place(seen)
    for problem in found.problems:
        assert problem.sentence.isprintable()
        assert len(problem.sentence) < 2000


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz") / "x.json"


def check_edits(file, data):
    text = bytearray(b"".join(data.draw(st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4))))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 30))
        text[at : at + length] = data.draw(
            st.binary(max_size=4) | st.sampled_from([b"{", b"}", b"[", b'"', b"\n", b"\\"])
        )
    file.write_bytes(bytes(text))
    read(file)


def check_trees(file, tree):
    file.write_text(json.dumps(tree))
    read(file)


_FEW = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
_MANY = settings(max_examples=5000, deadline=None, suppress_health_check=list(HealthCheck))


@_FEW
@given(data=st.data())
def test_edited_records_give_a_history_or_an_input_error(file, data):
    check_edits(file, data)


@_FEW
@given(tree=TREES)
def test_any_json_gives_a_history_or_an_input_error(file, tree):
    check_trees(file, tree)


@pytest.mark.campaign
@_MANY
@given(data=st.data())
def test_many_edited_records_give_a_history_or_an_input_error(file, data):
    check_edits(file, data)


@pytest.mark.campaign
@_MANY
@given(tree=TREES)
def test_much_json_gives_a_history_or_an_input_error(file, tree):
    check_trees(file, tree)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"a":' * 100_000, "9" * 10_000, '{"a": ' + "9" * 10_000 + "}", '{"a": NaN}', "\ufeff{}", "{}" * 1000,
     ",,,", "]]]}}}", '"', '{"Records": [', '{"Records": [{}', '{"Records": [}', "[[[]]]", "nul", '{"a": "\\ud800"}'],
)  # fmt: skip
def test_strange_texts_give_a_history_or_an_input_error(file, text):
    file.write_text(text)
    read(file)


@pytest.mark.parametrize("opening", ['{"Records": [', "["])
def test_memory_does_not_grow_with_a_file(opening, tmp_path):
    event = {"eventSource": "s3.amazonaws.com", "eventName": "GetObject", "filler": "x" * 1000}
    large = tmp_path / "large.json"
    large.write_text(opening + ",".join([json.dumps(event)] * 10_000) + ("]}" if "{" in opening else "]"))
    tracemalloc.start()
    count = sum(1 for _ in values(str(large)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 10_000
    assert peak < 4 << 20 < large.stat().st_size


def test_a_record_that_never_ends_does_not_fill_the_memory(tmp_path, monkeypatch):
    from quotaproof.spec.formats.aws_history import containers

    monkeypatch.setattr(containers, "LARGEST_RECORD", 1 << 20)
    (tmp_path / "x").write_text('{"a": "' + "x" * (8 << 20))
    tracemalloc.start()
    found = list(values(str(tmp_path / "x")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == [Value(Broken("the record is cut off"), 1)]
    assert peak < 8 << 20
