"""Another order of observations whose times overlap, in which none of them breaks a promise.

Depth first, from the canonical order. A state is known by what has happened in it: jobs of equal share, size, priority
and stage with equal observations to come are interchangeable. Trusted: that two orders of the same observations lead to
the same state as far as promises look at it; under A13 a labels do not, and the caller says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from ...spec import events as ev
from .book import Book
from .observe import look, record
from .order import Item, whose


@dataclass(frozen=True)
class Searched:
    """What a search has come to. `order` None: there is none, or none was found before the limit."""

    order: list[Item] | None
    states: int
    """Steps that were tried."""
    exhausted: bool
    """True when every order was tried."""


@dataclass
class _Chain:
    """Observations that keep their order: those of one job, or the changes of one share or of the environment.

    A request for another priority stands alone: when within its second it came is not known.
    """

    kind: int
    items: list[int]
    done: int = 0


def search(book: Book, window: Sequence[Item], wanted: int, skew: int, cap: int) -> Searched:
    """An order of at least the first `wanted` observations of the window. The book is as before it, also afterwards."""
    before = _before(window, skew)
    chains = _chains(book, window, wanted)
    codes: dict[tuple[int, int], int] = {}
    done = key = states = 0
    goal = (1 << wanted) - 1
    tried: set[int] = {0}
    order: list[tuple[_Chain, int, int]] = []
    stack = [_next(chains, before, done)]
    start = book.mark()
    while stack:
        if done & goal == goal:
            found = [window[index] for _, index, _ in order]
            book.undo(start)
            return Searched(found, states, False)
        if states >= cap:
            book.undo(start)
            return Searched(None, states, False)
        if not stack[-1]:
            stack.pop()
            if order:
                chain, index, mark = order.pop()
                book.undo(mark)
                chain.done -= 1
                done ^= 1 << index
                key -= codes[chain.kind, chain.done]
            continue
        chain = stack[-1].pop()
        index = chain.items[chain.done]
        step = codes.setdefault((chain.kind, chain.done), hash((chain.kind, chain.done, wanted)))
        if key + step in tried:
            continue
        states += 1
        if look(book, window[index].what, Counter()) is not None:
            continue
        tried.add(key + step)
        order.append((chain, index, book.mark()))
        record(book, window[index].what)
        chain.done += 1
        done |= 1 << index
        key += step
        stack.append(_next(chains, before, done))
    return Searched(None, states, True)


def _before(window: Sequence[Item], skew: int) -> list[int]:
    """For each observation the set of those that certainly came before it, as bits."""
    return [
        sum(1 << i for i, other in enumerate(window) if other.seen.until + skew < item.seen.at - skew)
        for item in window
    ]


def _chains(book: Book, window: Sequence[Item], wanted: int) -> list[_Chain]:
    found: dict[str, list[int]] = {}
    for index in sorted(range(len(window)), key=lambda i: window[i].number):
        item = window[index]
        alone = f"{item.job} {item.number}" if isinstance(item.what, ev.SetPriority) else ""
        found.setdefault(alone or whose(item.what) or f" {item.number}", []).append(index)
    others = {name for i in window for name in (getattr(i.what, "claimant", None), *getattr(i.what, "victims", ()))}
    others |= {i.job for i in window if isinstance(i.what, ev.SetPriority)}
    kinds: dict[Hashable, int] = {}
    chains: list[_Chain] = []
    for job, items in found.items():
        told = tuple((window[i].seen.at, window[i].seen.until, i < wanted, _anonymous(window[i])) for i in items)
        same: Hashable = job
        if job not in others:
            entry = book.jobs.get(job)
            same = entry and (entry.share, entry.units, entry.asks, entry.retries, *map(repr, entry.saved()[:-1]))
        chains.append(_Chain(kinds.setdefault((same, told), len(kinds)), items))
    return chains


def _anonymous(item: Item) -> str:
    what = item.what
    if getattr(what, "claimant", None) or getattr(what, "victims", ()):
        return repr(what)
    return repr(replace(what, job="")) if item.job else repr(what)  # type: ignore[type-var]


def _next(chains: Sequence[_Chain], before: Sequence[int], done: int) -> list[_Chain]:
    """The chains whose next observation may come now, one of each kind and progress; the first in order is last."""
    found: dict[tuple[int, int], _Chain] = {}
    for chain in chains:
        if chain.done < len(chain.items):
            index = chain.items[chain.done]
            if not before[index] & ~done:
                found.setdefault((chain.kind, chain.done), chain)
    return sorted(found.values(), key=lambda c: -c.items[c.done])
