"""An administrator who opens a folder that was kept finds which part of slurm.conf is his share's."""

from __future__ import annotations

import re

import pytest
from quotaproof.checker.conform.slurm.backend import MAPPINGS
from quotaproof.checker.conform.slurm.layout import Layout
from quotaproof.checker.conform.slurm.legend import header, readme
from quotaproof.checker.conform.slurm.nodes import Nodes
from quotaproof.checker.conform.slurm.pool import Pool
from quotaproof.checker.conform.slurm.spill import Spill
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario

from tests.support.queues import queue, share

QUEUE = queue(
    {"gpu": 4}, share("nlp", {"gpu": 2}, "LEND"), share("vision", {"gpu": 2}, "LEND_AND_BORROW", 50, in_share=True)
)


def layout(kind: type[Layout], lane: str = "l0w1", name: str = "first") -> Layout:
    return kind(lane, Scenario(name, "", QUEUE, (ev.Submit("x", "vision", {"gpu": 1}, 7, None),)), ("gpu",))


def of(share_name: str, text: str) -> list[str]:
    """What is said of a share, the spaces between words apart."""
    part = re.split(r"\n\s*(?:share|lane) |\n\n", text.split(f"share {share_name} ")[1])[0]
    return [" ".join(line.split()) for line in part.splitlines()[1:]]


def test_node_partitions_by_priority_and_licences_are_named() -> None:
    said = readme([layout(Nodes)])
    assert "GRES u0: gpu\n" in said
    assert "lane l0w1: scenario first\n" in said
    assert of("nlp", said) == ["node l0w1n0", "own partition l0w1o0p1, jobs of priority 7",
                               "own partition l0w1o0p0, jobs of priority 0", "jobs none"]  # fmt: skip
    assert of("vision", said)[3:] == [
        "on loan partition l0w1b1, on l0w1n0",
        "licence l0w1c1u0, 3 of them, for each machine of gpu: limit and borrow limit together",
        "jobs x",
    ]


def test_what_accounting_limits_is_named_where_a_mapping_has_it() -> None:
    assert of("vision", readme([layout(Spill)]))[-2] == "QOS l0w1b1, of its partition on loan: the borrow limit"
    assert of("vision", readme([layout(Pool)])) == [
        "node l0w1pool, with all that lend",
        "own jobs partition and QOS l0w1o1",
        "on loan partition and QOS l0w1b1",
        "account l0w1a1",
        "GRES o1u0, 2 of them, for each machine of its own jobs: the limit",
        "GRES t1u0, 3 of them, for each machine of all its jobs: limit and borrow limit together",
        "jobs x",
    ]


@pytest.mark.parametrize("kind", MAPPINGS.values())
def test_every_name_in_the_configuration_is_explained(kind: type[Layout]) -> None:
    lanes = [layout(kind), layout(kind, "l1w1", "second")]
    said = readme(lanes)
    for made in lanes:
        names = [node for node, _ in made.nodes()]
        names += [text.split()[0].removeprefix("PartitionName=") for text in made.partitions()]
        names += [name for name, _ in made.licences()]
        assert [name for name in names if not re.search(rf"\b{name}\b", said)] == []
    assert "\nghost " in said
    assert "\nrounds " in said


def test_in_slurm_conf_it_is_comments_whatever_a_scenario_is_called() -> None:
    lines = list(header([layout(Nodes, name="two\nlines \\")]))
    assert all(line.startswith("#") and not line.endswith("\\") for line in lines)
    assert "# lane l0w1: scenario two lines" in lines
