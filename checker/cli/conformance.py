"""What `explain` says of conformance: profiles, the features that a backend declares, the scenarios of the corpus."""

from __future__ import annotations

from collections.abc import Iterable

from ..conform.features import FEATURES
from ..conform.profiles import Profile
from ..report.layout import entry, paragraph


def corpus() -> str:
    """Every scenario with what it is about and which guarantees, by kind."""
    from ..conform.corpus import KINDS, entries

    lines = ["Scenarios for any scheduler in any language; docs/reference/corpus.md says how to run them."]
    for kind, about in KINDS.items():
        scenarios = [e.scenario for e in entries() if e.kind == kind]
        lines += ["", f"{kind}: {len(scenarios)} scenarios. {about}"]
        for scenario in scenarios:
            told = ", ".join((*scenario.checks, *scenario.reported))
            lines += [scenario.name, *paragraph(f"{scenario.about} {told}")]
    return _joined(lines)


def features() -> str:
    """Every feature with its sentence and the rules that speak of it."""
    lines = ["What a backend may declare that it can do. A scenario that needs more is skipped."]
    for feature in FEATURES.values():
        lines += [feature.name, *paragraph(f"{feature.sentence} {', '.join(feature.rests_on)}")]
    return _joined(lines)


def profile(it: Profile) -> str:
    """What a profile asks for."""
    from ..conform.sometimes import GOALS

    lines = [it.name, *paragraph(it.about)]
    lines += [
        "Core features",
        *paragraph(f"{', '.join(it.core)}. Without one a backend is conformant in part at most."),
    ]
    lines += ["Extended features", *paragraph(", ".join(it.extended))]
    lines += ["Guarantees", *paragraph(f"{', '.join(it.guarantees)}. Each must come up, or it is undecided.")]
    for code, required in it.guarantees.items():
        lines += (
            paragraph(f"{code} need not come up: a scheduler may be such that {required.unless}.")
            if required.unless
            else []
        )
    lines += [
        "In real time",
        *paragraph(
            f"A real scheduler has {it.response:g} s for what it owes: an owner its machines, a head that fits its start."
        ),
    ]
    lines += ["Must have happened in a run", *(line for name in it.goals for line in entry("", GOALS[name].sentence))]
    lines += ["Open questions that a backend may answer otherwise than by default"]
    for code, choices in it.readings.items():
        lines += paragraph(f"{code}={' | '.join(choices)}")
    return _joined(lines)


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
