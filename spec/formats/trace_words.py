"""The words of a trace: for each observation how a line says it, as one table that reading, writing and the schema use.

A line is an object with one word as a key, whose value is the job, share or state that the observation is about; `at` and
`until` say when. A field that is absent is not known. Trusted: the table; `conform` for what a field may be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from functools import cache, partial
from typing import Any

from .. import events as ev
from ..model import LARGEST, Stage, State, Strategy
from ..observations import JobFacts, Observation, Preempted, Preempting, Reached, Rejected, Retried, Settled, Submitted
from ..readings import Readings
from . import own
from .conform import Conform, accepts
from .document import Document
from .errors import InputError, nearest, shown
from .scenario import TYPES, camel, own_share

LATEST = 253402300799999
"""The last millisecond of the year 9999."""
CHECK = Conform("trace")
_TEXT = {"type": "string"}
_FACTS = tuple(f.name for f in fields(JobFacts))
FORMS: Mapping[str, Any] = {
    **TYPES,
    "job": {**TYPES["job"], "description": "The job's name: any text, the same in all its lines."},
    "size": {
        **TYPES["size"],
        "description": 'What one attempt holds, as capacity unit -> instances, such as {"ml.p5.48xlarge": 8}. Units are '
        "those of the shares' limits.",
    },
    "attempt": {**_TEXT, "description": "Name of its training job."},
    "claimant": {**TYPES["job"], "description": "The job it was told to stop for; absent where nobody says."},
    "kind": {"enum": ["cross-share", "in-share"], "description": "Absent where nobody says."},
    "stage": {"enum": [Stage.RUNNABLE.value, Stage.FAILED.value], "description": "Absent: not seen."},
    "count": {
        "type": "integer",
        "minimum": 0,
        "maximum": LARGEST,
        "description": "preemptedAttemptCount as reported, this one included.",
    },
    "number": {
        "type": "integer",
        "minimum": 1,
        "maximum": LARGEST,
        "description": "Its order of opening in this trace, from 1.",
    },
    "name": {**_TEXT, "description": "What its owner calls it."},
    "arn": _TEXT,
    "checkpoint": {**_TEXT, "description": "Where checkpoints go; empty: none is set; absent: not known."},
    "training_plan": {"type": "boolean", "description": "Absent: not known."},
    "timeout": {
        "type": "integer",
        "minimum": 0,
        "maximum": LARGEST,
        "description": "Seconds one attempt may take.",
    },
    "owner": {**_TEXT, "description": "Who submitted it."},
    "priority": {**TYPES["priority"], "description": "Absent: not known; one that was left out at submission is 0."},
    "retries": {
        **TYPES["retries"],
        "description": "preemptionRetriesBeforeTermination; null: without limit; absent: not known.",
    },
}
_NULLABLE = ("retries",)
_CONVERT: Mapping[str, Callable[[Any], Any]] = {"strategy": Strategy, "state": State, "stage": Stage, "victims": tuple}


@dataclass(frozen=True)
class Word:
    """A word of the form: what it says, the observation it makes, and its fields; the first is the word's own value."""

    about: str
    make: Callable[..., Observation]
    fields: tuple[str, ...]
    needs: tuple[str, ...] = ()
    unsaid: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Field -> its value when it is absent."""
    beside: tuple[str, ...] = ()
    """Fields of a line that are no part of the observation."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Its fields as a line names them, without the first."""
        return tuple(camel(f) for f in (*self.fields[1:], *self.beside))


def _submitted(job: str, share: str, size: Mapping[str, int], **more: Any) -> Submitted:
    facts = {name: more.pop(name) for name in _FACTS if name in more} if more else {}
    known = "retries" in more
    return Submitted(job, share, size, retries_known=known, facts=JobFacts(**facts) if facts else _NO_FACTS, **more)


_NO_FACTS = JobFacts()


def _word(
    kind: type[Any],
    about: str,
    *names: str,
    make: Callable[..., Observation] | None = None,
    beside: tuple[str, ...] = (),
    **fixed: Any,
) -> Word:
    """A word whose fields are those of a record; what has no default there is needed."""
    own = {f.name: f for f in fields(kind)}
    chosen = names or tuple(own)
    needs = tuple(n for n in chosen[1:] if own[n].default is MISSING)
    unsaid = {n: own[n].default for n in chosen if own[n].default is not MISSING}
    return Word(about, make or (partial(kind, **fixed) if fixed else kind), chosen, needs, unsaid, beside)


