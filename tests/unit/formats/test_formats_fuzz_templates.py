"""Whatever is done to a template or another form, reading gives a configuration or an InputError, and nothing else."""

from __future__ import annotations

import json
import tracemalloc

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.spec.formats import InputError, Loaded

from .templates import template
from .test_formats_fuzz import EXAMPLES, VALUES, outcome, spoilt_trees

FORMS = EXAMPLES / "forms"
TREES = [
    json.loads((FORMS / "cloudformation.json").read_text()),
    template() | {"Parameters": {"Limit": {"Type": "Number", "Default": 3}, "Name": {"Type": "String"}}},
    {"TemplateBody": template()},
    yaml.safe_load((FORMS / "sample-repository.yaml").read_text()),
]
SEEDS = [p.read_bytes() for p in sorted(FORMS.glob("*.*")) if p.is_file()]
NAMES = ["Queue", "QS1", "Environment", "Policy", "Limit", "Name", "Nobody", "A", "AWS::NoValue", "AWS::StackName"]
TEXTS = st.lists(
    st.sampled_from([*(f"${{{n}}}" for n in [*NAMES, "!A", "Queue.JobQueueArn", ""]), "x", "arn:", "/", "${"])
)
OTHERS = ["Fn::If", "Fn::Join", "Fn::Select", "Fn::Transform", "Fn::ForEach::X", "Fn::", "Fn::ImportValue", "Condition"]
FUNCTIONS = st.recursive(
    VALUES
    | st.sampled_from(NAMES)
    | st.builds(lambda name: {"Ref": name}, st.sampled_from(NAMES))
    | st.builds(
        lambda name, attribute: {"Fn::GetAtt": [name, attribute]},
        st.sampled_from(NAMES),
        st.sampled_from(["Arn", "JobQueueArn", "ServiceEnvironmentArn", "QuotaShareArn", ""]),
    ),
    lambda inner: (
        st.builds(lambda words: {"Fn::Sub": "".join(words)}, TEXTS)
        | st.builds(lambda words, a: {"Fn::Sub": ["".join(words) * 9, {"A": a, "Queue": a}]}, TEXTS, inner)
        | st.builds(lambda name, a: {name: a}, st.sampled_from([*OTHERS, "Ref", "Fn::GetAtt", "Fn::Sub"]), inner)
        | st.builds(lambda a, b: {"Fn::Sub": a, "Ref": b}, inner, inner)
    ),
    max_leaves=6,
)
TAGS = ["!Ref ", "!Sub ", "!GetAtt ", "!If ", "!Join ", "!Nobody ", "!Condition ", "!Transform ", "!", "!!str "]


SPOILT = spoilt_trees(TREES, FUNCTIONS, st.sampled_from([*OTHERS, "Properties", "Type", "Ref"]))


@settings(derandomize=True, max_examples=400, deadline=None)
@given(SPOILT)
def test_functions_anywhere_give_a_configuration_or_an_input_error(tree):
    outcome(json.dumps(tree).encode("ascii"))


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.sampled_from([s for s in SEEDS if not s.startswith(b"{")]),
    st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(TAGS)), min_size=1, max_size=4),
)
def test_short_tags_anywhere_give_a_configuration_or_an_input_error(content, tags):
    """Tags are put before what follows a colon, a dash or a bracket; the text is read as YAML."""
    text = content.decode()
    for place, tag in tags:
        places = [i for i, c in enumerate(text) if c == " " and text[i - 1 : i] in (":", "-", "[", ",")]
        at = places[place % len(places)]
        text = text[: at + 1] + tag + text[at + 1 :]
    outcome(text.encode())


@settings(derandomize=True, max_examples=200, deadline=None)
@given(
    st.sampled_from(SEEDS),
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), min_size=1, max_size=4),
)
def test_flipped_bytes_give_a_configuration_or_an_input_error(content, flips):
    changed = bytearray(content)
    for place, byte in flips:
        changed[place % len(changed)] = byte
    outcome(bytes(changed))


@pytest.mark.parametrize("content", SEEDS, ids=len)
def test_every_form_cut_short_anywhere_gives_a_configuration_or_an_input_error(content):
    assert InputError in {type(outcome(content[:length])) for length in range(0, len(content), 11)}


def test_the_fuzz_meets_both_outcomes_and_each_function():
    """Without this the tests above could pass on a reader that refuses everything."""
    seen = set()
    refused = set()

    @settings(derandomize=True, max_examples=400, deadline=None, database=None)
    @given(SPOILT)
    def look(tree):
        found = outcome(json.dumps(tree).encode("ascii"))
        seen.add(type(found))
        if isinstance(found, InputError):
            refused.update(word for word in found.what.split() if word.startswith("Fn::"))

    look()
    assert seen == {Loaded, InputError}
    assert {"Fn::If", "Fn::Sub", "Fn::Transform"} <= refused


def test_substitutions_that_would_fill_the_memory_stay_small():
    inner: object = "x" * 1000
    for _ in range(18):
        inner = {"Fn::Sub": ["${A}" * 1000, {"A": inner}]}
    content = json.dumps(template(QS1={"QuotaShareName": inner})).encode()
    tracemalloc.start()
    outcome(content)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 20 * len(content) + (8 << 20)
