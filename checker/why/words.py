"""The story of a job in sentences: `page` makes of a `Why` what the reports on a screen and in Markdown show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...spec.model import MAX_PRIORITY, Size
from ..judge.book import ENDED
from ..report.layout import Column
from .claimants import CROSS, IN_SHARE
from .helps_words import helps_page, starts
from .page import Block, Clock, Foot, Head, Page, Part, Table, count, day, lasted, named
from .told import LENT, Fault, Holding, Job, Kept, Lender, Lost, Request, Runs, Stop, Threat, Waits, Why

_LEVELS = 3
"""Ranges of priorities that are shown of one share."""
_WHO = {CROSS: "another share, which is not known", IN_SHARE: "its own share, which job is not known"}


def page(why: Why) -> Page:
    """The whole story."""
    return tuple(_blocks(why))


def size(counts: Size) -> str:
    """4 x ml.p5.48xlarge."""
    return " and ".join(f"{n} x {unit}" for unit, n in counts.items())


def _blocks(why: Why) -> Iterator[Block]:
    clock = Clock(why.at)
    yield _head(why, clock)
    if why.stops:
        yield _stops(why, clock)
    elif why.request is None:
        yield Part("Stopped", ("never, by what was seen.",))
    if why.request:
        yield from _request(why.request, why.job)
    if why.waits:
        yield Part("Waits now for", tuple(waiting(why.waits, why.job)))
    if why.blocks and why.blocks.behind:
        own = sum(why.blocks.idle.values())
        though = f", though {count(own, 'own machine')} {'is' if own == 1 else 'are'} idle" if own else ""
        behind = f"{count(len(why.blocks.behind), 'job')} of {why.job.share} that would fit behind it"
        yield Part("Blocks", (f"{behind}{though} (AWS rule 32, A18).",))
    if why.runs:
        yield from _runs(why.runs, why.job)
    if why.lost:
        yield from _lost(why.lost, why)
    for fault in why.faults:
        yield Part("BROKEN", (_fault(fault),))
    if why.undecided:
        yield Part("Not known", why.undecided)
    yield from helps_page(why.helps)
    for note in why.notes:
        yield Part("Note", (note,))
    since = f" and the limits in force since {day(why.first)}" if why.first else ""
    seen = f"from {count(why.events, 'event')}{since}" if why.at else "from the configuration alone"
    yield Foot(seen, why.exit_code)


def _head(why: Why, clock: Clock) -> Head:
    job = why.job
    priority = "priority not known" if job.priority is None else f"priority {job.priority}"
    since = f" since {clock.at(why.since, seconds=False)}" if why.since is not None else ""
    place = f", {_nth(why.waits.place)} of {why.waits.line}" if why.waits else ""
    state = "not submitted yet" if why.request else f"{why.stage}{since}{place}"
    more: list[str] = []
    if why.alike:
        by = f", by {why.owner}" if why.owner else ""
        more.append(f"{len(why.alike) + 1} jobs have this name; this is {job.id[:8]}{by}. Others: --job-id "
                    f"{named((j[:8] for j in why.alike), last='or')}")  # fmt: skip
    return Head(job.name, f"share {job.share}, {size(job.size)}, {priority}", state, tuple(more))


def _nth(n: int) -> str:
    teens = 10 < n % 100 < 14
    return f"{n}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def _stops(why: Why, clock: Clock) -> Table:
    share, stops = why.job.share, why.stops
    same = len({(s.holdings, _kinds(s)) for s in stops}) == 1
    times = "once" if len(stops) == 1 else f"{len(stops)} times"
    each = "" if len(stops) == 1 else " each time"
    title = f"Stopped {times}."
    if same and len(_kinds(stops[0])) == 1:
        title = f"Stopped {times},{each} because {_because(stops[0], share)}."
    columns = [Column("when (UTC)"), Column("stopped for"), Column("could it have been another job?"), Column("ran")]
    rows = [[_when(s, clock), _for(s, share), _instead(s), lasted(s.ran)] for s in stops]
    if not same:
        columns.append(Column("share used"))
        for row, stop in zip(rows, stops, strict=True):
            row.append(", ".join(f"{h.used}, limit {h.limit}" for h in stop.holdings))
    return Table(title, tuple(columns), tuple(tuple(r) for r in rows), tuple(_notes(why, clock)))


def briefly(stop: Stop, share: str) -> tuple[str, str, str]:
    """A stop of a job of the share in three phrases: for whom, why that was allowed, whether it could have been another."""
    rules = _rules([stop])
    allowed = f": AWS rules {rules}" if rules else ""
    return _for(stop, share), f"{_because(stop, share)}{allowed}", _instead(stop)


def _kinds(stop: Stop) -> frozenset[str]:
    """Kinds of preemption that it may have been."""
    return frozenset(stop.kinds) or frozenset({stop.kind} if stop.kind else ())


def _because(stop: Stop, share: str) -> str:
    """What the stop rests on, in numbers."""
    if _kinds(stop) == frozenset({IN_SHARE}):
        return f"a job of {share} with a higher priority waited and in-share preemption is on"
    over = [h for h in stop.holdings if h.borrowed]
    if not over:
        return f"{share} was asked for its machines"
    used = " and ".join(f"{count(h.borrowed, 'machine')}{_of(h, stop.holdings)}" for h in over)
    numbers = "; ".join(f"{h.used} used, limit {h.limit}" for h in over)
    was = "was" if sum(h.borrowed for h in over) == 1 else "were"
    return f"{share} used {used} that {was} not its own ({numbers})"


def _of(holding: Holding, every: Sequence[Holding]) -> str:
    return f" of {holding.unit}" if len(every) > 1 else ""


def _when(stop: Stop, clock: Clock) -> str:
    return clock.span(stop.began, stop.ended) if stop.began_by is None else f"by {clock.at(stop.ended)}"


def _for(stop: Stop, share: str) -> str:
    if not stop.asking:
        return _WHO.get(stop.kind or "", "not known")
    if stop.certain:
        job = stop.asking[0]
        return f"{'its own share' if job.share == share else job.share}, job {job.name}"
    shares = list(dict.fromkeys(j.share for j in stop.asking))
    if len(shares) == 1:
        return f"{shares[0]}, job {named((j.name for j in stop.asking), most=2, last='or')}"
    return named(shares, last="or")


def _instead(stop: Stop) -> str:
    if stop.instead:
        word = "yes" if stop.certain else "perhaps"
        return f"{word}: {named((j.name for j in stop.instead), most=1)}. AWS chose (A26)"
    if not stop.asking:
        return "not known"
    return "no: the only borrowed job" if CROSS in stop.kinds else "no: the only one below it"


def _notes(why: Why, clock: Clock) -> Iterator[str]:
    stops = why.stops
    for s in stops:
        if s.began_by is not None:
            within = f"between {clock.at(s.began)} and {clock.at(s.began_by)}"
            yield f"The order to stop is in no record: it came at an unknown time {within}."
        if s.reason and (s.began_by is not None or not s.asking):
            kind = f"{s.kind} preemption" if s.kind else "a preemption of a kind that they do not name"
            yield f'AWS\'s words for it: "{s.reason}": {kind}.'
    if any(not s.certain and s.asking for s in stops):
        yield "AWS does not publish for which job: where several are named, each had one waiting that could ask for it."
    if any(not s.complete for s in stops):
        yield "So much happened at one time that not every order of it was looked at: there may be more who asked."
    if any(not s.asking for s in stops):
        yield "Not known: nobody who was seen waiting then could ask for it."
    yield from _allowed(why)


def _allowed(why: Why) -> Iterator[str]:
    kinds = {kind for s in why.stops for kind in s.kinds}
    said = _rules(why.stops)
    judged = "No rule was broken in its story." if why.judged and not why.faults else ""
    if said and not why.faults:
        yield f"Allowed by AWS rules {said}.{' ' + judged if judged else ''}"
    if CROSS in kinds and why.job.priority is not None:
        yield f"Its priority {why.job.priority} plays no part between shares."


def _rules(stops: Sequence[Stop]) -> str:
    """AWS's rules that allow them, by number; '' where that is not known."""
    kinds = {kind for s in stops for kind in s.kinds}
    rules = [("36-38", CROSS in kinds), ("39 and 40", IN_SHARE in kinds), ("48 (a limit was lowered)", _cut(stops))]
    either = any(len(_kinds(s)) > 1 for s in stops)
    return named((rule for rule, applies in rules if applies), last="or" if either else "and")


