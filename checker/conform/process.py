"""A backend that is another program: `Process("node scheduler.js")`, spoken to as `protocol` says.

Several scenarios are under way at a time, answers come in their order. A failure is the answer of the scenario in which it
happened: the program is ended with all that it started, started again, and given those that follow. After `restarts`
failures in a row it is given up, and so it is after `most` in all where every third answer is one; a program that has hung
`patience` times is given less time. Trusted: nothing that the program does.
"""

from __future__ import annotations

import shlex
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic

from ...spec.formats.scenario import Scenario
from ...spec.model import QueueConfig
from . import protocol
from .backend import Answer, BackendError, Declaration
from .child import Child
from .failures import DidNotStart, Exited, Failure, GivenUp, Hangs, InvalidMessage, Late, OutOfOrder

_PART, _SLOWER, _LEAST = 0.1, 4, 1.0
"""A program that hangs is given this part of its time, so many times as long as its slowest answer, or so many seconds."""
_OFTEN = 3
"""A program that fails once in so many answers is given up in the end."""


@dataclass
class Process:
    """The program that `command` starts, its words divided as a shell divides them; no shell is started."""

    command: str
    deadline: float = 10.0
    """Seconds for one answer, unless it says itself how long one may take."""
    to_start: float = 30.0
    """Seconds to answer `start`."""
    to_end: float = 1.0
    """Seconds to end by itself after `stop`, or once its output is closed."""
    limit: int = 16 << 20
    """Bytes of one answer."""
    at_once: int = 32
    """Scenarios under way."""
    restarts: int = 3
    """Failures in a row after which it is given up."""
    most: int = 20
    """Failures in all after which one that fails so often is given up."""
    patience: int = 3
    """Times that it may hang before it is given less time."""
    _child: Child | None = None
    _declared: Declaration | None = None
    _config: QueueConfig | None = None
    """That the program was told last."""
    _runs: int = 0
    """So many were sent, over all restarts: their ids."""
    _failures: int = 0
    """In a row."""
    _failed: int = 0
    """In all, of so many answers."""
    _answers: int = 0
    _last: str = ""
    _hung: int = 0
    _slowest: float = 0.0
    """Seconds of its slowest answer."""
    _words: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        try:
            self._words = shlex.split(self.command)
        except ValueError as error:
            raise BackendError(f"cmd:{self.command} is no command: {str(error).lower()}",
                               fix="write it as in a shell: cmd:node scheduler.js") from None  # fmt: skip
        if not self._words:
            raise BackendError("cmd: names no command", fix="write one after it: cmd:node scheduler.js")

    def declare(self) -> Declaration:
        """What it says of itself. Raises BackendError."""
        try:
            self._running()
        except Failure as failure:
            self._end()
            raise failure.unusable(self.command) from None
        assert self._declared is not None
        return self._declared

    def run(self, scenarios: Sequence[Scenario]) -> Iterator[Answer]:
        """One answer for each scenario, in their order."""
        waiting, flying = deque(scenarios), deque[Sent]()
        try:
            while waiting or flying:
                try:
                    answer = self._next(waiting, flying)
                    self._failures = 0
                    self._answers += 1
                except Failure as failure:
                    self._end()
                    waiting.extendleft(sent.scenario for sent in reversed(flying))
                    flying.clear()
                    waiting.popleft()
                    if not isinstance(failure, GivenUp):
                        self._failures, self._last = self._failures + 1, failure.message
                        self._failed, self._answers = self._failed + 1, self._answers + 1
                    answer = failure.unable()
                yield answer
        finally:
            if flying:
                self._end()

    def close(self) -> None:
        """End it: `stop`, and then by force."""
        child, self._child = self._child, None
        if child is not None:
            child.stop(protocol.written(protocol.Stop()))

    def _next(self, waiting: deque[Scenario], flying: deque[Sent]) -> Answer:
        """The answer whose turn it is. Raises a Failure."""
        if self._failures > self.restarts:
            raise GivenUp(f"it failed {self._failures} times in a row, the last time: {self._last}")
        if self._failed > self.most and self._failed * _OFTEN >= self._answers:
            raise GivenUp(f"it failed {self._failed} times of {self._answers}, the last time: {self._last}")
        child = self._running()
        if waiting and len(flying) <= self.at_once // 2:
            self._send(child, waiting, flying)
        expected = flying[0].id
        with _logged(child):
            found = protocol.answer(self._timed(child))
            if found.id != expected:
                raise _misplaced(found.id, expected, self._runs)
        flying.popleft()
        return found.answer

    def _timed(self, child: Child) -> bytes:
        """The line of its next answer. Raises a Failure."""
        start = monotonic()
        try:
            line = child.line(self._allowed)
        except Hangs as failure:
            self._hung += 1
            if self._hung > self.patience:
                failure.message += ", a shorter time since it hangs again and again"
            raise
        self._slowest = max(self._slowest, monotonic() - start)
        return line

    @property
    def _allowed(self) -> float:
        """Seconds for the next answer."""
        own = self._declared.deadline if self._declared else None
        whole = self.deadline if own is None else own
        if self._hung < self.patience:
            return whole
        return min(whole, max(_PART * whole, _SLOWER * self._slowest, _LEAST))

    def _send(self, child: Child, waiting: deque[Scenario], flying: deque[Sent]) -> None:
        """Give it as many scenarios as may be under way, in one go."""
        messages: list[bytes] = []
        while waiting and len(flying) < self.at_once:
            scenario = waiting.popleft()
            if scenario.config is not self._config:
                messages.append(protocol.written(protocol.Configure(scenario.config)))
                self._config = scenario.config
            self._runs += 1
            messages.append(protocol.written(protocol.Run(self._runs, scenario.steps)))
            flying.append(Sent(self._runs, scenario))
        child.send(b"".join(messages))

    def _running(self) -> Child:
        """The program, greeted. Raises a Failure."""
        if self._child is not None:
            return self._child
        child = self._child = Child(self._words, self.limit, self.to_end)
        self._config = None
        with _logged(child):
            child.send(protocol.written(protocol.Start()))
            try:
                declared = protocol.greeting(child.line(self.to_start))
            except Exited as failure:
                raise Exited(failure.message, fix=DidNotStart.hint) from None
            if self._declared not in (None, declared):
                raise InvalidMessage("started again, it says something else of itself than before",
                                     fix="answer every `start` alike.")  # fmt: skip
        self._declared = declared
        return child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.kill()


@dataclass(frozen=True)
class Sent:
    """A scenario that the program was given, and under which id."""

    id: int
    scenario: Scenario


@contextmanager
def _logged(child: Child) -> Generator[None]:
    """Failures tell what the program wrote to its standard error."""
    try:
        yield
    except Failure as failure:
        failure.log = child.log
        raise


def _misplaced(found: int, expected: int, last: int) -> Failure:
    turn = f"it answered run {found} when it was the turn of run {expected}"
    if 0 < found < expected:
        return Late(f"{turn}: that run had its answer")
    return OutOfOrder(turn if found <= last and found > 0 else f"{turn}: nobody asked for that run")
