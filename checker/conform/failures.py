"""What can go wrong between the harness and a backend, one class for each failure point of their conversation.

Started, greeted, told, answered: each class is one way in which that ends, with its code, what usually causes it and what
to do. A failure is told of the scenario in which it happened and of no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from ...spec.formats.errors import escaped
from ...spec.observations import Observation
from .backend import BackendError, Unable

_LONG, _SHORT = 12, 4
"""Lines of its standard error that are told where it cannot be used, and beside a scenario."""


class Failure(Exception):
    """The conversation with a backend cannot go on."""

    code: ClassVar[str]
    causes: ClassVar[str]
    """What usually lies behind it."""
    hint: ClassVar[str]

    def __init__(self, message: str, *, fix: str = "", log: str = "") -> None:
        super().__init__(message)
        self.message, self.fix, self.log = message, fix, log

    @property
    def why(self) -> str:
        """What happened, with the last lines that the backend wrote to its standard error, in one line."""
        told = " | ".join(self._logged()[-_SHORT:])
        return f"{self.message}; its standard error ends: {told}" if told else self.message

    def unable(self, seen: Sequence[Observation] = ()) -> Unable:
        """The answer for the scenario in which it happened."""
        return Unable(self.why, code=self.code, hint=self.fix or self.hint, seen=seen)

    def unusable(self, command: str) -> BackendError:
        """The error where nothing was run yet."""
        log = self._logged()
        told = ["Its standard error ends:", *(f"  {line}" for line in log)] if log else [self.causes]
        why = "\n".join([*told, f"It was run in {Path.cwd()}, from which a relative path counts."])
        return BackendError(f"cmd:{command}: {self.message}", why=why, fix=self.fix or self.hint)

    def _logged(self) -> list[str]:
        return [escaped(line) for line in self.log.splitlines() if line.strip()][-_LONG:]


class DidNotStart(Failure):
    """There is no such program, or it may not be run."""

    code = "did-not-start"
    causes = "The command is misspelt, not installed, or not executable."
    hint = "run the command by itself: it must wait for a line on its standard input."


class Exited(Failure):
    """It ended before it had answered."""

    code = "exited"
    causes = "It crashed, or it ends after one scenario."
    hint = "it must answer every `run` and read on until `stop` or the end of its input."


class Hangs(Failure):
    """It did not answer in time."""

    code = "hangs"
    causes = "It goes round (stops a job, starts it, stops it), waits for more input, or its output stands in a buffer."
    hint = (
        "count the steps of a settle and answer `errored`, with the trace so far, when there are too many; flush standard "
        "output after every message; if it only is slow, answer `start` with a longer `deadline`."
    )


class Garbage(Failure):
    """A line of its output is not JSON."""

    code = "garbage"
    causes = "A library prints to standard output."
    hint = "standard output is for messages alone; write everything else to standard error."


class TooMuchOutput(Failure):
    """An answer is longer than any trace."""

    code = "too-much-output"
    causes = "It does not end its message with a newline, or it goes round for ever and reports it."
    hint = "one message is one line of JSON."


class InvalidMessage(Failure):
    """A line is JSON and no message."""

    code = "invalid-message"
    causes = "A field is misspelt, missing, or of another type."
    hint = "`quotaproof explain protocol` shows every message; a field that does not apply is left out, it is not null."


class OutOfOrder(Failure):
    """It answered another scenario than the one whose turn it is."""

    code = "out-of-order"
    causes = "It runs several scenarios at once."
    hint = "answer in the order of the runs."


class Late(Failure):
    """It answered a scenario that had its answer."""

    code = "late"
    causes = "It answers twice, or goes on after it has answered."
    hint = "write one answer for each `run`."


class WrongVersion(Failure):
    """It speaks another version of the protocol."""

    code = "wrong-version"
    causes = "It was written for another quotaproof."
    hint = "answer `start` with the version that it names."


class ClosedInput(Failure):
    """It reads no more and has not answered."""

    code = "closed-input"
    causes = "It closed its standard input and goes on running."
    hint = "read standard input until `stop` or its end."


class ClosedOutput(Failure):
    """It can answer no more and goes on running."""

    code = "closed-output"
    causes = "It closed its standard output."
    hint = "keep standard output open until `stop`."


class GivenUp(Failure):
    """It failed so often in a row that it is not started again."""

    code = "given-up"
    causes = "It fails on every scenario."
    hint = "run one scenario by itself, as its failure says."


FAILURES: tuple[type[Failure], ...] = (
    DidNotStart, WrongVersion, Exited, Hangs, Garbage, InvalidMessage, TooMuchOutput, OutOfOrder, Late, ClosedInput,
    ClosedOutput, GivenUp,
)  # fmt: skip
