"""Frames of plays for the tests of pictures: the walkthrough, and the seed scenarios as they are in examples/."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from quotaproof.checker.teach.form import game_of
from quotaproof.checker.teach.frame import as_json
from quotaproof.checker.teach.game import Game, Side
from quotaproof.checker.teach.run import Play
from quotaproof.spec.formats.scenario_text import load_scenario

Drawn = list[dict[str, Any]]
SCENARIOS = Path(__file__).parents[2] / "examples" / "scenarios"
G5 = "ml.g5.xlarge"


def played(game: Game) -> Drawn:
    """Every frame of a play, as the page is given them."""
    play = Play(game, lenient=True)
    return [json.loads(as_json(play.frame(k))) for k in range(play.count)]


def of_scenarios(names: Iterable[str] | None = None) -> dict[str, Drawn]:
    """Frames by the name of a seed scenario: of all, or of these."""
    files = sorted(SCENARIOS.glob("*.yaml"))
    wanted = None if names is None else set(names)
    found: dict[str, Drawn] = {}
    for file in files:
        if wanted is None or file.stem in wanted:
            scenario = load_scenario(str(file))
            side = Side(assume=dict(scenario.readings.chosen))
            found[file.stem] = played(Game(scenario.name, scenario.config, scenario.steps, side))
    return found


def queue(*jobs: tuple[str, str, int], shares: tuple[str, str, str] = ("QS1", "QS2", "QS3")) -> Drawn:
    """AWS's walkthrough: one borrows, one lends, one reserves. Jobs are (name, share, priority), each settled in turn."""
    borrows, lends, reserves = shares
    limits = {"limits": {G5: 1}}
    given = [
        {"name": borrows, "strategy": "LEND_AND_BORROW", "borrowLimit": 200, "inSharePreemption": True, **limits},
        {"name": lends, "strategy": "LEND", "inSharePreemption": False, **limits},
        {"name": reserves, "strategy": "RESERVE", "inSharePreemption": False, **limits},
    ]
    moves = [
        move
        for name, share, priority in jobs
        for move in ({"submit": name, "share": share, "size": {G5: 1}, "priority": priority}, {"settle": "all"})
    ]
    form = {"quotaproof": 1, "queue": "demo", "environment": {G5: 3}, "shares": given}
    return played(game_of({"play": 1, "name": "walkthrough", "queue": form, "moves": moves}))


def walkthrough() -> Drawn:
    """The walkthrough's first two steps: it borrows, and the lender takes its machine back."""
    mine = [(f"qs1_job_{name}", "QS1", priority) for name, priority in (("high", 3), ("med", 2), ("low", 1))]
    return queue(*mine, ("qs2_job_1", "QS2", 1))
