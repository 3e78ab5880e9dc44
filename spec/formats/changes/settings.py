"""`--set SHARE.FIELD=VALUE` to update requests, one for each share. FIELD is a unit or a field of the share.

The share ends at the first dot; `environment` is the queue's environment. A unit is written in full or as a part that
means one unit only. 0 takes a share's limit away. Trusted: nothing; the requests are judged as those in files are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...model import LARGEST, QueueConfig, State, Strategy
from ..document import Document
from ..errors import InputError, listed, nearest, shown
from ..items import Spot
from ..units import unit_of
from .asked import Asked
from .requests import limits

ENVIRONMENT = "environment"
_FIELDS = ("strategy", "borrowLimit", "inSharePreemption", "state")
_WORDS: Mapping[str, tuple[str, ...]] = {
    "strategy": tuple(Strategy),
    "inSharePreemption": tuple(State),
    "state": tuple(State),
}
_FULL = re.compile(r"ml\.[a-z0-9-]+\.[a-z0-9]+")
_FORM = "write SHARE.UNIT=N, for example foundation.p5=12."


@dataclass(frozen=True)
class Setting:
    """One value that an option gives."""

    option: str
    """As it is written, with the option's name."""
    subject: str
    """A share, or '' for the environment."""
    field: str
    """A unit, or one of strategy, borrowLimit, inSharePreemption, state."""
    value: str | int


def amount(text: str, config: QueueConfig, *, option: str) -> Setting:
    """SHARE.UNIT=N, with N of at least 0. Raises InputError."""
    found = setting(text, config, option=option)
    if found.field in _FIELDS:
        raise InputError(
            f"{found.field} is not a unit",
            where=found.option,
            why="An amount is wanted, and only units have one.",
            fix=_FORM,
        )
    return found


def wish(text: str, config: QueueConfig, *, option: str = "--give") -> Setting:
    """SHARE.UNIT=N, with N of at least what the share has. Raises InputError."""
    found = amount(text, config, option=option)
    if not found.subject:
        raise InputError(
            "the environment is no share",
            where=found.option,
            why="Capacity is given to shares; what the environment has is bought.",
            fix=f"to see what more machines would change, write --set {text}.",
        )
    had = config.share(found.subject).limits.get(found.field, 0)
    if isinstance(found.value, int) and found.value < had:
        raise InputError(
            f"{found.subject} has {had} {found.field} already",
            where=found.option,
            why="N is the limit that the share shall have, not what it gets in addition.",
            fix=f"write more than {had}, or --set {text} to take from it.",
        )
    return found


def setting(text: str, config: QueueConfig, *, option: str) -> Setting:
    """The setting in `text`; `option` is the one that it was given to. Raises InputError."""
    where = f"{option} {text}"
    left, equals, value = text.partition("=")
    subject, dot, field = left.partition(".")
    if not (equals and dot and subject and field and value):
        raise InputError("it is not of the form SHARE.UNIT=N", where=where, why="So it says nothing.", fix=_FORM)
    shares = [s.name for s in config.shares]
    whole = subject == ENVIRONMENT
    if whole and ENVIRONMENT in shares:
        raise InputError(
            "environment is the service environment here and a share of this queue",
            where=where,
            why="Nothing says which of the two is meant.",
            fix="write the request into a file and give it with --apply.",
        )
    if not whole and subject not in shares:
        close = nearest(subject, [*shares, ENVIRONMENT])
        raise InputError(
            f"there is no share {shown(subject)}",
            where=where,
            why=f"The queue has {listed(shares)}.",
            fix=f"did you mean {close}?" if close else "a share is created by a request: give it with --apply.",
        )
    fields = ("state",) if whole else _FIELDS
    if field in fields:
        return Setting(where, "" if whole else subject, field, _worded(field, value, where))
    near = nearest(field, fields)
    if near and field.casefold() == near.casefold():
        raise InputError(f"there is no field {shown(field)}", where=where, why="Fields are written as AWS writes them.",
                         fix=f"did you mean {near}?")  # fmt: skip
    if whole and _FULL.fullmatch(field) and field not in config.units:
        return Setting(where, "", field, _number(value, where))
    return Setting(where, "" if whole else subject, unit_of(field, config.units, where=where), _number(value, where))


def _number(value: str, where: str, least: int = 0) -> int:
    if not re.fullmatch(r"-?[0-9]{1,10}", value) or not least <= int(value) <= LARGEST:
        raise InputError(
            f"{shown(value)} is not a number of at least {least}",
            where=where,
            why="Instances and percentages are whole numbers; no cluster has more than a thousand million.",
            fix="write a whole number.",
        )
    return int(value)


