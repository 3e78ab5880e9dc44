"""The page on what Python tests may import: asserts, strategies, the state machine, what a scheduler is, pytest's options.

Signatures and sentences are read from the objects themselves. Trusted: that public names have docstrings.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any

from .reference_forms import cell


def page(made: str) -> Iterator[str]:
    """The whole page. Imports Hypothesis and the harness."""
    from ...spec import events, observations
    from ..conform import asserting, backend, in_process, plugin
    from ..generate import machine, strategies
    from ..generate.adversaries import ADVERSARIES

    yield from ["# For tests in Python", "", made, ""]
    yield from ["[Test your own scheduler from Python](../how-to/test-from-python.md) shows them at work.", ""]
    yield from ["## Asserts", ""]
    yield from _functions(asserting.assert_conforms, asserting.assert_obeys)
    yield from ["The pytest fixture `quotaproof_judge` is `assert_obeys`.", ""]
    yield from ["## Hypothesis strategies", ""]
    yield from _functions(
        strategies.scenarios, strategies.adversarial_scenarios, strategies.configs, strategies.jobs, strategies.aim
    )
    yield from ["Adversaries: " + ", ".join(f"`{name}`" for name in ADVERSARIES) + ".", ""]
    yield from ["## State machine", ""]
    yield from _class(machine.SchedulerMachine, methods=("make",))
    yield from ["## A scheduler", ""]
    yield from _class(in_process.Scheduler, methods=("configure", "step"))
    yield from _class(in_process.Lending, methods=("lender",))
    yield from _class(backend.Declaration)
    yield from [
        "### Steps that it is given",
        "",
        "From `quotaproof.spec.events`:",
        "",
        "| name | meaning |",
        "|---|---|",
    ]
    yield from _members(events)
    yield from [
        "",
        "### Observations that it may report",
        "",
        "From `quotaproof.spec.observations`:",
        "",
        "| | |",
        "|---|---|",
    ]
    yield from _members(observations)
    yield from ["", "## Options of pytest", "", "| option | meaning |", "|---|---|"]
    recorded = _Options()
    plugin.pytest_addoption(recorded)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    yield from recorded.rows


class _Options:
    """Stands in for pytest's parser: it keeps what options are added."""

    def __init__(self) -> None:
        self.rows: list[str] = []

    def getgroup(self, *_: str) -> _Options:
        return self

    def addoption(self, name: str, *, metavar: str, help: str, **_: Any) -> None:  # noqa: A002
        self.rows.append(f"| `{name} {metavar}` | {cell(help)} |")


def _functions(*given: Any) -> Iterator[str]:
    for function in given:
        yield from [f"### {function.__name__}", ""]
        yield from [
            "```python",
            f"from {function.__module__} import {function.__name__}",
            "",
            _signature(function),
            "```",
            "",
        ]
        yield from [line for paragraph in _paragraphs(function) for line in (paragraph, "")]


def _signature(function: Any) -> str:
    """Name, parameters and result; a line each where it gets long."""
    found = inspect.signature(function)
    params, starred = list[str](), False
    for param in found.parameters.values():
        if param.kind is param.KEYWORD_ONLY and not starred:
            params.append("*")
        starred |= param.kind in (param.KEYWORD_ONLY, param.VAR_POSITIONAL)
        star = "*" if param.kind is param.VAR_POSITIONAL else ""
        kind = "" if param.annotation is param.empty else f": {param.annotation}"
        default = "" if param.default is param.empty else f" = {param.default!r}"
        params.append(f"{star}{param.name}{kind}{default}")
    returns = "" if found.return_annotation is found.empty else f" -> {found.return_annotation}"
    flat = f"{function.__name__}({', '.join(params)}){returns}"
    return (
        flat if len(flat) <= 100 else f"{function.__name__}(\n" + "".join(f"    {p},\n" for p in params) + f"){returns}"
    )


def _class(given: type, methods: tuple[str, ...] = ()) -> Iterator[str]:
    yield from [f"### {given.__name__}", "", f"`from {given.__module__} import {given.__name__}`", ""]
    yield from [line for paragraph in _paragraphs(given) for line in (paragraph, "")]
    rows = [f"| `{cell(name)}` | {cell(text)} |" for name, text in _fields(given)]
    rows += [
        f"| `{cell(_signature(getattr(given, name)))}` | {cell(' '.join(_paragraphs(getattr(given, name))))} |"
        for name in methods
    ]
    if rows:
        yield from ["| name | meaning |", "|---|---|", *rows, ""]


def _fields(given: type) -> Iterator[tuple[str, str]]:
    """Public fields of a class with their defaults and the sentences below them."""
    (body,) = (
        node for node in ast.parse(textwrap.dedent(inspect.getsource(given))).body if isinstance(node, ast.ClassDef)
    )
    following = [*body.body[1:], None]
    for node, after in zip(body.body, following, strict=True):
        if isinstance(node, ast.AnnAssign):
            value = f" = {ast.unparse(node.value)}" if node.value is not None else ""
            told = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            yield f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}{value}", str(told)


def _members(module: Any) -> Iterator[str]:
    for name, member in vars(module).items():
        own = inspect.isclass(member) and member.__module__ == module.__name__ and not name.startswith("_")
        if own and dataclasses.is_dataclass(member):
            fields = ", ".join(f.name for f in dataclasses.fields(member))
            yield f"| `{name}({fields})` | {cell(' '.join(_paragraphs(member)))} |"


def _paragraphs(given: Any) -> Iterator[str]:
    """The docstring, a line for each paragraph."""
    for paragraph in re.split(r"\n\s*\n", inspect.getdoc(given) or ""):
        yield " ".join(paragraph.split())
