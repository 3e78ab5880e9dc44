"""What must not be reachable for a promise to be kept: its terms as questions to the envelope, one a share.

The judges decide what a promise's verdict is; this is only what a change of the configuration has to make impossible.
Terms without an answer of that kind (recorded, measured, checked at a change) have no demands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from ....spec.expr.nodes import Bool, all_of, any_of, const
from ....spec.model import QueueConfig, QuotaShare
from ....spec.promises import (
    BorrowsAtMost,
    By,
    Fits,
    Gets,
    HoldsAtMost,
    IdleWhileWaiting,
    Promise,
    Promises,
    Term,
    Undisturbed,
)
from ....spec.rules import commitments as rules
from ....spec.rules.commitments import Bound
from ....spec.rules.view import Enumerated
from .envelope import Question
from .words import bounds

Bad: TypeAlias = Callable[[Enumerated, str, tuple[Bound, ...]], Bool]


def demands(promises: Promises, config: QueueConfig, promise: Promise, term: Term) -> Iterator[Question]:
    """States that the term rules out."""
    shares = promise.scope.of(config)
    match term:
        case Gets(amounts, within):
            every = bounds(promises, amounts, config)
            chosen = [(bound,) for bound in every.values()] + ([tuple(every.values())] if len(every) > 1 else [])
            for some in chosen:
                soon = within > 0 and reclaim_takes(promises, some) <= within
                bad = rules.not_by_stops if soon else rules.not_at_once
                yield from (_of_share(bad, share, some) for share in shares)
                if soon:
                    slow = slower(promises, config, some, within)
                    yield from (held_too(rules.not_at_once, s.name, some, unit) for s in shares for unit in slow)
        case Fits(amounts):
            bound = tuple(bounds(promises, amounts, config).values())
            yield from (_of_share(rules.does_not_fit, share, bound) for share in shares)
        case HoldsAtMost(amounts):
            members = tuple(s.name for s in shares)
            for bound in bounds(promises, amounts, config).values():
                yield Question(tuple(bound.weights), partial(rules.holds_more, bound=bound), members)
        case BorrowsAtMost(amounts):
            for share in shares:
                for bound in bounds(promises, amounts, config).values():
                    yield Question(tuple(bound.weights), partial(rules.borrows_more, bound=bound), (share.name,))
        case IdleWhileWaiting(unit):
            yield from (Question((unit,), lambda view, s=s: rules.idles(view.at(s.name, unit))) for s in shares)
        case Undisturbed():
            yield from (_undisturbed(term, share, unit) for share in shares for unit in config.units)
        case _:
            return


def _of_share(bad: Bad, share: QuotaShare, bound: tuple[Bound, ...]) -> Question:
    return Question(_units(bound), lambda view: bad(view, share.name, bound))


def _units(bound: Sequence[Bound]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(unit for one in bound for unit in one.weights))


def held_too(bad: Bad, share: str, bound: tuple[Bound, ...], unit: str) -> Question:
    """The same where a job that is stopped may hold some of `unit` as well: it gives nothing back before that is free."""
    every = (*_units(bound), unit)
    return Question(
        every, lambda view: all_of(bad(view, share, bound), rules.stops_hold(view, share, unit)), about=(share,)
    )


def slower(promises: Promises, config: QueueConfig, bound: Sequence[Bound], within: int) -> Iterator[str]:
    """Other units of the queue of which a stop takes longer, or nobody knows how long."""
    mine = _units(bound)
    yield from (u for u in config.units if u not in mine and promises.stop_takes.get(u, float("inf")) > within)


def _undisturbed(term: Undisturbed, share: QuotaShare, unit: str) -> Question:
    """Loans that others take back, where that is promised never to happen; stops for a colleague, where nobody may."""

    def bad(view: Enumerated) -> Bool:
        cell = view.at(share.name, unit)
        loses = rules.loses_loans(cell) if term.always else const(False)
        stops = rules.stops_its_own if term.always else rules.loses_to_its_own
        own = all_of(view.fact("in_share", share.name), stops(cell))
        return any_of(loses, own) if term.by is By.ANYONE else loses

    return Question((unit,), bad)


def reclaim_takes(promises: Promises, bound: Sequence[Bound]) -> float:
    """Milliseconds of one round of stops in these units; infinite where the file does not say it of one of them."""
    takes = [promises.stop_takes.get(unit, float("inf")) for one in bound for unit in one.weights]
    return max(takes, default=0)
