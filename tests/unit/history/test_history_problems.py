"""What is wrong is named with its place, the rest is read, and nothing of a payload stays."""

from __future__ import annotations

import gzip
import json
import pickle
from contextlib import suppress

import pytest
from quotaproof.spec import events as ev
from quotaproof.spec.formats import InputError, load
from quotaproof.spec.formats.history import load_history
from quotaproof.spec.model import Stage
from quotaproof.spec.observations import Preempted, Reached, Rejected, Retried, Submitted
from quotaproof.spec.readings import Readings

from ...support.aws_records import recorded
from ...support.aws_runs import START
from ...support.histories import DEMO, HIGH, LOG, LOW, MED, TRAIL, gist, history, lines, ndjson, observed, sentences
from ...support.queues import queue, share

REST = [*sorted(DEMO.glob("*.json")), *sorted((DEMO / "history").glob("jobs-*"))]


def changed(tmp_path, change, source=LOG):
    """The demo with one file changed as text, line by line."""
    text = source.read_text().splitlines()
    change(text)
    (tmp_path / "changed.ndjson").write_text("\n".join(text))
    return history(tmp_path / "changed.ndjson", TRAIL if source is LOG else LOG, *REST)


def edited(tmp_path, number, source=LOG, **fields):
    """The demo with fields of one record changed; detail_x is field x of its detail."""

    def change(text):
        record = json.loads(text[number - 1])
        for key, value in fields.items():
            inner, _, name = key.partition("_")
            (record["detail"] if inner == "detail" else record)[name or key] = value
        text[number - 1] = json.dumps(record)

    return changed(tmp_path, change, source)


CUTS = {
    "the end of the file": (22, lambda text: text[:200]),
    "the middle of a string": (4, lambda text: text[:75]),
    "behind a comma": (4, lambda text: text[: text.index(",") + 1]),
    "the first brackets": (1, lambda text: text[:2]),
}


@pytest.mark.parametrize("cut", CUTS)
def test_a_line_that_is_cut_off_is_named_and_the_others_are_read(cut, tmp_path):
    number, shorten = CUTS[cut]

    def change(text):
        text[number - 1] = shorten(text[number - 1])

    found = changed(tmp_path, change)
    assert f"changed.ndjson:{number}: " in sentences(found)
    assert len(found.problems) == 1
    assert len(observed(found)) >= 20


def test_a_wrong_byte_is_named_and_the_others_are_read(tmp_path):
    text = LOG.read_bytes().replace(b'"qs1_job_high"', b'"qs1_\xff"', 1)
    (tmp_path / "x.json").write_bytes(text)
    found = history(tmp_path / "x.json", TRAIL, *REST)
    assert sentences(found) == "x.json:1: it is not UTF-8; it is left out"


