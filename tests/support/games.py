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
JOBS = tuple(f"j{n}" for n in range(8))
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
    return queue(shares, {u: draw(st.integers(1, 8)) for u in units})


@st.composite
def moves(draw, config: QueueConfig, most: int = 14):
    """What users, platform and administrators do, and steps of the scheduler between."""
    shares, units = [s.name for s in config.shares], list(config.environment.capacity)
    sizes = st.dictionaries(st.sampled_from(units), st.integers(1, 4), min_size=1)
    share, job, priority = st.sampled_from(shares), st.sampled_from(JOBS), st.integers(0, 3)
    retries = st.sampled_from([None, 0, 1])
    submit = st.builds(ev.Submit, job, share, sizes, priority, retries)
    other = st.one_of(
        st.builds(ev.Finish, job, st.booleans()), st.builds(ev.SetPriority, job, priority), st.builds(ev.Terminate, job),
        st.builds(ev.Advance, job), st.builds(ev.Return, job), st.builds(ev.SetLimits, share, sizes),
        st.builds(ev.SetShareState, share, st.sampled_from(list(State))), st.builds(ev.DeleteShare, share),
        st.builds(ev.SetSharing, share, st.sampled_from(list(Strategy))), st.builds(ev.SetInShare, share, st.booleans()),
        st.builds(ev.SetCapacity, st.fixed_dictionaries({u: st.integers(0, 8) for u in units})),
    )  # fmt: skip
    acts = st.one_of(st.just(Tick()), st.builds(Settle, st.booleans()))
    return tuple(draw(st.lists(st.one_of(submit, submit, acts, acts, other), max_size=most)))


@st.composite
def games(draw, side: Side | None = None) -> Game:
    """A game, and a settle at its end."""
    config = draw(queues())
    return Game("drawn", config, (*draw(moves(config)), Settle()), side or Side())
