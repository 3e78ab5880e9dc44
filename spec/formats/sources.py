"""Paths to documents: which files are read, how much of them, and by which parser.

A path is a file, a folder (its .json, .yaml, .yml and .template files, sorted, not those of folders inside it) or "-",
standard input. Of CDK's folder cdk.out only the templates are read. JSON is only ever read by the json module and YAML
only by the YAML reader; the extension decides, and where it does not the first character does. Trusted: nothing that
is read.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from . import json_text, yaml_text
from .document import Document
from .errors import InputError, shown
from .kinds import CDK_ASSETS, CDK_STACKS, CDK_TREE, CDK_VERSION, TERRAFORM_SOURCE

LARGEST_FILE = 16 << 20
"""Bytes. 20 shares are 20 KiB; the largest dump of a Region's queues is far below this."""
_YAML = (".yaml", ".yml")
_EXTENSIONS = (".json", *_YAML, ".template")
_CDK_MARK = "cdk.out"
"""The file by which a folder is known as one that `cdk synth` has written."""
_CDK_FILES = {"manifest.json": CDK_STACKS, "tree.json": CDK_TREE, ".assets.json": CDK_ASSETS, _CDK_MARK: CDK_VERSION}
"""By the end of their names: CDK's files that are no templates, and why they do not count."""
_TERRAFORM = (".tf", ".tfvars", ".hcl")
_ZIP = b"PK\x03\x04"
_PROMISES = re.compile(r"^promises[ \t]*:", re.MULTILINE)
_OWN_FORM = re.compile(r"^quotaproof[ \t]*:", re.MULTILINE)


@dataclass(frozen=True)
class Unread:
    """A file that was recognised before it was parsed, and why it is left out."""

    name: str
    why: str


def documents(paths: Sequence[str]) -> Iterator[Document | Unread]:
    """Every document in `paths`, each file once, in the order given. Raises InputError."""
    if not paths:
        raise InputError(
            "no file is given",
            where="command line",
            why="There is nothing to read.",
            fix="name a file, a folder, or - for standard input.",
        )
    files: dict[str, str | Unread] = {}
    for path in paths:
        for file in _files(path):
            files.setdefault(_identity(file) if isinstance(file, str) else file.name, file)
    names = Counter(Path(file).name for file in files.values() if isinstance(file, str))
    for file in files.values():
        yield file if isinstance(file, Unread) else _document(file, alone=names[Path(file).name] == 1)


def _files(path: str) -> Sequence[str | Unread]:
    """The files that a path stands for, and those of its folder that are left out unopened."""
    if path == "-":
        return [path]
    if "\0" in path or not path:
        raise InputError(
            f"{shown(path)} is not a path", where="command line", why="No file has such a name.", fix="name a file."
        )
    try:
        if not Path(path).is_dir():
            return [path]
        if Path(path, _CDK_MARK).is_file():
            return _of_cdk(Path(path))
        inside = sorted(p for p in Path(path).iterdir() if p.suffix.lower() in _EXTENSIONS and not p.is_dir())
    except (OSError, RuntimeError) as error:
        raise _unreadable(path, error) from None
    if not inside:
        raise InputError(
            "the folder holds no .json, .yaml, .yml or .template file",
            where=path,
            why="There is nothing to read; folders inside it are not searched.",
            fix="name the folder that holds the create-* requests or describe-* outputs.",
        )
    return [str(p) for p in inside]


def _of_cdk(folder: Path) -> Sequence[str | Unread]:
    """CDK writes one template for each stack, and a folder for each stage of a pipeline."""

    def found(path: Path) -> str | Unread:
        name = f"{folder.resolve().name}/{path.name}"
        if path.is_dir():
            return Unread(f"{name}/", f"a nested assembly is not read; to read it, give {path} as well")
        if path.name.endswith(".template.json"):
            return str(path)
        why = next((why for end, why in _CDK_FILES.items() if path.name.endswith(end)), "CDK's, not configuration")
        return Unread(name, why)

    inside = [p for p in sorted(folder.iterdir()) if p.name.startswith("assembly-") or not p.is_dir()]
    return [found(p) for p in inside]


def _identity(file: str) -> str:
    if file == "-":
        return file
    try:
        return str(Path(file).resolve())
    except (OSError, RuntimeError) as error:
        raise _unreadable(file, error) from None


def _document(file: str, *, alone: bool) -> Document | Unread:
    """`alone`: no other file has the same base name; else the folder is part of the name."""
    path = Path(file)
    name = file if file == "-" else path.name if alone else str(Path(path.absolute().parent.name, path.name))
    text = _text(file, name)
    if not text.strip():
        raise InputError(
            "the file is empty",
            where=name,
            why="The command that should have written it may have failed.",
            fix="write the file again, or leave it out.",
        )
    suffix = Path(file).suffix.lower()
    if suffix in _TERRAFORM:
        return Unread(name, TERRAFORM_SOURCE)
    if suffix == ".json" or (suffix not in _YAML and text.lstrip()[0] in "{["):
        return replace(json_text.parse(name, text), path=file)
    if _PROMISES.search(text) and not _OWN_FORM.search(text):
        return Unread(name, "promises are not judged yet")
    document = replace(yaml_text.parse(name, text), path=file)
    if document.value is None:
        raise InputError(
            "the file is empty apart from comments",
            where=name,
            why="It holds no configuration.",
            fix="write the form as in examples/own-form, or leave the file out.",
        )
    return document


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
