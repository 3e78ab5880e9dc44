"""Which choices of the open questions does a history rule out, and by which observation?

Two sources. The rules alone (`specified`), where promises depend on the question. And the reference guided along the
observations, once under every choice and once more for every combination with the choices of the questions that it
touches (`TOUCHES`): a choice is ruled out by the first observation after which none of its combinations explains the
history any more while another choice still does; where no choice explains an observation, nothing is learnt from it.
Observations at the same time are tried in every order, and steps that nobody sees wherever they may be; beyond a bound a
combination counts as possible for good. Nothing after a gap is used. Trusted: `guided`, and the judge of histories.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, product
from typing import NamedTuple

from ...spec import events as ev
from ...spec.observations import History, Observation, Preempted, Preempting, Reached, Seen, Settled, Submitted
from ...spec.readings import READINGS, Readings
from .guided import Guide, Guided, NotFollowed, force
from .relevant import Facts, comes_up
from .specified import ASKED, TooLong, contradicted

TOUCHES: Mapping[str, tuple[str, ...]] = {
    "A4": ("A5",), "A5": ("A4", "A6", "A8", "A47"), "A6": ("A5", "A8"), "A8": ("A5",), "A9": ("A5", "A8"), "A13": ("A15",),
    "A15": ("A23", "A58"), "A16": ("A15", "A16b", "A18", "A20"), "A16b": ("A15", "A16", "A18"), "A17": ("A15",),
    "A18": ("A52",), "A20": ("A18", "A21", "A54"), "A21": ("A18", "A20"), "A23": ("A15", "A58"), "A24": ("A13",),
    "A26": ("A13", "A30"), "A28": ("A13",), "A30": ("A13", "A59"), "A31": ("A59",), "A34": ("A38",), "A47": ("A5",),
    "A48": ("A5", "A47"), "A50": ("A13",), "A52": ("A18",), "A54": ("A18", "A20", "A21"), "A58": ("A15", "A23"),
    "A59": ("A18", "A28"),
}  # fmt: skip
"""Question -> questions whose choices are tried together with its own. All others have their defaults, or are free."""
STEPS = 8_000
QUICKER = 20
"""So much quicker than the reference is guided is a history judged by the rules alone."""
STATES = 24
"""States that one combination may have at a time."""
ORDERS = 400
"""Steps tried in one group of observations at the same time, for one combination."""
MANY = 200
"""Jobs above which those that have ended are forgotten."""


@dataclass(frozen=True)
class Ruled:
    """A choice that the history rules out."""

    code: str
    choice: str
    seen: Seen
    """The observation that does it."""
    sentence: str
    how: str
    """By what: the rules alone or the reference guided along the history, and what was taken for granted."""
    place: str = ""


@dataclass(frozen=True)
class Rulings:
    """What a history says of the open questions."""

    ruled: tuple[Ruled, ...] = ()
    undecided: Mapping[str, str] = field(default_factory=dict[str, str])
    """Question -> why not all of the history was used for it."""


def ruled_out(history: History, *, questions: Iterable[str] | None = None, given: Mapping[str, str] | None = None,
              steps: int = STEPS) -> list[Ruled]:  # fmt: skip
    """The choices that the history rules out. `given`: choices of other questions that are taken for granted."""
    return list(rulings(history, questions=questions, given=given, steps=steps).ruled)


def rulings(history: History, *, questions: Iterable[str] | None = None, given: Mapping[str, str] | None = None,
            steps: int = STEPS) -> Rulings:  # fmt: skip
    """The same, and what could not be decided.

    `steps`: steps that the reference is guided along, all combinations together; each question gets its part of them,
    and as many observations times `QUICKER` for the rules alone. No clock decides, so that an answer can be had again.
    """
    asked = [q for q in questions or Readings() if q != "A7"]
    within = replace(history, seen=partial(_within, history, steps * QUICKER))
    facts = Facts(within)
    found = [_Question(within, facts, q, dict(given or {})) for q in asked if comes_up(q, facts)]
    ruled: dict[str, list[Ruled]] = {}
    frugal_first = sorted(found, key=lambda question: len(question.alternatives))
    for left, question in zip(range(len(frugal_first), 0, -1), frugal_first, strict=True):
        question.most = steps // left
        by_rules = question.by_the_rules()
        told = {r.choice for r in by_rules}
        ruled[question.code] = [*by_rules, *(r for r in question.guided() if r.choice not in told)]
        steps -= question.steps
    return Rulings(tuple(r for q in found for r in ruled[q.code]), {q.code: q.why for q in found if q.why})


class _Alternative(NamedTuple):
    """One combination of choices."""

    choice: str
    guide: Guide


class _Question:
    """One question on one history."""

    def __init__(self, history: History, facts: Facts, code: str, given: Mapping[str, str]) -> None:
        self.history, self.code, self.given = history, code, given
        self.most = STEPS
        self.steps = 0
        """Steps that the reference was guided along, of `most`."""
        self.why = ""
        touched = [t for t in TOUCHES.get(code, ()) if t not in given and comes_up(t, facts)]
        strict = frozenset({code, *touched, *given})
        self.alternatives = [
            _Alternative(choice, Guide(Readings().assuming({**given, **dict(zip(touched, others, strict=True)), code: choice}),
                                       strict, history.claims))
            for choice in READINGS[code].choices if code not in given
            for others in product(*(READINGS[t].choices for t in touched))
        ]  # fmt: skip
        self.states: dict[_Alternative, list[Guided] | None] = {
            a: [Guided.of(history.config, a.guide.readings)] for a in self.alternatives
        }
        """None: a bound was reached, so that the alternative counts as possible from then on."""

    def by_the_rules(self) -> list[Ruled]:
        """What the rules alone rule out."""
        if self.code not in ASKED:
            return []
        alternatives = [(a.choice, a.guide.readings) for a in self.alternatives]
        try:
            found = contradicted(self.history, alternatives, self.most * QUICKER)
        except TooLong:
            self.why = "the history is too long to be judged under every choice"
            return []
        return [
            self._ruled(choice, fault.seen, others, f"the rules alone: {fault.code}: {fault.sentence}")
            for choice, (fault, others) in found.items()
        ]

    def guided(self) -> Iterator[Ruled]:
        """Guide the reference along the history. What is ruled out, in its order."""
        done, bounded = 0, replace(self.history, seen=lambda: islice(self.history.seen(), self.most + 1))
        for group in groups(bounded):
            if not self._can_learn():
                return
            if self.steps + len(self.alternatives) > self.most:
                self.why = f"its first {done:,} observations were used: what is after them takes too many steps"
                return
            done += len(group)
            try:
                yield from self._group(group)
            except NotFollowed as error:
                self.why = str(error)
                return

    def _can_learn(self) -> bool:
        """Whether a choice is left that something may still rule out, beside another one."""
        choices = {a.choice for a in self.states}
        return len(choices) > 1 and bool(choices - {a.choice for a, states in self.states.items() if states is None})

    def _group(self, group: Sequence[Seen]) -> Iterator[Ruled]:
        after: dict[_Alternative, list[Guided] | None] = {}
        failed: dict[_Alternative, Seen] = {}
        for alternative, states in self.states.items():
            if states is None:
                after[alternative] = None
                continue
            tried = _Orders(alternative.guide, group, self.history.ordered, self.most - self.steps)
            after[alternative] = tried.from_states(states)
            self.steps += tried.tried
            if not tried.complete:
                after[alternative] = None
                self.why = "too many orders of what was seen at one time"
            elif not after[alternative]:
                failed[alternative] = tried.furthest
        if len(failed) == len(self.states):
            self.states = {a: [_forced(s, group) for s in states or ()] for a, states in self.states.items()}
            return
        gone = {a.choice for a in self.states} - {a.choice for a in self.states if a not in failed}
        alive = [a.choice for a in self.states if a not in failed]
        self.states = {a: states for a, states in after.items() if a not in failed}
        for choice in (c for c in READINGS[self.code].choices if c in gone):
            seen = next(s for a, s in failed.items() if a.choice == choice)
            yield self._ruled(choice, seen, alive, "the reference scheduler guided along the history")

    def _ruled(self, choice: str, seen: Seen, alive: Sequence[str], how: str) -> Ruled:
        others = [c for c in READINGS[self.code].choices if c in alive]
        sentence = (
            f"{self._named(seen.what)}, which {self.code}={choice} does not explain and {' or '.join(others)} does"
        )
        if self.given:
            how += ", given " + ", ".join(f"{q}={c}" for q, c in sorted(self.given.items()))
        return Ruled(self.code, choice, seen, sentence, how, self.history.place(seen))

    def _named(self, what: Observation) -> str:
        """The observation in words, with the names that people know their jobs by."""
        text = told(what)
        for job in (getattr(what, "job", ""), getattr(what, "claimant", "")):
            name = self.history.jobs[job].facts.name if job in self.history.jobs else ""
            text = text.replace(job, name) if name else text
        return text


def _forced(state: Guided, group: Sequence[Seen]) -> Guided:
    for seen in group:
        state = force(state, seen.what)
    return state


class _Orders:
    """One group of observations in every order in which they may have happened, under one combination."""

    def __init__(self, guide: Guide, group: Sequence[Seen], ordered: bool, most: int) -> None:
        self._most = most
        self.guide, self.group, self.ordered = guide, group, ordered
        self.stops = [s.what.job for s in group if isinstance(s.what, Preempting)]
        self.before = [self._before(i) for i in range(len(group))]
        self.furthest = group[0]
        self.complete = True
        self.tried = 0
        """Steps, of `most`."""
        self._deepest = -1

    def _before(self, i: int) -> frozenset[int]:
        """What must have happened before: what is earlier of the same job, and in the order of the history."""
        one = self.group[i].what
        return frozenset(j for j in range(i) if self.ordered or _in_order(self.group[j].what, one))

    def from_states(self, states: Sequence[Guided]) -> list[Guided]:
        """Every state after the group, at most `STATES`; `complete` is false when a bound was reached."""
        ends: dict[object, Guided] = {}
        seen: set[object] = set()
        everything = frozenset(range(len(self.group)))
        stack: list[tuple[frozenset[int], Guided]] = [(frozenset(), s) for s in reversed(states)]
        while stack:
            done, state = stack.pop()
            if done == everything:
                if len(state.queue.jobs) > MANY:
                    state.forget_ended()
                ends.setdefault(state.key, state)
                continue
            following: list[tuple[frozenset[int], Guided]] = []
            for i in sorted(everything - done):
                if not self.before[i] <= done:
                    continue
                self.tried += 1
                for now in self._step(state, i):
                    key = done | {i}, now.key
                    if key not in seen:
                        seen.add(key)
                        following.append((done | {i}, now))
                if len(done) > self._deepest:
                    self._deepest, self.furthest = len(done), self.group[i]
            stack += reversed(following)
            if self.tried > min(ORDERS * max(1, len(self.group) // 4), self._most) or len(ends) > STATES:
                self.complete = False
                return []
        return [s for s in ends.values() if not s.pending]

    def _step(self, state: Guided, i: int) -> Iterator[Guided]:
        what = self.group[i].what
        yield from self.guide.after(state, what, self.stops)
        if not isinstance(what, ev.Dispatch | ev.Claim | Preempting | Settled | Reached):
            for earlier in list(self.guide.unseen(state))[1:]:
                yield from self.guide.after(earlier, what, self.stops)


def _in_order(one: Observation, two: Observation) -> bool:
    """Whether the order of two observations at the same time is known: of one job, of the administrator, or a rest."""
    if isinstance(one, Settled) or isinstance(two, Settled):
        return True
    first, second = getattr(one, "job", None), getattr(two, "job", None)
    return first == second


def _within(history: History, most: int) -> Iterator[Seen]:
    """The observations before the first gap, and of these one more than `most` at most."""
    gap = min((g.start for g in history.completeness.gaps), default=None)
    return islice((seen for seen in history.seen() if gap is None or seen.until < gap), most + 1)


def groups(history: History) -> Iterator[list[Seen]]:
    """Observations that may have happened in any order, together."""
    group: list[Seen] = []
    until = 0
    for seen in history.seen():
        if group and (history.ordered or seen.at > until):
            yield group
            group = []
        until = max(until, seen.until) if group else seen.until
        group.append(seen)
    if group:
        yield group


def told(what: Observation) -> str:
    """An observation in a few words."""
    job = getattr(what, "job", "")
    match what:
        case Preempting():
            return f"{job} was told to stop" + (f" for {what.claimant}" if what.claimant else "")
        case Preempted():
            count = "" if what.count is None else f", preempted {what.count} time{'s' * (what.count != 1)}"
            return f"{job} had stopped and was {what.stage or 'not seen'}{count}"
        case Settled():
            return "nothing more was done"
        case Submitted():
            return f"{job} was submitted"
        case Reached():
            return f"{job} was {what.stage}"
        case ev.Dispatch():
            return f"{job} started"
        case ev.Misconfigured():
            return f"{job} waited with {what.reason}"
        case ev.Finish():
            return f"{job} ended and was {'FAILED' if what.failed else 'SUCCEEDED'}"
        case ev.Claim():
            return f"{', '.join(what.victims) or 'nobody'} was told to stop for {job}"
        case _:
            return ev.describe(what) if isinstance(what, ev.EVENTS) else f"{type(what).__name__} {job}".strip()
