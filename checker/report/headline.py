"""The lines that say the most: the verdict sentence, what was read, the counts at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ..promised import Promised
from ..results import Finding, Result, Severity, Source, UnitTotal, Verification
from . import conformed, planned
from .audited import verdict
from .audited_rules import counted as counted_of_audit
from .layout import WIDTH, entry, shorten
from .options import Options
from .outcome import Outcome, Word, codes, losing_shares
from .partition import Class, classify, waiver
from .promised import broken as broken_promises
from .promised import numbers_of
from .words import chosen_choices, combinations, ends, in_weight, promise

NAME = 40


def headline(verification: Verification, judged: Outcome) -> list[str]:
    """The verdict sentence, then at most one more."""
    queue = shorten(verification.began.subject, NAME)
    if judged.word is Word.UNUSABLE:
        said = verification.ended.unusable.rstrip(".")
        return [f"{queue}: {said}." if queue else f"{said}."]
    if verification.began.command == "audit":
        return [f"{queue}: {verdict(verification, judged)}"]
    if verification.began.command == "conform":
        return [f"{queue}: {line}" for line in conformed.verdict(verification, judged)]
    if verification.began.command == "plan":
        return [f"{queue}: {planned.verdict(verification, judged)}"]
    if judged.word is Word.UNKNOWN:
        return [f"{queue}: {_undecided(judged)}"]
    if judged.word in (Word.BROKEN, Word.WARNED):
        return _broken(queue, verification, judged.failed, judged.broken, judged.promises)
    if judged.word is Word.WAIVED:
        return _waived(queue, verification, judged)
    given = ", if the environment has as much" if any(u.assumed for u in verification.units) else ""
    lines = [f"{queue}: every share keeps what it was given{given}, whatever jobs arrive."]
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


def _waived(queue: str, verification: Verification, judged: Outcome) -> list[str]:
    """What does not hold, and until when that is accepted."""
    findings = tuple(e for e in judged.waived if isinstance(e, Finding))
    results = tuple(e for e in judged.waived if isinstance(e, Result))
    promises = tuple(e for e in judged.waived if isinstance(e, Promised))
    what, *more = _broken(queue, verification, findings, results, promises)
    dates = sorted({by.until for by in map(waiver, judged.waived) if by is not None})
    until = f"until {dates[0]}" + (" at first" if len(dates) > 1 else "")
    return [f"{what.removesuffix('.')}; accepted {until}.", *more]


def _broken(
    queue: str,
    verification: Verification,
    failed: Sequence[Finding],
    broken: Sequence[Result],
    promises: Sequence[Promised],
) -> list[str]:
    said = broken_promises(verification, promises)
    if not failed and not broken:
        return [f"{queue}: {said}.", f"{promises[0].code}: {promises[0].says}"]
    return [*_unpromised(queue, verification, failed, broken), *([f"{said.capitalize()}."] if said else [])]


def _unpromised(
    queue: str, verification: Verification, failed: Sequence[Finding], broken: Sequence[Result]
) -> list[str]:
    """What is wrong beside the promises."""
    losers = losing_shares(verification)
    total = len({r.share for r in verification.rows})
    if losers:
        what = "it was" if len(losers) == 1 else "they were"
        return [f"{queue}: {len(losers)} of {total} shares cannot count on what {what} given.", *_worst(verification)]
    if broken:
        first, *_ = ordered = in_weight(broken)
        names = codes(ordered)
        under = chosen_choices(first, verification.began.assumed)
        verb = "is" if len(names) == 1 else "are"
        cause = f" with {under}" if under else ""
        line = f"{queue}: {', '.join(names)} {verb} broken{cause}."
        return [line, f"{first.code}: {promise(first.code) or first.because}"]
    return [f"{queue}: {failed[0].title}."]


def _worst(verification: Verification) -> Iterator[str]:
    def excess(total: UnitTotal) -> int:
        return total.given - (total.capacity or 0) if total.capacity is not None else 0

    worst = max(verification.units, key=excess, default=None)
    if worst is not None and excess(worst) > 0:
        unit = shorten(worst.unit, NAME)
        yield f"Worst: {worst.given} {unit} are given to shares, the environment has {worst.capacity}."


def read_line(verification: Verification, *, whole: bool) -> Iterator[str]:
    """What was read and what was left out, followed by an empty line; two lines of it unless `whole`."""
    began = verification.began
    read = kinds_read(began.sources)
    left = f"; left out: {', '.join(began.left_out)}" if began.left_out else ""
    if read or left:
        lines = entry("read", f"{read}{left}")
        yield from lines if whole or len(lines) <= 2 else [lines[0], f"{lines[1][: WIDTH - 4]} ..."]
        yield ""


def kinds_read(sources: Sequence[Source]) -> str:
    """The kinds that were read, counted, in order; with the names of files that do not name their kind.

    After the first create-* request the others are written without "create".
    """
    said: list[str] = []
    created = False
    for kind, number in sorted(Counter(s.kind for s in sources).items()):
        name = kind.removeprefix("create") if created else kind
        created = created or kind.startswith("create-")
        files = [_file(s) for s in sources if s.kind == kind and kind not in s.name]
        where = f" ({_some(files)})" if files else ""
        said.append(f"{name}{where}" if number == 1 else f"{name} x{number}{where}")
    return ", ".join(said)


def _file(source: Source) -> str:
    return "standard input" if source.path == "-" else shorten(source.name, NAME)


def _some(names: Sequence[str], most: int = 3) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def counts(verification: Verification, judged: Outcome, options: Options) -> str:
    """ "2 errors, 3 warnings, 1 note, 4 checks broken, 1 accepted"; errors are always named."""
    if verification.began.command == "audit":
        return counted_of_audit(judged)
    counted = [f for f in verification.findings if classify(f, options) is not Class.WAIVED]
    number = {s: sum(f.severity is s for f in counted) for s in Severity}
    said = [f"{n} {s}{'' if n == 1 else 's'}" for s, n in number.items() if n or s is Severity.ERROR]
    broken = len(judged.broken)
    said += [f"{broken} check{'' if broken == 1 else 's'} broken"] if broken else []
    said += [f"{some} broken" for some in numbers_of(p.code for p in judged.promises)]
    waived = len(verification.findings) - len(counted) + len({p.code for p in judged.waived if isinstance(p, Promised)})
    return ", ".join([*said, *([f"{waived} accepted"] if waived else [])])


def seconds(verification: Verification) -> str:
    return f"{verification.ended.seconds:.1f} s"
