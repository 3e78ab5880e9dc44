"""What the documentation shows is what runs: the commands of every page, their output and exit codes, and the files they need.

In a page

- a `console` block has commands, lines that begin with "$ ", and below each what it prints. A line "..." stands for any
  lines. Nothing below a command: its output is not compared. `# exit 1` behind a command is its exit code, else it is 0;
- `<!-- file: NAME -->` before a block makes it a file of that name, for the commands below it;
- `<!-- before: COMMAND -->` is run before the block: it makes what the reader has already;
- `<!-- prints: COMMAND -->` before a `text` block says whose output it is, where the command itself stands elsewhere;
- `<!-- not run: WHY -->` before a block says why nobody runs it here; `<!-- long -->` that it is run by `-m campaign` only.

The commands of a page run one after the other, in a folder of their own with a copy of `examples`, on the same day. How
long something took is "..." in what a page shows: it is another number on every machine.
`python -m tests.support.documented` writes what they print today into the pages; `--check` only compares.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
WHY_NOT = ("network", "root", "AWS", "browser", "installs", "yours", "the whole suite")
"""Why a command is not run: what it needs; `yours` are files or programs of the reader's own."""
_BLOCK = re.compile(r"((?:^<!-- [^\n]+ -->\n)*)^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NOTE = re.compile(r"^<!-- (file|prints|before|not run|long)(?:: ([^\n]+))? -->$", re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*?)(?<!\\)\n", re.MULTILINE | re.DOTALL)
_TYPED = re.compile(r"printf '([^']*)' \| (?=quotaproof )")
_EXIT = re.compile(r"\s+# exit (\d+)$")
_SAME = (
    (re.compile(r"[\d,]+\s+scenarios/s,\s+[\d,]+\s+events/s"), "... scenarios/s, ... events/s"),
    (re.compile(r",\s+2\s+processes"), ", 2\n        processes"),
    (re.compile(r"in \d+\.\d\ds\b"), "in ...s"),
)
"""Speeds and durations: dots, wherever the number made the line break."""
_LASTED = re.compile(r"^( *)(.*?)\d(\d*)\.\d(?= s +exit)", re.MULTILINE)
"""A duration at the end of a screen. The line ends where it always does: what is long makes it begin further left."""


class Then(date):
    """The day on which the documentation is read."""

    @classmethod
    def today(cls) -> date:
        return date(2026, 11, 30)


@dataclass(frozen=True)
class Block:
    """One fenced block: what the comments before it say, its language, its text and where that lies in the page."""

    notes: dict[str, str]
    language: str
    text: str
    start: int

    @property
    def file(self) -> str:
        return self.notes.get("file", "")


@dataclass(frozen=True)
class Command:
    """A command of a page. `shown` lies at `start` in the page; None: its output is not compared."""

    text: str
    code: int
    shown: str | None
    start: int
    not_run: str = ""
    long: bool = False

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text, comments=True)


@dataclass(frozen=True)
class Ran:
    """What a command printed, and its exit code."""

    out: str
    code: int


def pages() -> list[Path]:
    """Every page for readers, README first."""
    named = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    return [*named, *sorted(p for p in (ROOT / "docs").rglob("*.md"))]


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for found in _BLOCK.finditer(text):
        notes = {key: value or "" for key, value in _NOTE.findall(found[1])}
        yield Block(notes, found[2], found[3], found.start(3))


def files(page: Path) -> dict[str, str]:
    """The files that a page shows."""
    return {block.file: block.text for block in blocks(page.read_text(encoding="utf-8")) if block.file}


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block, in order."""
    not_run, long = block.notes.get("not run", ""), "long" in block.notes
    if "prints" in block.notes:
        yield _command(block.notes["prints"], block.text, block.start, not_run, long)
    if block.language != "console":
        return
    found = [*_COMMAND.finditer(block.text)]
    for this, following in zip(found, [*(m.start() for m in found[1:]), len(block.text)], strict=True):
        shown = block.text[this.end() : following]
        yield _command(this[1].replace("\\\n", " "), shown or None, block.start + this.end(), not_run, long)


def _command(text: str, shown: str | None, start: int, not_run: str, long: bool) -> Command:
    code = _EXIT.search(text)
    return Command(_EXIT.sub("", text), int(code[1]) if code else 0, shown, start, not_run, long)


def of(page: Path) -> list[Command]:
    """All commands of a page."""
    return [command for block in blocks(page.read_text(encoding="utf-8")) for command in commands(block)]


def played(page: Path, folder: Path, *, long: bool = False) -> Iterator[tuple[Command, Ran]]:
    """Run what a page shows, in order, in an empty folder. Without `long` its long commands are left out."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.file:
            (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.file).write_text(block.text, encoding="utf-8")
        if "before" in block.notes:
            assert _shell(block.notes["before"], folder).code == 0, block.notes["before"]
        for command in commands(block):
            if not command.not_run and (long or not command.long):
                yield command, ran(command, folder)


