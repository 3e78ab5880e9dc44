"""CloudFormation's intrinsic functions, as far as a template alone decides them: Ref, Fn::GetAtt and Fn::Sub.

What they give is a sequence of parts: text, links to resources of the template, and pseudo parameters, which only a
deployment knows. Every other function is refused where its value is needed, with a way out. Parameters count with their
defaults, and `Scope.defaults` remembers which did. Trusted: nothing; nesting and length are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .document import Document, Pointer
from .errors import InputError, nearest, shown
from .shapes import wrong_type

_VARIABLE = re.compile(r"\$\{([^{}]*)\}")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_DYNAMIC = "{{resolve:"
_MOST_LEVELS = 20
_LONGEST = 4096
"""Characters of a text: an ARN is shorter, and a few lines of Fn::Sub can expand without end."""
_PSEUDO = tuple(
    f"AWS::{name}"
    for name in ("AccountId", "NotificationARNs", "NoValue", "Partition", "Region", "StackId", "StackName", "URLSuffix")
)
_EVALUATED = ("Ref", "Fn::GetAtt", "Fn::Sub")
_NO_VALUE = {"Ref": "AWS::NoValue"}

DEPLOY = "deploy it and give the output of `aws batch list-quota-shares --job-queue NAME`"
PROCESSED = (
    "give the output of `aws cloudformation get-template --stack-name NAME --template-stage Processed`, where macros "
    "and transforms have done their work."
)


@dataclass(frozen=True)
class Link:
    """A reference to a resource of the template, by its logical id."""

    resource: str


@dataclass(frozen=True)
class Pseudo:
    """A pseudo parameter such as AWS::Region."""

    name: str


Parts = tuple[str | Link | Pseudo, ...]
"""What a function gives; text next to text is one."""


def is_function(key: str) -> bool:
    """Whether a key of a mapping calls an intrinsic function."""
    return key == "Ref" or key.startswith("Fn::")


def is_no_value(value: Any) -> bool:
    """Whether the value says that its property is absent."""
    return value == _NO_VALUE


@dataclass(frozen=True)
class Scope:
    """A template's names. Every `pointer` is that of the property a value is needed for: messages name it."""

    document: Document
    base: Pointer
    """Where the template stands in the document."""
    parameters: Mapping[str, Any]
    resources: Mapping[str, Any]
    attributes: Mapping[str, str]
    """Resource type -> the attribute that is its ARN."""
    defaults: dict[str, str] = field(default_factory=dict)
    """Parameters that were needed."""

    def resolve(self, value: Any, pointer: Pointer, depth: int = 0) -> Any:
        """The value, if it calls no function itself; else Parts. Raises InputError."""
        if isinstance(value, str) and _DYNAMIC in value:
            raise self._unknown(pointer, f"{shown(value)} is a dynamic reference")
        function = next(filter(is_function, value), "") if isinstance(value, dict) else ""
        if not isinstance(value, dict) or not function:
            return value
        argument = value[function]
        if function not in _EVALUATED:
            raise self.unsupported(function, pointer)
        if len(value) > 1:
            raise self._malformed(pointer, f"other keys stand beside {function}", f"leave {function} alone there.")
        if depth > _MOST_LEVELS:
            raise self._malformed(pointer, "functions are nested too deeply", "write the value out.")
        if function == "Ref":
            return self._ref(argument, pointer)
        if function == "Fn::GetAtt":
            return self._attribute(argument, pointer)
        return self._substituted(argument, pointer, depth)

    def unsupported(self, function: str, pointer: Pointer) -> InputError:
        """The error for a function that would have to be evaluated where it stands."""
        if function in _EVALUATED:
            return self._malformed(pointer, f"{function} cannot stand here", "write out what it stands for.")
        macro = function.startswith(("Fn::Transform", "Fn::ForEach"))
        return self.document.error(
            pointer,
            f"{function} is not evaluated",
            why="Shares and numbers could come out of it, and a guess could be wrong.",
            fix=f"write the value out; or {PROCESSED if macro else f'{DEPLOY}.'}",
        )

    def known(self, value: Any, pointer: Pointer) -> Any:
        """The value, resolved to what a template without functions would say. Raises InputError."""
        found = self.resolve(value, pointer)
        if not isinstance(found, tuple):
            return found
        for part in found:
            if isinstance(part, Link):
                raise self._unknown(pointer, f"a link to {part.resource} stands where a plain value is expected")
            if isinstance(part, Pseudo):
                raise self._unknown(pointer, f"the value depends on {part.name}")
        return found[0] if found else ""

    def text(self, value: Any, pointer: Pointer) -> str:
        """A known value as text; CloudFormation takes 123 and true for "123" and "true". Raises InputError."""
        found = self.known(value, pointer)
        if isinstance(found, bool):
            return "true" if found else "false"
        if not isinstance(found, str | int):
            raise wrong_type(self.document, pointer, found, "text")
        return str(found)

    def target(self, value: Any, pointer: Pointer) -> Link | str:
        """What a value that names a resource leads to: a resource of the template, or a name or ARN. Raises InputError.

        An ARN made of pseudo parameters is cut down to its last component, which has to be known.
        """
        found: Any = self.resolve(value, pointer)
        if not isinstance(found, tuple):
            return self.text(found, pointer)
        parts: Parts = found
        links = [part for part in parts if isinstance(part, Link)]
        if links and len(parts) == 1:
            return links[0]
        if links:
            what = f"a link to {links[0].resource} stands inside a text"
            raise self._malformed(pointer, what, "use the link alone; it gives the whole ARN.")
        first, last = (parts[0], parts[-1]) if parts else ("", "")
        if len(parts) > 1 and isinstance(first, str) and first.startswith("arn:"):
            if isinstance(last, str) and "/" in last:
                return last.rsplit("/", 1)[-1]
            last = next(part for part in reversed(parts) if isinstance(part, Pseudo))
            raise self._unknown(pointer, f"the name at the end of the ARN depends on {last.name}")
        return self.text(value, pointer)

    def _ref(self, name: Any, pointer: Pointer) -> Parts:
        if not isinstance(name, str):
            raise self._malformed(pointer, "Ref does not name a parameter or resource", "write a name.")
        if name in _PSEUDO:
            return (Pseudo(name),)
        if name in self.parameters:
            return (self._default(name, pointer),)
        if name in self.resources:
            return (Link(name),)
        raise self._no_such(name, pointer, (*self.resources, *self.parameters, *_PSEUDO))

    def _attribute(self, argument: Any, pointer: Pointer) -> Parts:
        words = argument.split(".", 1) if isinstance(argument, str) else argument
        if not isinstance(words, list) or [type(word) for word in words] != [str, str]:
            fix = "write the resource's logical id and the attribute."
            raise self._malformed(pointer, "Fn::GetAtt does not name a resource and an attribute", fix)
        name, attribute = words
        if name not in self.resources:
            raise self._no_such(name, pointer, self.resources)
        definition = self.resources[name]
        resource_type = definition.get("Type") if isinstance(definition, dict) else None
        arn = self.attributes.get(resource_type, "") if isinstance(resource_type, str) else ""
        if arn and attribute != arn:
            fix = f"did you mean {name}.{arn}?"
            raise self._malformed(pointer, f"{shown(attribute)} is not the ARN of {shown(name)}", fix)
        return (Link(name),)

    def _substituted(self, argument: Any, pointer: Pointer, depth: int) -> Parts:
        text, own = argument if isinstance(argument, list) and len(argument) == 2 else (argument, {})
        if not isinstance(text, str) or not isinstance(own, dict):
            raise self._malformed(pointer, "Fn::Sub does not hold a text", "write the text, or the text and a mapping.")
        known: dict[str, Parts] = {}
        parts: list[str | Link | Pseudo] = []
        end = length = 0
        for match in _VARIABLE.finditer(text):
            name = match[1]
            if name.startswith("!"):
                found: Parts = (f"${{{name[1:]}}}",)
            elif name in known:
                found = known[name]
            else:
                found = known[name] = self._variable(name, own, pointer, depth)
            parts += (text[end : match.start()], *found)
            length += match.start() - end + sum(len(part) if isinstance(part, str) else 1 for part in found) + 1
            if length > _LONGEST:
                break
            end = match.end()
        if length + len(text) - end > _LONGEST:
            what = f"Fn::Sub gives a text of more than {_LONGEST:,} characters"
            raise self._malformed(pointer, what, "write the value that was meant.")
        return _joined([*parts, text[end:]])

    def _variable(self, name: str, own: Mapping[str, Any], pointer: Pointer, depth: int) -> Parts:
        if name in own:
            found = self.resolve(own[name], pointer, depth + 1)
            return found if isinstance(found, tuple) else (self.text(found, pointer),)
        if "." in name:
            return self._attribute(name, pointer)
        return self._ref(name, pointer)

    def _default(self, name: str, pointer: Pointer) -> str:
        """A parameter's default, as the text that CloudFormation makes of it."""
        definition = self.parameters[name]
        sort = definition.get("Type") if isinstance(definition, dict) else None
        if not isinstance(sort, str):
            raise self._malformed((*self.base, "Parameters", name), f"parameter {name} has no Type", "add its Type.")
        if sort.startswith("AWS::SSM::Parameter::Value<"):
            raise self._unknown(pointer, f"parameter {name} is read from SSM's parameter store")
        if "Default" not in definition:
            raise self.document.error(
                pointer,
                f"parameter {name} has no default",
                why="Its value is given when the stack is deployed, so it is not known here.",
                fix=f"add a Default to {name}; or {DEPLOY}.",
            )
        if sort == "CommaDelimitedList" or sort.startswith("List<"):
            raise self._malformed(pointer, f"parameter {name} is a list", "refer to a parameter of one value.")
        default = definition["Default"]
        if isinstance(default, float) and sort == "Number":
            default = repr(default)
        self.defaults[name] = text = self.text(default, (*self.base, "Parameters", name, "Default"))
        if sort == "Number" and not _NUMBER.fullmatch(text):
            where = (*self.base, "Parameters", name, "Default")
            raise wrong_type(self.document, where, text, "a number")
        return text

    def _no_such(self, name: str, pointer: Pointer, names: Iterable[str]) -> InputError:
        close = nearest(name, names)
        fix = f"did you mean {close}?" if close else "write the logical id of a resource, or a parameter's name."
        return self._malformed(pointer, f"there is no {shown(name)} in the template", fix)

    def _malformed(self, pointer: Pointer, what: str, fix: str) -> InputError:
        return self.document.error(pointer, what, why="CloudFormation would refuse the template.", fix=fix)

    def _unknown(self, pointer: Pointer, what: str) -> InputError:
        return self.document.error(
            pointer,
            what,
            why="CloudFormation fills it in at deployment, so it is not known here.",
            fix=f"write the value out; or {DEPLOY}.",
        )


def _joined(parts: Iterable[str | Link | Pseudo]) -> Parts:
    joined: list[str | Link | Pseudo] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return tuple(joined)
