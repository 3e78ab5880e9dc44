"""The sample repository's YAML form: what is read, what is left out, what is refused and where."""

from __future__ import annotations

import copy

import pytest

QUEUE = {
    "name": "research",
    "type": "quota-management",
    "priority": 1,
    "service_environment": {
        "name": "research-se",
        "capacity_limits": [{"capacity_unit": "ml.p5.48xlarge", "max_capacity": 16}],
    },
    "scheduling_policy": {"name": "research-policy"},
    "quota_shares": [
        {
            "name": "vision",
            "capacity_limits": [{"capacity_unit": "ml.p5.48xlarge", "max_capacity": 2}],
            "sharing_strategy": "LEND_AND_BORROW",
            "borrow_limit": 50,
            "in_share_preemption": True,
        }
    ],
}


@pytest.fixture
def queue():
    return copy.deepcopy(QUEUE)


def test_the_sample_reads_to_its_numbers(read, samples):
    loaded = read(samples / "iac" / "sample_repo_style_config.yaml")
    assert [s.kind for s in loaded.sources] == ["sample repository form"]
    assert loaded.notes == loaded.left_out == ()
    assert loaded.config.job_queue_name == "research-gpu-qm"
    assert loaded.config.environment.service_environment_name == "research-gpu-qm-se"
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 16, "ml.g5.xlarge": 40}
    assert [(s.name, s.limits, s.strategy, s.borrow_limit, s.in_share) for s in loaded.config.shares] == [
        ("foundation", {"ml.p5.48xlarge": 8, "ml.g5.xlarge": 20}, "LEND_AND_BORROW", 100, True),
        ("prod-retrain", {"ml.p5.48xlarge": 4}, "RESERVE", None, False),
    ]


def test_queues_of_other_types_are_left_out_with_the_reason(read, write, queue):
    other = {"name": "cpu", "type": "fair-share", "compute_environments": ["a"]}
    loaded = read(write("q.yaml", {"queues": [other, queue]}))
    assert loaded.left_out == ('q.yaml: queue "cpu" is of type "fair-share", not quota-management',)
    assert loaded.config.job_queue_name == "research"


def test_a_state_is_accepted_wherever_aws_has_one(read, write, queue):
    queue["state"] = queue["service_environment"]["state"] = "ENABLED"
    queue["quota_shares"][0]["state"] = "DISABLED"
    assert read(write("q.yaml", {"queues": [queue]})).config.share("vision").state == "DISABLED"


@pytest.mark.parametrize(
    ("place", "key", "where", "near"),
    [
        (lambda q: q, "quota_share", "queue research, quota_share", "did you mean quota_shares?"),
        (lambda q: q["quota_shares"][0], "borow_limit", "share vision, borow_limit", "did you mean borrow_limit?"),
        (
            lambda q: q["quota_shares"][0]["capacity_limits"][0],
            "max_capacities",
            "share vision, capacity_limits[0].max_capacities",
            "did you mean max_capacity?",
        ),
        (
            lambda q: q["service_environment"],
            "capacity_limit",
            "environment research-se, capacity_limit",
            "did you mean capacity_limits?",
        ),
    ],
)
def test_unknown_keys_are_refused_with_the_nearest_name(refused, write, queue, place, key, where, near):
    place(queue)[key] = 1
    error = refused(write("q.yaml", {"queues": [queue]}))
    assert error.what == f'there is no field "{key}"'
    assert error.where.split(", ", 1)[1] == where
    assert error.fix == near


@pytest.mark.parametrize("key", ["name", "capacity_limits", "sharing_strategy", "in_share_preemption"])
def test_what_a_share_lacks_is_called_as_the_form_calls_it(refused, write, queue, key):
    del queue["quota_shares"][0][key]
    error = refused(write("q.yaml", {"queues": [queue]}))
    assert error.what == f"{key} is missing"
    assert error.where.startswith("q.yaml:")


def test_a_queue_without_a_type_is_refused(refused, write, queue):
    del queue["type"]
    assert refused(write("q.yaml", {"queues": [queue]})).what == "type is missing"


def test_numbers_in_quotes_are_not_converted(refused, write, queue):
    queue["quota_shares"][0]["borrow_limit"] = "50"
    error = refused(write("q.yaml", {"queues": [queue]}))
    assert error.what == '"50" stands where a whole number is expected'
    assert error.fix == "write 50 without quotes."


def test_a_file_of_two_forms_is_refused(refused, write, queue):
    error = refused(write("q.yaml", {"queues": [queue], "Resources": {}}))
    assert error.what == "the file fits two forms: CloudFormation template and sample repository form"
