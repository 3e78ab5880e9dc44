"""`quotaproof simulate`: what would lending give these jobs, against a queue without?"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import Redact, spare
from .output import Unusable, folder, save, show, usable
from .pages import Assume, targets
from .times import moment, span
from .verify import assumed

if TYPE_CHECKING:
    from ...spec.model import QueueConfig
    from ...spec.readings import Readings
    from ...spec.workload import Workload
    from ..report.figures import Figure
    from ..rollout.simulate.policies import Moment, Settings
    from ..simulated import Simulation
    from ..why.page import Page

FORMS = ("text", "md", "json", "html")
IMAGES = (".png", ".svg")
DRAIN = "2min"
_PER_SHARE = "DUR, or SHARE=DUR for one share; can be given several times"
_DATED = 10**11
"""Milliseconds above which a workload's clock counts from 1970."""


def simulate(
    configs: Annotated[
        list[str] | None, typer.Argument(metavar="[CONFIG]...", help="Queues, a column each; or the workload's own.")
    ] = None,
    workload: Annotated[
        str, typer.Option("--workload", metavar="FILE", help="The jobs: `quotaproof explain workload`.")
    ] = "",
    policies: Annotated[
        list[str] | None,
        typer.Option("--policy", metavar="NAME", help="A column for each; can be given several times."),
    ] = None,
    capacity: Annotated[
        str, typer.Option("--capacity", metavar="P%", help="On this part of each queue's machines, limits alike.")
    ] = "",
    seed: Annotated[int, typer.Option(metavar="N", help="For what is drawn: which jobs splits are tried on.")] = 0,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Jobs from then on count; also as time from the first, e.g. 2d.")
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Jobs before then count.")] = None,
    saves_every: Annotated[
        list[str] | None, typer.Option(metavar="DUR", help=f"How long jobs work between checkpoints: {_PER_SHARE}.")
    ] = None,
    save_cost: Annotated[
        list[str] | None, typer.Option(metavar="DUR", help=f"How long one checkpoint takes: {_PER_SHARE}.")
    ] = None,
    restart_cost: Annotated[
        list[str] | None, typer.Option(metavar="DUR", help=f"How long a job reads one in: {_PER_SHARE}.")
    ] = None,
    drain: Annotated[
        str, typer.Option(metavar="DUR", help="How long a job that is stopped holds its machines.")
    ] = DRAIN,
    assume: Assume = None,
    plot: Annotated[
        str, typer.Option(metavar="DIR|FILE", help="Figures: all into a folder, or one FILE.png or FILE.svg.")
    ] = "",
    report: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FORM[=FILE]", help=f"{', '.join(FORMS[:-1])} or {FORMS[-1]}; can be given several times."
        ),
    ] = None,
    redact: Redact = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Only what is told of all shares together.")] = False,
) -> None:
    """Run jobs under several policies: who waits how long, who uses what, what lending is worth.

    Durations are written 90s, 30min, 6h, 2d. Exit code: 0 told, 2 unusable input.
    """
    if not workload:
        raise Unusable("simulate: name the jobs with --workload FILE")
    from ...spec.formats.workloads import described

    read = [*(configs or ()), workload, *([] if configs else described(workload))]
    asked = targets(report or [], read, FORMS)
    drawn = _plotted(plot, read, [t.file for t in asked if t.file is not None])
    from ...reference.run import GoesRound
    from ..report.redact import Redactor
    from ..report.simulate import page
    from ..rollout.simulate.compare import Asked
    from ..rollout.simulate.compare import simulate as told
    from ..simulated import Simulation

    with usable(), _nameless(workload if redact else ""):
        readings = assumed(assume or [])
        settings, words = _settings(readings, seed, drain, saves_every or (), save_cost or (), restart_cost or ())
        found, queues, warnings = _loaded(workload, configs or (), capacity, readings)
        _known([s.name for q in queues.values() for s in q.shares], saves_every, save_cost, restart_cost)
        warnings += tuple(_saves_nothing(found, settings, asks=bool(save_cost or restart_cost)))
        if any(w.checkpoints.every for w in found.work):
            words["saves every"] += " unless the workload says otherwise"
        names = [w.submit.job for w in found.work]
        chosen = _policies(policies or (), found)
        first = min((w.at for w in found.work), default=0)
        comparison = Asked(
            found, Path(workload).name, queues, chosen, settings,
            since=_bound("--since", since, first), until=_bound("--until", until, first),
            told=words, warnings=warnings, draws=any(target.form == "html" for target in asked),
        )  # fmt: skip
        try:
            simulation = Simulation.of(told(comparison, _watch(found)))
        except GoesRound as error:
            said = Redactor(names).text(str(error)) if redact else str(error)
            raise Unusable(f"simulate: the scheduler goes round and would for ever: {said}. Change the reading or the limits "
                           "that let it; `quotaproof verify` names them") from None  # fmt: skip
        if redact:
            simulation = Redactor(names, [workload, Path(workload).name]).value(simulation)
        if drawn is not None:
            _draw(drawn, simulation)
        for target in asked:
            whole = page(simulation, brief=quiet and target.file is None)
            text = _written(target.form, whole, simulation)
            show(text) if target.file is None else save(target.file, text)


