"""Reading is fast, and what it needs only sometimes is loaded only then."""

from __future__ import annotations

import subprocess
import sys
import time


def test_1000_shares_of_8_units_are_read_well_under_half_a_second(read, write, share):
    shares = [share(f"s{i}", limits={f"ml.u{j}": j + 1 for j in range(8)}) for i in range(1000)]
    path = write("l.json", {"quotaShares": shares})
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        loaded = read(path)
        best = min(best, time.perf_counter() - start)
    assert len(loaded.config.shares) == 1000
    assert best < 0.4


def test_a_mistake_in_a_huge_file_is_named_at_once_without_its_line(refused, write):
    path = write("l.json", '{"quotaShares": [' + '{"x": 1}, ' * 1_000_000 + "{}]}")
    start = time.perf_counter()
    error = refused(path)
    assert time.perf_counter() - start < 10
    assert error.where == "l.json, quotaShares[0].x"


def test_parsers_that_json_does_not_need_are_not_imported(examples):
    code = (
        "import sys\n"
        "from quotaproof.spec.formats import load\n"
        "from quotaproof.spec.readings import Readings\n"
        f"load([{str(examples / 'walkthrough')!r}], readings=Readings())\n"
        "print(sorted({'yaml', 'json_source_map', 'jsonschema', 'difflib'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
