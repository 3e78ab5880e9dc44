"""Brings the kept scenarios of planted schedulers into the corpus: `python -m tests.support.bugs_in_corpus`.

Each is played to its end and loses what only we know of it. A scheduler that has its scenario keeps it, however others are
drawn by now; one that is there already under another name is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from quotaproof.checker.conform.corpus.make import FOLDER, in_order, main, present
from quotaproof.checker.conform.portable import text
from quotaproof.spec import events as ev
from quotaproof.spec.formats.scenario import Scenario, Settle, Step
from quotaproof.spec.model import State
from quotaproof.spec.rules.guarantees import GUARANTEES

from .wrong import WRONG
from .wrong.kills import saved


def portable(name: str) -> Scenario:
    """The scenario in which a planted scheduler was found, as one of the corpus."""
    kept, code = saved(name), WRONG[name].code
    steps = tuple(disabled_first(kept.steps))
    steps = steps if steps[-1] == Settle() else (*steps, Settle())
    about = f"What is left of a run in which the planted scheduler {name} broke {code}."
    rests_on = tuple(re.sub(r"^(\d)", r"rule \1", number) for number in re.findall(r"A?\d+b?", GUARANTEES[code].source))
    return in_order(
        replace(kept, name=f"bug-{name}", about=about, steps=steps, rests_on=rests_on, checks=(code,), found=None)
    )


def disabled_first(steps: Iterable[Step]) -> Iterator[Step]:
    """A share is DISABLED before it is deleted (rule 51)."""
    for step in steps:
        if isinstance(step, ev.DeleteShare):
            yield ev.SetShareState(step.share, State.DISABLED)
        yield step


def shape(scenario: Scenario) -> str:
    """What makes two scenarios the same, whatever they are called."""
    return str((scenario.config.shares, scenario.config.environment.capacity, scenario.steps))


if __name__ == "__main__":
    for old in FOLDER.glob("bug-*.json"):
        if old.stem.removeprefix("bug-") not in WRONG:
            old.unlink()
    there = {shape(scenario) for _, scenario in present()}
    for name in WRONG:
        scenario = portable(name)
        if not (FOLDER / f"{scenario.name}.json").exists() and shape(scenario) not in there:
            there.add(shape(scenario))
            (FOLDER / f"{scenario.name}.json").write_text(text(scenario), encoding="utf-8")
    main([])
