"""What a player types, and the moves that it means: one line, a verb and its words, to steps of a game.

A verb may be cut short where no other begins like it; what cannot be meant is one InputError with the nearest name. What
a line leaves out, the other limits of a share say, is taken from the frame that the player sees. Trusted: nothing typed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...spec import events as ev
from ...spec.formats.errors import InputError, nearest, shown
from ...spec.formats.scenario import Settle, Step
from ...spec.model import LARGEST, MAX_PRIORITY, QuotaShare, State, Strategy
from .frame import Bar, Frame
from .game import REFERENCE
from .planted import PLANTED

WHERE = "command"


@dataclass(frozen=True)
class Command:
    """A verb, the words after it as help shows them, and what it is for."""

    verb: str
    words: str
    says: str
    least: int = 0
    most: int = 0
    """How many words may follow."""


COMMANDS: Sequence[Command] = (
    Command("next", "[N]", "one step of the scheduler or of the platform; N steps", 0, 1),
    Command("back", "[N]", "look at the step before; what is done next goes on from there", 0, 1),
    Command("run", "", "until nobody has anything to do"),
    Command("go", "N", "look at step N", 1, 1),
    Command("undo", "", "take the last step back"),
    Command(
        "submit",
        "JOB SHARE N [UNIT] [priority P] [retries R]",
        "a job arrives; several of N UNIT for several units",
        3,
        99,
    ),
    Command("finish", "JOB [failed]", "a job ends by itself", 1, 2),
    Command("terminate", "JOB", "a job is ended by its user", 1, 1),
    Command("priority", "JOB P", "a job gets another priority", 2, 2),
    Command("limit", "SHARE N [UNIT]", "a share's limit", 2, 3),
    Command("borrow", "SHARE PERCENT|none", "a share's borrow limit", 2, 2),
    Command("strategy", "SHARE RESERVE|LEND|LEND_AND_BORROW", "what a share does with what it does not use", 2, 2),
    Command("in-share", "SHARE on|off", "whether a job of higher priority stops others of its share", 2, 2),
    Command("enable", "SHARE", "a share accepts jobs", 1, 1),
    Command("disable", "SHARE", "a share accepts no new jobs", 1, 1),
    Command("create", "SHARE N STRATEGY", "a new share", 3, 3),
    Command("delete", "SHARE", "a share goes when its jobs have ended", 1, 1),
    Command("capacity", "N [UNIT]", "the environment's machines", 1, 2),
    Command("assume", "[A23=no]...", "how what AWS leaves open is read; a number alone explains it", 0, 99),
    Command("scheduler", "[NAME]", "who decides: the reference, or one with a planted bug", 0, 1),
    Command(
        "beside", "[off | NAME] [A23=no]...", "the same moves with another scheduler or under other readings", 1, 99
    ),
    Command("picture", "", "how things stand"),
    Command("jobs", "", "the same with every job"),
    Command("why", "JOB", "what has happened to a job: what it waited for, for whom it was stopped", 1, 1),
    Command("log", "", "everything that has happened"),
    Command("lamps", "", "which promises have come up, and which are broken"),
    Command("explain", "CODE", "a guarantee, a rule, an open question", 1, 9),
    Command("scenarios", "", "the plays that come with quotaproof"),
    Command("scenario", "NAME", "play one of them", 1, 1),
    Command("lessons", "", "the lessons"),
    Command("open", "FILE...", "play a scenario, a configuration, or the files or the folder of a history", 1, 99),
    Command("save", "FILE", "keep it as a scenario, which `quotaproof replay` plays", 1, 1),
    Command("help", "[COMMAND]", "this list", 0, 1),
    Command("quit", "", "end"),
)
VERBS: Mapping[str, Command] = {command.verb: command for command in COMMANDS}


def meant(word: str) -> Command:
    """The command of this name, or the only one that begins so. Raises InputError."""
    word = word.lower()
    if word in VERBS:
        return VERBS[word]
    begin = [verb for verb in VERBS if verb.startswith(word)]
    if len(begin) == 1:
        return VERBS[begin[0]]
    if begin:
        raise mistake(f"{shown(word)} can be {' or '.join(begin)}", "write some more letters.")
    near = nearest(word, VERBS)
    raise mistake(f"there is no command {shown(word)}", f"did you mean {near}?" if near else "`help` lists them.")


def mistake(what: str, fix: str, why: str = "") -> InputError:
    """What is wrong with a line that was typed."""
    return InputError(what, where=WHERE, why=why, fix=fix)


def step(command: Command, words: Sequence[str], frame: Frame) -> Step | None:
    """The step of a game that a line means; None where its verb is about something else. Raises InputError."""
    if command.verb == "run":
        return Settle()
    make = _STEPS.get(command.verb)
    return None if make is None else make(list(words), frame)


def wrong_words(command: Command) -> InputError:
    """The line does not have the words that its verb needs."""
    return mistake(f"{command.verb} is not written so", f"write it as `{f'{command.verb} {command.words}'.rstrip()}`.")


def number(word: str, least: int = 0, most: int = LARGEST) -> int:
    """Raises InputError for what is no whole number from `least` to `most`."""
    digits = word.lstrip("-")
    if not (digits.isascii() and digits.isdigit()) or len(word) > 12 or not least <= int(word) <= most:
        raise mistake(f"{shown(word)} is no whole number from {least} to {most}", "write a number.")
    return int(word)


def one_of(word: str, known: Iterable[str], what: str) -> str:
    """`word`, in the spelling of the one that is known. Raises InputError with the nearest."""
    names = list(known)
    if word in names:
        return word
    alike = [name for name in names if name.casefold() == word.casefold()]
    if len(alike) == 1:
        return alike[0]
    near = nearest(word, names)
    listed = f"choose of {', '.join(names[:12])}." if names else f"there is no {what} yet."
    raise mistake(f"there is no {what} {shown(word)}", f"did you mean {near}?" if near else listed)


def scheduler_called(word: str) -> str:
    """The scheduler of that name. Raises InputError with the nearest."""
    return one_of(word, (REFERENCE, *PLANTED), "scheduler")


def _share(word: str, frame: Frame) -> str:
    return one_of(word, (s.name for s in frame.shares), "share")


def _job(word: str, frame: Frame) -> str:
    return one_of(word, (j.name for j in frame.jobs), "job")


def _unit(word: str | None, frame: Frame) -> str:
    units = [u.unit for u in frame.units]
    if word is not None:
        return one_of(word, units, "unit")
    if len(units) != 1:
        raise mistake("there are several units", f"name one of {', '.join(units)} behind the number.")
    return units[0]


def _submit(words: list[str], frame: Frame) -> Step:
    given: dict[str, int] = {}
    for key, most in (("priority", MAX_PRIORITY), ("retries", LARGEST)):
        places = [at for at, word in enumerate(words) if at > 2 and len(word) > 1 and key.startswith(word.lower())]
        if places:
            at = places[-1]
            if at + 1 >= len(words):
                raise wrong_words(VERBS["submit"])
            given[key] = number(words[at + 1], 0, most)
            del words[at : at + 2]
    if len(words) < 3:
        raise wrong_words(VERBS["submit"])
    job, share, *amounts = words
    size: dict[str, int] = {}
    while amounts:
        n = number(amounts.pop(0), 1)
        size[_unit(amounts.pop(0) if amounts else None, frame)] = n
    return ev.Submit(job, _share(share, frame), size, given.get("priority"), given.get("retries"))


def _finish(words: list[str], frame: Frame) -> Step:
    if len(words) == 2 and words[1].lower() != "failed":
        raise wrong_words(VERBS["finish"])
    return ev.Finish(_job(words[0], frame), failed=len(words) == 2)


def _terminate(words: list[str], frame: Frame) -> Step:
    return ev.Terminate(_job(words[0], frame))


def _priority(words: list[str], frame: Frame) -> Step:
    return ev.SetPriority(_job(words[0], frame), number(words[1], 0, MAX_PRIORITY))


def _limit(words: list[str], frame: Frame) -> Step:
    share = _share(words[0], frame)
    limits = {bar.unit: bar.limit for bar in _bars(share, frame) if bar.limit}
    limits[_unit(words[2] if len(words) > 2 else None, frame)] = number(words[1], 1)
    return ev.SetLimits(share, limits)


def _bars(share: str, frame: Frame) -> Sequence[Bar]:
    return [bar for bar in frame.bars if bar.share == share]


def _borrow(words: list[str], frame: Frame) -> Step:
    share = _share(words[0], frame)
    percent = None if words[1].lower() == "none" else number(words[1].removesuffix("%"), -1)
    strategy = next(s.strategy for s in frame.shares if s.name == share)
    return ev.SetSharing(share, Strategy(strategy), percent)


def _strategy(words: list[str], frame: Frame) -> Step:
    share = _share(words[0], frame)
    strategy = Strategy(one_of(words[1], list(Strategy), "strategy"))
    before = next(s for s in frame.shares if s.name == share)
    return ev.SetSharing(share, strategy, before.borrow_limit if strategy is Strategy.LEND_AND_BORROW else None)


def _in_share(words: list[str], frame: Frame) -> Step:
    return ev.SetInShare(_share(words[0], frame), one_of(words[1], ("on", "off"), "choice") == "on")


def _enable(words: list[str], frame: Frame) -> Step:
    return ev.SetShareState(_share(words[0], frame), State.ENABLED)


def _disable(words: list[str], frame: Frame) -> Step:
    return ev.SetShareState(_share(words[0], frame), State.DISABLED)


def _create(words: list[str], frame: Frame) -> Step:
    from ...spec.formats import own
    from ...spec.formats.document import Document
    from ...spec.readings import Readings

    strategy = one_of(words[2], list(Strategy), "strategy")
    form = {"name": words[0], "limits": {_unit(None, frame): number(words[1], 1)}, "strategy": strategy}
    share: QuotaShare = own.new_share(Document(WHERE, form, dict), (), Readings())
    return ev.CreateShare(share)


def _delete(words: list[str], frame: Frame) -> Step:
    return ev.DeleteShare(_share(words[0], frame))


def _capacity(words: list[str], frame: Frame) -> Step:
    unit = _unit(words[1] if len(words) > 1 else None, frame)
    return ev.SetCapacity({u.unit: u.capacity for u in frame.units} | {unit: number(words[0])})


_STEPS: Mapping[str, Callable[[list[str], Frame], Step]] = {
    "submit": _submit, "finish": _finish, "terminate": _terminate, "priority": _priority, "limit": _limit,
    "borrow": _borrow, "strategy": _strategy, "in-share": _in_share, "enable": _enable, "disable": _disable,
    "create": _create, "delete": _delete, "capacity": _capacity,
}  # fmt: skip
