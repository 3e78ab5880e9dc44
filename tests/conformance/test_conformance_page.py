"""docs/conformance.md: its code stands in the examples, its conversation takes place, its commands say what it shows."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess

import jsonschema
import pytest
from quotaproof.checker.cli import run
from quotaproof.checker.conform.failures import FAILURES
from quotaproof.checker.conform.features import FEATURES
from quotaproof.checker.conform.profiles import PROFILES
from quotaproof.checker.conform.protocol import UNTOLD
from quotaproof.spec.formats.scenario import VERBS
from quotaproof.spec.formats.trace_words import EVERY

from ..support.scenarios import ROOT

PAGE = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
EXAMPLES = {
    path.name: path.read_text(encoding="utf-8") for path in (ROOT / "examples/backends/javascript").glob("*.mjs")
}
SCHEMA = jsonschema.Draft202012Validator(
    json.loads((ROOT / "spec" / "schemas" / "protocol.schema.json").read_text(encoding="utf-8"))
)
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def cells(heading):
    """Rows of the table whose heading begins so."""
    table = PAGE[PAGE.index(f"\n| {heading} |") :].split("\n\n")[0]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in table.strip().splitlines()[2:]]


@pytest.mark.parametrize("code", blocks("js"))
def test_the_code_stands_in_an_example(code):
    assert [name for name, text in EXAMPLES.items() if code in text]


def conversation():
    (text,) = blocks("text")
    joined = re.sub(r"\n +", "", text)
    return [(line[0], line[2:]) for line in joined.splitlines()]


def test_the_messages_fit_the_schema():
    for _, message in conversation():
        SCHEMA.validate(json.loads(message))
    short = [json.loads(text) for text in re.findall(r"`(\{\"id\".*?\})`", PAGE) if "..." not in text]
    assert short
    for message in short:
        SCHEMA.validate(message)


@needs_node
def test_the_conversation_takes_place_as_it_is_shown():
    said = "".join(f"{message}\n" for who, message in conversation() if who == ">")
    file = ROOT / "examples" / "backends" / "javascript" / "conforming.mjs"
    done = subprocess.run(["node", str(file)], input=said, capture_output=True, text=True, check=True, timeout=30)
    assert done.stdout.splitlines() == [message for who, message in conversation() if who == "<"]


COMMANDS = [block.removeprefix("$ ").partition("\n")[::2] for block in blocks("console")]


@needs_node
@pytest.mark.parametrize(("command", "shown"), [
    pytest.param(*pair, marks=pytest.mark.campaign if "forgetful" in pair[0] else ()) for pair in COMMANDS
])  # fmt: skip
def test_a_command_says_what_is_shown(command, shown, tmp_path, monkeypatch, capsys):
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(command)
    assert program == "quotaproof"
    run(arguments)
    printed = capsys.readouterr().out.splitlines()
    for line in shown.splitlines():
        assert line in printed or line == "..."


def test_three_commands_are_shown():
    assert len(COMMANDS) == 3


def test_every_feature_is_listed():
    core = PROFILES["aws-batch"].core
    expected = [[f"`{f.name}`", "core" if f.name in core else "extended", f.sentence] for f in FEATURES.values()]
    assert cells("feature | aws-batch") == expected


def test_every_failure_is_listed_with_its_causes_and_what_to_do():
    expected = [[f"`{f.code}`", f"{f.__doc__} {f.causes}", f.hint[0].upper() + f.hint[1:]] for f in FAILURES]
    assert cells("code") == expected


def test_every_step_is_listed_with_lines_that_there_are():
    rows = cells("step")
    told = {verb for verb, kind in VERBS.items() if not issubclass(kind, UNTOLD)} | {"settle"}
    assert {row[0].strip("`") for row in rows} == told
    fields = {"failed", "stage", "count", "limits", "strategy", "borrowLimit", "inSharePreemption", "state"}
    named = {word for row in rows for word in re.findall(r"`([\w-]+)`", row[1])}
    assert named - fields <= set(EVERY)
