"""Shares, environments, queues and policies as single items, read from AWS's objects or from quotaproof's own form.

Both forms end in the same field tree, AWS's, and are judged by `spec.model`; a `Spot` remembers where an item stands
and leads from a field of that tree back to its line, whatever the form. What pydantic objects to is put into plain
words here. Trusted: nothing; ranges and patterns are those of `spec.model`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from ..model import LARGEST, Form, QuotaShare, ServiceEnvironment, State, Strategy
from ..readings import Readings
from .document import Document, Pointer
from .errors import InputError, listed, shown
from .shapes import wrong_word

_UNIT = re.compile(r"[!-~]+")
_F = TypeVar("_F", bound=Form)


def same_path(path: Pointer) -> Pointer:
    """The form is AWS's own."""
    return path


@dataclass(frozen=True)
class Spot:
    """Where an item stands. `path` turns a path in AWS's tree into one below `pointer` in the file's form."""

    document: Document
    pointer: Pointer
    path: Callable[[Pointer], Pointer] = same_path
    home: str = ""
    """Region:account as far as an ARN says it."""

    def at(self, *aws_path: str | int) -> Pointer:
        return (*self.pointer, *self.path(aws_path))

    def place(self, *aws_paths: Pointer) -> str:
        return self.document.place(*(self.at(*p) for p in aws_paths))

    def error(self, aws_path: Pointer, what: str, *, why: str, fix: str) -> InputError:
        return self.document.error(self.at(*aws_path), what, why=why, fix=fix)


@dataclass(frozen=True)
class ShareItem:
    """A quota share of the queue `queue`."""

    queue: str
    share: QuotaShare
    spot: Spot
    notes: tuple[str, ...] = ()
    """What has to be said if it counts."""
    whole: bool = False
    """True when its document lists every share of the queue."""
    stack: str = ""
    """For a share of what deploys a queue, a template say: the form; all documents of it together list the shares."""

    @property
    def name(self) -> str:
        return self.share.name


@dataclass(frozen=True)
class EnvironmentItem:
    """A service environment. `type` is '' where the file does not say."""

    environment: ServiceEnvironment
    type: str
    spot: Spot
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.environment.service_environment_name


@dataclass(frozen=True)
class QueueItem:
    """A job queue: the names it refers to, and what tells a quota-share queue from others."""

    name: str
    environments: tuple[str, ...]
    own_environment: EnvironmentItem | None
    policy: str
    type: str
    has_compute: bool
    spot: Spot
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PolicyItem:
    """A scheduling policy; `quota` tells that it is for quota shares."""

    name: str
    quota: bool
    spot: Spot


@dataclass(frozen=True)
class JobItem:
    """A job that a request asks for: its size is unit -> instances."""

    name: str
    queue: str
    share: str
    size: Mapping[str, int]
    spot: Spot
    priority: int = 0
    """0 where the request gives none (A22)."""
    retries: int | None = None
    """preemptionRetriesBeforeTermination; None: without limit (rule 43)."""
    checkpoint: str = ""
    """Where checkpoints go; '' when none is set."""

    @property
    def place(self) -> str:
        """file:line of the request."""
        return self.spot.place(("jobName",))


@dataclass(frozen=True)
class Aside:
    """What a reader has to say about its document beside the items: a note, or what it left out and why."""

    note: str = ""
    left_out: str = ""


Item = ShareItem | EnvironmentItem | QueueItem | PolicyItem | JobItem


def where_of(items: Sequence[Item]) -> str:
    """The files the items stand in, for a message."""
    return listed(dict.fromkeys(i.spot.document.name for i in items), most=3) or "input"


def read_share(tree: Mapping[str, Any], spot: Spot, queue: str, readings: Readings) -> ShareItem:
    """The share in `tree` (AWS's fields). Raises InputError."""
    share = build(QuotaShare, tree, spot)
    check_limits(share.limits, [c.capacity_unit for c in share.capacity_limits], spot)
    if share.borrow_limit is None or share.strategy is Strategy.LEND_AND_BORROW:
        return ShareItem(queue, share, spot)
    path = ("resourceSharingConfiguration", "borrowLimit")
    if readings["A7"] == "rejected":
        raise spot.error(
            path,
            f"borrowLimit {share.borrow_limit} is given with strategy {share.strategy}",
            why="It can only be applied to LEND_AND_BORROW, so AWS is taken to refuse it (assumption A7).",
            fix="delete borrowLimit, or write LEND_AND_BORROW; --assume A7=ignored drops it.",
        )
    sharing = share.resource_sharing_configuration.model_copy(update={"borrow_limit": None})
    dropped = share.model_copy(update={"resource_sharing_configuration": sharing})
    note = f"{share.name}: borrowLimit {share.borrow_limit} is ignored, its strategy is {share.strategy} (A7=ignored)"
    return ShareItem(queue, dropped, spot, (note,))


