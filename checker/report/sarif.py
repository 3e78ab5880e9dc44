"""What a command found out as SARIF 2.1.0, for code scanning and editors.

Results are what somebody should look at: what failed, is noted, accepted or undecided. What passed, is open or does not
apply is only counted (`properties.counts` of the run), since viewers show every result as a problem. A broken guarantee
that a finding tells already is left to the finding. Names are harmless: everything a person reads is plain ASCII.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from ...spec.rules.guarantees import GUARANTEES
from ..promised import Promised
from ..results import Event, Finding, Result, Source, Verification
from .layout import plain
from .options import Options
from .outcome import Word, outcome
from .partition import Class, Judged, classify, count, level, waiver
from .place import found, uri
from .words import accepted, details, title

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LETTERS = str.maketrans("0123456789", "ghijklmnop")
"""For fingerprints without digits, in which nobody finds an account number."""
SHOWN = (Class.FAILED, Class.NOTED, Class.WAIVED, Class.UNDECIDED)


def document(events: Iterable[Event], options: Options) -> dict[str, Any]:
    """The SARIF log as Python data."""
    given = Verification.of(events)
    clean = plain(given)
    judged = outcome(clean, options)
    shown = told(clean.judged, options)
    rules = list(dict.fromkeys(e.code for e in shown))
    places = _Places(clean.began.sources, given.began.sources)
    invocation: dict[str, Any] = {"executionSuccessful": not clean.ended.unusable, "exitCode": judged.exit_code}
    if judged.word in (Word.UNKNOWN, Word.UNUSABLE):
        asked = "decided" if clean.audited or clean.conformed else "proved"
        said = clean.ended.unusable or f"Not everything was {asked}. That is not a yes."
        invocation["toolExecutionNotifications"] = [{"level": "error", "message": {"text": _text(said)}}]
    driver = {
        "name": "quotaproof",
        "semanticVersion": version("quotaproof"),
        "rules": [_rule(code, {p.code: p for p in clean.promised}) for code in rules],
    }
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "results": [_result(e, rules, places, clean.began.assumed, options) for e in shown],
        "columnKind": "unicodeCodePoints",
        "properties": {
            "counts": {c.value: n for c, n in count(clean.judged, options).items()},
            "outcome": judged.word.value,
            "failOn": options.fail_on.value,
        },
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def write(events: Iterable[Event], options: Options) -> str:
    """The log, indented, with a line feed at its end."""
    return json.dumps(document(events, options), indent=2, ensure_ascii=True) + "\n"


def told(every: Sequence[Judged], options: Options) -> list[Judged]:
    """The events that become results: a finding tells the guarantees that are broken for its reason."""
    from ..findings.waive import COVERED, tells

    classes = [(e, classify(e, options)) for e in every]
    findings = [(f, c) for f, c in classes if isinstance(f, Finding) and f.code in COVERED]

    def again(event: Judged, found: Class) -> bool:
        return isinstance(event, Result) and any(c is found and tells(f, event) for f, c in findings)

    return [e for e, c in classes if c in SHOWN and not again(e, c)]


def _result(
    event: Judged, rules: list[str], places: _Places, assumed: Mapping[str, str], options: Options
) -> dict[str, Any]:
    kind = classify(event, options)
    about = _about(event)
    mark = sha256("\0".join((event.code, *about)).encode("utf-8")).hexdigest().translate(_LETTERS)
    result: dict[str, Any] = {
        "ruleId": event.code,
        "ruleIndex": rules.index(event.code),
        "kind": "open" if kind is Class.UNDECIDED else "fail",
        "level": "none" if kind is Class.UNDECIDED else level(event).value,
        "message": {"text": "\n".join(map(_text, [title(event), *details(event, assumed, plain(options.out))]))},
        "partialFingerprints": {"quotaproof/v1": mark[:32]},
        "properties": {"class": kind.value},
    }
    where = places.of(event)
    if where:
        result["locations"] = [where]
    by = waiver(event)
    if kind is Class.WAIVED and by is not None:
        reason = _text(accepted(by))
        result["suppressions"] = [{"kind": "external", "status": "accepted", "justification": reason}]
    return result


def _text(text: str) -> str:
    r"""Text that holds no link: [text](target) is one, \[text](target) is none."""
    return "".join(f"\\{c}" if c in "[]\\" else c for c in text)


def _about(event: Judged) -> tuple[str, ...]:
    """What tells the event from others of its code."""
    if isinstance(event, Finding):
        return event.share, event.unit
    if isinstance(event, Promised):
        return event.term, event.result.subject
    return (event.subject,)


def _rule(code: str, promises: Mapping[str, Promised]) -> dict[str, Any]:
    """What the catalogue says about the code, or the file of promises; one of a played scenario has its name only."""
    from ..findings.catalogue import DESCRIBED

    if code in DESCRIBED:
        check = DESCRIBED[code]
        return _described(code, check.title, check.explanation, check.severity.value)
    if code in GUARANTEES:
        guarantee = GUARANTEES[code]
        return _described(code, guarantee.name, guarantee.sentence, "error")
    if code in promises:
        says, why = promises[code].says, promises[code].why
        return _described(code, says, f"{says} Why: {why}" if why else says, "error", more="promises")
    return {"id": code}


def _described(code: str, short: str, full: str, severity: str, *, more: str = "") -> dict[str, Any]:
    return {
        "id": code,
        "shortDescription": {"text": _text(short)},
        "fullDescription": {"text": _text(full)},
        "help": {"text": _text(f"{full} See `quotaproof explain {more or code}`.")},
        "defaultConfiguration": {"level": severity},
    }


class _Places:
    """Where an event stands. Every result needs a place, so what stands nowhere is put on the first file's first line."""

    def __init__(self, clean: Sequence[Source], given: Sequence[Source]) -> None:
        self._sources = clean
        self._paths = {id(c): g.path for c, g in zip(clean, given, strict=True)}

    def of(self, event: Judged) -> dict[str, Any]:
        place = event.result.place if isinstance(event, Promised) else event.place
        source, line = found(place, self._sources)
        if source is None:
            source, line = next(iter(self._sources), None), 1
        if source is None or source.path == "-":
            return {}
        artifact = {"uri": uri(self._paths[id(source)])}
        return {"physicalLocation": {"artifactLocation": artifact, "region": {"startLine": line}}}
