"""What must be true of a state for each sentence that can be said of a job that waits, in plain Python, by the reference.

`check` reads the sentences of `why.words.waiting`, `check_play` the one of a play. A sentence that none of them knows is
an error; the names of those that came up are returned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from quotaproof.reference import decide as deciding
from quotaproof.reference import fit, gives_way
from quotaproof.reference.impossible import reason
from quotaproof.reference.policy import Policy
from quotaproof.reference.queue import Job, Queue


@dataclass(frozen=True)
class State:
    """A queue, and what of it was seen."""

    queue: Queue
    policy: Policy
    claims_known: bool = True

    def reads(self, code: str) -> str:
        return self.queue.readings[code]

    def units(self, job: Job, told: str) -> list[str]:
        """The unit that is told of, where there are several."""
        return [told] if told in job.size else [*job.size]

    def own(self, job: Job, unit: str) -> int:
        return self.queue.usage[job.share, unit] + job.size[unit]

    def settled(self, job: Job, unit: str) -> int:
        """What its share uses with it, once all that drains has stopped and every claim is served."""
        drains = (d for d in self.queue.draining() if d.share == job.share)
        claims = (self.queue.jobs[c.job] for c in self.queue.claims if c.job != job.name)
        served = sum(j.size.get(unit, 0) for j in claims if j.share == job.share)
        return self.own(job, unit) - sum(d.size.get(unit, 0) for d in drains) + served

    def lacks(self, job: Job, unit: str) -> int:
        used, filled = fit.bounds(self.queue, self.policy, self.queue.usage, job, unit)
        return max(self.queue.usage.total(unit) - used, self.queue.usage.filled(unit) - filled)

    def loan(self, job: Job, unit: str) -> int:
        return min(job.size[unit], max(0, self.settled(job, unit) - self.queue.grant(job.share, unit).limit))

    def spare(self, unit: str) -> int:
        """What no share owns and may be borrowed all the same (A5), or was made a loan by an administrator's step."""
        loans = self.queue.usage.lent(unit)
        idle = sum(self.idle(s, unit) for s in self.queue.shares)
        spare = max(0, self.queue.capacity.get(unit, 0) - self.queue.limits(unit))
        return spare if self.reads("A5") == "borrowable" or loans > idle else 0

    def idle(self, share: str, unit: str) -> int:
        grant = self.queue.grant(share, unit)
        return min(grant.lendable, max(0, grant.limit - self.queue.usage[share, unit]))

    def lends(self, share: str, unit: str) -> tuple[int, int]:
        """Least and most of every way to split what is borrowed among those who may lend it."""
        loans, own = self.queue.usage.lent(unit), self.idle(share, unit)
        others = sum(self.idle(s, unit) for s in self.queue.shares if s != share) + self.spare(unit)
        ways = [n for n in range(own + 1) if n <= loans <= n + others]
        return (min(ways), max(ways)) if ways else (own, own)

    def kept(self, share: str, unit: str) -> int:
        return max(0, self.queue.grant(share, unit).kept - self.queue.usage[share, unit])

    def free(self, unit: str) -> int:
        return self.queue.capacity.get(unit, 0) - self.queue.usage.total(unit)

    def may_borrow(self, share: str) -> bool:
        void = self.queue.shares[share].deleting and self.reads("A48") == "void"
        return self.queue.shares[share].strategy == "LEND_AND_BORROW" and not void

    def heads(self, but: str) -> Iterator[Job]:
        found = (deciding.head(self.queue, self.policy, s) for s in self.queue.shares if s != but)
        return (job for job in found if job is not None)

    def borrows(self, job: Job) -> bool:
        return not fit.within_limit(self.queue, self.queue.usage, job)

    def rests(self) -> bool:
        """Whether the scheduler has nothing to do."""
        return deciding.decide(self.queue.copy(), self.policy) is None


Says = Callable[[State, Job, "re.Match[str]"], None]
SAYS: dict[str, tuple[re.Pattern[str], Says]] = {}


