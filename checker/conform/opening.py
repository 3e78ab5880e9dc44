"""A backend by its name: `reference`, `cmd:COMMAND` for a program, `module:attribute` for an object in Python.

The attribute is a `Backend`, or what makes one or a `Scheduler` when it is called without arguments; the module is looked
for in the current folder first. Trusted: the module, which is imported.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ...spec.formats.errors import listed, nearest
from .backend import Backend, BackendError
from .guarded import Guarded
from .in_process import RAISED, InProcess, raised
from .process import Process
from .reference import Reference

COMMAND = "cmd:"
REFERENCE = "reference"
SLURM = "slurm"
HTCONDOR = "htcondor"
FORMS = "reference, slurm[:MAPPING], htcondor[:VARIANT], module:attribute or cmd:COMMAND"
_ASKED = ("declare", "run", "close")
_TOLD_STEPS = ("configure", "step")


def opened(text: str, *, keep: bool = False) -> Backend:
    """The backend of that name, not started yet. `keep`: a real scheduler leaves its folder. Raises BackendError."""
    module, colon, attribute = text.partition(":")
    if module == SLURM:
        from .slurm.backend import MAPPINGS, Slurm

        if attribute not in MAPPINGS:
            near = nearest(attribute, MAPPINGS)
            fix = (
                f"did you mean {SLURM}:{near}?"
                if near
                else f"use {SLURM}, or {SLURM}: with {listed(list(MAPPINGS)[1:])}."
            )
            raise BackendError(
                f"Slurm has no mapping {attribute!r}", why="A mapping is one way to tell it a queue.", fix=fix
            )
        if colon and not attribute:
            raise BackendError(f"{text!r} names no mapping", why="A mapping is one way to tell Slurm a queue.",
                               fix=f"use {SLURM}, or {SLURM}: with {listed(list(MAPPINGS)[1:])}.")  # fmt: skip
        return Slurm(attribute, keep=keep)
    if module == HTCONDOR:
        from .htcondor.backend import HTCondor

        return HTCondor(text, keep=keep)
    if keep:
        raise BackendError(
            f"--keep: {text} leaves no folder", why="Only a real scheduler has one.", fix="leave it out."
        )
    if text == REFERENCE:
        return Reference()
    if text.startswith(COMMAND):
        return Process(text.removeprefix(COMMAND))
    if not colon or not attribute or not all(part.isidentifier() for part in module.split(".")):
        raise BackendError(f"{text!r} names no backend", why=f"A backend is {FORMS}.",
                           fix=f"for a program write {COMMAND}{text}")  # fmt: skip
    return _object(module, attribute)


def _object(module: str, attribute: str) -> Backend:
    found: Any = _imported(module, attribute)
    for name in attribute.split("."):
        try:
            has = hasattr(found, name)
        except RAISED as error:
            raise BackendError(f"{module}:{attribute} cannot be had", why=raised(error),
                               fix="name an attribute that can be looked at.") from error  # fmt: skip
        if not has:
            raise BackendError(f"{module} has no {attribute}", why=f"The module was imported from {_place(module)}.",
                               fix="name an attribute of it that is a backend, or makes one.")  # fmt: skip
        found = getattr(found, name)
    if isinstance(found, type) or not _answers(found):
        found = _made(found, f"{module}:{attribute}")
    return found if isinstance(found, InProcess) else Guarded(cast(Backend, found), f"{module}:{attribute}")


def _imported(module: str, attribute: str) -> Any:
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return import_module(module)
    except RAISED as error:
        if isinstance(error, ModuleNotFoundError) and error.name in (module, module.partition(".")[0]):
            raise BackendError(f"there is no module {module}", why=f"It was looked for in {here} and among what is installed.",
                               fix=f"go to the folder of {module}.py, or install it.") from None  # fmt: skip
        raise BackendError(f"{module}:{attribute} cannot be imported", why=f"{type(error).__name__}: {error}",
                           fix=f"`python -c 'import {module}'` shows where.") from error  # fmt: skip


def _made(maker: Any, name: str) -> Any:
    if not callable(maker):
        raise BackendError(f"{name} is no backend", why=f"It has no {', '.join(_ASKED)}.",
                           fix="give it these methods: quotaproof.checker.conform.backend says what they do.")  # fmt: skip
    try:
        made = maker()
    except RAISED as error:
        raise BackendError(f"{name} cannot be made", why=f"{type(error).__name__}: {error}",
                           fix="name something that can be called without arguments.") from error  # fmt: skip
    if all(callable(getattr(made, name, None)) for name in _TOLD_STEPS):
        return InProcess.of(cast(Any, maker))
    if not _answers(made):
        lacks = ", ".join(n for n in _ASKED if not hasattr(made, n))
        raise BackendError(f"what {name} makes is no backend", why=f"It lacks {lacks}.",
                           fix="give it these methods: quotaproof.checker.conform.backend says what they do.")  # fmt: skip
    return made


def _answers(found: Any) -> bool:
    return all(callable(getattr(found, name, None)) for name in _ASKED)


def _place(module: str) -> str:
    return str(getattr(sys.modules[module], "__file__", None) or module)
