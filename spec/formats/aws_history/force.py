"""The configuration in force at the start of a history and every change of it, from dumps and CloudTrail.

A dump says what was so at one unknown moment, CloudTrail what was asked for and when, but not what was so before. Put
together: a share that CloudTrail sees created is known from then on; a field that it never sees changed is what the dump
says; a field that was changed and has no earlier value is not known before its first change, and that is said. Trusted:
`_start`, which decides between these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ... import events as ev
from ...model import QueueConfig, QuotaShare, ServiceEnvironment, State
from ...observations import Doubt, Doubtful, Gap, Observation, Seen
from ...readings import Readings
from .. import Loaded, aws, load_documents
from ..document import Document
from ..errors import InputError, listed
from ..items import Spot
from ..sources import Unread
from .fields import Unusable, text
from .known import NEVER, SECOND, Mark
from .records import Change

_FIELDS = ("capacityLimits", "resourceSharingConfiguration", "preemptionConfiguration", "state")
_DOUBTFUL: Mapping[str, Doubtful] = {
    "capacityLimits": "limits",
    "resourceSharingConfiguration": "sharing",
    "preemptionConfiguration": "in-share",
    "state": "state",
}
_CREATES = {
    "CreateQuotaShare": "quotaShareName",
    "CreateServiceEnvironment": "serviceEnvironmentName",
    "CreateJobQueue": "jobQueueName",
}


@dataclass
class Force:
    """What was in force, and when it changed."""

    config: QueueConfig
    seen: list[Seen] = field(default_factory=list[Seen])
    gaps: list[Gap] = field(default_factory=list[Gap])
    doubts: list[Doubt] = field(default_factory=list[Doubt])
    notes: list[str] = field(default_factory=list[str])
    remarks: list[str] = field(default_factory=list[str])
    left_out: list[str] = field(default_factory=list[str])
    problems: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Place and sentence."""


@dataclass
class _Share:
    """A share while the changes are gone through."""

    tree: dict[str, Any]
    exists: bool


def in_force(
    documents: Iterable[Document | Unread],
    changes: Iterable[Change],
    *,
    queue: str | None,
    start: int,
    names: list[str],
    readings: Readings,
) -> Force:
    """The configuration at `start`, the time of the first job, and the changes from then on. Raises InputError."""
    asked = sorted(changes, key=lambda c: (c.at, not c.name.startswith("Create"), c.name, str(c.parameters), c.id))
    given, created = list(documents), list(_created(asked, names))
    dumped = True
    try:
        loaded = load_documents(given, queue=queue, readings=readings)
    except InputError:
        if not created:
            raise
        dumped = False
        loaded = load_documents([*given, *created], queue=queue, readings=readings)
    earlier = load_documents(given[::-1], queue=queue, readings=readings) if loaded.drift and dumped else loaded
    mine = [c for c in asked if _is_of(c, loaded.config.job_queue_name)]
    force = _Force(loaded, earlier if dumped else None, mine, start, names, readings)
    force.run()
    return force.result


def _created(changes: Iterable[Change], names: list[str]) -> Iterator[Document]:
    """What CloudTrail sees created, as requests."""
    for change in changes:
        if change.name in _CREATES:
            yield _document(dict(change.parameters), change.mark, names)


def _document(tree: Any, mark: Mark, names: list[str]) -> Document:
    return Document(names[mark.file], tree, lambda: {"": mark.line})


def _is_of(change: Change, queue: str) -> bool:
    """Whether a change is of the queue; one of an environment may be."""
    if change.name in ("UpdateQuotaShare", "DeleteQuotaShare"):
        return f"job-queue/{queue}/quota-share/" in text(change.parameters, "quotaShareArn")
    if change.name.endswith("ServiceEnvironment"):
        return True
    key = "jobQueueName" if change.name == "CreateJobQueue" else "jobQueue"
    return text(change.parameters, key).rsplit("/", 1)[-1] == queue