def says(pattern: str) -> Callable[[Says], Says]:
    """What has to be true where a sentence of this form is said."""

    def register(check: Says) -> Says:
        SAYS[check.__name__] = re.compile(pattern + "$"), check
        return check

    return register


NAME = r"[\w-]+"
NAMES = rf"{NAME}(?:(?:, | and ){NAME})*"


def _names(text: str) -> list[str]:
    return re.split(r", | and ", text)


@says(r"nothing that will come: it can never run\. (?P<why>.+)")
def never(state: State, job: Job, said: re.Match[str]) -> None:
    assert said["why"] == reason(state.queue, state.policy, job) != ""


@says(rf"its turn: (?P<first>{NAME}) is first in the line of (?P<share>{NAME}) \(AWS rule 32\)\.")
def its_turn(state: State, job: Job, said: re.Match[str]) -> None:
    first = deciding.head(state.queue, state.policy, job.share)
    assert first is not None and first is not job
    assert (first.name, job.share) == (said["first"], said["share"]) and not state.policy.backfill


@says(rf"its turn: a job of (?P<share>{NAME}) with priority (?P<priority>\d+) waits before it\.")
def overtakes(state: State, job: Job, said: re.Match[str]) -> None:
    before = [j for j in state.queue.waiting(job.share) if j.priority == int(said["priority"]) > job.priority]
    assert before and said["share"] == job.share
    assert not state.policy.backfill or any(not deciding.refuses(state.queue, state.policy, j) for j in before)


@says(r"(?P<n>\d+) (?P<unit>\S+) to (?P<how>borrow|come free)(?:, (?P<loan>\d+) of them to borrow)?\.")
def lacks(state: State, job: Job, said: re.Match[str]) -> None:
    n = int(said["n"])
    loan = n if said["how"] == "borrow" else int(said["loan"] or 0)
    true = [
        (state.lacks(job, u), min(n, state.loan(job, u)))
        for u in state.units(job, said["unit"])
        if state.may_borrow(job.share) or state.own(job, u) <= state.queue.grant(job.share, u).limit
    ]
    assert (n, loan) in true and n > 0


@says(rf"(?P<n>\d+) (?P<unit>\S+) of (?P<share>{NAME}) to come free: it may not borrow\.")
def may_not_borrow(state: State, job: Job, said: re.Match[str]) -> None:
    over = [state.own(job, u) - state.queue.grant(job.share, u).limit for u in state.units(job, said["unit"])]
    assert not state.may_borrow(job.share) and int(said["n"]) in over and int(said["n"]) > 0


@says(rf"(?P<share>{NAME}) to use less: with it {NAME} would borrow (?P<n>\d+) (?P<unit>\S+), and its borrow limit allows "
      r"(?P<most>\d+)\.")  # fmt: skip
def borrow_limit(state: State, job: Job, said: re.Match[str]) -> None:
    grants = {u: state.queue.grant(job.share, u) for u in state.units(job, said["unit"])}
    told = int(said["n"]), int(said["most"])
    assert told in [(state.own(job, u) - g.limit, g.borrowable) for u, g in grants.items()] and told[0] > told[1]


@says(rf"machines that are kept for (?P<whom>{NAMES}): with it (?P<n>\d+) (?P<unit>\S+) would be in use(?:,| or) kept for "
      rf"{NAMES}(?: or kept idle by (?P<keeps>{NAMES}))?; there are (?P<most>\d+)\.")  # fmt: skip
def hold(state: State, job: Job, said: re.Match[str]) -> None:
    queue = state.queue
    refuses = [c for c in queue.claims if not gives_way._keeps(queue, state.policy, c, job)]
    upto = [c.job for c in queue.claims if c.number <= refuses[0].number and c.job != job.name]
    units = state.units(job, said["unit"])
    assert set(_names(said["whom"])) <= set(upto) and refuses[0].job in _names(said["whom"])
    assert int(said["most"]) in [state.policy.ceiling(queue, u, False) for u in units]
    assert int(said["n"]) > int(said["most"])
    assert all(any(state.kept(s, u) for u in units) for s in _names(said["keeps"] or "") if s)


