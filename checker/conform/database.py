"""Failures that are remembered from run to run, in a folder or in Redis, by Hypothesis's own classes.

What a backend failed before is tried first; what it passes now is forgotten. Trusted: nothing that is stored: it is read
as any scenario file, and what cannot be read is passed over and forgotten.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ...spec.formats.errors import InputError
from ...spec.formats.json_text import parse
from ...spec.formats.scenario import Scenario, as_form
from ...spec.formats.scenario_text import read

if TYPE_CHECKING:
    from hypothesis.database import ExampleDatabase

REDIS = ("redis://", "rediss://", "unix://")


def database(text: str) -> ExampleDatabase:
    """The database that --database names: a folder, or a Redis address. Raises InputError."""
    from hypothesis.database import DirectoryBasedExampleDatabase

    return _redis(text) if text.startswith(REDIS) else DirectoryBasedExampleDatabase(text)


def _redis(address: str) -> ExampleDatabase:
    try:
        from hypothesis.extra.redis import RedisExampleDatabase
        from redis import Redis, RedisError
    except ImportError:
        raise InputError("the Redis client is not installed", where="--database", why="A Redis address needs it.",
                         fix="install it with: pip install 'quotaproof[scale]'") from None  # fmt: skip
    client = Redis.from_url(address)
    try:
        client.ping()
    except RedisError as error:
        raise InputError("no Redis answers there", where=f"--database {address}", why=str(error),
                         fix="start it, or name a folder.") from None  # fmt: skip
    return RedisExampleDatabase(client)


def fetched(store: ExampleDatabase, backend: str) -> Iterator[Scenario]:
    """What is remembered of a backend, in an order that does not change from run to run."""
    for value in sorted(store.fetch(_key(backend))):
        try:
            yield read(parse("remembered", value.decode("utf-8")))
        except (InputError, UnicodeDecodeError):
            store.delete(_key(backend), value)


def remember(store: ExampleDatabase, backend: str, failing: Iterable[Scenario]) -> None:
    """From now on these, and no others."""
    wanted = {_value(scenario) for scenario in failing}
    for value in set(store.fetch(_key(backend))) - wanted:
        store.delete(_key(backend), value)
    for value in wanted:
        store.save(_key(backend), value)


def _key(backend: str) -> bytes:
    return f"quotaproof {backend}".encode()


def _value(scenario: Scenario) -> bytes:
    return json.dumps(as_form(scenario), sort_keys=True).encode()
