"""`quotaproof explain A13 --experiment`: the jobs that settle an open question, on the screen and as scenarios."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from .output import Unusable, save, show

SECONDS = 20.0
"""A search ends after this."""


def settle(topic: Sequence[str], versus: str, out: str) -> None:
    """Search, print, and write the scenarios. Raises Unusable."""
    from ...spec.formats.scenario import as_form
    from ...spec.readings import READINGS, UnknownReading, check
    from ..explore.experiment import experiment, scenarios
    from ..explore.starts import ALIKE, OUTSIDE
    from ..report.experiment import write

    names = {name.lower(): name for name in READINGS}
    code = names.get(topic[0].lower()) if len(topic) == 1 else None
    if code is None:
        raise Unusable("--experiment: name one open question, such as A13; `quotaproof explain readings` lists them")
    reading = READINGS[code]
    if not reading.modelled:
        raise Unusable(f"--experiment: {code} has no choices: {reading.favoured}")
    if code in OUTSIDE:
        raise Unusable(f"--experiment: {OUTSIDE[code]}")
    if versus:
        try:
            check(code, versus)
        except UnknownReading as error:
            raise Unusable(f"--vs: {error}") from None
        if versus == reading.default:
            raise Unusable(f"--vs: {versus} is the default itself; name another choice of {code}")
        if (code, versus) in ALIKE:
            raise Unusable(f"--vs: nothing that is seen from outside tells {versus} from {reading.default}: "
                           f"{ALIKE[code, versus]}")  # fmt: skip
    found = experiment(code, versus or None, seconds=SECONDS)
    if found is None:
        raise Unusable(f"--experiment: no sequence of jobs was found in {SECONDS:.0f} seconds that settles {code}")
    show(write(found))
    if out:
        show("\n")
        for choice, scenario in scenarios(found).items():
            path = Path(out).with_name(f"{Path(out).stem}-{choice}.json")
            save(path, json.dumps(as_form(scenario), indent=2) + "\n")
            show(f"written {path}\n")
