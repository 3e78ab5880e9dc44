"""Random events of plans, for properties that hold of every one."""

from __future__ import annotations

from hypothesis import strategies as st
from quotaproof.checker.planned import (
    Direction,
    Given,
    Giving,
    NeverRuns,
    Ordered,
    OverLimit,
    Overview,
    Place,
    Planned,
    PromiseChange,
    Running,
    ShareChange,
    Standing,
    Stands,
    Stoppable,
    UnitChange,
    Untouched,
    Written,
)
from quotaproof.checker.results import Verdict

VERBS = ("create-quota-share", "update-quota-share", "delete-quota-share", "update-service-environment")


def _given(changes, giving, total, unallotted, costs, breaks, command):
    """A way; `giving`: giver -> its new limit, and how much it gives."""
    limits = {share: limit for share, (limit, _) in giving.items()}
    givers = tuple((share, n) for share, (_, n) in giving.items())
    return Given(changes, limits, total, unallotted, givers, costs, breaks, command)


def about_plan(names, places, rows):
    """Lists of events, each kind at most once or twice."""
    sizes = st.integers(0, 20)
    directions = st.sampled_from(Direction)
    standings = st.one_of(st.none(), st.builds(Standing, sizes, sizes, sizes, sizes, st.one_of(st.none(), rows)))
    maybe = st.one_of(st.just(""), names)
    units = st.builds(
        UnitChange,
        names,
        standings,
        standings,
        st.fixed_dictionaries(dict.fromkeys(("sure", "at_once", "most", "unstopped"), directions)),
        directions,
        st.lists(names, max_size=1).map(tuple),
        maybe,
        maybe,
    )
    several = st.lists(names, max_size=2).map(tuple)
    stands = st.lists(st.builds(Stands, names, names, maybe), max_size=2).map(tuple)
    ways = st.builds(
        _given,
        several,
        st.dictionaries(names, st.tuples(sizes, sizes), max_size=2),
        sizes,
        sizes,
        several,
        stands,
        names,
    )
    kinds = (
        st.builds(
            ShareChange, names, directions, several, st.lists(units, max_size=2).map(tuple), directions, directions,
            maybe, places,
        ),
        st.builds(
            PromiseChange, names, names, names, maybe, maybe, *[st.one_of(st.none(), st.sampled_from(Verdict))] * 2,
            directions, names, st.lists(sizes, max_size=2).map(tuple), st.booleans(), maybe,
        ),
        st.builds(Planned, sizes, st.sampled_from(VERBS), names, names, names, maybe, maybe, places),
        st.builds(Ordered, st.booleans(), several, several, st.booleans()),
        st.builds(
            Stoppable, names, names, names, st.dictionaries(names, st.integers(1, 9), max_size=2),
            st.one_of(st.none(), st.integers(0, 10**9)), st.one_of(st.none(), st.booleans()), maybe,
            st.sampled_from(["reclaim", "in-share", "ends"]),
        ),
        st.builds(OverLimit, names, names, sizes, sizes, sizes),
        st.builds(Untouched, names, sizes, names),
        st.builds(NeverRuns, names, names, names, names),
        st.builds(Running, sizes, sizes, sizes, sizes, several),
        st.builds(Place, several, names),
        st.builds(
            Giving, names, names, sizes, sizes, st.lists(ways, max_size=2).map(tuple), stands, maybe, st.booleans()
        ),
        st.builds(Written, names, names, names),
        st.builds(Overview, sizes, sizes, st.lists(st.tuples(names, *[sizes] * 4), max_size=2).map(tuple), several),
    )  # fmt: skip
    return st.lists(st.one_of(kinds), max_size=8)
