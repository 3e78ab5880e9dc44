"""The reference for readers, made from the code and from nothing else: commands, codes, forms, Python, extras.

`python -m quotaproof.checker.report.reference docs/reference` writes its pages; with `--check` it only compares, and fails
on a difference. The specification is a document of its own (`specification.py`).
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import metadata, requires
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...spec import schemas
from ...spec.readings import READINGS, Reading
from ...spec.rules.guarantees import GUARANTEES
from ...spec.rules.sources import RULES, certainty
from ..explore.starts import OUTSIDE, STARTS
from ..findings.catalogue import DESCRIBED
from . import reference_python
from .reference_forms import cell, tables

MADE = "Generated from the code by `python -m quotaproof.checker.report.reference docs/reference`; do not edit."
_EXTRAS: Mapping[str, str] = {
    "aws": "`pull`: reading a live queue with boto3",
    "serve": "`play`: the local page",
    "scale": "`--executor dask:...`, `--database redis://...`, Parquet",
    "plot": "`simulate --plot`",
    "crosscheck": "`verify --cross-check`: a second solver",
    "hooks": "the pre-commit hook",
    "cdk": "tests with templates that the real CDK makes",
    "browser": "tests of the pages in a real browser",
    "fuzz": "fuzzing of everything that reads files",
    "dev": "all that the default tests need",
}
"""What each extra is for; a test compares it with the package's own list."""
_ALWAYS = {
    2: "the input or the command cannot be used; the message says why and what to do",
    70: "quotaproof itself failed; the message names the report to send",
    130: "interrupted",
}
_EXIT = re.compile(r"Exit code: (.*)\.", re.DOTALL)
_FORM = ".schema.json"


def pages() -> dict[str, str]:
    """Every page of the reference by its name in docs/reference."""
    made = {
        "commands.md": _commands(),
        "codes.md": _codes(),
        "python.md": reference_python.page(MADE),
        "extras.md": _extras(),
        "forms/index.md": _forms(),
        **{f"forms/{name}.md": _form(name, schema) for name, schema in _schemas().items()},
    }
    return {name: "\n".join(lines).rstrip("\n") + "\n" for name, lines in made.items()}


def _commands() -> Iterator[str]:
    from ..cli.app import GROUPS, command

    program = command()
    yield from ["# Commands", "", MADE, ""]
    yield from ["Every command has these exit codes beside its own, and `-h` or `--help`.", ""]
    yield from ["| exit code | when |", "|--:|---|", *(f"| {code} | {when} |" for code, when in _ALWAYS.items()), ""]
    for title, names in GROUPS.items():
        yield from [f"## {title}", ""]
        for name in names:
            yield from _command(name, program.commands[name])


def _command(name: str, command: Any) -> Iterator[str]:
    yield from [f"### quotaproof {name}", ""]
    text = " ".join((command.help or "").split())
    codes = _EXIT.search(text)
    told = text[: codes.start()].strip() if codes else text
    if told:
        yield from [told, ""]
    params = [p for p in command.params if not getattr(p, "hidden", False) and p.name != "help"]
    shown = [_argument(p) for p in params if p.param_type_name == "argument"]
    yield from [f"`quotaproof {' '.join([name, *shown])} [OPTIONS]`", ""]
    yield from ["| argument or option | meaning | |", "|---|---|---|"]
    for param in params:
        label = _argument(param) if param.param_type_name == "argument" else ", ".join(param.opts)
        value = "" if param.param_type_name == "argument" or param.is_flag else f" {param.metavar or 'VALUE'}"
        more = "repeatable" if getattr(param, "multiple", False) else _default(param)
        yield f"| `{cell(label + value)}` | {cell(param.help or '')} | {more} |"
    yield ""
    if codes:
        yield from ["| exit code | when |", "|--:|---|"]
        for part in re.split(r",\s+(?=\d+ )", codes[1]):
            code, when = part.split(" ", 1)
            yield f"| {code} | {cell(when)} |"
        yield ""


def _argument(param: Any) -> str:
    name = (param.metavar or param.name.upper()).strip("[]")
    return name if param.required else f"[{name}]"


def _default(param: Any) -> str:
    given = param.default
    known = (
        given is not None
        and not callable(given)
        and given not in (False, "", ())
        and param.param_type_name != "argument"
    )
    return f"default `{given}`" if known and type(given).__name__ in ("str", "int", "float", "PosixPath") else ""


