"""Choices that the specification itself contradicts: a promise is broken under them and kept under another choice.

The whole history is judged under every choice of a question, with every combination of the questions that it touches. A
choice is contradicted when each of its combinations has faults where a combination of another choice has none, and that
one has none besides. Trusted: the judge of histories.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...spec.observations import History
from ...spec.readings import Readings
from .history import judge_history
from .judged import Fault

ASKED = frozenset(
    {"A4", "A5", "A6", "A8", "A9", "A13", "A15", "A18", "A23", "A24", "A28", "A33", "A46", "A47", "A48", "A52"}
)
"""Questions on which promises depend, and whose every choice a scheduler can keep them under."""


CAP = 128
"""Most states of one search for an order: a fault is found only where the search ends below it."""


class TooLong(Exception):
    """The history has more observations than may be judged."""


def contradicted(
    history: History, alternatives: Sequence[tuple[str, Readings]], most: int
) -> Mapping[str, tuple[Fault, tuple[str, ...]]]:
    """Choice -> the fault that contradicts it, and the choices that do without it.

    `most`: observations to be judged, all alternatives together. Raises TooLong.
    """
    judged = [(choice, _faults(history, readings, most // len(alternatives))) for choice, readings in alternatives]
    found: dict[str, tuple[Fault, tuple[str, ...]]] = {}
    for choice in dict.fromkeys(c for c, _ in judged):
        mine = [faults for c, faults in judged if c == choice]
        better = [(c, faults) for c, faults in judged if c != choice and all(faults.keys() < m.keys() for m in mine)]
        if better:
            least = min(better, key=lambda b: len(b[1]))[1]
            number = max(min(m.keys() - least.keys()) for m in mine)
            fault = next(m[number] for m in mine if number in m)
            found[choice] = fault, tuple(dict.fromkeys(c for c, _ in better))
    return found


def _faults(history: History, readings: Readings, most: int) -> dict[int, Fault]:
    def bounded(done: int) -> None:
        if done > most:
            raise TooLong

    judged = judge_history(history, readings, cap=CAP, progress=bounded)
    bounded(judged.events)
    return {f.number: f for f in reversed(judged.faults)}
