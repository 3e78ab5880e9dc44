"""The kinds of terms that a promise can have: each key of the file with the function that reads it. Trusted: nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ...model import MAX_PRIORITY, QueueConfig
from ...promises import (
    Amounts,
    BorrowsAtMost,
    By,
    Changes,
    Fits,
    Gets,
    HoldsAtMost,
    IdleWhileWaiting,
    Measure,
    Measured,
    PriorityBand,
    Recovery,
    StopsPerJob,
    Term,
    Undisturbed,
)
from ..errors import InputError, listed, nearest, shown
from ..units import candidates
from .evidence import folders
from .part import Part


@dataclass(frozen=True)
class Names:
    """What a promise may speak of: the shares and units of the queue, and what the file has named so far."""

    config: QueueConfig
    weights: Mapping[str, Amounts] = field(default_factory=dict[str, Amounts])
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def share(self, part: Part) -> str:
        """The share that a part names."""
        name, known = part.text(), [s.name for s in self.config.shares]
        if name not in known:
            raise self.unknown(part, "share", name, known)
        return name

    def unit(self, part: Part, text: str) -> str:
        """The unit that `text` means."""
        found, known = candidates(text, self.config.units), self.config.units
        if len(found) > 1:
            raise part.wrong(
                f"{shown(text)} may be {listed(found, most=5)}", "write as much of the name as tells them apart."
            )
        if not found:
            raise self.unknown(part, "unit", text, [*self.weights, *known])
        return found[0]

    def amounts(self, parts: Mapping[str, Part], whole: Part, *, least: int = 0, measures: bool = True) -> Amounts:
        """Unit -> count, or one measure with its count."""
        found: dict[str, int] = {}
        for name, part in parts.items():
            measure = name in self.weights
            if measure and not measures:
                raise part.wrong(f"{name} is a measure, and a job asks for machines",
                                 f"name the unit: {listed(self.weights[name], most=5)}.")  # fmt: skip
            unit = name if measure else self.unit(part, name)
            if unit in found:
                raise part.wrong(f"{unit} is given twice", "delete one of the two.",
                                 why="Nothing says which of the two counts.")  # fmt: skip
            found[unit] = part.count(least)
        if not found:
            raise whole.wrong("no unit is named", "add one with its count, such as ml.p5.48xlarge: 2.")
        if len(found) > 1 and any(name in self.weights for name in found):
            raise whole.wrong("a measure stands beside another amount", "make a promise of each.",
                              why="What is counted in a measure would be counted twice.")  # fmt: skip
        return found

    def unknown(self, part: Part, noun: str, name: str, known: Iterable[str]) -> InputError:
        """The error for a name that is none of the known ones."""
        every = list(known)
        near = nearest(name, every)
        fix = f"did you mean {near}?" if near else f"write one of {listed(every)}." if every else f"add the {noun}."
        return part.wrong(f"there is no {noun} {shown(name)}", fix, "A promise about nothing would always be kept.")


def _gets(part: Part, names: Names) -> Iterator[Term]:
    parts = part.entries()
    within = parts.pop("within", None)
    if within is None:
        raise part.wrong("within is missing", "add within: at-once, or a time such as within: 15m.")
    yield Gets(names.amounts(parts, part, least=1, measures=False), within.duration())


def _fits(part: Part, names: Names) -> Iterator[Term]:
    yield Fits(names.amounts(part.entries(), part, least=1, measures=False))


def _undisturbed(part: Part, _: Names) -> Iterator[Term]:
    if isinstance(part.value, dict):
        parts = part.fields(("by", "always"), ("by",))
        yield Undisturbed(By(parts["by"].word(tuple(By))), always="always" in parts and parts["always"].flag())
    else:
        yield Undisturbed(By(part.word(tuple(By))))


def _at_most(part: Part, names: Names) -> Iterator[Term]:
    yield HoldsAtMost(names.amounts(part.entries(), part))


def _borrows_at_most(part: Part, names: Names) -> Iterator[Term]:
    yield BorrowsAtMost(names.amounts(part.entries(), part))


def stops(part: Part, reached: Part | None) -> StopsPerJob:
    """`reached` stands beside the term: who decides then."""
    parts = part.fields(("at_most", "set_at_submit"), ("at_most",))
    more = {} if reached is None else reached.fields(("owner", "within", "choose"), ("owner",))
    return StopsPerJob(
        parts["at_most"].count(most=10_000),
        parts["set_at_submit"].text() if "set_at_submit" in parts else StopsPerJob.set_at_submit,
        more["owner"].text() if more else "",
        more["within"].text() if "within" in more else "",
        tuple(p.text() for p in more["choose"].texts()) if "choose" in more else (),
    )


def _recovery(part: Part, _: Names) -> Iterator[Term]:
    parts = part.fields(("checkpoint", "evidence", "not_older_than", "owner"))
    checkpoint = "checkpoint" in parts and parts["checkpoint"].word(("required", "optional")) == "required"
    evidence = parts["evidence"].text() if "evidence" in parts else ""
    if evidence:
        folders(evidence, parts["evidence"].where)
    if not checkpoint and not evidence:
        raise part.wrong("it asks for nothing", "add checkpoint: required, or evidence with the pattern of its files.")
    if "not_older_than" in parts and not evidence:
        raise parts["not_older_than"].wrong("nothing is named that could be too old", "add evidence, or delete it.")
    yield Recovery(
        checkpoint,
        evidence,
        parts["not_older_than"].duration() if "not_older_than" in parts else None,
        parts["owner"].text() if "owner" in parts else "",
    )


def _priority(part: Part, _: Names) -> Iterator[Term]:
    parts = part.fields(("from", "to", "meaning", "set_by", "at_most_jobs"), ("from", "to"))
    low, high = parts["from"].count(most=MAX_PRIORITY), parts["to"].count(most=MAX_PRIORITY)
    if high < low:
        raise part.wrong(f"the band goes from {low} to {high}", "write the lower priority at from.",
                         why="No priority is in it.")  # fmt: skip
    yield PriorityBand(
        low,
        high,
        parts["meaning"].text() if "meaning" in parts else "",
        tuple(p.text() for p in parts["set_by"].texts()) if "set_by" in parts else (),
        parts["at_most_jobs"].count() if "at_most_jobs" in parts else None,
    )


def _idle(part: Part, names: Names) -> Iterator[Term]:
    parts = part.fields(("unit", "at_most"), ("unit", "at_most"))
    yield IdleWhileWaiting(names.unit(parts["unit"], parts["unit"].text()), parts["at_most"].duration())


def _changes(part: Part, _: Names) -> Iterator[Term]:
    yield Changes(part.fields(("shrink_notice",), ("shrink_notice",))["shrink_notice"].notice())


def _measured(part: Part, _: Names) -> Iterator[Term]:
    every = part.fields(tuple(Measure))
    if not every:
        raise part.wrong("no measure is named", f"add one of {', '.join(Measure)}.")
    for name, one in every.items():
        parts, measure = one.fields(("at_most", "over"), ("at_most",)), Measure(name)
        bound = parts["at_most"]
        at_most = bound.percent() if measure is Measure.LOST_SHARE else float(bound.duration())
        yield Measured(measure, at_most, parts["over"].text() if "over" in parts else "")


READERS: Mapping[type[Term], Callable[[Part, Names], Iterator[Term]]] = {
    Gets: _gets,
    Fits: _fits,
    Undisturbed: _undisturbed,
    HoldsAtMost: _at_most,
    BorrowsAtMost: _borrows_at_most,
    Recovery: _recovery,
    PriorityBand: _priority,
    IdleWhileWaiting: _idle,
    Changes: _changes,
    Measured: _measured,
}
"""Kind of term -> what reads it; `StopsPerJob` is read by `stops`, since a second field belongs to it."""
REACHED = "on_reached"
"""Who decides when a job of `StopsPerJob` is not resubmitted by itself."""
