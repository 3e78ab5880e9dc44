"""A state machine of Hypothesis for a scheduler of one's own: make a subclass, and give it the scheduler.

It draws a queue and one move after another, hands each step to the scheduler, judges every observation at once, and fails
with the promise that is broken and a scenario to run again. Its rules can always act, which keeps it fast. Public.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from ...spec.formats.scenario import Found, Scenario, Step, as_form
from ...spec.model import QueueConfig
from ...spec.readings import Readings
from ..conform.backend import Declaration, Unable
from ..conform.in_process import Scheduler, lender, reported
from ..conform.inputs import NotTheScenario
from ..conform.told import told
from ..conform.verdict import Watch
from ..report.options import FOLDER
from . import moves
from .choices import WIDEST, Record, pick
from .course import Course
from .strategies import aim, configs
from .within import within

_DRAWS = st.tuples(*[st.integers(0, WIDEST)] * 9)
"""The draws of one move."""
_ARRIVALS = (moves.submit, moves.submit_small, moves.submit_small, moves.burst)
_ENDS = (moves.finish, moves.stops, moves.advance, moves.terminate, moves.give_back)


class SchedulerMachine(RuleBasedStateMachine):
    """Subclass it, define `make`, and let pytest collect `YourMachine.TestCase`.

    What the scheduler declares is its attribute `declaration`, else that it can do everything and names no claims.
    """

    folder: ClassVar[Path | None] = Path(FOLDER, "conform")
    """Where the scenario of a failure is written; None: nowhere."""
    opens: ClassVar[str] = ""
    """What `--quotaproof-backend` and `quotaproof conform` call the scheduler, so that `replay` finds it."""

    def make(self) -> Scheduler:
        """A scheduler that is told nothing yet."""
        raise NotImplementedError(f"{type(self).__name__} has no make(): define it to return your scheduler")

    @initialize(config=configs(most_shares=4))
    def begins(self, config: QueueConfig) -> None:
        """A queue without jobs."""
        self.scheduler = self.make()
        given: Any = getattr(self.scheduler, "declaration", None)
        self.declared: Declaration = given or Declaration(type(self.scheduler).__name__)
        readings = Readings().assuming(self.declared.choices)
        empty = within(Scenario("machine", "Drawn by a state machine.", config, ()), self.declared.features)
        self.course = Course(empty.config, readings)
        self.watch = Watch(self._so_far(), self.declared)
        self.scheduler.configure(empty.config)
        self.steps: list[Step] = []
        self._failed = False

    @rule(drawn=_DRAWS)
    def jobs_arrive(self, drawn: tuple[int, ...]) -> None:
        """A job, or several that are alike."""
        __tracebackhide__ = True
        self._move(_ARRIVALS, drawn)

    @rule(drawn=_DRAWS)
    def the_scheduler_acts(self, drawn: tuple[int, ...]) -> None:
        """All settles, victims stopping or not."""
        __tracebackhide__ = True
        self._move((moves.rest, moves.rest, moves.settle), drawn)

    @rule(drawn=_DRAWS)
    def jobs_move_on(self, drawn: tuple[int, ...]) -> None:
        """Jobs end, victims stop, stages are reached."""
        __tracebackhide__ = True
        self._move(_ENDS, drawn)

    @rule(drawn=_DRAWS)
    def people_act(self, drawn: tuple[int, ...]) -> None:
        """A user changes a priority, or an administrator something."""
        __tracebackhide__ = True
        self._move((moves.priority, moves.administer, moves.undo), drawn)

    def teardown(self) -> None:
        """At the end all settles."""
        __tracebackhide__ = True
        if hasattr(self, "watch") and not self._failed:
            self.course.settle()
            self._tell()
            aim(self.watch.tested())

    def _move(self, options: Sequence[moves.Move], drawn: tuple[int, ...]) -> None:
        __tracebackhide__ = True
        record = Record(drawn)
        pick(record, options)(self.course, record)
        self._tell()

    def _tell(self) -> None:
        """Hand the new steps to the scheduler, and judge what it reports of them."""
        __tracebackhide__ = True
        new = self._so_far().steps[len(self.steps) :]
        self._failed = True
        for step in new:
            self.steps.append(step)
            self.watch.asked(step)
            try:
                for what in reported(self.scheduler, step):
                    self.watch.take(what, *lender(self.scheduler, what))
                    if self.watch.broken:
                        raise AssertionError(self._told())
                self.watch.done()
            except NotTheScenario as error:
                raise AssertionError(self._told(Unable(str(error), code="not-the-scenario"))) from None
        self._failed = False

    def _told(self, unable: Unable | None = None) -> str:
        """What is wrong, and where the scenario was written that shows it."""
        tested = self.watch.tested(unable)
        if self.folder is None:
            return told(tested, name=self.declared.name)
        file = self.folder / f"{type(self).__name__}-{tested.code or tested.failure}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        found = Found(self.opens or self.declared.name, tested.code) if tested.code else None
        shown = replace(tested.scenario, steps=tuple(self.steps), found=found)
        file.write_text(json.dumps(as_form(shown), indent=2) + "\n", encoding="utf-8")
        return told(tested, name=self.declared.name, replay=f"the scenario: {file}")

    def _so_far(self) -> Scenario:
        course = self.course
        whole = Scenario("machine", "Drawn by a state machine.", course.config, tuple(course.steps), course.readings)
        return within(whole, self.declared.features)
