"""--redact: a secret that stands in any field of any event is in none of what reports are made of."""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from quotaproof.checker import results
from quotaproof.checker.report.redact import Redactor, redacted
from quotaproof.checker.results import Began, Event
from quotaproof.checker.simulated import Simulated
from quotaproof.spec import observations

SECRET = "zq-job of 123456789012 at /srv/zq/a.py runs cmd:zq --x"
OURS = {
    *("Began.command", "Began.assumed", "Began.jobs", "Began.files", "Began.backends", "Ended.solver", "Source.kind"),
    *("Result.code", "Result.combinations", "Result.assumes", "Finding.code", "Waiver.until", "Rests.reading"),
    *("Theorem.code", "Theorem.status", "Theorem.assumes", "Promised.code", "Promised.term", "PromiseChange.code"),
    *("PromiseChange.term", "Stands.code", "Given.command", "Planned.command", "FaultSeen.code", "FaultSeen.clause"),
    *("RuledOut.reading", "RuledOut.choice", "Unsettled.reading", "Month.month", "UnitHours.period"),
    *("Period.period", "ShareHours.period", "ShareJobs.period", "Simulating.files", "Happened.kinds"),
}
"""Fields that hold words of the program, dates, or what no report shows."""


NAMES = {**vars(observations), **vars(results), "array": list}
"""What annotations speak of; no column of numbers holds a secret."""


def planted(hint: Any, depth: int = 0) -> Any:
    """A value of a type, each text of it the secret."""
    origin, given = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return planted(next(one for one in given if one is not type(None)), depth)
    if origin is Literal:
        return given[0]
    if origin is tuple:
        return tuple(planted(one, depth) for one in given if one is not Ellipsis)
    if origin is list:
        return []
    if origin is not None and issubclass(origin, Mapping):
        return {"key": planted(given[1], depth)}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    if isinstance(hint, type) and is_dataclass(hint):
        hints = get_type_hints(hint, localns=NAMES)
        return hint(**{f.name: planted(hints[f.name], depth + 1) for f in fields(hint) if f.init})
    return SECRET if hint in (str, Any) else hint()


def texts(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Every text in it, and the field that holds it."""
    if isinstance(value, str) and not isinstance(value, Enum):
        yield where, value
    elif is_dataclass(value):
        for f in fields(value):
            yield from texts(getattr(value, f.name), f"{type(value).__name__}.{f.name}")
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from texts(one, where)
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from texts(one, where)


@pytest.mark.parametrize("kind", [*get_args(Event), *get_args(Simulated)], ids=lambda kind: kind.__name__)
def test_no_field_keeps_a_secret(kind: type) -> None:
    event = planted(kind)
    if kind is Began:
        (told,) = redacted([replace(event, sources=(), files=(), jobs=("zq-job",), backends=("cmd:zq --x",))])
    else:
        told = Redactor(["zq-job"], backends=["cmd:zq --x"]).value(event)
    kept = {where for where, text in texts(told) if "zq" in text or "123456789012" in text}
    assert kept <= OURS
