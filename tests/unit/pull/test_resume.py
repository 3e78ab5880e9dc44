"""A second pull adds to the folder, and one that was interrupted goes on."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from quotaproof.checker.pull.folder import Folder
from quotaproof.spec.formats import load
from quotaproof.spec.readings import Readings

from ...support import aws as data
from ...support.aws import DAY, HOUR, NOW, Aws, job, record
from .folders import SUBMITTED, files, lines, pulled, read


def test_a_second_pull_adds_and_leaves_ended_jobs_alone(tmp_path: Path) -> None:
    first, second = Aws(), Aws()
    ended = job("b", "FAILED", stopped=NOW - HOUR)
    first.whole(job("a"), ended, records=(SUBMITTED,))
    pulled(first, tmp_path)
    new = record("UpdateServiceJob", {"jobId": "a", "schedulingPriority": 9}, at="2026-11-03T12:00:00Z")
    second.configuration()
    second.snapshot()
    finished = job("a", "SUCCEEDED", stopped=NOW + DAY)
    second.jobs(finished, ended, again=(finished,))
    second.requests(SUBMITTED, new, begin=datetime.fromtimestamp((NOW - HOUR) / 1000, UTC))
    done = pulled(second, tmp_path, now=NOW + DAY, since=NOW - 6 * DAY)
    second.done()
    assert (done.jobs, done.described, done.requests, done.changed) == (2, 1, 1, False)
    assert len(list(tmp_path.glob("history/snapshots/*"))) == 2
    assert [r["eventName"] for r in lines(tmp_path)] == ["SubmitServiceJob", "UpdateServiceJob"]
    assert read(tmp_path / "history/jobs/2026-11-03/describe-service-job-a.json")["status"] == "SUCCEEDED"
    assert [p["described"] for p in read(tmp_path / ".pull.state")["pulls"]] == [2, 1]
    assert not (tmp_path / "history/configuration").exists()


def test_a_pull_that_reaches_further_back_looks_up_everything_again(tmp_path: Path) -> None:
    first, second = Aws(), Aws()
    first.whole(records=(SUBMITTED,))
    pulled(first, tmp_path)
    second.configuration()
    second.snapshot()
    second.jobs()
    second.requests(SUBMITTED, begin=datetime.fromtimestamp((NOW - 30 * DAY) / 1000, UTC))
    assert pulled(second, tmp_path, now=NOW + DAY, since=NOW - 30 * DAY).requests == 0
    second.done()
    assert read(tmp_path / ".pull.state")["requests"] == [NOW - 30 * DAY, NOW + DAY]


@pytest.mark.parametrize("at", [1, 2, 3])
def test_an_interrupted_pull_leaves_whole_files_and_goes_on(tmp_path: Path, at: int) -> None:
    every = [job(n, "SUCCEEDED", stopped=NOW - HOUR) for n in "abc"]
    first = Aws()
    first.whole(*every)

    def stop(what: str, done: int, _of: int) -> None:
        if (what, done) == ("jobs described", at):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pulled(first, tmp_path, progress=stop)
    for file in files(tmp_path):
        read(tmp_path / file)
    assert len(list(tmp_path.glob("history/jobs/*/*.json"))) == at
    second = Aws()
    second.configuration()
    second.snapshot()
    second.jobs(*every, again=tuple(every[at:]))
    second.requests()
    assert pulled(second, tmp_path, now=NOW + 60_000).described == 3 - at
    second.done()


@pytest.mark.parametrize("at", range(1, 14))
def test_a_pull_that_stops_between_any_two_files_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    """The second pull meets another configuration, so that the older one has to survive the interruption too."""
    ended = tuple(job(n, "SUCCEEDED", stopped=NOW - HOUR) for n in "ab")
    before, first, second = Aws(), Aws(), Aws()
    before.whole()
    pulled(before, tmp_path)
    write, count = Folder.write_text, iter(range(1, 100))

    def stop(self: Folder, name: str, text: str) -> None:
        if next(count) == at:
            raise KeyboardInterrupt
        write(self, name, text)

    later = data.quota_shares(vision=1, speech=1)
    first.configuration(later)
    first.snapshot()
    first.jobs(*ended)
    first.requests(SUBMITTED)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Folder, "write_text", stop)
        pulled(first, tmp_path, now=NOW + HOUR)
    second.configuration(later)
    second.snapshot()
    second.jobs(*ended, again=tuple(j for j in ended if not list(tmp_path.glob(f"history/jobs/*/*-{j['jobId']}.json"))))
    second.requests(SUBMITTED)
    pulled(second, tmp_path, now=NOW + 2 * HOUR)
    second.done()
    older = tmp_path / "history/configuration/20261103T100000Z"
    assert read(older / "list-quota-shares.json") == {"quotaShares": data.quota_shares()}
    assert read(tmp_path / "list-quota-shares.json") == {"quotaShares": later}
    assert len(list(tmp_path.glob("history/jobs/*/*.json"))) == 2
    assert [r["eventName"] for r in lines(tmp_path)] == ["SubmitServiceJob"]
    assert not [f for f in files(tmp_path) if f.endswith(".part")]


@pytest.mark.parametrize("at", range(1, 10))
def test_a_first_pull_that_stops_between_any_two_files_can_be_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    write, count = Folder.write_text, iter(range(1, 100))

    def stop(self: Folder, name: str, text: str) -> None:
        if next(count) == at:
            raise KeyboardInterrupt
        write(self, name, text)

    first, second = Aws(), Aws()
    first.whole()
    second.whole()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(Folder, "write_text", stop)
        pulled(first, tmp_path)
    pulled(second, tmp_path, now=NOW + HOUR)
    second.done()
    assert load([str(tmp_path)], readings=Readings()).left_out == ()


def test_an_interruption_while_a_file_is_written_leaves_the_older_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Folder(tmp_path)
    folder.write("x.json", {"a": 1})

    def stop(_self: Path, _target: Path) -> Path:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        folder.write("x.json", {"a": 2})
    assert folder.read("x.json") == {"a": 1}
    assert files(tmp_path) == ["x.json"]
