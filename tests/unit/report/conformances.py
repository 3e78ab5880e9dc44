"""Streams of `conform` to report on, and random events of it; made by hand, without a backend."""

from __future__ import annotations

from hypothesis import strategies as st
from quotaproof.checker.conformed import Again, Declared, Lost, Tried
from quotaproof.checker.results import Began, Ended, Event, Result, Verdict

from .samples import HOSTILE

DECLARED = Declared(
    "cmd:node scheduler.js", "fair", "2.1", "aws-batch", core=("borrowing", "gangs"), extended=("returns", "stages"),
    missing=("stages",), choices={"A26": "oldest"}, claims=True, issue_url="https://example.org/issues",
)  # fmt: skip
CORPUS = Tried("corpus", 61, 61, 0, 0, 0, 2_440, 0.25)
CAMPAIGN = Tried("campaign", 12_400, 12_400, 0, 0, 0, 620_000, 30.0, 7, 400, "2 processes")
SAME = Again("the same scenarios", "quotaproof conform 'cmd:node scheduler.js' --seed 7 --examples 12400")


def conformant() -> list[Event]:
    """A backend that keeps everything; an extended feature is missing."""
    return [
        Began("conform", "fair 2.1", assumed={"A26": "oldest"}),
        DECLARED,
        Result("PROFILE", Verdict.HOLDS_HERE, "every core feature is declared"),
        Result("SCENARIO", Verdict.HOLDS_HERE, "core, 40 events", "the-walkthrough"),
        Result(
            "SCENARIO",
            Verdict.NOT_APPLICABLE,
            "extended, skipped: it needs stages",
            "stopped-in-every-stage",
            skipped=True,
            seconds=0.001,
        ),
        CORPUS,
        CAMPAIGN,
        Result("CAMPAIGN", Verdict.HOLDS_HERE, "no promise broken in 12400 generated scenarios"),
        Result("G1", Verdict.KEPT, "kept 41,870 times", count=41_870),
        Result("G14", Verdict.KEPT, "kept 1,203 times", count=1_203),
        Result("G19", Verdict.NEVER_CAME_UP, "it never came up"),
        Result("GOAL", Verdict.HOLDS_HERE, "first in the-walkthrough", "borrowed"),
        SAME,
        Ended(30.4),
    ]


def failing() -> list[Event]:
    """A backend with everything that can be said of one, and with a hostile name."""
    shown = "conform/G14-0a1b2c3d.json"
    return [
        Began("conform", f"wrong {HOSTILE}"),
        Declared(f"cmd:{HOSTILE}", f"wrong {HOSTILE}", profile="aws-batch", core=("borrowing", "gangs"),
                 missing=("gangs",), own_time=True),
        Result("PROFILE", Verdict.UNKNOWN, "core features that it does not have: gangs"),
        Result("SCENARIO", Verdict.HOLDS_HERE, "core, 40 events", "the-walkthrough"),
        Result("SCENARIO", Verdict.BROKEN_HERE, f"{HOSTILE} waits: {HOSTILE} is the entitled head of a", HOSTILE,
               witness="conform/own-back.json"),
        Result("SCENARIO", Verdict.UNKNOWN, "core, skipped: it needs gangs", "a-gang-waits-whole",
               skipped=True, seconds=0.001),
        Result("SCENARIO", Verdict.UNKNOWN, "hangs: no answer within 10 s", "the-last-one-returns",
               more=("its standard error ends:", "  waiting", "Fix: allow more time if it only is slow.")),
        Tried("corpus", 4, 1, 1, 1, 1, 92, 10.5),
        Tried("campaign", 400, 350, 40, 0, 10, 16_000, 20.0, 7, 0, "in this process"),
        Result("CAMPAIGN", Verdict.UNKNOWN, "10 generated scenarios, the first (number 31) went wrong: it ended",
               "exited", more=("Fix: read on until `stop`.",), count=10),
        Result("G1", Verdict.KEPT, "kept 770 times", count=770),
        Result("G14", Verdict.BROKEN_HERE, f"41 of 404 scenarios break it; the shortest: {HOSTILE} waits",
               witness=shown, more=("Another: b waits (conform/G14-00000000.json)",), count=41),
        Result("G7", Verdict.UNKNOWN, "1 scenario that checks it did not run to an end"),
        Result("G16", Verdict.UNKNOWN, "it never came up, and the profile requires that it does"),
        Result("GOAL", Verdict.UNKNOWN, "never happened in the corpus: A share borrowed.", "borrowed"),
        Result("FLAKE", Verdict.UNKNOWN, f"G6 broken in 1 of 5 runs: preempt {HOSTILE}: b lacks nothing", HOSTILE,
               witness="conform/flake.json"),
        Lost(f"which borrower has waited longest in {HOSTILE}", "Slurm's own order", 3, HOSTILE),
        Again("the same scenarios", f"quotaproof conform 'cmd:{HOSTILE}' --seed 7 --examples 400"),
        Again("G14", f"quotaproof replay quotaproof-out/{shown}"),
        Ended(30.7),
    ]  # fmt: skip


def partial() -> list[Event]:
    """A backend that broke nothing and did not run everything."""
    return [
        *failing()[:2],
        *(e for e in failing()[2:] if not isinstance(e, Result) or e.verdict is not Verdict.BROKEN_HERE),
    ]


def again(verdict: Verdict, why: str) -> list[Event]:
    """A `replay` of a failure that was kept, on its backend."""
    about = "found in cmd:node x.js, which broke G14; run by cmd:node x.js"
    return [Began("replay", "G14-0a1b2c3d", about=about), Result("G14", verdict, why, count=1), Ended(0.1)]


def about_conformance(names: st.SearchStrategy[str]) -> st.SearchStrategy[list[Event]]:
    """What stands beside the results: any of it may be missing."""
    sizes = st.integers(0, 2000)
    features = st.lists(names, max_size=2).map(tuple)
    declared = st.builds(
        Declared, names, names, names, names, features, features, features,
        st.sampled_from([{}, {"A26": "oldest"}]), st.booleans(), st.booleans(), st.sampled_from(["pooled", "per-lender"]),
        names,
    )  # fmt: skip
    tried = st.builds(
        Tried, st.sampled_from(["corpus", "known failures", "campaign"]), sizes, sizes, sizes, sizes, sizes, sizes,
        st.floats(0, 100), st.one_of(st.none(), sizes), sizes, names, sizes,
    )  # fmt: skip
    lost = st.builds(Lost, names, names, sizes, names)
    return st.builds(
        lambda *parts: [e for part in parts for e in part],
        st.lists(declared, max_size=1), st.lists(tried, max_size=2), st.lists(lost, max_size=2),
        st.lists(st.builds(Again, names, names), max_size=2),
    )  # fmt: skip
