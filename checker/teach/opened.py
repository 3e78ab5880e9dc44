"""What is opened from disk as a game: a saved play, a scenario or witness, a configuration, a history.

The kind is told as the command line tells it. Trusted: nothing that is read.
"""

from __future__ import annotations

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


@dataclass(frozen=True)
class Opened:
    """A game, and what of the files is not in it."""

    game: Game
    left_out: tuple[str, ...] = ()


def open_text(name: str, text: str) -> Opened:
    """The game in the text of a file of that name. Raises InputError."""
    base = Path(name.replace("\\", "/")).name
    usable = base.isprintable() and 0 < len(base) <= _LONGEST_NAME and not base.startswith("-")
    with TemporaryDirectory() as folder:
        path = Path(folder, base if usable else "file")
        try:
            path.write_text(text, encoding="utf-8")
        except UnicodeEncodeError:
            raise InputError("it is not text", where=base or "file", why="It holds what UTF-8 cannot write.",
                             fix="save the file as UTF-8.") from None  # fmt: skip
        try:
            return open_paths([str(path)])
        except InputError as error:
            at = error.where.replace(f"{folder}/", "")
            raise InputError(error.what, where=at, why=error.why.replace(f"{folder}/", ""), fix=error.fix) from None


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
        if is_trace(paths[0]):
            return load_history(paths, queue=queue, readings=Readings())
        try:
            document = _single(paths)
            known = document is not None and isinstance(document.value, dict) and "play" in document.value
            kind = None if document is None or known else kinds.recognise(document)
        except InputError as error:
            return _history_or(paths, queue, error)
        return (
            load_history(paths, queue=queue, readings=Readings())
            if kind is not None and kind.left_out == kinds.HISTORY
            else None
        )
    if any(Path(path).is_dir() for path in paths) or len(paths) > 1:
        return _history_or(paths, queue, None)
    return None


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
