"""YAML text to a value: plain mappings, lists and scalars, walked event by event, never built by PyYAML.

Refused, with line: anchors and aliases (a few lines of them expand without end), explicit tags, keys given twice,
several documents, nesting without end. In a CloudFormation template the short tags of its intrinsic functions become
their long form: `!Ref A` is {Ref: A}, `!GetAtt A.B` is {"Fn::GetAtt": [A, B]}. Plain scalars mean what they mean in
YAML 1.2: only true and false are booleans, so a share may be called `no` or `on`. 010 stays text, since readers
disagree whether it is 10 or 8. Trusted: PyYAML's scanner.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .document import Comment, Document, as_field, as_text
from .errors import InputError, escaped, shown
from .kinds import TEMPLATE_KEYS

_MOST_CHARACTERS = 1 << 20
_MOST_LEVELS = 50
_MOST_DIGITS = 30
_NO_BREAKS: dict[int, str] = dict.fromkeys((0x85, 0x2028, 0x2029), "\ufffd")
_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_WHOLE = re.compile(r"[-+]?[0-9]+")
_LEADING_ZERO = re.compile(r"[-+]?0[0-9]+")
_FRACTION = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_A_NUMBER = re.compile(r"[-+]?\.(inf|Inf|INF|nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_FUNCTIONS = (
    "And Base64 Cidr Contains EachMemberEquals EachMemberIn Equals FindInMap GetAtt GetAZs GetStackOutput If ImportValue "
    "Join Length Not Or RefAll Select Split Sub ToJsonString Transform ValueOf ValueOfAll"
)
_SHORT_TAGS = {f"!{name}": f"Fn::{name}" for name in _FUNCTIONS.split()} | {"!Ref": "Ref", "!Condition": "Condition"}
"""CloudFormation's, with the function that each stands for."""


Span = tuple[tuple[int, int], tuple[int, int]]
"""Line and column, from 0, of the beginning and of what comes after the end."""


@dataclass
class _Builder:
    """The open collections while events come in; `close` and `add` keep them in step with `pointer`."""

    name: str
    open: list[dict[str, Any] | list[Any]] = field(default_factory=list)
    key: list[str | None] = field(default_factory=list)
    pointer: list[str | int] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)
    top: Any = None
    documents: int = 0
    texts: list[Span] = field(default_factory=list)
    """Where quoted and block texts stand: a # in them is no comment."""
    functions: set[int] = field(default_factory=set)
    """Depths at which the open mapping stands for a short tag: it ends with the one value in it."""
    tagged: InputError | None = None
    """What is wrong with the first short tag if the document is no CloudFormation template."""

    def refuse(self, what: str, line: int, why: str, fix: str) -> InputError:
        known = as_field(self.pointer)
        where = f"{self.name}:{line}" + (f", {known}" if known else "")
        return InputError(what, where=where, why=why, fix=fix)

    def wants_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1], dict) and self.key[-1] is None

    def add_key(self, key: str, line: int) -> None:
        self.pointer.append(key)
        text = as_text(self.pointer)
        if key in self.open[-1]:
            why = f"It stands on line {self.lines[text]} already; readers disagree on which of the two counts."
            raise self.refuse(f"{shown(key)} is given twice", line, why, "delete one of the two.")
        self.key[-1] = key
        self.lines[text] = line

    def add(self, value: Any, line: int) -> None:
        """Put a value where it belongs and step into it; `leave` steps out again."""
        if not self.open:
            self.top = value
        elif isinstance(inside := self.open[-1], dict):
            inside[self.key[-1] or ""] = value
        else:
            self.pointer.append(len(inside))
            inside.append(value)
        self.lines.setdefault(as_text(self.pointer), line)

    def leave(self) -> None:
        if self.open:
            self.key[-1] = None
            self.pointer.pop()
        if len(self.open) in self.functions:
            self.functions.remove(len(self.open))
            self.close()

    def call(self, function: str, line: int) -> None:
        """Open {function: ...} for the node that comes next."""
        self.enter({}, line)
        self.functions.add(len(self.open))
        self.add_key(function, line)

    def enter(self, value: dict[str, Any] | list[Any], line: int) -> None:
        self.add(value, line)
        if len(self.open) >= _MOST_LEVELS:
            raise _too_deep(f"{self.name}:{line}")
        self.open.append(value)
        self.key.append(None)

    def close(self) -> None:
        self.open.pop()
        self.key.pop()
        self.leave()


def parse(name: str, text: str) -> Document:
    """The document in `text`; an empty one has the value None. Raises InputError."""
    builder = _Builder(name)
    if len(text) > _MOST_CHARACTERS:
        raise builder.refuse(
            f"the YAML file has {len(text):,} characters",
            1,
            f"More than {_MOST_CHARACTERS:,} are not read.",
            "split the file, or give AWS's JSON.",
        )
    control = _CONTROL.search(text)
    if control:
        raise builder.refuse(
            f"a control character, {control.group().encode('unicode_escape').decode()}",
            text.count("\n", 0, control.start()) + 1,
            "YAML is text, and what a control character does on a screen is not shown.",
            "delete it.",
        )
    # PyYAML ends lines where no editor does, which would move every line after it
    for event in _events(name, text.translate(_NO_BREAKS)):
        _take(event, builder)
    if builder.tagged and not (isinstance(builder.top, dict) and TEMPLATE_KEYS & builder.top.keys()):
        raise builder.tagged
    lines, texts = builder.lines, builder.texts
    return Document(name, builder.top, lambda: lines, find_comments=lambda: _comments(text, texts))


