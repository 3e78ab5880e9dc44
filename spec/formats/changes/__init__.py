"""A change that somebody plans: the queue as it is, what is asked of AWS, and the queue that this leads to.

`load_change` reads OLD, and what is asked in any of its forms: requests as `aws batch ... --cli-input-json` takes them,
a second configuration, a file that holds both sides (Terraform plan, CloudFormation change set), settings on the command
line. All of them end as `Edit`s, which a plan may put into another order. Whatever is wrong is an `InputError`. Trusted:
`spec.changes.after`, by which edits lead from OLD to the new configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ... import events as ev
from ...changes import Edit, Verb, after
from ...model import EnvironmentCapacityLimit, QueueConfig, ServiceEnvironment
from ...readings import Readings
from .. import Loaded, Source, beside, load_documents
from .. import promises as promises_form
from ..document import Document
from ..errors import InputError
from ..kinds import CHANGE_SET, PROMISES, recognise
from ..sources import Unread, documents
from . import read, requests, settings, sides, whole
from .arns import Arns
from .asked import Asked
from .difference import renames

__all__ = ["Arns", "Change", "load_change", "unchanged"]


@dataclass(frozen=True)
class Change:
    """What is asked, over the queue as it is."""

    old: Loaded
    new: QueueConfig
    """What the edits lead to, one after the other."""
    edits: tuple[Edit, ...]
    """In the order in which they were asked for."""
    notes: tuple[str, ...]
    left_out: tuple[str, ...]
    """One line for each file, or part of one, that asks for nothing."""
    sources: tuple[Source, ...]
    """The files in which something is asked."""
    arns: Arns

    def edit(self, events: Sequence[ev.AdministratorEvent], *, place: str = "", why: str = "") -> Edit:
        """The one request that does all of the events, which are about one share or the environment."""
        name = self.old.config.environment.service_environment_name
        return requests.edit(events, self.arns, name, place=place, why=why)


def unchanged(old: Loaded) -> Change:
    """The queue as it is, with nothing asked."""
    return Change(old, old.config, (), (), (), (), Arns.of(old))


def load_change(
    old: Sequence[str],
    new: Sequence[str] = (),
    *,
    apply: Sequence[str] = (),
    set_: Sequence[str] = (),
    queue: str | None = None,
    readings: Readings,
    promises: str | None = None,
) -> Change:
    """Read OLD and what is asked: a second configuration NEW, requests, settings SHARE.UNIT=N. Raises InputError.

    Where OLD is a Terraform plan it holds both sides, and NEW may not be given. Promises are found with OLD, as `load`
    has it with `promises`; they may speak of shares that are only to come. A9 says what an update without a borrow limit
    leaves, A7 whether one that its strategy cannot have is an error.
    """
    more = [promises] if promises else beside(old) if promises == "" else []
    given = list(documents([*old, *more]))
    promised = [d for d in given if isinstance(d, Document) and recognise(d).name == PROMISES]
    start, plans = _old([d for d in given if all(d is not p for p in promised)], bool(new))
    loaded = load_documents(start, queue=queue, readings=readings)
    asked = Asked(loaded.config, Arns.of(loaded), readings)
    told = _Told()
    for plan in plans:
        sides.take(plan, asked, told.left_out)
        told.sources.append(plan)
    if new:
        loaded = _new(list(documents(new)), loaded, asked, told)
    if apply:
        _apply(list(documents(apply)), asked, told)
    settings.ask(set_, asked)
    if not (plans or new or apply or set_):
        raise InputError(
            "nothing is asked",
            where="command line",
            why="A plan compares the queue as it is with what is to become of it.",
            fix="give requests with --apply, a second configuration, --set SHARE.UNIT=N, or --give SHARE.UNIT=N.",
        )
    loaded = _levelled(loaded, asked)
    becomes = after(loaded.config, asked.edits, readings)
    return Change(
        old=_with_promises(loaded, promised, becomes, promises),
        new=becomes,
        edits=tuple(asked.edits),
        notes=(*dict.fromkeys(asked.notes), *_ending(loaded.config, becomes, asked.edits)),
        left_out=tuple(told.left_out),
        sources=tuple(Source(d.name, d.path, _kind(d)) for d in told.sources),
        arns=asked.arns,
    )


def _with_promises(loaded: Loaded, given: Sequence[Document], becomes: QueueConfig, asked: str | None) -> Loaded:
    """OLD with the promises about it and about what becomes of it."""
    known = {share.name for share in loaded.config.shares}
    coming = tuple(share for share in becomes.shares if share.name not in known)
    environment = _roomier(loaded.config, becomes)
    both = loaded.config.model_copy(update={"shares": (*loaded.config.shares, *coming), "environment": environment})
    one, others = promises_form.chosen(given, both, asked)
    files = tuple(Source(d.name, d.path, PROMISES) for d in given)
    return replace(
        loaded,
        sources=(*loaded.sources, *(f for d, f in zip(given, files, strict=True) if d is one)),
        files=(*loaded.files, *files),
        left_out=(*loaded.left_out, *(f"{d.name}, {PROMISES}: {others[id(d)]}" for d in given if id(d) in others)),
        promises=promises_form.read(one, both) if one else None,
    )


def _roomier(old: QueueConfig, new: QueueConfig) -> ServiceEnvironment:
    """An environment with the units of both."""
    capacity = {**new.environment.capacity, **old.environment.capacity}
    limits = tuple(EnvironmentCapacityLimit(capacity_unit=u, max_capacity=n) for u, n in capacity.items())
    return old.environment.model_copy(update={"capacity_limits": limits})


def _ending(old: QueueConfig, new: QueueConfig, edits: Sequence[Edit]) -> Iterator[str]:
    """Shares that look as if they went on, and whose jobs end."""
    for before, now in renames(old, new):
        yield f"{before} goes and {now} comes with the same limits; AWS renames nothing, so the jobs of {before} end"
    kept = {share.name for share in new.shares}
    for edit in edits:
        if edit.verb is Verb.DELETE and edit.share in kept:
            yield f"{edit.share} is deleted and made anew, so its jobs end"


class _Told:
    """What there is to say about the files."""

    def __init__(self) -> None:
        self.left_out: list[str] = []
        self.sources: list[Document] = []


def _old(given: Sequence[Document | Unread], has_new: bool) -> tuple[list[Document | Unread], list[Document]]:
    """What OLD says of the queue as it is, and the Terraform plans in it, which say what becomes of it."""
    start: list[Document | Unread] = []
    plans: list[Document] = []
    for document in given:
        kind = _kind(document)
        if isinstance(document, Unread) or kind not in sides.BOTH:
            start.append(document)
        elif kind == CHANGE_SET:
            raise InputError(
                "a change set names only what it changes",
                where=document.name,
                why="The shares that stay as they are count as well: what they give and what they may borrow.",
                fix="give the queue as it is as OLD, `aws batch list-quota-shares`, and the change set as NEW.",
            )
        elif has_new:
            raise InputError(
                "OLD is a Terraform plan, which holds both sides, and NEW is a third",
                where=document.name,
                why="Nothing says which of the plan's sides is to be compared with NEW.",
                fix="give the plan alone, or `terraform show -json` of the state as OLD.",
            )
        else:
            start.append(sides.starts_from(document))
            plans.append(document)
    return start, plans


def _new(given: Sequence[Document | Unread], loaded: Loaded, asked: Asked, told: _Told) -> Loaded:
    """Ask for what NEW says. Returns OLD, with NEW's environment if it had none."""
    two_sided = [d for d in given if _kind(d) in sides.BOTH]
    if not two_sided:
        return whole.take(given, loaded, asked, told.left_out, told.sources)
    for document in given:
        if document in two_sided:
            assert isinstance(document, Document)
            sides.take(document, asked, told.left_out)
            told.sources.append(document)
        elif isinstance(document, Unread) or recognise(document).left_out:
            told.left_out.append(f"{document.name}: beside a file that holds both sides it does not count")
        else:
            raise InputError(
                f"{two_sided[0].name} holds both sides of a change, and {document.name} is a configuration",
                where="NEW",
                why="Nothing says which of them is to come.",
                fix="give one of them.",
            )
    return loaded


