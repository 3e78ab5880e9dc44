"""Whatever part of a queue's records is there, the judge finds no fault that the whole does not have."""

import shutil
from itertools import combinations

import pytest
from quotaproof.checker.judge.history import judge_history
from quotaproof.spec.formats import InputError
from quotaproof.spec.readings import Readings

from ...support.histories import DEMO, history

PARTS = ("cloudtrail.ndjson", "eventbridge.ndjson", "jobs-0500", "jobs-0610", "jobs-0900", "jobs-1500")


@pytest.mark.parametrize("left_out", range(len(PARTS)))
def test_no_part_of_the_records_alone_breaks_a_rule(left_out, tmp_path):
    for n, parts in enumerate(combinations(PARTS, len(PARTS) - left_out)):
        folder = tmp_path / str(n)
        folder.mkdir()
        for file in DEMO.glob("*.json"):
            shutil.copy(file, folder)
        for part in parts:
            whole = DEMO / "history" / part
            (shutil.copytree if whole.is_dir() else shutil.copy)(whole, folder / part)
        try:
            found = history(folder)
        except InputError:
            continue
        assert judge_history(found, Readings(), cap=64).faults == (), parts
