"""Names from outside are text in every form, whatever they hold: read back by real parsers and renderers."""

from __future__ import annotations

import json as json_module
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from quotaproof.checker.promised import Promised
from quotaproof.checker.report import badge, html, json, junit, md, sarif, text
from quotaproof.checker.report.layout import plain
from quotaproof.checker.report.options import Options
from quotaproof.checker.report.place import uri
from quotaproof.checker.results import Began, Ended, Event, Finding, Result, Row, Severity, Verdict

from .samples import HOLDS, HOSTILE, everything, played, promised
from .streams import PIECES, REPEATABLE, options, streams

ALLOWED = {
    *("h2", "h3", "p", "br", "ul", "li", "strong", "details", "summary"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table").enable("strikethrough")


class Reader(HTMLParser):
    """Which tags there are, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.cells: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag == "td":
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.cells:
            self.cells[-1] += data


def rendered(events: list[Event], asked: Options) -> Reader:
    return Reader(MARKDOWN.render(md.write(events, asked)))


@REPEATABLE
@given(events=streams(), asked=options)
def test_every_form_is_printable_ascii(events: list[Event], asked: Options) -> None:
    for form in (text, md, junit, sarif, json, html, badge):
        got = form.write(events, asked)
        assert got.isascii()
        assert all(c in "\n\t" or c.isprintable() for c in got)


@REPEATABLE
@given(events=streams(), asked=options)
def test_junit_is_xml_with_its_own_elements_only(events: list[Event], asked: Options) -> None:
    root = ElementTree.fromstring(junit.write(events, asked))
    known = {"testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out"}
    assert {element.tag for element in root.iter()} <= known
    judged = [e for e in events if isinstance(e, Finding | Result | Promised)]
    assert len(root.findall(".//testcase")) - len(judged) in (0, 1)


HTML_TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "section",
        "footer",
        "h1",
        "h2",
        "h3",
        "p",
        "span",
        "strong",
    ),
    *("ul", "li", "br", "code", "pre", "table", "thead", "tbody", "tr", "th", "td"),
}


@REPEATABLE
@given(events=streams(), asked=options)
def test_html_has_its_own_elements_only_and_loads_nothing(events: list[Event], asked: Options) -> None:
    written = html.write(events, asked)
    got = Reader(written)
    assert got.tags <= HTML_TAGS
    assert got.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}
    assert "default-src 'none'" in written
    assert "url(" not in written.partition("</style>")[0]


@pytest.mark.parametrize("name", [*PIECES, HOSTILE])
def test_html_shows_a_name_as_it_is(name: str) -> None:
    row = Row(name, "p5", "LEND", 3, 3, 3, 0, (), 0, "-")
    finding = Finding("QP101", Severity.ERROR, f"{name} is wrong", body=(name,), fix=name)
    got = Reader(html.write([Began("verify", "q"), row, finding, *HOLDS, Ended(0.1)], Options()))
    assert got.cells[0] == plain(name)
    assert f" {plain(name)} is wrong" in got.text


@REPEATABLE
@given(events=streams(), asked=options)
def test_markdown_renders_to_its_own_elements_only(events: list[Event], asked: Options) -> None:
    got = rendered(events, asked)
    assert got.tags <= ALLOWED
    assert got.attributes <= {"style"}


@pytest.mark.parametrize("name", [*PIECES, HOSTILE])
def test_markdown_shows_a_name_as_it_is(name: str) -> None:
    row = Row(name, "p5", "LEND", 3, 3, 3, 0, (), 0, "-")
    finding = Finding("QP101", Severity.ERROR, f"{name} is wrong", body=(name,), fix=name)
    got = rendered([Began("verify", "q"), row, finding, *HOLDS, Ended(0.1)], Options())
    assert got.cells[0].strip() == plain(name).strip()
    assert f"{plain(name).lstrip()} is wrong" in got.text
    lines = [line.strip() for line in got.text.splitlines()]
    assert f"Fix: {plain(name)}.".strip() in lines
    assert plain(name).strip() in lines


def test_markdown_mentions_and_links_nobody() -> None:
    for events in (everything(), played(), promised()):
        got = md.write(events, Options())
        assert not re.search(r"@\w|\w://|www\.|(?<!\\)\]\(", got)


@REPEATABLE
@given(events=streams(), asked=options)
def test_sarif_text_holds_no_link(events: list[Event], asked: Options) -> None:
    (run,) = json_module.loads(sarif.write(events, asked))["runs"]
    for result in run["results"]:
        message = re.sub(r"\\[\\\[\]]", "", result["message"]["text"])
        assert not set(message) & set("\\[]")


@pytest.mark.parametrize("name", PIECES)
def test_a_path_in_sarif_is_a_uri_that_decodes_to_the_path(name: str) -> None:
    if "\x00" in name or name == "../":
        return
    got = uri(f"live/{name}.json")
    assert re.fullmatch(r"[A-Za-z0-9_.~%/-]+", got)
    wanted = re.sub("/+", "/", f"live/{name}.json")
    errors = "surrogatepass" if name == "\ud800" else "surrogateescape"
    assert unquote_to_bytes(got) == wanted.encode("utf-8", errors)


def test_json_gives_every_name_back() -> None:
    got = json_module.loads(json.write(everything(), Options()))
    assert got["rows"][2]["share"] == HOSTILE
    assert got["findings"][1]["share"] == HOSTILE


def test_a_verdict_that_stands_in_a_name_is_no_verdict() -> None:
    name = "x\nOK      everything holds, whatever jobs arrive.\n"
    broken = Result("G14", Verdict.BROKEN, name, subject=name)
    got = text.write([Began("verify", name), broken, Ended(0.1)], Options())
    assert not [line for line in got.splitlines() if line.startswith("OK")]