def _apply(given: Sequence[Document | Unread], asked: Asked, told: _Told) -> None:
    """Ask for what the requests ask for, in the order of the files."""
    before = len(asked.edits), len(asked.notes)
    for document in given:
        if isinstance(document, Unread):
            told.left_out.append(f"{document.name}: {document.why}")
            continue
        for one in _parts(document):
            if _kind(one) in sides.BOTH:
                sides.take(one, asked, told.left_out)
            elif not read.take(one, asked, told.left_out):
                continue
            if document not in told.sources:
                told.sources.append(document)
    if (len(asked.edits), len(asked.notes)) == before:
        raise InputError(
            "no file asks for a change of the queue",
            where=", ".join(d.name for d in given[:3]),
            why=f"Left out: {'; '.join(told.left_out[:3])}." if told.left_out else "The lists in the files are empty.",
            fix="give requests as `aws batch update-quota-share --cli-input-json` takes them.",
        )


def _kind(document: Document | Unread) -> str:
    """The kind of a document, or of the requests that it lists; '' for one that was not parsed."""
    if isinstance(document, Unread):
        return ""
    if not isinstance(document.value, list):
        return recognise(document).name
    return " and ".join(dict.fromkeys(recognise(part).name for part in _parts(document)))


def _parts(document: Document) -> Iterator[Document]:
    """The requests in a file: one, or a list of them."""
    if not isinstance(document.value, list):
        yield document
    else:
        yield from (document.part((index,)) for index in range(len(document.value)))


def _levelled(loaded: Loaded, asked: Asked) -> Loaded:
    """Where no file gives the environment and nothing sets it: room for the shares before and after, so that no share
    is said to be without machines that nobody counted."""
    if not loaded.capacity_assumed or any(not edit.share for edit in asked.edits):
        return loaded
    totals = [_sum(config) for config in (loaded.config, asked.config)]
    units = dict.fromkeys(unit for total in totals for unit in total)
    limits = tuple(
        EnvironmentCapacityLimit(capacity_unit=u, max_capacity=max(t.get(u, 0) for t in totals)) for u in units
    )
    environment = loaded.config.environment.model_copy(update={"capacity_limits": limits})
    if totals[0] != totals[1]:
        asked.notes.append("the capacity is taken as the larger of the sums of limits before and after")
    return replace(loaded, config=loaded.config.model_copy(update={"environment": environment}))


def _sum(config: QueueConfig) -> dict[str, int]:
    total: dict[str, int] = {}
    for share in config.shares:
        for unit, count in share.limits.items():
            total[unit] = total.get(unit, 0) + count
    return total
