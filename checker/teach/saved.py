"""A play as a scenario: what happened, every choice of the scheduler given, so that it replays the same.

`breaks` says what its last step breaks, where a replay confirms it. Trusted: `witness.play`, which has the last word.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from ...spec.formats.errors import InputError
from ...spec.formats.scenario import Breaks, Scenario, as_form
from ..witness.play import play as replayed
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
    steps = tuple(step for number in range(1, last + 1) if (step := play.step(number)) is not None)
    game = play.game
    plain = Scenario(game.name or game.config.job_queue_name, game.about, game.config, steps, play.readings)
    for breaks, repeats_from in _shown(play, last):
        made = replace(plain, breaks=breaks, repeats_from=repeats_from)
        if replayed(made).shows:
            return made
    return _telling(play, last, plain)


def _shown(play: Play, last: int) -> list[tuple[Breaks, int | None]]:
    """What the last frame may show."""
    found: list[tuple[Breaks, int | None]] = []
    for broken in play.line(last).broken:
        if broken.code == "G18":
            back = play.came_back(last)
            if back is not None:
                before = sum(play.step(number) is not None for number in range(1, back + 1))
                found.append((Breaks("G18", "circle"), before + 1))
        else:
            found.append((Breaks(broken.code, "step", play.line(last).job), None))
    return found


def _telling(play: Play, last: int, plain: Scenario) -> Scenario:
    """The scenario, with what it cannot show said in words."""
    played = replayed(plain)
    kept = {line.violation.code for line in played.lines if line.violation is not None}
    lost = [lamp for lamp in play.lamps.at(last) if lamp.state == "broken" and lamp.code not in kept]
    if not lost:
        return plain
    said = "; ".join(f"{lamp.code} {lamp.name}: {lamp.because}" for lamp in lost)
    return replace(
        plain, about=f"{plain.about} {play.game.side.scheduler} breaks here what no step alone shows: {said}".strip()
    )


def text_of(scenario: Scenario) -> tuple[str, str]:
    """The name of a file, and what is in it: YAML."""
    import yaml

    slug = re.sub(r"[^A-Za-z0-9_-]+", "-", scenario.name).strip("-")[:_LONGEST]
    form = json.loads(json.dumps(as_form(scenario)))
    text = yaml.safe_dump(form, sort_keys=False, allow_unicode=True, width=120)
    return f"{slug or 'play'}.yaml", text
