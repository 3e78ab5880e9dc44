"""Every observation, drawn at random, and traces of them."""

from __future__ import annotations

from io import StringIO

from hypothesis import strategies as st
from quotaproof.spec import events as ev
from quotaproof.spec.formats.trace import write_trace
from quotaproof.spec.model import LARGEST, Stage, State, Strategy
from quotaproof.spec.observations import (
    JobFacts,
    Preempted,
    Preempting,
    Reached,
    Rejected,
    Retried,
    Seen,
    Settled,
    Submitted,
)

from .queues import share, walkthrough

JOBS, SHARES = ("a", 'say "b"', "ü\\ job", "d"), ("QS1", "QS2", "QS3")
FIRST = [Seen(0, 0, Submitted(job, "QS1", {"u": 1}, retries_known=False)) for job in JOBS]
"""A trace names no job before it was submitted."""
job, name = st.sampled_from(JOBS), st.sampled_from(SHARES)
text = st.text(st.characters(codec="utf-8"), max_size=8)
count = st.integers(1, LARGEST)
size = st.dictionaries(st.sampled_from(("u", "ml.p5.48xlarge", "w")), count, min_size=1)
state, victims = st.sampled_from(State), st.lists(job, max_size=3, unique=True).map(tuple)
kind = st.sampled_from((None, "cross-share", "in-share"))
optional = st.one_of(st.none(), count)
facts = st.builds(JobFacts, name=text, arn=text, checkpoint=st.one_of(st.none(), text), owner=text,
                  training_plan=st.one_of(st.none(), st.booleans()), timeout=optional)  # fmt: skip
retries = st.one_of(
    st.builds(dict, retries=optional, retries_known=st.just(True)),
    st.just({"retries": None, "retries_known": False}),
)
submitted = st.builds(
    lambda fields, **more: Submitted(**more, **fields),
    retries,
    job=text.filter(bool),
    share=name,
    size=size,
    priority=st.one_of(st.none(), st.integers(0, 9999)),
    facts=facts,
)
sharing = st.one_of(
    st.builds(ev.SetSharing, name, st.sampled_from(Strategy)),
    st.builds(ev.SetSharing, name, st.just(Strategy.LEND_AND_BORROW), st.integers(-1, 500)),
)
observation = st.one_of(
    submitted,
    st.builds(Rejected, text.filter(bool), name, text),
    st.builds(Reached, job, st.sampled_from((Stage.STARTING, Stage.RUNNING)), text),
    st.builds(Preempting, job, st.one_of(st.none(), job), kind, text),
    st.builds(Preempted, job, st.sampled_from((None, Stage.RUNNABLE, Stage.FAILED)), optional),
    st.builds(Retried, job),
    st.just(Settled()),
    st.builds(ev.Dispatch, job),
    st.builds(ev.Claim, job, victims, st.booleans()),
    st.builds(ev.Release, job),
    st.builds(ev.Return, job),
    st.builds(ev.Finish, job, st.booleans()),
    st.builds(ev.Terminate, job),
    st.builds(ev.SetPriority, job, st.integers(0, 9999)),
    st.builds(ev.Misconfigured, job, text),
    st.builds(ev.SetLimits, name, size),
    sharing,
    st.builds(ev.SetInShare, name, st.booleans()),
    st.builds(ev.SetShareState, name, state),
    st.builds(
        ev.CreateShare, st.builds(share, st.just("new"), size, st.just("LEND_AND_BORROW"), st.sampled_from((None, 50)))
    ),
    st.builds(ev.DeleteShare, name),
    st.builds(ev.ShareGone, name),
    st.builds(ev.SetCapacity, st.dictionaries(st.sampled_from(("u", "w")), st.integers(0, LARGEST))),
    st.builds(ev.SetEnvironmentState, state),
    st.builds(ev.SetQueueState, state),
)


def seen(*whats, step=1, width=0):
    """Observations one after the other, behind the submissions of `JOBS`."""
    return FIRST + [Seen(i * step, i * step + width, what) for i, what in enumerate(whats, 1)]


def written(observations, config=None, *, ordered=True, claims=True):
    """The text of a trace."""
    stream = StringIO()
    write_trace(stream, config or walkthrough(), observations, ordered=ordered, claims=claims)
    return stream.getvalue()
