"""Which resource a Terraform expression refers to, followed through a plan's `configuration`.

The configuration lists the references of an expression, not the expression: `var.x` leads up to the call of the module,
`module.m.out` down to the output, `each.value` to what for_each runs over. `local.x` is not in Terraform's JSON and
leads nowhere. Each reference is followed once per module instance, so cycles end. Trusted: nothing; whatever is not of
the expected form counts as not there, and the caller then says that the link cannot be followed.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from .document import Pointer

_INDEX = r'\[(?:\d+|"(?:[^"\\]|\\.)*")\]'
_STEP = re.compile(rf"module\.([^.\[\]\s]+)({_INDEX})?(?:\.|$)")
_RESOURCE = re.compile(rf"((?:data\.)?[^\W\d][\w-]*)\.([^.\[\]\s]+)({_INDEX})?(?:\.|\[|$)")
_NAMED = re.compile(r"(var|local|each|count|self|path|terraform)\.([^.\[\]\s]+)")

Steps = tuple[tuple[str, str], ...]
"""A module instance: from the root, each module's name and instance key as it is written, `["a"]`, `[0]` or ''."""


def steps_of(address: str) -> Steps:
    """The module instance in which the resource or module at `address` is."""
    steps: list[tuple[str, str]] = []
    at = 0
    while step := _STEP.match(address, at):
        steps.append((step.group(1), step.group(2) or ""))
        at = step.end()
    return tuple(steps)


def key_of(address: str) -> tuple[Steps, str, str, str]:
    """Module instance, type, name and instance key of a resource's address. The type of data is data.TYPE."""
    steps = steps_of(address)
    at = 0
    while step := _STEP.match(address, at):
        at = step.end()
    found = _RESOURCE.match(address, at)
    return (steps, found.group(1), found.group(2), found.group(3) or "") if found else (steps, "", "", "")


def name_from(address: str) -> str:
    """A name made from a resource's address: its modules, its name in Terraform, its key."""
    steps, _, name, key = key_of(address)
    parts = [part for step in (*steps, (name, key)) for part in step]
    return "-".join(p for part in parts if (p := re.sub(r"[^a-zA-Z0-9_]+", "-", part).strip("-")))[:100] or "unnamed"


@dataclass(frozen=True)
class Found:
    """What an expression leads to, each once, in the order in which it was met."""

    targets: dict[str, None] = field(default_factory=dict)
    """Addresses of resources of the type that was asked for."""
    locals: dict[str, None] = field(default_factory=dict)
    """References to local values, which cannot be followed."""
    others: dict[str, None] = field(default_factory=dict)
    """References to something else that only the run of Terraform knows."""


@dataclass(frozen=True)
class _Node:
    steps: Steps
    expression: Any
    each: Any
    """What for_each runs over where the expression stands."""


