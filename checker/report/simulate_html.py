"""A comparison of simulations as one HTML file that stands alone: its tables, then what each policy did, drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ...spec.formats.errors import InputError
from ..simulated import Simulation
from ..why.page import Block, Choices, Head, Page, Part, Table
from . import pictures
from .figures import figures
from .hypertext import Drawing, Tag, document, listed, paragraphs, section, table, tag
from .layout import plain


def write(page: Page, simulation: Simulation) -> str:
    """The whole file."""
    told = plain(page)
    body = [t for block in told for t in _block(block)]
    costs = section("Waits and costs", [*_figures(simulation)])
    drawn = [*pictures.history(simulation.timelines), *costs, *pictures.records(simulation.timelines)]
    title = f"quotaproof simulate {plain(simulation.simulating).workload}"
    return document(title, [*body, *drawn], pictures.page(simulation.timelines, ()))


def _figures(simulation: Simulation) -> Iterator[Tag]:
    """What timelines do not show."""
    try:
        for figure in figures(simulation, usage=False):
            yield Drawing(plain(figure.title), svg=figure.inline())
    except InputError as error:
        yield from paragraphs([f"No figures: {error.what}. {error.why} Install it: {error.fix}"], "small")


def _whole(rows: Iterable[Sequence[str]]) -> Iterator[Sequence[str]]:
    """Rows whose label stands for itself: one that is set back on a screen follows what stands above it."""
    above = ""
    for label, *cells in rows:
        yield f"{above}, {label.strip()}" if label.startswith("  ") else label, *cells
        above = above if label.startswith("  ") else label.removesuffix(", mean").removesuffix(", times")


def _block(block: Block) -> Iterator[Tag]:
    match block:
        case Head():
            yield tag("h1", block.name)
            yield from paragraphs([line for line in (block.about, block.right, *block.more) if line])
        case Table():
            right = [k for k, c in enumerate(block.columns) if c.right]
            inside = table([c.heading or "number" for c in block.columns], [*_whole(block.rows)], right)
            yield from section(block.title, [*inside, *paragraphs(block.notes, "small")])
        case Part():
            yield tag("p", tag("strong", block.label), f" {' '.join(block.sentences)}")
        case Choices():
            yield tag("p", block.title)
            yield from listed([" ".join(row)] for row in block.rows)
        case _:
            yield from paragraphs([block.text], "small")
