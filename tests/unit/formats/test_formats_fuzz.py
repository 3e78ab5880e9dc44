"""Whatever comes in, reading gives a configuration or an InputError, and nothing else."""

from __future__ import annotations

import copy
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.spec.formats import InputError, Loaded, load
from quotaproof.spec.model import QueueConfig
from quotaproof.spec.readings import Readings

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = sorted(p for p in EXAMPLES.glob("*/*") if p.parent.name in ("walkthrough", "research-gpu", "own-form"))
TREES = [json.loads(p.read_text()) for p in FILES if p.suffix == ".json"]
TREES += [
    {
        "quotaproof": 1,
        "queue": "r",
        "environment": {"u": 3},
        "shares": [{"name": "a", "limits": {"u": 1}, "strategy": "LEND_AND_BORROW", "borrowLimit": 5}],
    }
]
CHARACTERS = st.characters(codec=None)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(CHARACTERS, max_size=9)
    | st.just("NUM_INSTANCES"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(CHARACTERS, max_size=9), inner, max_size=3),
    max_leaves=5,
)

KEYS = st.text(CHARACTERS, max_size=9)
PIECES = ["quotaproof: 1", "queue: r", "shares:", "- {name: a, limits: {u: 1}, strategy: LEND}", "- ", "  ", "[", "}"]
PIECES += ["&a ", "*a", "!!int ", "? ", ": ", "---", "...", "%YAML 1.9", '"\\UFFFFFFFF"', "|", "\t", "\n", "\n", "0x1"]


def parts(tree, pointer=()):
    """Every pointer into a value."""
    yield pointer
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield from parts(value, (*pointer, key))


@st.composite
def spoilt_trees(draw, trees=TREES, values=VALUES, keys=KEYS):
    """One of the valid trees with a few values replaced by others of the tree or of `values`, and keys dropped or added."""
    tree = copy.deepcopy(draw(st.sampled_from(trees)))
    for _ in range(draw(st.integers(1, 3))):
        pointers = [p for p in parts(tree) if p]
        if not pointers:
            break
        *path, last = draw(st.sampled_from(pointers))
        at = tree
        for step in path:
            at = at[step]
        act = draw(st.sampled_from(["replace", "swap", "drop", "add"]))
        if act == "replace":
            at[last] = draw(values)
        elif act == "swap":
            other = tree
            for step in draw(st.sampled_from(pointers)):
                other = other[step]
            at[last] = copy.deepcopy(other)
        elif act == "drop":
            del at[last]
        elif isinstance(at, dict):
            at[draw(keys)] = draw(values)
        else:
            at.append(draw(values))
    return tree


def outcome(content: bytes) -> Loaded | InputError:
    """What reading these bytes from standard input gives, looked at in every way that a caller does."""
    with mock.patch.object(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content))):
        try:
            loaded = load(["-"], readings=Readings())
        except InputError as error:
            assert len(str(error).split("\n")) == 3
            assert str(error).encode("utf-8")
            assert error.what and error.where and error.why and error.fix
            return error
    assert isinstance(loaded.config, QueueConfig)
    for share in loaded.config.shares:
        for field in ("share", "strategy", "borrowLimit", "inSharePreemption", "state"):
            assert loaded.place(share.name, field).startswith("-:")
        for unit in share.limits:
            assert loaded.place(share.name, "limit", unit).startswith("-:")
    return loaded


@settings(derandomize=True, max_examples=200, deadline=None)
@given(spoilt_trees())
def test_spoilt_values_give_a_configuration_or_an_input_error(tree):
    outcome(json.dumps(tree).encode("ascii"))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.sampled_from([p.read_bytes() for p in FILES]),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=4),
)
def test_flipped_bytes_give_a_configuration_or_an_input_error(content, flips):
    spoilt = bytearray(content)
    for place, byte in flips:
        spoilt[place % len(spoilt)] = byte
    outcome(bytes(spoilt))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_pieces_of_yaml_give_a_configuration_or_an_input_error(pieces):
    outcome("\n".join(pieces).encode())
    outcome("".join(pieces).encode())


def test_the_fuzz_meets_both_outcomes():
    """Without this the tests above could pass on a reader that refuses everything."""
    seen = set()

    @settings(derandomize=True, max_examples=200, deadline=None, database=None)
    @given(spoilt_trees())
    def look(tree):
        seen.add(type(outcome(json.dumps(tree).encode("ascii"))))

    look()
    assert seen == {Loaded, InputError}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_every_file_cut_short_anywhere_gives_a_configuration_or_an_input_error(path):
    content = path.read_bytes()
    outcomes = {type(outcome(content[:length])) for length in range(0, len(content), 7)}
    assert InputError in outcomes