@says(rf"another share's turn: the head of (?P<other>{NAME}) is entitled to what the job would borrow: .*\.")
def another(state: State, job: Job, said: re.Match[str]) -> None:
    queue, other = state.queue, said["other"]
    assert state.borrows(job) and state.policy.entitled_first and other != job.share
    line = [*queue.waiting(other)]
    tied = [j for j in line if j.priority == line[0].priority or state.policy.skip_impossible]
    assert any(not gives_way.yields(queue, state.policy, job, j, queue.due()) for j in tied)


@says(r"the environment to be ENABLED: the environment is DISABLED\.")
def environment(state: State, _job: Job, _said: re.Match[str]) -> None:
    assert not state.queue.environment_enabled


@says(rf"(?P<share>{NAME}) to be ENABLED: {NAME} is DISABLED \(A46\)\.")
def disabled(state: State, job: Job, said: re.Match[str]) -> None:
    assert job.share == said["share"] and not state.queue.shares[job.share].enabled and state.reads("A46") == "no"


@says(rf"its end: (?P<share>{NAME}) is being deleted \(AWS rule 51\)\.")
def deleted(state: State, job: Job, said: re.Match[str]) -> None:
    assert job.share == said["share"] and state.queue.shares[job.share].deleting


@says(r"nothing that was seen: it fits\.(?P<hidden> What others have claimed is not published \(A23\)\.)?")
def nothing(state: State, job: Job, said: re.Match[str]) -> None:
    assert not deciding.refuses(state.queue, state.policy, job)
    assert bool(said["hidden"]) == (not state.claims_known and state.reads("A23") == "yes")
    assert not state.rests() or not state.claims_known


@says(r"its turn: it fits, but another share's job that borrows goes before it \(A16b\)\.")
def in_line(state: State, job: Job, _said: re.Match[str]) -> None:
    assert not deciding.refuses(state.queue, state.policy, job) and state.borrows(job) and state.policy.strict_fifo
    before = [h for h in state.heads(job.share) if state.borrows(h) and deciding.refuses(state.queue, state.policy, h)]
    turn = state.policy.fifo(state.queue.shares[job.share], job)
    assert before
    assert not state.rests() or any(state.policy.fifo(state.queue.shares[h.share], h) <= turn for h in before)


@says(rf"(?P<names>{NAMES})(?: and (?P<more>\d+) more)? (?:was told to stop and still holds its|"
      r"were told to stop and still hold their) machines\.")  # fmt: skip
def drains(state: State, job: Job, said: re.Match[str]) -> None:
    drain = {j.name for j in state.queue.draining() if j.size.keys() & job.size.keys()}
    names = _names(said["names"])
    assert set(names) <= drain and len(names) + int(said["more"] or 0) <= len(drain)


@says(r"Lenders(?: of (?P<unit>\S+))?: (?P<all>.+)\.")
def lenders(state: State, job: Job, said: re.Match[str]) -> None:
    for one in re.split(r", (?!limit)| and ", said["all"]):
        told = re.fullmatch(rf"({NAME}) (\d+) (?:of (\d+) in use|in use, limit (\d+))", one)
        assert told, one
        share, numbers = told[1], (int(told[2]), int(told[3] or told[4]))
        units = state.units(job, said["unit"] or "")
        assert share != job.share and any(state.queue.grant(share, u).lendable for u in units)
        assert numbers in [(state.queue.usage[share, u], state.queue.grant(share, u).limit) for u in units]


@says(rf"(?P<n>\d+) idle (?P<unit>\S+) of (?P<share>{NAME}) (?:is|are) "
      rf"(?:(?P<reserve>RESERVE and never lent)|not lent, since {NAME} is DISABLED \(A47\))\.")  # fmt: skip
