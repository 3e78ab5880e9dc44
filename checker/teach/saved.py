"""A play as a scenario: what happened, every choice of the scheduler given, so that it replays the same.

`breaks` says what its last step breaks, where a replay confirms it. Trusted: `witness.play`, which has the last word.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.errors import InputError
from ...spec.formats.scenario import Breaks, Scenario, Step, as_form
from ...spec.model import Stage
from ...spec.observations import Preempted
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
    steps = list(_given(play, last))
    game = play.game
    name = game.name or game.config.job_queue_name
    plain = Scenario(name, game.about, game.config, tuple(step for _, step in steps), play.readings)
    for breaks, repeats_from in _shown(play, last, [number for number, _ in steps]):
        made = replace(plain, breaks=breaks, repeats_from=repeats_from)
        if replayed(made).shows:
            return _telling(play, last, made)
    return _telling(play, last, plain)


def _given(play: Play, last: int) -> Iterator[tuple[int, Step]]:
    """The steps, each with the frame to which it leads.

    That a stopped job fails which may run again no step says: it is stopped, and then terminated, which leads to the same.
    """
    for number in range(1, last + 1):
        step = play.step(number)
        if step is not None:
            yield number, step
        if _fails_though(play, number):
            yield number, ev.Terminate(play.line(number).job)


def _fails_though(play: Play, number: int) -> bool:
    """Whether a victim has stopped and failed that may run again."""
    failed = any(isinstance(what, Preempted) and what.stage is Stage.FAILED for what in play.seen(number))
    return failed and any(broken.code == "G11" for broken in play.line(number).broken)


def _shown(play: Play, last: int, numbers: Sequence[int]) -> list[tuple[Breaks, int | None]]:
    """What the last frame may show; `numbers`: of the frames to which the steps lead."""
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


def _telling(play: Play, last: int, scenario: Scenario) -> Scenario:
    """The scenario, with what it cannot show said in words."""
    kept = {line.violation.code for line in replayed(scenario).lines if line.violation is not None}
    kept |= {scenario.breaks.guarantee} if scenario.breaks is not None else set()
    lost = [lamp for lamp in play.lamps.at(last) if lamp.state == "broken" and lamp.code not in {*kept, EXPECTED}]
    told = [scenario.about] if scenario.about else []
    if lost:
        said = "; ".join(f"{lamp.code} {lamp.name}: {lamp.because.removesuffix('.')}" for lamp in lost)
        told.append(f"{play.game.side.scheduler} breaks here what its choices alone do not show: {said}.")
    ends = [
        f"step {n} terminates {step.job}" for n, (number, step) in enumerate(_given(play, last), 1)
        if isinstance(step, ev.Terminate) and step != play.step(number)
    ]  # fmt: skip
    if ends:
        told.append(f"It lets stopped jobs fail that may run again, which no step says; instead {', '.join(ends)}.")
    return replace(scenario, about=" ".join(told))


def text_of(scenario: Scenario) -> tuple[str, str]:
    """The name of a file, and what is in it: YAML."""
    slug = re.sub(r"[^A-Za-z0-9_-]+", "-", scenario.name).strip("-")[:_LONGEST]
    name = f"{slug or 'play'}.yaml"
    return name, content_of(scenario, name)


def content_of(scenario: Scenario, name: str) -> str:
    """What is in a file of this name: JSON where it ends so, else YAML."""
    import yaml

    text = json.dumps(as_form(scenario), indent=2, ensure_ascii=False)
    if name.lower().endswith(".json"):
        return f"{text}\n"
    return yaml.safe_dump(json.loads(text), sort_keys=False, allow_unicode=True, width=120)
