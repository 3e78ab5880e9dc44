"""The lines that say the most: the verdict sentence, what was read, the counts at the end."""

from __future__ import annotations

from collections.abc import Iterator

from ..results import Severity, UnitTotal, Verification
from .layout import WIDTH, entry, shorten
from .outcome import Outcome, Word, codes, losing_shares
from .words import chosen_choices, combinations, ends, in_weight, promise

NAME = 40


def headline(verification: Verification, judged: Outcome) -> list[str]:
    """The verdict sentence, then at most one more."""
    queue = shorten(verification.queue, NAME)
    if judged.word is Word.UNKNOWN:
        return [f"{queue}: {_undecided(judged)}"]
    if judged.word is Word.BROKEN:
        return _broken(queue, verification, judged)
    lines = [f"{queue}: every share keeps what it was given, whatever jobs arrive."]
    resting = ends(combinations(judged.resting))
    if resting:
        many = "One answer rests" if len(resting) == 1 else f"{len(resting)} answers rest"
        lines.append(f'{many} on something AWS does not document: see "Rests on".')
    return lines


def _undecided(judged: Outcome) -> str:
    if judged.undecided:
        names = ", ".join(codes(judged.undecided))
        return f"could not decide {names}. That is not a yes."
    return "not everything was proved. That is not a yes."


def _broken(queue: str, verification: Verification, judged: Outcome) -> list[str]:
    losers = losing_shares(verification)
    total = len({r.share for r in verification.rows})
    if losers:
        what = "it was" if len(losers) == 1 else "they were"
        return [f"{queue}: {len(losers)} of {total} shares cannot count on what {what} given.", *_worst(verification)]
    if judged.broken:
        first, *_ = ordered = in_weight(judged.broken)
        names = codes(ordered)
        under = chosen_choices(first, verification.assumed)
        verb = "is" if len(names) == 1 else "are"
        cause = f" with {under}" if under else ""
        line = f"{queue}: {', '.join(names)} {verb} broken{cause}."
        return [line, f"{first.code}: {promise(first.code) or first.because}"]
    return [f"{queue}: {judged.errors[0].title}."]


def _worst(verification: Verification) -> Iterator[str]:
    def excess(total: UnitTotal) -> int:
        return total.given - (total.capacity or 0) if total.capacity is not None else 0

    worst = max(verification.units, key=excess, default=None)
    if worst is not None and excess(worst) > 0:
        unit = shorten(worst.unit, NAME)
        yield f"Worst: {worst.given} {unit} are given to shares, the environment has {worst.capacity}."


def read_line(verification: Verification) -> Iterator[str]:
    """What was read and what was left out, followed by an empty line."""
    left = f"; left out: {', '.join(verification.left_out)}" if verification.left_out else ""
    if verification.read or left:
        lines = entry("read", f"{verification.read}{left}")
        yield from lines if len(lines) <= 2 else [lines[0], f"{lines[1][: WIDTH - 4]} ..."]
        yield ""


def counts(verification: Verification, judged: Outcome) -> str:
    """ "2 errors, 3 warnings, 1 note"; errors are always named, and guarantees broken beyond them."""
    number = {s: sum(f.severity is s for f in verification.findings) for s in Severity}
    said = [f"{n} {s}{'' if n == 1 else 's'}" for s, n in number.items() if n or s is Severity.ERROR]
    losers = set(losing_shares(verification))
    broken = codes([r for r in judged.broken if r.subject.split(",")[0] not in losers])
    return ", ".join([*([f"{len(broken)} broken"] if broken else []), *said])


def seconds(verification: Verification) -> str:
    return f"{verification.seconds:.1f} s"
