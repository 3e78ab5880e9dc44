"""QP301 and QP304: two sources say different things about one object; no source says what the environment has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ...spec.formats.drift import NOT_COUNTED
from ..results import Finding, Severity
from .check import Check, Subject

if TYPE_CHECKING:
    from ...spec.formats import Difference


def find(subject: Subject) -> Iterable[Finding]:
    pairs: dict[tuple[str, str], list[Difference]] = {}
    for difference in subject.drift:
        pairs.setdefault((difference.what, _file(difference.other_place)), []).append(difference)
    for (what, file), found in pairs.items():
        first = found[0]
        missing = not first.field
        told = [_told(d) for d in found if d.field]
        if first.value == NOT_COUNTED:
            told = [f"It does not count: {file} lists every share of the queue and was given first."]
        yield Finding(
            code="QP301",
            severity=Severity.WARNING,
            title=f"{what} is not in {file}" if missing else f"{what} is different in {file}",
            place=first.place,
            body=tuple(told),
            share=first.share,
            unit=first.unit if len(found) == 1 else "",
            fix=f"add it to {file}, or leave out what is out of date"
            if missing
            else "change one of the two, or leave out what is out of date; what was given first is judged",
        )


def _told(difference: Difference) -> str:
    return f"{difference.field}: {difference.value} is judged; {difference.other} at {difference.other_place}"


def _file(place: str) -> str:
    name, _, line = place.rpartition(":")
    return name if name and line.isdigit() else place


QP301 = Check(
    "QP301",
    Severity.WARNING,
    "two sources differ",
    "The same share, environment, queue or policy stands in several of the files, with different content: a template and "
    "what is deployed, or an old and a new request. What was given first on the command line is judged; folders are read "
    "in the order of their file names. A share that comes after a source which lists every share of the queue, and lacks "
    "it, does not count.",
    find,
)


def assumed(subject: Subject) -> Iterable[Finding]:
    if subject.assumed:
        yield Finding(
            code="QP304",
            severity=Severity.WARNING,
            title="the environment is not among the files: the sum of the limits is taken for it",
            place=subject.place(subject.config.shares[0].name, "share"),
            body=("Whether more is given than there is cannot be found so.",),
            fix="add the output of `aws batch describe-service-environments`",
        )


QP304 = Check(
    "QP304",
    Severity.WARNING,
    "the environment is not among the files",
    "What the shares can count on depends on what the service environment has. Without it the sum of the limits is taken, "
    "which is the answer where exactly as much is given as there is.",
    assumed,
)
