"""QP240 to QP242: what a share can get here by splitting its jobs, by high priorities, by keeping fillers running.

No share's own is at risk by any of them: own priorities never delay another share's entitled job, split jobs stay within
the borrow limit, fillers take no owner's machines. What is at stake is what shares borrow. Each is found as two runs of
the reference that end differently (`rollout.games.pairs`), and named once for a queue. They are looked for where
somebody asks: nearly every queue that lends has one, and there is nothing to mend.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..results import Finding, Severity
from .check import Check, Subject

_TRIED = (
    "Looked for with --games and shown by two runs of the reference that end differently. Of each way to tell the game 60 "
    "choices of shares and unit are tried, divided by the number of shares: 12 among 5, 3 among 20 or more. Where none of them "
    "succeeds nothing is said, and the game may exist all the same."
)


def _found(kind: str, subject: Subject) -> Iterable[tuple[str, str, int, str]]:
    """(who games, who loses, machines, unit) of the game, where it exists."""
    from ..rollout.games.pairs import search

    if not subject.games:
        return
    pair = search(kind, subject.config, subject.readings, subject.lots)
    if pair is not None:
        yield pair.gamer, pair.loser, pair.amount, pair.unit


def splitting(subject: Subject) -> Iterable[Finding]:
    for gamer, loser, n, unit in _found("splitting", subject):
        yield Finding(
            code="QP240",
            severity=Severity.NOTE,
            title=f"{gamer} gets more by splitting a job: {n} {subject.short(unit)} before {loser}",
            place=subject.place(gamer, "strategy"),
            body=(
                f"A job of {n} that borrows waits until {n} are idle; {n} jobs of 1 take each as it comes, also before "
                f"{loser}'s job of {n} that was there first. The borrow limit holds either way.",
            ),
            share=gamer,
            shares=(gamer, loser),
            unit=unit,
            witness="QP240.json",
            fix=f"write LEND for one of them, or lower their borrow limits so that both fit what is lent of "
            f"{subject.short(unit)}",
        )


def inflating(subject: Subject) -> Iterable[Finding]:
    for gamer, loser, n, unit in _found("inflating", subject):
        inside = gamer == loser
        yield Finding(
            code="QP241",
            severity=Severity.NOTE,
            title=f"{gamer}: who writes the highest priority stops a colleague's job"
            if inside
            else f"{gamer} keeps what it borrows by a high priority: {loser} is stopped instead",
            place=subject.place(gamer, "strategy"),
            body=(
                f"In-share preemption is on, so a job of {n} {subject.short(unit)} is stopped for one of a higher "
                "priority (rule 39). No other share is touched."
                if inside
                else f"When an owner takes {n} {subject.short(unit)} back, the borrowed job of lowest priority is stopped, "
                "if AWS compares priorities of different shares (A26). What shares own is not touched.",
            ),
            share=gamer,
            shares=(gamer,) if inside else (gamer, loser),
            unit=unit,
            witness="QP241.json",
            fix="turn in-share preemption off, or promise who may set which priority"
            if inside
            else "promise who may set which priority, or let one share borrow",
        )


def padding(subject: Subject) -> Iterable[Finding]:
    for gamer, loser, n, unit in _found("padding", subject):
        yield Finding(
            code="QP242",
            severity=Severity.NOTE,
            title=f"{gamer} lends nothing while it keeps fillers running: {loser} loses {n} {subject.short(unit)}",
            place=subject.place(gamer, "strategy"),
            body=(
                f"Jobs within {gamer}'s own limit are never stopped for others, whatever they do, so fillers cost it "
                f"nothing. {loser} cannot borrow meanwhile; what {loser} owns is not touched.",
            ),
            share=gamer,
            shares=(gamer, loser),
            unit=unit,
            witness="QP242.json",
            fix=f"write RESERVE for {gamer} if nothing of it needs to be lent, or lower what it is given",
        )


QP240 = Check(
    "QP240",
    Severity.NOTE,
    "splitting a job gets it borrowed machines sooner",
    "A job starts when all its machines are idle at once. Where two shares borrow from the same owners, jobs of one "
    "machine take what comes back before another share's whole job. Splitting never takes more than the borrow limit, "
    f"nor anybody's own. {_TRIED}",
    splitting,
)
QP241 = Check(
    "QP241",
    Severity.NOTE,
    "a high priority keeps a loan, or stops a colleague's job",
    "Priorities order the jobs of one share (rule 27). Which borrower is stopped for an owner is open (A26); where it is "
    "the lowest priority of all shares, a share keeps its loans by writing high ones. In one share, in-share preemption "
    f"stops the lower priority. No share's own waits longer for it. {_TRIED}",
    inflating,
)
QP242 = Check(
    "QP242",
    Severity.NOTE,
    "fillers keep a share from lending",
    "Jobs within a share's own limit are not stopped for others. A share that always runs something lends nothing, and "
    f"those that would borrow wait. {_TRIED}",
    padding,
)
