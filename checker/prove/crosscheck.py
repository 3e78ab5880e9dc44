"""`--cross-check`: every answer of Z3 is looked at a second time.

cvc5 decides the same question from its SMT-LIB text, and the state that Z3 gives for a satisfiable one is evaluated in
plain Python, which knows nothing of the translation into terms. Two answers that contradict each other are a failure of
ours and raise `Disagreement`; one that cvc5 does not reach is not agreement, and the question counts as undecided.
Trusted: that two solvers do not make the same mistake. A wrong translation is seen in satisfiable questions only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, Protocol, TypeAlias

from ...spec.expr.nodes import Bool
from ...spec.expr.python import evaluate
from ...spec.expr.walk import variables
from ...spec.formats.errors import InputError

RLIMIT = 2_000_000
"""cvc5's deterministic resource units for one question; the hardest of ours takes a hundredth of it."""

_WHY = {"RESOURCEOUT": "its budget is used up", "TIMEOUT": "the time of --timeout is used up"}
"""cvc5's words for an answer it does not reach."""

Word: TypeAlias = Literal["sat", "unsat", "unknown"]
State: TypeAlias = Mapping[str, int | bool]


@dataclass(frozen=True)
class Reply:
    """What a second solver says of a question. `reason` says why an answer is unknown."""

    word: Word
    reason: str = ""


class Second(Protocol):
    """A solver other than Z3."""

    @property
    def name(self) -> str:
        """Its name and version."""
        ...

    def check(self, text: str, seconds: float | None) -> Reply:
        """Decide an SMT-LIB script with one check-sat, in at most `seconds`."""
        ...


class Disagreement(Exception):
    """Two answers to one question contradict each other; the message is all that is needed to ask it again."""

    def __init__(self, code: str, name: str, said: str, text: str) -> None:
        super().__init__(f"{code}: {name}\n{said}\nThe question as SMT-LIB:\n{text}")


class Cvc5:
    """cvc5, one new solver for each question. Raises InputError where the package is not installed."""

    def __init__(self, *, rlimit: int = RLIMIT) -> None:
        try:
            self._cvc5: Any = import_module("cvc5")
        except ImportError as error:
            raise InputError(
                "the second solver cannot be loaded: the Python package cvc5 is missing or broken",
                where="--cross-check",
                why="It decides again what Z3 decided; it is an extra that quotaproof does not need otherwise.",
                fix="install quotaproof with the extra crosscheck, or pip install cvc5.",
            ) from error
        self._rlimit = rlimit

    @property
    def name(self) -> str:
        return f"cvc5 {self._cvc5.__version__}"

    def check(self, text: str, seconds: float | None) -> Reply:
        solver = self._cvc5.Solver(self._cvc5.TermManager())
        solver.setOption("rlimit-per", str(self._rlimit))
        if seconds is not None:
            solver.setOption("tlimit-per", str(math.ceil(seconds * 1000)))
        parser = self._cvc5.InputParser(solver)
        parser.setStringInput(self._cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
        symbols = parser.getSymbolManager()
        command = parser.nextCommand()
        while command.getCommandName() != "check-sat":
            command.invoke(solver, symbols)
            command = parser.nextCommand()
        result = solver.checkSat()
        if result.isUnknown():
            why: str = result.getUnknownExplanation().name
            return Reply("unknown", _WHY.get(why, why.lower().replace("_", " ")))
        return Reply("sat" if result.isSat() else "unsat")


class CrossCheck:
    """Compares answers, and counts."""

    def __init__(self, second: Second) -> None:
        self._second = second
        self.asked = 0
        self.agreed = 0

    def doubt(
        self,
        about: tuple[str, str],
        parts: Sequence[Bool],
        text: str,
        model: State | None,
        seconds: float | None,
    ) -> str:
        """Why the second solver does not confirm Z3's answer; '' when it does.

        `about` is the code and name of the condition, `text` the question, `parts` what it says, `model` the state that
        Z3 found (None: unsat), `seconds` the time that is left. Raises Disagreement.
        """
        self.asked += 1
        first: Word = "unsat" if model is None else "sat"
        if model is not None:
            _evaluated(about, parts, text, model)
        if seconds is not None and seconds <= 0:
            return f"{self._second.name} did not confirm it: {_WHY['TIMEOUT']}"
        reply = self._second.check(text, seconds)
        if reply.word == "unknown":
            return f"{self._second.name} did not confirm it: {reply.reason}"
        if reply.word != first:
            raise Disagreement(*about, f"Z3 says {first}, {self._second.name} says {reply.word}.", text)
        self.agreed += 1
        return ""

    @property
    def about(self) -> dict[str, str]:
        """What was found, for reports: `undecided` is there only when some question is."""
        if self.agreed == self.asked:
            return {"cross_check": f"{self._second.name} agrees with all {self.asked} answers of Z3"}
        left = self.asked - self.agreed
        said = f"{self._second.name} agrees with {self.agreed} of {self.asked} answers of Z3; {left} undecided"
        return {"cross_check": said, "undecided": str(left)}


def _evaluated(about: tuple[str, str], parts: Sequence[Bool], text: str, model: State) -> None:
    """Raise Disagreement unless every part is true in the state; what Z3 left open may be anything, and is 0."""
    state = {name: model.get(name, 0) for name in variables(*parts)}
    for part in parts:
        if not evaluate(part, state):
            values = "".join(f"; {name} = {state[name]}\n" for name in sorted(state))
            said = f"Z3 says sat, but in its state this is false, evaluated in Python: {part!r}"
            raise Disagreement(*about, said, f"{text}; Z3's state\n{values}")