WORDS: Mapping[str, Word] = {
    "submit": Word(
        "A job was accepted: it is RUNNABLE, and all other lines name it as here. Once for each job, before its other lines.",
        _submitted,
        ("job", "share", "size", "priority", "retries", *_FACTS),
        ("share", "size"),
        {"priority": None, "retries": None, **{f.name: f.default for f in fields(JobFacts)}},
    ),
    "reject": _word(Rejected, "A submission was refused."),
    "dispatch": _word(ev.Dispatch, "A RUNNABLE job became SCHEDULED and holds its machines."),
    "start": _word(Reached, "A dispatched job is STARTING.", "job", "attempt", stage=Stage.STARTING),
    "run": _word(Reached, "A dispatched job is RUNNING.", "job", "attempt", stage=Stage.RUNNING),
    "claim": _word(
        ev.Claim,
        "The head of a share claims capacity, and its victims are told to stop: a claim with victims is their preempt. It "
        "ends with the dispatch or the end of its job, or with a release.",
        beside=("number",),
    ),
    "release": _word(
        ev.Release,
        "The claim of a job that goes on waiting ended: a release belongs where the job stops being the first waiting job of "
        "its share, entitled and funded.",
    ),
    "preempt": _word(
        Preempting,
        "A job was told to stop. Of a claim's victims the claim has said it: a preempt of one for the same job changes "
        "nothing.",
    ),
    "preempted": _word(Preempted, "A victim has stopped: it is RUNNABLE again, or FAILED."),
    "return": _word(ev.Return, "A SCHEDULED job is RUNNABLE again for lack of machines."),
    "retry": _word(Retried, "An attempt failed and the job is RUNNABLE again; no preemption."),
    "finish": _word(ev.Finish, "A job ended by itself."),
    "terminate": _word(ev.Terminate, "A job was terminated: it is FAILED."),
    "reprioritise": _word(ev.SetPriority, "The priority of a live job changed."),
    "misconfigured": _word(ev.Misconfigured, "The scheduler says why a head can never run."),
    "share-deleted": _word(ev.DeleteShare, "DeleteQuotaShare: its jobs will be terminated."),
    "share-gone": _word(ev.ShareGone, "A deleted share has no live job left."),
    "queue": _word(ev.SetQueueState, "UpdateJobQueue."),
}
"""Words whose value and fields are those of one record."""
SHARE, CREATED, ENVIRONMENT, SETTLED = "share", "share-created", "environment", "settled"
_UPDATE = ("limits", "strategy", "borrow_limit", "enabled", "state")
_IN_SHARE = "inSharePreemption"
UPDATE_KEYS = ("limits", "strategy", "borrowLimit", _IN_SHARE, "state")
EVERY = (*WORDS, SHARE, CREATED, ENVIRONMENT, SETTLED)
TIMES = ("at", "until")
_BY_KIND: Mapping[type, str] = {
    Submitted: "submit",
    **{w.make: name for name, w in WORDS.items() if isinstance(w.make, type)},
}


def form(what: Observation, claims: int = 0) -> dict[str, Any]:
    """An observation as its line says it, without its time. `claims` is how many claims there are up to it."""
    match what:
        case Settled():
            return {SETTLED: True}
        case ev.CreateShare():
            return {CREATED: own_share(what.share)}
        case ev.SetLimits():
            return {SHARE: what.share, "limits": dict(what.limits)}
        case ev.SetSharing():
            given = {} if what.borrow_limit is None else {"borrowLimit": what.borrow_limit}
            return {SHARE: what.share, "strategy": what.strategy.value, **given}
        case ev.SetInShare():
            return {SHARE: what.share, _IN_SHARE: what.enabled}
        case ev.SetShareState():
            return {SHARE: what.share, "state": what.state.value}
        case ev.SetCapacity():
            return {ENVIRONMENT: dict(what.capacity)}
        case ev.SetEnvironmentState():
            return {ENVIRONMENT: what.state.value}
        case _:
            return _plain(what, claims)


def _plain(what: Observation, claims: int) -> dict[str, Any]:
    reached = "start" if isinstance(what, Reached) and what.stage is Stage.STARTING else "run"
    name = reached if isinstance(what, Reached) else _BY_KIND[type(what)]
    word = WORDS[name]
    line: dict[str, Any] = {name: _said(getattr(what, word.fields[0]))}
    for attribute in word.fields[1:]:
        holder = what.facts if attribute in _FACTS and isinstance(what, Submitted) else what
        value = getattr(holder, attribute)
        if attribute == "retries" and isinstance(what, Submitted):
            if what.retries_known:
                line["retries"] = value
        elif attribute not in word.unsaid or value != word.unsaid[attribute]:
            line[camel(attribute)] = _said(value)
    if isinstance(what, ev.Claim):
        line["number"] = claims
    return line


