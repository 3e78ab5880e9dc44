"""The messages between the harness and a backend that is another program: one line of JSON each, version 1.

The harness writes `start`, `configure`, `run` and `stop`; `start` and every `run` have one answer, in their order. A queue
is written in quotaproof's own form, steps as in a scenario file, what happened in the words of a trace, without times.
Schema: protocol.schema.json, made by `protocol_schema`. Answers are read by a quick way that takes what is in order and by
a slow one that says what is not. Trusted: nothing that a backend writes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

from ...spec import events as ev
from ...spec.formats import json_text
from ...spec.formats.conform import Conform
from ...spec.formats.document import Document
from ...spec.formats.errors import InputError, escaped, shown
from ...spec.formats.scenario import Expect, Step, own_form, step_form
from ...spec.formats.trace_words import form, observations, plan
from ...spec.model import QueueConfig
from ...spec.observations import Observation, Preempting, Settled
from ...spec.readings import Readings, UnknownReading
from ..conformed import Capacity
from .backend import Answer, Declaration, Report, Unable
from .failures import Garbage, InvalidMessage, TooMuchOutput, WrongVersion
from .features import checked

VERSION = 1
MOST = 100_000
"""Observations of one answer, at most."""
_NAME, _URL = 200, 2_000
"""Letters of what a backend says of itself, at most."""
CHECK = Conform("protocol")
UNTOLD = (Expect, *ev.SCHEDULER, ev.ShareGone)
"""Steps of a scenario that a backend is not told: what is expected, and what it decides itself."""
_ENCODE = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True).encode
_DECODE = json.JSONDecoder().decode
_QUOTED = 80
_READINGS = Readings()
_SETTLED, _SETTLED_LINE = Settled(), form(Settled())


@dataclass(frozen=True)
class Start:
    """Say who you are."""

    def form(self) -> dict[str, Any]:
        """The message's object."""
        return {"cmd": "start", "protocol": VERSION}


@dataclass(frozen=True)
class Configure:
    """Runs from now on start with this queue, empty. Has no answer."""

    config: QueueConfig

    def form(self) -> dict[str, Any]:
        """The message's object."""
        return {"cmd": "configure", "queue": own_form(self.config)}


@dataclass(frozen=True)
class Run:
    """A whole scenario: what users, the platform and administrators do, and when to settle."""

    id: int
    steps: Sequence[Step]

    def form(self) -> dict[str, Any]:
        """The message's object."""
        return {"cmd": "run", "id": self.id, "steps": [step_form(s) for s in self.steps if not isinstance(s, UNTOLD)]}


@dataclass(frozen=True)
class Stop:
    """End. The answer is that the program ends."""

    def form(self) -> dict[str, Any]:
        """The message's object."""
        return {"cmd": "stop"}


Message: TypeAlias = Start | Configure | Run | Stop


def written(message: Message) -> bytes:
    """A message as it goes over the wire."""
    return _ENCODE(message.form()).encode() + b"\n"


@dataclass(frozen=True)
class Answered:
    """What a backend says of one run."""

    id: int
    answer: Answer


def greeting(raw: bytes) -> Declaration:
    """The answer to `start`. Raises Garbage, InvalidMessage or WrongVersion."""
    document = _parsed(raw, "the answer to start")
    value = document.value
    try:
        if isinstance(value, dict) and value.get("protocol") != VERSION and type(value.get("protocol")) is int:
            raise WrongVersion(
                f"it speaks version {value['protocol']} of the protocol, this quotaproof version {VERSION}"
            )
        CHECK.keys(document, (), value, DECLARED, ("protocol", "name"))
        for key, form in DECLARED.items():
            if key in value:
                CHECK.value(document, (key,), value[key], form)
        features = checked(value["features"], where="the answer to start, features") if "features" in value else None
        choices = value.get("choices", {})
        try:
            Readings().assuming(choices)
        except UnknownReading as error:
            raise CHECK.wrong(document, ("choices",), str(error), "name a reading and one of its choices.") from None
    except InputError as error:
        raise _invalid(error) from None
    return Declaration(
        name=value["name"],
        version=value.get("version", ""),
        features=features,
        claims=value.get("claims", False),
        choices=choices,
        own_time=value.get("ownTime", False),
        issue_url=value.get("issueUrl", ""),
        deadline=value.get("deadline"),
        capacity=value.get("capacity", "pooled"),
        profile=value.get("profile", ""),
    )


