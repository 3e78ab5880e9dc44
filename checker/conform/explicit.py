"""What a scheduler made of a scenario, as a scenario: all that was seen of the run is a step, every choice among them.

To be drawn, not to be run again. Trusted: nothing; whoever plays it judges it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ...spec import events as ev
from ...spec.formats.scenario import Scenario, Settle, Step, as_form
from ...spec.model import Stage
from ...spec.observations import Observation, Preempted, Preempting, Reached, Rejected, Retried, Settled, Submitted
from ..results import Witness
from .backend import Declaration
from .verdict import Tested

_AHEAD = {Stage.SCHEDULED: 0, Stage.STARTING: 1, Stage.RUNNING: 2}


def witness(name: str, tested: Tested, declared: Declaration, code: str = "") -> Witness:
    """What a scheduler made of a scenario, up to where it breaks the promise of that code, or any: to be drawn."""
    faults = [b for b in tested.broken if code in ("", b.code)]
    seen = tested.seen[: faults[0].number + 1] if faults else tested.seen
    told = as_form(explicit(tested.scenario, seen, declared.choices))
    fault = f"{faults[0].code}: {faults[0].violation.sentence}" if faults else ""
    return Witness(name, as_form(tested.scenario), told, fault)


def explicit(scenario: Scenario, seen: Iterable[Observation], choices: Mapping[str, str]) -> Scenario:
    """The run in which that was seen; `choices` are the scheduler's readings. A settle is a point at which it rested."""
    steps = tuple(_steps(seen))
    readings = scenario.readings.assuming(choices)
    return replace(scenario, steps=steps, readings=readings, breaks=None, repeats_from=None)


def _steps(seen: Iterable[Observation]) -> Iterator[Step]:
    """Observations as events; where stages between were not seen, they are passed."""
    stage: dict[str, int] = {}
    for what in seen:
        match what:
            case Submitted():
                yield ev.Submit(what.job, what.share, what.size, what.priority, what.retries)
            case ev.Dispatch():
                stage[what.job] = 0
                yield what
            case Reached():
                ahead = _AHEAD.get(what.stage, 0)
                yield from (ev.Advance(what.job) for _ in range(ahead - stage.get(what.job, 0)))
                stage[what.job] = ahead
            case Preempting():
                yield ev.Claim(what.claimant or what.job, (what.job,), holds=False)
            case Preempted():
                yield ev.Stopped(what.job)
            case Retried():
                yield ev.Return(what.job)
            case Settled():
                yield Settle()
            case Rejected():
                pass
            case _:
                yield what