def ran(command: Command, folder: Path) -> Ran:
    """Run one command: quotaproof in this process, also with `printf '...' |` before it; anything else in a shell."""
    text, typed = command.text, ""
    if (piped := _TYPED.match(text)) is not None:
        text, typed = text[piped.end() :], piped[1].replace("\\n", "\n")
    words = shlex.split(text, comments=True)
    if words[:2] == ["quotaproof", "play"] and not {"--text", "--handout"} & {*words}:
        raise ValueError(f"{text} ends only when somebody ends it: say <!-- not run: browser -->")
    if words[0] != "quotaproof" or re.search(r"[|><;&$*]", re.sub(r"'[^']*'|\"[^\"]*\"", "", text)):
        return _shell(command.text, folder)
    return _once(tuple(words[1:])) if _only_reads(words[1:]) else _here(words[1:], folder, typed)


def _only_reads(words: Sequence[str]) -> bool:
    """Whether a command reads examples and writes no file: what it says is the same on every page."""
    files = [word for word in words[1:] if "/" in word or "." in word]
    wrote = [word for word in words if word in ("--out", "--plot", "--trace") or re.match(r"\w+=[^/]+\.\w+$", word)]
    return (
        words[0] in ("audit", "why", "status", "explain", "simulate")
        and not wrote
        and all(word.startswith("examples/") for word in files)
    )


@cache
def _once(arguments: tuple[str, ...]) -> Ran:
    return _here(arguments, ROOT)


def _here(arguments: Sequence[str], folder: Path, typed: str = "") -> Ran:
    import z3
    from quotaproof.checker.cli import run

    z3.z3._main_ctx = None  # which of several examples Z3 finds depends on what it was asked before
    out, err = io.StringIO(), io.StringIO()
    with ExitStack() as within:
        for name in ("plan", "verify"):
            within.enter_context(patch.object(import_module(f"quotaproof.checker.cli.{name}"), "date", Then))
        within.enter_context(patch.object(sys, "stdin", io.StringIO(typed)))
        within.enter_context(chdir(folder))
        within.enter_context(redirect_stdout(out))
        within.enter_context(redirect_stderr(err))
        code = run(arguments)
    return Ran(out.getvalue() + (err.getvalue() if code == 2 else ""), code)


def _shell(text: str, folder: Path) -> Ran:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    more = {"PATH": path, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100"}
    done = subprocess.run(
        ["bash", "-c", text],
        cwd=folder,
        env={**os.environ, **more},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Ran(done.stdout + (done.stderr if done.returncode == 2 else ""), done.returncode)


def lasting(text: str, always: str) -> str:
    """A screen that says, in three letters, how long everything lasts."""
    return _LASTED.sub(lambda found: f"{found[1]}{' ' * len(found[3])}{found[2]}{always}", text)


def same(text: str, folder: Path | None = None) -> str:
    """Text without what differs from run to run."""
    if folder is not None:
        text = text.replace(f"{folder}/", "").replace(str(folder), ".")
    for pattern, always in _SAME:
        text = pattern.sub(always, text)
    text = lasting(text, "...")
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def shows(shown: str, printed: str) -> bool:
    """Whether `shown` is what was printed; a line "..." of it is any lines."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.$\n?", f"{same(shown)}\n", flags=re.MULTILINE)]
    pattern = r"(?:.*\n)*?".join(parts)
    return re.fullmatch(pattern, f"{same(printed)}\n") is not None


def rewritten(page: Path) -> tuple[str, list[str]]:
    """The page with what its commands print now, and what cannot be mended here: exit codes, and outputs with "..."."""
    text, wrong = page.read_text(encoding="utf-8"), list[str]()
    changes = list[tuple[int, int, str]]()
    with tempfile.TemporaryDirectory() as folder:
        for command, got in played(page, Path(folder), long=True):
            where = f"{page.relative_to(ROOT)}: {command.text}"
            printed = same(got.out, Path(folder))
            if got.code != command.code:
                wrong.append(f"{where}: exit code {got.code}, not {command.code}\n{printed}")
            if command.shown is None or shows(command.shown, printed):
                continue
            if re.search(r"^\.\.\.$", command.shown, re.MULTILINE):
                wrong.append(f"{where}: another output; choose again what is shown of it\n{printed}")
            else:
                changes.append((command.start, command.start + len(command.shown), f"{printed}\n"))
    for start, end, new in reversed(changes):
        text = text[:start] + new + text[end:]
    return text, wrong


def main(arguments: Sequence[str]) -> int:
    """Rewrite the pages that are named, all without names; with --check only compare."""
    check = "--check" in arguments
    named = [Path(a).resolve() for a in arguments if a != "--check"] or pages()
    failed = False
    for page in named:
        text, wrong = rewritten(page)
        changed = text != page.read_text(encoding="utf-8")
        if changed and check:
            wrong.append(f"{page.relative_to(ROOT)} does not show what its commands print: "
                         "python -m tests.support.documented")  # fmt: skip
        elif changed:
            page.write_text(text, encoding="utf-8")
        failed |= bool(wrong)
        for line in wrong:
            print(line, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
