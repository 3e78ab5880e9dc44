"""Observations of one time have no order: is there one in which every dispatch keeps the sum rules G1-G4?

One order decides it wherever starts compete in one unit: releases; changes that only help; jobs that start and end within
the group, one by one; starts of shares that end above their limit; other starts; changes that only hurt. Where jobs want
several units, so that a share borrows one unit and owns another, the order of the starts is found backwards: whichever may
be last is last, which loses nothing, because without it the others have more room. A change that helps one share and hurts
another (a RESERVE limit that is raised) may stand anywhere: then orders are searched, up to a limit.
Trusted: that usage only ever makes a dispatch harder, which the exhaustive comparison in the tests confirms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...spec import events as ev
from ...spec.model import Size
from .sums import Sums

_Numbers: TypeAlias = dict[tuple[str, str, str], float]
MOST_STATES = 4096
"""States of one group that a search looks at."""


@dataclass(frozen=True, slots=True)
class Start:
    """A job takes its machines."""

    job: str
    share: str
    size: Size


@dataclass(frozen=True, slots=True)
class End:
    """A job leaves its machines."""

    job: str
    share: str
    size: Size


Change: TypeAlias = ev.AdministratorEvent | ev.ShareGone
Move: TypeAlias = Start | End | Change


@dataclass(frozen=True)
class Order:
    """The moves of a group in an order, by their positions."""

    positions: tuple[int, ...]
    kept: bool | None
    """True: every start keeps the sum rules; False: in no order they all do; None: too many orders to tell."""


def arrange(moves: Sequence[Move], sums: Sums) -> Order:
    """An order of the moves from the state `sums`, which stays as it is. A job's own moves keep their order."""
    parts = _Parts.of(moves, sums)
    canonical = parts.canonical(moves, sums)
    if _plays([moves[p] for p in canonical], sums):
        return Order(canonical, True)
    if parts.mixed:
        return _search(moves, sums, parts.ends, canonical)
    first = [*parts.ends, *parts.helps, *parts.pairs]
    base = sums.copy()
    if not _plays([moves[p] for p in first], base, keep=True):
        return Order(canonical, False)
    starts = _backwards(moves, canonical[len(first) : len(first) + len(parts.starts)], base)
    if starts is None:
        return Order(canonical, False)
    return Order((*first, *starts, *parts.hurts), True)


def apply(move: Move, sums: Sums) -> None:
    """What a move does to the sums."""
    if isinstance(move, Start | End):
        sums.move(move.share, move.size, 1 if isinstance(move, Start) else -1)
    else:
        sums.change(move)


@dataclass
class _Parts:
    """The positions of a group by what they are."""

    ends: list[int]
    """Ends of jobs that run when the group begins."""
    helps: list[int]
    pairs: list[int]
    """Starts and ends of jobs, each start followed by its end."""
    starts: list[int]
    """Starts of jobs that run when the group is over."""
    hurts: list[int]
    mixed: bool
    """Some change helps one share and hurts another, or changes of one share have to keep their order."""

    @classmethod
    def of(cls, moves: Sequence[Move], sums: Sums) -> _Parts:
        own: dict[str, list[int]] = {}
        changes: list[int] = []
        for position, move in enumerate(moves):
            if isinstance(move, Start | End):
                own.setdefault(move.job, []).append(position)
            else:
                changes.append(position)
        parts = cls([], [], [], [], [], False)
        for chain in own.values():
            if isinstance(moves[chain[0]], End):
                parts.ends.append(chain.pop(0))
            if len(chain) % 2:
                parts.starts.append(chain.pop())
            parts.pairs += chain
        parts._sort(moves, changes, sums)
        return parts

    def _sort(self, moves: Sequence[Move], changes: Sequence[int], sums: Sums) -> None:
        now = sums.copy()
        starting = {move.share for move in moves if isinstance(move, Start)}
        subjects: set[str] = set()
        for position in changes:
            move = moves[position]
            assert not isinstance(move, Start | End)
            before = _numbers(now)
            now.change(move)
            after = _numbers(now)
            better, worse = _compare(before, after, starting)
            about = subject(move)
            self.mixed |= (better and worse) or about in subjects
            subjects.add(about)
            (self.hurts if worse else self.helps).append(position)

    def canonical(self, moves: Sequence[Move], sums: Sums) -> tuple[int, ...]:
        """The order that decides where no unit is borrowed by one and owned by another in the same group."""
        end = sums.copy()
        for position in (*self.ends, *self.helps, *self.starts):
            apply(moves[position], end)

        def within(position: int) -> bool:
            move = moves[position]
            assert isinstance(move, Start)
            return not end.above(move.share, move.size)

        order = [*self.ends, *self.helps, *self.pairs, *sorted(self.starts, key=within), *self.hurts]
        return _in_their_order(order, moves)


