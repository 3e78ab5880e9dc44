"""The documentation: every command does what its page shows, every link leads somewhere, every request is one AWS takes."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from ..support import documented
from ..support.documented import ROOT, Command, of, pages, played, same, shows

PAGES = pages()
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
FEWEST = {"run": 60, "long": 3, "not run": 60}
"""How many commands there are at least: a page whose blocks are not recognised must not pass."""
MOST = {"root": 40, "AWS": 20, "installs": 6, "yours": 4, "browser": 8, "the whole suite": 3}
"""How many at most are not run: by what they need."""
EVERY = [(page, command) for page in PAGES for command in of(page)]


def told(page: Path, folder: Path, *, long: bool) -> list[str]:
    """What is wrong with the commands of a page."""
    asked = [command.text for command in of(page) if not command.not_run and (long or not command.long)]
    if shutil.which("node") is None and any("cmd:node" in text for text in asked):
        pytest.skip("node is not installed")
    if find_spec("cvc5") is None and any("--cross-check" in text for text in asked):
        pytest.skip("cvc5 is not installed: pip install -e '.[crosscheck]'")
    wrong = list[str]()
    for command, got in played(page, folder, long=long):
        printed = same(got.out, folder)
        if got.code != command.code:
            wrong.append(f"{command.text}: exit code {got.code}, not {command.code}:\n{printed}")
        if command.shown is not None and not shows(command.shown, printed):
            wrong.append(f"{command.text} prints\n{printed}")
    return wrong


def ids(chosen: list[Path]) -> list[str]:
    return [str(page.relative_to(ROOT)) for page in chosen]


QUICK = [page for page in PAGES if page.name != "README.md" and any(not c.not_run and not c.long for c in of(page))]
LONG = [page for page in PAGES if page.name == "README.md" or any(c.long for c in of(page))]


@pytest.mark.usefixtures("proved")
@pytest.mark.parametrize("page", QUICK, ids=ids(QUICK))
def test_every_command_does_what_its_page_shows(page: Path, tmp_path: Path) -> None:
    assert told(page, tmp_path, long=False) == []


@pytest.mark.campaign
@pytest.mark.parametrize("page", LONG, ids=ids(LONG))
def test_every_long_command_too(page: Path, tmp_path: Path) -> None:
    assert told(page, tmp_path, long=True) == []


def test_none_is_overlooked() -> None:
    kinds = [("not run" if c.not_run else "long" if c.long else "run") for _, c in EVERY]
    assert all(kinds.count(kind) >= fewest for kind, fewest in FEWEST.items()), {k: kinds.count(k) for k in FEWEST}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert {b.language for b in documented.blocks(text)}.isdisjoint({"sh", "bash", "shell", ""}), page
        assert re.findall(r"^(?: {4}|\t)(?:quotaproof|pytest|python) .*", text, re.MULTILINE) == [], page
        assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len([*documented.blocks(text)]), page


def test_a_slow_machine_shows_the_same_screen() -> None:
    screens = (
        "read x\n           0 errors     0.7 s   exit 0",
        "read x\n          0 errors     12.7 s   exit 0",
        "read x\n         0 errors     340.1 s   exit 0",
    )
    assert {same(screen) for screen in screens} == {"read x\n           0 errors     ... s   exit 0"}
    assert shows("...\n           0 errors     ... s   exit 0\n", screens[2])


def test_what_is_not_run_says_why() -> None:
    for page, command in EVERY:
        if command.not_run:
            assert command.not_run.startswith(documented.WHY_NOT), f"{page}: {command.text}: {command.not_run}"
            assert command.shown is None, f"{page}: {command.text}: who says that it prints this?"


def test_few_are_not_run_and_for_what_they_need() -> None:
    counted = Counter(command.not_run.partition(":")[0] for _, command in EVERY if command.not_run)
    assert all(counted[why] <= most for why, most in MOST.items()), counted
    assert set(counted) <= set(MOST)


NEEDS = {
    "root": r"apt-get |pytest -m htcondor|rm -r ~/\.cache/quotaproof/htcondor|quotaproof (conform|replay) ",
    "AWS": r"aws |quotaproof pull (?!.*--setup)|quotaproof verify live\b",
    "installs": r"python -m pip install ",
    "yours": r"quotaproof simulate ",
    "browser": r"(python -m pip install '\.\[serve\]'( && )?)?(quotaproof play(?!.*(--text|--handout)).*)?$",
    "the whole suite": r".*(pytest( -n 2)?|bash \.ci/run)$",
}
"""What the commands look like that need it."""


def test_what_is_not_run_needs_what_it_says() -> None:
    assert set(NEEDS) <= set(documented.WHY_NOT)
    for page, command in EVERY:
        if command.not_run:
            why = command.not_run.partition(":")[0]
            assert re.match(NEEDS[why], command.text), f"{page}: {command.text} does not need {why}"
            assert why != "root" or " reference" not in command.text, f"{page}: {command.text}"


def test_what_is_run_shows_what_it_prints() -> None:
    silent = {" ".join(command.words[:2]) for _, command in EVERY if not command.not_run and command.shown is None}
    assert silent == {"quotaproof play", "python -c"}, "of a file that is written, and of a folder of this machine"


def arguments(command: Command) -> list[str]:
    """What stands behind quotaproof, up to a pipe or a redirection."""
    words = command.words
    ends = [n for n, word in enumerate(words) if word in ("|", ">", "&&")]
    return words[1 : min(ends, default=len(words))]


def test_every_command_of_ours_can_be_parsed_also_those_that_are_not_run() -> None:
    from quotaproof.checker.cli.app import command as program

    parsed, known = 0, program().commands
    for _, command in EVERY:
        if command.words[0] == "quotaproof" and command.code != 2:
            name, *rest = arguments(command)
            known[name].make_context(name, rest)
            parsed += 1
    assert parsed >= 100


def test_options_that_the_text_names_exist() -> None:
    from quotaproof.checker.cli.app import command as program

    options = {name: {o for p in c.params for o in p.opts} for name, c in program().commands.items()}
    for page in PAGES:
        for name, rest in re.findall(r"`quotaproof ([a-z]+)([^`]*)`", page.read_text(encoding="utf-8")):
            assert name in options, f"{page}: quotaproof {name}"
            assert set(re.findall(r"(?<=[ \[|])--[a-z-]+", rest)) <= options[name] | {"--help"}, f"{page}: {name}{rest}"


def test_values_that_the_text_names_exist() -> None:
    from quotaproof.checker.cli.options import FORMS
    from quotaproof.checker.conform.profiles import PROFILES
    from quotaproof.checker.report.options import FailOn
    from quotaproof.checker.rollout.simulate.policies import POLICIES

    choices = {"--fail-on": {*FailOn}, "--report": {*FORMS}, "--profile": {*PROFILES}, "--policy": {*POLICIES}}
    named = Counter[str]()
    for page in PAGES:
        for span in re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")):
            for option, values in re.findall(r"(--[a-z-]+)[ =]([a-z][a-z|-]*)", span):
                if option in choices:
                    assert {*values.split("|")} <= choices[option], f"{page}: `{span}`"
                    named[option] += 1
    assert named["--fail-on"] >= 5
    assert named["--report"] >= 8


def test_the_readme_names_the_commands_that_write_every_form() -> None:
    from quotaproof.checker.cli.app import command as program
    from quotaproof.checker.cli.options import FORMS

    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    told = re.search(rf"((?:`\w+`(?:, | and ))+`\w+`) take `--report {re.escape('|'.join(FORMS))}\[=FILE\]`", text)
    assert told is not None
    helps = {
        name: {o: str(getattr(p, "help", "")) for p in c.params for o in p.opts}
        for name, c in program().commands.items()
    }
    every = {name for name, options in helps.items() if all(form in options.get("--report", "") for form in FORMS)}
    assert set(re.findall(r"\w+", told[1])) - {"and"} == every == {n for n, o in helps.items() if "--fail-on" in o}


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    tokens = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    found = list[str]()
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            words = "".join(child.content for child in inside.children or () if child.type in ("text", "code_inline"))
            anchor = re.sub(r"[^\w\- ]", "", words.lower()).replace(" ", "-")
            found.append(anchor if anchor not in found else f"{anchor}-{found.count(anchor)}")
    return set(found)


def links(page: Path) -> list[tuple[str, str, str]]:
    """Kind, target and text of every link and picture of a page."""
    tokens = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    found = list[tuple[str, str, str]]()
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                found.append(("link", str(child.attrs["href"]), ""))
            if child.type == "image":
                found.append(("picture", str(child.attrs["src"]), child.content))
    return found


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_link_leads_somewhere_and_every_picture_is_told_in_words(page: Path) -> None:
    for kind, target, text in links(page):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{target} of {page} does not exist"
        assert not anchor or anchor in anchors(there), f"{target} of {page}: no such heading"
        assert kind == "link" or len(text.split()) >= 5, f"{target}: its alternative text says too little: {text!r}"


def test_every_page_can_be_reached_from_the_index() -> None:
    seen, new = set[Path](), {ROOT / "docs" / "index.md"}
    while new:
        page = new.pop()
        seen.add(page)
        there = {
            (page.parent / target.partition("#")[0]).resolve() for kind, target, _ in links(page) if kind == "link"
        }
        new |= {path for path in there if path.suffix == ".md" and path.exists()} - seen
    assert set(PAGES) - seen == set()


REQUESTS = [(page, c) for page, c in EVERY if c.words[:2] == ["aws", "batch"]]


def test_every_request_to_aws_is_one_that_its_api_knows() -> None:
    import json

    from botocore import xform_name
    from botocore.loaders import Loader
    from botocore.model import ServiceModel
    from botocore.validate import ParamValidator

    model = ServiceModel(Loader().load_service_model("batch", "service-2"))
    operations = {xform_name(name, "-"): name for name in model.operation_names}
    checked = 0
    for page, command in REQUESTS:
        operation = model.operation_model(operations[command.words[2]])
        given = re.search(r"--cli-input-json file://(\S+)", command.text)
        if given is not None:
            body = json.loads((ROOT / given[1]).read_text(encoding="utf-8"))
            assert not ParamValidator().validate(body, operation.input_shape).has_errors(), f"{page}: {given[1]}"
            checked += 1
        else:
            known = {xform_name(member, "-") for member in operation.input_shape.members}
            assert {w[2:] for w in command.words if w.startswith("--")} <= known | {"query", "output"}, command.text
    assert checked >= 7
