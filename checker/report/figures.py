"""Figures of a simulation: who waited how long, who used what of whose, and what stops cost. PNG or SVG, by matplotlib.

The same simulation gives the same bytes: no date, no random id, none of the user's own settings. Colours are those of Okabe
and Ito, which the colour-blind tell apart; lines and marks differ besides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from typing import Any

from ...spec.formats.errors import InputError
from ..simulated import Column, Curve, ShareRun, Simulation, Usage
from .layout import plain, shorten

_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#000000", "#8C8C00")
_LINES = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)))
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
_OWN, _BORROWED = "#56B4E9", "#D55E00"
_COSTS = {"lost": "#D55E00", "draining": "#000000", "restarting": "#009E73", "saving": "#E69F00"}
_TICKS = {0: "0", 60: "1 min", 600: "10 min", 3_600: "1 h", 21_600: "6 h", 43_200: "12 h", 86_400: "1 day",
          172_800: "2 days", 604_800: "7 days",
          2_592_000: "30 days", 31_536_000: "1 year"}  # fmt: skip
_PANELS = 4
"""Shares beside each other."""
_NAME = 20
_SETTINGS: Mapping[Any, Any] = {
    "svg.hashsalt": "quotaproof",
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.3,
    "legend.frameon": False,
}
_ID = re.compile(r' id="([^"]+)"')
_REFERENCE = re.compile(r'( id="|url\(#|href="#)([^")]+)("|\))')


@dataclass(frozen=True)
class Figure:
    """A figure that can be drawn: its name, what it shows, and its size in inches."""

    name: str
    title: str
    size: tuple[float, float]
    draw: Callable[[Any], None]

    def png(self) -> bytes:
        return self._drawn("png", dpi=120, metadata={"Software": None})

    def svg(self) -> str:
        return _numbered(self._drawn("svg", metadata={"Date": None, "Creator": None}).decode())

    def inline(self) -> str:
        """The SVG element alone, to stand in a page with others."""
        text = self.svg()
        text = text[text.index("<svg") :]
        used = set(re.findall(r"(?:url\(|href=\")#([^\")]+)", text))
        return _ID.sub(lambda m: m.group() if m.group(1) in used else "", text)

    def _drawn(self, form: str, **how: Any) -> bytes:
        file = BytesIO()
        with _settings() as figures:
            figure = figures.Figure(figsize=self.size, layout="constrained")
            self.draw(figure)
            figure.suptitle(self.title, fontsize=11)
            figure.savefig(file, format=form, **how)
        return file.getvalue()


def _numbered(svg: str) -> str:
    """With ids by their place: matplotlib makes some of them from where objects happen to lie in memory."""
    known = {name: f"{name[0]}{k}" for k, name in enumerate(dict.fromkeys(_ID.findall(svg)))}
    return _REFERENCE.sub(lambda m: f"{m[1]}{known.get(m[2], m[2])}{m[3]}", svg)


def figures(simulation: Simulation, *, usage: bool = True) -> Iterator[Figure]:
    """Every figure, each by itself; without `usage` those of waits and costs. Raises InputError where matplotlib is not
    installed."""
    _needed()
    s = plain(simulation)
    shares, columns = max(len(s.simulating.shares), 1), max(len(s.columns), 1)
    tall = 1.6 + shares * (0.12 * columns + 0.12)
    yield Figure("waiting", "How long jobs waited before their first start", (8, 4.5), partial(_waiting, s=s))
    yield Figure(
        "shares", "Waiting in each share: mean, and to where 95 % have started", (8, tall), partial(_shares, s=s)
    )
    if any(map(_cost, s.runs)):
        size = max(6, 3 * columns), 1.6 + 0.26 * shares
        yield Figure("lost", "What stops cost each share", size, partial(_lost, s=s))
    for column in s.columns if usage else ():
        rows = -(-len(_panels(s, column)) // _PANELS)
        title = f"{shorten(column.column, 40)}: machines in use by each share"
        yield Figure(f"usage-{column.column}", title, (12, 1 + 1.7 * rows), partial(_usage, s=s, column=column))


def overview(simulation: Simulation) -> Figure:
    """All in one figure, usage of all shares together. Raises InputError where matplotlib is not installed."""
    _needed()
    s = plain(simulation)
    shares, columns = len(s.simulating.shares), len(s.columns)

    def draw(figure: Any) -> None:
        left, right = figure.subfigures(1, 2)
        parts = [*left.subfigures(2, 1, height_ratios=(1, max(1.0, 0.35 * columns))), *right.subfigures(2, 1)]
        for part, title, how in zip(
            parts,
            ("How long jobs waited", "Machines in use", "Waiting in each share: mean, to p95", "What stops cost"),
            (_waiting, _together, _shares, _lost),
            strict=True,
        ):
            part.suptitle(title, fontsize=10)
            how(part, s=s)

    title = f"{shorten(s.simulating.workload, 60)}: {s.simulating.compared:,} jobs"
    return Figure("overview", title, (15, max(9.0, 2.4 + shares * (0.12 * columns + 0.4))), draw)


def _needed() -> None:
    try:
        import matplotlib  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        raise InputError(
            "matplotlib is not installed",
            where="--plot",
            why="It draws the figures; everything else works without.",
            fix='pip install "quotaproof[plot]"',
        ) from None


@contextmanager
def _settings() -> Generator[Any]:
    """matplotlib as it comes, whatever the user has set."""
    import matplotlib
    from matplotlib import figure

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        for name, value in _SETTINGS.items():
            matplotlib.rcParams[name] = value
        yield figure


def _styles(columns: Sequence[Column]) -> Iterator[tuple[Column, str, Any, str]]:
    """Each column with its colour, line and mark."""
    for k, column in enumerate(columns):
        yield column, _COLOURS[k % len(_COLOURS)], _LINES[k % len(_LINES)], _MARKS[k % len(_MARKS)]


def _name(text: str) -> str:
    """A label; matplotlib would take a leading _ for a line without a name."""
    return ("\N{ZERO WIDTH SPACE}" if text.startswith("_") else "") + shorten(text, _NAME)


def _durations(axis: Any, most: float) -> None:
    """A horizontal axis of durations: linear up to a minute, then logarithmic."""
    axis.set_xscale("symlog", linthresh=60, linscale=0.4)
    end = max(most * 1.1, 60)
    ticks = [tick for tick in _TICKS if tick <= end]
    axis.set_xticks(ticks, [_TICKS[tick] for tick in ticks], rotation=30, ha="right", rotation_mode="anchor")
    axis.set_xticks([], minor=True)
    axis.set_xlim(0, end)


def _waiting(figure: Any, s: Simulation) -> None:
    axis = figure.subplots()
    curves = _curves(s)
    for column, colour, line, _ in _styles(s.columns):
        waits = curves[column.column, ""].waits
        steps = max(len(waits) - 1, 1)
        parts = [100 * k / steps for k in range(len(waits))]
        axis.plot(waits, parts, color=colour, linestyle=line, linewidth=1.8, label=_name(column.column))
    _durations(axis, max((c.waits[-1] for c in curves.values() if c.waits), default=0))
    axis.set_ylim(0, 101)
    axis.set_xlabel("wait from submission to the first start (linear up to 1 min)")
    axis.set_ylabel("jobs that had started (%)")
    figure.legend(loc="outside lower center", ncols=4)


def _shares(figure: Any, s: Simulation) -> None:
    axis = figure.subplots()
    runs = {(r.column, r.share): r for r in s.runs}
    most, columns = 0.0, len(s.columns)
    for k, (column, colour, _, mark) in enumerate(_styles(s.columns)):
        at = [n + 0.8 * ((k + 0.5) / columns - 0.5) for n in range(len(s.simulating.shares))]
        for y, share in zip(at, s.simulating.shares, strict=True):
            run = runs.get((column.column, share))
            if run is not None and run.waits.mean is not None and run.waits.p95 is not None:
                axis.plot((run.waits.mean, run.waits.p95), (y, y), color=colour, linewidth=1.2)
                axis.plot(run.waits.mean, y, color=colour, marker=mark, markersize=4, linestyle="", clip_on=False)
                most = max(most, run.waits.mean, run.waits.p95)
        axis.plot([], [], color=colour, marker=mark, markersize=4, linewidth=1.2, label=_name(column.column))
    for n in range(1, len(s.simulating.shares)):
        axis.axhline(n - 0.5, color="#888888", linewidth=0.4)
    _durations(axis, most)
    _named(axis, s.simulating.shares)
    axis.grid(visible=False, axis="y")
    axis.set_xlabel("wait from submission to the first start (linear up to 1 min)")
    axis.set_ylabel("share")
    figure.legend(loc="outside lower center", ncols=min(columns, 4))


def _named(axis: Any, shares: Sequence[str]) -> None:
    """Shares from top to bottom."""
    axis.set_yticks(range(len(shares)), [_name(share) for share in shares])
    axis.set_ylim(max(len(shares), 1) - 0.5, -0.5)


def _lost(figure: Any, s: Simulation) -> None:
    runs = {(r.column, r.share): r for r in s.runs}
    told = [c for c in s.columns if any(_cost(runs.get((c.column, share))) for share in s.simulating.shares)]
    axes = figure.subplots(1, max(len(told), 1), sharey=True, sharex=True, squeeze=False)[0]
    if not told:
        axes[0].text(0.5, 0.5, "Nothing was stopped and nothing saved.", ha="center", va="center")
        axes[0].set_axis_off()
        return
    for axis, column in zip(axes, told, strict=True):
        left = [0.0] * len(s.simulating.shares)
        for name, colour in _COSTS.items():
            run_of = (runs.get((column.column, share)) for share in s.simulating.shares)
            more = [0.0 if run is None else getattr(run.work, name) for run in run_of]
            axis.barh(range(len(left)), more, left=left, color=colour, height=0.7, label=name)
            left = [a + b for a, b in zip(left, more, strict=True)]
        axis.set_title(_name(column.column), fontsize=9)
        axis.set_xlabel("machine-hours")
        axis.grid(visible=False, axis="y")
        _named(axis, s.simulating.shares)
    axes[0].set_ylabel("share")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(_COSTS))


def _cost(run: ShareRun | None) -> float:
    return 0.0 if run is None else sum(getattr(run.work, name) for name in _COSTS)


def _usage(figure: Any, s: Simulation, column: Column) -> None:
    """Own and borrowed machines over time, a panel for each share and unit."""
    shown = _panels(s, column)
    across = min(_PANELS, max(len(shown), 1))
    down = -(-len(shown) // across)
    panels = [*figure.subplots(max(down, 1), across, sharex=True, squeeze=False).flat]
    for axis, usage in zip(panels, shown, strict=False):
        _stacked(axis, s, usage, column.limits.get(usage.share, {}).get(usage.unit), "limit")
        axis.set_title(_of(usage.share, usage.unit, column), fontsize=9)
    _legend(figure, panels, s, len(shown), across)


def _panels(s: Simulation, column: Column) -> list[Usage]:
    """What each share used of each unit of which it has something or used anything; at least of one."""
    found: list[Usage] = []
    for share in s.simulating.shares:
        of = [u for u in s.usages if (u.column, u.share) == (column.column, share)]
        some = [u for u in of if column.limits.get(share, {}).get(u.unit) or any(u.own) or any(u.borrowed)]
        found += some or of[:1]
    return found


def _of(name: str, unit: str, column: Column) -> str:
    return f"{_name(name)}, {_name(unit)}" if len(column.capacity) > 1 else _name(name)


def _together(figure: Any, s: Simulation) -> None:
    """Own and borrowed machines of all shares over time, a row for each column, a panel for each of its units."""
    across = max((len(c.capacity) for c in s.columns), default=1)
    rows = figure.subplots(max(len(s.columns), 1), max(across, 1), sharex=True, squeeze=False)
    for row, column in zip(rows, s.columns, strict=True):
        used = [u for u in s.usages if (u.column, u.share) == (column.column, "")]
        for axis, usage in zip(row, used, strict=False):
            _stacked(axis, s, usage, column.capacity.get(usage.unit, 0), "capacity")
            axis.set_title(_of(column.column, usage.unit, column), fontsize=9)
        for axis in row[len(used) :]:
            axis.set_axis_off()
    _legend(figure, [*rows.flat], s, rows.size, max(across, 1))


def _legend(figure: Any, panels: Sequence[Any], s: Simulation, number: int, across: int) -> None:
    """Labels on the outer panels, one legend below; panels without a share are left blank."""
    _, unit = _scale(s)
    for k, axis in enumerate(panels):
        if k >= number:
            axis.set_axis_off()
            continue
        if k + across >= number:
            axis.set_xlabel(f"time ({unit})")
            axis.tick_params(labelbottom=True)
        if k % across == 0:
            axis.set_ylabel("machines")
    found = {label: handle for axis in panels for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)}
    names = {"own": "within its own limit", "borrowed": "beyond it", "limit": "its limit", "capacity": "capacity"}
    shown = {label: handle for label, handle in found.items() if label in names}
    figure.legend(list(shown.values()), [names[label] for label in shown], loc="outside lower center", ncols=3)


def _stacked(axis: Any, s: Simulation, curve: Usage, limit: int | None, name: str) -> None:
    scale, _ = _scale(s)
    start, end = s.simulating.start / scale, s.simulating.end / scale
    parts = [(round(own, 2), round(own + more, 2)) for own, more in zip(curve.own, curve.borrowed, strict=True)]
    at = [k for k in range(len(parts)) if not k or parts[k] != parts[k - 1]]
    edges = [start + (end - start) * k / len(parts) for k in (*at, len(parts))]
    own, top = [parts[k][0] for k in at], [parts[k][1] for k in at]
    axis.stairs(own, edges, fill=True, color=_OWN, label="own")
    axis.stairs(top, edges, baseline=own, fill=True, color=_BORROWED, label="borrowed")
    if limit is not None:
        axis.axhline(limit, color="#000000", linewidth=0.9, linestyle="--", label=name)
    axis.set_xlim(start, end)
    axis.set_ylim(0, 1.08 * max([limit or 0, *top, 1]))


def _scale(s: Simulation) -> tuple[float, str]:
    """Seconds of the unit in which time is told."""
    long = s.simulating.end - s.simulating.start
    return (86_400, "days") if long > 2 * 86_400 else (3_600, "hours") if long > 7_200 else (60, "minutes")


def _curves(s: Simulation) -> Mapping[tuple[str, str], Curve]:
    return {(c.column, c.share): c for c in s.curves}
