"""Paths to documents: which files are read, how much of them, and by which parser.

A path is a file, a folder (its regular .json, .yaml, .yml and .template files, sorted, not those of folders inside it)
or "-", standard input. Of CDK's folder cdk.out only the templates are read. A file is called by its base name, or by as
much of its path as tells it from the others. JSON is only ever read by the json module and YAML only by the YAML reader;
the extension decides, and where it does not the first character does. Trusted: nothing that is read.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from . import json_text, yaml_text
from .document import Document
from .errors import InputError, shown
from .kinds import CDK_ASSETS, CDK_STACKS, CDK_TREE, CDK_VERSION, PROGRAM, TERRAFORM_SOURCE

LARGEST_FILE = 16 << 20
"""Bytes. 20 shares are 20 KiB; the largest dump of a Region's queues is far below this."""
_YAML = (".yaml", ".yml")
PROMISE_FILES = (*(f"promises{end}" for end in _YAML), "promises.json")
_EXTENSIONS = (".json", *_YAML, ".template")
_CDK_MARK = "cdk.out"
"""The file by which a folder is known as one that `cdk synth` has written."""
_CDK_FILES = {"manifest.json": CDK_STACKS, "tree.json": CDK_TREE, ".assets.json": CDK_ASSETS, _CDK_MARK: CDK_VERSION}
"""By the end of their names: CDK's files that are no templates, and why they do not count."""
_SOURCE_CODE = {
    **dict.fromkeys((".tf", ".tfvars", ".hcl"), TERRAFORM_SOURCE),
    **dict.fromkeys((".py", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"), PROGRAM),
    **dict.fromkeys((".java", ".kt", ".cs", ".fs", ".go"), PROGRAM),
}
"""By extension: what only another tool evaluates, and what to give instead."""
_ZIP = b"PK\x03\x04"
_PROMISES = re.compile(r"^promises[ \t]*:", re.MULTILINE)
_CDK_DIFF = re.compile(r"^\[[-+~]\] AWS::", re.MULTILINE)
_VERSION = re.compile(r"^promises(?=[ \t]*:[ \t]+[0-9]+[ \t]*(?:#.*)?$)", re.MULTILINE)


@dataclass(frozen=True)
class Unread:
    """A file that was recognised before it was parsed, and why it is left out."""

    name: str
    path: str
    """The path as it was given."""
    why: str


@dataclass(frozen=True)
class _Found:
    """A file that a path stands for; `why` it is left out unopened, or ''."""

    path: str
    why: str = ""
    parts: int = 1
    """Components of the path that its name has at least."""
    end: str = ""
    """What is written behind its name: "/" for a folder."""


def documents(paths: Sequence[str]) -> Iterator[Document | Unread]:
    """Every document in `paths`, each file once, in the order given. Raises InputError."""
    if not paths:
        raise InputError(
            "no file is given",
            where="command line",
            why="There is nothing to read.",
            fix="name a file, a folder, or - for standard input.",
        )
    files: dict[str, _Found] = {}
    for path in paths:
        for file in _files(path):
            first = files.setdefault(_identity(file.path), file)
            if first.why and not file.why:
                files[_identity(file.path)] = file
    for file, name in zip(files.values(), _names(list(files.values())), strict=True):
        yield Unread(name, file.path, file.why) if file.why else _document(file.path, name)


def beside(paths: Sequence[str]) -> list[str]:
    """Files of promises in the folder of a single file, which is given alone."""
    if len(paths) != 1 or paths[0] == "-" or not Path(paths[0]).is_file():
        return []
    return promised(Path(paths[0]).parent)


def promised(folder: Path) -> list[str]:
    """Files of promises in a folder, by their names."""
    return [str(folder / name) for name in PROMISE_FILES if (folder / name).is_file()]


def inputs(paths: Sequence[str]) -> frozenset[str]:
    """The real paths of all files in `paths`, none of which is opened; of a path that cannot be used, nothing."""

    def found(path: str) -> Sequence[_Found]:
        try:
            return _files(path)
        except InputError:
            return ()

    return frozenset(os.path.realpath(file.path) for path in paths if path != "-" for file in found(path))


def single(path: str) -> Document | Unread:
    """The one file at `path`. Raises InputError."""
    return _document(path, Path(path).name)


def names(paths: Sequence[str]) -> list[str]:
    """What each of these files is called: its base name, or as much of its path as tells it from the others."""
    return _names([_Found(path) for path in paths])


def _files(path: str) -> Sequence[_Found]:
    """The files that a path stands for, and those of its folder that are left out unopened."""
    if path == "-":
        return [_Found(path)]
    if "\0" in path or not path:
        raise InputError(
            f"{shown(path)} is not a path", where="command line", why="No file has such a name.", fix="name a file."
        )
    try:
        if not Path(path).is_dir():
            return [_Found(path)]
        if Path(path, _CDK_MARK).is_file():
            return _of_cdk(Path(path))
        inside = sorted(p for p in Path(path).iterdir() if p.suffix.lower() in _EXTENSIONS and not p.is_dir())
        found = [_Found(str(p), _irregular(p)) for p in inside]
    except (OSError, RuntimeError) as error:
        raise _unreadable(path, error) from None
    if not found:
        raise InputError(
            "the folder holds no .json, .yaml, .yml or .template file",
            where=path,
            why="There is nothing to read; folders inside it are not searched.",
            fix="name the folder that holds the create-* requests or describe-* outputs.",
        )
    return found


def _of_cdk(folder: Path) -> Sequence[_Found]:
    """CDK writes one template for each stack, and a folder for each stage of a pipeline."""

    def found(path: Path) -> _Found:
        if path.is_dir():
            why = f"a nested assembly is not read; to read it, give {path} as well"
            return _Found(str(path), why, parts=2, end="/")
        if path.name.endswith(".template.json"):
            return _Found(str(path), _irregular(path))
        why = next((why for end, why in _CDK_FILES.items() if path.name.endswith(end)), "CDK's, not configuration")
        return _Found(str(path), why, parts=2)

    inside = [p for p in sorted(folder.iterdir()) if p.name.startswith("assembly-") or not p.is_dir()]
    return [found(p) for p in inside]


def _irregular(path: Path) -> str:
    """Why a file of a folder is left out: opening a pipe waits for ever, and a link may lead nowhere. '' for a file."""
    if path.is_file():
        return ""
    return "not a regular file" if path.exists() else "a link to nothing"


def _names(files: Sequence[_Found]) -> list[str]:
    """The base name of each, with as many folders before it as no other has. Two different files differ in their paths."""
    whole = [_parts(file.path) for file in files]
    taken = [file.parts for file in files]
    while True:
        names = [str(Path(*parts[-n:])) + file.end for parts, n, file in zip(whole, taken, files, strict=True)]
        counts = Counter(names)
        if len(counts) == len(names):
            return names
        taken = [n + (counts[name] > 1) for n, name in zip(taken, names, strict=True)]


def _parts(file: str) -> tuple[str, ...]:
    if file == "-":
        return (file,)
    path = Path(file).absolute()
    return (Path(os.path.realpath(path.parent), path.name) if ".." in path.parts else path).parts


def _identity(file: str) -> str:
    return file if file == "-" else os.path.realpath(file)


def _document(file: str, name: str) -> Document | Unread:
    text = _text(file, name)
    suffix = Path(file).suffix.lower()
    if suffix in _SOURCE_CODE:
        return Unread(name, file, _SOURCE_CODE[suffix])
    if not text.strip():
        raise InputError(
            "the file is empty",
            where=name,
            why="The command that should have written it may have failed.",
            fix="write the file again, or leave it out.",
        )
    if suffix == ".json" or (suffix not in _YAML and text.lstrip()[0] in "{["):
        return replace(json_text.parse(name, text), path=file)
    if _CDK_DIFF.search(text):
        raise InputError(
            "the output of `cdk diff`, which is for people to read",
            where=name,
            why="It shows what differs, and neither of the two sides whole.",
            fix="give the folder cdk.out that `cdk synth` writes, or make a change set (`cdk deploy --no-execute`) and "
            "give `aws cloudformation describe-change-set --include-property-values`.",
        )
    document = replace(yaml_text.parse(name, _with_version(text)), path=file)
    if document.value is None:
        raise InputError(
            "the file is empty apart from comments",
            where=name,
            why="It holds no configuration.",
            fix="write the form as in examples/own-form, or leave the file out.",
        )
    return document


def _with_version(text: str) -> str:
    """A file of promises says its version as `promises: 1`, above the list of the same name: that key is `version`."""
    return _VERSION.sub("version", text, count=1) if len(_PROMISES.findall(text)) > 1 else text


def _text(file: str, name: str) -> str:
    content = _bytes(file)
    if content.startswith(_ZIP):
        raise InputError(
            "a zip archive, as Terraform's saved plans are",
            where=name,
            why="Only Terraform itself can read what is in it.",
            fix="give the output of `terraform show -json FILE`.",
        )
    if len(content) > LARGEST_FILE:
        raise InputError(
            f"the file is larger than {LARGEST_FILE >> 20} MiB",
            where=name,
            why="A queue configuration is a few kilobytes, so this is some other file.",
            fix="name only the files of one queue.",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"not UTF-8: byte 0x{content[error.start]:02x} at offset {error.start}",
            where=f"{name}:{line}",
            why="JSON and YAML are UTF-8 text; this is another encoding or no text.",
            fix="save the file as UTF-8 (PowerShell: Out-File -Encoding utf8).",
        ) from None


def _bytes(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read(LARGEST_FILE + 1)
        with Path(file).open("rb") as stream:
            return stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError, AttributeError) as error:
        raise _unreadable(file, error) from None


def _unreadable(file: str, error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else "it cannot be opened"
    if isinstance(error, FileNotFoundError):
        return InputError(
            "there is no such file or folder",
            where=file,
            why="Nothing was read.",
            fix=f"check the name; paths count from {shown(str(Path.cwd()))}.",
        )
    return InputError(
        f"cannot be read: {reason.lower()}",
        where=file,
        why="Nothing was read.",
        fix="check that it is a file that you may read.",
    )
