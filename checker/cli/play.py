"""`quotaproof play`: a queue to play with, step by step, in the browser or in the terminal; and the lessons."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import Unusable, complain, save, show, usable
from .pages import Assume, Queue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..teach.api import Api
    from ..teach.game import Game
    from ..teach.lessons.model import Lesson

ALL = "all"


def play(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="CONFIG|SCENARIO|HISTORY", help="What to play; AWS's walkthrough if nothing is named."),
    ] = None,
    lesson: Annotated[
        str, typer.Option(metavar="N", help="Give a lesson: a question before each step that surprises.")
    ] = "",
    handout: Annotated[
        str, typer.Option(metavar="FILE", help=f"With --lesson N or {ALL}: print it, one HTML file that stands alone.")
    ] = "",
    answers: Annotated[bool, typer.Option("--answers", help="With --handout: the right answers ticked.")] = False,
    text: Annotated[
        bool, typer.Option("--text", help="Play in the terminal; reads commands, also from a pipe.")
    ] = False,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Where the page is; else any that is free.")
    ] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Open no browser, only say where the page is.")] = False,
    assume: Assume = None,
    queue: Queue = None,
    since: Annotated[
        str | None, typer.Option(metavar="TIME", help="Of a history: play from then on, UTC, e.g. 2026-11-02T15:04.")
    ] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Of a history: play to this time.")] = None,
    scheduler: Annotated[
        str, typer.Option(metavar="NAME", help="Who decides: the reference, or one with a planted bug.")
    ] = "",
) -> None:
    """Play a queue step by step: what happens, why, and which promises are kept.

    A page in the browser, on this machine only; Ctrl-C ends it. Exit code: 0 ended, 2 unusable input.
    """
    if lesson and (paths or scheduler or assume):
        raise Unusable("--lesson: a lesson brings its own queue; leave out what else is to be played")
    if (handout or answers) and not (lesson and handout):
        raise Unusable("--handout FILE prints a lesson: name it with --lesson N, or all of them with --lesson all")
    if text and isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")
    if handout:
        _print(lesson, handout, answers=answers)
    elif text and lesson:
        _teach(lesson)
    elif text:
        _in_terminal(_start(paths or (), assume, queue, since, until, scheduler), first=bool(paths))
    else:
        number = _lessons(lesson)[0].number if lesson else 0
        named = paths or assume or scheduler or queue or since or until
        start = _start(paths or (), assume, queue, since, until, scheduler) if named else None
        _serve(start, port, f"#lesson={number}" if number else "", opens=not no_open)


def _start(
    paths: Sequence[str],
    assume: list[str] | None,
    queue: str | None,
    since: str | None,
    until: str | None,
    scheduler: str,
) -> Game:
    """What the command line names; AWS's walkthrough where it names nothing. Raises Unusable."""
    from ..teach.beside import changed
    from ..teach.commands import scheduler_called
    from ..teach.scenarios import walkthrough
    from .times import moment
    from .verify import assumed

    with usable():
        chosen = assumed(assume or [])
        if paths:
            from ..teach.opened import open_paths

            begin, end = moment("--since", since), moment("--until", until)
            found = open_paths(paths, queue=queue, since=begin, until=end, readings=chosen)
            game = found.game
            for line in found.left_out:
                complain(f"left out: {line}")
        elif queue or since or until:
            raise Unusable("--queue, --since and --until are about files; name one")
        else:
            game = walkthrough()
        side = replace(game.side, assume={**game.side.assume, **dict(chosen.chosen)})
        side = replace(side, scheduler=scheduler_called(scheduler)) if scheduler else side
        if game.history is not None and side != game.side:
            raise Unusable(
                "--scheduler, --assume: what was seen of a real queue is looked at, not played; leave them out"
            )
        return game if side == game.side else changed(game, side)


def _serve(start: Game | None, port: int, fragment: str, *, opens: bool) -> None:
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
    address = f"http://{HOST}:{socket.getsockname()[1]}/{fragment}"
    show(f"play    {address}  (Ctrl-C ends it)\n")
    if opens and _has_display():
        from threading import Thread
        from webbrowser import open as show_page

        Thread(target=show_page, args=(address,), daemon=True).start()
    serve(lambda: _api(start), socket, lambda error: report(error, ["play"]))


def _has_display() -> bool:
    """Whether a browser of this machine would be seen; a browser of the terminal would take the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _api(start: Game | None) -> Api:
    from ..teach.api import Api

    return Api(start, explained)


def explained(code: str) -> str:
    """What `quotaproof explain` says of a code. Raises InputError."""
    from ...spec.formats.errors import InputError
    from .explain import NoTopic, told

    try:
        return told([code])
    except NoTopic as error:
        fix = f"did you mean {', '.join(error.near)}?" if error.near else "`quotaproof explain` lists them."
        raise InputError(error.what, where="explain", why="Codes are those of guarantees, rules, open questions, findings.",
                         fix=fix) from None  # fmt: skip


def _in_terminal(start: Game, *, first: bool) -> None:
    """Commands, one a line, until the input ends."""
    from ..teach.terminal import Terminal

    with usable():
        terminal = Terminal(start, show, explained)
        terminal.begin(first=first)
    while (line := _line("> ")) is not None and terminal.typed(line):
        pass


def _line(prompt: str = "") -> str | None:
    """The next line of standard input, None at its end. Only a person is prompted."""
    if sys.stdin.isatty():
        show(prompt)
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None


def _teach(number: str) -> None:
    from ..teach.lessons.terminal import give

    for lesson in _lessons(number):
        give(lesson, _line, show)


def _lessons(number: str) -> Sequence[Lesson]:
    """The lesson of that number, or all. Raises Unusable."""
    from ..teach.lessons.shelf import lesson, lessons

    if number == ALL:
        return lessons()
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        raise Unusable(f"--lesson: {number!r} is no number of a lesson; 1 to {len(lessons())}, or {ALL}")
    with usable():
        return (lesson(int(number)),)


def _print(number: str, file: str, *, answers: bool) -> None:
    from ..teach.lessons.handout import handout

    save(Path(file), handout(*_lessons(number), answers=answers))
