"""A play as a scenario: what happened, every choice of the scheduler given, so that it replays the same.

`breaks` says what its last step breaks, where a replay confirms it. Trusted: `witness.play`, which has the last word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from ...spec.formats.errors import InputError
from ...spec.formats.scenario import Breaks, Expect, Scenario, Step, as_form
from ..witness.play import Played
from ..witness.play import play as replayed
from .lamps import EXPECTED
from .run import Play
from .watched import Watched

_LONGEST = 60


def scenario_of(play: Play | Watched, at: int | None = None) -> Scenario:
    """The scenario of a play up to a frame, its last one without one. Raises InputError for a history."""
    if isinstance(play, Watched):
        raise InputError("what was seen of a real queue is no scenario", where=play.game.config.job_queue_name,
                         why="A scenario gives every choice of the scheduler, and a history lacks some.",
                         fix="keep the files that it was opened from; `quotaproof audit` reads them.")  # fmt: skip
    last = play.count - 1 if at is None else at
    numbers = [number for number in range(1, last + 1) if play.step(number) is not None]
    game = play.game
    plain = Scenario(
        game.name or game.config.job_queue_name, game.about, game.config, _steps(play, numbers), play.readings
    )
    otherwise = _otherwise(play, numbers, replayed(plain))
    numbers = [number for number in numbers if number not in otherwise]
    plain = replace(plain, steps=_steps(play, numbers))
    for breaks, repeats_from in _shown(play, last, numbers):
        made = replace(plain, breaks=breaks, repeats_from=repeats_from)
        if replayed(made).shows:
            return _telling(play, last, made, otherwise)
    return _telling(play, last, plain, otherwise)


def _steps(play: Play, numbers: Sequence[int]) -> tuple[Step, ...]:
    return tuple(step for number in numbers if (step := play.step(number)) is not None)


def _otherwise(play: Play, numbers: Sequence[int], again: Played) -> list[int]:
    """Frames of expectations that hold in the play and not in its replay: they rest on what no choice of a scheduler says."""
    lines = [line for line in again.lines if line.event is not None or line.note]
    return [
        number for number, line in zip(numbers, lines, strict=False)
        if isinstance(play.step(number), Expect) and line.note != play.line(number).note
    ]  # fmt: skip


def _shown(play: Play, last: int, numbers: Sequence[int]) -> list[tuple[Breaks, int | None]]:
    """What the last frame may show."""
    found: list[tuple[Breaks, int | None]] = []
    for broken in play.line(last).broken:
        if broken.code == "G18":
            back = play.came_back(last)
            if back is not None:
                before = sum(number <= back for number in numbers)
                found.append((Breaks("G18", "circle"), before + 1))
        else:
            found.append((Breaks(broken.code, "step", play.line(last).job), None))
    return found


def _telling(play: Play, last: int, scenario: Scenario, otherwise: Sequence[int]) -> Scenario:
    """The scenario, with what it cannot show said in words."""
    kept = {line.violation.code for line in replayed(scenario).lines if line.violation is not None}
    kept |= {scenario.breaks.guarantee} if scenario.breaks is not None else set()
    lost = [lamp for lamp in play.lamps.at(last) if lamp.state == "broken" and lamp.code not in {*kept, EXPECTED}]
    told = [scenario.about] if scenario.about else []
    if lost:
        said = "; ".join(f"{lamp.code} {lamp.name}: {lamp.because.removesuffix('.')}" for lamp in lost)
        told.append(f"{play.game.side.scheduler} breaks here what its choices alone do not show: {said}.")
    if otherwise:
        left = "An expectation is" if len(otherwise) == 1 else f"{len(otherwise)} expectations are"
        told.append(f"{left} left out: {play.game.side.scheduler} treats jobs as no choice of a scheduler says.")
    return replace(scenario, about=" ".join(told))


def text_of(scenario: Scenario) -> tuple[str, str]:
    """The name of a file, and what is in it: YAML."""
    import yaml

    slug = re.sub(r"[^A-Za-z0-9_-]+", "-", scenario.name).strip("-")[:_LONGEST]
    form = json.loads(json.dumps(as_form(scenario)))
    text = yaml.safe_dump(form, sort_keys=False, allow_unicode=True, width=120)
    return f"{slug or 'play'}.yaml", text