def _cut(stops: Sequence[Stop]) -> bool:
    """Whether its share held more than it might ever have: a limit was lowered under it."""
    return any(h.allowed is not None and h.used > h.allowed for s in stops for h in s.holdings)


def in_use(lender: Lender) -> str:
    """1 of 2 in use; of a share that is above its limit both numbers."""
    within = lender.used <= lender.limit
    return f"{lender.used} of {lender.limit} in use" if within else f"{lender.used} in use, limit {lender.limit}"


def waiting(waits: Waits, job: Job) -> Iterator[str]:
    """What a RUNNABLE job waits for."""
    if waits.never:
        yield f"nothing that will come: it can never run. {waits.never}"
        return
    if waits.behind is not None:
        yield f"its turn: {waits.behind.name} is first in the line of {job.share} (AWS rule 32)."
    yield from _lacks(waits, job)
    if waits.draining:
        still = (
            "was told to stop and still holds its"
            if len(waits.draining) == 1
            else "were told to stop and still hold their"
        )
        yield f"{named(j.name for j in waits.draining)} {still} machines."
    if waits.clause in LENT:
        lenders = [f"{lender.share} {in_use(lender)}" for lender in waits.lenders]
        if lenders:
            yield f"Lenders{f' of {waits.unit}' if waits.unit else ''}: {named(lenders, most=6)}."
        for kept in waits.kept:
            verb = "is" if kept.idle == 1 else "are"
            idle = f"{kept.idle} idle {waits.unit}" if waits.unit else count(kept.idle, "idle machine")
            if kept.idle:
                yield f"{idle} of {kept.share} {verb} {_unlent(kept)}."
        if waits.partly:
            what = waits.unit or "machines"
            yield f"Others use {what} that {job.share} owns; nobody is stopped for it, since part of it would be a loan (A24)."


