"""What is wrong with a lesson: every answer is played on the reference, under each reading that the lesson states.

Nothing is believed of what a lesson says: the right choice must be met, the others must not, and under another reading
the choice that names it must be. `unnamed` finds readings that make another choice right and are not named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ....spec.events import Claim, Submit
from ....spec.formats.scenario import Expect, Scenario, Step
from ....spec.readings import READINGS, Readings
from ....spec.rules.sources import OPEN, certainty, least
from ...witness.play import Played, play
from ..run import Play
from .forms import game_at
from .model import CERTAINTY, LETTERS, Ask, Choice, Lesson

MOST_JOBS = 6
_NAME = re.compile(r"[\d-]")
_NOT_COMPARED = 38
"""The rule by which a job of another share is stopped though its priority is not lower."""


def checked(lesson: Lesson) -> list[str]:
    """What is wrong with the lesson; nothing when it is as it says."""
    return [*_size(lesson), *_names(lesson), *_topics(lesson), *_kept(lesson), *_answers(lesson)]


def unnamed(lesson: Lesson) -> list[str]:
    """Readings, each alone on top of the lesson's, that make another choice right or the right one wrong and are not named."""
    return [
        f"question {number}: {problem}"
        for number, (index, ask) in enumerate(lesson.asked(), 1)
        for code, value in _single(lesson.readings)
        for problem in _turned(lesson, index, ask, code, value)
    ]


def _turned(lesson: Lesson, index: int, ask: Ask, code: str, value: str) -> Iterator[str]:
    """What of a question's answers is another under one reading, and not said."""
    for i, choice in enumerate(ask.choices):
        holds = met(lesson, index, ask, choice, {code: value})
        if i != ask.right and holds and {code: value} not in choice.under:
            yield f"{code}={value} makes {LETTERS[i]} right"
        if i == ask.right and not holds and code not in ask.source:
            yield f"{code}={value} makes {LETTERS[i]} wrong, and its sources do not name {code}"


def met(lesson: Lesson, index: int, ask: Ask, choice: Choice, readings: Mapping[str, str]) -> bool:
    """Whether what the choice expects is true after the question's moves, with `readings` on top of the lesson's."""
    steps = (*lesson.before(index), Expect(), *ask.then, choice.expect)
    return not _played(lesson, steps, lesson.readings.assuming(readings)).wrong


def _played(lesson: Lesson, steps: tuple[Step, ...], readings: Readings) -> Played:
    return play(Scenario(lesson.name, lesson.summary, lesson.config, steps, readings))


def _single(assumed: Readings) -> Iterator[tuple[str, str]]:
    for code, reading in READINGS.items():
        if reading.modelled:
            yield from ((code, choice) for choice in reading.choices if choice != assumed[code])


def _size(lesson: Lesson) -> Iterator[str]:
    jobs = {move.job for move in lesson.moves if isinstance(move, Submit)}
    if len(jobs) > MOST_JOBS:
        yield f"it has {len(jobs)} jobs; {MOST_JOBS} are the most that one can follow"


def _names(lesson: Lesson) -> Iterator[str]:
    """Names are not words: sentences are made with them, and "waiting waits" is none."""
    jobs = [move.job for move in lesson.moves if isinstance(move, Submit)]
    for name in (lesson.config.job_queue_name, *(share.name for share in lesson.config.shares), *jobs):
        if not _NAME.search(name):
            yield f"{name} is a word: call it so that it reads as a name, with a digit or a hyphen"


def _topics(lesson: Lesson) -> Iterator[str]:
    from ...cli.topics import known

    topics = known()
    yield from (f"there is nothing to explain under {topic}" for topic in lesson.explain if topic not in topics)


def _kept(lesson: Lesson) -> Iterator[str]:
    """No step breaks a guarantee, and what the whole play breaks is what the lesson says."""
    scenario = Scenario(
        lesson.name, lesson.summary, lesson.config, lesson.moves, lesson.readings,
        breaks=lesson.breaks, repeats_from=lesson.repeats_from,
    )  # fmt: skip
    played = play(scenario)
    yield from played.wrong
    if lesson.breaks is None or lesson.breaks.how != "step":
        yield from (f"a step breaks {violation}" for violation in played.violations)


def _answers(lesson: Lesson) -> Iterator[str]:
    for number, (index, ask) in enumerate(lesson.asked(), 1):
        problems = (*_certain(ask), *_across(lesson, index, ask), *_choices(lesson, index, ask))
        yield from (f"question {number}: {problem}" for problem in problems)


def _choices(lesson: Lesson, index: int, ask: Ask) -> Iterator[str]:
    for i, choice in enumerate(ask.choices):
        name = LETTERS[i]
        if met(lesson, index, ask, choice, {}) != (i == ask.right):
            yield f"{name} is {'not right' if i == ask.right else 'right as well'} when it is played"
        for other in choice.under:
            said = ", ".join(f"{code}={value}" for code, value in other.items())
            if not met(lesson, index, ask, choice, other):
                yield f"{name} is not right under {said}"
            if met(lesson, index, ask, ask.choices[ask.right], other):
                yield f"the right answer is right under {said} too"


def _certain(ask: Ask) -> Iterator[str]:
    """The certainty is that of the least certain source, and the readings that an answer turns on are among them."""
    tags = [certainty(int(s.removeprefix("rule "))) if s.startswith("rule ") else OPEN for s in ask.source]
    if ask.certainty != least(tags):
        yield f"it is called {ask.certainty}, and its sources are {least(tags)}"
    missing = sorted({code for choice in ask.choices for other in choice.under for code in other} - set(ask.source))
    if missing:
        yield f"its answers turn on {', '.join(missing)}, which its sources do not name"


def _across(lesson: Lesson, index: int, ask: Ask) -> Iterator[str]:
    """An answer in which an owner's job stops one of another share and of no lower priority rests on the rule that says so."""
    before = lesson.before(index)
    play = Play(game_at(lesson, (*before, *ask.then)))
    basis = certainty(_NOT_COMPARED)
    firmer = list(CERTAINTY).index(ask.certainty) < list(CERTAINTY).index(basis)
    for number in range(1, play.count):
        claim = play.step(number)
        if not firmer or not isinstance(claim, Claim) or play.line(number).move < len(before):
            continue
        jobs = {job.name: job for job in play.frame(number - 1).jobs}
        asks = jobs[claim.job]
        for name in claim.victims:
            if jobs[name].share != asks.share and jobs[name].priority >= asks.priority:
                yield (f"it is called {ask.certainty}, and {claim.job} stops {name} whatever their priorities: "
                       f"rule {_NOT_COMPARED} is {basis}")  # fmt: skip
