"""The published schema and the reader agree, and whatever stands in a file of promises, nothing but an InputError gets out."""

from __future__ import annotations

import io
import json
import sys
from importlib.resources import files
from types import SimpleNamespace
from typing import Any
from unittest import mock

import jsonschema
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from quotaproof.spec import schemas
from quotaproof.spec.formats import InputError
from quotaproof.spec.formats.promises import load_promises
from quotaproof.spec.promises import KEYS as TERM_KEYS
from quotaproof.spec.promises import Promises

from ...support.promised import CONFIG, EVERY, document, parsed, promise
from .test_formats_fuzz import CHARACTERS, KEYS, VALUES, spoilt_trees

SCHEMA = json.loads(files(schemas).joinpath("promises.schema.json").read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker())
TREES = [EVERY, *(document(p) for p in EVERY["promises"] if "group" not in p)]
WORDS = [
    "train",
    "serve",
    "p5",
    "g5",
    "GPU",
    "at-once",
    "15m",
    "1d",
    "2 %",
    "5 working days",
    "by-anyone",
    "2027-01-31",
    "P1",
]
MORE = (
    VALUES
    | st.sampled_from(WORDS)
    | st.integers(0, 20)
    | st.sampled_from(["[]", "{}", "[[]]", '{"borrows": false}']).map(json.loads)
)
NAMES = KEYS | st.sampled_from(
    [*TERM_KEYS.values(), "share", "group", "valid", "within", "by", "at_most", "owner", "on_reached"]
)
ONLY_IN_WORDS = (
    *("there is no share", "there is no unit", "there is no group", "there is no promise", "may be", "is given twice"),
    *("is a measure", "a measure stands", "is before from", "the band goes", "nobody owns it", "is not about"),
    *("is the code of something else", "is a unit of the queue", "stands where a whole number"),
)
"""Mistakes that no schema can see: names, sums, days in order; and 2.0, which is a whole number for a schema."""


def test_the_schema_is_one_and_accepts_every_kind_of_promise() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    VALID.validate(EVERY)
    fields = SCHEMA["$defs"]["promise"]["properties"]
    assert set(TERM_KEYS.values()) < set(fields)
    assert all("description" in field or "$ref" in field for field in fields.values())


@settings(derandomize=True, max_examples=300, deadline=None)
@given(spoilt_trees(trees=TREES, values=MORE, keys=NAMES))
def test_what_is_read_the_schema_accepts_and_what_it_accepts_is_read_or_refused_for_what_it_cannot_see(
    tree: Any,
) -> None:
    try:
        found: Promises | InputError = parsed(tree)
    except InputError as error:
        found = error
    accepted = VALID.is_valid(tree)
    event(f"{'accepted' if accepted else 'refused'}, {type(found).__name__}")
    if isinstance(found, Promises):
        VALID.validate(tree)
    elif accepted:
        assert any(words in found.what for words in ONLY_IN_WORDS), found


@pytest.mark.parametrize(
    "broken",
    [
        document(promise(fits={"p5": 0})),
        document(promise(gets={"p5": 1})),
        document(promise(gets={"within": "15m"})),
        document(promise(gets={"p5": 1, "within": "15"})),
        document(promise(share="train", group="g", fits={"p5": 1})),
        document(promise(fits={"p5": 1}, on_reached={"owner": "o"})),
        document(promise(recovery={"checkpoint": "optional"})),
        document(promise(measured={})),
        document(promise(valid={}, fits={"p5": 1})),
        document(promise()),
        document(),
        document(promise(fits={"p5": 1}), exceptions=[{"id": "E1", "to": "P1", "owner": "o", "why": "w"}]),
    ],
)
def test_the_schema_and_the_reader_refuse_the_same(broken: Any) -> None:
    assert not VALID.is_valid(broken)
    with pytest.raises(InputError):
        parsed(broken)


def from_standard_input(content: bytes) -> Promises | InputError:
    with mock.patch.object(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content))):
        try:
            return load_promises("-", CONFIG)
        except InputError as error:
            assert len(str(error).split("\n")) == 3
            assert error.what and error.where and error.why and error.fix
            return error


@settings(derandomize=True, max_examples=150, deadline=None)
@given(spoilt_trees(trees=TREES, values=MORE, keys=NAMES))
def test_json_that_is_spoilt_gives_promises_or_an_input_error(tree: Any) -> None:
    from_standard_input(json.dumps(tree).encode("ascii"))


PIECES = [
    "promises: 1\n",
    "promises:\n",
    "version: 1\n",
    "- {id: P1, says: s, owner: o, fits: {p5: 1}}\n",
    "- id: P2\n",
]
PIECES += [
    "  says: s\n",
    "  gets: {p5: 1, within: 1m}\n",
    "queue: gpu\n",
    "groups:\n",
    "  all: [train]\n",
    "  ",
    "\n",
    "- ",
    ": ",
]


@settings(derandomize=True, max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(CHARACTERS, max_size=4), max_size=12).map("".join))
def test_yaml_of_pieces_gives_promises_or_an_input_error(text: str) -> None:
    event(type(from_standard_input(text.encode("utf-8", "surrogatepass"))).__name__)
