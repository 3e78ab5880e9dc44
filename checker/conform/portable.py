"""Can any backend run a scenario? It says what users, the platform and administrators do, and when to settle; no more.

What a scheduler decides stands in no portable scenario, and neither does what somebody expects of it: several schedulers
obey, and the guarantees judge what each of them did. `text` writes one as a file: keys sorted, a line for each step.
"""

from __future__ import annotations

import json
from typing import Any

from ...spec import events as ev
from ...spec.formats.scenario import Expect, Scenario, as_form, verb
from ...spec.model import State


def why_not(scenario: Scenario) -> str:
    """Why a scenario is not portable; '' when it is."""
    submitted = set[str]()
    disabled = {share.name for share in scenario.config.shares if share.state is State.DISABLED}
    for number, step in enumerate(scenario.steps, 1):
        if isinstance(step, Expect):
            return f"step {number} expects something: schedulers that obey may differ in it"
        if isinstance(step, ev.SCHEDULER):
            return f"step {number} is the scheduler's: it decides itself when to {verb(type(step))}"
        if isinstance(step, ev.ShareGone):
            return f"step {number} is not asked for: a deleted share ends by itself in `settle: all`"
        if isinstance(step, ev.Submit):
            if step.job in submitted:
                return f"step {number} submits {step.job} a second time"
            submitted.add(step.job)
        if isinstance(step, ev.SetShareState):
            (disabled.add if step.state is State.DISABLED else disabled.discard)(step.share)
        if isinstance(step, ev.DeleteShare) and step.share not in disabled:
            return f"step {number} deletes {step.share}, which is not DISABLED (rule 51)"
    if scenario.breaks or scenario.repeats_from:
        return "it shows what breaks: its steps are those of a scheduler"
    if scenario.readings.chosen:
        return "it assumes a reading: a backend declares its own"
    if scenario.config.environment.state is State.DISABLED:
        return "its environment is DISABLED from the start: a file says so in a step"
    return ""


def text(scenario: Scenario) -> str:
    """The scenario as a file, the same for equal scenarios: keys sorted, a line for each step and each share."""
    return _written(as_form(scenario), "") + "\n"


def _written(value: Any, indent: str) -> str:
    """JSON with what is short on one line."""
    line = json.dumps(value, sort_keys=True, ensure_ascii=False)
    if len(indent) + len(line) <= _WIDTH or not isinstance(value, dict | list):
        return line
    more = indent + "  "
    if isinstance(value, list):
        return "[\n" + ",\n".join(more + _written(v, more) for v in value) + f"\n{indent}]"
    parts = (f"{more}{json.dumps(k)}: {_written(value[k], more)}" for k in sorted(value))
    return "{\n" + ",\n".join(parts) + f"\n{indent}" + "}"


_WIDTH = 118
