"""Whatever Terraform's and Pulumi's files come to hold, reading gives a configuration or an InputError, and soon."""

from __future__ import annotations

import json
import tracemalloc

from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.spec.formats import InputError, Loaded

from ...support.terraform import UNKNOWN, block, plan, queue, share
from .test_formats_fuzz import EXAMPLES, outcome, spoilt_trees

TREES = [json.loads(path.read_text()) for path in sorted((EXAMPLES / "forms").glob("*.json"))]
NAMES = st.sampled_from(["a", "b", "c"])
REFERENCES = st.builds(
    "{}{}{}".format,
    st.sampled_from(["var.", "module.", "local.", "each.", "awscc_batch_job_queue.", "data.t.", "", "."]),
    NAMES,
    st.sampled_from(["", ".a", ".b", '["a"].c', "[0]", "[*]", '["'], ),
)  # fmt: skip
EXPRESSIONS = st.builds(lambda names: {"references": names}, st.lists(REFERENCES, max_size=3))


def modules(inner):
    """A module of the configuration that calls others."""
    call = st.fixed_dictionaries({"module": inner, "expressions": st.dictionaries(NAMES, EXPRESSIONS, max_size=3)})
    output = st.builds(lambda expression: {"expression": expression}, EXPRESSIONS)
    return st.fixed_dictionaries(
        {
            "module_calls": st.dictionaries(NAMES, call, max_size=2),
            "outputs": st.dictionaries(NAMES, output, max_size=3),
            "resources": st.lists(
                st.builds(lambda e: {**block("share", "x"), "expressions": {"job_queue": e}}, EXPRESSIONS)
            ),
        }
    )


CONFIGURATIONS = modules(st.recursive(st.just({}), modules, max_leaves=4))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(spoilt_trees(TREES))
def test_spoilt_values_give_a_configuration_or_an_input_error(tree):
    outcome(json.dumps(tree).encode("ascii"))


@settings(derandomize=True, max_examples=300, deadline=None)
@given(CONFIGURATIONS, st.sampled_from(["", "module.a", 'module.a["a"].module.b']), st.sampled_from(["", "module.b"]))
def test_any_references_give_a_configuration_or_an_input_error(configuration, of_share, of_queue):
    made = [share(module=of_share, job_queue=UNKNOWN), queue(UNKNOWN, at="a", module=of_queue)]
    outcome(json.dumps(plan(*made, configuration=configuration)).encode("ascii"))


def test_the_fuzz_meets_both_outcomes():
    """Without this the tests above could pass on a reader that refuses everything."""
    seen = set()

    @settings(derandomize=True, max_examples=100, deadline=None, database=None)
    @given(spoilt_trees(TREES))
    def look(tree):
        seen.add(type(outcome(json.dumps(tree).encode("ascii"))))

    look()
    assert seen == {Loaded, InputError}


def test_modules_nested_without_end_are_read_or_refused():
    for depth in (100, 400, 5000):
        nested = '{"child_modules": [' * depth + "]}" * depth
        whole = f'{{"format_version": "1.0", "values": {{"root_module": {nested}}}}}'
        assert isinstance(outcome(whole.encode()), InputError)


def test_a_long_chain_of_variables_is_followed(read, write):
    depth = 150
    module = {"resources": [block("share", job_queue=["var.v"])]}
    for level in range(depth):
        references = ["var.v"] if level < depth - 1 else ["awscc_batch_job_queue.a.job_queue_arn"]
        module = {"module_calls": {"m": {"module": module, "expressions": {"v": {"references": references}}}}}
    path = ".".join(["module.m"] * depth)
    made = [share(module=path, job_queue=UNKNOWN), queue("research", at="a")]
    assert read(write("plan.json", plan(*made, configuration=module))).config.job_queue_name == "research"


def test_many_references_in_circles_take_little_memory():
    """Every module's output refers to every output of every other."""
    names = [f"m{number}" for number in range(15)]
    everything = [f"var.{name}" for name in names]
    call = {
        "module": {"outputs": {name: {"expression": {"references": everything}} for name in names}},
        "expressions": {name: {"references": [f"module.{m}.{name}" for m in names]} for name in names},
    }
    configuration = {
        "resources": [block("share", job_queue=["module.m0.m0"])],
        "module_calls": dict.fromkeys(names, call),
    }
    content = json.dumps(plan(share(job_queue=UNKNOWN), configuration=configuration)).encode("ascii")
    tracemalloc.start()
    try:
        assert isinstance(outcome(content), InputError)
        assert tracemalloc.get_traced_memory()[1] < 16 << 20
    finally:
        tracemalloc.stop()