@contextmanager
def _nameless(path: str) -> Generator[None]:
    """What is wrong with jobs or queues is told without the names of the jobs of this file; '' for as it is."""
    from ...spec.formats import InputError
    from ...spec.formats import job_names as described
    from ...spec.formats.workloads import job_names as listed
    from ..report.redact import Redactor

    try:
        yield
    except InputError as error:
        if not path:
            raise
        raise Unusable(Redactor([*listed(path), *described([path])]).text(str(error))) from error


def _policies(asked: Sequence[str], workload: Workload) -> tuple[str, ...]:
    """Those that were asked for; or all but the searched split, and what was if it is known of every job. Raises Unusable."""
    from ...spec.formats.errors import nearest
    from ..rollout.simulate.policies import POLICIES

    for name in asked:
        if name not in POLICIES:
            near = nearest(name, POLICIES)
            hint = f"; did you mean {near}?" if near else "."
            raise Unusable(f"--policy: there is no policy {name!r}{hint} Choose of {', '.join(POLICIES)}")
    known = bool(workload.work) and all(w.was for w in workload.work)
    usual = (name for name in POLICIES if name != "static-best" and (known or name != "as-it-was"))
    return tuple(dict.fromkeys(asked or usual))


def _loaded(
    path: str, configs: Sequence[str], capacity: str, readings: Readings
) -> tuple[Workload, dict[str, QueueConfig], tuple[str, ...]]:
    """The jobs, the queues by name, and what is doubtful in putting them together. Raises InputError and Unusable."""
    from ...spec.formats import load
    from ...spec.formats.workloads import load_shares, load_workload
    from ..rollout.simulate.fits import scaled, warnings

    stems = [Path(config).stem.removesuffix(".config") for config in configs]
    names = [stem if stems.count(stem) == 1 else config for stem, config in zip(stems, configs, strict=True)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Unusable(f"simulate: {twice} is given twice")
    queues: dict[str, QueueConfig] = {}
    said: list[str] = []
    for name, config in zip(names, configs, strict=True):
        derived = load_shares(config)
        queues[name], notes = derived or (load([config], readings=readings).config, ())
        said += [f"{name}: {note}" if len(configs) > 1 else note for note in notes]
    found = load_workload([path], next(iter(queues.values()), None))
    queues = queues or {found.config.job_queue_name: found.config}
    if capacity:
        percent = _percent(capacity)
        for name, config in queues.items():
            queues[name], note = scaled(config, percent)
            said.append(f"{name}: {note}" if len(queues) > 1 else note)
    found = replace(found, notes=(*found.notes, *said))
    doubts = [
        f"{name}: {doubt}" if len(queues) > 1 else doubt
        for name, config in queues.items()
        for doubt in warnings(config, found)
    ]
    return found, queues, tuple(doubts)


def _percent(text: str) -> int:
    found = re.fullmatch(r"(\d{1,4}) ?%?", text.strip(), re.ASCII)
    if found is None or not int(found[1]):
        raise Unusable(f"--capacity: {text!r} is not a percentage such as 85%")
    return int(found[1])


def _settings(
    readings: Readings, seed: int, drain: str, every: Sequence[str], save: Sequence[str], restart: Sequence[str]
) -> tuple[Settings, dict[str, str]]:
    """What the workload does not say, and the same in words. Raises Unusable."""
    from ...spec.workload import Checkpoints
    from ..rollout.simulate.policies import Settings

    options = {"--saves-every": every, "--save-cost": save, "--restart-cost": restart}
    given = [_by_share(option, texts) for option, texts in options.items()]
    by_share: dict[str, Checkpoints] = {}
    for share in dict.fromkeys(share for values in given for share in values):
        by_share[share] = Checkpoints(*(values.get(share) for values in given))
    default = by_share.pop("", Checkpoints())
    if any(c.every == 0 for c in (default, *by_share.values())):
        raise Unusable("--saves-every: no job saves all the time; name a length of time above 0")
    settings = Settings(readings, span("--drain", drain), checkpoints=default, by_share=by_share, seed=seed)
    words = {"drain": drain, "saves every": "never", "save cost": "0s", "restart cost": "0s"}
    for name, texts in zip(("saves every", "save cost", "restart cost"), options.values(), strict=True):
        if texts:
            words[name] = ", ".join(text.replace("=", " ") for text in texts)
    if every and "" not in given[0]:
        words["saves every"] += ", others never"
    return settings, words


def _by_share(option: str, texts: Sequence[str]) -> dict[str, int]:
    """Milliseconds by share, '' for every other. Raises Unusable."""
    found: dict[str, int] = {}
    for text in texts:
        share, _, duration = text.rpartition("=")
        if share in found:
            raise Unusable(f"{option}: given twice for {share or 'every share'}")
        found[share] = span(option, duration)
    return found


def _known(shares: Sequence[str], *given: Sequence[str] | None) -> None:
    """Raises Unusable for a share that no queue has."""
    from ...spec.formats.errors import listed, nearest

    for option, texts in zip(("--saves-every", "--save-cost", "--restart-cost"), given, strict=True):
        for share in (text.rpartition("=")[0] for text in texts or ()):
            if share and share not in shares:
                near = nearest(share, shares)
                hint = f"; did you mean {near}?" if near else f". The shares are {listed(list(dict.fromkeys(shares)))}"
                raise Unusable(f"{option}: there is no share {share}{hint}")


def _saves_nothing(workload: Workload, settings: Settings, *, asks: bool) -> Iterator[str]:
    """What a cost of saving cannot apply to."""
    saves: dict[str, bool] = {}
    for w in workload.work if asks else ():
        own = w.checkpoints.over(settings.of(w.submit.share))
        saves[w.submit.share] = saves.get(w.submit.share, False) or own.every is not None
    idle = [
        share
        for share, some in saves.items()
        if not some and (settings.of(share).save is not None or settings.of(share).restart is not None)
    ]
    if idle:
        from ...spec.formats.errors import listed

        yield f"no job of {listed(idle)} saves: --save-cost and --restart-cost cost it nothing without --saves-every"


def _bound(option: str, text: str | None, first: int) -> int | None:
    """A time of the workload's clock: a date where it has dates, or how long after its first job. Raises Unusable."""
    if text is None:
        return None
    if re.fullmatch(r"\d+(\.\d+)? ?[a-z]+", text):
        return first + span(option, text)
    if first < _DATED:
        raise Unusable(f"{option}: these jobs have no dates; write how long after the first, such as 36h or 2d")
    return moment(option, text)


def _watch(workload: Workload) -> Callable[[Iterator[Moment], str], Iterator[Moment]]:
    """Shows how far a run is in the time in which jobs arrive."""
    from .progress import watched

    first, last = (pick((w.at for w in workload.work), default=0) for pick in (min, max))

    def watch(moments: Iterator[Moment], doing: str) -> Iterator[Moment]:
        return watched(moments, doing, first, max(last - first, 1), lambda one: one[0])

    return watch


def _plotted(where: str, read: Sequence[str], reports: Sequence[Path]) -> Path | None:
    """Where figures go: a folder, or one file of a form that there is. Raises Unusable."""
    if not where:
        return None
    path = Path(where)
    if path.suffix.lower() in IMAGES:
        spare([path], read, option="--plot", what="figure")
        if any(path.absolute() == file.absolute() for file in reports):
            raise Unusable(f"--plot: {where} is the file of a report as well; give each a file of its own")
    elif path.suffix and not where.endswith("/") and not path.is_dir():
        raise Unusable(
            f"--plot: no figure can be written as {path.suffix}; name {path.stem}.png, {path.stem}.svg or a folder"
        )
    return path


def _draw(where: Path, simulation: Simulation) -> None:
    """Write the figures: none before all are drawn. Raises InputError where they cannot be, Unusable where not written."""
    from ..report.figures import figures, overview

    def drawn(figure: Figure, suffix: str) -> str | bytes:
        return figure.svg() if suffix == ".svg" else figure.png()

    if where.suffix.lower() in IMAGES:
        save(where, drawn(overview(simulation), where.suffix.lower()))
        return
    found: dict[str, Figure] = {}
    for figure in figures(simulation):
        name = re.sub(r"[^A-Za-z0-9._-]", "-", figure.name)
        while name in found:
            name += "-"
        found[name] = figure
    files = {f"{name}{suffix}": drawn(figure, suffix) for name, figure in found.items() for suffix in IMAGES}
    place = folder(where)
    for name, content in files.items():
        save(place / name, content)


def _written(form: str, whole: Page, simulation: Simulation) -> str:
    from ..report import simulate_html, simulate_json
    from ..why import md, text

    match form:
        case "json":
            return simulate_json.write(simulation)
        case "html":
            return simulate_html.write(whole, simulation)
        case "md":
            return md.write(whole)
        case _:
            return text.write(whole)
