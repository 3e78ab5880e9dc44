"""Links that are known only after apply, followed through the configuration of a plan."""

from __future__ import annotations

import pytest
from quotaproof.spec.formats.terraform_links import Found, Links, heads, key_of, steps_of

from ...support.terraform import UNKNOWN, block, data, environment, plan, queue, resource, share, state

ARN = "awscc_batch_job_queue.x.job_queue_arn"


def refers(*references, **more):
    """The configuration of a share whose queue comes from `references`."""
    return {"resources": [block("share", job_queue=list(references), **more)]}


def linked(**values):
    return share(job_queue=UNKNOWN, **values)


def test_a_share_finds_its_queue_and_the_queue_its_environment_and_policy(read, write):
    order = [{"order": 1, "service_environment": UNKNOWN}]
    made = [
        linked(),
        queue(UNKNOWN, service_environment_order=order, scheduling_policy_arn=UNKNOWN),
        environment("other-se", at="other"),
        environment("right-se", at="right", capacity_limits=[{"capacity_unit": "ml.p5.48xlarge", "max_capacity": 7}]),
        resource("policy", "fifo", name="fifo", quota_share_policy={"idle_resource_assignment_strategy": "FIFO"}),
    ]
    of_queue = block(
        "queue",
        service_environment_order=["awscc_batch_service_environment.right.service_environment_arn"],
        scheduling_policy_arn=["awscc_batch_scheduling_policy.fifo.arn", "awscc_batch_scheduling_policy.fifo"],
    )
    configuration = refers(ARN, "awscc_batch_job_queue.x")
    configuration["resources"].append(of_queue)
    loaded = read(write("plan.json", plan(*made, configuration=configuration)))
    assert loaded.config.job_queue_name == "x"
    assert loaded.config.environment.capacity == {"ml.p5.48xlarge": 7}
    assert loaded.left_out == ("plan.json: environment other-se is not the one of x",)


def test_a_fairshare_policy_is_found_behind_a_link(refused, write):
    made = [linked(), queue(scheduling_policy_arn=UNKNOWN),
            resource("policy", "fair", name="fair", fairshare_policy={"share_decay_seconds": 1})]  # fmt: skip
    configuration = refers(ARN)
    configuration["resources"].append(block("queue", scheduling_policy_arn=["awscc_batch_scheduling_policy.fair.arn"]))
    error = refused(write("plan.json", plan(*made, configuration=configuration)))
    assert "fairsharePolicy" in error.what


def test_a_policy_that_cannot_be_followed_is_said(read, write):
    made = [share(), queue(scheduling_policy_arn=UNKNOWN), environment()]
    configuration = {"resources": [block("queue", scheduling_policy_arn=["local.policy"])]}
    loaded = read(write("plan.json", plan(*made, configuration=configuration)))
    assert "which scheduling policy research has" in loaded.notes[0]
    assert "local.policy" in loaded.notes[0]


def test_what_the_configuration_does_not_set_is_no_link(read, write):
    made = queue(service_environment_order=UNKNOWN, scheduling_policy_arn=UNKNOWN, compute_environment_order=UNKNOWN)
    loaded = read(write("plan.json", plan(made, share(), configuration={"resources": [block("queue")]})))
    assert loaded.notes == (
        "no environment is given for research: its capacity is taken as the sum of the shares' limits",
    )


def test_an_order_that_is_wholly_unknown_is_followed(read, write):
    configuration = {
        "resources": [block("queue", service_environment_order=["awscc_batch_service_environment.x"])],
    }
    for order in (UNKNOWN, [UNKNOWN]):
        made = [queue(service_environment_order=order), share(), environment("its-se")]
        loaded = read(write("plan.json", plan(*made, configuration=configuration)))
        assert loaded.config.environment.service_environment_name == "its-se"
        assert not loaded.notes


@pytest.mark.parametrize("referred", [["local.environments"], ["awscc_batch_service_environment.gone"]])
def test_an_environment_that_cannot_be_followed_is_refused(refused, write, referred):
    made = [queue(service_environment_order=[{"order": 1, "service_environment": UNKNOWN}]), share(), environment()]
    configuration = {"resources": [block("queue", service_environment_order=referred)]}
    error = refused(write("plan.json", plan(*made, configuration=configuration)))
    assert error.what == "which service environment awscc_batch_job_queue.x has is known only after apply"
    assert "service_environment_name" in error.fix


