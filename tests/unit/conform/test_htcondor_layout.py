"""How a queue is told to HTCondor: machines, groups, ceilings, and what cannot be told."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from quotaproof.checker.conform.backend import BackendError
from quotaproof.checker.conform.htcondor.backend import features
from quotaproof.checker.conform.htcondor.layout import Layout, Part
from quotaproof.checker.conform.htcondor.variants import VARIANTS, variant
from quotaproof.checker.conform.opening import opened
from quotaproof.checker.conform.real.cluster import CannotExpress
from quotaproof.spec import events as ev
from quotaproof.spec.formats import json_text
from quotaproof.spec.formats.scenario import Step
from quotaproof.spec.formats.scenario_text import read


def layout(shares: list[dict[str, object]], capacity: dict[str, int], *steps: Step, way: str = "") -> Layout:
    form = {"quotaproof": 1, "queue": "q", "environment": capacity, "shares": shares}
    text = json.dumps({"scenario": 1, "queue": form, "steps": []})
    return Layout(replace(read(json_text.parse("s.json", text)), steps=steps), VARIANTS[way])


def share(name: str, limits: dict[str, int], strategy: str, **more: object) -> dict[str, object]:
    return {"name": name, "limits": limits, "strategy": strategy, "inSharePreemption": False, **more}


KEPT = share("kept", {"g": 2}, "RESERVE")
LENT = share("lent", {"g": 2}, "LEND")
FREE = share("free", {"g": 2, "h": 1}, "LEND_AND_BORROW")


def test_reserve_has_machines_of_its_own_and_the_rest_is_pooled():
    queue = layout([KEPT, LENT, FREE], {"g": 7, "h": 1})
    assert queue.parts == (Part("g", "kept", 2), Part("g", "", 5), Part("h", "", 1))
    assert queue.slots == 8
    assert "Part = ifThenElse(SlotID <= 2, 0, ifThenElse(SlotID <= 7, 1, ifThenElse(SlotID <= 8, 2, -2)))" in lines(
        queue
    )


def test_reserve_takes_no_more_machines_than_there_are():
    assert layout([KEPT, LENT], {"g": 1}).parts == (Part("g", "kept", 1),)


def test_a_limit_is_a_quota_and_only_who_may_borrow_accepts_surplus():
    told = lines(layout([LENT, FREE, share("none", {"g": 1}, "LEND_AND_BORROW", borrowLimit=0)], {"g": 5, "h": 1}))
    assert "GROUP_NAMES = u0_s0, u0_s1, u1_s1, u0_s2" in told
    assert "GROUP_QUOTA_u0_s0 = 2" in told
    assert [line for line in told if line.startswith("GROUP_ACCEPT_SURPLUS") and line.endswith("True")] == [
        "GROUP_ACCEPT_SURPLUS_u0_s1 = True",
        "GROUP_ACCEPT_SURPLUS_u1_s1 = True",
    ]


def test_a_borrow_limit_is_a_ceiling_rounded_down():
    half = share("half", {"g": 3}, "LEND_AND_BORROW", borrowLimit=50)
    assert list(layout([half, LENT, FREE], {"g": 7, "h": 1}).ceilings()) == [("u0_s0.q@local", 4)]


def test_a_job_says_its_group_machines_priority_and_name():
    told = layout([KEPT, FREE], {"g": 4, "h": 1}).job(ev.Submit("j", "free", {"h": 1}, priority=7), "/job", "/pipe")
    for line in ("accounting_group = u1_s1", "priority = 7", "+Part = 2", '+JobName = "j"', "request_cpus = 1"):
        assert line in told.splitlines()


def test_a_job_without_machines_fits_nowhere():
    told = layout([KEPT], {"g": 0}).job(ev.Submit("j", "kept", {"g": 1}), "/job", "/pipe")
    assert "+Part = -1" in told.splitlines()


def test_divided_slots_are_one_for_each_kind_of_machine():
    queue = layout([KEPT, LENT], {"g": 6}, way="gangs")
    assert queue.slots == 2
    assert {"SLOT_TYPE_2 = cpus=4,memory=400", "SLOT_TYPE_2_PARTITIONABLE = True"} <= set(lines(queue))


@pytest.mark.parametrize(
    ("way", "line"),
    [
        ("gangs", "ALLOW_PSLOT_PREEMPTION = True"),
        ("parent-surplus", "GROUP_ACCEPT_SURPLUS_u0 = False"),
        ("one-user", "RANK = 0"),
        ("weights", "NEGOTIATOR_USE_SLOT_WEIGHTS = True"),
    ],
)
def test_each_mistake_is_one_line_of_configuration(way: str, line: str):
    assert line in lines(layout([LENT], {"g": 2}, way=way))
    assert line not in lines(layout([LENT], {"g": 2}))


def test_jobs_on_divided_slots_are_preempted_only_where_it_says_so():
    assert "ALLOW_PSLOT_PREEMPTION = False" in lines(layout([LENT], {"g": 2}, way="pslot"))


def test_a_ceiling_that_binds_and_in_share_preemption_cannot_be_told_together():
    both = share("both", {"g": 1}, "LEND_AND_BORROW", borrowLimit=100, inSharePreemption=True)
    with pytest.raises(CannotExpress, match="both may use 2 of 3 g"):
        layout([both, LENT], {"g": 3}).check()
    assert layout([both, LENT], {"g": 2}).check(), "a ceiling of all machines never binds"
    assert layout([both, LENT], {"g": 3}, way="capped").check()


def test_a_share_that_asks_for_two_types_cannot_be_told():
    two = (ev.Submit("a", "free", {"g": 1}), ev.Submit("b", "free", {"h": 1}))
    with pytest.raises(CannotExpress, match="free asks for g, h"):
        layout([FREE], {"g": 2, "h": 1}, *two).check()


def test_too_many_machines_are_refused():
    with pytest.raises(CannotExpress, match="161 machines"):
        layout([LENT], {"g": 161}).check()


def test_what_is_told_in_other_terms_is_a_loss():
    said = " ".join(
        loss.what
        for loss in layout([KEPT, share("half", {"g": 3}, "LEND_AND_BORROW", borrowLimit=50)], {"g": 9}).check()
    )
    assert "RESERVE" in said
    assert "borrow limit" in said


def test_features_are_what_the_variant_can_do():
    assert "gangs" not in features(VARIANTS[""])
    assert features(VARIANTS["gangs"]) >= {"gangs"}
    assert "in-share-preemption" not in features(VARIANTS["gangs"])
    assert [name for name in VARIANTS if "timed-stops" in features(VARIANTS[name])] == ["slow-stops"]


def test_a_claim_is_for_one_job_unless_claims_are_reused():
    assert "CLAIM_WORKLIFE = 0" in lines(layout([LENT], {"g": 2}))
    assert "CLAIM_WORKLIFE = 1200" in lines(layout([LENT], {"g": 2}, way="reuse"))


def test_an_unknown_variant_is_told_with_the_nearest():
    with pytest.raises(BackendError) as error:
        opened("htcondor:slow-stop")
    assert error.value.fix == "did you mean htcondor:slow-stops?"
    assert variant("htcondor") is VARIANTS[""]


def lines(queue: Layout) -> list[str]:
    return queue.configuration().splitlines()