def _codes() -> Iterator[str]:
    yield from ["# Codes", "", MADE, ""]
    yield from ["What `quotaproof explain CODE` prints. The mathematics, every guard and every quantity stand in the "
                "[specification](spec.md).", ""]  # fmt: skip
    yield from ["[Guarantees](#guarantees), [open questions](#open-questions), [AWS's rules](#awss-rules), "
                "[findings](#findings)", ""]  # fmt: skip
    yield from ["## Guarantees", ""]
    for g in GUARANTEES.values():
        yield from [f"### {g.code}", "", f"**{g.name}**. {g.sentence}", ""]
        rests = f"; readings {', '.join(_link(code) for code in g.readings)}" if g.readings else ""
        yield from [f"{g.kind}, for every {g.over}. Source: {_linked(g.source)}{rests}.", ""]
    yield from ["## Open questions", ""]
    yield from ["What AWS's documents do not say. A choice is made with `--assume CODE=CHOICE`.", ""]
    for r in READINGS.values():
        yield from _reading(r)
    yield from ["## AWS's rules", ""]
    yield from ["What AWS says or shows, in our words. documented: AWS says it. implied: it follows, at least in part, from "
                "what AWS says or shows. open: AWS leaves a part of it open.", ""]  # fmt: skip
    for number, sentence in RULES.items():
        yield from [f"### rule {number}", "", sentence, "", f"Certainty: {certainty(number)}.", ""]
    yield from ["## Findings", ""]
    yield from [
        "What `verify` and `plan` say of a configuration beside the guarantees; `examples/findings` has one of each.",
        "",
    ]
    for c in DESCRIBED.values():
        yield from [f"### {c.code}", "", f"**{c.title}** ({c.severity}). {c.explanation}", ""]


def _reading(r: Reading) -> Iterator[str]:
    yield from [f"### {r.code}", "", r.question, ""]
    for choice, meaning in r.choices.items():
        yield f"- `{choice}`{' (default)' if choice == r.default else ''}{'' if choice == meaning else f': {meaning}'}"
    if r.choices:
        yield ""
    yield from [f"Why: {r.favoured}", ""]
    if not r.modelled:
        yield from ["No choice: it does not change what the model does.", ""]
    elif r.code in OUTSIDE:
        yield from [OUTSIDE[r.code], ""]
    elif r.code in STARTS:
        yield from [f"`quotaproof explain {r.code} --experiment` prints a few cheap jobs that settle it.", ""]


def _link(code: str) -> str:
    return f"[{code}](#{code.lower()})"


def _linked(source: str) -> str:
    """A source with a link for every rule and reading that it names."""
    text = re.sub(r"\bA\d+b?\b", lambda m: _link(m[0]) if m[0] in READINGS else m[0], source)
    return re.sub(r"\brule (\d+)\b", lambda m: f"[rule {m[1]}](#rule-{m[1]})", text)


def _schemas() -> dict[str, Any]:
    found = sorted((p for p in files(schemas).iterdir() if p.name.endswith(_FORM)), key=lambda p: p.name)
    return {p.name.removesuffix(_FORM): json.loads(p.read_text(encoding="utf-8")) for p in found}


def _forms() -> Iterator[str]:
    yield from ["# File forms", "", MADE, ""]
    yield from ["| form | what it is |", "|---|---|"]
    for name, schema in _schemas().items():
        yield f"| [{name}]({name}.md) | {cell(schema.get('description', schema.get('title', '')))} |"
    yield from ["", "`quotaproof explain FORM --schema` prints the JSON Schema."]


def _form(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield from [f"# The form `{name}`", "", MADE, ""]
    yield from [" ".join(schema.get("description", schema.get("title", "")).split()), ""]
    yield from tables(schema)


def _extras() -> Iterator[str]:
    yield from ["# Extras", "", MADE, ""]
    yield from [
        "`python -m pip install '.[NAME]'` adds what a part needs; without it that part says so, and exits with 2.",
        "",
    ]
    yield from ["| extra | for | packages |", "|---|---|---|"]
    needed = [text.split(";") for text in requires("quotaproof") or ()]
    for extra in metadata("quotaproof").get_all("Provides-Extra") or ():
        packages = [name.strip() for name, *marks in needed if any(f'"{extra}"' in mark for mark in marks)]
        yield f"| `{extra}` | {_EXTRAS[extra]} | {', '.join(f'`{p}`' for p in packages)} |"


def main(arguments: Sequence[str]) -> int:
    """Write the pages into the folder that is named, or compare them with it."""
    folder = Path(next(a for a in arguments if not a.startswith("-")))
    different = list[str]()
    for name, text in pages().items():
        path = folder / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        different.append(str(path))
        if "--check" not in arguments:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if "--check" not in arguments or not different:
        return 0
    print(f"not what the code says: {', '.join(different)}: {MADE}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
