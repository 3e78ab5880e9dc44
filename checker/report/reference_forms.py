"""JSON Schemas as tables for readers: a row for each field, a section for each part that has a name.

Trusted: that a schema uses the few words of JSON Schema that ours do; an unknown shape is called "anything".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Node = Mapping[str, Any]


@dataclass(frozen=True)
class _Row:
    """One field: where it stands, whether it must be there, what it is, and what it means."""

    path: str
    required: bool
    kind: str
    meaning: str


def cell(text: str) -> str:
    """Text as a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


def tables(schema: Node) -> Iterator[str]:
    """A form: its own fields or alternatives, then every named part of it that has fields."""
    form = _Form(schema)
    yield from form.section("", schema, 2)
    for name, node in form.parts.items():
        yield from [f"## {name}", ""]
        yield from form.section(name, node, 3)


class _Form:
    """One schema, and its named parts that have fields of their own."""

    def __init__(self, schema: Node) -> None:
        self._defs: Node = schema.get("$defs", {})
        self.parts = {name: node for name, node in self._defs.items() if "properties" in node or _alternatives(node)}

    def section(self, name: str, node: Node, depth: int) -> Iterator[str]:
        """What a part is, its fields, and the alternatives in it."""
        if name and node.get("description"):
            yield from [_sentence(node["description"]), ""]
        rows = [*self._rows("", node)]
        if rows:
            yield from ["| field | must be there | what | meaning |", "|---|---|---|---|"]
            for row in rows:
                must = "required" if row.required else ""
                yield f"| `{row.path}` | {must} | {row.kind} | {cell(row.meaning)} |"
            yield ""
        for path, others in self._choices("", node):
            if path:
                yield from [f"{'#' * depth} {name + ': ' if name else ''}{path}", "", "One of these.", ""]
            for other in others:
                if "$ref" in other:
                    yield from [f"- {self.kind(other)}", ""]
                    continue
                title = f"`{_key(other)}`: " if _key(other) else ""
                yield from [f"{title}{_sentence(other.get('description', ''))}".strip(), ""]
                yield from self.section("", {**other, "description": ""}, depth + 1)

    def _rows(self, path: str, node: Node) -> Iterator[_Row]:
        required = node.get("required", ())
        for name, field in node.get("properties", {}).items():
            here = f"{path}{name}"
            inner = self._inside(field)
            meaning = field.get("description") or self._resolved(field).get("description", "")
            if "default" in field:
                meaning = f"{meaning} If absent: `{_json(field['default'])}`."
            yield _Row(here, name in required, self.kind(field), meaning.strip())
            if inner is not None and "$ref" not in field:
                suffix = "[]" if field.get("type") == "array" else ""
                yield from self._rows(f"{here}{suffix}.", inner)

    def _choices(self, path: str, node: Node) -> Iterator[tuple[str, list[Node]]]:
        """The alternatives of a part, and those in its fields: where they stand, and each."""
        found = _alternatives(node)
        if found:
            yield path, found
        for name, field in node.get("properties", {}).items():
            if "$ref" not in field:
                items = field.get("items", {}) if field.get("type") == "array" else field
                if "$ref" not in items:
                    yield from self._choices(f"{path}{'.' if path else ''}{name}", items)

    def _inside(self, field: Node) -> Node | None:
        """The object that a field is, or each item of it, where it has fields."""
        node = field.get("items", {}) if field.get("type") == "array" else field
        return node if "properties" in node and "$ref" not in node else None

    def _resolved(self, node: Node) -> Node:
        return self._defs[node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node

    def kind(self, node: Node) -> str:
        """What a value is, in a few words."""
        if "$ref" in node:
            name = node["$ref"].rsplit("/", 1)[1]
            return f"[{name}](#{name.lower()})" if name in self.parts else self.kind(self._resolved(node))
        if "const" in node:
            return f"`{_json(node['const'])}`"
        if "enum" in node:
            return ", ".join(f"`{_json(value)}`" for value in node["enum"])
        for key in ("oneOf", "anyOf"):
            if key in node and "properties" not in node:
                return " or ".join(dict.fromkeys(self.kind(other) for other in node[key]))
        kinds = node.get("type", "")
        if isinstance(kinds, list):
            return " or ".join(self.kind({**node, "type": kind}) for kind in kinds)
        return self._typed(kinds, node)

    def _typed(self, kind: str, node: Node) -> str:
        match kind:
            case "array":
                return f"list of {self.kind(node['items'])}" if "items" in node else "list"
            case "object" if isinstance(node.get("additionalProperties"), Mapping):
                return f"name -> {self.kind(node['additionalProperties'])}"
            case "integer" | "number":
                return f"{kind}{_range(node)}"
            case "":
                return "anything"
            case _:
                return kind


def _alternatives(node: Node) -> list[Node]:
    """The alternatives of a node that are objects or named parts."""
    found = [other for key in ("oneOf", "anyOf") for other in node.get(key, ())]
    return [other for other in found if other.get("properties") or "$ref" in other]


def _key(node: Node) -> str:
    """By what an alternative is recognised: its constant field, or its first required one."""
    fields: Node = node.get("properties", {})
    for name, field in fields.items():
        if "const" in field and name in ("cmd", "kind", "type"):
            return f"{name}: {field['const']}"
    return next((name for name in node.get("required", ()) if name not in ("at", "id")), "")


def _range(node: Node) -> str:
    low, high = node.get("minimum"), node.get("maximum")
    if low is None and high is None:
        return ""
    return f", {low} or more" if high in (None, 1_000_000_000) else f", {low} to {high}"


def _json(value: object) -> str:
    import json

    return value if isinstance(value, str) else json.dumps(value)


def _sentence(text: str) -> str:
    return " ".join(text.split())
