"""A file of promises as a whole: what it names, its promises, its exceptions. Trusted: nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from ...model import QueueConfig
from ...promises import KEYS, Amounts, Exemption, Promise, Promises, Scope, Span, StopsPerJob, Term
from ..document import Document
from ..errors import shown
from .part import Part
from .terms import REACHED, READERS, Names, stops

VERSION = 1
_TOP = ("version", "queue", "units", "assume", "groups", "defaults", "promises", "exceptions")
_DEFAULTS = ("owner", "change", "review", "why")
_OF_PROMISE = ("id", "says", "share", "group", "valid", *_DEFAULTS)
_OF_EXCEPTION = ("id", "to", "says", "owner", "until", "why", "share")
_STOPS = KEYS[StopsPerJob]
_READERS = {KEYS[kind]: reader for kind, reader in READERS.items()}
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_TAKEN = re.compile(r"(?:[GA]|QP)[0-9]+[a-z]*|EXPECT|SHOWS|SCENARIO|CAMPAIGN|INPUT|STOPS", re.IGNORECASE)
"""Codes that reports use for other things."""
_WEIGHT = re.compile(r"([0-9]{1,6}) +(\S+)")


def read(document: Document, config: QueueConfig) -> Promises:
    """The promises of a document about the queue. Raises InputError."""
    top = Part.of(document)
    parts = top.fields(_TOP)
    _check_version(top, parts)
    weights = _weights(parts["units"], config) if "units" in parts else {}
    plain = Names(config, weights)
    names = Names(config, weights, _groups(parts["groups"], plain) if "groups" in parts else {})
    defaults = _defaults(parts["defaults"]) if "defaults" in parts else {}
    every = parts["promises"].parts() if "promises" in parts else []
    if not every:
        raise (parts.get("promises") or top).wrong("nothing is promised", "add a promise: id, says, owner and a term.",
                                                   why="The list of promises is empty or missing.")  # fmt: skip
    taken: dict[str, str] = {}
    promises = tuple(_promise(part, names, defaults, taken) for part in every)
    exceptions = parts["exceptions"].parts() if "exceptions" in parts else []
    return Promises(
        promises,
        tuple(_exemption(part, names, defaults, promises, taken) for part in exceptions),
        weights,
        _stop_takes(parts["assume"], plain) if "assume" in parts else {},
        queue_of(document),
        document.name,
        "" if document.path == "-" else str(Path(document.path).parent),
    )


def queue_of(document: Document) -> str:
    """The name of the queue that the promises are about, of an ARN its end; '' where none is named. Raises InputError."""
    parts = Part.of(document).entries()
    return parts["queue"].text().rpartition("/")[2] if "queue" in parts else ""


def _check_version(top: Part, parts: Mapping[str, Part]) -> None:
    given = parts.get("version")
    if given is None or type(given.value) is not int or given.value != VERSION:
        what = "the version is missing" if given is None else f"version {shown(given.value)} of the form is not known"
        fix = f"write promises: {VERSION} as its first line (JSON: version: {VERSION})."
        raise (given or top).wrong(what, fix, why=f"This quotaproof reads version {VERSION}.")


def _defaults(part: Part) -> Mapping[str, Part]:
    """The defaults, each of which could be read, also one that nothing falls back on."""
    parts = part.fields(_DEFAULTS)
    for name, one in parts.items():
        one.day() if name == "review" else one.text()
    return parts


def _weights(part: Part, config: QueueConfig) -> Mapping[str, Amounts]:
    """Measure -> unit -> how many; in the file the unit comes first: "8 GPU", or {GPU: 8}."""
    found: dict[str, dict[str, int]] = {}
    names = Names(config)
    for text, one in part.entries().items():
        unit = names.unit(one, text)
        for measure, count in _of_one(one):
            if measure in config.units:
                raise one.wrong(f"{shown(measure)} is a unit of the queue", "call the measure by another name.")
            of_measure = found.setdefault(measure, {})
            if unit in of_measure:
                raise one.wrong(f"{unit} is given twice", "delete one of the two.")
            of_measure[unit] = count
    return found


def _of_one(part: Part) -> Iterator[tuple[str, int]]:
    if isinstance(part.value, dict):
        for measure, count in part.entries().items():
            yield measure, count.count(1)
        return
    said = _WEIGHT.fullmatch(part.value) if isinstance(part.value, str) else None
    if said is None or int(said[1]) < 1:
        raise part.wrong(f"{shown(part.value)} is not an amount of a measure", "write 8 GPU, or {GPU: 8}.")
    yield said[2], int(said[1])


def _groups(part: Part, names: Names) -> Mapping[str, tuple[str, ...]]:
    return {name: tuple(names.share(p) for p in one.texts()) for name, one in part.entries().items()}


def _stop_takes(part: Part, names: Names) -> Mapping[str, int]:
    parts = part.fields(("stop_takes",))
    found: dict[str, int] = {}
    for text, one in parts["stop_takes"].entries().items() if parts else ():
        unit = names.unit(one, text)
        if unit in found:
            raise one.wrong(f"{unit} is given twice", "delete one of the two.")
        found[unit] = one.duration()
    return found


def _promise(part: Part, names: Names, defaults: Mapping[str, Part], taken: dict[str, str]) -> Promise:
    code, parts = _code(part, taken, "promise")
    part = part.called(f"promise {code}")
    parts = part.fields((*_OF_PROMISE, *KEYS.values(), REACHED), ("says",))
    terms = tuple(_terms(parts, names))
    if not terms:
        raise part.wrong("nothing is promised", f"add a term: {', '.join(KEYS.values())}.",
                         why="A sentence alone can be neither kept nor broken.")  # fmt: skip
    every = {**defaults, **parts}
    return Promise(
        code,
        parts["says"].text(),
        _scope(part, parts, names),
        terms,
        _owner(part, every),
        every["why"].text() if "why" in every else "",
        _valid(parts["valid"]) if "valid" in parts else Span(),
        every["change"].text() if "change" in every else "",
        every["review"].day() if "review" in every else None,
        part.place,
    )


def _terms(parts: Mapping[str, Part], names: Names) -> Iterator[Term]:
    for key, one in parts.items():
        if key == _STOPS:
            yield stops(one, parts.get(REACHED))
        elif key in _READERS:
            yield from _READERS[key](one, names)
    if REACHED in parts and _STOPS not in parts:
        raise parts[REACHED].wrong("there is nothing that could be reached", f"add {_STOPS}, or delete it.")


def _scope(part: Part, parts: Mapping[str, Part], names: Names) -> Scope:
    if "share" in parts and "group" in parts:
        raise part.wrong("share and group are both given", "write one of the two.")
    if "group" in parts:
        group = parts["group"].text()
        if group not in names.groups:
            raise names.unknown(parts["group"], "group", group, names.groups)
        return Scope(names.groups[group], group)
    if "share" not in parts:
        return Scope()
    share = parts["share"]
    if isinstance(share.value, dict):
        return Scope(borrows=share.fields(("borrows",), ("borrows",))["borrows"].flag())
    return Scope(tuple(names.share(p) for p in share.texts()))


def _valid(part: Part) -> Span:
    parts = part.fields(("from", "until"))
    first = parts["from"].day() if "from" in parts else None
    last = parts["until"].day() if "until" in parts else None
    if first is None and last is None:
        raise part.wrong("neither from nor until is given", "add one of the two, or delete valid.")
    if first is not None and last is not None and last < first:
        raise part.wrong(f"until ({last}) is before from ({first})", "write the earlier day at from.",
                         why="The promise would never be in force.")  # fmt: skip
    return Span(first, last)


def _owner(part: Part, every: Mapping[str, Part]) -> str:
    if "owner" not in every:
        raise part.wrong("nobody owns it", "add owner, here or among the defaults.",
                         why="Somebody must answer for it, and for its change.")  # fmt: skip
    return every["owner"].text()


def _code(part: Part, taken: dict[str, str], noun: str) -> tuple[str, Mapping[str, Part]]:
    parts = part.entries()
    if "id" not in parts:
        raise part.wrong("id is missing", "add id, such as P1.", why=f"Reports call the {noun} by it.")
    one = parts["id"]
    one.text()
    code = one.value
    if not _ID.fullmatch(code):
        raise one.wrong(f"{shown(code)} is not an id", "use 1 to 40 letters, digits, hyphens and underscores.",
                        why="It becomes part of the names of files.")  # fmt: skip
    if _TAKEN.fullmatch(code):
        raise one.wrong(f"{code} is the code of something else", "call it by another letter, such as P1.",
                        why="Reports would speak of two things by one code.")  # fmt: skip
    if code in taken:
        raise one.wrong(f"{code} is given twice", "give each an id of its own.",
                        why=f"It stands at {taken[code]} already.")  # fmt: skip
    taken[code] = one.place
    return code, parts


def _exemption(
    part: Part, names: Names, defaults: Mapping[str, Part], promises: tuple[Promise, ...], taken: dict[str, str]
) -> Exemption:
    code, parts = _code(part, taken, "exception")
    part = part.called(f"exception {code}")
    parts = part.fields(_OF_EXCEPTION, ("to", "until", "why"))
    to, known = parts["to"].text(), {p.code: p for p in promises}
    if to not in known:
        raise names.unknown(parts["to"], "promise", to, known)
    share = names.share(parts["share"]) if "share" in parts else ""
    if share and share not in [s.name for s in known[to].scope.of(names.config)]:
        raise parts["share"].wrong(f"{to} is not about {share}", "name a share of the promise, or delete it.")
    return Exemption(
        code,
        to,
        parts["says"].text() if "says" in parts else "",
        _owner(part, {**defaults, **parts}),
        parts["until"].day(),
        parts["why"].text(),
        share,
        part.place,
    )
