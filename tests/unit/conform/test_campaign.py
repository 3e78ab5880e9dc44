"""A campaign finds the same whoever works on it, whatever goes wrong in it, and after having been killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from quotaproof.checker.conform.backend import BackendError
from quotaproof.checker.conform.batch import Batch, Failure, Mishap, Work, tried
from quotaproof.checker.conform.campaign import KEPT, SIZE, Enough, Merged, Plan, campaign
from quotaproof.checker.conform.drawing import drawn
from quotaproof.checker.conform.executors import workers
from quotaproof.checker.conform.journal import Journal
from quotaproof.checker.conform.reference import Reference
from quotaproof.spec.formats.errors import InputError

from ...support import named

WRONG = Plan("tests.support.named:never_reclaims", "", "aws-batch", 7)
FEW = 70
"""Two rows, the second shorter."""
ROOT = Path(__file__).parents[3]


def done(path: Path, plan: Plan = WRONG, executor: str = "local", resume: bool = False, **enough: float) -> Merged:
    with workers(executor) as pool:
        journal = Journal(path, plan.header(), resume=resume)
        try:
            return replace(campaign(plan, pool, journal, Enough(**enough)), seconds=0.0)
        finally:
            journal.close()


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> Merged:
    """FEW scenarios, one after the other in this process."""
    return done(tmp_path_factory.mktemp("serial") / "j", examples=FEW)


def test_a_planted_fault_is_found_and_the_count_is_exact(serial: Merged) -> None:
    assert serial.tried == sum(serial.statuses.values()) == FEW
    assert serial.broken["G14"] > 5
    assert serial.mishaps == ()
    shortest = [f for f in serial.failures if f.code == "G14"]
    assert [f.steps for f in shortest] == sorted(f.steps for f in shortest)


def test_processes_find_what_one_process_finds(tmp_path: Path, serial: Merged) -> None:
    assert done(tmp_path / "j", executor="processes:2", examples=FEW) == serial


def test_dask_workers_find_what_one_process_finds(tmp_path: Path, serial: Merged) -> None:
    code = (
        "import sys\n"
        "if __name__ == '__main__':\n"
        "    from pathlib import Path\n"
        "    from distributed import LocalCluster\n"
        "    from tests.unit.conform.test_campaign import FEW, done\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, host='127.0.0.1', dashboard_address=None) as cluster:\n"
        "        print(done(Path(sys.argv[1]), executor=f'dask:{cluster.scheduler_address}', examples=FEW))\n"
    )
    got = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "j")], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert got.stdout.strip() == repr(serial)


def test_no_dask_scheduler_is_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    import distributed

    def refuses(*_: object, **__: object) -> None:
        raise OSError("nobody listens")

    monkeypatch.setattr(distributed, "Client", refuses)
    with pytest.raises(BackendError, match="no scheduler answers") as error, workers("dask:tcp://127.0.0.1:1"):
        pass
    assert error.value.why == "nobody listens"


@pytest.mark.parametrize("text", ["threads", "processes:0", "processes:x", "dask:", "dask", ""])
def test_an_executor_that_does_not_exist_is_named(text: str) -> None:
    with pytest.raises(BackendError, match="there is no executor") as error, workers(text):
        pass
    assert error.value.fix == "Choose local, processes:N or dask:ADDRESS."


def test_a_campaign_goes_on_where_the_journal_ends(tmp_path: Path, serial: Merged) -> None:
    done(tmp_path / "j", examples=FEW)
    lines = (tmp_path / "j").read_bytes().splitlines(keepends=True)
    for kept in range(1, len(lines)):
        for torn in (b"", lines[kept][:-9]):
            (tmp_path / "j").write_bytes(b"".join(lines[:kept]) + torn)
            again = done(tmp_path / "j", resume=True, examples=FEW)
            assert again == replace(serial, resumed=again.resumed)
            assert again.resumed == min(FEW, SIZE * (kept - 1))


def test_more_of_the_same_is_a_longer_campaign(tmp_path: Path, serial: Merged) -> None:
    done(tmp_path / "j", examples=60)
    again = done(tmp_path / "j", resume=True, examples=FEW)
    assert again == replace(serial, resumed=60)


def test_without_resume_a_campaign_begins_anew_and_the_old_journal_is_put_aside(tmp_path: Path, serial: Merged) -> None:
    done(tmp_path / "j.ndjson", examples=60)
    old = (tmp_path / "j.ndjson").read_bytes()
    assert done(tmp_path / "j.ndjson", examples=FEW) == serial
    assert (tmp_path / "j.before.ndjson").read_bytes() == old


def test_a_journal_of_another_campaign_is_not_gone_on_with(tmp_path: Path) -> None:
    done(tmp_path / "j", examples=1)
    with pytest.raises(InputError, match="another campaign") as error:
        done(tmp_path / "j", replace(WRONG, seed=8), resume=True, examples=1)
    assert error.value.why == "seed 7 there, 8 asked for."


@pytest.mark.parametrize("line", [b"{]\n", b"3\n"])
def test_a_journal_that_is_wrong_in_the_middle_is_an_error(tmp_path: Path, line: bytes) -> None:
    done(tmp_path / "j", examples=1)
    path = tmp_path / "j"
    path.write_bytes(path.read_bytes() + line + b"{}\n")
    with pytest.raises(InputError) as error:
        done(path, resume=True, examples=1)
    assert error.value.where == f"{path}:3"


def test_killed_in_the_middle_a_campaign_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j"
    code = "import sys; from pathlib import Path; from tests.unit.conform.test_campaign import done; "
    run = [sys.executable, "-c", f"{code}done(Path(sys.argv[1]), examples=1000)", str(path)]
    with subprocess.Popen(run, cwd=ROOT) as process:
        while not path.exists() or path.read_bytes().count(b"\n") < 3:
            assert process.poll() is None
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    finished = path.read_bytes().count(b"\n") - 1
    assert 2 <= finished < 20
    again = done(path, resume=True, examples=SIZE * (finished + 1))
    assert again.resumed == SIZE * finished
    assert replace(again, resumed=0) == done(tmp_path / "other", examples=SIZE * (finished + 1))


def test_time_that_is_over_ends_a_campaign(tmp_path: Path) -> None:
    got = done(tmp_path / "j", seconds=0.2)
    assert 0 < got.tried < 5000
    (*_, last) = (tmp_path / "j").read_text().splitlines()
    assert done(tmp_path / "j", resume=True, seconds=json.loads(last)["seconds"]).tried == got.tried


def test_a_backend_that_ends_its_process_is_told_of_and_the_campaign_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [range(SIZE), range(SIZE, 2 * SIZE)]
    declared = Reference().declare()
    longest = [max(len(drawn(WRONG.seed, number, declared).steps) for number in row) for row in rows]
    monkeypatch.setenv(named.LEAVES, str(max(longest)))
    plan = replace(WRONG, backend="tests.support.named:leaves_at_times")
    got = done(tmp_path / "j", plan, executor="processes:1", examples=2 * SIZE)
    assert longest[0] != longest[1]
    first = SIZE * longest.index(max(longest))
    why = f"the worker process died while scenarios {first} to {first + SIZE - 1} ran"
    assert [(m.failure, m.why, m.number, m.count) for m in got.mishaps] == [("worker-died", why, first, SIZE)]
    assert got.statuses == {"ERRORED": SIZE, "PASSED": SIZE}


def test_a_scenario_that_goes_wrong_is_counted_and_the_rest_is_tried(tmp_path: Path) -> None:
    got = done(tmp_path / "j", replace(WRONG, backend="tests.support.named:errs_at_times"), examples=100)
    assert got.tried == 100
    (mishap,) = got.mishaps
    assert (mishap.failure, mishap.why) == ("odd", "it does not like odd numbers of steps")
    assert 0 < mishap.count == got.statuses["ERRORED"] < 100
    assert got.statuses["PASSED"] == 100 - mishap.count


def test_a_backend_that_cannot_be_opened_makes_its_row_go_wrong() -> None:
    got = tried(Work("no.such:thing", 0, 4, 200, 50))
    assert (got.number, got.tried, got.statuses) == (4, 50, {"ERRORED": 50})
    assert got.mishaps[0].failure == "cannot-start"
    assert "no module" in got.mishaps[0].why


def test_batches_are_merged_in_any_order() -> None:
    first = Batch(0, 50, 10, {"FAILED": 2}, {"G1": 3}, {"G1": 2}, (Failure("G1", 4, 9),), (Mishap("x", "a", "", 7, 2),))
    second = Batch(1, 50, 5, {"FAILED": 1}, {"G2": 1}, {"G1": 1}, (Failure("G1", 60, 3),), (Mishap("x", "b", "", 61),))
    got = Merged.of({1: second, 0: first})
    assert got == Merged.of({0: first, 1: second})
    assert (got.tried, got.events, got.statuses, got.exercised) == (100, 15, {"FAILED": 3}, {"G1": 3, "G2": 1})
    assert got.failures == (Failure("G1", 60, 3), Failure("G1", 4, 9))
    assert got.mishaps == (Mishap("x", "a", "", 7, 3),)
    assert Batch.read(json.loads(json.dumps(first.form()))) == first


def test_of_many_failures_the_shortest_are_kept() -> None:
    batches = {n: Batch(n, 1, failures=(Failure("G1", n, 50 - n),)) for n in range(30)}
    assert [f.steps for f in Merged.of(batches).failures] == [21 + k for k in range(KEPT)]
