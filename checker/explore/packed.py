"""States as whole numbers: every variable a digit of its own base, in as few 64-bit words as hold them.

A step changes digits that stay below their base, so it is an addition on the words. States are told apart by a key: the
word itself, or a mixture of several words, in which case equal keys are compared word by word. Trusted: NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Array: TypeAlias = Any
"""A NumPy array."""
_ROOM = 2**63
_MIXERS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F)


class Digits:
    """How the values of variables, each 0 or more and below its base, become words and back."""

    def __init__(self, bases: Sequence[int]) -> None:
        self.places: list[tuple[int, int]] = []
        """Variable -> its word, and the worth of 1 there."""
        self.bases = tuple(bases)
        word, worth = 0, 1
        for base in bases:
            if base > _ROOM:
                raise ValueError(f"a variable with {base} values does not fit a word")
            if worth * base > _ROOM:
                word, worth = word + 1, 1
            self.places.append((word, worth))
            worth *= base
        self.words = word + 1
        if self.words > len(_MIXERS):
            raise ValueError(f"a state takes {self.words} words; {len(_MIXERS)} is the most")

    def pack(self, values: Sequence[int]) -> list[int]:
        """The words of one state."""
        packed = [0] * self.words
        for value, (word, worth) in zip(values, self.places, strict=True):
            packed[word] += value * worth
        return packed

    def columns(self, states: Array) -> list[Array]:
        """The values of the variables; `states`: one row a word, one column a state."""
        found: list[Array] = []
        left, current = states[0], 0
        for base, (word, _) in zip(self.bases, self.places, strict=True):
            if word != current:
                left, current = states[word], word
            rest = left // base
            found.append(left - rest * base)
            left = rest
        return found

    def key(self, states: Array) -> Array:
        """One number a state: different states have different ones, or `mixed` finds it out."""
        import numpy as np

        if self.words == 1:
            return states[0]
        with np.errstate(over="ignore"):
            key = np.zeros(states.shape[1], dtype=np.uint64)
            for row, mixer in zip(states, _MIXERS, strict=False):
                key = (key ^ row.astype(np.uint64)) * np.uint64(mixer)
                key ^= key >> np.uint64(29)
        return key.astype(np.int64)


class Known:
    """The states found so far, in the order of their keys, each with its number."""

    def __init__(self, digits: Digits) -> None:
        import numpy as np

        self.digits = digits
        self.keys = np.empty(0, dtype=np.int64)
        self.numbers = np.empty(0, dtype=np.int64)
        self._room = np.empty((digits.words, 1024), dtype=np.int64)

    @property
    def states(self) -> Array:
        """The words, in the order of the numbers."""
        return self._room[:, : len(self.keys)]

    def find(self, states: Array) -> tuple[Array, Array]:
        """The number of each state, and whether it is known; the number says nothing where it is not."""
        import numpy as np

        keys = self.digits.key(states)
        if not len(self.keys):
            return np.zeros(len(keys), dtype=np.int64), np.zeros(len(keys), dtype=bool)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        known = self.keys[at] == keys
        numbers = self.numbers[at]
        if self.digits.words > 1:
            mixed(self.states[:, numbers[known]], states[:, known])
        return numbers, known

    def add(self, states: Array) -> Array:
        """Number the states that are not known yet; the positions in `states` of those, in the order of their numbers."""
        import numpy as np

        keys = self.digits.key(states)
        order = np.argsort(keys, kind="stable")
        ranked = keys[order]
        first = np.ones(len(ranked), dtype=bool)
        first[1:] = ranked[1:] != ranked[:-1]
        if self.digits.words > 1 and len(order):
            heads = order[first][np.cumsum(first) - 1]
            mixed(states[:, heads], states[:, order])
        fresh = np.sort(order[first])
        _, known = self.find(states[:, fresh])
        fresh = fresh[~known]
        self._insert(keys[fresh], states[:, fresh])
        return fresh

    def _insert(self, keys: Array, states: Array) -> None:
        import numpy as np

        count, total = len(self.keys), len(self.keys) + len(keys)
        if total > self._room.shape[1]:
            wider = np.empty((self.digits.words, 2 * total), dtype=np.int64)
            wider[:, :count] = self.states
            self._room = wider
        self._room[:, count:total] = states
        numbers = np.arange(count, total)
        order = np.argsort(keys)
        at = np.searchsorted(self.keys, keys[order])
        self.keys = np.insert(self.keys, at, keys[order])
        self.numbers = np.insert(self.numbers, at, numbers[order])


def mixed(left: Array, right: Array) -> None:
    """Different states under one key would be taken for one: better no result than a wrong one."""
    if (left != right).any():
        raise ArithmeticError("two states have one key; nothing can be said of this model")