def _worded(field: str, value: str, where: str) -> str | int:
    if field == "borrowLimit":
        return _number(value, where, -1)
    words = _WORDS[field]
    if value not in words:
        close = nearest(value, words)
        raise InputError(
            f"{field} cannot be {shown(value)}",
            where=where,
            why=f"AWS knows {', '.join(words)}.",
            fix=f"did you mean {close}?" if close else f"write {' or '.join(words)}.",
        )
    return value


def ask(texts: Sequence[str], asked: Asked, *, option: str = "--set") -> None:
    """Add what the options ask for to the requests. Raises InputError."""
    by_subject: dict[str, list[Setting]] = {}
    known = asked.config
    for text in texts:
        one = setting(text, known, option=option)
        if not one.subject and one.field not in (*known.units, "state"):
            known = _with_unit(known, one.field)
            asked.notes.append(f"{one.field} is new: neither the environment nor a share has had it")
        by_subject.setdefault(one.subject, []).append(one)
    for subject, settings in by_subject.items():
        _check_once(settings)
        name = " ".join(s.option if i == 0 else s.option.removeprefix(f"{option} ") for i, s in enumerate(settings))
        tree = _share_tree(subject, settings, asked) if subject else _environment_tree(settings, asked)
        document = Document(name, tree, dict)
        asked.quiet |= {name}
        (asked.update if subject else asked.update_environment)(tree, Spot(document, ()))


def _with_unit(config: QueueConfig, unit: str) -> QueueConfig:
    from ...model import EnvironmentCapacityLimit

    new = EnvironmentCapacityLimit(capacity_unit=unit, max_capacity=0)
    environment = config.environment
    limits = (*environment.capacity_limits, new)
    return config.model_copy(update={"environment": environment.model_copy(update={"capacity_limits": limits})})


def _check_once(settings: Sequence[Setting]) -> None:
    seen: dict[str, Setting] = {}
    for one in settings:
        first = seen.setdefault(one.field, one)
        if first.value != one.value:
            raise InputError(
                f"{one.field} is given two values: {first.value} and {one.value}",
                where=one.option,
                why=f"The other is {first.option}, and the order of options is no decision.",
                fix="keep one of the two.",
            )


def _share_tree(name: str, settings: Sequence[Setting], asked: Asked) -> dict[str, Any]:
    share = asked.config.share(name)
    values = {s.field: s.value for s in settings}
    counts = dict(share.limits)
    for one in settings:
        if one.field not in _FIELDS:
            assert isinstance(one.value, int)
            counts[one.field] = one.value
    tree: dict[str, Any] = {"quotaShareArn": name}
    if set(values) - set(_FIELDS):
        left = {unit: count for unit, count in counts.items() if count}
        if not left:
            raise InputError(
                f"share {name} would have no limit left",
                where=settings[-1].option,
                why="A share has one to five limits, each of at least 1 (rules 4, 5).",
                fix=f"to take everything away, delete the share; to stop new jobs, --set {name}.state=DISABLED.",
            )
        tree["capacityLimits"] = limits(left)
    if {"strategy", "borrowLimit"} & set(values):
        tree["resourceSharingConfiguration"] = dict(_sharing(values, share.strategy, share.borrow_limit))
    if "inSharePreemption" in values:
        tree["preemptionConfiguration"] = {"inSharePreemption": values["inSharePreemption"]}
    if "state" in values:
        tree["state"] = values["state"]
    return tree


def _sharing(
    values: Mapping[str, str | int], strategy: Strategy, borrow: int | None
) -> Iterator[tuple[str, str | int]]:
    """Strategy and borrow limit whole, as AWS takes them; what is not given stays."""
    wanted = values.get("strategy", strategy.value)
    yield "strategy", wanted
    if "borrowLimit" in values:
        yield "borrowLimit", values["borrowLimit"]
    elif wanted == Strategy.LEND_AND_BORROW:
        yield "borrowLimit", -1 if borrow is None else borrow


def _environment_tree(settings: Sequence[Setting], asked: Asked) -> dict[str, Any]:
    environment = asked.config.environment
    tree: dict[str, Any] = {"serviceEnvironment": asked.arns.environment}
    counts = {**environment.capacity, **{s.field: s.value for s in settings if s.field != "state"}}
    if counts != environment.capacity:
        tree["capacityLimits"] = [{"maxCapacity": n, "capacityUnit": u} for u, n in counts.items()]
    for one in settings:
        if one.field == "state":
            tree["state"] = one.value
    return tree
