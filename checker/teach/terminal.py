"""A play in the terminal: a line in; what happened, why, and the picture out. Works from a pipe as well.

What a line means is said in `commands`, how a frame looks in `text`. Trusted: nothing that is typed.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ...spec.formats.errors import InputError
from ...spec.readings import READINGS, Readings, UnknownReading
from ..report.layout import entry, paragraph, plain
from . import text
from .commands import COMMANDS, WHERE, Command, meant, mistake, number, one_of, step, wrong_words
from .files import opened_file, save_file
from .game import REFERENCE, Game, Side, Tick
from .planted import PLANTED
from .run import Plays
from .scenarios import game_of_seed, seeds

_MOST_AT_ONCE = 1000


class Terminal:
    """One play, and the step of it that is looked at."""

    def __init__(self, game: Game, say: Callable[[str], None], explained: Callable[[str], str]) -> None:
        self._say = say
        self._explained = explained
        self._plays = Plays()
        self._game = game
        self._play = self._plays.play(game)
        self._at = self._play.count - 1

    def begin(self) -> None:
        """Say what is played, and how."""
        self._say(f"{_lines(paragraph(plain(self._game.name), 0))}{_lines(paragraph(plain(self._game.about)))}"
                  f"{text.legend()}`help` lists what you can do: `next` is one step, `run` all of them.\n\n")  # fmt: skip
        self._log(range(self._play.count))
        self._picture()

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
            self._say(_lines(entry("!", plain(f"{error.what}. {error.why} Fix: {error.fix}"))))
        return True

    def _do(self, command: Command, words: Sequence[str]) -> None:
        move = step(command, words, self._play.frame(self._at))
        if move is not None:
            self._moved(replace(self._ahead(), moves=(*self._ahead().moves, move)))
            return
        done: Mapping[str, Callable[[Command, Sequence[str]], None]] = {
            "next": self._next, "back": self._back, "go": self._go, "undo": self._undo, "assume": self._assume,
            "scheduler": self._scheduler, "beside": self._beside, "picture": self._all, "jobs": self._all,
            "log": self._whole_log, "lamps": self._lamps, "explain": self._explain, "scenarios": self._scenarios,
            "scenario": self._scenario, "lessons": self._lessons, "open": self._open, "save": self._save,
            "help": self._help,
        }  # fmt: skip
        done[command.verb](command, words)

    # moves

    def _ahead(self) -> Game:
        """The game up to the step that is looked at: what is done next goes on from there."""
        return self._game if self._at == self._play.count - 1 else self._play.cut(self._at)

    def _moved(self, game: Game) -> None:
        """Play on. Raises InputError, and then nothing has changed."""
        play = self._plays.play(game)
        before = self._at
        self._game, self._play, self._at = game, play, play.count - 1
        self._log(range(before + 1, play.count))
        self._picture()

    def _replaced(self, game: Game) -> None:
        """The same moves otherwise: look at the same step, as far as there is one. Raises InputError."""
        play = self._plays.play(game)
        self._game, self._play, self._at = game, play, min(self._at, play.count - 1)
        self._log([self._at])
        self._picture()

    def _next(self, command: Command, words: Sequence[str]) -> None:
        n = _one_number(command, words)
        if self._at + n < self._play.count:
            self._look(range(self._at + 1, self._at + n + 1))
            return
        more = n - (self._play.count - 1 - self._at)
        self._moved(replace(self._game, moves=(*self._game.moves, *[Tick()] * more)))

    def _back(self, command: Command, words: Sequence[str]) -> None:
        self._look([max(0, self._at - _one_number(command, words))])

    def _go(self, command: Command, words: Sequence[str]) -> None:
        if len(words) != 1:
            raise wrong_words(command)
        self._look([number(words[0], 0, self._play.count - 1)])

    def _look(self, numbers: Sequence[int]) -> None:
        self._at = numbers[-1]
        self._log(numbers)
        self._picture()

    def _undo(self, command: Command, words: Sequence[str]) -> None:
        _nothing(command, words)
        if not self._at:
            raise mistake("nothing has happened yet", "`submit` a job.")
        self._replaced(self._play.cut(self._at - 1))

    # who decides, and what is assumed

    def _assume(self, command: Command, words: Sequence[str]) -> None:
        if len(words) == 1 and "=" not in words[0]:
            self._say(self._explained(words[0]))
        elif words:
            self._replaced(replace(self._game, side=replace(self._game.side, assume=_assumed(self._game.side, words))))
        else:
            chosen = self._game.side.assume
            self._say(_lines(line for code, choice in chosen.items() for line in _reading(code, choice))
                      or "Nothing is assumed but the defaults. `explain readings` lists what AWS leaves open.\n")  # fmt: skip

    def _scheduler(self, command: Command, words: Sequence[str]) -> None:
        if len(words) > 1:
            raise wrong_words(command)
        if words:
            side = replace(self._game.side, scheduler=_scheduler(words[0]))
            self._replaced(replace(self._game, side=side))
            return
        now = self._game.side.scheduler
        rows = [
            (REFERENCE, "keeps every rule"),
            *((p.name, f"{p.says} ({p.code}; see {p.shows})") for p in PLANTED.values()),
        ]
        self._say(_lines(line for name, says in rows for line in entry(f"{'*' if name == now else ' '} {name}", says)))

    def _beside(self, command: Command, words: Sequence[str]) -> None:
        if not words:
            raise wrong_words(command)
        if words == ["off"]:
            self._replaced(replace(self._game, beside=None))
            return
        named = [word for word in words if "=" not in word]
        if len(named) > 1:
            raise wrong_words(command)
        side = self._game.beside or Side()
        side = replace(side, scheduler=_scheduler(named[0])) if named else side
        self._replaced(replace(self._game, beside=replace(side, assume=_assumed(side, [w for w in words if "=" in w]))))

    # what there is to see

    def _all(self, command: Command, words: Sequence[str]) -> None:
        _nothing(command, words)
        frame = self._play.frame(self._at)
        self._picture(most=len(frame.jobs) if command.verb == "jobs" else text.MOST_JOBS)

    def _picture(self, *, most: int = text.MOST_JOBS) -> None:
        self._say(text.drawn(self._play.frame(self._at), most=most))
        beside = self._play.beside(self._at)
        if beside is not None:
            self._say(f"\nbeside: {plain(self._play.beside_label)}\n{text.drawn(beside, most=most)}")
        self._say("\n")

    def _whole_log(self, command: Command, words: Sequence[str]) -> None:
        _nothing(command, words)
        self._log(range(self._play.count))

    def _log(self, numbers: Iterable[int]) -> None:
        self._say("".join(text.told(self._play.line(n)) for n in numbers))

    def _lamps(self, command: Command, words: Sequence[str]) -> None:
        _nothing(command, words)
        self._say(text.lit(self._play.frame(self._at).lamps))

    def _explain(self, command: Command, words: Sequence[str]) -> None:
        if not words:
            raise wrong_words(command)
        self._say(self._explained(" ".join(words)))

    def _help(self, command: Command, words: Sequence[str]) -> None:
        commands = [meant(words[0])] if words else COMMANDS
        self._say(_lines(line for c in commands for line in entry(f"{c.verb} {c.words}".rstrip(), f"  {c.says}")))

    # other plays

    def _scenarios(self, command: Command, words: Sequence[str]) -> None:
        _nothing(command, words)
        self._say(_lines(line for _, s in seeds().values() for line in (*entry(s.name, ""), *paragraph(s.about))))

    def _scenario(self, command: Command, words: Sequence[str]) -> None:
        if len(words) != 1:
            raise wrong_words(command)
        self._other(game_of_seed(words[0]))

    def _lessons(self, command: Command, words: Sequence[str]) -> None:
        from .lessons import lessons

        _nothing(command, words)
        self._say(
            _lines(line for found in lessons() for line in entry(str(found.number), f"{found.title}: {found.summary}"))
        )
        self._say("`quotaproof play --text --lesson N` gives one.\n")

    def _open(self, command: Command, words: Sequence[str]) -> None:
        if len(words) != 1:
            raise wrong_words(command)
        self._other(opened_file(words[0]))

    def _other(self, game: Game) -> None:
        """Play something else, from its beginning."""
        play = self._plays.play(game)
        self._game, self._play, self._at = game, play, 0
        self._say(f"{_lines(paragraph(plain(game.name), 0))}{_lines(paragraph(plain(game.about)))}")
        if play.count > 1:
            self._say(
                f"It has {play.count - 1} steps: `next` shows them one by one, `go {play.count - 1}` the last.\n\n"
            )
        self._look([0])

    def _save(self, command: Command, words: Sequence[str]) -> None:
        if len(words) != 1:
            raise wrong_words(command)
        save_file(words[0], self._ahead())
        self._say(f"written {plain(words[0])}\n")


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _nothing(command: Command, words: Sequence[str]) -> None:
    if words:
        raise wrong_words(command)


def _one_number(command: Command, words: Sequence[str]) -> int:
    if len(words) > 1:
        raise wrong_words(command)
    return number(words[0], 1, _MOST_AT_ONCE) if words else 1


def _scheduler(word: str) -> str:
    return one_of(word, (REFERENCE, *PLANTED), "scheduler")


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