def test_gzip_that_ends_early_is_named_and_its_beginning_is_read(tmp_path):
    events = [dict(e, noise=hash(str(n)) % 10**9 * 10**9) for n, e in enumerate(lines(LOG) * 60)]
    packed = gzip.compress(ndjson(events).encode())
    (tmp_path / "x.json.gz").write_bytes(packed[: len(packed) // 2])
    found = history(tmp_path / "x.json.gz", TRAIL, *REST)
    assert "the gzip data is damaged or ends early" in sentences(found)
    assert len(observed(found)) >= 21


def test_a_state_that_aws_does_not_have_is_named(tmp_path):
    found = edited(tmp_path, 4, detail_status="QUEUED")
    assert sentences(found) == 'changed.ndjson:4: "QUEUED" is no state of a service job; the record is left out'


@pytest.mark.parametrize("time", ["yesterday", "2026-11-02T15:00:06", None, 12])
def test_a_time_that_is_none_is_named(time, tmp_path):
    found = edited(tmp_path, 4, time=time)
    assert "changed.ndjson:4: time is" in sentences(found)


def test_a_time_before_the_job_was_created_is_named(tmp_path):
    found = edited(tmp_path, 4, time="2026-11-02T14:00:06Z")
    assert f"changed.ndjson:4: job {HIGH} is SCHEDULED 3593 s before it was created" in sentences(found)


def test_a_job_that_moves_after_its_end_is_told_as_it_was_seen(tmp_path):
    def change(text):
        record = json.loads(text[7])
        for status, time in (("SUCCEEDED", "15:30:00"), ("RUNNING", "15:40:00")):
            record["detail"] = {**record["detail"], "status": status, "latestAttempt": {}}
            text.append(json.dumps({**record, "time": f"2026-11-02T{time}Z"}))

    found = changed(tmp_path, change)
    last = [what for what in observed(found) if getattr(what, "job", "") == HIGH][-3:]
    assert last == [ev.Finish(HIGH), ev.Dispatch(HIGH), Reached(HIGH, Stage.RUNNING)]


def test_a_job_that_waits_after_its_end_is_told_as_it_was_seen(tmp_path):
    def change(text):
        record = json.loads(text[7])
        for status, time in (("SUCCEEDED", "15:30:00"), ("RUNNABLE", "15:40:00")):
            record["detail"] = {**record["detail"], "status": status, "latestAttempt": {}}
            text.append(json.dumps({**record, "time": f"2026-11-02T{time}Z"}))

    last = [what for what in observed(changed(tmp_path, change)) if getattr(what, "job", "") == HIGH][-2:]
    assert last == [ev.Finish(HIGH), Retried(HIGH)]


def test_a_job_that_was_never_submitted_is_named(tmp_path):
    found = edited(tmp_path, 11, detail_preemptedJobArn="arn:aws:batch:us-east-1:123456789012:service-job/ghost")
    assert "changed.ndjson:11: job ghost cannot be judged, submission and share and size unknown" in sentences(found)


def test_two_records_that_contradict_each_other_are_named(tmp_path):
    found = edited(tmp_path, 9, detail_jobName="other")
    assert f'name of job {MED} is "other", elsewhere "qs1_job_med"' in sentences(found) or (
        f'name of job {MED} is "qs1_job_med", elsewhere "other"' in sentences(found)
    )


def test_many_broken_lines_are_counted(tmp_path):
    def change(text):
        text[:0] = ['{"a": '] * 40

    found = changed(tmp_path, change)
    assert len(found.problems) == 6
    assert "35 more places cannot be read" in sentences(found)


def test_other_events_and_calls_are_left_out_with_their_number(tmp_path):
    def change(text):
        for source, kind in (
            ("aws.ec2", "EC2 Instance State-change Notification"),
            ("aws.batch", "Batch Job State Change"),
        ):
            text.append(
                json.dumps({"detail-type": kind, "source": source, "time": "2026-11-02T15:00:06Z", "detail": {}})
            )
        for service, name in (("s3", "GetObject"), ("batch", "DescribeJobQueues"), ("batch", "DescribeJobQueues")):
            call = {"eventSource": f"{service}.amazonaws.com", "eventName": name, "eventTime": "2026-11-02T15:00:06Z"}
            text.append(json.dumps(call))

    found = changed(tmp_path, change)
    assert gist(found) == gist(history(LOG, TRAIL, *REST))
    left = "\n".join(found.left_out)
    assert "1 record: EventBridge, EC2 Instance State-change Notification: not of service jobs" in left
    assert "1 record: EventBridge, Batch Job State Change: not of service jobs" in left
    assert "1 record: CloudTrail, s3.amazonaws.com: another service" in left
    assert "2 records: CloudTrail, DescribeJobQueues: it changes nothing in a quota-share queue" in left


def test_a_refused_submission_is_seen_and_a_call_without_rights_is_not(tmp_path):
    def change(text):
        for code in ("ClientException", "AccessDenied"):
            record = json.loads(text[3])
            text.append(
                json.dumps(record | {"errorCode": code, "errorMessage": "QS1 is disabled", "responseElements": None})
            )

    found = changed(tmp_path, change, TRAIL)
    (rejected,) = [w for w in observed(found) if isinstance(w, Rejected)]
    assert rejected == Rejected("qs1_job_high", "QS1", "ClientException: QS1 is disabled")
    assert "1 record: CloudTrail, SubmitServiceJob: refused, AccessDenied" in found.left_out


def test_a_list_that_is_not_complete_is_named(tmp_path):
    listed = json.loads(next(DEMO.glob("history/jobs-1500/list*RUNNABLE.json")).read_text())
    (tmp_path / "list.json").write_text(json.dumps(listed | {"nextToken": "abc"}))
    found = history(DEMO, tmp_path / "list.json")
    assert sentences(found) == "list.json:1: the list is incomplete: it ends with a nextToken; it is left out"


def test_a_long_silence_in_which_jobs_moved_is_a_gap(tmp_path):
    config = queue(4, share("a", 4))
    run = []
    for n in range(40):
        at = START + n * 60_000 + (3 * 3_600_000 if n >= 20 else 0)
        run += [
            (at, ev.Submit(f"j{n}", "a", {"u": 1})),
            (at + 2000, ev.Dispatch(f"j{n}")),
            (at + 50_000, ev.Finish(f"j{n}")),
        ]
    run.insert(60, (START + 20 * 60_000, ev.Submit("long", "a", {"u": 1})))
    run.insert(61, (START + 22 * 60_000, ev.Dispatch("long")))
    run.append((START + 7 * 3_600_000, ev.Finish("long")))
    made = recorded(config, run)
    made.events[:] = [e for e in made.events if not ("long-1" in str(e) and e["detail"]["status"] == "SCHEDULED")]
    made.jobs["long"].pop("scheduledAt")
    found = history(made.write(tmp_path))
    for gap in found.completeness.gaps:  # it can lie in either
        assert "a move of a job that must have happened is missing" in gap.why
        assert gap.end - gap.start > 2 * 3_600_000
    assert len(found.completeness.gaps) == 2
    inferred = [s for s in found.seen() if s.inferred]
    assert [s.what for s in inferred] == [ev.Dispatch("long")]


def test_running_and_waiting_again_without_a_preemption_is_a_retry_where_attempts_allow(tmp_path):
    for attempts, expected in ((3, [Retried]), (1, [Preempted])):
        made = recorded(queue(2, share("a", 2)), [
            (START, ev.Submit("j", "a", {"u": 1})), (START + 5000, ev.Dispatch("j")), (START + 9000, ev.Advance("j")),
            (START + 19_000, ev.Advance("j"))])  # fmt: skip
        made.events.append(
            json.loads(json.dumps(made.events[-1]).replace("RUNNING", "RUNNABLE")) | {"time": "2026-11-02T16:00:00Z"}
        )
        made.jobs["j"]["retryStrategy"] = {"attempts": attempts}
        found = history(made.write(tmp_path / str(attempts)))
        assert [type(w) for w in observed(found)][-1:] == expected


def test_jobs_that_somebody_terminates_together_are_terminated(tmp_path):
    made = recorded(queue(2, share("a", 2)), [(START, ev.Submit("j", "a", {"u": 1})), (START + 5000, ev.Dispatch("j")),
                                              (START + 9000, ev.Finish("j", failed=True))])  # fmt: skip
    assert observed(history(made.write(tmp_path)))[-1] == ev.Finish("j", failed=True)
    together = json.loads(json.dumps(made.calls[0])) | {"eventName": "TerminateServiceJobs", "eventID": "t"}
    made.calls.append(
        together | {"eventTime": "2026-11-02T15:00:07Z", "requestParameters": {"jobs": ["j", "k"], "reason": "r"}}
    )
    assert observed(history(made.write(tmp_path)))[-1] == ev.Terminate("j")


def test_of_a_payload_nothing_stays_but_what_counts(tmp_path):
    secret = "hunter2-in-the-environment"
    payload = {
        "TrainingJobName": "x",
        "Environment": {"TOKEN": secret},
        "ResourceConfig": {"InstanceType": "u", "InstanceCount": 2, "TrainingPlanArn": "arn:plan"},
        "CheckpointConfig": {"S3Uri": "s3://bucket/checkpoints", "LocalPath": secret},
    }
    made = recorded(queue(2, share("a", 2)), [(START, ev.Submit("j", "a", {"u": 2})), (START + 5000, ev.Dispatch("j"))])
    made.jobs["j"]["serviceRequestPayload"] = json.dumps(payload)
    made.jobs["j"]["tags"] = {"secret": secret}
    del made.jobs["j"]["capacityUsage"]
    found = history(made.write(tmp_path))
    (submitted,) = [w for w in observed(found) if isinstance(w, Submitted)]
    assert submitted.size == {"u": 2}
    assert submitted.facts.checkpoint == "s3://bucket/checkpoints"
    assert submitted.facts.training_plan is True
    assert secret.encode() not in pickle.dumps(found)
    assert secret not in repr(found)


def test_a_broken_record_does_not_show_its_text(tmp_path):
    def change(text):
        text[3] = '{"Environment": {"TOKEN": "hunter2"' + text[3][20:]

    found = changed(tmp_path, change)
    assert "hunter2" not in repr(found.problems) + repr(found.left_out)
    assert found.problems


def test_a_hostile_name_cannot_act_on_a_terminal(tmp_path):
    found = edited(tmp_path, 11, detail_preemptedJobArn="arn:x/\x1b[31mred")
    assert "\x1b" not in sentences(found)


@pytest.mark.parametrize("paths", [[], [""], ["nowhere"], ["\0"]])
def test_paths_that_are_none_are_an_input_error(paths):
    with pytest.raises(InputError) as error:
        load_history(paths, readings=Readings())
    assert error.value.fix


def test_files_without_a_history_are_an_input_error(tmp_path):
    with pytest.raises(InputError, match="holds no file"):
        history(tmp_path)
    with pytest.raises(InputError, match="there is no history in these files"):
        history(*DEMO.glob("*.json"))


def test_other_files_beside_a_history_are_left_out_by_name(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing\n")
    (tmp_path / "photo.json").write_text('{"width": 3}')
    (tmp_path / "data.bin").write_bytes(b"\0\1\2")
    found = history(DEMO, tmp_path)
    left = "\n".join(found.left_out)
    assert "notes.txt: " in left
    assert "photo.json: unknown kind of file" in left
    assert "data.bin: it is not text" in left
    assert not found.problems


def test_verify_points_from_a_history_to_audit():
    loaded = load([*map(str, DEMO.glob("*.json")), str(DEMO / "history" / "jobs-1500")], readings=Readings())
    assert all("`quotaproof audit` reads it" in line for line in loaded.left_out)
    assert len(loaded.left_out) == 8


def test_priorities_count_from_the_start_only_where_cloudtrail_covers_the_life(tmp_path):
    (tmp_path / "trail.ndjson").write_text(ndjson([r for r in lines(TRAIL) if "qs1_job_low" not in json.dumps(r)]))
    found = history(tmp_path, LOG, *REST)
    assert found.jobs[LOW].priority is None
    assert found.jobs[HIGH].priority == 3
    late = [r for r in lines(TRAIL) if "qs1_job_low" not in json.dumps(r) and "qs1_job_med" not in json.dumps(r)]
    (tmp_path / "trail.ndjson").write_text(ndjson(late))
    found = history(tmp_path, LOG, *REST)
    assert found.jobs[MED].priority == 2


def test_a_folder_without_records_is_named_itself_and_says_what_it_holds(tmp_path):
    for n in range(30):
        (tmp_path / f"{n}.json").write_text('{"a": "tab\there"}')
    with pytest.raises(InputError, match="there is no history in these files") as error:
        history(tmp_path)
    assert error.value.where == str(tmp_path)
    assert "Left out: 0.json:1: it is not JSON: invalid" in error.value.why and "and 27 more" in error.value.why
    (tmp_path / "e").mkdir()
    with pytest.raises(InputError) as error:
        (tmp_path / "e" / "x.json").write_text("[]")
        history(tmp_path / "e")
    assert "nothing" not in error.value.why


@pytest.mark.parametrize(
    "values",
    [
        (None, -1, [1]),
        pytest.param((0, 1.5, True, "", "x", [], {}, {"a": 1}, 10**30), marks=pytest.mark.campaign),
    ],
)
def test_nothing_but_an_input_error_escapes_when_fields_are_of_any_type(values, tmp_path):
    described = json.loads(next(DEMO.glob("history/jobs-1500/describe*med.json")).read_text())
    for record in (lines(LOG)[12], lines(TRAIL)[0], lines(TRAIL)[3], described):
        for path in paths(record):
            for value in values:
                copy = json.loads(json.dumps(record))
                at = copy
                for key in path[:-1]:
                    at = at[key]
                at[path[-1]] = value
                (tmp_path / "x.json").write_text(json.dumps(copy))
                with suppress(InputError):
                    list(history(tmp_path / "x.json", *DEMO.glob("*.json")).seen())


def paths(tree, before=()):
    for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
        yield (*before, key)
        if isinstance(value, dict | list):
            yield from paths(value, (*before, key))