def keeps(state: State, job: Job, said: re.Match[str]) -> None:
    share, n = state.queue.shares[said["share"]], int(said["n"])
    units = state.units(job, said["unit"])
    assert share.name != job.share and any(0 < n <= min(state.kept(share.name, u), state.free(u)) for u in units)
    assert bool(said["reserve"]) == (share.strategy == "RESERVE")
    assert said["reserve"] or (not share.enabled and state.reads("A47") == "no")


@says(rf"Others use (?P<unit>\S+) that (?P<share>{NAME}) owns; nobody is stopped for it, since part of it would be a loan "
      r"\(A24\)\.")  # fmt: skip
def partly(state: State, job: Job, said: re.Match[str]) -> None:
    queue = state.queue
    assert said["share"] == job.share and state.reads("A24") == "a"
    assert any(state.lends(job.share, u)[0] > 0 for u in state.units(job, said["unit"]))
    assert any(state.loan(job, u) for u in job.size)
    head = deciding.head(queue, state.policy, job.share)
    assert head is not job or deciding.claim(queue, state.policy, job) is None
    assert not any(c.job == job.name for c in queue.claims)


@says(rf"(?P<share>{NAME}) uses (?P<used>\d+)(?: of its (?P<limit>\d+))?(?: (?P<unit>[a-z]))?(?:, its limit is (?P<above>\d+))?"
      r"(?: and lends (?P<least>\d+)(?: to (?P<most>\d+))?)?\.")  # fmt: skip
def uses(state: State, job: Job, said: re.Match[str]) -> None:
    share, numbers = said["share"], (int(said["used"]), int(said["limit"] or said["above"]))
    lent = (int(said["least"] or 0), int(said["most"] or said["least"] or 0))
    units = state.units(job, said["unit"] or "")
    true = [((state.queue.usage[share, u], state.queue.grant(share, u).limit), state.lends(share, u)) for u in units]
    assert (numbers, lent) in true and share != job.share


@says(r"There are (?P<n>\d+) more that lend\.")
def more(state: State, job: Job, said: re.Match[str]) -> None:
    lend = [s for s in state.queue.shares for u in job.size if s != job.share and state.queue.grant(s, u).lendable]
    assert 0 < int(said["n"]) <= len(lend)


@says(r"What (?P<what>it asks for|is freed for it) is kept for it\.")
def kept(state: State, job: Job, said: re.Match[str]) -> None:
    assert state.queue.claim_of(job.name) and (said["what"] == "it asks for") == (state.reads("A58") == "whole")


@says(r"may start now(?P<hidden>, unless others have claims: those are not published)?\.")
def may_start(state: State, job: Job, said: re.Match[str]) -> None:
    assert not deciding.refuses(state.queue, state.policy, job)
    assert bool(said["hidden"]) == (not state.claims_known and state.reads("A23") == "yes")
    assert not state.rests() or not state.claims_known


@says(r"fits; it waits where another share's job that borrows goes before it\.")
def goes_after(state: State, job: Job, said: re.Match[str]) -> None:
    in_line(state, job, said)


@says(r"can never run: (?:it asks for more than .* may ever use|.*)\.")
def cannot_run(state: State, job: Job, _said: re.Match[str]) -> None:
    assert reason(state.queue, state.policy, job)


def check(state: State, job: Job, sentences: Iterable[str]) -> set[str]:
    """Assert that every sentence is true; the forms that they have."""
    return {_check(state, job, sentence) for sentence in sentences}


def check_play(state: State, job: Job, sentence: str) -> set[str]:
    """The same of what a play says of the first in line."""
    assert sentence.startswith(f"{job.name} ")
    told = sentence.removeprefix(f"{job.name} ")
    waits = told.startswith("waits for ")
    return check(state, job, re.split(r"(?<=\.) ", told.removeprefix("waits for ")) if waits else [told])


def _check(state: State, job: Job, sentence: str) -> str:
    for name, (pattern, true) in SAYS.items():
        if told := pattern.match(sentence):
            try:
                true(state, job, told)
            except AssertionError as error:
                raise AssertionError(f"{job.name}: {sentence}") from error
            return name
    raise AssertionError(f"no form for {sentence!r}")
