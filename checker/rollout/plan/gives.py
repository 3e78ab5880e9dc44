"""What `--give` found out, as events: every way with the command that plans it, and what counts where there is none.

Several wishes are asked one by one, each of the same configuration. Trusted: `give`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ....spec.formats.changes.settings import Setting
from ...planned import Giving
from ...results import Event, Result, Verdict
from ..promises.case import Case
from .findings import not_given
from .give import give

Plans = Callable[[Sequence[tuple[str, str, int]]], str]
"""The command that plans these limits (share, unit, new limit) together with what is asked already."""


@dataclass(frozen=True)
class Wishes:
    """What is asked with `--give`."""

    settings: tuple[Setting, ...]
    plans: Plans

    def told(self, case: Case) -> Iterator[Event]:
        """One `Giving` for each, and a finding or a result where no way keeps every promise."""
        for setting in self.settings:
            assert isinstance(setting.value, int)
            found = give(case, setting.subject, setting.field, setting.value)
            yield replace(found, ways=tuple(replace(w, command=self._command(w.limits, found)) for w in found.ways))
            if found.undecided:
                yield Result("--give", Verdict.UNKNOWN, found.none, f"{found.share}, {found.unit}")
            elif found.none and found.had != found.wanted:
                yield not_given(found)

    def _command(self, limits: Mapping[str, int], found: Giving) -> str:
        first = sorted(limits, key=lambda share: share != found.share)
        return self.plans([(share, found.unit, limits[share]) for share in first])
