"""What is opened from disk as a game: a saved play, a scenario or witness, a configuration, a history.

The kind is told as the command line tells it. Trusted: nothing that is read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from ...spec.events import SetEnvironmentState
from ...spec.formats import kinds, load, sources
from ...spec.formats.document import Document
from ...spec.formats.errors import InputError
from ...spec.formats.history import load_history
from ...spec.formats.scenario import Scenario, Settle
from ...spec.formats.scenario_text import read as read_scenario
from ...spec.formats.trace import is_trace
from ...spec.model import State
from ...spec.observations import History
from ...spec.readings import Readings
from . import form
from .game import Game, Shows, Side
from .past import part
from .run import Play

_LONGEST_NAME = 120
_DEEPEST = 6
"""Folders of a file's name that are kept, itself included."""
_TOGETHER = (
    "open it together with the output of `aws batch list-quota-shares`: choose all the files at once, or the folder that "
    "`quotaproof pull` has written."
)


@dataclass(frozen=True)
class Opened:
    """A game, and what of the files is not in it."""

    game: Game
    left_out: tuple[str, ...] = ()


def open_files(files: Sequence[tuple[str, str]]) -> Opened:
    """The game in texts of files of these names, in which folders may stand: as if the outermost of them were named in a
    terminal. Raises InputError."""
    if not files:
        raise InputError("no file is given", where="files", why="There is nothing to read.", fix="choose a file.")
    with TemporaryDirectory() as folder:
        paths = [_written(Path(folder), *file) for file in files]
        try:
            outermost = dict.fromkeys(Path(folder, path.relative_to(folder).parts[0]) for path in paths)
            return open_paths([str(path) for path in (paths if len(paths) == 1 else outermost)])
        except InputError as error:
            at, why = (
                text.replace(f"{folder}/", "").replace(folder, "these files") for text in (error.where, error.why)
            )
            raise InputError(error.what, where=at, why=why, fix=error.fix) from None


def _written(folder: Path, name: str, text: str) -> Path:
    """A file of that name in the folder, with no other there. Raises InputError."""
    parts = [part if _usable(part) else "file" for part in name.replace("\\", "/").split("/")]
    parts = parts if len(parts) <= _DEEPEST else [parts[0], *parts[1 - _DEEPEST :]]
    path = folder.joinpath(*parts)
    number = 1
    while path.exists() or any(parent.is_file() for parent in path.parents):
        number += 1
        path = folder / f"{number}-{parts[-1]}"
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.write_text(text, encoding="utf-8")
    except UnicodeEncodeError:
        raise InputError("it is not text", where=parts[-1], why="It holds what UTF-8 cannot write.",
                         fix="save the file as UTF-8.") from None  # fmt: skip
    return path


def _usable(part: str) -> bool:
    return part.isprintable() and 0 < len(part.encode("utf-8", "replace")) <= _LONGEST_NAME and part[0] not in "-."


def open_paths(
    paths: Sequence[str],
    *,
    queue: str | None = None,
    since: int | None = None,
    until: int | None = None,
    readings: Readings | None = None,
) -> Opened:
    """The game in files and folders. `queue`: which, if they have several; `since`, `until`: milliseconds, which part of a
    history; `readings`: what is assumed of a configuration that is read. Raises InputError."""
    loaded = _seen(paths, queue)
    if loaded is not None:
        game, left_out = part(loaded, since, until)
        return _plain(game, (*left_out, *loaded.left_out))
    if since is not None or until is not None:
        raise InputError("--since and --until are given", where=", ".join(paths[:3]),
                         why="They name a part of a history, and there is none.", fix="leave them out.")  # fmt: skip
    document = _single(paths)
    if document is not None and isinstance(document.value, dict) and "play" in document.value:
        return Opened(form.read(document))
    if document is not None and kinds.recognise(document).name == kinds.SCENARIO:
        return Opened(game_of(read_scenario(document)))
    readings = readings or Readings()
    configured = load(paths, queue=queue, readings=readings)
    config = configured.config
    disabled = config.environment.state is State.DISABLED
    moves = (SetEnvironmentState(State.DISABLED),) if disabled else ()
    return _plain(Game(config.job_queue_name, config, moves, Side(assume=dict(readings.chosen))), configured.left_out)


def _plain(game: Game, left_out: tuple[str, ...]) -> Opened:
    """The game as its form has it, which says of a queue what matters for it."""
    return Opened(form.game_of(form.as_form(game)), left_out)


def game_of(scenario: Scenario) -> Game:
    """A scenario as a game; of a witness also what it shows."""
    shows = Shows(scenario.breaks, len(scenario.steps), scenario.repeats_from) if scenario.breaks is not None else None
    game = Game(scenario.name, scenario.config, scenario.steps, Side(assume=dict(scenario.readings.chosen)),
                about=scenario.about, shows=shows)  # fmt: skip
    try:
        Play(game)
    except InputError:
        return replace(
            game, moves=(*game.moves, Settle())
        )  # its last step is impossible, and the corpus leaves such out
    return game


def _single(paths: Sequence[str]) -> Document | None:
    if len(paths) != 1 or (paths[0] != "-" and Path(paths[0]).is_dir()):
        return None
    found = sources.single(paths[0])
    return found if isinstance(found, Document) else None


def _seen(paths: Sequence[str], queue: str | None) -> History | None:
    """The history in these files, if it is one. Raises InputError for a history that cannot be used."""
    if len(paths) == 1 and Path(paths[0]).is_file():
        if is_trace(paths[0]) or _is_lines(paths[0]):
            return _history(paths, queue)
        try:
            document = _single(paths)
            known = document is not None and isinstance(document.value, dict) and "play" in document.value
            kind = None if document is None or known else kinds.recognise(document)
        except InputError as error:
            return _history_or(paths, queue, error)
        return _history(paths, queue) if kind is not None and kind.left_out == kinds.HISTORY else None
    if any(Path(path).is_dir() for path in paths) or len(paths) > 1:
        return _history_or(paths, queue, None)
    return None


def _history(paths: Sequence[str], queue: str | None) -> History:
    """Raises InputError, whose fix is one that `play` has."""
    try:
        return load_history(paths, queue=queue, readings=Readings())
    except InputError as error:
        fix = _TOGETHER if "--config" in error.fix else error.fix
        raise InputError(error.what, where=error.where, why=error.why, fix=fix) from None


def _is_lines(path: str) -> bool:
    """Whether each line is a value of its own, as of events that were collected: no configuration is written so."""
    lines = Path(path).read_bytes().split(b"\n", 2)
    try:
        return len(lines) > 1 and all(isinstance(json.loads(line), dict) for line in lines[:2])
    except ValueError:
        return False


def _history_or(paths: Sequence[str], queue: str | None, error: InputError | None) -> History | None:
    """The history in these files; where there is none, the error that stands for them or None."""
    try:
        found = load_history(paths, queue=queue, readings=Readings())
        if next(found.seen(), None) is not None:
            return found
    except InputError:
        pass
    if error is not None:
        raise error
    return None
