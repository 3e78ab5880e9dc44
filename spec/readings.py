"""Open questions of AWS's documentation as switches: each *reading* has short choices, one default, and a status.

Numbers A1-A61 are those of the semantics dossier. A question with no choices here does not change what the model does
and is listed for completeness: it cannot be set. `Readings` is one choice for every question that has choices.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Self


@dataclass(frozen=True)
class Reading:
    """One open question. `choices` maps a short name to its meaning, the default first named in `default`."""

    code: str
    question: str
    choices: Mapping[str, str]
    default: str
    favoured: str
    """Why the default leans that way, or that it is open."""

    @property
    def modelled(self) -> bool:
        """True when the choice changes what the model does."""
        return len(self.choices) > 1


def _reading(code: str, question: str, favoured: str, **choices: str) -> Reading:
    named = {key.rstrip("_").replace("_", "-"): meaning for key, meaning in choices.items()}
    return Reading(code, question, named, next(iter(named), ""), favoured)


_ALL = (
    _reading(
        "A1",
        "May the share limits add up to more than the environment?",
        "allowed: no text, schema or error names a bound; were it refused, QP101 would stop the rollout instead",
    ),
    _reading(
        "A2",
        "Limits add up to more than the environment, a share is within its limit, the environment is full and nobody borrows",
        "waits: preemption only restores borrowed capacity (rule 36)",
    ),
    _reading("A3", "A share's unit that the environment lacks", "accepted, its jobs wait (rule 13)"),
    _reading(
        "A4",
        "LEND_AND_BORROW without a maximum, for a unit the share has no limit for",
        "open",
        nothing="borrows nothing of it",
        unlimited="borrows without limit",
    ),
    _reading(
        "A5",
        "Environment capacity given to no share",
        "owners: rule 22 bounds only borrowing",
        owners="an owner within its limit may use it, nobody borrows against it",
        void="it is never used",
        borrowable="anybody may borrow it",
    ),
    _reading(
        "A6",
        "A borrow limit that is no whole number of machines",
        "floor: a limit is a maximum",
        floor="rounded down",
        ceil="rounded up",
        round="rounded to the nearest",
    ),
    _reading(
        "A7",
        "borrowLimit given with RESERVE or LEND",
        "rejected: it 'can only be applied to' LEND_AND_BORROW",
        rejected="the request is refused",
        ignored="it is ignored",
    ),
    _reading(
        "A8", "borrowLimit 0", "none: the schema's minimum is -1", none="no borrowing", unset="as if absent: unlimited"
    ),
    _reading(
        "A9",
        "An update names a strategy without a borrow limit",
        "open; the whole structure is replaced",
        resets="the borrow limit becomes unlimited",
        keeps="the old borrow limit stays",
    ),
    _reading("A10", "capacityLimits in an update", "replaced whole, as AWS lists usually are"),
    _reading("A11", "What is lendable at run time", "own limit less own usage"),
    _reading("A12", "Who lent to whom", "pooled: no field names a lender"),
    _reading(
        "A13",
        "Which jobs of a share are borrowing",
        "open",
        b="the share's usage above its limit, recomputed as jobs end",
        a="a per-job amount fixed at dispatch",
        c="the share's lowest priority or newest jobs",
    ),
    _reading("A14", "An own job ends while another of the share borrows", "the loan shrinks; follows A13"),
    _reading(
        "A15",
        "Entitled work before borrowing work",
        "yes: idle capacity is what is left over",
        yes="a borrower never takes what an entitled head that can be served needs",
        no="plain iteration",
    ),
    _reading(
        "A16",
        "FIFO of idle capacity: first by what",
        "time at the head is the one per-share time AWS shows",
        head="time at the head of the share",
        created="creation time of the job",
    ),
    _reading(
        "A16b",
        "A borrowing head does not fit and capacity is left",
        "skip: rule 26 dispatches jobs that fit",
        skip="the next share's head is tried",
        strict="nobody behind it borrows",
    ),
    _reading(
        "A17",
        "Order in which shares are visited",
        "open; free choice",
        creation="order of creation",
        name="by name",
        newest="newest share first",
    ),
    _reading(
        "A18",
        "Does a share's head block smaller jobs behind it",
        "strict: rule 32",
        strict="yes",
        backfill="no; a job behind it that fits may start",
    ),
    _reading("A19", "The same across units of one share", "strict; follows A18"),
    _reading(
        "A20",
        "Equal priority in a share",
        "FIFO; no checker may require it. Of equals one that has a claim stays first (A56)",
        created="oldest job first",
        newest="newest job first",
    ),
    _reading(
        "A21",
        "Place of a requeued victim among equal priorities",
        "open; either way behind a waiting job of its priority that has a claim (A56)",
        created="by its creation time",
        requeued="by the time it was requeued",
    ),
    _reading("A22", "schedulingPriority left out", "open; counted as 0"),
    _reading(
        "A23",
        "Is capacity freed for a claimant kept for it",
        "yes: else a stopped job could take it back again and again, in AWS's walkthrough too",
        yes="kept until its job starts",
        no="whoever comes first takes it",
    ),
    _reading(
        "A24",
        "When may a share take back",
        "a: its head is within its own limit",
        a="its head with all it has is within the own limit",
        b="part of the head may also be borrowed",
    ),
    _reading("A25", "Borrower against borrower", "never: FIFO; only the owner takes back"),
    _reading(
        "A26",
        "Which victim",
        "free choice ('custom heuristic'); the reference takes one",
        priority="lowest priority, then newest",
        borrowed="most borrowed, then lowest priority",
        oldest="longest running",
    ),
    _reading("A27", "Direction of duration in the choice of a victim", "free; part of A26"),
    _reading(
        "A28",
        "How many victims",
        "all-or-nothing: preemption is 'to create capacity for a RUNNABLE job'",
        all_or_nothing="none unless the plan suffices",
        minimal="the plan suffices and no smaller part of it would",
        greedy="as many as there are, even if they do not suffice",
    ),
    _reading("A29", "In-limit jobs of a share above its limit as victims", "yes; follows A13"),
    _reading(
        "A30",
        "Own capacity lent out and a lower-priority own job running",
        "reclaim first",
        reclaim="other shares' loans first",
        in_share="own lower-priority jobs first",
    ),
    _reading(
        "A31",
        "Does an in-share preemptor inherit borrowed machines",
        "yes: the share's total is the same",
        inherit="yes, within the borrow limit",
        own="no, only own capacity",
    ),
    _reading("A32", "In-share preemption only when the head does not fit", "yes: 'to create capacity'"),
    _reading(
        "A33",
        "A running job's priority is lowered below a waiting one's",
        "triggers in-share preemption, as raising does",
        triggers="triggers",
        ignored="does not trigger",
    ),
    _reading(
        "A34",
        "A victim ends by itself while draining",
        "open; all three are allowed",
        succeeded="it stays SUCCEEDED",
        requeued="RUNNABLE again",
        failed="FAILED",
    ),
    _reading("A35", "A victim is terminated while draining", "FAILED"),
    _reading("A36", "Is a job that uploads its results preempted", "open: its state is RUNNING"),
    _reading("A37", "Capacity while draining", "still the victim's (rule 46)"),
    _reading(
        "A38",
        "Does preempting a SCHEDULED job count as a preemption",
        "yes: it is listed as preemptible",
        yes="yes",
        no="no",
    ),
    _reading("A39", "preemptionRetriesBeforeTermination below 0", "open; refused"),
    _reading("A40", "Do preempted attempts appear in attempts", "open; concerns histories only"),
    _reading("A41", "When the attempt's timeout starts", "at startedAt; time is not modelled"),
    _reading(
        "A42", "A share limit is lowered below usage: when are its jobs stopped", "only when another share needs them"
    ),
    _reading("A43", "... down to what", "the own limit; the rest becomes a loan"),
    _reading("A44", "The right to borrow is cut with loans out", "its jobs may be stopped, as for A42"),
    _reading("A45", "LEND becomes RESERVE with loans out", "taken back when own jobs arrive (rule 36)"),
    _reading("A46", "Are waiting jobs of a DISABLED share dispatched", "yes: rule 50", yes="yes", no="no"),
    _reading(
        "A47",
        "Does a DISABLED share lend and take back",
        "open; its strategy is unchanged",
        yes="as before",
        no="it stops lending",
    ),
    _reading(
        "A48", "Capacity of a share being deleted", "open", lent="lent on until it is gone", void="nobody's at once"
    ),
    _reading("A49", "Queue or environment DISABLED: waiting jobs", "queue: finish; environment: stay RUNNABLE"),
    _reading(
        "A50",
        "Environment lowered below usage, a share is entitled",
        "takes back from borrowers",
        reclaims="takes back from borrowers",
        waits="waits until usage fits again",
    ),
    _reading(
        "A50b", "Who pays for an excess left by a lowered environment", "the next claim; the report names the cut"
    ),
    _reading(
        "A51",
        "Two misconfiguration reasons match",
        "open",
        environment="the environment's first",
        share="the share's first",
    ),
    _reading(
        "A52",
        "A job that can never run at the head of its share",
        "blocks: that is what the time limit is for",
        blocks="blocks its share",
        skipped="is skipped",
    ),
    _reading("A53", "Jobs with several instance types", "supported: a job is a vector of counts"),
    _reading(
        "A54",
        "Place of a job returned for lack of machines",
        "open; its usage is released",
        keeps="keeps its place",
        requeued="goes to the end of its priority",
    ),
    _reading("A55", "Managed warm pools and training plans", "not modelled"),
    _reading(
        "A56", "A priority update changes the head of a share with a claim", "the claim ends with its job's headship"
    ),
    _reading("A57", "When a stopped job's capacity is free", "open; concerns histories only"),
    _reading(
        "A58",
        "What a claim holds",
        "the whole job: with freed capacity only, a gang needs a second round of victims",
        whole="the whole job, also what is free already",
        freed="only what its victims free",
    ),
    _reading("A59", "May one plan mix in-share and cross-share victims", "yes", yes="yes", no="no"),
    _reading("A60", "A job that names several instance types and takes one", "open; not modelled"),
    _reading("A61", "What a victim frees beyond the need", "free for anybody"),
)

READINGS: Mapping[str, Reading] = {r.code: r for r in _ALL}


class UnknownReading(ValueError):
    """A reading or choice that does not exist; the message names what does."""


@dataclass(frozen=True)
class Readings(Mapping[str, str]):
    """One choice per modelled reading: the defaults, and those that somebody fixed (`chosen`, defaults among them)."""

    chosen: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, **chosen: str) -> Self:
        """`Readings.of(A23="no")`. Raises UnknownReading with the nearest names."""
        return cls().assuming(chosen)

    def assuming(self, more: Mapping[str, str]) -> Self:
        """These readings with `more` on top. Raises UnknownReading."""
        for code, choice in more.items():
            check(code, choice)
        return type(self)(tuple(sorted({**dict(self.chosen), **more}.items())))

    def only(self, codes: Collection[str]) -> Self:
        """These readings of `codes`, the defaults of all others: equal where they differ in nothing that is asked for."""
        kept = ((c, choice) for c, choice in self.chosen if c in codes and choice != READINGS[c].default)
        return type(self)(tuple(kept))

    @cached_property
    def table(self) -> Mapping[str, str]:
        """The same as a dictionary, for quick look-ups. Shared: not to be changed."""
        return _table(self.chosen)

    def __getitem__(self, code: str) -> str:
        return self.table[code]

    def __iter__(self) -> Iterator[str]:
        return iter(self.table)

    def __len__(self) -> int:
        return len(self.table)


@cache
def _table(chosen: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {code: r.default for code, r in READINGS.items() if r.modelled} | dict(chosen)


def check(code: str, choice: str) -> None:
    """Raise UnknownReading unless `code` is a modelled reading that has `choice`."""
    from difflib import get_close_matches

    reading = READINGS.get(code)
    if reading is None:
        near = get_close_matches(code.upper(), READINGS, 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UnknownReading(f"there is no reading {code!r}{hint} `quotaproof explain readings` lists them")
    if not reading.modelled:
        raise UnknownReading(f"{code} has no choices: {reading.favoured}")
    if choice not in reading.choices:
        raise UnknownReading(f"{code} has no choice {choice!r}; choose {' | '.join(reading.choices)}")
