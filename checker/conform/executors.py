"""Who works on a campaign: this process, processes of this machine, or Dask workers; any `concurrent.futures.Executor`.

A result never depends on who made it. Trusted: nothing; a worker that dies is replaced, and told of.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Thread
from typing import Any

from .backend import BackendError, Declaration

PROCESSES = 2
HERE = "local"
FORMS = f"{HERE}, processes:N or dask:ADDRESS"


def usual(declared: Declaration) -> str:
    """Who works where nobody is named: a real scheduler plays several scenarios at once, and one of it is enough."""
    return HERE if declared.lanes else "processes"


class Here(Executor):
    """Works in this process, at once: what is submitted is done when `submit` returns."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # what a worker raises belongs to who asks for the result
            future.set_exception(error)
        return future


@dataclass
class Pool:
    """An executor that can be made anew when its workers have died."""

    make: Callable[[], Executor]
    workers: int
    words: str
    """Who works, for people."""
    here: bool = False
    """Whether it is this process that works."""
    own: bool = True
    """Whether the executor is ours to end."""
    dead: tuple[type[Exception], ...] = (BrokenExecutor,)
    """What a result raises when the worker that was to make it has died."""

    def __post_init__(self) -> None:
        self.executor = self.make()

    def renew(self) -> None:
        """Replace an executor whose workers have died."""
        self.close()
        self.executor = self.make()

    def close(self) -> None:
        if self.own:
            self.executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def workers(text: str) -> Generator[Pool]:
    """The workers that --executor names. Raises BackendError when there are none of that name."""
    kind, _, rest = text.partition(":")
    if kind == "dask" and rest:
        with _dask(rest) as pool:
            yield pool
        return
    if text == HERE:
        pool = Pool(Here, 1, "in this process", here=True)
    elif kind == "processes" and (not rest or (rest.isdecimal() and int(rest))):
        number = int(rest or PROCESSES)
        pool = Pool(lambda: _processes(number), number, f"{number} process{'' if number == 1 else 'es'}")
    else:
        raise BackendError(f"--executor: there is no executor {text!r}", fix=f"Choose {FORMS}.")
    try:
        yield pool
    finally:
        pool.close()


def _processes(number: int) -> Executor:
    """Processes that start from nothing: none inherits locks, threads or open files of this one."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(number, get_context("spawn"), _begin)


def _begin() -> None:
    """A worker begins. Ctrl-C is not for it, and when the process that it works for is gone, so is it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _dask(address: str) -> Generator[Pool]:
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise BackendError(
            "--executor dask: Dask is not installed", fix="Install it with: pip install 'quotaproof[scale]'"
        ) from None
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise BackendError(
            f"--executor dask:{address}: no scheduler answers there",
            why=str(error),
            fix="Name the address that `dask scheduler` prints, such as tcp://127.0.0.1:8786.",
        ) from None
    with client:
        number = len(client.scheduler_info(n_workers=-1)["workers"])
        if not number:
            raise BackendError(f"--executor dask:{address}: the scheduler has no worker",
                               fix=f"Start some: dask worker {address}")  # fmt: skip
        yield Pool(lambda: client.get_executor(), number, f"{number} Dask worker{'' if number == 1 else 's'}", own=False,
                   dead=(BrokenExecutor, KilledWorker))  # fmt: skip