def _unlent(kept: Kept) -> str:
    return "RESERVE and never lent" if kept.reserve else f"not lent, since {kept.share} is DISABLED (A47)"


def _lacks(waits: Waits, job: Job) -> Iterator[str]:
    left, right = waits.left or 0, waits.right or 0

    def machines(n: int) -> str:
        return f"{n} {waits.unit}" if waits.unit else count(n, "machine")

    match waits.clause:
        case "" if waits.in_line:
            yield "its turn: it fits, but another share's job that borrows goes before it (A16b)."
        case "" if waits.behind is None:
            hidden = " What others have claimed is not published (A23)." if waits.unseen else ""
            yield f"nothing that was seen: it fits.{hidden}"
        case "dispatch.head" if waits.behind is None:
            yield f"its turn: a job of {job.share} with priority {left} waits before it."
        case "" | "dispatch.head":
            return
        case "dispatch.pool" | "dispatch.environment" | "dispatch.reserved":
            some = f"come free, {waits.loan} of them to borrow" if waits.loan else "come free"
            yield f"{machines(waits.lacks)} to {'borrow' if waits.loan >= waits.lacks else some}."
        case "dispatch.limit":
            yield f"{machines(left)} of {job.share} to come free: it may not borrow."
        case "dispatch.borrow-limit":
            would = f"with it {job.share} would borrow {machines(left)}, and its borrow limit allows {right}"
            yield f"{job.share} to use less: {would}."
        case "dispatch.hold":
            whom = named(claim.name for claim in waits.claims)
            taken = ["in use", f"kept for {whom}"]
            taken += [f"kept idle by {named(k.share for k in waits.kept)}"] if waits.kept else []
            would = f"with it {machines(left)} would be {named(taken, last='or')}"
            yield f"machines that are kept for {whom}: {would}; there are {right}."
        case "dispatch.yields":
            yield f"another share's turn: {waits.sentence}."
        case "dispatch.environment-enabled":
            yield f"the environment to be ENABLED: {waits.sentence}."
        case "dispatch.share-enabled":
            yield f"{job.share} to be ENABLED: {waits.sentence} (A46)."
        case "dispatch.share-kept":
            yield f"its end: {waits.sentence} (AWS rule 51)."
        case _:
            yield f"this to change: {waits.sentence}."


def _runs(runs: Runs, job: Job) -> Iterator[Part]:
    said = [f"{count(h.used, 'machine')} of {h.unit} for {job.share}, limit {h.limit}: "
            + (f"{h.borrowed} borrowed." if h.borrowed else "all its own.") for h in runs.holdings]  # fmt: skip
    if runs.lenders:
        lenders = [f"{lender.share} ({in_use(lender)})" for lender in runs.lenders]
        unowned = ", or that no share owns" if runs.unowned else ""
        said.append(f"They are those that {named(lenders, most=6)} left idle{unowned}; AWS does not say whose (A12).")
    yield Part("Runs on", tuple(said))
    yield Part("Can be stopped", tuple(_threats(runs.threats, runs.later)))
    places = [i for i, j in enumerate(runs.order) if j.id == job.id]
    if places and len(runs.order) > 1:
        yield Part("Next in line", (f"{_nth(places[0] + 1)} of {len(runs.order)} that a reclaim could take, by lowest "
                                    "priority, then newest; AWS's order is its own (A26).",))  # fmt: skip


