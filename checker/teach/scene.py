"""A scenario as pictures, for a report: its form as it stands in a file, played to frames.

What a scheduler under test did is told by `conform.explicit`: every choice is a step, and a settle says that it had nothing
left to do. Such a form is played as it stands; nobody else chooses. Trusted: `run.Play`, which judges each step.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...spec import events as ev
from ...spec.formats.document import Document
from ...spec.formats.errors import InputError
from ...spec.formats.scenario import Scenario
from ...spec.formats.scenario_text import read
from .frame import Frame
from .game import Game, Shows, Side, Tick
from .run import Play

MOST = 400
"""Frames that are drawn of one scenario."""


@dataclass(frozen=True)
class Scene:
    """A scenario's pictures."""

    title: str
    about: str
    frames: tuple[Frame, ...]
    note: str = ""
    """Why there are no pictures, or not all of them."""


class _Given(Play):
    """A play in which every choice is given: whoever schedules does nothing else."""

    def _choose(self, *, drains: bool = True) -> ev.Event | None:  # noqa: ARG002
        return None


def scene(form: Mapping[str, Any], *, given: bool = False) -> Scene:
    """The pictures of a scenario's form. `given`: every choice stands in it. What cannot be played is said, never raised."""
    title, about = str(form.get("name", "")), str(form.get("about", ""))
    try:
        scenario = read(Document(title, dict(form), dict))
        play = _played(scenario, given=given)
    except InputError as error:
        return Scene(title, about, (), f"No pictures: {error.what}. {error.why}")
    numbers = range(min(play.count, MOST))
    note = f"{play.count - MOST:,} more steps are not drawn." if play.count > MOST else ""
    return Scene(title, about, tuple(play.frame(number) for number in numbers), note)


def _played(scenario: Scenario, *, given: bool) -> Play:
    """The scenario, what it shows at its end; where that is that somebody waits for ever and no replay confirms it, the point
    at which nobody has anything left to do, which is judged."""
    breaks, steps = scenario.breaks, scenario.steps
    shows = Shows(breaks, len(steps), scenario.repeats_from) if breaks is not None else None
    game = Game(scenario.name, scenario.config, steps, shows=shows)
    side = Side(assume=dict(scenario.readings.chosen))
    play = (_Given if given else Play)(game, side, lenient=True)
    if breaks is not None and breaks.how == "stuck" and play.lamps.first(breaks.guarantee) is None:
        play.take([Tick()])
    return play
