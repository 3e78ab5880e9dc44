"""What a command found out as a badge: the JSON of a shields.io endpoint, for the top of a README."""

from __future__ import annotations

import json
from collections.abc import Iterable

from ..results import Event, Verification
from .conformed import standing
from .layout import plain, shorten
from .options import Options
from .outcome import Outcome, Word, outcome
from .promised import broken

_COLOUR = {
    Word.OK: "brightgreen", Word.WAIVED: "yellow", Word.WARNED: "orange", Word.BROKEN: "red",
    Word.UNKNOWN: "lightgrey", Word.UNUSABLE: "lightgrey",
}  # fmt: skip
LONGEST = 60


def write(events: Iterable[Event], options: Options) -> str:
    """The document, indented, with a line feed at its end."""
    clean = plain(Verification.of(events))
    judged = outcome(clean, options)
    document = {
        "schemaVersion": 1,
        "label": f"quotaproof {clean.began.command}",
        "message": shorten(_message(clean, judged), LONGEST),
        "color": _COLOUR[judged.word],
        "isError": judged.word in (Word.BROKEN, Word.WARNED, Word.UNUSABLE),
    }
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _message(verification: Verification, judged: Outcome) -> str:
    if judged.promises and not judged.failed and not judged.broken:
        return broken(verification, judged.promises)
    if verification.conformed is None:
        return judged.word.lower()
    profile = verification.conformed.declared.profile if verification.conformed.declared else ""
    return f"{standing(judged).lower()}{f' ({profile})' if profile else ''}"