def test_a_variable_leads_up_to_the_call_of_the_module(read, write):
    made = [linked(module="module.a.module.b"), queue(UNKNOWN)]
    inner = {"module": refers("var.inner"), "expressions": {"inner": {"references": ["var.outer"]}}}
    outer = {"module": {"module_calls": {"b": inner}}, "expressions": {"outer": {"references": [ARN]}}}
    loaded = read(write("plan.json", plan(*made, configuration={"module_calls": {"a": outer}})))
    assert [s.name for s in loaded.config.shares] == ["vision"]


def test_an_output_leads_down_into_the_module(read, write):
    made = [linked(), queue(UNKNOWN, at="q", module="module.a.module.b")]
    deep = {"module": {"outputs": {"arn": {"expression": {"references": ["awscc_batch_job_queue.q.job_queue_arn"]}}}}}
    passed = {"expression": {"references": ["module.b.arn", "module.b"]}}
    above = {"module": {"module_calls": {"b": deep}, "outputs": {"queue": passed}}}
    configuration = {**refers("module.a.queue", "module.a"), "module_calls": {"a": above}}
    assert read(write("plan.json", plan(*made, configuration=configuration))).config.job_queue_name == "a-b-q"


def test_an_output_of_one_instance_of_a_module_is_told_by_its_key(read, refused, write):
    made = [linked(), *(queue(UNKNOWN, module=f'module.a["{key}"]') for key in ("red.x", "blue"))]
    call = {"module": {"outputs": {"arn": {"expression": {"references": [ARN]}}}}}

    def reading(*references):
        return write("plan.json", plan(*made, configuration={**refers(*references), "module_calls": {"a": call}}))

    loaded = read(reading('module.a["red.x"].arn', 'module.a["red.x"]'), queue="a-red-x-x")
    assert [s.name for s in loaded.config.shares] == ["vision"]
    error = refused(reading("module.a", "each.key"), queue="a-blue-x")
    assert error.what.startswith("which queue awscc_batch_quota_share.x has")
    chosen = refused(reading("module.a.arn"))
    assert 'any of module.a["red.x"].awscc_batch_job_queue.x, module.a["blue"]' in chosen.why


def test_a_module_that_only_passes_on_is_followed(read, write):
    made = [linked(), queue(UNKNOWN)]
    call = {
        "module": {"outputs": {"same": {"expression": {"references": ["var.arn"]}}}},
        "expressions": {"arn": {"references": [ARN]}},
    }
    configuration = {**refers("module.relay.same", "module.relay"), "module_calls": {"relay": call}}
    assert read(write("plan.json", plan(*made, configuration=configuration))).config.job_queue_name == "x"


def test_an_instance_is_told_by_its_key(read, write):
    made = [linked(), queue("first", index=0), queue("second", index=1)]
    references = ["awscc_batch_job_queue.x[1].job_queue_arn", "awscc_batch_job_queue.x[1]", "awscc_batch_job_queue.x"]
    loaded = read(write("plan.json", plan(*made, configuration=refers(*references))), queue="second")
    assert [s.name for s in loaded.config.shares] == ["vision"]


def test_the_only_instance_needs_no_key(read, write):
    made = [linked(), queue("first", index="a")]
    path = write("plan.json", plan(*made, configuration=refers("awscc_batch_job_queue.x", "each.key")))
    assert read(path).config.job_queue_name == "first"


def test_several_instances_are_refused_by_name(refused, write):
    made = [linked(index="a"), queue("first", index="a"), queue("second", index="b")]
    error = refused(write("plan.json", plan(*made, configuration=refers("awscc_batch_job_queue.x", "each.key"))))
    assert error.what == 'which queue awscc_batch_quota_share.x["a"] has is known only after apply'
    assert 'awscc_batch_job_queue.x["a"], awscc_batch_job_queue.x["b"]' in error.why
    assert "refer to its job_queue_name, which a plan knows" in error.fix
    assert error.where.startswith("plan.json:")
    assert error.where.endswith("job_queue")


def test_each_value_leads_to_what_for_each_runs_over(read, write):
    made = [linked(index="k"), queue()]
    configuration = {"resources": [block("share", for_each=[ARN], job_queue=["each.value"])]}
    assert read(write("plan.json", plan(*made, configuration=configuration))).config.job_queue_name == "research"


@pytest.mark.parametrize(
    ("references", "why"),
    [
        (["local.queue"], "It comes from local.queue, and local values are not in Terraform's JSON."),
        (["terraform_data.q.output"], "It comes from terraform_data.q.output."),
        (["each.key", "count.index", "path.module"], "The plan's configuration has no expression for it."),
        (["var.of_the_root"], "The plan's configuration has no expression for it."),
        ([], "The plan's configuration has no expression for it."),
    ],
)
def test_a_queue_that_cannot_be_followed_is_refused_with_the_reason(refused, write, references, why):
    error = refused(write("plan.json", plan(linked(), queue(), configuration=refers(*references))))
    assert error.why == why


