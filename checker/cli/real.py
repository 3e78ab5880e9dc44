"""What `explain` says of real schedulers: what each needs, in which ways a queue is told to it, and what is lost.

Nothing is stated here a second time: sentences come from the mappings and variants, and what is lost is what they say of a
queue in which every strategy occurs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ...spec.formats.scenario import Scenario
from ...spec.model import Strategy
from ..conform.backend import Loss
from ..generate.configs import queue_of, share_of, totals
from ..report.layout import entry, paragraph

_OWN = "It runs in namespaces and a folder of its own, on loopback only, and needs root and unshare."


def slurm() -> str:
    """Packages, mappings, and what each loses."""
    from ..conform.slurm import accounting, daemons
    from ..conform.slurm.backend import MAPPINGS

    lines = ["A real Slurm, started from each scenario's queue: quotaproof conform slurm[:MAPPING]", *paragraph(_OWN)]
    lines += _install(daemons.PACKAGES, accounting.PACKAGES)
    for name, kind in MAPPINGS.items():
        lines += ["", f"slurm:{name}" if name else "slurm", *paragraph(_sentence(kind.__doc__))]
        lines += paragraph("Needs slurmdbd and MariaDB.") if kind.database else []
        lines += [*_without(kind.features), *_chooses(kind.choices)]
        lines += paragraph(f"capacity {kind.capacity}, profile {kind.profile}")
        lines += _lost(kind("l", _every(), ("gpu",)).check())
    return _joined(lines)


def htcondor() -> str:
    """What is installed, what is lost whatever the variant, and variants."""
    from ..conform.htcondor.backend import CHOICES, features
    from ..conform.htcondor.layout import Layout
    from ..conform.htcondor.variants import NAME, VARIANTS

    lines = [f"A real HTCondor, started from each scenario's queue: quotaproof conform {NAME}[:VARIANT]"]
    lines += [*paragraph(_OWN), *paragraph("The first run installs it in a Debian 13 of its own, by debootstrap.")]
    lines += [*_chooses(CHOICES), *_lost(Layout(_every(), VARIANTS[""]).check())]
    for name, variant in VARIANTS.items():
        lines += ["", f"{NAME}:{name}" if name else NAME, *paragraph(f"{variant.about[0].upper()}{variant.about[1:]}.")]
        lines += _without(features(variant))
    return _joined(lines)


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
