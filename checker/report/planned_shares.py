"""What a plan gives and takes from shares: a row for each share and unit, those that no request changes told together.

Made from `planned.Plan` alone. A share whose own fields do not change is told with others of its kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ..findings.check import listed, short_units
from ..planned import NUMBERS, Direction, Plan, ShareChange, Standing, UnitChange

MOST_GROUPS = 3
"""Of shares that fare well and that no request changes; where there are more they are told together."""


@dataclass(frozen=True)
class Line:
    """One row of the table of shares: a unit of a share, or what else changes of it."""

    share: str
    """'' in further rows of the same share."""
    change: str
    unit: str
    numbers: Mapping[str, str]
    team: str
    """For its team; '' in further rows."""


def units(plan: Plan) -> Mapping[str, str]:
    """Every unit as a sentence names it."""
    every = [unit for unit, *_ in plan.overview.given] if plan.overview else []
    return short_units(list(dict.fromkeys([*every, *(u.unit for s in plan.shares for u in s.units)])))


def rows(plan: Plan, *, everything: bool = False) -> list[Line]:
    """A row for each unit of a share that changes; with `everything` of all shares."""
    return [line for s in plan.shares if everything or s.changes for line in _share(s, plan, everything=everything)]


def _share(share: ShareChange, plan: Plan, *, everything: bool) -> Iterator[Line]:
    short = units(plan)
    changed = [u for u in share.units if everything or u.direction is not Direction.SAME or _limit_of(share, u)]
    own = {u.unit: text for u in changed if (text := _limit_of(share, u))}
    texts = [t for t in share.changes if t not in own.values()]
    told = {unit: text.replace(f" {unit} ", " ", 1) for unit, text in own.items()}
    if share.direction is Direction.GONE and texts:
        texts[-1] += _ending(share, plan)
    lines: list[tuple[str, UnitChange | None]] = []
    if share.direction not in (Direction.NEW, Direction.GONE) and (len(changed) > 1 or told):
        lines += [(text, None) for text in texts]
        texts = []
    lines += [(told[u.unit], u) for u in changed if u.unit in told]
    lines += zip_longest(texts, [u for u in changed if u.unit not in told], fillvalue=None)  # type: ignore[arg-type]
    for number, (text, unit) in enumerate(lines or [("", None)]):
        yield Line(
            "" if number else share.share,
            text or "",
            short[unit.unit] if unit else "",
            {name: _numbers(unit, name) for name in NUMBERS} if unit else dict.fromkeys(NUMBERS, ""),
            "" if number else str(share.direction),
        )


def _ending(share: ShareChange, plan: Plan) -> str:
    """How many jobs end with a share that goes, where that is known."""
    if plan.running is None:
        return ""
    number = sum(j.share == share.share and j.how == "ends" for j in plan.stoppable)
    return f" ({number} job{'' if number == 1 else 's'})"


def _limit_of(share: ShareChange, unit: UnitChange) -> str:
    return next((text for text in share.changes if text.startswith(f"limit {unit.unit} ")), "")


def _numbers(unit: UnitChange, name: str) -> str:
    def said(standing: Standing | None) -> str:
        return "-" if standing is None else str(getattr(standing, name))

    was, now = said(unit.before), said(unit.after)
    return was if was == now else f"{was} -> {now}"


def others(plan: Plan) -> Iterator[tuple[str, str, str]]:
    """Shares that no request changes, by how they fare: which, why, and the direction in words."""
    rest = [s for s in plan.shares if not s.changes]
    well = [s for s in rest if not s.loses]
    alike: dict[str, list[ShareChange]] = {}
    for s in well:
        alike.setdefault(_lenders([s]), []).append(s)
    groups = list(alike.values()) if len(alike) <= MOST_GROUPS else [well]
    for some in groups:
        words = "same" if all(s.direction is Direction.SAME for s in some) else "same or stronger"
        yield _which(some, plan), _lenders(some), words
    for direction in (Direction.WEAKER, Direction.INCOMPARABLE):
        hit = [s for s in rest if s.loses and s.direction is direction]
        if hit:
            told = [f"{how}: {changed}" for how, way in (("less", Direction.WEAKER), ("more", Direction.STRONGER))
                    if (changed := _changed(hit, way, plan))]  # fmt: skip
            yield _which(hit, plan), f"{'; '.join(told)}{_borrow(hit)}", str(direction)


def _changed(shares: Sequence[ShareChange], way: Direction, plan: Plan) -> str:
    """The numbers that change this way, with the units of which they do where there are several."""
    short, said = units(plan), list[str]()
    for name, word in NUMBERS.items():
        of = dict.fromkeys(short[u.unit] for s in shares for u in s.units if u.quantities.get(name) is way)
        if of:
            said.append(f"{word} ({', '.join(of)})" if len(short) > 1 else word)
    return ", ".join(said)


def _which(shares: Sequence[ShareChange], plan: Plan) -> str:
    if len(shares) <= 2:
        return listed([s.share for s in shares])
    return f"{len(shares)} others" if len(shares) < len(plan.shares) else f"all {len(shares)}"


def _borrow(shares: Sequence[ShareChange]) -> str:
    told = _lenders(shares)
    return f"; {told}" if told else ""


def _lenders(shares: Sequence[ShareChange]) -> str:
    """From whom they can borrow now, and no longer."""
    gained: dict[str, None] = {}
    lost: dict[str, None] = {}
    for unit in (u for s in shares for u in s.units):
        before, after = ((s.row.lenders if s is not None and s.row else ()) for s in (unit.before, unit.after))
        gained |= dict.fromkeys(name for name in after if name not in before)
        lost |= dict.fromkeys(name for name in before if name not in after)
    parts = [f"can borrow from {listed(list(gained))}"] if gained else []
    parts += [f"{'no longer' if parts else 'can no longer borrow'} from {listed(list(lost))}"] if lost else []
    return ", ".join(parts)


def weaker(plan: Plan) -> Iterator[tuple[str, str]]:
    """What can no longer be had, in sentences, each with the scenario that shows it."""
    for share in plan.shares:
        for unit in share.units:
            if unit.shows:
                rests = f" (another verdict with {', '.join(unit.rests)})" if unit.rests else ""
                yield f"{unit.shows}.{rests}", unit.witness


def resting(plan: Plan) -> list[str]:
    """Shares whose verdict is another under some reading, with those."""
    found: list[str] = []
    for share in plan.shares:
        choices = list(dict.fromkeys(c for u in share.units for c in u.rests))
        if choices:
            found.append(f"{share.share} with {', '.join(choices)}")
    return found