def _in_their_order(order: list[int], moves: Sequence[Move]) -> tuple[int, ...]:
    """The same, with the changes of one subject in the order in which they were seen."""
    places: dict[str, list[int]] = {}
    for place, position in enumerate(order):
        move = moves[position]
        if not isinstance(move, Start | End):
            places.setdefault(subject(move), []).append(place)
    kept = list(order)
    for own in places.values():
        for place, position in zip(own, sorted(order[p] for p in own), strict=True):
            kept[place] = position
    return tuple(kept)


def _plays(moves: Sequence[Move], sums: Sums, *, keep: bool = False) -> bool:
    """Whether every start keeps the sum rules in this order. `keep`: the state becomes that after the moves."""
    now = sums if keep else sums.copy()
    for move in moves:
        if isinstance(move, Start) and now.broken(move.share, move.size):
            return False
        apply(move, now)
    return True


def _backwards(moves: Sequence[Move], starts: Sequence[int], base: Sums) -> list[int] | None:
    """An order of the starts in which each keeps the sum rules, found from its end; None when there is none."""
    now = base.copy()
    for position in starts:
        apply(moves[position], now)
    left, found = list(starts), list[int]()
    while left:
        for position in reversed(left):
            move = moves[position]
            assert isinstance(move, Start)
            now.move(move.share, move.size, -1)
            if not now.broken(move.share, move.size):
                left.remove(position)
                found.append(position)
                break
            now.move(move.share, move.size, 1)
        else:
            return None
    return found[::-1]


def _search(moves: Sequence[Move], sums: Sums, first: Sequence[int], canonical: tuple[int, ...]) -> Order:
    """Every order that begins with `first`, jobs and the changes of one subject in their own.

    A state that was seen is not looked at again: what a group has done so far says it all.
    """
    chains: dict[str, list[int]] = {}
    for position, move in enumerate(moves):
        if position not in first:
            key = f"job {move.job}" if isinstance(move, Start | End) else subject(move)
            chains.setdefault(key, []).append(position)
    order = list(chains.values())
    base = sums.copy()
    for position in first:
        apply(moves[position], base)
    seen: set[tuple[int, ...]] = set()
    stack = [((0,) * len(order), tuple(first), base)]
    while stack:
        done, path, now = stack.pop()
        if len(path) == len(moves):
            return Order(path, True)
        if done in seen:
            continue
        seen.add(done)
        if len(seen) > MOST_STATES:
            return Order(canonical, None)
        for index, chain in enumerate(order):
            if done[index] == len(chain):
                continue
            move = moves[chain[done[index]]]
            then = (*done[:index], done[index] + 1, *done[index + 1 :])
            if then in seen or (isinstance(move, Start) and now.broken(move.share, move.size)):
                continue
            after = now.copy()
            apply(move, after)
            stack.append((then, (*path, chain[done[index]]), after))
    return Order(canonical, False)


def subject(event: Change) -> str:
    """What a change is about: changes of one thing happened in the order in which they were seen."""
    match event:
        case ev.CreateShare():
            return f"share {event.share.name}"
        case ev.SetCapacity() | ev.SetEnvironmentState():
            return "environment"
        case ev.SetQueueState():
            return "queue"
        case _:
            return f"share {event.share}"


def _numbers(sums: Sums) -> _Numbers:
    """Every number that a dispatch is judged by, so that more is easier; a share that is not there has nothing."""
    now = sums.now
    found: _Numbers = {("", u, "capacity"): n for u, n in now.capacity.items()}
    for share in now.shares:
        may = sums.may_borrow(share)
        for unit in now.units():
            grant = sums.grant(share, unit)
            beyond = 0 if not may else float("inf") if grant.borrowable is None else grant.borrowable
            found[share, unit, "limit"] = grant.limit
            found[share, unit, "ceiling"] = grant.limit + beyond
            found[share, unit, "kept"] = -grant.kept
    return found


def _compare(before: _Numbers, after: _Numbers, starting: set[str]) -> tuple[bool, bool]:
    """Whether for some start some number is better after than before, and whether for some it is worse."""
    better = worse = False
    for key in {**before, **after}:
        more = after.get(key, 0) - before.get(key, 0)
        better |= more > 0
        worse |= more < 0
        if more and key[2] == "kept" and key[0] in starting:
            # What is kept for a share is idle for nobody else, and is the share's own whatever loans are out.
            better = worse = True
    return better, worse
