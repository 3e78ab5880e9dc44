"""HTML in one file that stands alone: nothing from elsewhere, readable without its script and on paper.

`escaped` is trusted: `Tag` puts every text through it, so that whatever comes from outside is text and never markup. A page
that draws has one script of ours, which alone its policy lets run, and data that is JSON and holds no letter of markup.
"""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8882; --page: #fff; --dim: #595959; --press: #eceff2;
  background: var(--page); color: #1b1b1b; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.15rem; margin-top: 2rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: left; vertical-align: top; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
code, pre { font: .9em/1.5 ui-monospace, monospace; } pre { background: var(--soft); padding: .6rem; overflow-x: auto; }
p, li, td { overflow-wrap: anywhere; }
.word { padding: .1rem .5rem; border: 2px solid; border-radius: .3rem; margin-right: .4rem; white-space: nowrap; }
.good { color: #17713f; } .bad { color: #b3261e; } .open { color: #8a5a00; }
@media (prefers-color-scheme: dark) { .good { color: #6fd39b; } .bad { color: #ff9b93; } .open { color: #f2c166; }
  :root { --page: #14181d; --dim: #b9c0c8; --press: #2a3038; color: #f1f3f5; } }
.small { color: var(--dim); font-size: .9rem; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
  h1, h2, h3 { break-after: avoid; } tr, li, figure { break-inside: avoid; } pre { overflow: visible; white-space: pre-wrap; }
  table { display: table; font-size: 9pt; } th, td { padding: .15rem .3rem; } th { overflow-wrap: break-word; }
  :root { --page: #fff; --dim: #444; color: #000; } }
"""


def escaped(text: str) -> str:
    """Text that no browser takes for anything else."""
    return html.escape(text, quote=True)


@dataclass(frozen=True)
class Tag:
    """An element with what is in it. Text is escaped when it is written."""

    name: str
    inside: tuple[Tag | str, ...] = ()
    css: str = ""
    place: str = ""
    """Its id."""

    def __str__(self) -> str:
        css = f' class="{escaped(self.css)}"' if self.css else ""
        css += f' id="{escaped(self.place)}"' if self.place else ""
        inside = "".join(escaped(i) if isinstance(i, str) else str(i) for i in self.inside)
        if self.name == "br":
            return "<br>"
        return f"<{self.name}{css}>{inside}</{self.name}>"


@dataclass(frozen=True)
class Drawing(Tag):
    """An SVG element of our own making, written as it is; `name` says what it shows to who cannot see it."""

    svg: str = ""

    def __str__(self) -> str:
        style = "margin: 1rem 0; overflow-x: auto; background: #fff"  # figures are drawn on white, also at night
        return f'<figure role="img" tabindex="0" aria-label="{escaped(self.name)}" style="{style}">{self.svg}</figure>'


@dataclass(frozen=True)
class Drawn:
    """What makes a page draw: a script, what it reads, and a style sheet of its own."""

    script: str
    data: Mapping[str, Any] = field(default_factory=dict[str, Any])
    sheet: str = ""

    @property
    def policy(self) -> str:
        """Of scripts: this one."""
        return f"'sha256-{b64encode(sha256(self.script.encode()).digest()).decode()}'"

    def lines(self) -> list[str]:
        """The data, then the script, which reads it."""
        data = json.dumps(self.data, ensure_ascii=True, separators=(",", ":")).translate(_NO_MARKUP)
        return [
            f'<script type="application/json" id="data">{data}</script>',
            f'<script type="module">{self.script}</script>',
        ]


_NO_MARKUP = {ord(letter): f"\\u{ord(letter):04x}" for letter in "<>&\x7f"}


def tag(name: str, *inside: Tag | str, css: str = "", place: str = "") -> Tag:
    """An element; `place` is its id."""
    return Tag(name, inside, css, place)


def paragraphs(lines: Iterable[str], css: str = "") -> list[Tag]:
    return [tag("p", line, css=css) for line in lines]


def listed(items: Iterable[Sequence[Tag | str]]) -> list[Tag]:
    """A list; nothing where there is nothing to list."""
    found = [tag("li", *item) for item in items]
    return [tag("ul", *found)] if found else []


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[Tag]:
    """A table, the columns numbered in `right` being numbers; nothing without rows."""
    if not rows:
        return []

    def cells(kind: str, texts: Sequence[str]) -> Tag:
        return tag("tr", *(tag(kind, t, css="n" if k in right else "") for k, t in enumerate(texts)))

    return [tag("table", tag("thead", cells("th", heads)), tag("tbody", *(cells("td", r) for r in rows)))]


def section(title: str, inside: Sequence[Tag]) -> list[Tag]:
    """A part under a heading; nothing where it is empty."""
    return [tag("section", tag("h2", title), *inside)] if inside else []


def document(title: str, body: Iterable[Tag], drawn: Drawn | None = None) -> str:
    """The whole file. A browser is told to load nothing whatever, and to run nothing but the script that is given."""
    script = f"; script-src {drawn.policy}" if drawn else ""
    policy = f"default-src 'none'; style-src 'unsafe-inline'{script}; base-uri 'none'; form-action 'none'"
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escaped(title)}</title>",
        f"<style>{_STYLE}{drawn.sheet if drawn else ''}</style></head>",
        "<body>",
        "<main>",
        *map(str, body),
        "</main>",
        *(drawn.lines() if drawn else []),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"
