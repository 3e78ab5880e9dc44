"""Everything read from outside: files to one queue's configuration. Nothing read here is trusted.

`load` reads requests and outputs of the AWS CLI, CloudFormation templates, quotaproof's own form and others, and returns
a `QueueConfig` together with what was read, what was left out and why, and where each number stands. Whatever is wrong
with the input is an `InputError`. From bytes to configuration: `sources`, `json_text`, `yaml_text`, `kinds`, then one
reader for each form (`_READERS`), `assembly`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib import import_module

from ..model import QueueConfig, QuotaShare
from ..promises import Promises
from ..readings import Readings
from . import jobs, places, waivers
from . import promises as promises_form
from .assembly import Assembled, assemble
from .document import Document
from .drift import Difference
from .errors import InputError
from .items import Aside, Item, JobItem, ShareItem, Spot
from .kinds import PROMISES, REPORTS, SCENARIO, WAIVERS, Kind, recognise
from .sources import Unread, beside, documents, inputs, single

__all__ = [
    "REPORTS",
    "SCENARIO",
    "Difference",
    "InputError",
    "JobItem",
    "Loaded",
    "Source",
    "beside",
    "inputs",
    "job_names",
    "kind_of",
    "load",
    "load_documents",
]

Reader = Callable[[Document, Kind, Readings], Iterator[Item | Aside]]
_READERS: Mapping[str, str] = {
    "aws": "aws",
    "cloudformation": "cloudformation",
    "own": "own",
    "pulumi": "pulumi",
    "sample repository": "sample_repository",
    "terraform": "terraform",
}
"""By the form of a kind: the module whose `items` reads its documents; it is loaded when one is met."""
_STACKS = ("cloudformation", "pulumi", "terraform")
"""Forms that deploy: a share that is not in them but elsewhere is worth a word."""


@dataclass(frozen=True)
class Source:
    """A file: its name as places write it, its path as it was given, its kind ('' when it was left out unparsed)."""

    name: str
    path: str
    kind: str


@dataclass(frozen=True)
class Loaded:
    """A queue's configuration and how it was come by."""

    config: QueueConfig
    sources: tuple[Source, ...]
    """The files that count, in the order in which they were read."""
    files: tuple[Source, ...]
    """Every file that was found, also what is left out."""
    left_out: tuple[str, ...]
    """One line for each file, or part of a file, that does not count: which, and why."""
    notes: tuple[str, ...]
    """What had to be assumed."""
    waivers: tuple[waivers.Waiver, ...]
    """Findings that somebody accepts, in comments or in a file of their own."""
    jobs: tuple[JobItem, ...]
    """Jobs of the queue's shares that requests among the files ask for."""
    job_names: tuple[str, ...]
    """Names of jobs in all files, also of those that are left out, each once."""
    drift: tuple[Difference, ...]
    """What the sources say differently about one object; the one given first counts."""
    capacity_assumed: bool
    """True when no environment was given: the capacity is the sum of the limits."""
    promises: Promises | None
    """What the organisation promises about the queue; None where no file says so, or nobody asked for promises."""
    _shares: dict[str, tuple[QuotaShare, Spot]] = field(repr=False, compare=False)
    _environment: Spot | None = field(repr=False, compare=False)

    def place(self, share: str | None, field: str, unit: str | None = None) -> str:
        """file:line of a field; '' when no file says it.

        Fields of a share: share, limit, unit (these two of `unit`), strategy, borrowLimit, inSharePreemption, state.
        With share None: capacity, the environment's limit of `unit`. A field that is left out is placed at what would
        hold it. Raises KeyError for a share or field that does not exist.
        """
        if share is None:
            if field != "capacity":
                raise KeyError(field)
            known = tuple(self.config.environment.capacity)
            return places.of_environment(self._environment, unit, known) if self._environment else ""
        config, spot = self._shares[share]
        return places.of_share(spot, field, unit, tuple(config.limits))

    def spot(self, share: str | None) -> Spot | None:
        """Where the description of a share stands, or with None of the environment; None where no file gives that.
        Raises KeyError for a share that does not exist."""
        return self._environment if share is None else self._shares[share][1]


def _reader(form: str) -> Reader:
    return import_module(f".{_READERS[form]}", __package__).items


def load(paths: Sequence[str], *, queue: str | None = None, readings: Readings, promises: str | None = None) -> Loaded:
    """Read one queue's configuration from files, folders and "-" (standard input).

    `queue` picks one by name or ARN where the files speak of several. Of the readings only A7 matters: it says whether
    a borrowLimit that its strategy cannot have is an error. `promises` is the file of promises; with '' the one among
    the files counts, or beside a single file; with None promises are left out. Raises InputError, and nothing else, for
    bad input.
    """
    more = [promises] if promises else beside(paths) if promises == "" else []
    return load_documents(documents([*paths, *more]), queue=queue, readings=readings, promises=promises)


