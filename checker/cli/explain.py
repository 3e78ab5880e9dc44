"""`quotaproof explain`: a rule, a guarantee, an open question, a finding or a file form, in a few lines."""

from __future__ import annotations

from typing import Annotated

import typer

from .output import Unusable, show


def explain(
    topic: Annotated[
        list[str] | None, typer.Argument(metavar="[TOPIC]", help="G14, A16, QP101, rule 22, readings, queue, ...")
    ] = None,
) -> None:
    """Say what a code means: guarantees, open questions, findings, AWS's rules, file forms."""
    from difflib import get_close_matches

    from .topics import known, overview

    if not topic:
        show(overview())
        return
    asked = " ".join(topic)
    topics = known()
    names = {name.lower(): name for name in topics}
    wanted = " ".join(asked.split()).lower()
    name = names.get(wanted) or names.get(f"rule {wanted.removeprefix('rule').strip()}")
    if name is None:
        near = [names[n] for n in get_close_matches(wanted, names, 3, 0.5)]
        hint = f"; did you mean {', '.join(near)}?" if near else "."
        raise Unusable(f"there is nothing to explain under {asked!r}{hint} `quotaproof explain` lists all topics")
    show(topics[name]())
