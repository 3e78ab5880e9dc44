"""Whether a queue kept the rules, rule by rule: the same for the screen and for Markdown. Trusted: the verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ...spec.rules.guarantees import GUARANTEES
from ..audit.rules import INPUT
from ..results import Result, Verdict, Verification
from .audited import NAME, Line, many, of, unjudged
from .layout import shorten
from .outcome import Outcome, Word, codes
from .promised import numbers_of

MOST = 5
"""Codes that are named in a short verdict; more are counted."""
_LINE = re.compile(r":[0-9]+$")


def called(code: str) -> str:
    """A guarantee's name and code."""
    known = GUARANTEES.get(code)
    return f"{known.name} ({code})" if known else code


def rules(verification: Verification, *, whole: bool) -> Iterator[Line]:
    """What was kept, what never came up, what cannot be seen and what is pending; `whole`: and what it takes to see it."""
    kept = of(verification, Verdict.KEPT)
    if kept:
        yield Line("kept", tuple(f"{called(r.code)} {r.count:,}" for r in kept))
    never = of(verification, Verdict.NEVER_CAME_UP)
    if never:
        yield Line("never", tuple(called(r.code) for r in never), "came up: ")
    yield from _unseen(of(verification, Verdict.NOT_SEEN), whole=whole)
    for r in of(verification, Verdict.PENDING):
        yield Line("pending", (f"{called(r.code)}: {r.because}.",))


def _unseen(found: list[Result], *, whole: bool) -> Iterator[Line]:
    if found and not whole:
        partly = {r.code for r in found if r.subject}
        n = len({r.code for r in found} - partly)
        some = [f"{n} {'needs' if n == 1 else 'need'} what the history does not record"] if n else []
        some += [f"of {len(partly)} more, only what it records was judged"] if partly else []
        yield Line("unseen", (f"{'; '.join(some)}: --verbose",))
        return
    for strict, said in (
        (True, "kept as far as it can be seen; strictly it needs:"),
        (False, "cannot be judged without:"),
    ):
        some = [r for r in found if bool(r.subject) is strict]
        if some:
            yield Line("unseen", (said,))
        for r in some:
            yield Line("", (f"{called(r.code)}: {r.because}.",))


def brief(verification: Verification, judged: Outcome) -> str:
    """The queue and the verdict in one line of a screen."""
    queue = shorten(verification.began.subject, NAME)
    if judged.word is Word.BROKEN:
        broken = codes(judged.broken)
        rules = [f"{many(len(broken), 'rule')} broken{_some(broken)}"] if broken else []
        return f"{queue}: {', '.join([*rules, *_promises(judged)])}."
    if judged.word not in (Word.OK, Word.WAIVED):
        return f"{queue}: {_short(judged)}."
    never, unseen = of(verification, Verdict.NEVER_CAME_UP), unjudged(verification)
    more = [f"{many(len(of(verification, Verdict.KEPT)), 'rule')} kept"]
    more += [f"{len(never)} never came up"] if never else []
    more += [f"{len(unseen)} cannot be judged"] if unseen else []
    return f"{queue}: {', '.join(more)}."


def _promises(judged: Outcome) -> list[str]:
    return [f"{some} broken" for some in _broken_promises(judged)]


def _broken_promises(judged: Outcome) -> list[str]:
    return numbers_of(p.code for p in judged.promises)


def _open_promises(judged: Outcome) -> list[str]:
    return numbers_of(r.code for r in judged.undecided if r.code not in GUARANTEES and r.code != INPUT)


def _short(judged: Outcome) -> str:
    found = codes(r for r in judged.undecided if r.code in GUARANTEES)
    unread = sum(r.code == INPUT for r in judged.undecided)
    said = [f"{many(unread, 'problem')} in the input"] if unread else []
    if found:
        said.append(
            f"{many(len(found), 'rule')} undecided"
            if said
            else f"could not decide {many(len(found), 'rule')}{_some(found)}"
        )
    said += [f"{some} undecided" for some in _open_promises(judged)]
    return ", ".join(said) or "no rule came up"


def _some(found: list[str]) -> str:
    return f": {', '.join(found)}" if len(found) <= MOST else ""


def counted(judged: Outcome) -> str:
    """ "0 errors, 2 rules broken, 1 unreadable line": what made an audit's exit code."""
    said = ["0 errors"]
    open_ = codes(r for r in judged.undecided if r.code in GUARANTEES)
    said += _both(len(codes(judged.broken)), _broken_promises(judged), "broken")
    said += _both(len(open_), _open_promises(judged), "undecided")
    unread = [r for r in judged.undecided if r.code == INPUT]
    lines = sum(bool(_LINE.search(r.place)) for r in unread)
    said += [many(lines, "unreadable line")] if lines else []
    said += [many(len(unread) - lines, "unusable part") + " of the input"] if len(unread) > lines else []
    return ", ".join(said)


def _both(rules: int, promises: Sequence[str], what: str) -> list[str]:
    """ "1 rule and 2 promises broken"."""
    some = [*([many(rules, "rule")] if rules else []), *promises]
    return [f"{' and '.join(some)} {what}"] if some else []
