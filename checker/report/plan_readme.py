"""What the README of a plan's folder says first: whether the plan may be carried out, who loses what, which jobs it ends."""

from __future__ import annotations

from collections.abc import Iterator

from ..results import Verification
from . import planned
from .layout import plain
from .markdown import escaped
from .outcome import Outcome
from .plan_md import ending


def head(verification: Verification, judged: Outcome) -> str:
    """In Markdown; what it quotes is escaped."""
    return "\n".join(_lines(plain(verification), judged))


def _lines(verification: Verification, judged: Outcome) -> Iterator[str]:
    said = escaped(planned.verdict(verification, judged))
    unsafe = planned.unsafe(verification, judged)
    yield (
        f"**NOT SAFE: {escaped(unsafe)}** The verdict is {judged.word}: {said}" if unsafe else f"{judged.word}: {said}"
    )
    yield ""
    lines = list(_losses(verification, judged))
    yield from [*lines, ""] if lines else []
    yield from ending(verification)


def _losses(verification: Verification, judged: Outcome) -> Iterator[str]:
    """A line for each broken promise, finding, guarantee and weaker share."""
    if why := planned.stops(verification):
        yield f"- STOP {escaped(why)}"
    for promise in judged.promises:
        yield f"- **{promise.code}** is broken: {escaped(promise.says)} {escaped(promise.result.because)}"
    for result in (*judged.broken, *judged.undecided):
        about = f" ({escaped(result.subject)})" if result.subject else ""
        yield f"- **{result.code}**{about} {result.verdict}: {escaped(result.because)}"
    told = [f for f in judged.failed if f.code != planned.TOO_MANY]
    for finding in (*told, *(f for f in verification.findings if f.code == "QP310" and f not in told)):
        yield f"- **{finding.code}** {escaped(finding.title)}"
        yield from (f"  {escaped(line)}" for line in finding.body)