def _threats(threats: Sequence[Threat], later: Sequence[Threat] = ()) -> Iterator[str]:
    if not threats:
        yield "by no single arrival now."
    for same in _grouped(threats):
        first, now = same[0], "; such a job waits now" if same[0].waits else ""
        yield f"by {_whose(first)}, if a job of {_arrivals(same)}{now}."
    for same in _grouped(later):
        before = named(f"{a.share} has started one of {a.size}" for a in same[0].after)
        yield f"by {_whose(same[0])}, if a job of {_arrivals(same)} once {before} on what is idle now."


def _grouped(threats: Sequence[Threat]) -> list[list[Threat]]:
    """Those of one share and unit together."""
    found: dict[object, list[Threat]] = {}
    for t in threats:
        found.setdefault((t.share, t.unit, t.after), []).append(t)
    return list(found.values())


def _whose(threat: Threat) -> str:
    return f"its own share {threat.share}" if threat.kind == IN_SHARE else threat.share


def _arrivals(threats: Sequence[Threat]) -> str:
    """1 to 4 machines of a unit arrives with priority 5 or more; where that differs by priority, each in turn."""
    levels = list(dict.fromkeys((t.priority, t.highest) for t in threats))
    shown = levels if len(levels) <= _LEVELS else [*levels[: _LEVELS - 1], levels[-1]]
    said = [_level([t for t in threats if (t.priority, t.highest) == level], level is levels[0]) for level in shown]
    more = "" if shown == levels else " (what comes between differs by priority: --report json)"
    return f"{', or of '.join(said)}{more}"


def _level(threats: Sequence[Threat], first: bool) -> str:
    """Sizes of one range of priorities."""
    one = threats[0]
    sizes = named((f"{t.least}" if t.least == t.most else f"{t.least} to {t.most}" for t in threats), last="or", most=5)
    many = f" machine{'' if sizes == '1' else 's'} of {one.unit} arrives" if first else ""
    if not one.priority and one.highest == MAX_PRIORITY:
        return f"{sizes}{many}"
    above = f"{one.priority} or more" if one.highest == MAX_PRIORITY else f"{one.priority} to {one.highest}"
    return f"{sizes}{many} with priority {one.priority if one.priority == one.highest else above}"


def _lost(lost: Lost, why: Why) -> Iterator[Part]:
    waits = why.request.waits if why.request else why.waits
    stopped, ahead = bool(why.stops), why.stage not in ENDED and not (waits and waits.never)
    said = [_saved(lost.checkpoint), "SageMaker gives 120 s from SIGTERM to save."] if ahead else []
    if stopped:
        hours = lost.milliseconds * lost.machines / 3_600_000
        machines = f"{hours:.0f}" if hours >= 10 else f"{hours:.1f}"
        said.insert(0, f"up to {lasted(lost.milliseconds)} ({machines} machine-hours).")
    if said:
        yield Part("Lost" if stopped else "If stopped", tuple(said))
    if ahead:
        yield Part("Limit" if why.request else "Will go on", (_limit(lost),))


def _saved(checkpoint: str | None) -> str:
    if checkpoint is None:
        return "Whether a checkpoint path is set is not known."
    if not checkpoint:
        return "No checkpoint path is set: a stop loses all that it ran."
    return f"A checkpoint path is set: {checkpoint}; whether it resumes is not visible here."


def _limit(lost: Lost) -> str:
    if not lost.retries_known:
        return "whether a preemption limit is set is not known."
    if lost.retries is None:
        return "no preemption limit is set: it is requeued without end."
    return f"preemption {lost.retries + 1} fails it; there were {lost.preemptions} so far (AWS rule 43)."


def _request(request: Request, job: Job) -> Iterator[Part]:
    if request.outcome.starts:
        yield Part("Would start", (f"{starts(request.outcome).removeprefix('starts ')}.",))
        borrowed = [h for h in request.holdings if h.borrowed]
        if borrowed:
            used = " and ".join(f"{h.borrowed} of {h.unit}" for h in borrowed)
            yield Part("Would borrow", (f"{job.share} would then borrow {used}.",))
        yield Part("Can be stopped", tuple(_threats(request.outcome.threats, request.later)))
    elif request.waits is not None:
        yield Part("Would wait for", tuple(waiting(request.waits, job)))
    else:
        yield Part("Would start", ("that is not known: the reference goes round.",))
    if request.stops:
        yield Part("Would stop", (f"{named(f'{j.name} of {j.share}' for j in request.stops)}.",))


def _fault(fault: Fault) -> str:
    return f"{fault.code}: {fault.sentence}" + (f" ({fault.place})" if fault.place else "")