DECLARED: dict[str, Any] = {
    "protocol": {"type": "integer", "minimum": VERSION, "maximum": VERSION, "description": "The version that start named."},
    "name": {"type": "string", "minLength": 1, "maxLength": _NAME, "description": "What it is called."},
    "version": {"type": "string", "maxLength": _NAME, "description": "Its version."},
    "features": {
        "type": "array",
        "items": {"type": "string"},
        "description": "What it can do, of the features that docs/how-to/test-a-scheduler.md lists; absent: everything.",
    },
    "claims": {
        "type": "boolean",
        "description": "true: its traces name every claim. Absent or false: promises that rest on claims are judged in their "
        "weak form.",
    },
    "choices": {
        "type": "object",
        "additionalProperties": {"type": "string"},
        "description": 'What it does where AWS leaves something open, such as {"A13": "a"}; absent ones are the defaults of '
        "`quotaproof explain readings`.",
    },
    "ownTime": {
        "type": "boolean",
        "description": "true: jobs start and victims stop in their own time, "
        "whatever a scenario says of that; they end when it says so.",
    },
    "issueUrl": {"type": "string", "maxLength": _URL, "description": "Where its faults are to be reported."},
    "deadline": {
        "type": "integer",
        "minimum": 1,
        "maximum": 3600,
        "description": "Seconds that one answer may take; absent: 10.",
    },
    "capacity": {
        "enum": list(get_args(Capacity)),
        "description": "per-lender: every machine belongs to a share, a loan is of one lender's machines, and a share takes "
        "back its own only; answers say whose machines jobs run on. Absent: pooled, a machine is a machine.",
    },
    "profile": {"type": "string", "maxLength": _NAME, "description": "The profile that it is made for; absent: aws-batch."},
}  # fmt: skip
"""The answer to `start`."""
LENDERS: dict[str, Any] = {
    "type": "array",
    "items": {"type": "string"},
    "description": "Where capacity is per lender: for each dispatch, in order, the share whose machines the job runs on.",
}


def answer(raw: bytes) -> Answered:
    """The answer to a `run`. Raises Garbage or InvalidMessage."""
    try:
        text = raw.decode()
        value = _DECODE(text)
    except (ValueError, RecursionError):
        return _slowly(raw)
    return _quickly(text, value) or _slowly(raw)


def _quickly(text: str, value: Any) -> Answered | None:
    """The answer, if it is an ordinary one with its trace; None where somebody has to look closely."""
    if type(value) is not dict or value.keys() != {"id", "trace"}:
        return None
    number, lines = value["id"], value["trace"]
    if type(number) is not int or type(lines) is not list or len(lines) > MOST:
        return None
    seen: list[Observation] = []
    marks, claims = 4, 0
    for line in lines:
        shape = plan(("at", *line)) if type(line) is dict else None
        if shape is None:
            if line == _SETTLED_LINE and line["settled"] is True:
                seen.append(_SETTLED)
                marks += 2
                continue
            try:
                seen += observations(Document("", line, dict), _READINGS)
            except InputError:
                return None
            marks += _ENCODE(line).count('"')
            continue
        run, quotes, nested = shape
        what = run(line)
        if what is None:
            return None
        for key in nested:
            marks += 2 * len(line[key])
        marks += quotes - 2
        if type(what) is ev.Claim:
            claims += 1
            if line.get("number", claims) != claims:
                return None
        seen.append(what)
    # Every key and text has two quotes: with more of them a key stands twice.
    return Answered(number, Report(_once(seen, claims))) if text.count('"') == marks else None