def _said(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


Plan = Callable[[dict[str, Any]], Observation | None]


@cache
def plan(keys: tuple[str, ...]) -> tuple[Plan, int, tuple[str, ...]] | None:
    """For lines with these keys in this order: what makes the line's object an observation, how many quotation marks such
    a line has at least, and the fields whose value holds more of them, two for each part.

    Of a value that is not what the form says None is made. None for keys that are no line of one record, or not its own.
    """
    name = next((k for k in keys if k in WORDS), "")
    if not name or "at" not in keys:
        return None
    word = WORDS[name]
    by_key = {name: word.fields[0], **{camel(f): f for f in (*word.fields[1:], *word.beside)}}
    own = [k for k in keys if k not in TIMES]
    if any(k not in by_key for k in own) or any(camel(n) not in keys for n in word.needs):
        return None
    steps = [(k, by_key[k], accepts(FORMS[by_key[k]]), by_key[k] in _NULLABLE, _CONVERT.get(by_key[k])) for k in own]
    make, beside = word.make, word.beside

    def run(line: dict[str, Any]) -> Observation | None:
        given: dict[str, Any] = {}
        for key, attribute, fits, nullable, convert in steps:
            value = line[key]
            if not fits(value) and not (nullable and value is None):
                return None
            given[attribute] = value if convert is None else convert(value)
        for attribute in beside:
            given.pop(attribute, None)
        return make(**given)

    forms = {k: FORMS[by_key[k]] for k in own}
    texts = sum("enum" in f or f["type"] == "string" for f in forms.values())
    nested = tuple(k for k, f in forms.items() if f.get("type") in ("object", "array"))
    return run, 2 * (len(keys) + texts), nested


def observations(document: Document, readings: Readings) -> Sequence[Observation]:
    """What the line in `document` says; an update of several fields of a share is several. Raises InputError."""
    value = document.value
    CHECK.typed(document, (), value, dict, "an object")
    word = _which(document, value)
    if word in WORDS:
        return [_read(document, value, word)]
    if word == SETTLED:
        CHECK.keys(document, (), value, {SETTLED, *TIMES})
        if value[SETTLED] is not True:
            raise CHECK.wrong(document, (SETTLED,), f"settled is {shown(value[SETTLED])}", "write true.")
        return [Settled()]
    if word == CREATED:
        CHECK.keys(document, (), value, {CREATED, *TIMES})
        CHECK.typed(document, (CREATED,), value[CREATED], dict, "an object, as a share in `explain queue`")
        return [ev.CreateShare(own.new_share(document, (CREATED,), readings))]
    if word == ENVIRONMENT:
        CHECK.keys(document, (), value, {ENVIRONMENT, *TIMES})
        given = value[ENVIRONMENT]
        kind = "capacity" if isinstance(given, dict) else "state"
        found = CHECK.value(document, (ENVIRONMENT,), given, TYPES[kind])
        return [ev.SetCapacity(found) if kind == "capacity" else ev.SetEnvironmentState(State(found))]
    return list(_update(document, value))


def _which(document: Document, value: Mapping[str, Any]) -> str:
    words = [k for k in value if k in EVERY]
    if SHARE in words and {"submit", "reject"} & set(words):
        words.remove(SHARE)
    if len(words) == 1:
        return words[0]
    if words:
        raise CHECK.wrong(document, (), f"{' and '.join(words)} stand in one line", "write a line for each.")
    unknown = [k for k in value if k not in TIMES]
    near = next((n for k in unknown if (n := nearest(k, EVERY))), "")
    named = f"{shown(unknown[0])} is no event" if unknown else "the line says no event"
    raise CHECK.wrong(document, (), named, f"did you mean {near}?" if near else "use one of " + ", ".join(EVERY) + ".")


def _read(document: Document, value: Mapping[str, Any], name: str) -> Observation:
    word = WORDS[name]
    CHECK.keys(document, (), value, {name, *TIMES, *word.keys}, [camel(n) for n in word.needs])
    for attribute, key in zip((*word.fields, *word.beside), (name, *word.keys), strict=True):
        if key in value and not (attribute in _NULLABLE and value[key] is None):
            CHECK.value(document, (key,), value[key], FORMS[attribute])
    found = plan(tuple(value))
    what = found[0](document.value) if found else None
    if what is None:
        raise InputError("the line cannot be read", where=document.name, why="It is not what the form says.",
                         fix="write it as `quotaproof explain trace` says.")  # fmt: skip
    return what


def _update(document: Document, value: Mapping[str, Any]) -> Iterator[Observation]:
    """UpdateQuotaShare: each part that the line gives, as an observation of its own."""
    CHECK.keys(document, (), value, {SHARE, *TIMES, *UPDATE_KEYS})
    share = CHECK.value(document, (SHARE,), value[SHARE], TYPES["share"])
    for key, attribute in zip(UPDATE_KEYS, _UPDATE, strict=True):
        if key in value:
            CHECK.value(document, (key,), value[key], TYPES[attribute])
    if "borrowLimit" in value and "strategy" not in value:
        raise CHECK.wrong(document, ("borrowLimit",), "borrowLimit stands without a strategy",
                          "AWS replaces both: add the strategy.")  # fmt: skip
    if not any(key in value for key in UPDATE_KEYS):
        raise CHECK.wrong(
            document, (), "nothing of the share changes", f"give {', '.join(UPDATE_KEYS)} or some of them."
        )
    if "limits" in value:
        yield ev.SetLimits(share, value["limits"])
    if "strategy" in value:
        yield ev.SetSharing(share, Strategy(value["strategy"]), value.get("borrowLimit"))
    if _IN_SHARE in value:
        yield ev.SetInShare(share, value[_IN_SHARE])
    if "state" in value:
        yield ev.SetShareState(share, State(value["state"]))
