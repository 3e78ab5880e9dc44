"""Profiles: what a scheduler of one kind must be able to do, must keep, and may choose. Data, declared before a run.

A *core* feature belongs to every scheduler of the profile: a backend that lacks one is conformant in part at most. An
*extended* one may be left out; a run says which were. A guarantee that is required and never came up has not been kept:
it is undecided, and so is the run.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ...spec.formats.errors import InputError, listed, nearest
from ...spec.formats.scenario import Scenario
from ...spec.readings import READINGS
from ...spec.rules.guarantees import GUARANTEES
from .backend import Declaration
from .features import FEATURES, checked, needs
from .sometimes import GOALS


@dataclass(frozen=True)
class Required:
    """When a guarantee must come up in a run. It always must be kept."""

    features: frozenset[str] = frozenset()
    """Features without which it cannot come up."""
    claims: bool = False
    """Whether it comes up only where traces name claims."""
    unless: str = ""
    """Of a guarantee that need not come up: what a scheduler may do so that it never does."""


@dataclass(frozen=True)
class Profile:
    """One kind of scheduler."""

    name: str
    about: str
    core: tuple[str, ...]
    extended: tuple[str, ...]
    guarantees: Mapping[str, Required]
    readings: Mapping[str, tuple[str, ...]]
    """What a backend may declare: reading -> choices. Of every other modelled reading it takes the default."""
    goals: tuple[str, ...]
    """Of `sometimes.GOALS`: what must have happened in a run."""
    response: float = 8.0
    """Seconds that a scheduler in real time has for what it owes: an owner its machines, a head that fits its start."""

    def is_core(self, scenario: Scenario) -> bool:
        """Whether every scheduler of the profile must be able to run it."""
        return needs(scenario) <= frozenset(self.core)

    def required(self, declared: Declaration) -> tuple[str, ...]:
        """The guarantees that must come up in a run of a backend that declares this."""
        has = frozenset(FEATURES) if declared.features is None else declared.features
        return tuple(
            code
            for code, r in self.guarantees.items()
            if r.features <= has and (declared.claims or not r.claims) and not r.unless
        )

    def never_came_up(self, declared: Declaration, exercised: Mapping[str, int]) -> tuple[str, ...]:
        """Required guarantees that a run says nothing about. `exercised`: guarantee -> how often it came up."""
        return tuple(code for code in self.required(declared) if not exercised.get(code))

    def asked_for(self, declared: Declaration) -> list[str]:
        """The goals that a run of this backend has to reach."""
        has = frozenset(FEATURES) if declared.features is None else declared.features
        return [name for name in self.goals if GOALS[name].needs <= has]

    def check(self, declared: Declaration, *, where: str) -> None:
        """Raise InputError for a declaration that names what is not known, or chooses what the profile does not allow."""
        checked(declared.features or (), where=where)
        _check_capacity(declared, where)
        for code, choice in declared.choices.items():
            if code not in READINGS:
                near = nearest(code, READINGS)
                fix = f"did you mean {near}?" if near else "`quotaproof explain readings` lists them."
                raise InputError(f"there is no reading {code!r}", where=where, why="A choice answers a known question.",
                                 fix=fix)  # fmt: skip
            allowed = dict.fromkeys(c for c in (READINGS[code].default, *self.readings.get(code, ())) if c)
            if choice not in allowed:
                fix = f"declare {' or '.join(f'{code}={c}' for c in allowed)}." if allowed else "leave it out."
                raise InputError(f"the profile {self.name} does not allow {code}={choice}", where=where,
                                 why=f"{READINGS[code].question}: {READINGS[code].favoured}.", fix=fix)  # fmt: skip

    def lacks(self, features: Collection[str] | None) -> tuple[str, ...]:
        """Core features that a backend has not declared: it is conformant in part at most."""
        return () if features is None else tuple(f for f in self.core if f not in features)


def _check_capacity(declared: Declaration, where: str) -> None:
    if declared.capacity == "per-lender" and declared.claims:
        raise InputError("capacity is per lender and claims are told", where=where,
                         why="A claim on one lender's machines is judged by its stops, each for its claimant.",
                         fix="declare no claims, and tell each stop with its claimant.")  # fmt: skip
    if declared.capacity == "per-lender" and (declared.features is None or "overcommitment" in declared.features):
        raise InputError("capacity is per lender and the feature overcommitment is declared", where=where,
                         why="Where every machine belongs to a share the limits cannot add up to more than there are.",
                         fix="list the features, and leave overcommitment out.")  # fmt: skip


_BORROWING = frozenset({"borrowing"})
_IN_SHARE = frozenset({"in-share-preemption", "priorities"})

_GUARANTEES: Mapping[str, Required] = {
    **{code: Required() for code in ("G1", "G2", "G4", "G9", "G10", "G12", "G13", "G15", "G16")},
    "G3": Required(_BORROWING),
    "G5x": Required(_BORROWING),
    "G5s": Required(_IN_SHARE),
    "G6": Required(_BORROWING),
    "G6+": Required(_BORROWING, claims=True),
    "G7": Required(_BORROWING, claims=True),
    "G8": Required(_BORROWING, unless="it always serves owners, and claims for them, before anybody borrows"),
    "G11": Required(_BORROWING),
    "G14": Required(_BORROWING, claims=True),
    "G17": Required(_BORROWING | {"limit-changes"}, claims=True),
    "G18": Required(_BORROWING),
    "G19": Required(frozenset({"share-deletion"})),
    "G20": Required(_BORROWING),
    "G21": Required(_IN_SHARE),
}

AWS_BATCH = Profile(
    name="aws-batch",
    about="AWS Batch quota shares: what AWS documents of a job queue with quota management.",
    core=("borrowing", "gangs", "several-units", "priorities", "priority-updates", "in-share-preemption", "retries",
          "terminations", "timed-stops", "limit-changes", "sharing-changes", "share-states", "environment-changes"),
    extended=("mixed-jobs", "unlisted-units", "overcommitment", "early-ends", "stages", "returns", "in-share-changes",
              "share-creation", "share-deletion", "environment-states", "queue-states"),
    guarantees={code: _GUARANTEES[code] for code in GUARANTEES},
    readings={
        "A4": ("nothing", "unlimited"),
        "A5": ("owners", "void", "borrowable"),
        "A9": ("resets", "keeps"),
        "A13": ("b", "a"),
        "A16": ("head", "created"),
        "A16b": ("skip", "strict"),
        "A17": ("creation", "name", "newest"),
        "A20": ("created", "newest"),
        "A21": ("created", "requeued"),
        "A26": ("priority", "borrowed", "oldest"),
        "A28": ("all-or-nothing", "minimal"),
        "A30": ("reclaim", "in-share"),
        "A31": ("inherit", "own"),
        "A33": ("triggers", "ignored"),
        "A34": ("succeeded", "requeued", "failed"),
        "A38": ("yes", "no"),
        "A47": ("yes", "no"),
        "A48": ("lent", "void"),
        "A50": ("reclaims", "waits"),
        "A51": ("environment", "share"),
        "A52": ("blocks", "skipped"),
        "A54": ("keeps", "requeued"),
        "A59": ("yes", "no"),
    },
    goals=("borrowed", "gang", "reclaimed", "in-share", "ran-again", "waited", "retries-used-up", "drained-apart",
           "owner-first", "over-limit"),
)  # fmt: skip
"""Not to be declared: what AWS's text or its walkthrough decides (A8, A23, A46), and what takes a promise away from
everybody (A15 no, A18 backfill, A24 b, A28 greedy, A58 freed)."""

LEND_BORROW = Profile(
    name="lend-borrow",
    about="Any scheduler whose shares lend what they leave idle, borrow within caps, and take their own back, such as a real "
    "cluster's: guarantees, reclaim, caps, no needless preemption and priority within a share.",
    core=("borrowing", "several-units", "priorities", "in-share-preemption", "terminations", "timed-stops"),
    extended=("gangs", "mixed-jobs", "unlisted-units", "overcommitment", "priority-updates", "retries", "early-ends", "stages",
              "returns", "limit-changes", "sharing-changes", "in-share-changes", "share-states", "share-creation",
              "share-deletion", "environment-changes", "environment-states", "queue-states"),
    guarantees=AWS_BATCH.guarantees,
    readings=AWS_BATCH.readings,
    goals=AWS_BATCH.goals,
)  # fmt: skip
"""Real schedulers differ in what may be declared, and in `Declaration.capacity`. Backfill (A18) is nobody's to choose."""

