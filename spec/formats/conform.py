"""Whether a value is what a fragment of a JSON Schema says, with the mistake in plain words where it is not.

Only the few keywords that our own forms use: type, enum, minimum, maximum, minLength, maxLength, minProperties, items,
additionalProperties, propertyNames. `accepts` answers yes or no, fast; `Conform` finds the words. Trusted: that the two
agree, which is tested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .document import Document, Pointer
from .errors import InputError, nearest, shown

_KINDS: Mapping[str, tuple[type, str]] = {
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}


@dataclass(frozen=True)
class Conform:
    """Checks parts of a document in the form `form`, a topic of `quotaproof explain`."""

    form: str

    def wrong(self, document: Document, at: Pointer, what: str, fix: str) -> InputError:
        """The error for the part at a pointer."""
        return document.error(at, what, why=f"`quotaproof explain {self.form}` shows the form.", fix=fix)

    def typed(self, document: Document, at: Pointer, value: Any, kind: type, words: str) -> Any:
        """The value, if it is of a type. Raises InputError."""
        if type(value) is not kind:
            raise self.wrong(document, at, f"{shown(value)} is not {words}", f"write {words}.")
        return value

    def keys(
        self, document: Document, at: Pointer, value: Any, known: Collection[str], needed: Iterable[str] = ()
    ) -> None:
        """Raise InputError unless the value is an object with the needed keys and none that is not known."""
        self.typed(document, at, value, dict, "an object")
        for key in value:
            if key not in known:
                near = nearest(key, known)
                fix = f"did you mean {near}?" if near else "use " + ", ".join(sorted(known)) + "."
                raise self.wrong(document, (*at, key), f"{shown(key)} is not known here", fix)
        for key in needed:
            if key not in value:
                raise self.wrong(document, at, f"{key} is missing", f"add {key}.")

    def value(self, document: Document, at: Pointer, value: Any, form: Mapping[str, Any]) -> Any:
        """`value` if it is what the fragment says. Raises InputError."""
        if "enum" in form:
            if value not in form["enum"] or isinstance(value, bool):
                near = nearest(value, form["enum"]) if isinstance(value, str) else ""
                fix = f"did you mean {near}?" if near else "use one of " + ", ".join(map(str, form["enum"])) + "."
                raise self.wrong(document, at, f"{shown(value)} is not known here", fix)
            return value
        self.typed(document, at, value, *_KINDS[form["type"]])
        if form["type"] == "integer" and not form.get("minimum", value) <= value <= form.get("maximum", value):
            fix = f"use {form['minimum']} to {form['maximum']}."
            raise self.wrong(document, at, f"{shown(value)} is out of range", fix)
        if len(value) < form.get("minLength", form.get("minProperties", 0)) if hasattr(value, "__len__") else False:
            raise self.wrong(document, at, "it is empty", "name at least one.")
        if isinstance(value, str) and len(value) > form.get("maxLength", len(value)):
            fix = f"use {form['maxLength']} letters at most."
            raise self.wrong(document, at, f"it is {len(value):,} letters long", fix)
        for key, part in value.items() if isinstance(value, dict) else ():
            if "propertyNames" in form:
                self.value(document, (*at, key), key, form["propertyNames"])
            self.value(document, (*at, key), part, form["additionalProperties"])
        for i, part in enumerate(value) if isinstance(value, list) else ():
            self.value(document, (*at, i), part, form["items"])
        return value


def accepts(form: Mapping[str, Any]) -> Callable[[Any], bool]:
    """A function that says whether a value is what the fragment says."""
    if "enum" in form:
        words = frozenset(form["enum"])
        return lambda value: type(value) is str and value in words
    kind, _ = _KINDS[form["type"]]
    if kind is int:
        low, high = form["minimum"], form["maximum"]
        return lambda value: type(value) is int and low <= value <= high
    if kind is str:
        least, most = form.get("minLength", 0), form.get("maxLength", math.inf)
        return lambda value: type(value) is str and least <= len(value) <= most
    if kind is dict:
        least, part = form.get("minProperties", 0), accepts(form["additionalProperties"])
        named = accepts(form["propertyNames"]) if "propertyNames" in form else None
        return lambda value: (
            type(value) is dict
            and len(value) >= least
            and all(map(part, value.values()))
            and (named is None or all(map(named, value)))
        )
    if kind is list:
        part = accepts(form["items"])
        return lambda value: type(value) is list and all(map(part, value))
    return lambda value: type(value) is bool
