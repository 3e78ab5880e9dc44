"""`quotaproof explain`: a rule, a guarantee, an open question, a finding or a file form, in a few lines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer

from .output import Unusable, show


def explain(
    topic: Annotated[
        list[str] | None, typer.Argument(metavar="[TOPIC]", help="G14, A16, QP101, rule 22, readings, queue, ...")
    ] = None,
    experiment: Annotated[
        bool, typer.Option("--experiment", help="For an open question: jobs whose outcome settles it.")
    ] = False,
    versus: Annotated[
        str, typer.Option("--vs", metavar="CHOICE", help="With --experiment: tell only this choice from the default.")
    ] = "",
    schema: Annotated[
        bool, typer.Option("--schema", help="For a file form: its JSON Schema, and nothing else.")
    ] = False,
    out: Annotated[
        str,
        typer.Option(
            "--out", metavar="FILE", help="With --experiment: also a scenario for each choice, FILE-CHOICE.json."
        ),
    ] = "",
) -> None:
    """Say what a code means: guarantees, open questions, findings, AWS's rules, file forms.

    Exit code: 0 told, 2 there is no such topic.
    """
    from .topics import forms, overview
    from .topics import schema as schema_of

    if schema:
        name = " ".join(topic or []).lower()
        if experiment or versus or out or name not in forms():
            raise Unusable(f"--schema: name one file form beside it: {', '.join(forms())}")
        show(schema_of(name))
        return
    if experiment:
        from .experiment import settle

        settle(topic or [], versus, out)
        return
    if versus or out:
        raise Unusable("--vs and --out belong to --experiment")

    show(told(topic) if topic else overview())


class NoTopic(Unusable):
    """There is nothing to explain under a name. `near`: topics that are called nearly so."""

    def __init__(self, name: str, near: Sequence[str]) -> None:
        self.what = f"there is nothing to explain under {name!r}"
        self.near = near
        hint = f"; did you mean {', '.join(near)}?" if near else "."
        super().__init__(f"{self.what}{hint} `quotaproof explain` lists all topics")


def told(topic: Sequence[str]) -> str:
    """What there is to say of one topic of several words, or of several of one word. Raises NoTopic."""
    from difflib import get_close_matches

    from .topics import known

    topics = known()
    topic = re.sub(r"(?i)\brule\s+(?=\d)", "rule", " ".join(topic)).split() or topic
    names = {name.lower(): name for name in topics}
    found = _named(" ".join(topic), names)
    every = [found] if found else [_named(word, names) for word in topic]
    for word, name in zip([" ".join(topic)] if found else topic, every, strict=True):
        if name is None:
            raise NoTopic(word, [names[n] for n in get_close_matches(word.lower(), names, 3, 0.5)])
    return "\n".join(topics[name]() for name in every if name)


def _named(text: str, names: Mapping[str, str]) -> str | None:
    """The topic called `text`, in any case; "22" and "rule22" are rule 22."""
    wanted = " ".join(text.split()).lower()
    return names.get(wanted) or names.get(f"rule {wanted.removeprefix('rule').strip()}")