PROFILES: Mapping[str, Profile] = {p.name: p for p in (AWS_BATCH, LEND_BORROW)}


def asked_of(declared: Declaration, name: str, *, where: str, option: str = "--profile") -> Profile:
    """The profile of that name; without one that which the backend is made for, else aws-batch. Raises InputError for one
    that does not exist, and for a declaration that it does not allow."""
    named = profile(name, where=option) if name else profile(declared.profile or AWS_BATCH.name, where=where)
    try:
        named.check(declared, where=where)
    except InputError as error:
        if not name or declared.profile in ("", name):
            raise
        profile(declared.profile, where=where).check(declared, where=where)
        raise InputError(error.what, where=where, why=f"{declared.name} is made for the profile {declared.profile}.",
                         fix=f"leave {option} out: it is judged by {declared.profile} then.") from None  # fmt: skip
    return named


def profile(name: str, *, where: str = "--profile") -> Profile:
    """The profile of that name. Raises InputError with the nearest one."""
    if name not in PROFILES:
        near = nearest(name, PROFILES)
        raise InputError(f"there is no profile {name!r}", where=where,
                         why="A profile says which features are core and which promises must come up.",
                         fix=f"did you mean {near}?" if near else f"use {listed(PROFILES)}.")  # fmt: skip
    return PROFILES[name]
