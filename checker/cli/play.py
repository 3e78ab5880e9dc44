"""`quotaproof play`: a queue to play with, step by step, in the browser or in the terminal."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from .output import Unusable, show

if TYPE_CHECKING:
    from ..teach.api import Api
    from ..teach.game import Game


def play(
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Where the page is; else any that is free.")
    ] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only say where the page is.")] = False,
) -> None:
    """Play a queue step by step: what happens, why, and which promise it keeps.

    Ctrl-C ends it. Exit code: 0 ended, 2 unusable input.
    """
    _serve(None, port, opens=not no_open)


def _serve(start: Game | None, port: int, *, opens: bool) -> None:
    try:
        from ..teach.server import HOST, listening, serve
    except ModuleNotFoundError as error:
        raise Unusable(f"play: {error.name} is not installed, and the page needs it. Install it with: "
                       "pip install 'quotaproof[serve]'. Without it: quotaproof play --text") from None  # fmt: skip
    from .crash import report

    try:
        socket = listening(port)
    except OSError as error:
        raise Unusable(f"--port: {HOST}:{port} cannot be listened on: {error.strerror}. Leave --port out for one that is "
                       "free") from None  # fmt: skip
    address = f"http://{HOST}:{socket.getsockname()[1]}/"
    show(f"play    {address}  (Ctrl-C ends it)\n")
    if opens and _has_display():
        from threading import Thread
        from webbrowser import open as show_page

        Thread(target=show_page, args=(address,), daemon=True).start()
    serve(lambda: _api(start), socket, lambda error: report(error, ["play"]))


def _api(start: Game | None) -> Api:
    from ..teach.api import Api

    return Api(start, explained)


def explained(code: str) -> str:
    """What `quotaproof explain` says of a code. Raises InputError."""
    from ...spec.formats.errors import InputError
    from .explain import told

    try:
        return told([code])
    except Unusable as error:
        raise InputError(str(error), where="explain", why="Codes are those of guarantees, rules, open questions, findings.",
                         fix="`quotaproof explain` lists them.") from None  # fmt: skip


def _has_display() -> bool:
    """Whether a browser of this machine would be seen; a browser of the terminal would take the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
