"""Scenarios run by one backend, and each of them judged: what a run, a replay and pytest have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ...spec.formats.scenario import Scenario
from .backend import Answer, Backend, Declaration, Unable
from .features import lacking
from .repeat import answers_in_waves, sure
from .verdict import Tested, judged


def tests(
    backend: Backend, declared: Declaration, scenarios: Sequence[Scenario], far: Callable[[str], None] | None = None
) -> Iterator[Tested]:
    """Each scenario judged, in order; one that needs what the backend does not have is skipped and not run. On one that lives
    in real time all are run before the first is told, and `far` is told how many have been."""
    gaps = [lacking(s, declared.features) for s in scenarios]
    given = [s for s, gap in zip(scenarios, gaps, strict=True) if not gap]
    answers = iter(answers_in_waves(backend, given, far) if declared.lanes else backend.run(given))

    def told() -> Iterator[Tested]:
        for scenario, gap in zip(scenarios, gaps, strict=True):
            answer: Answer = Unable(f"it needs {', '.join(gap)}", skipped=True) if gap else next(answers)
            yield judged(scenario, answer, declared)

    if not declared.lanes:
        yield from told()
        return
    every = list(told())
    failed = sum(bool(tested.codes) for tested in every)
    if far is not None and failed:
        far(f"{failed:,} of {len(given):,} failed and {'is' if failed == 1 else 'are'} played again")
    yield from sure(backend, declared, every)
