"""What `explain` says of real schedulers: what each needs, in which ways a queue is told to it, what is lost, and what they
are known to do.

Nothing is stated here a second time: sentences come from the mappings and variants, and what is lost is what they say of a
queue in which every strategy occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from ...spec.formats.scenario import Scenario
from ...spec.model import Strategy
from ...spec.rules.guarantees import GUARANTEES
from ..conform.backend import Loss
from ..conform.real.findings import Finding
from ..generate.configs import queue_of, share_of, totals
from ..report.layout import entry, paragraph

_OWN = "It runs in namespaces and a folder of its own, on loopback only, and needs root and unshare."


def slurm() -> str:
    """Packages, mappings, and what each loses."""
    from ..conform.slurm import accounting, daemons
    from ..conform.slurm.backend import MAPPINGS

    lines = ["A real Slurm, started from each scenario's queue: quotaproof conform slurm[:MAPPING]", *paragraph(_OWN)]
    lines += _install(daemons.PACKAGES, accounting.PACKAGES)
    for name in MAPPINGS:
        lines += ["", *_mapping(name)]
    return _joined(lines)


def _mapping(name: str) -> list[str]:
    """One way in which a queue is told to Slurm."""
    from ..conform.slurm.backend import MAPPINGS

    kind = MAPPINGS[name]
    lines = [f"slurm:{name}" if name else "slurm", *paragraph(_sentence(kind.__doc__))]
    lines += paragraph("Needs slurmdbd and MariaDB.") if kind.database else []
    lines += [*_without(kind.features), *_chooses(kind.choices)]
    lines += paragraph(f"capacity {kind.capacity}, profile {kind.profile}")
    return [*lines, *_lost(kind("l", _every(), ("gpu",)).check())]


def htcondor() -> str:
    """What is installed, what is lost whatever the variant, and variants."""
    from ..conform.htcondor.backend import CHOICES
    from ..conform.htcondor.layout import Layout
    from ..conform.htcondor.variants import NAME, VARIANTS

    lines = [f"A real HTCondor, started from each scenario's queue: quotaproof conform {NAME}[:VARIANT]"]
    lines += [*paragraph(_OWN), *paragraph("The first run installs it in a Debian 13 of its own, by debootstrap.")]
    lines += [*_chooses(CHOICES), *_lost(Layout(_every(), VARIANTS[""]).check())]
    for name in VARIANTS:
        lines += ["", *_variant(name)]
    return _joined(lines)


def _variant(name: str) -> list[str]:
    """One way in which a queue is told to HTCondor."""
    from ..conform.htcondor.backend import features
    from ..conform.htcondor.variants import NAME, VARIANTS

    about = VARIANTS[name].about
    lines = [f"{NAME}:{name}" if name else NAME, *paragraph(f"{about[0].upper()}{about[1:]}.")]
    return [*lines, *_without(features(VARIANTS[name]))]


def alone() -> Mapping[str, Callable[[], str]]:
    """Each mapping and variant that has a name of its own, and each finding."""
    from ..conform.htcondor.variants import NAME, VARIANTS
    from ..conform.slurm.backend import MAPPINGS

    ways: dict[str, Callable[[], str]] = {f"slurm:{name}": partial(_way, _mapping, name) for name in MAPPINGS if name}
    ways |= {f"{NAME}:{name}": partial(_way, _variant, name) for name in VARIANTS if name}
    return ways | {f.name: partial(_finding, f) for f in findings()}


def findings() -> tuple[Finding, ...]:
    """What real schedulers do that a promise forbids, or looks as if."""
    from ..conform.htcondor import findings as htcondor
    from ..conform.slurm import findings as slurm

    return (*slurm.FINDINGS, *htcondor.FINDINGS)


def _way(lines: Callable[[str], list[str]], name: str) -> str:
    """A mapping or a variant alone, and what it is known to do."""
    head, *rest = lines(name)
    of = [f for f in findings() if head == f.shown_by]
    known = [line for f in of for line in entry(f.name, f.about)]
    return _joined([head, *rest, *known, *paragraph(f"What it needs: quotaproof explain {head.partition(':')[0]}")])


def _finding(f: Finding) -> str:
    broken = f"breaks {f.code}, {GUARANTEES[f.code].name}" if f.code else "breaks no promise: legal"
    lines = [*entry(f.name, f.about), *paragraph(f"{broken}; shown by {f.shown_by}")]
    lines += paragraph(f"not by {', '.join(f.avoided_by)}") if f.avoided_by else []
    return _joined([*lines, *paragraph(f"Page: {f.page}")])


def _every() -> Scenario:
    """A queue with every strategy and a borrow limit that cannot bind."""
    shares = (share_of("kept", {"gpu": 2}, Strategy.RESERVE), share_of("lender", {"gpu": 2}),
              share_of("borrower", {"gpu": 2}, Strategy.LEND_AND_BORROW, 200))  # fmt: skip
    return Scenario("every strategy", "", queue_of(totals(shares), shares), ())


def _install(packages: str, database: str) -> list[str]:
    return [
        *paragraph(f"apt-get install --no-install-recommends {packages}"),
        *paragraph(f"and for the mappings with a database: {database}"),
    ]


def _without(features: Iterable[str]) -> Iterator[str]:
    from ..conform.features import FEATURES

    has = frozenset(features)
    yield from paragraph(f"without {', '.join(f for f in FEATURES if f not in has)}")


def _chooses(choices: Mapping[str, str]) -> Iterator[str]:
    if choices:
        yield from paragraph(f"chooses {', '.join(f'{code}={choice}' for code, choice in choices.items())}")


def _lost(losses: Sequence[Loss]) -> Iterator[str]:
    for loss in losses:
        yield from entry("lost", f"{loss.what}: {loss.instead}")


def _sentence(text: str | None) -> str:
    return " ".join((text or "").split())


def _joined(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