def _slowly(raw: bytes) -> Answered:
    """An answer that is written in an unusual way, says skipped or errored, or cannot be used."""
    document = _parsed(raw, "an answer")
    value = document.value
    try:
        CHECK.keys(document, (), value, {"id", "trace", "lenders", "skipped", "errored"}, ("id",))
        number = CHECK.value(document, ("id",), value["id"], {"type": "integer"})
        document = Document(f"answer {shown(number)}", value, dict)
        said = [key for key in ("skipped", "errored") if key in value]
        if len(said) == 2 or ("skipped" in said and "trace" in value) or not (said or "trace" in value):
            raise CHECK.wrong(document, (), "it says not exactly one thing",
                              "give trace; or skipped; or errored, with a trace if there is one.")  # fmt: skip
        seen = _trace(number, CHECK.typed(document, ("trace",), value.get("trace", []), list, "a list"))
        lenders = tuple(CHECK.value(document, ("lenders",), value.get("lenders", []), LENDERS))
        if not said:
            return Answered(number, Report(seen, lenders))
        why = CHECK.value(document, (said[0],), value[said[0]], {"type": "string", "minLength": 1})
        skipped = said[0] == "skipped"
        return Answered(
            number,
            Unable(escaped(why), skipped=skipped, code="" if skipped else "errored", seen=tuple(seen), lenders=lenders),
        )
    except InputError as error:
        raise _invalid(error) from None


def _trace(number: int, lines: list[Any]) -> Sequence[Observation]:
    if len(lines) > MOST:
        raise TooMuchOutput(f"its answer {shown(number)} has {len(lines):,} lines of a trace, more than {MOST:,}")
    seen: list[Observation] = []
    claims = 0
    for index, line in enumerate(lines):
        timed = {"at": 0, **line} if isinstance(line, dict) else line
        document = Document(f"answer {shown(number)}, trace[{index}]", timed, dict)
        found = observations(document, _READINGS)
        seen += found
        if isinstance(found[0], ev.Claim):
            claims += 1
            if line.get("number", claims) != claims:
                raise CHECK.wrong(document, ("number",), f"the claim is number {claims} of the trace, not {line['number']}",
                                  "count claims from 1, or leave number out.")  # fmt: skip
    return _once(seen, claims)


def _once(seen: list[Observation], claims: int) -> Sequence[Observation]:
    """Without stops that a claim has told already."""
    if not claims or Preempting not in {type(what) for what in seen}:
        return seen
    told: dict[str, str] = {}
    kept: list[Observation] = []
    for what in seen:
        if isinstance(what, Preempting) and what.job in told and what.claimant in (None, told[what.job]):
            continue
        if isinstance(what, ev.Claim):
            told |= dict.fromkeys(what.victims, what.job)
        elif (job := getattr(what, "job", "")) and not isinstance(what, ev.SetPriority):
            told.pop(job, None)
        kept.append(what)
    return kept


def _parsed(raw: bytes, name: str) -> Document:
    """A line as a document without lines. Raises Garbage or InvalidMessage."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise Garbage(f"it wrote bytes that are not UTF-8, {_excerpt(raw)}, where {name} was expected") from error
    try:
        return Document(name, json_text.parse(name, text).value, dict)
    except InputError as error:
        if error.what.startswith("not valid JSON"):
            raise Garbage(f"it wrote {_excerpt(raw)} where {name} was expected: {error.what}") from None
        raise _invalid(error) from None


def _excerpt(raw: bytes) -> str:
    text = escaped(raw[:_QUOTED].decode(errors="backslashreplace"))
    return f'"{text}{"..." if len(raw) > _QUOTED else ""}"' if raw.strip() else "an empty line"


def _invalid(error: InputError) -> InvalidMessage:
    return InvalidMessage(f"{error.where}: {error.what}", fix=error.fix)