class _Force:
    def __init__(
        self,
        loaded: Loaded,
        earlier: Loaded | None,
        changes: list[Change],
        start: int,
        names: list[str],
        readings: Readings,
    ) -> None:
        """`earlier`: the same dumps with the last one counting; None when there is no dump of shares."""
        self.loaded, self.changes, self.start = loaded, changes, start
        self.dumped = earlier is not None
        self.names, self.readings = names, readings
        self.result = Force(loaded.config)
        self.result.notes += loaded.notes
        self.result.left_out += loaded.left_out
        self.trees, self.others = _trees(loaded), _trees(earlier or loaded)
        created = {text(c.parameters, "quotaShareName") for c in changes if c.name == "CreateQuotaShare"}
        self.shares = {name: _Share(dict(tree), name not in created) for name, tree in self.trees.items()}
        self.environment = loaded.config.environment
        self.had: dict[str, list[QuotaShare]] = {}
        """What each share was, by CloudTrail."""
        self.begun = False
        """True once the first job was there: from then on changes are observations."""
        self.folded = 0

    def run(self) -> None:
        """Go through the changes."""
        self._starts()
        self._drift()
        for change in self.changes:
            if not self.begun and change.at + SECOND >= self.start:
                self._begin()
            try:
                self._apply(change)
            except (InputError, Unusable) as error:
                what = error.what if isinstance(error, InputError) else str(error)
                self.result.problems.append((self._place(change), f"{change.name}: {what}; it is left out"))
        if not self.begun:
            self._begin()
        self._same_second()
        self._compare()
        if not self.changes:
            self.result.notes.append(
                "the configuration is taken as in force throughout: no CloudTrail record tells of a change, "
                "and a dump does not say since when it holds"
            )
        elif self.folded:
            all_ = "all " if self.folded == len(self.changes) else f"{self.folded} "
            changes = "1 change" if len(self.changes) == 1 else f"{len(self.changes):,} changes"
            self.result.remarks.append(f"limits in force: from CloudTrail, {changes}, {all_}before the first job")

    def _begin(self) -> None:
        """The state reached is the configuration at the start."""
        self.begun = True
        shares = [self._built(s.tree) for s in self.shares.values() if s.exists]
        self.result.config = QueueConfig(
            job_queue_name=self.loaded.config.job_queue_name, environment=self.environment, shares=tuple(shares)
        )

    def _starts(self) -> None:
        """Before the first change: of what was changed later, the value that it had, as far as one is known."""
        for name, share in self.shares.items():
            if share.exists:
                for key in _FIELDS:
                    self._start(f"share {name}", share.tree, key, self._updates(name, key), self.others.get(name, {}))
        updates = [c for c in self.changes if self._updates_environment(c)]
        tree = self.environment.model_dump(by_alias=True, mode="json")
        for key in ("capacityLimits", "state"):
            told = [c for c in updates if key in c.parameters]
            if not any(c.name == "CreateServiceEnvironment" for c in updates):
                self._start(f"environment {self.environment.service_environment_name}", tree, key, told, {})
        self.environment = self._environment(tree, updates[0].mark) if updates else self.environment

    def _start(self, what: str, tree: dict[str, Any], key: str, told: list[Change], other: Mapping[str, Any]) -> None:
        """A dump that differs from the last change was taken before the changes, and so was another dump with a value
        that none of them asks for; else the earlier value is not known."""
        if not told or tree.get(key) != told[-1].parameters[key]:
            return
        if key in other and all(other[key] != change.parameters[key] for change in told):
            tree[key] = other[key]
            return
        first = told[0]
        tree[key] = first.parameters[key]
        if first.at > self.start:
            why = f"{key} of {what} before {self._place(first)} is not known: no record or dump has it"
            self.result.gaps.append(Gap(self.start, first.at, why))
            of: Doubtful = "capacity" if key == "capacityLimits" and what.startswith("env") else _DOUBTFUL[key]
            self.result.doubts.append(Doubt(self.start, first.at + SECOND, of, why))
            self.result.notes.append(f"{why}; the value after it is taken")

    def _updates(self, share: str, key: str) -> list[Change]:
        return [c for c in self.changes if c.name == "UpdateQuotaShare" and _named(c) == share and key in c.parameters]

    def _updates_environment(self, change: Change) -> bool:
        if not change.name.endswith("ServiceEnvironment"):
            return False
        name = text(change.parameters, "serviceEnvironment") or text(change.parameters, "serviceEnvironmentName")
        return self.environment.service_environment_name == name.rsplit("/", 1)[-1]

    def _drift(self) -> None:
        """Two dumps that differ where CloudTrail tells of no change."""
        changed = {_named(c) for c in self.changes}
        environments = any(self._updates_environment(c) for c in self.changes)
        for d in self.loaded.drift:
            if d.share not in changed and not (environments and d.what.startswith("environment")):
                field_name = d.field or "being there"
                sentence = (
                    f"two configurations: {d.what}, {field_name}, is {d.value or 'given'} here and "
                    f"{d.other or 'not given'} in {d.other_place}; nothing says when it changed, the first counts"
                )
                self.result.problems.append((d.place, sentence))

    def _apply(self, change: Change) -> None:
        asked = change.parameters
        if change.name == "UpdateJobQueue" and "state" in asked:
            self._emit(change, ev.SetQueueState(State(_word(asked))))
        elif self._updates_environment(change):
            tree = self.environment.model_dump(by_alias=True, mode="json")
            tree |= {k: asked[k] for k in ("capacityLimits", "state") if k in asked}
            self.environment = self._environment(tree, change.mark)
            if "capacityLimits" in asked:
                self._emit(change, ev.SetCapacity(self.environment.capacity))
            if "state" in asked:
                self._emit(change, ev.SetEnvironmentState(self.environment.state))
        elif change.name.endswith("QuotaShare"):
            self._share(change)

    def _share(self, change: Change) -> None:
        name, asked = _named(change), change.parameters
        share = self.shares.get(name)
        if change.name == "CreateQuotaShare":
            tree = {k: asked[k] for k in ("quotaShareName", *_FIELDS) if k in asked}
            made = self._built(tree, change.mark)
            if share is not None and share.exists:  # it was deleted, and AWS shows no event for its end
                self._emit(change, ev.ShareGone(name), inferred=True)
            self.shares[name] = _Share(tree, True)
            self.had[name] = [*self.had.get(name, []), made]
            self._emit(change, ev.CreateShare(made))
            return
        if share is None or not share.exists:
            self.result.problems.append(
                (self._place(change), f"{change.name} of share {name}, which no dump and no CreateQuotaShare describes")
            )
            return
        if change.name == "DeleteQuotaShare":
            why = f"AWS has no event that says when the deleted share {name} was gone"
            self.result.doubts.append(Doubt(change.at - SECOND, NEVER, "gone", why))
            if self.begun:
                self._emit(change, ev.DeleteShare(name))
            else:
                self.folded += 1
                share.exists = False
            return
        tree = share.tree | {k: asked[k] for k in _FIELDS if k in asked}
        made = self._built(tree, change.mark)
        share.tree = tree
        self.had[name] = [*self.had.get(name, []), made]
        if "capacityLimits" in asked:
            self._emit(change, ev.SetLimits(name, made.limits))
        if "resourceSharingConfiguration" in asked:
            self._emit(change, ev.SetSharing(name, made.strategy, made.borrow_limit))
        if "preemptionConfiguration" in asked:
            self._emit(change, ev.SetInShare(name, made.in_share))
        if "state" in asked:
            self._emit(change, ev.SetShareState(name, made.state))

    def _same_second(self) -> None:
        """Of two values asked for in one second nobody knows which was the last, until another one is asked for."""
        asked: dict[tuple[str, str], list[Change]] = {}
        for change in self.changes:
            environment = self._updates_environment(change)
            if environment or change.name == "UpdateQuotaShare":
                what = "the environment" if environment else f"share {_named(change)}"
                for key in _FIELDS:
                    if key in change.parameters:
                        asked.setdefault((what, key), []).append(change)
        for (what, key), told in asked.items():
            for one, other in pairwise(told):
                if one.at == other.at and one.parameters[key] != other.parameters[key]:
                    end = next((c.at + SECOND for c in told if c.at > one.at), NEVER)
                    of: Doubtful = "capacity" if key == "capacityLimits" and what[:3] == "the" else _DOUBTFUL[key]
                    why = f"{key} of {what} was given two values within the second of {self._place(one)}"
                    self.result.doubts.append(Doubt(one.at - SECOND, end, of, why))

    def _emit(self, change: Change, what: Observation, *, inferred: bool = False) -> None:
        if self.begun:
            low, high = change.at - SECOND, change.at + SECOND
            self.result.seen.append(Seen(low, high, what, change.mark.file, change.mark.line, inferred))
        else:
            self.folded += not inferred

    def _compare(self) -> None:
        """What CloudTrail leads to is what a dump taken after it says; else changes are missing."""
        for name, tree in self.trees.items() if self.dumped else ():
            share = self.shares[name]
            told = [c for c in self.changes if c.name.endswith("QuotaShare") and _named(c) == name]
            created = any(c.name == "CreateQuotaShare" for c in told)
            if created:
                self._never_so(name)
            if created and share.exists and (ours := self._built(share.tree)) != (theirs := self._built(tree)):
                fields = listed(k for k, a, b in _pairs(ours, theirs) if a != b)
                self.result.notes.append(
                    f"share {name}: {fields} of the dump is not what CloudTrail's changes lead to; "
                    "the dump was taken before the last change, or changes are missing"
                )

    def _never_so(self, name: str) -> None:
        """A dump of a share that CloudTrail follows from its creation, with a value that it never had."""
        drift = next((d for d in self.loaded.drift if d.share == name), None)
        first, last = (drift.place, drift.other_place) if drift else ("", "")
        for place, tree in ((first, self.trees[name]), (last, self.others.get(name, self.trees[name]))):
            theirs = self._built(tree)
            had = [{k for k, a, b in _pairs(one, theirs) if a != b} for one in self.had.get(name, [])]
            if never := set.intersection(*had) if had else set():
                sentence = (
                    f"two configurations: {listed(sorted(never))} of share {name} in a dump is what no change in "
                    "CloudTrail leads to; CloudTrail counts"
                )
                if (place, sentence) not in self.result.problems:
                    self.result.problems.append((place, sentence))

    def _built(self, tree: Mapping[str, Any], mark: Mark | None = None) -> QuotaShare:
        spot = Spot(_document(dict(tree), mark or Mark(0, 0), self.names or [""]), ())
        return aws.share({**tree, "jobQueue": self.loaded.config.job_queue_name}, spot, self.readings, "jobQueue").share

    def _environment(self, tree: dict[str, Any], mark: Mark) -> ServiceEnvironment:
        return aws.environment(tree, Spot(_document(tree, mark, self.names), ())).environment

    def _place(self, change: Change) -> str:
        return f"{self.names[change.mark.file]}:{change.mark.line}"


def _trees(loaded: Loaded) -> dict[str, dict[str, Any]]:
    return {s.name: s.model_dump(by_alias=True, mode="json", exclude_none=True) for s in loaded.config.shares}


def _pairs(ours: QuotaShare, theirs: QuotaShare) -> Iterator[tuple[str, Any, Any]]:
    a, b = (s.model_dump(by_alias=True, mode="json") for s in (ours, theirs))
    return ((k, a[k], b[k]) for k in a)


def _named(change: Change) -> str:
    name = text(change.parameters, "quotaShareName")
    return name or text(change.parameters, "quotaShareArn").rsplit("/", 1)[-1]


def _word(asked: Mapping[str, Any]) -> str:
    state = text(asked, "state")
    if state not in tuple(State):
        raise Unusable("state is not ENABLED or DISABLED")
    return state