def build(form: type[_F], tree: Mapping[str, Any], spot: Spot) -> _F:
    """`tree` as a model object. Raises InputError in plain words for the first thing that is wrong."""
    try:
        return form.model_validate(tree)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise _in_plain_words(first, spot) from None


def check_limits(limits: Mapping[str, int], units: list[str], spot: Spot) -> None:
    """Raise InputError for no limits, a unit given twice, or a unit that is no name."""
    if not units:
        raise spot.error(
            ("capacityLimits",),
            "there is no capacity limit",
            why="A share and an environment have one to five limits, each for one instance type (rule 4).",
            fix="add a limit, for example 2 of ml.p5.48xlarge.",
        )
    seen: set[str] = set()
    for index, unit in enumerate(units):
        path = ("capacityLimits", index, "capacityUnit")
        if not _UNIT.fullmatch(unit):
            raise spot.error(
                path,
                f"{shown(unit)} is not an instance type",
                why="Instance types are letters, digits, dots and hyphens, without blanks.",
                fix="write the instance type alone, for example ml.p5.48xlarge.",
            )
        if len(limits) != len(units) and unit in seen:
            raise spot.error(
                path,
                f"{shown(unit)} has two limits",
                why="Nothing says which of the two counts.",
                fix="keep one limit for each instance type.",
            )
        seen.add(unit)


def _in_plain_words(error: Any, spot: Spot) -> InputError:
    path: Pointer = tuple(error["loc"])
    field, value, sort = str(path[-1]), error["input"], error["type"]
    if sort == "missing":
        return spot.error(
            path,
            f"{spot.path(path)[-1]} is missing",
            why="It is required, and nothing else says what was meant.",
            fix=f"add {spot.path(path)[-1]}.",
        )
    if sort == "enum":
        words = tuple(Strategy) if field == "strategy" else tuple(State)
        return wrong_word(spot.document, spot.at(*path), value, words)
    if field.endswith("Name") and sort in ("string_pattern_mismatch", "string_unicode"):
        return name_error(spot, path, value)
    what, why, fix = f"{shown(value)} cannot be {field}", "It is not a value that AWS takes.", "correct it."
    limit = error.get("ctx", {})
    noun = "the limit" if field == "maxCapacity" else field
    if sort == "greater_than_equal":
        what = f"{noun} is {value}, at least {limit['ge']} is needed"
        why = _AT_LEAST.get((field, limit["ge"]), "It is below the smallest value AWS takes.")
        fix = f"write {limit['ge']} or more."
        if field == "maxCapacity":
            fix = f"write {limit['ge']} or more, or delete the limit if the share gets none."
    elif sort in ("less_than_equal", "int_parsing_size"):
        what = f"{noun} is {shown(value)}, at most {LARGEST:,} is taken"
        why, fix = "No cluster has so many instances, so it is taken for a mistake.", "write the number that was meant."
    elif sort in ("string_too_short", "string_too_long", "string_unicode"):
        what = f"{field} is {shown(value)}"
        why, fix = "An instance type has 1 to 256 characters.", "write the instance type, for example ml.p5.48xlarge."
    return spot.error(path, what, why=why, fix=fix)


_AT_LEAST = {
    ("maxCapacity", 1): "A share's limit is at least 1 (rule 5); 0 is possible in an environment only.",
    ("maxCapacity", 0): "An environment cannot have fewer than no instances.",
    ("borrowLimit", -1): "-1 is no maximum; other values are percent of the share's own limit (rule 21).",
}


def name_error(spot: Spot, path: Pointer, value: str) -> InputError:
    """The error for a name that AWS would refuse."""
    length = f" ({len(value)} characters)" if len(value) > 128 else ""
    return spot.error(
        path,
        f"{shown(value)}{length} is not a name",
        why="Names are 1 to 128 letters, digits, hyphens and underscores (rule 6).",
        fix="write the name as AWS shows it, without blanks or other signs.",
    )
