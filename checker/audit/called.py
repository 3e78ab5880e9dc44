"""Jobs by the names that people gave them, in the place of AWS's ids. Trusted: the names that a history has of its jobs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...spec.observations import History, Submitted
from ..measured import FaultSeen
from ..promised import Promised
from ..results import Result

ID = r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
_ID = re.compile(ID)
_SHORT = 8
"""Characters of an id that tell jobs of one name apart."""


class Called:
    """What to call the jobs of a history. `hidden`: nothing of an id may be left; it stays whole, to be replaced as such."""

    def __init__(self, history: History, *, hidden: bool) -> None:
        self._jobs = history.jobs
        self._times = Counter(s.facts.name for s in history.jobs.values())
        self._hidden = hidden

    def text(self, text: str) -> str:
        """The text with the name of every job whose id it has; with the beginning of the id where several have it."""
        return _ID.sub(lambda found: self._name(found.group()), text)

    def name(self, job: Submitted) -> str:
        """The job's own name where the history has it, else its id, which no two jobs share."""
        return self._name(job.job)

    def _name(self, job: str) -> str:
        known = self._jobs.get(job)
        name = known.facts.name if known is not None else ""
        if not name:
            return job
        if self._times[name] == 1:
            return name
        return job if self._hidden else f"{name} ({job[:_SHORT]})"

    def results(self, told: Iterable[Result]) -> Iterator[Result]:
        for one in told:
            yield replace(one, because=self.text(one.because))

    def promised(self, told: Iterable[Promised]) -> Iterator[Promised]:
        for one in told:
            made = replace(
                one.result, because=self.text(one.result.because), more=tuple(map(self.text, one.result.more))
            )
            yield replace(one, result=made)

    def faults(self, told: Iterable[FaultSeen]) -> Iterator[FaultSeen]:
        for one in told:
            window = tuple(replace(line, what=self.text(line.what)) for line in one.window)
            yield replace(one, sentence=self.text(one.sentence), window=window)
