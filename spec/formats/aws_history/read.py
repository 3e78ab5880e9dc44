"""Files of AWS's records to one history. Next to read: `containers`, `envelopes`, `records`, `order`, `life`, `force`.

Every file is read once, record by record; of a record only the fields that count are kept, so that memory grows with
jobs and their moves, not with the files. Trusted: nothing that is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ... import events as ev
from ...observations import Completeness, Doubt, Gap, History, Problem, Rejected, Seen, Snapshot
from ...readings import Readings
from .. import kinds, sources
from ..document import Document
from ..errors import InputError, escaped, listed, shown
from ..sources import Unread
from .complete import completeness
from .containers import Broken, values
from .envelopes import records as unpacked
from .force import Force, in_force
from .join import Joined, join, lacks
from .known import NEVER, SECOND, Known, Mark
from .records import MISCONFIGURED, Records

_MOST_PROBLEMS = 5
"""Of one file that are named one by one."""


@dataclass(frozen=True)
class Observations:
    """Observations that are held in memory."""

    items: tuple[Seen, ...]

    def __call__(self) -> Iterator[Seen]:
        return iter(self.items)


@dataclass
class Reader:
    """What has been read so far."""

    readings: Readings
    given: str
    """What was named, as messages say it."""
    names: list[str] = field(default_factory=list[str])
    paths: list[str] = field(default_factory=list[str])
    records: Records = field(default_factory=Records)
    documents: list[Document | Unread] = field(default_factory=list[Document | Unread])
    left_out: list[str] = field(default_factory=list[str])
    problems: list[Problem] = field(default_factory=list[Problem])
    read: int = 0
    """Records of a history."""

    def file(self, path: str, name: str) -> None:
        """Read one file. Raises InputError when it cannot be opened, or holds a configuration that cannot be used."""
        index = len(self.names)
        self.names.append(name)
        self.paths.append(path)
        found, strange, broken = 0, 0, Counter[str]()
        first_strange = 0
        bad: list[tuple[int, str]] = []
        for value in values(path):
            for record in unpacked(value.what):
                if isinstance(record, Broken):
                    bad.append((value.line, record.why)) if len(bad) < _MOST_PROBLEMS else broken.update([record.why])
                elif self.records.take(record, Mark(index, value.line)):
                    found += 1
                else:
                    strange += 1
                    first_strange = first_strange or value.line
        self.read += found
        if not found and not self._configuration(path, name, strange, bad):
            return
        if found and strange:
            many = "a value is" if strange == 1 else f"{strange} values are"
            self.left_out.append(f"{name}:{first_strange}: {many} no record of a history")
        if found:
            self.problems += [Problem(f"{name}:{line}", f"{why}; it is left out") for line, why in bad]
            if broken:
                more = sum(broken.values())
                self.problems.append(Problem(name, f"{more} more places cannot be read: {listed(broken, most=3)}"))

    def _configuration(self, path: str, name: str, strange: int, bad: Sequence[tuple[int, str]]) -> bool:
        """Take a file without a record of a history as a configuration; False when it is left out."""
        suffix = Path(path).suffix.lower()
        yaml = suffix in (".yaml", ".yml")
        empty = not bad and not strange and suffix in (".ndjson", ".jsonl", ".gz")
        if path == "-" or empty or (bad and not yaml) or (strange > 1 and not yaml):
            why = bad[0][1] if bad else f"{strange} values, none is a record of a history" if strange else "it is empty"
            if suffix in (".json", ".ndjson", ".jsonl", ".gz") or path == "-":
                self.problems.append(Problem(f"{name}:{bad[0][0]}" if bad else name, f"{why}; the file is left out"))
            else:
                self.left_out.append(f"{name}: {why}")
            return False
        try:
            document = sources.single(path)
            if isinstance(document, Document):
                document = replace(document, name=name)
                kind = kinds.recognise(document)
                if kind.left_out:
                    self.left_out.append(f"{name}, {kind.name}: {kind.left_out}")
                    return False
        except InputError as error:
            self.left_out.append(f"{name}: {error.what}")
            return False
        if isinstance(document, Unread):
            self.left_out.append(f"{name}: {document.why}")
            return False
        self.documents.append(document)
        return True

    def history(self, config: Sequence[str], queue: str | None) -> History:
        """Everything that was read, as one history. Raises InputError."""
        if not self.read:
            aside = [*self.left_out, *(f"{p.place}: {p.sentence}" for p in self.problems)]
            raise InputError(
                "there is no history in these files",
                where=self.given,
                why="No record of EventBridge, CloudTrail or describe-service-job is in them"
                + (f". Left out: {listed(aside, most=3)}." if aside else "."),
                fix="give the events that a rule has kept, or the folder that `quotaproof pull` has filled.",
            )
        records = self.records
        documents = [*sources.documents(config)] if config else self.documents
        start = min((s for k in records.jobs.values() if (s := _start(k)) is not None), default=NEVER)
        if not documents and not any(c.name == "CreateQuotaShare" for c in records.changes.values()):
            raise InputError(
                "the history says nothing of how the queue is configured",
                where=self.given,
                why="There are records of jobs in it, but no list of quota shares, and none is seen created.",
                fix="add --config FILE with the output of `aws batch list-quota-shares`, or the queue in a form that "
                "`quotaproof explain queue` shows; `quotaproof pull` writes all that is needed.",
            )
        force = in_force(
            documents, records.changes.values(), queue=queue, start=start, names=self.names, readings=self.readings
        )
        jobs = _Jobs(records, force, self._place)
        seen = sorted([*force.seen, *jobs.seen()], key=_by_time)
        return History(
            config=force.config,
            seen=Observations(tuple(seen)),
            files=tuple(self.names),
            paths=tuple(self.paths),
            start=min((s.at for s in seen), default=0),
            end=max((s.until for s in seen), default=0),
            jobs={one.known.job: one.submitted for one in jobs.joined},
            attempts={a.rsplit("/", 1)[-1]: one.known.job for one in jobs.joined for a in one.life.attempts},
            completeness=_complete(jobs.joined, records, force.gaps),
            doubts=(*force.doubts, *jobs.doubts(), *_unrecorded(records)),
            snapshots=tuple(s for s in _by_moment(records.snapshots) if _is_ours(s, force)),
            notes=(*force.notes, *jobs.notes, *self._again()),
            remarks=tuple(force.remarks),
            others=tuple(sorted(jobs.others)),
            left_out=(*self.left_out, *force.left_out, *jobs.left_out, *_aside(records)),
            problems=[
                *self.problems,
                *(
                    Problem(self._place(mark), f"{escaped(why)}; the record is left out")
                    for mark, why in records.problems
                ),
                *(Problem(place, escaped(why)) for place, why in force.problems),
                *jobs.problems,
            ],
        )

    def _again(self) -> Iterator[str]:
        if self.records.again:
            yield f"{self.records.again} records are there more than once and count once"

    def _place(self, mark: Mark) -> str:
        return f"{self.names[mark.file]}:{mark.line}"


class _Jobs:
    """The jobs of the queue, and what is said about those that cannot be judged."""

    def __init__(self, records: Records, force: Force, place: Callable[[Mark], str]) -> None:
        self.place = place
        self.notes: list[str] = []
        self.left_out: list[str] = []
        self.problems: list[Problem] = []
        queue = force.config.job_queue_name
        shares = {s.name for s in force.config.shares}
        shares |= {s.what.share.name for s in force.seen if isinstance(s.what, ev.CreateShare)}
        queues = {k.queue for k in records.jobs.values() if k.queue}
        self.refused = [r for r in records.refusals.values() if r.queue == queue]
        mine = [k for k in _by_id(records) if k.queue == queue or (not k.queue and queues <= {queue})]
        others = Counter(k.queue or "a queue that no record names" for k in records.jobs.values())
        del others[queue]
        self.others = [name for name in others if name in queues and not mine]
        if len(mine) < len(records.jobs):
            left = len(records.jobs) - len(mine)
            many = "1 job is of another queue" if left == 1 else f"{left} jobs are of other queues"
            self.left_out.append(f"{many}: {listed(sorted(others), most=3)}")
        self.joined: list[Joined] = []
        lacking: dict[tuple[str, ...], list[Known]] = {}
        for known in mine:
            missing = lacks(known)
            if not missing and known.share not in shares:
                where = self.place(known.mark)
                self.problems.append(Problem(where, f"job {shown(known.job)} is of share {shown(known.share)}, which no "
                                             "configuration describes; it is left out"))  # fmt: skip
            elif missing:
                lacking.setdefault(missing, []).append(known)
            else:
                self.joined.append(join(known, records.priorities_from))
        self.left = len(mine) - len(self.joined)
        for missing, jobs in sorted(lacking.items()):
            self._cannot_be_judged(missing, jobs, len(mine))
        for one in self.joined:
            found = [*one.known.contradictions, *_before_submission(one)]
            self.problems += [Problem(self.place(mark), escaped(why)) for mark, why in found]

    def _cannot_be_judged(self, missing: tuple[str, ...], jobs: list[Known], of: int) -> None:
        what = " and ".join(missing)
        first = jobs[0]
        name = escaped(first.job)[:128]
        many = f"job {name} cannot" if len(jobs) == 1 else f"{len(jobs)} of {of} jobs, the first {name}, cannot"
        if "submission" in missing:
            gives = (
                "no record says that they were submitted" if len(jobs) > 1 else "no record says that it was submitted"
            )
        else:
            gives = "`aws batch describe-service-job` gives it while AWS still knows the job"
        self.problems.append(Problem(self.place(first.mark), f"{many} be judged, {what} unknown: {gives}"))

    def doubts(self) -> Iterator[Doubt]:
        """Jobs that are left out may be those that others were stopped for; of two priorities either may be the last."""
        for one in self.joined:
            yield from one.doubts
        if self.left:
            many = "1 job is" if self.left == 1 else f"{self.left} jobs are"
            yield Doubt(0, NEVER, "jobs", f"{many} left out, and others may have been stopped for them")

    def seen(self) -> Iterator[Seen]:
        for one in self.joined:
            yield from one.seen
            logged = {s.what.reason for s in one.seen if isinstance(s.what, ev.Misconfigured)}
            if unlogged := [r for r in one.known.reasons if r not in logged]:
                text = unlogged[0].removeprefix(MISCONFIGURED)
                self.notes.append(f"job {escaped(one.known.job)}, at a time that is not known: {escaped(text)}")
        for r in self.refused:
            rejected = Rejected(r.job, r.share, r.reason)
            yield Seen(r.at - SECOND, r.at + SECOND, rejected, r.mark.file, r.mark.line)


def _unrecorded(records: Records) -> Iterator[Doubt]:
    """Without CloudTrail nobody knows what was changed since a dump, or before it."""
    if not records.calls:
        why = "no CloudTrail record says what was in force then"
        for of in ("limits", "capacity", "sharing", "in-share", "state"):
            yield Doubt(0, NEVER, of, why)
        yield Doubt(0, NEVER, "ends", "no CloudTrail record says whether somebody ended a job")


def _start(known: Known) -> int | None:
    return known.created if known.created is not None or known.submitted is None else known.submitted.at - SECOND


def _before_submission(one: Joined) -> Iterator[tuple[Mark, str]]:
    """Time runs backwards: a job moves before there is one."""
    created = one.seen[0].at
    for move in one.known.moves.values():
        if move.high < created - SECOND:
            yield (
                move.mark,
                f"job {one.known.job} is {move.status} {(created - move.high) // SECOND} s before it was created",
            )


def _by_id(records: Records) -> list[Known]:
    return [records.jobs[k] for k in sorted(records.jobs)]


def _by_moment(snapshots: Mapping[int, Snapshot]) -> Iterator[Snapshot]:
    for at in sorted(snapshots):
        yield snapshots[at]


def _is_ours(snapshot: Snapshot, force: Force) -> bool:
    """A snapshot does not name its queue; its shares do."""
    shares = {s.name for s in force.config.shares}
    shares |= {s.what.share.name for s in force.seen if isinstance(s.what, ev.CreateShare)}
    return snapshot.usage.keys() <= shares and snapshot.front.keys() <= shares


def _by_time(seen: Seen) -> tuple[int, str]:
    """Observations of one job stay in their order, since sorting is stable and they come by time."""
    return seen.at, getattr(seen.what, "job", "")


def _complete(joined: Sequence[Joined], records: Records, gaps: Sequence[Gap]) -> Completeness:
    found = completeness(joined, records)
    return replace(found, gaps=tuple(sorted((*found.gaps, *gaps), key=lambda g: (g.start, g.end, g.why))))


def _aside(records: Records) -> Iterator[str]:
    for why, count in sorted(records.aside.items()):
        yield f"{count} {'record' if count == 1 else 'records'}: {why}"
