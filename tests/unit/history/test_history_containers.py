"""However records were exported, they are the same history."""

from __future__ import annotations

import gzip
import io
import json
import random
import sys
from datetime import UTC, datetime

import pytest

from ...support.histories import DEMO, LOG, TRAIL, gist, history, lines, ndjson, sentences

REST = [*sorted(DEMO.glob("*.json")), *sorted((DEMO / "history").glob("jobs-*"))]
PLAIN = gist(history(LOG, TRAIL, *REST))


def filter_log_events(records):
    events = [
        {"logStreamName": "x", "timestamp": n, "message": json.dumps(r), "eventId": str(n)}
        for n, r in enumerate(records)
    ]
    return json.dumps({"events": events, "searchedLogStreams": []}, indent=4)


def logs_export(records):
    return "".join(f"{datetime(2026, 11, 2, 15, tzinfo=UTC).isoformat()}Z {json.dumps(r)}\n" for r in records)


def lookup_events(records):
    events = [{"EventId": str(n), "Username": "alice", "CloudTrailEvent": json.dumps(r)} for n, r in enumerate(records)]
    return json.dumps({"Events": events})


def notification(record):
    return {"Type": "Notification", "MessageId": "1", "Message": json.dumps(record)}


ANY = {
    "NDJSON": ndjson,
    "NDJSON with Windows line ends": lambda records: ndjson(records).replace("\n", "\r\n"),
    "NDJSON without a last line end": lambda records: ndjson(records).rstrip("\n"),
    "an array": json.dumps,
    "an indented array": lambda records: json.dumps(records, indent=2),
    "indented objects": lambda records: "\n".join(json.dumps(r, indent=2) for r in records),
    "Firehose": lambda records: "".join(json.dumps(r) for r in records),
    "filter-log-events": filter_log_events,
    "a log export": logs_export,
    "a log subscription": lambda records: json.dumps({"logEvents": [{"message": json.dumps(r)} for r in records]}),
    "SQS messages": lambda records: json.dumps({"Messages": [{"Body": json.dumps(r)} for r in records]}),
    "SNS in SQS": lambda records: json.dumps({"Messages": [{"Body": json.dumps(notification(r))} for r in records]}),
    "SQS to a function": lambda records: json.dumps({"Records": [{"body": json.dumps(r)} for r in records]}),
    "SNS to a function": lambda records: json.dumps(
        {"Records": [{"Sns": {"Message": json.dumps(r)}} for r in records]}
    ),
    "an array of texts": lambda records: json.dumps([json.dumps(r) for r in records]),
}
TRAIL_ONLY = {
    "Records": lambda records: json.dumps({"Records": records}),
    "lookup-events": lookup_events,
    "lookup-events, indented": lambda records: json.dumps(json.loads(lookup_events(records)), indent=4),
    "CloudTrail by EventBridge": lambda records: ndjson(
        [{"detail-type": "AWS API Call via CloudTrail", "source": "aws.batch", "detail": r} for r in records]
    ),
}


@pytest.mark.parametrize("container", ANY)
def test_every_container_gives_the_same_history(container, tmp_path):
    for name, source in (("events.json", LOG), ("trail.json", TRAIL)):
        (tmp_path / name).write_text(ANY[container](lines(source)))
    found = history(tmp_path, *REST)
    assert not found.problems, sentences(found)
    assert gist(found) == PLAIN


@pytest.mark.parametrize("container", TRAIL_ONLY)
def test_every_container_of_cloudtrail_gives_the_same_history(container, tmp_path):
    (tmp_path / "trail.json").write_text(TRAIL_ONLY[container](lines(TRAIL)))
    found = history(tmp_path, LOG, *REST)
    assert not found.problems, sentences(found)
    assert gist(found) == PLAIN


def test_gzip_folders_in_folders_and_files_without_extension_are_read(tmp_path):
    for n, event in enumerate(lines(LOG)):
        folder = tmp_path / "2026" / "11" / "02" / str(n % 3)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"stream-{n}").write_text(json.dumps(event))
    (tmp_path / "trail.json.gz").write_bytes(gzip.compress(json.dumps({"Records": lines(TRAIL)}).encode()))
    (tmp_path / "README.md").write_text("# notes")
    found = history(tmp_path, *REST)
    assert gist(found) == PLAIN
    assert any("README.md" in line for line in found.left_out)


def test_standard_input_is_read(monkeypatch):
    from quotaproof.spec.formats import trace_lines

    trace_lines.standard_input.cache_clear()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(LOG.read_bytes())))
    assert gist(history("-", TRAIL, *REST)) == PLAIN
    trace_lines.standard_input.cache_clear()


def test_what_powershell_writes_is_read(tmp_path):
    (tmp_path / "events.json").write_text(ndjson(lines(LOG)), encoding="utf-16")
    assert gist(history(tmp_path, TRAIL, *REST)) == PLAIN


@pytest.mark.parametrize("seed", range(5))
def test_any_order_and_any_file_names_give_the_same_history(seed, tmp_path):
    rng = random.Random(seed)
    records = [*lines(LOG), *lines(TRAIL)]
    rng.shuffle(records)
    for n in range(4):
        (tmp_path / f"{rng.random()}.json").write_text(ndjson(records[n::4]))
    rest = list(REST)
    rng.shuffle(rest)
    found = history(*rest, tmp_path)
    assert gist(found) == PLAIN


def test_what_is_there_twice_counts_once_and_is_counted(tmp_path):
    late = lines(LOG)[3:9]
    (tmp_path / "again.json").write_text(ndjson([*late, *lines(TRAIL)]))
    found = history(LOG, TRAIL, *REST, tmp_path)
    assert gist(found) == PLAIN
    assert "14 records are there more than once and count once" in found.notes


def test_a_record_across_the_border_of_two_reads_is_whole(tmp_path, monkeypatch):
    from quotaproof.spec.formats.aws_history import containers

    for size in (7, 64, 1000):
        monkeypatch.setattr(containers, "_CHUNK", size)
        for n, container in enumerate((ndjson, ANY["Firehose"], ANY["an indented array"], TRAIL_ONLY["Records"])):
            (tmp_path / "trail.json").write_text(container(lines(TRAIL)))
            assert gist(history(tmp_path / "trail.json", LOG, *REST)) == PLAIN, (size, n)
