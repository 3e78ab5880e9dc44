"""A program that is started, spoken to in lines, and ended with everything that it started.

One thread serves its three streams, so that neither side can block the other: input is written as it is read, its standard
error is drained into a bounded tail, and of its output no more is kept than one answer may have. It runs in a session of
its own; programs that it started and that left that session are found by a mark in their environment, which they inherit,
on systems that have /proc. A guard, which is a shell that waits for the end of its input, ends its group when this process
is gone without a word, as by SIGKILL. Trusted: nothing that it does.
"""

from __future__ import annotations

import os
import select
import selectors
import shlex
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO
from uuid import uuid4

from .failures import ClosedInput, ClosedOutput, DidNotStart, Exited, Failure, Hangs, TooMuchOutput

_MARK = "QUOTAPROOF_BACKEND"
_CHUNK = 1 << 18
_TAIL = 8192
"""Bytes of its standard error that are kept."""
_LOOK = 0.25
"""Seconds of silence after which it is asked whether it reads at all: one that does not is not waited for long."""
_KILLED = 1.0
"""Seconds for what is killed to be gone."""
_ROUNDS = 20
"""A program that is killed while it starts another needs a second look."""
_GUARD = 'read -r group && { read -r _; kill -s KILL -- "-$group"; }'


class Child:
    """One run of a program. Raises DidNotStart when it cannot be started."""

    def __init__(self, command: Sequence[str], limit: int, to_end: float) -> None:
        self._limit, self._to_end = limit, to_end
        self._mark = uuid4().hex
        self._unsent, self._read, self._scanned = bytearray(), bytearray(), 0
        self._log = b""
        self._eof = self._deaf = self._gone = False
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            bufsize=0, start_new_session=True,
        )  # fmt: skip
        try:
            self._popen = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                start_new_session=True, env={**os.environ, _MARK: self._mark},
            )  # fmt: skip
            assert self._guard.stdin is not None
            self._guard.stdin.write(b"%d\n" % self._popen.pid)
        except (OSError, ValueError) as error:
            self._dismiss()
            why = (getattr(error, "strerror", None) or str(error)).lower()
            raise DidNotStart(f"{shlex.join(command)} cannot be started: {why}") from None
        self._streams = ExitStack()
        self._selector = self._streams.enter_context(selectors.DefaultSelector())
        self._serve(self._popen.stdout, selectors.EVENT_READ, self._take_output)
        self._serve(self._popen.stderr, selectors.EVENT_READ, self._take_log)
        self._stdin = self._serve(self._popen.stdin, 0, self._give_input)
        ended = _handle(self._popen.pid)
        if ended is not None:
            self._streams.callback(os.close, ended)
            self._selector.register(ended, selectors.EVENT_READ, self._note_end)

    def _serve(self, stream: IO[bytes] | None, events: int, handle: Callable[[int], None]) -> int:
        assert stream is not None
        self._streams.enter_context(stream)
        os.set_blocking(stream.fileno(), False)
        if events:
            self._selector.register(stream.fileno(), events, handle)
        return stream.fileno()

    @property
    def log(self) -> str:
        """The end of what it wrote to its standard error."""
        return self._log.decode(errors="replace")

    def send(self, data: bytes) -> None:
        """Give it a message, as soon as it reads."""
        if self._deaf:
            return
        if not self._unsent:
            self._selector.register(self._stdin, selectors.EVENT_WRITE, self._give_input)
        self._unsent += data
        self._give_input(self._stdin)

    def line(self, seconds: float) -> bytes:
        """Its next line of output, without the end. Raises a Failure."""
        until = time.monotonic() + seconds
        while True:
            cut = self._read.find(b"\n", self._scanned)
            size = len(self._read) if cut < 0 else cut
            if size > self._limit:
                raise TooMuchOutput(f"it wrote more than {_size(self._limit)} as one answer")
            if cut >= 0:
                line = bytes(self._read[:cut])
                del self._read[: cut + 1]
                self._scanned = 0
                return line
            self._scanned = len(self._read)
            if self._eof:
                raise self._ended()
            left = until - time.monotonic()
            if left <= 0:
                raise self._silent(seconds)
            if not self._step(min(left, _LOOK)) and (self._deaf or self._nobody_reads()):
                self._deaf, until = True, min(until, time.monotonic() + self._to_end)

    def _step(self, seconds: float) -> bool:
        """Wait for something to happen, and serve it; whether anything did. Its end counts when all its output has been
        read."""
        ready = self._selector.select(0 if self._gone else seconds)
        before = len(self._read)
        for key, _ in ready:
            key.data(key.fd)
        if self._gone and len(self._read) == before:
            self._eof = True
        return bool(ready)

    def _take_output(self, stream: int) -> None:
        data = self._data(stream)
        if data is not None:
            self._read += data
            self._eof = self._eof or not data

    def _take_log(self, stream: int) -> None:
        self._log = (self._log + (self._data(stream) or b""))[-_TAIL:]

    def _data(self, stream: int) -> bytes | None:
        """What there is to read; nothing at its end, None where it only is not there yet."""
        try:
            data = os.read(stream, _CHUNK)
        except BlockingIOError:
            return None
        if not data:
            self._selector.unregister(stream)
        return data

    def _give_input(self, stream: int) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(stream, self._unsent)]
        except BlockingIOError:
            return
        except OSError:
            self._deaf = True
        with suppress(KeyError):
            self._selector.unregister(stream)

    def _note_end(self, ended: int) -> None:
        self._gone = True
        self._selector.unregister(ended)

    def _ended(self) -> Failure:
        """Why there is no more output."""
        until = time.monotonic() + self._to_end
        while not self._has_exited() and (left := until - time.monotonic()) > 0:
            self._step(min(left, 0.05))
        if not self._has_exited():
            return ClosedOutput("it closed its standard output and goes on running")
        self.kill()
        middle = (
            f" in the middle of an answer ({_size(len(self._read))} of it)" if self._read else " before it answered"
        )
        code = self._popen.returncode
        how = f"was ended by {_signal(-code)}" if code < 0 else f"exited with status {code}"
        return Exited(f"it {how}{middle}")

    def _has_exited(self) -> bool:
        """Whether it has ended; it is not waited for, so that its number stays its own."""
        if self._gone or not hasattr(os, "waitid"):
            return self._gone or self._popen.poll() is not None
        return os.waitid(os.P_PID, self._popen.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    def _silent(self, seconds: float) -> Failure:
        if self._deaf or self._nobody_reads():
            return ClosedInput("it closed its standard input before it had read everything, and did not answer")
        unread = f"; {_size(len(self._unsent))} of its input are unread" if self._unsent else ""
        return Hangs(f"it did not answer within {seconds:g} s{unread}")

    def _nobody_reads(self) -> bool:
        poll = select.poll()
        poll.register(self._stdin, 0)
        return any(events & select.POLLERR for _, events in poll.poll(0))

    def stop(self, message: bytes) -> None:
        """Ask it to end, wait a moment for that, and end what is left."""
        self.send(message)
        until = time.monotonic() + self._to_end
        while not self._has_exited() and (left := until - time.monotonic()) > 0:
            self._read.clear()
            if not self._unsent and self._stdin >= 0:
                self._close_input()
            self._step(left)
        self.kill()

    def _close_input(self) -> None:
        assert self._popen.stdin is not None
        self._popen.stdin.close()
        self._stdin, self._deaf = -1, True

    def kill(self) -> None:
        """End it with everything that it started."""
        if self._popen.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
        self._dismiss()
        self._popen.wait()
        for _ in range(_ROUNDS):
            if not sum(_end(pid, self._mark) for pid in _marked(self._mark)):
                break
        self._streams.close()

    def _dismiss(self) -> None:
        """The guard goes before the program's number may come to mean another one."""
        with self._guard:
            self._guard.kill()


def _marked(mark: str) -> list[int]:
    """Processes that carry the mark in their environment."""
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*") if _carries(int(folder.name), mark)]


def _carries(pid: int, mark: str) -> bool:
    try:
        return f"{_MARK}={mark}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _end(pid: int, mark: str) -> bool:
    """Kill a process that carries the mark, and wait until it is gone; whether it was there."""
    held = _handle(pid)
    try:
        if not _carries(pid, mark):
            return False
        if held is None:
            os.kill(pid, signal.SIGKILL)
            return True
        signal.pidfd_send_signal(held, signal.SIGKILL)
        with selectors.DefaultSelector() as selector:
            selector.register(held, selectors.EVENT_READ)
            selector.select(_KILLED)
    except ProcessLookupError:
        return False
    finally:
        if held is not None:
            os.close(held)
    return True


def _handle(pid: int) -> int | None:
    """A handle on a process, whose number cannot come to mean another one; None where the system has none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _size(count: int) -> str:
    return f"{count} bytes" if count < 1 << 20 else f"{count >> 20} MiB"


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
