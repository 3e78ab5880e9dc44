"""The actions as a reader sees them: name, who acts, sentence, and every clause of the guard with its sentence.

Made from `actions` by building each on a view of named shares; nothing is written twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..expr.nodes import Bool, all_of
from ..expr.walk import topological
from . import actions
from .actions import Step
from .view import Named, View


@dataclass(frozen=True)
class Action:
    """One action of the model."""

    name: str
    who: str
    build: Callable[[View], Step]
    sentence: str

    @property
    def clauses(self) -> dict[str, str]:
        """Code -> the sentence for a state in which the clause is false, with its fields in braces."""
        view = Named(("SHARE", "OTHER"), ("UNIT",))
        return dict(_clauses(self.build(view).guard))


def _clauses(guard: Bool) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for node in topological(guard):
        if node.op == "clause" and not node.args[0].startswith("settled."):
            words = {"left": "{left}", "right": "{right}", **dict(node.args[3])}
            found.setdefault(node.args[0], node.args[2].format(**words))
    return list(found.items())


def _doc(function: Callable[..., object]) -> str:
    return re.sub(r"\s+", " ", (function.__doc__ or "").strip())


def _with_pairs(view: View) -> Step:
    step = actions.dispatch(view, "SHARE")
    return Step(all_of(step.guard, actions.holds(view, "SHARE"), actions.yields(view, "SHARE", "OTHER")), step.effect)


ACTIONS: tuple[Action, ...] = (
    Action("submit", "user", lambda v: actions.submit(v, "SHARE"), _doc(actions.submit)),
    Action("dispatch", "scheduler", _with_pairs, _doc(actions.dispatch)),
    Action("preempt, cross-share", "scheduler", lambda v: actions.preempt_cross(v, "SHARE", "OTHER"),
           _doc(actions.preempt_cross)),
    Action("preempt, in-share", "scheduler", lambda v: actions.preempt_in_share(v, "SHARE"), _doc(actions.preempt_in_share)),
    Action("claim", "scheduler", lambda v: actions.claim(v, "SHARE"), _doc(actions.claim)),
    Action("release", "scheduler", lambda v: actions.release(v, "SHARE"), _doc(actions.release)),
    Action("stop", "platform", lambda v: actions.stop(v, "SHARE"), _doc(actions.stop)),
    Action("finish", "user or platform", lambda v: actions.finish(v, "SHARE"), _doc(actions.finish)),
    Action("return", "platform", lambda v: actions.back_to_runnable(v, "SHARE"), _doc(actions.back_to_runnable)),
    Action("cancel", "user", actions.cancel, _doc(actions.cancel)),
)  # fmt: skip
