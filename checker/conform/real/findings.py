"""What a real scheduler does that a promise forbids, or looks as if: a scenario, a backend that shows it, some that do not.

Each scheduler's own are in its folder `findings`. The pages in docs/reference/findings say what happens;
`quotaproof replay SCENARIO --backend NAME` shows it. Trusted: nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from ....spec.formats import json_text
from ....spec.formats.scenario import Scenario
from ....spec.formats.scenario_text import read


@dataclass(frozen=True)
class Finding:
    """One behaviour. `about` says it in a sentence; `code`: the guarantee that is broken, '' where it is legal."""

    name: str
    about: str
    code: str
    shown_by: str
    """The backend that shows it."""
    avoided_by: tuple[str, ...] = ()
    """Backends that keep every promise in the same scenario."""

    @property
    def scheduler(self) -> str:
        return self.shown_by.partition(":")[0]

    @property
    def title(self) -> str:
        """The name of its page and of its scenario."""
        return f"{self.scheduler}-{self.name.lower()}"

    @property
    def page(self) -> str:
        """Where it is explained."""
        return f"docs/reference/findings/{self.title}.md"

    def scenario(self) -> Scenario:
        conform = __name__.rsplit(".", 2)[0]
        file = files(f"{conform}.{self.scheduler}.findings").joinpath(f"{self.title}.json")
        return read(json_text.parse(file.name, file.read_text(encoding="utf-8")))
