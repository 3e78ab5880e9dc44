"""A model written in Promela, for SPIN: one process, one loop, every transition one indivisible step.

A `d_step` is one transition of SPIN, what it reads and writes in between is `hidden` and no part of a state, and the
process stands at the head of its loop before and after: SPIN stores exactly the states of the model, the first one
included, and counts exactly its transitions. Updates are computed before any is written. Trusted: nothing of the search;
the explorer and SPIN share the model and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from ...spec.expr.nodes import Bool, Node, any_of
from ...spec.expr.promela import promela
from .model import Model, Transition, Variable

_TYPES = ((1, "bit"), (255, "byte"), (32_767, "short"))


@dataclass(frozen=True)
class Waits:
    """What a fair run without end must not do: from some state on `waits` holds, and no step of `served` is made."""

    waits: Bool
    served: Collection[str]
    """Names of transitions."""


@dataclass(frozen=True)
class Export:
    """A model and how its parts are called in Promela."""

    model: Model
    names: Mapping[str, str]
    write: Callable[[Node, Mapping[str, str]], str] = promela

    @classmethod
    def of(cls, model: Model) -> Export:
        return cls(model, {v.name: f"v{n}" for n, v in enumerate(model.variables)})

    def text(self, *, never: Bool | None = None) -> str:
        """The model; each state in which `never` holds violates an assertion in a transition of its own."""
        steps = [self.step(t) for t in self.model.transitions]
        if never is not None:
            steps.append(f":: d_step {{ {self._expression(never)} -> assert(false) }}")
        return self._program([], steps)

    def starvation(self, goal: Waits) -> str:
        """The model with a never claim that a run accepts which is weakly fair to every group and in which a job waits.

        The run may also stand still for ever: that nobody has to make a step does not make it unfair.
        """
        groups = {g: n for n, g in enumerate(sorted({t.fair for t in self.model.transitions if t.fair}), 1)}
        served = len(groups) + 1
        last = {t.name: served if t.name in goal.served else groups.get(t.fair, 0) for t in self.model.transitions}
        steps = [self.step(t, f"last = {last[t.name]}; ") for t in self.model.transitions]
        steps.append(":: d_step { true -> last = 0 }")
        waits = f"({self._expression(goal.waits)} && last != {served})"
        claim = ["never {", "guess:", "  if", "  :: true -> goto guess", f"  :: {waits} -> goto stay0", "  fi;"]
        for group, n in groups.items():
            can = any_of(*[t.guard for t in self.model.transitions if t.fair == group])
            fair = f"(last == {n} || !{self._expression(can)})"
            claim += [f"stay{n - 1}:", "  if", f"  :: {waits} && {fair} -> goto stay{n}",
                      f"  :: {waits} -> goto stay{n - 1}", "  fi;"]  # fmt: skip
        claim += [f"stay{len(groups)}:", "accept_all:", "  if", f"  :: {waits} -> goto stay0", "  fi", "}"]
        return self._program(["byte last;"], steps) + "\n".join(claim) + "\n"

    def step(self, t: Transition, note: str = "") -> str:
        """One transition as an option of the loop."""
        compute = "".join(f"t{n} = {self._expression(value)}; " for n, value in enumerate(t.updates.values()))
        high = {v.name: v.high for v in self.model.variables}
        within = "".join(f"assert(t{n} >= 0 && t{n} <= {high[name]}); " for n, name in enumerate(t.updates))
        write = "".join(f"{self.names[name]} = t{n}; " for n, name in enumerate(t.updates))
        return (
            f":: d_step {{ {self._expression(t.guard)} -> {compute}{within}{write}{note}skip }} /* {_plain(t.name)} */"
        )

    def _program(self, more: list[str], steps: list[str]) -> str:
        most = max((len(t.updates) for t in self.model.transitions), default=0)
        return "\n".join(
            [
                f"/* {_plain(self.model.name)} */",
                *[_declared(v, self.names[v.name]) for v in self.model.variables],
                *[f"hidden int t{n};" for n in range(most)],
                *more,
                "active proctype model() {",
                "  do",
                *[f"  {step}" for step in steps],
                "  od",
                "}",
                "",
            ]
        )

    def _expression(self, node: Node) -> str:
        return self.write(node, self.names)


def _declared(v: Variable, name: str) -> str:
    kind = next((kind for high, kind in _TYPES if v.high <= high), "int")
    return f"{kind} {name} = {v.start}; /* {_plain(v.name)}: 0..{v.high} */"


def _plain(text: str) -> str:
    """Text that ends no comment."""
    return text.replace("*/", "* /")
