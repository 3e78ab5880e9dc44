"""What is wrong with the new configuration and was not with the old one: findings, and guarantees that it breaks.

Nothing here judges: findings come from `checker.findings`, verdicts from `prove.verify`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from ....spec.formats.changes import Change
from ....spec.readings import Readings
from ...findings.catalogue import every
from ...findings.check import Subject
from ...findings.table import lots
from ...findings.waive import accept, waive
from ...prove.theorems import Proofs
from ...prove.verify import Judged, verdicts
from ...results import Event, Finding, Result, Severity, Verdict
from ...verify import shown

_ORDER = tuple(Severity)


@dataclass(frozen=True)
class Fresh:
    """Both configurations of a change, judged."""

    change: Change
    readings: Readings
    proofs: Proofs
    today: date

    def told(self) -> Iterator[Event]:
        """Findings, guarantees and rows of the new configuration, without what was broken before."""
        made, found = self._verdicts, self._findings
        results = accept(made.results, found)
        known = self._broken_before
        fresh = [r for r in results if (r.code, r.subject) not in known or r.verdict is not Verdict.BROKEN]
        yield from shown(found, [self._placed(r) for r in fresh], made.numbers)

    def already(self) -> Iterator[str]:
        """What was broken before and still is."""
        for code, subject in sorted(self._broken_before & _broken(self._verdicts.results)):
            yield f"{code} ({subject})" if subject else code

    @cached_property
    def _findings(self) -> list[Finding]:
        jobs, assumed = self.change.old.jobs, self.change.old.capacity_assumed
        subject = Subject(
            self.change.new,
            self.readings,
            lots(self.change.new, self.readings),
            self._place,
            assumed,
            jobs,
            self.change.old.drift,
        )
        fresh = [f for f in every(subject) if not self._known(f)]
        found = waive(fresh, [w for w in self.change.old.waivers if w.until >= self.today], self.today)
        return sorted((f for f in found if f.code != "QP303"), key=lambda f: _ORDER.index(f.severity))

    def _known(self, finding: Finding) -> bool:
        """Whether the old configuration has it: of this unit, or of this among several, where it names none of them."""
        code, share, unit = finding.code, finding.share, finding.unit
        if (code, share, unit) in self._found_before:
            return True
        if not unit or (code, share, "") not in self._found_before:
            return False
        subject = Subject.of(self.change.old, self.readings)
        alone = replace(subject, lots=tuple(lot for lot in subject.lots if lot.unit == unit))
        return any((f.code, f.share) == (code, share) and f.unit in ("", unit) for f in every(alone))

    @cached_property
    def _found_before(self) -> frozenset[tuple[str, str, str]]:
        return frozenset((f.code, f.share, f.unit) for f in every(Subject.of(self.change.old, self.readings)))

    def _place(self, share: str | None, field: str, unit: str | None = None) -> str:
        """Where a field of the new configuration is asked for, or stands as it was."""
        edit = next((e for e in self.change.edits if e.share == (share or "") and e.place), None)
        if edit is not None:
            return edit.place
        try:
            return self.change.old.place(share, field, unit)
        except KeyError:
            return ""

    def _placed(self, result: Result) -> Result:
        share, _, unit = result.subject.partition(", ")
        return replace(result, place=self._place(share, "limit", unit)) if unit else result

    @cached_property
    def _broken_before(self) -> frozenset[tuple[str, str]]:
        return _broken(verdicts(self.change.old.config, self.readings, self.proofs).results)

    @cached_property
    def _verdicts(self) -> Judged:
        return verdicts(self.change.new, self.readings, self.proofs)


def _broken(results: Sequence[Result]) -> frozenset[tuple[str, str]]:
    return frozenset((r.code, r.subject) for r in results if r.verdict is Verdict.BROKEN)
