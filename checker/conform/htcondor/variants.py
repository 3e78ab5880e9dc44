"""The ways in which a queue can be told to HTCondor: one that is meant to be right, one with gangs, and mistakes.

Each mistake is a configuration that somebody would write, or that HTCondor has by default. `htcondor:NAME` chooses one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....spec.formats.errors import listed, nearest
from ..backend import BackendError

NAME = "htcondor"


@dataclass(frozen=True)
class Variant:
    """One way."""

    name: str
    about: str
    partitionable: bool = False
    """One slot a group of machines, divided as jobs ask, instead of a slot a machine: jobs of several machines."""
    pslot_preemption: bool = True
    """ALLOW_PSLOT_PREEMPTION: whether a job may stop several others to get a divided slot's room back."""
    parents: bool = False
    """A group for each instance type, with the shares' groups below it, that takes no surplus."""
    ranked: bool = True
    """Whether the machine's RANK prefers the higher priority of its job's own share; else PREEMPTION_REQUIREMENTS."""
    weighted: bool = False
    """Whether surplus is divided by the weights of slots (HTCondor's default), into fractions of machines."""
    held: bool = False
    """Whether victims go on until they are let stop, however long that takes."""
    reused: bool = False
    """Whether a claim goes on to the next job of its submitter without the negotiator."""
    capped_in_share: bool = False
    """Whether a share may have a borrow limit that binds and in-share preemption at once."""


VARIANTS: Mapping[str, Variant] = {
    v.name: v
    for v in (
        Variant("", "a slot a machine, a group a share and type, the machine's RANK for priorities"),
        Variant("gangs", "divided slots, whose jobs may be preempted", partitionable=True, weighted=True),
        Variant("pslot", "divided slots with HTCondor's default, ALLOW_PSLOT_PREEMPTION = False", partitionable=True,
                weighted=True, pslot_preemption=False),
        Variant("parent-surplus", "a parent group for each type with GROUP_ACCEPT_SURPLUS = False", parents=True),
        Variant("one-user", "in-share priority by PREEMPTION_REQUIREMENTS, all jobs of a share of one user", ranked=False),
        Variant("weights", "surplus divided by slot weights, HTCondor's default", weighted=True),
        Variant("reuse", "a claim goes on to its submitter's next job, HTCondor's default", reused=True),
        Variant("slow-stops", "victims take longer to stop than the negotiator to look again", held=True),
        Variant("capped", "a ceiling for a share whose higher priorities may stop its lower ones", capped_in_share=True),
    )
}  # fmt: skip


def variant(text: str) -> Variant:
    """The variant of `htcondor[:VARIANT]`. Raises BackendError."""
    name = text.removeprefix(NAME).removeprefix(":")
    if name not in VARIANTS:
        near = nearest(name, VARIANTS)
        fix = (
            f"did you mean {NAME}:{near}?"
            if near
            else f"use {NAME}, or {NAME}: with {listed([v for v in VARIANTS if v])}."
        )
        raise BackendError(f"HTCondor has no variant {name!r}", why="A variant is one way to tell it a queue.", fix=fix)
    return VARIANTS[name]