def test_what_stands_beside_a_link_and_cannot_be_followed_is_said(read, write):
    configuration = refers(ARN, "local.suffix", "terraform_data.n.output")
    loaded = read(write("plan.json", plan(linked(), queue(), environment(), configuration=configuration)))
    assert loaded.notes == (
        "plan.json: not followed, because Terraform's JSON lacks it: local.suffix, terraform_data.n.output in job_queue "
        "of vision",
    )


def test_data_that_was_read_already_is_nothing_unknown(read, write):
    made = data("queue", "other")
    document = plan(linked(), queue(), environment(), prior=[made], actions={made["address"]: ["read"]},
                    configuration=refers(ARN, "data.awscc_batch_job_queue.other.id"))  # fmt: skip
    assert not read(write("plan.json", document)).notes


def test_a_renamed_queue_keeps_its_shares(read, write):
    """The prior value of the link would lead to the queue that the plan destroys."""
    made = [linked(), queue("new")]
    document = plan(*made, prior=[share(job_queue="old"), queue("old")], configuration=refers(ARN),
                    actions={r["address"]: ["delete", "create"] for r in made})  # fmt: skip
    assert read(write("plan.json", document)).config.job_queue_name == "new"


def test_references_in_a_circle_come_to_an_end(refused, write):
    call = {
        "module": {"outputs": {"o": {"expression": {"references": ["var.v"]}}}},
        "expressions": {"v": {"references": ["module.m.o", "module.m"]}},
    }
    configuration = {**refers("module.m.o"), "module_calls": {"m": call}}
    error = refused(write("plan.json", plan(linked(), queue(), configuration=configuration)))
    assert error.why == "The plan's configuration has no expression for it."


def test_shortened_references_are_left_out():
    listed = ['a.b["k"].c', 'a.b["k"]', "a.b", "a.b", "each.key", "a.b"]
    assert list(heads(listed)) == ['a.b["k"].c', "a.b", "each.key", "a.b"]


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("t.n", ((), "t", "n", "")),
        ("t.n[0]", ((), "t", "n", "[0]")),
        (r't.n["u.\"w"]', ((), "t", "n", r'["u.\"w"]')),
        ('module.a["x.module.y"].module.b[1].t.n', ((("a", '["x.module.y"]'), ("b", "[1]")), "t", "n", "")),
        ("data.t.n", ((), "data.t", "n", "")),
        ("module.a", ((("a", ""),), "", "", "")),
        ("", ((), "", "", "")),
    ],
)
def test_addresses_are_taken_apart(address, key):
    assert key_of(address) == key
    assert steps_of(address) == key[0]


@pytest.mark.parametrize("configuration", [None, [], {"root_module": 3}, {"root_module": {"resources": 3}},
                                           {"root_module": {"resources": [None, {"expressions": []}]}}])  # fmt: skip
def test_a_configuration_of_another_form_leads_nowhere(configuration):
    assert Links(configuration, {"t.n": "t"}, []).follow("t.n", "a", "t") == Found()


def test_a_local_value_beside_a_prior_one_is_said(read, write):
    config = {"resources": [block("share", resource_sharing_configuration=["local.sharing"])]}
    open_ = {"strategy": "LEND_AND_BORROW", "borrow_limit": UNKNOWN}
    document = plan(share(resource_sharing_configuration=open_), prior=[share()], configuration=config,
                    actions={share()["address"]: ["update"]})  # fmt: skip
    loaded = read(write("plan.json", document))
    assert loaded.config.share("vision").borrow_limit == 50
    assert any("not followed" in note and "local.sharing" in note for note in loaded.notes)


@pytest.mark.parametrize("kind", ["awscc_batch_quotashare", "aws_batch_quota_share", "awscc_batch_quota_shares"])
def test_resources_that_may_be_shares_of_another_version_are_said(read, write, kind):
    loaded = read(write("state.json", state(share(), resource(kind, "y"))))
    assert loaded.left_out == (f"state.json: of types that this version does not know: {kind}.y",)
    assert read(write("state.json", state(share(), resource("awscc_batch_job_definition", "y")))).left_out == ()


@pytest.mark.parametrize("version", ["2.0", "9.9", 1, "x"])
def test_a_form_of_a_later_version_is_refused(refused, write, version):
    error = refused(write("state.json", {**state(share()), "format_version": version}))
    assert "of the form is not known" in error.what
    assert error.where.startswith("state.json:2")
