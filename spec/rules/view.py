"""What a rule may ask of a queue.

A rule speaks of one `Cell` (one share, one unit) and of `cell.total(quantity)` over all shares; it never iterates over
shares. What "all shares" means is the view's business: `Enumerated` names every share (a given configuration),
`Summarised` keeps the shares of a step and one unknown per quantity for the rest (any number of shares), `Running`
keeps one running sum per quantity (a history or a run, whatever the number of shares).

A cell splits what is draining and claimed by one *watched* claim: `due` belongs to claims up to it, `later` to claims
after it. Trusted: that laws are linear without a constant, so that what is proved of one share holds of any sum.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias, cast

from ..expr.nodes import Bool, Int, Node, add, bool_var, const, int_var, named
from ..expr.walk import variables
from ..readings import READINGS, Readings

Share: TypeAlias = str
Unit: TypeAlias = str
Effect: TypeAlias = Mapping[tuple[str, ...], Int]
"""Field, share and unit (or "capacity" and unit) -> its number after a step."""

CELL_FIELDS = (
    "usage", "drains_due", "drains_later", "claims_due", "claims_later", "freed", "limit", "lendable", "borrowable",
)  # fmt: skip


@dataclass(frozen=True)
class View(ABC):
    """The shares and units that expressions may name; numbers are variables unless `known` or `changed` gives them."""

    shares: tuple[Share, ...]
    units: tuple[Unit, ...]
    readings: Readings | None = None
    """None: readings stay symbolic, so that one proof covers every choice."""
    known: Mapping[tuple[str, ...], int] = field(default_factory=dict[tuple[str, ...], int])
    changed: Effect = field(default_factory=dict[tuple[str, ...], Int])
    _made: dict[tuple[str, ...], Int] = field(
        default_factory=dict[tuple[str, ...], Int], init=False, compare=False, repr=False
    )
    """Numbers and sums that were asked for before."""

    def at(self, share: Share, unit: Unit) -> Cell:
        """The cell of a share and a unit."""
        return Cell(self, share, unit)

    def cells(self, share: Share) -> Iterable[Cell]:
        """The cells of a share, one a unit."""
        return (self.at(share, unit) for unit in self.units)

    def number(self, *key: str) -> Int:
        """A number of the state: (field, share, unit), (field, share) or ("capacity", unit)."""
        made = self._made.get(key)
        if made is None:
            made = self.changed.get(key)
            if made is None:
                value = self.known.get(key)
                made = int_var(".".join(key)) if value is None else const(int(value))
            self._made[key] = made
        return made

    def fact(self, *key: str) -> Bool:
        """A truth value of the state."""
        value = self.known.get(key)
        return bool_var(".".join(key)) if value is None else const(bool(value))

    def reading(self, code: str, choice: str) -> Bool:
        """Whether the open question `code` is read as `choice`."""
        if choice not in READINGS[code].choices:
            raise KeyError(f"{code} has no choice {choice}")
        return bool_var(f"{code}={choice}") if self.readings is None else const(self.readings[code] == choice)

    def after(self, effect: Effect) -> Self:
        """The same queue after a step."""
        return replace(self, changed={**self.changed, **effect})

    def before(self) -> Self:
        """The same queue before any step."""
        return replace(self, changed={})

    @abstractmethod
    def total(self, quantity: Quantity, unit: Unit) -> Int:
        """The sum of a quantity over all shares."""


class Enumerated(View):
    """Every share is named."""

    def total(self, quantity: Quantity, unit: Unit) -> Int:
        key = "total", quantity.name, unit
        made = self._made.get(key)
        if made is None:
            every = add(*[quantity(self.at(s, unit)) for s in self.shares])
            made = self._made[key] = named(f"all shares' {quantity.title}", every)
        return made


class Named(View):
    """Sums are only named: a formula as it is written, whatever the shares."""

    def total(self, quantity: Quantity, unit: Unit) -> Int:
        return int_var(f"total.{quantity.name}.{unit}")


class Summarised(View):
    """The named shares and any number of others, of which only the sum of each quantity is known."""

    def total(self, quantity: Quantity, unit: Unit) -> Int:
        key = "total", quantity.name, unit
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._total(quantity, unit)
        return made

    def _total(self, quantity: Quantity, unit: Unit) -> Int:
        explicit = [quantity(self.at(s, unit)) for s in self.shares]
        return named(f"all shares' {quantity.title}", add(*explicit, self.rest(quantity, unit)))

    def rest(self, quantity: Quantity, unit: Unit) -> Int:
        """The sum of a quantity over the shares that are not named."""
        return int_var(f"rest.{quantity.name}.{unit}")


class Running(View):
    """One running sum per quantity and unit, given by the state as total.<quantity>.<unit>; steps change named shares."""

    def total(self, quantity: Quantity, unit: Unit) -> Int:
        now = int_var(f"total.{quantity.name}.{unit}")
        touched = [s for s in self.shares if any(key[1:] == (s, unit) for key in self.changed)]
        old = self.before()
        change = [quantity(self.at(s, unit)) - quantity(old.at(s, unit)) for s in touched]
        return named(f"all shares' {quantity.title}", add(now, *change))


@dataclass(frozen=True)
class Cell:
    """One share, one unit. Numbers of instances."""

    view: View
    share: Share
    unit: Unit

    def _number(self, name: str) -> Int:
        return self.view.number(name, self.share, self.unit)

    @property
    def usage(self) -> Int:
        """Held by dispatched jobs, draining ones included (rule 16)."""
        return self._number("usage")

    @property
    def drains_due(self) -> Int:
        """Held by victims of claims up to the watched one."""
        return self._number("drains_due")

    @property
    def drains_later(self) -> Int:
        """Held by victims of claims after the watched one."""
        return self._number("drains_later")

    @property
    def claims_due(self) -> Int:
        """Asked by live claims up to the watched one, itself included."""
        return self._number("claims_due")

    @property
    def claims_later(self) -> Int:
        """Asked by live claims after the watched one."""
        return self._number("claims_later")

    @property
    def limit(self) -> Int:
        """Own capacity limit (rule 14)."""
        return self._number("limit")

    @property
    def lendable(self) -> Int:
        """The part of the limit that others may use while it is idle, 0..limit (rule 19)."""
        return self._number("lendable")

    @property
    def borrowable(self) -> Int:
        """How much beyond the limit the share may use, where it is not `unlimited` (rules 20, 21)."""
        return self._number("borrowable")

    @property
    def unlimited(self) -> Bool:
        """No maximum on borrowing."""
        return self.view.fact("unlimited", self.share, self.unit)

    @property
    def may_borrow(self) -> Bool:
        """Whether the share's strategy lets it borrow at all (rule 19)."""
        return self.view.fact("may_borrow", self.share)

    @property
    def freed(self) -> Int:
        """Freed so far by victims of claims up to the watched one, and still idle (A58 freed)."""
        return self._number("freed")

    @property
    def asks(self) -> Int:
        """What the share's job of this step wants of the unit; 0 when it does not want it."""
        return self._number("asks")

    @property
    def takes(self) -> Int:
        """What the share's victim of this step holds of the unit."""
        return self._number("takes")

    @property
    def capacity(self) -> Int:
        """The environment's limit for the unit (rule 12)."""
        return self.view.number("capacity", self.unit)

    def total(self, quantity: Quantity) -> Int:
        """The sum of a quantity over all shares, in this unit."""
        return self.view.total(quantity, self.unit)

    def reading(self, code: str, choice: str) -> Bool:
        """Whether an open question is read so."""
        return self.view.reading(code, choice)


@dataclass(frozen=True, eq=False)
class Quantity:
    """A number derived from one cell, with its sentence and the rule it rests on."""

    name: str
    source: str
    meaning: Callable[[Cell], Int]
    sentence: str

    @property
    def title(self) -> str:
        return self.name.replace("_", " ")

    def __call__(self, cell: Cell) -> Int:
        return named(f"{self.title} of {cell.share} in {cell.unit}", self.meaning(cell))


QUANTITIES: dict[str, Quantity] = {}
"""Every quantity by name, in the order of definition."""


def quantity(source: str) -> Callable[[Callable[[Cell], Int]], Quantity]:
    """Register a function of a cell as a quantity."""

    def register(meaning: Callable[[Cell], Int]) -> Quantity:
        made = Quantity(cast("Any", meaning).__name__, source, meaning, (meaning.__doc__ or "").strip())
        QUANTITIES[made.name] = made
        return made

    return register


def readings_in(*roots: Node) -> list[str]:
    """The readings that formulas name, in order of their codes."""
    return sorted({name.partition("=")[0] for name in variables(*roots) if "=" in name})
