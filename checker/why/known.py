"""What is known of a queue, also where nothing has run in it yet: a configuration without history is an empty queue."""

from __future__ import annotations

from collections.abc import Sequence

from ...spec.formats import load
from ...spec.formats.errors import InputError
from ...spec.formats.history import load_history
from ...spec.observations import History
from ...spec.readings import Readings

_NO_HISTORY = "there is no history in these files"
_EMPTY = "there is no history in these files: the queue is taken to be empty"


def known(paths: Sequence[str], config: Sequence[str], queue: str | None, readings: Readings) -> History:
    """The history at `paths`, or the configuration with nothing seen. Raises InputError."""
    try:
        return load_history(paths, config=config, queue=queue, readings=readings)
    except InputError as error:
        if error.what != _NO_HISTORY:
            raise
        try:
            loaded = load(config or paths, queue=queue, readings=readings)
        except InputError:
            raise error from None
    return History(loaded.config, lambda: iter(()), notes=(_EMPTY, *loaded.notes), left_out=loaded.left_out)
