"""Games to play: hypothesis draws small queues and what happens to them."""

from __future__ import annotations

from hypothesis import strategies as st
from quotaproof.checker.teach.game import Game, Side, Tick
from quotaproof.spec import events as ev
from quotaproof.spec.formats import own
from quotaproof.spec.formats.document import Document
from quotaproof.spec.formats.scenario import Settle
from quotaproof.spec.model import QueueConfig, State, Strategy
from quotaproof.spec.readings import Readings

NAMES = ("a", "b", "c")
UNITS = ("u", "w")


def queue(shares, environment) -> QueueConfig:
    """A queue in quotaproof's own form."""
    form = {"quotaproof": 1, "queue": "q", "environment": environment, "shares": shares}
    return own.configuration(Document("queue", {"queue": form}, dict), ("queue",), Readings())


@st.composite
def queues(draw) -> QueueConfig:
    """Two or three shares of one or two units."""
    units = UNITS[: draw(st.integers(1, 2))]
    shares = []
    for name in NAMES[: draw(st.integers(2, 3))]:
        strategy = draw(st.sampled_from(["LEND_AND_BORROW", "LEND", "RESERVE"]))
        share = {"name": name, "limits": {u: draw(st.integers(1, 3)) for u in units}, "strategy": strategy,
                 "inSharePreemption": draw(st.booleans())}  # fmt: skip
        if strategy == "LEND_AND_BORROW" and draw(st.booleans()):
            share["borrowLimit"] = draw(st.sampled_from([0, 50, 100, 200]))
        shares.append(share)
    return queue(shares, {u: draw(st.integers(1, 6)) for u in units})


KINDS = ("submit",) * 6 + ("tick",) * 3 + ("settle",) * 3 + ("job",) * 3 + ("share",)


@st.composite
def moves(draw, config: QueueConfig, most: int = 18):
    """What users, platform and administrators do, and steps of the scheduler between. Jobs that are named were submitted."""
    shares, units = st.sampled_from([s.name for s in config.shares]), list(config.environment.capacity)
    sizes = st.dictionaries(st.sampled_from(units), st.integers(1, 3), min_size=1)
    share_moves = st.one_of(
        st.builds(ev.SetLimits, shares, sizes), st.builds(ev.SetShareState, shares, st.sampled_from(list(State))),
        st.builds(ev.DeleteShare, shares), st.builds(ev.SetSharing, shares, st.sampled_from(list(Strategy))),
        st.builds(ev.SetInShare, shares, st.booleans()),
        st.builds(ev.SetCapacity, st.fixed_dictionaries({u: st.integers(0, 6) for u in units})),
    )  # fmt: skip
    found, jobs = [], []
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=2, max_size=most)):
        if kind == "submit" or (kind == "job" and not jobs):
            jobs.append(f"j{len(jobs)}")
            retries = draw(st.sampled_from([None, 0, 1]))
            found.append(ev.Submit(jobs[-1], draw(shares), draw(sizes), draw(st.integers(0, 3)), retries))
        elif kind == "job":
            found.append(draw(_of_job(draw(st.sampled_from(jobs)))))
        else:
            found.append(
                Tick()
                if kind == "tick"
                else draw(st.builds(Settle, st.booleans()) if kind == "settle" else share_moves)
            )
    return tuple(found)


def _of_job(job):
    return st.one_of(
        st.just(ev.Finish(job)), st.builds(ev.SetPriority, st.just(job), st.integers(0, 3)), st.just(ev.Terminate(job)),
        st.just(ev.Advance(job)), st.just(ev.Return(job)),
    )  # fmt: skip


@st.composite
def games(draw, side: Side | None = None) -> Game:
    """A game, and a settle at its end."""
    config = draw(queues())
    return Game("drawn", config, (*draw(moves(config)), Settle()), side or Side())