class Links:
    """References of one plan. `types` has the type of each planned address, `known` are addresses of data already read."""

    def __init__(self, configuration: Any, types: Mapping[str, str], known: Iterable[str]) -> None:
        self._root = _get(configuration, "root_module")
        self._instances: dict[tuple[Steps, str, str], dict[str, str]] = {}
        self._modules: dict[tuple[Steps, str], dict[str, None]] = {}
        self._known = {key_of(address)[:3] for address in known}
        self._blocks: dict[Steps, dict[tuple[str, str], tuple[dict[str, Any], Pointer]]] = {}
        for address, planned in types.items():
            steps, type_, name, key = key_of(address)
            if type_ == planned:
                self._instances.setdefault((steps, type_, name), {})[key] = address
            for end, (module, instance) in enumerate(steps):
                self._modules.setdefault((steps[:end], module), {})[instance] = None

    def place(self, address: str, attribute: str) -> Pointer:
        """Where the expression of an attribute stands in the document."""
        steps, type_, name, _ = key_of(address)
        return (*self._block(steps, type_, name)[1], "expressions", attribute)

    def follow(self, address: str, attribute: str, wanted: str) -> Found:
        """What the expression of an attribute of the resource at `address` leads to."""
        steps, type_, name, _ = key_of(address)
        block, _ = self._block(steps, type_, name)
        found = Found()
        seen: set[tuple[Steps, str]] = set()
        nodes = deque([_Node(steps, _get(block, "expressions").get(attribute), block.get("for_each_expression"))])
        while nodes:
            node = nodes.popleft()
            for head in heads(_references(node.expression)):
                if (node.steps, head) not in seen:
                    seen.add((node.steps, head))
                    nodes.extend(self._next(node, head, wanted, found))
        return found

    def _next(self, node: _Node, head: str, wanted: str, found: Found) -> Iterator[_Node]:
        step = _STEP.match(head)
        named = _NAMED.match(head)
        if step:
            yield from self._outputs(node.steps, step.group(1), step.group(2) or "", head[step.end() :])
        elif named and named.group(1) == "var":
            yield from self._call(node.steps, named.group(2))
        elif named and named.group(1) == "each":
            if named.group(2) == "value":
                yield _Node(node.steps, node.each, None)
        elif named and named.group(1) == "local":
            found.locals[f"local.{named.group(2)}"] = None
        elif not named:
            self._resource(node.steps, head, wanted, found)

    def _resource(self, steps: Steps, head: str, wanted: str, found: Found) -> None:
        match = _RESOURCE.match(head)
        if match and match.group(1) == wanted:
            instances = self._instances.get((steps, wanted, match.group(2)), {})
            key = match.group(3) or ""
            found.targets.update(dict.fromkeys(a for k, a in instances.items() if key in ("", k)))
        elif match is None or (steps, match.group(1), match.group(2)) not in self._known:
            found.others[head] = None

    def _outputs(self, steps: Steps, module: str, key: str, rest: str) -> Iterator[_Node]:
        names = list(self._modules.get((steps, module), {})) or [key]
        output = re.split(r"[.\[]", rest, maxsplit=1)[0]
        for name in [key] if key else names:
            below = (*steps, (module, name))
            block, _ = self._module(below)
            yield _Node(below, _get(_get(block, "outputs"), output).get("expression"), None)

    def _call(self, steps: Steps, variable: str) -> Iterator[_Node]:
        if steps:
            above, _ = self._module(steps[:-1])
            call = _get(_get(above, "module_calls"), steps[-1][0])
            yield _Node(steps[:-1], _get(call, "expressions").get(variable), call.get("for_each_expression"))

    def _module(self, steps: Steps) -> tuple[dict[str, Any], Pointer]:
        at: dict[str, Any] = self._root
        pointer: Pointer = ("configuration", "root_module")
        for name, _ in steps:
            at = _get(_get(_get(at, "module_calls"), name), "module")
            pointer = (*pointer, "module_calls", name, "module")
        return at, pointer

    def _block(self, steps: Steps, type_: str, name: str) -> tuple[dict[str, Any], Pointer]:
        """The configuration of a resource and where it stands; {} when it is not there."""
        if steps not in self._blocks:
            module, pointer = self._module(steps)
            resources = module.get("resources")
            self._blocks[steps] = {
                (str(block.get("type")), str(block.get("name"))): (block, (*pointer, "resources", index))
                for index, block in enumerate(resources if isinstance(resources, list) else [])
                if isinstance(block, dict) and block.get("mode") != "data"
            }
        return self._blocks[steps].get((type_, name), ({}, ("configuration",)))


def heads(references: Iterable[str]) -> Iterator[str]:
    """The references without the shortened ones that Terraform lists after each: a.b.c, then a.b."""
    before = ""
    for reference in references:
        if not (len(reference) < len(before) and before.startswith(reference)):
            yield reference
        before = reference


def _references(expression: Any) -> Iterator[str]:
    """Every reference in an expression, those in nested blocks included."""
    parts = [expression]
    while parts:
        part = parts.pop()
        if isinstance(part, list):
            parts.extend(reversed(part))
        elif isinstance(part, dict):
            references = part.get("references")
            if isinstance(references, list):
                yield from (r for r in references if isinstance(r, str))
            parts.extend(value for key, value in part.items() if key not in ("references", "constant_value"))


def _get(value: Any, key: str) -> dict[str, Any]:
    part = value.get(key) if isinstance(value, dict) else None
    return part if isinstance(part, dict) else {}
