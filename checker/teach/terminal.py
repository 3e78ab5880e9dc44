"""A play in the terminal: a line in; what happened, why, and the picture out. Works from a pipe as well.

What a line means is said in `commands`, how a frame looks in `text`. Trusted: nothing that is typed.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ...spec.formats import SCENARIO, kind_of
from ...spec.formats.errors import InputError, shown
from ...spec.formats.scenario import Settle
from ...spec.model import LARGEST
from ...spec.readings import READINGS, Readings, UnknownReading
from ..report.layout import entry, paragraph, plain
from . import text
from .beside import Pair, alone, changed, label, rests
from .commands import COMMANDS, WHERE, Command, meant, mistake, number, one_of, scheduler_called, step, wrong_words
from .game import REFERENCE, Game, Side, Tick
from .lessons.forms import listed
from .lessons.shelf import lessons
from .planted import PLANTED
from .plays import Plays
from .saved import content_of, scenario_of
from .scenarios import offered, played
from .story import story

_MOST_AT_ONCE = 1000
_SECONDS = 60.0


class Terminal:
    """One play, and the step of it that is looked at."""

    def __init__(self, game: Game, say: Callable[[str], None], explained: Callable[[str], str]) -> None:
        self._say = say
        self._explained = explained
        self._plays = Plays(_SECONDS)
        self._game = game
        self._count = self._counted(game)
        self._at = self._count - 1
        self._others: Mapping[str, Callable[[Sequence[str]], None]] = {
            "next": self._next, "back": self._back, "go": self._go, "undo": self._undo, "assume": self._assume,
            "scheduler": self._scheduler, "beside": self._beside, "lamps": self._lamps, "explain": self._explain,
            "help": self._help, "scenarios": self._scenarios, "lessons": self._lessons, "save": self._save,
            "open": self._open, "why": self._why, "scenario": lambda words: self._other(played(words[0])),
            "picture": lambda _: self._picture(text.MOST_JOBS), "jobs": lambda _: self._picture(LARGEST),
            "log": lambda _: self._told(range(self._count)),
        }  # fmt: skip

    def begin(self, *, first: bool = False) -> None:
        """Say what is played, and how; `first`: look at its first step, not at its last."""
        self._say(f"{text.legend()}`help` lists what you can do: `next` is one step, `run` all.\n\n")
        if first:
            self._other(self._game)
        else:
            self._say(_title(self._game))
            self._show(range(self._count))

    def typed(self, line: str) -> bool:
        """Do what a line says; False when it ends the play. A mistake is said, and nothing is done then."""
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            words = line.split()
        if not words:
            return True
        try:
            command = meant(words[0])
            if command.verb == "quit":
                return False
            self._do(command, words[1:])
        except InputError as error:
            said = " ".join(filter(None, (f"{error.what}.", error.why, f"Fix: {error.fix}")))
            self._say(_lines(entry("!", plain(said))))
        return True

    def _do(self, command: Command, words: Sequence[str]) -> None:
        if not command.least <= len(words) <= command.most:
            raise wrong_words(command)
        with self._plays.shown(self._game) as play:
            frame = play.frame(self._at)
        move = step(command, words, frame)
        if move is None:
            self._others[command.verb](words)
        elif move == Settle() and self._at < self._count - 1:
            self._show(range(self._at + 1, self._count))
        elif move == Settle():
            self._moved(replace(self._game, moves=(*self._not_at_rest().moves, move)))
        else:
            ahead = self._ahead()
            self._moved(replace(ahead, moves=(*ahead.moves, move)))

    # moves

    def _ahead(self) -> Game:
        """The game up to the step that is looked at: what is done next goes on from there."""
        with self._plays.shown(self._game) as play:
            return self._game if self._at == play.count - 1 else play.cut(self._at)

    def _not_at_rest(self) -> Game:
        """The game. Raises InputError where nobody has anything left to do."""
        last = self._count - 1
        with self._plays.shown(self._game) as play:
            resting = rests(play.frame(last), play.beside(last) if isinstance(play, Pair) else None)
        if resting:
            raise mistake("nobody has anything left to do", "`submit` a job, `finish` one, or change something.")
        return self._game

    def _moved(self, game: Game) -> None:
        """Play on. Raises InputError, and then nothing has changed."""
        self._not_seen()
        count = self._counted(game, adds=True)
        since, self._game, self._count, self._at = self._at + 1, game, count, count - 1
        self._show(range(since, count))

    def _replaced(self, game: Game) -> None:
        """The same moves otherwise: look at the same step, as far as there is one. Raises InputError."""
        self._not_seen()
        count = self._counted(game)
        self._game, self._count, self._at = game, count, min(self._at, count - 1)
        self._show([self._at])

    def _not_seen(self) -> None:
        """Raises InputError where a history is looked at."""
        if self._game.history is not None:
            raise mistake("what was seen of a real queue is looked at, not played",
                          "`next` and `back` look at it; `open` a configuration or a scenario to play.")  # fmt: skip

    def _counted(self, game: Game, *, adds: bool = False) -> int:
        """How many frames it has. Raises InputError for what cannot be played; `adds`: its last move has been added."""
        with self._plays.shown(game, adds=adds) as play:
            return play.count

    def _next(self, words: Sequence[str]) -> None:
        n = _one_number(words)
        if self._at + n < self._count:
            self._show(range(self._at + 1, self._at + n + 1))
        else:
            more = n - (self._count - 1 - self._at)
            self._moved(replace(self._game, moves=(*self._not_at_rest().moves, *[Tick()] * more)))

    def _back(self, words: Sequence[str]) -> None:
        self._show([max(0, self._at - _one_number(words))])

    def _go(self, words: Sequence[str]) -> None:
        self._show([number(words[0], 0, self._count - 1)])

    def _show(self, numbers: Sequence[int]) -> None:
        """What leads to these frames, and the picture of the last."""
        self._at = numbers[-1] if numbers else self._at
        self._told(numbers)
        self._picture(text.MOST_JOBS)

    def _undo(self, _: Sequence[str]) -> None:
        if not self._at:
            raise mistake("nothing has happened yet", "`submit` a job.")
        with self._plays.shown(self._game) as play:
            before = play.cut(self._at - 1)
        self._replaced(before)

    # who decides, and what is assumed

    def _assume(self, words: Sequence[str]) -> None:
        side = self._game.side
        if len(words) == 1 and "=" not in words[0]:
            self._say(self._explained(words[0]))
        elif words:
            self._replaced(changed(self._game, replace(side, assume=_assumed(side, words))))
        else:
            chosen = [line for code, choice in side.assume.items() for line in _reading(code, choice)]
            self._say(_lines(chosen or ["Only the defaults. `explain readings` lists what AWS leaves open."]))

    def _scheduler(self, words: Sequence[str]) -> None:
        side = self._game.side
        if words:
            self._replaced(changed(self._game, replace(side, scheduler=scheduler_called(words[0]))))
            return
        rows = [(REFERENCE, "It keeps every rule.")]
        rows += [(p.name, f"{p.says} ({p.code}; to be seen in {p.shows})") for p in PLANTED.values()]
        mark = {side.scheduler: "*"}
        self._say(_lines(line for name, says in rows for line in entry(f"{mark.get(name, ' ')} {name}", f"  {says}")))

    def _beside(self, words: Sequence[str]) -> None:
        if list(words) == ["off"]:
            self._replaced(replace(self._game, beside=None))
            return
        names = [word for word in words if "=" not in word]
        if len(names) > 1:
            raise mistake(f"{names[1]} is one name too many", "write: beside NAME A23=no, with one name at most.")
        side = self._game.beside or Side()
        side = replace(side, scheduler=scheduler_called(names[0])) if names else side
        self._replaced(replace(self._game, beside=replace(side, assume=_assumed(side, [w for w in words if "=" in w]))))

    # what there is to see

    def _picture(self, most: int) -> None:
        with self._plays.shown(self._game) as play:
            self._say(text.drawn(play.frame(self._at), most=most))
            if isinstance(play, Pair) and self._game.beside is not None:
                beside = play.beside(self._at)
                self._say(f"\nbeside: {plain(label(self._game.beside))}\n{text.told(beside.line)}")
                self._say(text.drawn(beside, most=most))
        self._say("\n")

    def _told(self, numbers: Iterable[int]) -> None:
        with self._plays.shown(self._game) as play:
            self._say("".join(text.told(play.line(n)) for n in numbers))

    def _why(self, words: Sequence[str]) -> None:
        with self._plays.shown(self._game) as play:
            self._say(text.lived(story(play, words[0], self._at)))

    def _lamps(self, _: Sequence[str]) -> None:
        with self._plays.shown(self._game) as play:
            self._say(text.lit(play.frame(self._at).lamps))

    def _explain(self, words: Sequence[str]) -> None:
        self._say(self._explained(" ".join(words)))

    def _help(self, words: Sequence[str]) -> None:
        commands = [meant(words[0])] if words else COMMANDS
        self._say(_lines(line for c in commands for line in entry(f"{c.verb} {c.words}".rstrip(), f"  {c.says}")))

    # other plays

    def _scenarios(self, _: Sequence[str]) -> None:
        self._say(_lines(line for one in offered() for line in (one.name, *paragraph(one.about))))

    def _lessons(self, _: Sequence[str]) -> None:
        told = [(str(one["number"]), one["subject"]) for one in listed(lessons())]
        self._say(_lines(line for first, says in told for line in entry(first, says)))
        self._say("`quotaproof play --text --lesson N` gives one.\n")

    def _open(self, words: Sequence[str]) -> None:
        from .opened import open_paths

        found = open_paths(words)
        self._say(_lines(plain(f"left out: {line}") for line in found.left_out))
        self._other(found.game)

    def _other(self, game: Game) -> None:
        """Play something else, from its beginning."""
        count = self._counted(game)
        self._game, self._count = game, count
        steps = (
            f"It has {count - 1} steps: `next` shows them one by one, `go {count - 1}` the last.\n\n"
            if count > 1
            else ""
        )
        self._say(f"{_title(game)}{steps}")
        self._show([0])

    def _save(self, words: Sequence[str]) -> None:
        with self._plays.shown(self._game) as play:
            content = content_of(scenario_of(*alone(play, self._at)), words[0])
        path = Path(words[0])
        if path.exists() and kind_of(words[0]) != SCENARIO:
            raise mistake(f"{shown(words[0])} is a file that is no scenario", "name another file.")
        try:
            path.write_text(content, encoding="utf-8")
        except (OSError, ValueError) as error:
            raise mistake(f"{shown(words[0])} cannot be written", "name another file.", f"{error}.") from None
        self._say(f"written {plain(words[0])}\n")


def _title(game: Game) -> str:
    return _lines([*paragraph(plain(game.name), 0), *paragraph(plain(game.about))])


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _one_number(words: Sequence[str]) -> int:
    return number(words[0], 1, _MOST_AT_ONCE) if words else 1


def _assumed(side: Side, words: Sequence[str]) -> dict[str, str]:
    """What a side assumes when these choices are made; defaults are not written. Raises InputError."""
    chosen = dict(side.assume)
    for word in words:
        code, _, choice = word.partition("=")
        code = one_of(code, (r.code for r in READINGS.values() if r.modelled), "reading")
        chosen[code] = choice
    try:
        Readings().assuming(chosen)
    except UnknownReading as error:
        raise InputError(str(error), where=WHERE, why="Nothing has been done.", fix="write it as A23=no.") from None
    return {code: choice for code, choice in chosen.items() if choice != READINGS[code].default}


def _reading(code: str, choice: str) -> list[str]:
    reading = READINGS[code]
    return entry(f"{code}={choice}", f"{reading.question}: {reading.choices[choice]}")
