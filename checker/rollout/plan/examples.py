"""What a share can no longer count on, shown: a scenario in the new configuration for each number that falls.

The state comes from the envelope of the new configuration, the smallest one that shows it, and the scenario has been
played before it is given out. Trusted: `promises.envelope` and `promises.scenarios`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ....spec.expr.nodes import Bool, all_of
from ....spec.formats.scenario import Scenario
from ....spec.model import QueueConfig
from ....spec.readings import Readings
from ....spec.rules.commitments import Bound, does_not_fit, loses_loans, not_at_once
from ....spec.rules.view import Enumerated
from ...findings.check import listed, short_units
from ...findings.table import lots
from ...planned import Direction, ShareChange, UnitChange
from ...prove.solver import Solver
from ..promises.envelope import Envelope, Question, Reached
from ..promises.scenarios import Stage


@dataclass(frozen=True)
class Example:
    """What a scenario shows, in a sentence; `scenario` None: none was found that shows it."""

    shows: str
    scenario: Scenario | None


class Examples:
    """Finds examples in one configuration."""

    def __init__(self, config: QueueConfig, readings: Readings, timeout: float | None = None) -> None:
        self.config, self.readings = config, readings
        self.short = short_units(config.units)
        self._lots = {lot.unit: lot for lot in lots(config, readings)}
        self._envelope = Envelope(config, readings, Solver(seconds=timeout))

    def of(self, share: ShareChange, unit: UnitChange) -> Example | None:
        """For the first number of the unit that falls; None where none does."""
        for name, changes in unit.quantities.items():
            if changes is Direction.WEAKER and unit.before is not None and unit.after is not None:
                before, after = getattr(unit.before, name), getattr(unit.after, name)
                find = {"sure": self._sure, "at_once": self._at_once, "most": self._most, "unstopped": self._unstopped}
                shows, scenario = find[name](share.share, unit.unit, before, after)
                told = f"plan-{share.share}-{unit.unit}"
                return Example(shows, replace(scenario, name=told, about=f"{shows}.") if scenario else None)
        return None

    def _sure(self, share: str, unit: str, before: int, after: int) -> tuple[str, Scenario | None]:
        stage = self._stage(f"{share} was sure of {before} {self._unit(unit)}, and is of {after}.")
        lot = self._lots[unit]
        borrows = before > lot.grants[[s.name for s in self.config.shares].index(share)].limit
        because = "It waits although all that is borrowed may be taken back"
        because = "It waits, and what borrows takes nothing back" if borrows else because
        found = self._filled(share, unit, before)
        made = stage.waits(found, drains=True, because=because) if found else None
        if made is None:
            asked = (Bound({unit: 1}, before),)
            found = self._reach(unit, lambda view: does_not_fit(view, share, asked))
            made = stage.waits(found, drains=True, because=because) if found else None
        said = f"{share}: a job of {before} {self._unit(unit)} was sure to run; now it can wait for ever"
        return f"{said}{self._beside(found)}", made

    def _filled(self, share: str, unit: str, n: int) -> Reached | None:
        """Owners within their limits, the largest first, that leave no room for a job of `n`: what mostly shows it, and is
        found without the solver. None where it takes more."""
        lot, names = self._lots[unit], [s.name for s in self.config.shares]
        i = names.index(share)
        if n > lot.most(i):
            return Reached({}, {(share, unit): n})
        others = sorted((k for k in range(len(names)) if k != i), key=lambda k: -lot.grants[k].lendable)
        left = lot.cap(borrowing=n > lot.grants[i].limit) + 1 - n - (lot.kept - lot.grants[i].kept)
        usage: dict[tuple[str, str], int] = {}
        for k in others:
            more = min(left, lot.grants[k].lendable)
            if more > 0:
                usage[names[k], unit] = lot.grants[k].kept + more
                left -= more
        return Reached(usage, {(share, unit): n}) if left <= 0 else None

    def _at_once(self, share: str, unit: str, before: int, after: int) -> tuple[str, Scenario | None]:
        asked = (Bound({unit: 1}, before),)
        found = self._reach(unit, lambda view: not_at_once(view, share, asked))
        stage = self._stage(f"{share} had {before} {self._unit(unit)} at once, and has {after}.")
        return (
            f"{share}: up to {before} {self._unit(unit)} started at once; now a job can wait for stops{self._beside(found)}",
            stage.waits(found, drains=False, because="It waits until something is stopped") if found else None,
        )

    def _most(self, share: str, unit: str, before: int, after: int) -> tuple[str, Scenario | None]:
        found = Reached({}, {(share, unit): before})
        stage = self._stage(f"{share} could hold {before} {self._unit(unit)}, and can hold {after}.")
        return (
            f"{share}: a job of {before} {self._unit(unit)} could run; now it never can, at most {after}",
            stage.waits(found, drains=True, because="It waits although nothing else runs"),
        )

    def _unstopped(self, share: str, unit: str, before: int, after: int) -> tuple[str, Scenario | None]:
        def bad(view: Enumerated) -> Bool:
            cell = view.at(share, unit)
            return all_of(loses_loans(cell), cell.usage <= before)

        found = self._reach(unit, bad)
        stage = self._stage(f"{share} held {before} {self._unit(unit)} that nobody could stop, and holds {after}.")
        owner = next((other for other, _ in found.asks), "") if found else ""
        return (
            f"{share}: holding {before} {self._unit(unit)} it lost no job; now one can be stopped"
            f"{f' for {owner}' if owner else ''}",
            stage.loses(found, share, because="It is stopped for an owner") if found else None,
        )

    def _reach(self, unit: str, bad: Callable[[Enumerated], Bool]) -> Reached | None:
        found = self._envelope.reach(Question((unit,), bad))
        return found if isinstance(found, Reached) else None

    def _stage(self, says: str) -> Stage:
        return Stage(self.config, self.readings, "plan", says)

    def _unit(self, unit: str) -> str:
        return self.short.get(unit, unit)

    def _beside(self, found: Reached | None) -> str:
        """Who holds what in the state."""
        held = [f"{share} {n}" for (share, _), n in found.usage.items()] if found else []
        return f" (beside {listed(held)})" if held else ""
