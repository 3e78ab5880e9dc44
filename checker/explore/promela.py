"""A model written in Promela, for SPIN: one process, one loop, every transition one indivisible step.

After each step the guards are worked out, once each, into bits of the state: a function of the other variables, they make
no new states, and what they share is computed once. What is read and written in between is `hidden` and no part of a
state; the process stands at the head of its loop before and after a step. So SPIN stores exactly the states of the model,
the first one included, and counts exactly its transitions. Updates are computed before any is written. Trusted: nothing
of the search; the explorer and SPIN share the model and no more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ...spec.expr.nodes import Bool, Node
from ...spec.expr.promela import promela
from ...spec.expr.python import evaluate
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
    """A model and how its variables are called in Promela."""

    model: Model
    names: Mapping[str, str]

    @classmethod
    def of(cls, model: Model) -> Export:
        return cls(model, {v.name: f"v{n}" for n, v in enumerate(model.variables)})

    def text(self, *, never: Bool | None = None) -> str:
        """The model; each state in which `never` holds violates an assertion in a step of its own."""
        steps = [self.step(t) for t in self.model.transitions]
        asked = [*self.guards(), *([never] if never is not None else [])]
        return self._program(asked, [*steps, "assert(false);"][: len(asked)])

    def starvation(self, goal: Waits) -> str:
        """The model with a never claim that a run accepts which is weakly fair to every group and in which a job waits.

        The run may also stand still for ever: that nobody has to make a step does not make it unfair.
        """
        steps = self.model.transitions
        groups = {g: n for n, g in enumerate(sorted({t.fair for t in steps if t.fair}), 1)}
        served = len(groups) + 1
        last = [served if t.name in goal.served else groups.get(t.fair, 0) for t in steps]
        made = [f"{self.step(t)} last = {group};" for t, group in zip(steps, last, strict=True)]
        waits = f"(g{len(steps)} && last != {served})"
        claim = ["never {", "guess:", "  if", "  :: true -> goto guess", f"  :: {waits} -> goto stay0", "  fi;"]
        for group, n in groups.items():
            can = " || ".join(f"g{at}" for at, t in enumerate(steps) if t.fair == group)
            claim += [f"stay{n - 1}:", "  if", f"  :: {waits} && (last == {n} || !({can})) -> goto stay{n}",
                      f"  :: {waits} -> goto stay{n - 1}", "  fi;"]  # fmt: skip
        claim += [f"stay{len(groups)}:", "accept_all:", "  if", f"  :: {waits} -> goto stay0", "  fi", "}"]
        program = self._program([*self.guards(), goal.waits], made, ["byte last;"], still="last = 0")
        return program + "\n".join(claim) + "\n"

    def guards(self) -> list[Bool]:
        """The guard of every transition."""
        return [t.guard for t in self.model.transitions]

    def step(self, t: Transition) -> str:
        """The updates of a transition, every value computed and found within its bounds before any is written."""
        body, values = promela(list(t.updates.values()), self.names)
        high = {v.name: v.high for v in self.model.variables}
        lines = [*body, *(f"u{n} = {value}" for n, value in enumerate(values))]
        lines += [f"assert(u{n} >= 0 && u{n} <= {high[name]})" for n, name in enumerate(t.updates)]
        lines += [f"{self.names[name]} = u{n}" for n, name in enumerate(t.updates)]
        return f"/* {_plain(t.name)} */ " + "".join(f"{line}; " for line in lines)

    def derived(self, asked: Sequence[Node]) -> list[str]:
        """The statements that work out g0, g1, ..."""
        body, values = promela(asked, self.names)
        return [*body, *(f"g{n} = {value}" for n, value in enumerate(values))]

    def _program(self, asked: Sequence[Bool], steps: Sequence[str], more: Sequence[str] = (), still: str = "") -> str:
        start = {v.name: v.start for v in self.model.variables}
        options = [f"    :: g{n} -> d_step {{ {step} skip }}" for n, step in enumerate(steps)]
        options += [f"    :: d_step {{ true -> {still} }}"] if still else []
        derived = self.derived(asked)
        scratch = [*derived, *steps]
        return "\n".join(
            [
                f"/* {_plain(self.model.name)} */",
                *[_declared(v, self.names[v.name]) for v in self.model.variables],
                *[f"bit g{n} = {int(evaluate(formula, start))};" for n, formula in enumerate(asked)],
                *[f"hidden int t{n};" for n in range(_most("t", scratch))],
                *[f"hidden int u{n};" for n in range(_most("u", scratch))],
                *more,
                "active proctype model() {",
                "  do",
                "  :: atomic {",
                "    if",
                *options,
                "    fi;",
                "    d_step {",
                *[f"      {line};" for line in derived],
                "      skip",
                "    }",
                "  }",
                "  od",
                "}",
                "",
            ]
        )


def _most(letter: str, texts: Sequence[str]) -> int:
    """How many numbered variables of a letter these texts assign."""
    return 1 + max((int(n) for text in texts for n in re.findall(rf"\b{letter}(\d+) = ", text)), default=-1)


def _declared(v: Variable, name: str) -> str:
    kind = next((kind for high, kind in _TYPES if v.high <= high), "int")
    return f"{kind} {name} = {v.start}; /* {_plain(v.name)}: 0..{v.high} */"


def _plain(text: str) -> str:
    """Text that ends no comment."""
    return text.replace("*/", "* /")
