"""Who gains and who loses by a change of the configuration: every share and unit before and after, for its own team.

Compared are four numbers, of each of which more is better for the team that owns the share:
- `sure`, the largest job that always gets to run, by taking back what is lent where it must;
- `at_once`, what it can bring itself to within its limit in every state that can be reached, with nothing stopped for it;
- `most`, what it can ever hold;
- `unstopped`, what it can hold of this unit so that none of its jobs can be stopped for another share: its limit and the
  loans that no reclaim can reach.
The limit, what it can borrow and what a reclaim can stop are told and not compared: a limit that rises turns loans into
own machines, which takes nothing from anybody, and a job on loan that could not run before is no loss when it can be
stopped. A unit is stronger (weaker) when no number falls (rises) and one does not stay; a share, when that is so of all
its units, its state and its in-share preemption, where switched on is neither: high priorities gain what low ones lose.
Trusted: the arithmetic of `findings.table`, which tests compare with a search through all states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ....spec.model import QueueConfig, QuotaShare, State, Strategy
from ....spec.readings import READINGS, Readings
from ...findings import sensitivity
from ...findings.check import short_units
from ...findings.table import Lot, lots, table
from ...planned import NUMBERS, Direction, ShareChange, Standing, UnitChange
from ...results import Row

Standings = Mapping[str, Mapping[str, Standing]]
"""Share -> unit -> what it has."""


def direction(before: int, after: int) -> Direction:
    """How a number of which more is better changes."""
    return Direction.SAME if after == before else Direction.STRONGER if after > before else Direction.WEAKER


def together(parts: Iterable[Direction]) -> Direction:
    """How something changes of which these are all the parts."""
    found = set(parts) - {Direction.SAME}
    if len(found) > 1:
        return Direction.INCOMPARABLE
    return found.pop() if found else Direction.SAME


def standing(lot: Lot, i: int) -> Standing:
    """The four numbers of one share and unit."""
    return Standing(lot.sure(i), lot.at_once(i), lot.most(i), lot.unstopped(i))


def standings(config: QueueConfig, readings: Readings) -> Standings:
    """The numbers of every share for every unit of which it has something."""
    found: dict[str, dict[str, Standing]] = {share.name: {} for share in config.shares}
    limits = [share.limits for share in config.shares]
    for lot in lots(config, readings):
        for i, share in enumerate(config.shares):
            if lot.unit in limits[i] or lot.most(i) > 0:
                found[share.name][lot.unit] = standing(lot, i)
    return found


def compare(
    old: QueueConfig,
    new: QueueConfig,
    readings: Readings,
    *,
    owners: Mapping[str, str] | None = None,
    places: Mapping[str, str] | None = None,
) -> tuple[ShareChange, ...]:
    """Every share of either configuration, those of `old` first. `owners` and `places` are by share."""
    before, after = _with_rows(old, readings), _with_rows(new, readings)
    rest = _otherwise(old, new, readings)
    olds, news = ({s.name: s for s in config.shares} for config in (old, new))
    short = short_units([*dict.fromkeys([*old.units, *new.units])])
    made = (
        replace(
            _share(name, olds.get(name), news.get(name), before.get(name, {}), after.get(name, {})),
            changes=tuple(_changes(olds.get(name), news.get(name), short)),
            owner=(owners or {}).get(name, ""),
            place=(places or {}).get(name, ""),
        )
        for name in dict.fromkeys([*olds, *news])
    )
    return tuple(replace(c, units=tuple(_resting(c.share, u, rest) for u in c.units)) for c in made)


def verdicts(old: QueueConfig, new: QueueConfig, readings: Readings) -> Mapping[tuple[str, str], UnitChange]:
    """(Share, unit) -> how it changes, under these readings alone."""
    before, after = standings(old, readings), standings(new, readings)
    return {
        (name, unit): _unit(unit, was.get(unit), become.get(unit), new=name not in before, gone=name not in after)
        for name in dict.fromkeys([*before, *after])
        for was, become in ((before.get(name, {}), after.get(name, {})),)
        for unit in dict.fromkeys([*was, *become])
    }


NOTHING = Standing(0, 0, 0, 0)


def _unit(unit: str, before: Standing | None, after: Standing | None, *, new: bool, gone: bool) -> UnitChange:
    was, become = before or NOTHING, after or NOTHING
    each = {name: direction(getattr(was, name), getattr(become, name)) for name in NUMBERS}
    found = Direction.NEW if new else Direction.GONE if gone else together(each.values())
    return UnitChange(unit, None if new else was, None if gone else become, each, found)


def _share(
    name: str,
    old: QuotaShare | None,
    new: QuotaShare | None,
    before: Mapping[str, Standing],
    after: Mapping[str, Standing],
) -> ShareChange:
    units = tuple(
        _unit(u, before.get(u), after.get(u), new=old is None, gone=new is None)
        for u in dict.fromkeys([*before, *after])
    )
    if old is None or new is None:
        return ShareChange(name, Direction.NEW if old is None else Direction.GONE, units=units)
    in_share = Direction.INCOMPARABLE if old.in_share is not new.in_share else Direction.SAME
    state = direction(old.state is State.ENABLED, new.state is State.ENABLED)
    whole = together([*(u.direction for u in units), in_share, state])
    return ShareChange(name, whole, units=units, in_share=in_share, state=state)


def _with_rows(config: QueueConfig, readings: Readings) -> Standings:
    """The numbers, each with its row of the table."""
    rows: dict[tuple[str, str], Row] = {(r.share, r.unit): r for r in table(config, readings)[1]}
    found = standings(config, readings)
    return {s: {u: replace(one, row=rows.get((s, u))) for u, one in units.items()} for s, units in found.items()}


def _otherwise(
    old: QueueConfig, new: QueueConfig, readings: Readings
) -> Sequence[tuple[str, Mapping[tuple[str, str], UnitChange]]]:
    """The verdicts under each other choice of one reading that changes any number; a choice somebody made stays."""
    chosen, known = dict(readings.chosen), (lots(old, readings), lots(new, readings))
    found: list[tuple[str, Mapping[tuple[str, str], UnitChange]]] = []
    for code in sensitivity.NUMBERS:
        for choice in READINGS[code].choices if code not in chosen else ():
            other = readings.assuming({code: choice})
            if choice != readings[code] and (lots(old, other), lots(new, other)) != known:
                found.append((f"{code}={choice}", verdicts(old, new, other)))
    return found


def _resting(
    share: str, change: UnitChange, rest: Sequence[tuple[str, Mapping[tuple[str, str], UnitChange]]]
) -> UnitChange:
    def differs(other: UnitChange | None) -> bool:
        return (other.direction if other else Direction.SAME) is not change.direction

    return replace(change, rests=tuple(c for c, found in rest if differs(found.get((share, change.unit)))))


def _changes(old: QuotaShare | None, new: QuotaShare | None, short: Mapping[str, str]) -> Iterator[str]:
    """What is asked of the share, in words."""
    if old is None:
        assert new is not None
        given = ", ".join(f"{n} {short[u]}" for u, n in new.limits.items())
        yield f"new: {given}, {_rule(new)}{'' if new.state is State.ENABLED else ', DISABLED'}"
        return
    if new is None:
        yield "disable, then delete" if old.state is State.ENABLED else "delete"
        return
    before, after = old.limits, new.limits
    for unit in dict.fromkeys([*before, *after]):
        was, become = before.get(unit), after.get(unit)
        if was != become:
            yield f"limit {unit} {'-' if was is None else was} -> {'-' if become is None else become}"
    if _rule(old) != _rule(new):
        yield f"{_rule(old)} -> {_rule(new)}"
    if old.in_share is not new.in_share:
        yield f"in-share preemption {'on' if new.in_share else 'off'}"
    if old.state is not new.state:
        yield "enable" if new.state is State.ENABLED else "disable"


def _rule(share: QuotaShare) -> str:
    if share.strategy is not Strategy.LEND_AND_BORROW:
        return share.strategy.value
    percent = share.borrow_limit
    return f"{share.strategy.value} {'no maximum' if percent in (None, -1) else f'{percent} %'}"
