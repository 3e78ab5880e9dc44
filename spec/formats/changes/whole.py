"""A second configuration: what has to be asked of AWS so that the queue becomes as it says. Trusted: `difference`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ... import events as ev
from ...model import QueueConfig
from .. import Loaded, load_documents
from ..document import Document
from ..errors import InputError, nearest
from ..kinds import recognise
from ..sources import Unread
from .arns import NO_NAME, Arns
from .asked import Asked

_CREATE = "create-quota-share"


def take(
    given: Sequence[Document | Unread],
    loaded: Loaded,
    asked: Asked,
    left_out: list[str],
    sources: list[Document],
) -> Loaded:
    """Ask for the difference. Returns OLD, with the environment of the files in `given` if it has none itself."""
    queue = loaded.config.job_queue_name
    try:
        new = load_documents(given, queue=queue, readings=asked.readings)
    except InputError as error:
        if error.where != "--queue":
            raise
        names = error.why.removeprefix("The files speak of ").removesuffix(".")
        close = nearest(queue, names.split(", "))
        raise InputError(
            f"OLD is of queue {queue}, NEW is not",
            where="NEW",
            why=f"{error.why} A plan is for one queue.",
            fix=f"did you mean {close}? then give its configuration as OLD." if close else "give files of one queue.",
        ) from None
    _refuse_requests(given, new, loaded)
    left_out += new.left_out
    used = {source.name for source in new.sources}
    sources += [d for d in given if isinstance(d, Document) and d.name in used]
    asked.notes += [f"NEW: {note}" for note in new.notes]
    if loaded.capacity_assumed and not new.capacity_assumed:
        asked.notes.append("OLD gives no environment; the one of NEW is taken for both")
        config = loaded.config.model_copy(update={"environment": new.config.environment})
        loaded = replace(loaded, config=config, capacity_assumed=False)
        asked.config = config
        asked.arns = replace(asked.arns, environment=Arns.of(new).environment)
    elif new.capacity_assumed:
        asked.notes.append("NEW gives no environment; the one of OLD stays")
    else:
        names = [asked.arns.environment, Arns.of(new).environment]
        if NO_NAME not in names and names[0] != names[1]:
            asked.notes.append(
                f"NEW's environment is {names[1]}, not {names[0]}: to which one a queue belongs is no matter of these "
                f"requests; its capacity is compared, and asked for of {names[0]}"
            )
        asked.become_environment(new.config.environment, new.place(None, "capacity"))
    shares = {s.name: s for s in new.config.shares}
    for share in loaded.config.shares:
        if share.name not in shares:
            asked.remove(share.name, loaded.place(share.name, "share"))
    for share in shares.values():
        asked.become(share, partial(_place, new, loaded.config))
    return loaded


def _place(new: Loaded, old: QueueConfig, event: ev.AdministratorEvent) -> str:
    """Where the value stands that an event of a share sets first."""
    if isinstance(event, ev.CreateShare):
        return new.place(event.share.name, "share")
    match event:
        case ev.SetLimits(share=name):
            before = old.share(name).limits
            changed = (unit for unit, count in new.config.share(name).limits.items() if before.get(unit) != count)
            return new.place(name, "limit", next(changed, None))
        case ev.SetSharing(share=name):
            return new.place(name, "strategy")
        case ev.SetInShare(share=name):
            return new.place(name, "inSharePreemption")
        case ev.SetShareState(share=name):
            return new.place(name, "state")
        case _:
            return ""


def _refuse_requests(given: Sequence[Document | Unread], new: Loaded, old: Loaded) -> None:
    """A few create requests are no configuration: the other shares would be deleted."""
    kinds = {recognise(d).name for d in given if isinstance(d, Document)}
    known = {s.name for s in old.config.shares}
    if kinds == {_CREATE} and not known & {s.name for s in new.config.shares}:
        raise InputError(
            "NEW has none of the shares of OLD",
            where=", ".join(d.name for d in given[:3]),
            why=f"It is taken as the whole queue, so all of the {len(known)} shares would be deleted.",
            fix="give requests with --apply.",
        )