def _comments(text: str, texts: Sequence[Span]) -> Iterator[Comment]:
    """What follows a # that stands at the beginning of a word and not within a quoted or block text."""
    lines = re.split("\r\n|\r|\n", text)
    starts = [start for start, _ in texts]
    for number, line in enumerate(lines):
        for found in _COMMENT.finditer(line):
            place = (number, found.end() - 1)
            before = bisect_right(starts, place) - 1
            if before < 0 or place >= texts[before][1]:
                yield Comment(number + 1, line[found.end() :], _last(lines, number, alone=not line[: place[1]].strip()))
                break


def _last(lines: Sequence[str], number: int, *, alone: bool) -> tuple[int, int]:
    """The first and last line (from 1) of what a comment is about: the rest of its line or what follows it, with all
    lines that are indented further."""
    first = number
    while alone and first < len(lines) and lines[first].strip()[:1] in ("", "#"):
        first += 1
    if first == len(lines):
        return number + 1, number + 1
    indent = len(lines[first]) - len(lines[first].lstrip())
    last = after = first + 1
    while after < len(lines):
        line = lines[after]
        if line.strip() and not line.lstrip().startswith("#"):
            if len(line) - len(line.lstrip()) <= indent:
                break
            last = after + 1
        after += 1
    return first + 1, last


def _events(name: str, text: str) -> Iterator[Any]:
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "it cannot be read"
        if "nesting" in str(problem):  # libyaml looks ahead for the end of a key, beyond what has been built
            raise _too_deep(f"{name}:{mark.line + 1}" if mark else name) from None
        lines = text.splitlines()
        if mark and mark.line < len(lines) and "\t" in lines[mark.line][: mark.column + 1]:
            problem = "a tab stands in the indentation"
        raise InputError(
            f"not valid YAML: {escaped(str(problem))}" + (f" in column {mark.column + 1}" if mark else ""),
            where=f"{name}:{mark.line + 1}" if mark else name,
            why="The rest of the file cannot be read.",
            fix="correct the syntax there; indent with spaces, and quote text that holds : or #.",
        ) from None
    except (ValueError, OverflowError, RecursionError):
        # PyYAML's scanner lets these out for numbers in escapes and directives that it cannot convert.
        raise InputError(
            "not valid YAML: an escape or directive has a number out of range",
            where=name,
            why="The rest of the file cannot be read.",
            fix="correct the escape or directive.",
        ) from None


def _too_deep(where: str) -> InputError:
    return InputError(
        "brackets are nested too deeply",
        where=where,
        why="No queue configuration is more than ten levels deep.",
        fix="write the form as in examples/own-form.",
    )


def _take(event: Any, builder: _Builder) -> None:
    from yaml import events

    line = event.start_mark.line + 1 if event.start_mark else 1
    if isinstance(event, events.DocumentStartEvent):
        builder.documents += 1
        if builder.documents > 1:
            why = "Only the first would count, and the others would be lost without a word."
            raise builder.refuse("a second document begins here", line, why, "make one file of each document.")
    elif isinstance(event, events.NodeEvent):
        function = _function(event, line, builder)
        if isinstance(event, events.ScalarEvent) and event.style:
            start, end = ((mark.line, mark.column) for mark in (event.start_mark, event.end_mark))
            builder.texts.append(((start[0] + 1, 0) if event.style in "|>" else start, end))
        if builder.wants_key():
            if not isinstance(event, events.ScalarEvent):
                why = "A key is text here, such as a field or an instance type."
                raise builder.refuse("a list or mapping is used as a key", line, why, "write key: value.")
            builder.add_key(event.value, line)
            return
        if function:
            builder.call(function, line)
        if isinstance(event, events.ScalarEvent):
            value = event.value.split(".", 1) if function == "Fn::GetAtt" else _scalar(event, line, builder)
            builder.add(value, line)
            builder.leave()
        else:
            builder.enter({} if isinstance(event, events.MappingStartEvent) else [], line)
    elif isinstance(event, events.CollectionEndEvent):
        builder.close()


def _function(event: Any, line: int, builder: _Builder) -> str:
    """What a node's short tag stands for, '' without a tag; anchors and other tags are refused."""
    tag = getattr(event, "tag", None)
    if event.anchor is not None:
        why = "Anchors and aliases are refused: a few lines of them can expand without end."
        raise builder.refuse(f"an anchor or alias ({shown(event.anchor)})", line, why, "write the values out.")
    if tag is None:
        return ""
    why = "Tags are refused: they can make a reader build any object."
    refusal = builder.refuse(f"a tag ({shown(tag)})", line, why, "delete the tag; text may be quoted instead.")
    if tag not in _SHORT_TAGS or builder.wants_key():
        raise refusal
    builder.tagged = builder.tagged or refusal
    return _SHORT_TAGS[tag]


def _scalar(event: Any, line: int, builder: _Builder) -> Any:
    value: str = event.value
    if not event.implicit[0]:
        return value
    if value in _WORDS:
        return _WORDS[value]
    if len(value) > _MOST_DIGITS and (_WHOLE.fullmatch(value) or _FRACTION.fullmatch(value)):
        why = "No cluster has so many instances."
        raise builder.refuse(f"a number of {len(value)} characters", line, why, "write the number that was meant.")
    if _LEADING_ZERO.fullmatch(value):
        return value
    if _WHOLE.fullmatch(value):
        return int(value)
    if _FRACTION.fullmatch(value):
        return float(value)
    if _NOT_A_NUMBER.fullmatch(value):
        why = "No capacity is without end."
        fix = "write a whole number; for a borrow limit without maximum leave borrowLimit out or write -1."
        raise builder.refuse(f"{value} is not a number", line, why, fix)
    return value
