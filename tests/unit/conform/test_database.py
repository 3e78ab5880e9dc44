"""Failures are remembered in a folder or in Redis, tried first, and forgotten when they are mended."""

from __future__ import annotations

from pathlib import Path

import fakeredis
import pytest
from quotaproof.checker.conform.campaign import Enough
from quotaproof.checker.conform.conform import Asked, conform
from quotaproof.checker.conform.database import database, fetched, remember
from quotaproof.checker.conform.profiles import AWS_BATCH
from quotaproof.checker.conformed import Tried
from quotaproof.checker.results import Event
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.scenario import Scenario, Settle

from ...support.queues import queue, share

SCENARIO = Scenario("one", "", queue(2, share("a", 1, "LEND")), (Settle(),))
BACKEND = "tests.support.named:never_reclaims"


@pytest.fixture
def redis(monkeypatch: pytest.MonkeyPatch) -> str:
    """A Redis that lives in this process."""
    server = fakeredis.FakeServer()
    monkeypatch.setattr("redis.Redis.from_url", lambda _url: fakeredis.FakeRedis(server=server))
    return "redis://127.0.0.1/0"


def names(text: str, backend: str) -> list[str]:
    return [s.name for s in fetched(database(text), backend)]


def events(text: str, out: Path, backend: str = BACKEND, examples: int = 0) -> list[Event]:
    asked = Asked(backend, AWS_BATCH.name, enough=Enough(examples=examples), executor="local", out=out, database=text)
    return list(conform(asked))


@pytest.mark.parametrize("kind", ["folder", "redis"])
def test_what_is_remembered_is_given_back_and_nothing_else(tmp_path: Path, redis: str, kind: str) -> None:
    text = str(tmp_path / "known") if kind == "folder" else redis
    remember(database(text), "a", [SCENARIO])
    assert names(text, "a") == ["one"]
    assert next(fetched(database(text), "a")).steps == SCENARIO.steps
    assert names(text, "b") == []
    remember(database(text), "a", [])
    assert names(text, "a") == []


@pytest.mark.parametrize("value", [b"\xff", b"{", b"{}", b"[1]"])
def test_what_is_no_scenario_is_passed_over_and_forgotten(tmp_path: Path, value: bytes) -> None:
    store = database(str(tmp_path))
    remember(store, "a", [SCENARIO])
    store.save(b"quotaproof a", value)
    assert names(str(tmp_path), "a") == ["one"]
    assert len(set(store.fetch(b"quotaproof a"))) == 1


def test_a_later_run_tries_what_an_earlier_one_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: ())
    events(str(tmp_path / "known"), tmp_path, examples=20)
    later = [e for e in events(str(tmp_path / "known"), tmp_path) if isinstance(e, Tried)]
    (known,) = later
    assert (known.part, known.passed) == ("known failures", 0)
    assert known.failed == known.scenarios > 0


def test_what_was_mended_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quotaproof.checker.conform.corpus.corpus", lambda: ())
    events(str(tmp_path / "known"), tmp_path, examples=20)
    found = list(fetched(database(str(tmp_path / "known")), BACKEND))
    remember(database(str(tmp_path / "known")), "reference", found)
    mended = [e for e in events(str(tmp_path / "known"), tmp_path, "reference") if isinstance(e, Tried)]
    assert [(t.part, t.passed) for t in mended] == [("known failures", len(found))]
    assert list(fetched(database(str(tmp_path / "known")), "reference")) == []


def test_a_redis_that_does_not_answer_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    server = fakeredis.FakeServer()
    server.connected = False
    monkeypatch.setattr("redis.Redis.from_url", lambda _url: fakeredis.FakeRedis(server=server))
    with pytest.raises(InputError, match="no Redis answers there"):
        database("redis://127.0.0.1/0")