def load_documents(
    given: Iterable[Document | Unread], *, queue: str | None = None, readings: Readings, promises: str | None = None
) -> Loaded:
    """The same from documents that have been read already. Raises InputError."""
    job_names: dict[str, None] = {}
    items: list[Item] = []
    waived: list[waivers.Waiver] = []
    notes: list[str] = []
    kinds: dict[int, str] = {}
    left_out: dict[int, list[str]] = {}
    every: list[Document | Unread] = []
    promised: list[Document] = []
    for document in given:
        every.append(document)
        if isinstance(document, Unread):
            left_out[id(document)] = [f"{document.name}: {document.why}"]
            continue
        kind = recognise(document)
        kinds[id(document)] = kind.name
        job_names.update(dict.fromkeys(jobs.names(document)))
        waived += waivers.in_comments(document)
        if kind.name == WAIVERS:
            waived += waivers.in_file(document)
            continue
        if kind.name == PROMISES:
            promised.append(document)
            continue
        if kind.left_out:
            left_out[id(document)] = [f"{document.name}, {kind.name}: {kind.left_out}"]
            continue
        for item in _reader(kind.form)(document, kind, readings):
            if isinstance(item, ShareItem) and kind.form in _STACKS:
                items.append(replace(item, stack=kind.form))
            elif not isinstance(item, Aside):
                items.append(item)
            elif item.left_out:
                left_out.setdefault(id(document), []).append(f"{document.name}: {item.left_out}")
            else:
                notes.append(f"{document.name}: {item.note}")
    if all(isinstance(item, JobItem) for item in items):
        only = [f"{d.name}, {PROMISES}: no configuration in it" for d in promised]
        raise _nothing(every, [*(line for lines in left_out.values() for line in lines), *only])
    found = assemble(items, queue)
    for item, why in found.unused:
        lines = left_out.setdefault(id(item.spot.document), [])
        line = f"{item.spot.document.name}: {why}"
        if line not in lines:
            lines.append(line)
    config = _config(found)
    made, not_judged = promises_form.chosen(promised, config, promises)
    left_out |= {id(d): [f"{d.name}, {PROMISES}: {not_judged[id(d)]}"] for d in promised if id(d) in not_judged}
    used = {id(item.spot.document) for item in found.used}
    used |= {id(made)} if made else set()
    used |= {id(d) for d in every if kinds.get(id(d)) == WAIVERS}
    for document in every:
        if id(document) not in used and id(document) not in left_out:
            left_out[id(document)] = [f"{document.name}, {kinds[id(document)]}: no configuration in it"]
    return Loaded(
        config=config,
        sources=tuple(_source(d, kinds) for d in every if id(d) in used),
        files=tuple(_source(d, kinds) for d in every),
        left_out=tuple(line for d in every for line in left_out.get(id(d), [])),
        notes=(*notes, *found.notes),
        waivers=tuple(waived),
        jobs=tuple(found.jobs),
        job_names=tuple(job_names),
        drift=tuple(found.drift),
        capacity_assumed=found.environment is None,
        promises=promises_form.read(made, config) if made else None,
        _shares={s.name: (s.share, s.spot) for s in found.shares},
        _environment=found.environment.spot if found.environment else None,
    )


def job_names(paths: Sequence[str]) -> Iterator[str]:
    """Names of jobs in all files of `paths` that can be read, "-" excepted."""
    for file in sorted(inputs(paths)):
        with suppress(InputError):
            document = single(file)
            if isinstance(document, Document):
                yield from jobs.names(document)


def kind_of(path: str) -> str:
    """The kind of the file at `path`; '' when it is none that is known, or cannot be read."""
    try:
        document = single(path)
        return "" if isinstance(document, Unread) else recognise(document).name
    except InputError:
        return ""


def _source(document: Document | Unread, kinds: Mapping[int, str]) -> Source:
    return Source(document.name, document.path, kinds.get(id(document), ""))


def _config(found: Assembled) -> QueueConfig:
    shares = tuple(s.share for s in found.shares)
    return QueueConfig(job_queue_name=found.name, environment=found.capacity, shares=shares)


def _nothing(every: Sequence[Document | Unread], left_out: Sequence[str]) -> InputError:
    return InputError(
        "nothing here says how a queue is configured",
        where=", ".join(d.name for d in every[:3]) + (f" and {len(every) - 3} more" if len(every) > 3 else ""),
        why=f"Left out: {'; '.join(left_out[:3])}." if left_out else "The lists in the files are empty.",
        fix="add the output of `aws batch list-quota-shares`, or the create-quota-share requests.",
    )
