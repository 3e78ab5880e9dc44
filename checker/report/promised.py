"""What became of promises, for every form of report: one `Told` for each promise, from all that was judged of it.

A promise is as good as the worst of its terms. Trusted for one rule: one that was not decided is never said to be kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..promised import STOPS, How, Promised
from ..results import SHOWN_BY_HISTORY, Verification
from .layout import plain
from .options import Options
from .partition import Class, classify, without_waiver
from .words import of_promise

BROKEN, UNDECIDED, ALREADY, ACCEPTED = "BROKEN", "not decided", "broken already", "accepted"
KEPT, OUT_OF_FORCE = "kept", "not in force"
_LATER = {
    How.MEASURED: "measured by audit",
    How.AT_CHANGE: "checked by plan",
    How.RECORDED: "recorded",
    How.PROVED: "does not apply",
}
"""Of a term that nothing was said about here: who does."""
_ORDER = (BROKEN, UNDECIDED, ALREADY, ACCEPTED, OUT_OF_FORCE, KEPT)


@dataclass(frozen=True)
class Told:
    """One promise: what it came to, and everything that was judged of it."""

    code: str
    says: str
    word: str
    """BROKEN, not decided, broken already, accepted or not in force; else kept or who judges it, of several terms all."""
    parts: tuple[Promised, ...]

    @property
    def place(self) -> str:
        return self.parts[0].result.place

    @property
    def assumed(self) -> bool:
        """Whether it is no promise, but what promises rest on."""
        return self.parts[0].assumed

    @property
    def decisive(self) -> bool:
        """Whether somebody should look at it."""
        return self.word in (BROKEN, UNDECIDED, ALREADY, ACCEPTED)


def told(verification: Verification, options: Options) -> list[Told]:
    """Every promise: the broken ones first, then those not decided, accepted, and the others in the order of the file."""
    by_code: dict[str, list[Promised]] = {}
    for one in verification.promised:
        by_code.setdefault(one.code, []).append(one)
    every = [Told(code, parts[0].says, _word(parts, options), tuple(parts)) for code, parts in by_code.items()]
    return sorted(every, key=lambda t: _ORDER.index(t.word) if t.decisive else len(_ORDER))


def word(one: Promised, options: Options) -> str:
    """What one term came to, for one share."""
    if not one.in_force:
        return OUT_OF_FORCE
    if one.already:
        return ACCEPTED if one.result.waiver else ALREADY
    if one.result.verdict in SHOWN_BY_HISTORY:
        return UNDECIDED if classify(one, options) is Class.UNDECIDED else str(one.result.verdict).lower()
    match classify(one, options):
        case Class.FAILED:
            return BROKEN
        case Class.UNDECIDED | Class.OPEN:
            return UNDECIDED
        case Class.WAIVED:
            return ACCEPTED if without_waiver(one, options) is Class.FAILED else KEPT
        case Class.PASSED | Class.NOTED:
            return KEPT
        case Class.SKIPPED:
            return _LATER[one.how]


def _word(parts: Sequence[Promised], options: Options) -> str:
    words = list(dict.fromkeys(word(p, options) for p in parts))
    return next((w for w in (BROKEN, UNDECIDED, ALREADY, ACCEPTED, OUT_OF_FORCE) if w in words), " and ".join(words))


HEADS = ("promise", "came to", "what is promised", "why so", "owner")


def cells(verification: Verification, options: Options) -> list[list[str]]:
    """A table with a row for each promise, term and share, in the columns `HEADS`."""
    out, assumed = plain(options.out), verification.began.assumed
    return [
        [f"{one.code} {p.term}", word(p, options), one.says, " ".join(of_promise(p, assumed, out)), p.owner]
        for one in told(verification, options)
        for p in one.parts
    ]


def tally(every: Sequence[Told]) -> str:
    """ "12: 2 BROKEN, 1 not decided, 6 kept, 3 recorded; 1 assumption kept"."""
    promises = [t for t in every if not t.assumed]
    number = Counter(t.word for t in promises)
    words = sorted(number, key=lambda w: _ORDER.index(w) if w in _ORDER else len(_ORDER))
    rests = "".join(f"; 1 assumption {t.word}" for t in every if t.assumed)
    return f"{len(promises)}: {', '.join(f'{number[w]} {w}' for w in words)}{rests}"


def broken(verification: Verification, promises: Sequence[Promised]) -> str:
    """ "3 of 12 promises are broken", '' where `promises` has none; what they assume of stops is counted beside them."""
    number, total = (len({p.code for p in some if not p.assumed}) for some in (promises, verification.promised))
    said = [f"{number} of {total} promise{'' if total == 1 else 's'} {'is' if number == 1 else 'are'} broken"]
    rests = ["1 assumption is broken"] if any(p.assumed for p in promises) else []
    return " and ".join([*(said if number else []), *rests])


def numbers_of(codes: Iterable[str]) -> list[str]:
    """ "2 promises", "1 assumption": how many these are, by their codes; nothing where there are none."""
    every = set(codes)
    promises, assumptions = len(every - {STOPS}), len(every & {STOPS})
    said = ((promises, f"promise{'' if promises == 1 else 's'}"), (assumptions, "assumption"))
    return [f"{n} {noun}" for n, noun in said if n]
