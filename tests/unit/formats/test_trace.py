"""The trace form: what is written is read again; what cannot be used is named with its line, and the rest is read."""

from __future__ import annotations

import gzip
import io
import json
import sys
from typing import get_args

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quotaproof.spec import events as ev
from quotaproof.spec.formats import trace as module
from quotaproof.spec.formats import trace_lines, trace_problems
from quotaproof.spec.formats.errors import InputError
from quotaproof.spec.formats.history import load_history
from quotaproof.spec.formats.trace import is_trace, read_trace
from quotaproof.spec.formats.trace_schema import schema
from quotaproof.spec.formats.trace_table import write_table
from quotaproof.spec.model import Stage, State, Strategy
from quotaproof.spec.observations import Observation, Preempted, Preempting, Reached, Seen, Submitted
from quotaproof.spec.readings import Readings

from ...support.observations import FIRST, JOBS, observation, seen, written
from ...support.queues import queue, share, walkthrough
from ...support.scenarios import ROOT

SHIPPED = json.loads((ROOT / "spec" / "schemas" / "trace.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SHIPPED)
repeatable = settings(derandomize=True, deadline=None, max_examples=300, database=None,
                      suppress_health_check=[HealthCheck.function_scoped_fixture])  # fmt: skip


def saved(folder, text, name="trace.ndjson"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def bare(found):
    return [(one.at, one.until, one.what) for one in found]


@repeatable
@given(what=observation, at=st.integers(0, 2**41), width=st.integers(0, 10**6), ordered=st.booleans())
def test_every_observation_is_read_back_equal_and_fits_the_schema(tmp_path, what, at, width, ordered):
    observations = [*FIRST, Seen(at, at + width, what)]
    text = written(observations, ordered=ordered)
    history = read_trace(saved(tmp_path, text))
    assert bare(history.seen()) == bare(observations)
    assert history.problems == []
    for line in text.splitlines():
        VALIDATOR.validate(json.loads(line))


def test_every_kind_of_observation_is_drawn():
    drawn = set()

    @settings(derandomize=True, database=None, max_examples=1000)
    @given(observation)
    def draw(what):
        drawn.add(type(what))

    draw()
    assert drawn == set(get_args(Observation))


def test_the_schema_that_is_shipped_is_that_of_the_words():
    assert schema() == SHIPPED


@pytest.mark.parametrize("state", list(State))
def test_the_configuration_is_read_back_equal(tmp_path, state):
    config = queue({"u": 3, "w": 0}, share("a", {"u": 1, "w": 2}, "LEND_AND_BORROW", -1, in_share=True, state=state),
                   share("b", 2, "RESERVE"))  # fmt: skip
    disabled = config.environment.model_copy(update={"state": state})
    config = config.model_copy(update={"environment": disabled})
    history = read_trace(saved(tmp_path, written(FIRST[:0], config, ordered=True, claims=False)))
    assert (history.config, history.ordered, history.claims) == (config, True, False)


def test_the_own_form_and_iso_times_are_read(tmp_path):
    own = {
        "quotaproof": 1,
        "queue": "q",
        "environment": {"u": 2},
        "shares": [{"name": "a", "limits": {"u": 2}, "strategy": "LEND"}],
    }
    lines = [
        {"trace": 1, "queue": "q", "config": own},
        {"at": "2026-03-16T19:57:27Z", "submit": "x", "share": "a", "size": {"u": 1}, "retries": None},
        {"until": "2026-03-16T20:57:28.5+01:00", "at": "2026-03-16T19:57:27.25Z", "dispatch": "x"},
        {
            "at": 1773691050000,
            "share": "a",
            "limits": {"u": 1},
            "strategy": "LEND",
            "inSharePreemption": True,
            "state": "DISABLED",
        },
    ]
    history = read_trace(saved(tmp_path, "\n".join(json.dumps(line, indent=None) for line in lines)))
    assert history.config.shares == (share("a", 2),) and not history.ordered
    second = 1773691047000
    assert bare(history.seen()) == [
        (second, second, Submitted("x", "a", {"u": 1})),
        (second + 250, second + 1500, ev.Dispatch("x")),
        (second + 3000, second + 3000, ev.SetLimits("a", {"u": 1})),
        (second + 3000, second + 3000, ev.SetSharing("a", Strategy.LEND)),
        (second + 3000, second + 3000, ev.SetInShare("a", True)),
        (second + 3000, second + 3000, ev.SetShareState("a", State.DISABLED)),
    ]
    assert (history.start, history.end, history.problems) == (second, second + 3000, [])


def test_an_absent_field_is_not_known_and_null_retries_are_without_limit(tmp_path):
    line = '{"at":1,"submit":"x","share":"QS1","size":{"u":1}'
    text = written([]) + line + "}\n" + line.replace("x", "y") + ',"retries":null}\n'
    x, y = (one.what for one in read_trace(saved(tmp_path, text)).seen())
    assert (x.retries, x.retries_known, x.priority) == (None, False, None)
    assert (y.retries, y.retries_known) == (None, True)


BAD = {
    '{"at":5,"dispatch":"a"': "not valid JSON",
    '{"at":5,"dispatch":"a"} {"at":5}': "not valid JSON",
    '{"at":5,"dispach":"a"}': '"dispach" is no event; did you mean dispatch?',
    '{"at":5}': "the line says no event",
    '{"at":5,"dispatch":7}': "7 is not text; write text.",
    '{"at":5,"dispatch":"a","victims":["a"]}': '"victims" is not known here',
    '{"at":5,"dispatch":"a","finish":"a"}': "dispatch and finish stand in one line",
    '{"at":5,"dispatch":"a","dispatch":"d"}': '"dispatch" is given twice',
    '{"at":5,"submit":"x","share":"QS1"}': "size is missing; add size.",
    '{"at":5,"submit":"x","share":"QS1","size":{"u":0}}': "0 is out of range",
    '{"at":5,"submit":"x","share":"QS1","size":{"u":true}}': "true is not a whole number",
    '{"at":5,"submit":"x","share":"QS1","size":{"u":1,"u":2}}': '"u" is given twice',
    '{"at":5,"submit":"x","share":"QS1","size":{}}': "it is empty",
    '{"at":5,"submit":"x","share":"QS9","size":{"u":1}}': 'there is no share "QS9"; did you mean QS',
    '{"at":5,"dispatch":"nobody"}': 'the job "nobody" was never submitted',
    '{"at":5,"claim":"a","victims":["nobody"]}': 'the job "nobody" was never submitted',
    '{"at":5,"preempt":"a","claimant":"nobody"}': 'the job "nobody" was never submitted',
    '{"at":5,"share":"QS1"}': "nothing of the share changes",
    '{"at":5,"share":"QS1","borrowLimit":5}': "borrowLimit stands without a strategy",
    '{"at":5,"share-created":{"name":"x"}}': "limits",
    '{"at":5,"environment":{"u":-1}}': "-1 is out of range",
    '{"at":5,"settled":false}': "settled is false; write true.",
    '{"at":NaN,"dispatch":"a"}': "NaN is not a number",
    '{"at":5.5,"dispatch":"a"}': "5.5 is no time",
    '{"at":"yesterday","dispatch":"a"}': '"yesterday" is no time',
    '{"at":"2026-03-16T19:57:27","dispatch":"a"}': "is no time; write milliseconds since 1970, or ISO 8601 with its offset",
    '{"at":5,"until":4,"dispatch":"a"}': "until is 1 ms before at",
    '{"dispatch":"a"}': "the line does not say when",
    '{"at":99999999999999999999999999999999,"dispatch":"a"}': "number of 32 characters",
    "[1]": "a list is not an object",
    '{"trace":1,"config":{}}': "a second header",
    "[" * 5000: "nested",
}  # fmt: skip


@pytest.mark.parametrize("line", BAD, ids=lambda line: line[:50])
def test_a_bad_line_is_named_and_the_others_are_read(tmp_path, line):
    start = written(seen(Reached("a", Stage.RUNNING)))
    number = start.count("\n") + 1
    history = read_trace(saved(tmp_path, f'{start}{line}\n{{"at":6,"dispatch":"d"}}\n'))
    for _ in range(2):
        found = list(history.seen())
        assert found[-1].what == ev.Dispatch("d") and len(found) == number - 1
        ((place, sentence),) = [(p.place, p.sentence) for p in history.problems]
        assert place == f"trace.ndjson:{number}"
        assert BAD[line] in sentence and "\n" not in sentence


def test_a_claim_that_is_missing_between_two_is_noticed(tmp_path):
    text = written(seen(ev.Claim("a"), ev.Claim("d", ("a",)))).replace('"number":2', '"number":3')
    history = read_trace(saved(tmp_path, text))
    assert len(list(history.seen())) == 6
    ((place, sentence),) = [(p.place, p.sentence) for p in history.problems]
    assert place == "trace.ndjson:7" and sentence.startswith("the claim is number 2 of the trace, not 3")


def test_time_that_goes_back_is_a_problem_of_an_ordered_trace(tmp_path):
    text = written(
        [*FIRST, Seen(50, 60, ev.Dispatch("a")), Seen(40, 40, ev.Finish("a")), Seen(70, 70, ev.Dispatch("d"))]
    )
    history = read_trace(saved(tmp_path, text))
    assert [(one.at, one.until) for one in history.seen()][-3:] == [(50, 60), (50, 50), (70, 70)]
    assert [(p.place, p.sentence) for p in history.problems] == [
        ("trace.ndjson:7", "the time goes back by 10 ms; it counts at the time before it")
    ]


def test_lines_of_a_trace_without_an_order_are_sorted_and_one_that_comes_too_late_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "_WINDOW", 4)
    late = [Seen(t, t, ev.SetPriority("a", 1)) for t in (10, 12, 11, 13, 14, 15, 5)]
    history = read_trace(saved(tmp_path, written([*FIRST, *late], ordered=False)))
    assert [one.at for one in history.seen()] == [0, 0, 0, 0, 10, 11, 12, 13, 14, 15]
    ((place, sentence),) = [(p.place, p.sentence) for p in history.problems]
    assert place == "trace.ndjson:12" and "sort the lines" in sentence


def test_of_very_many_problems_the_first_are_named_and_the_others_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(trace_problems, "_MOST", 3)
    bad = "".join(f'{{"at":5,"finish":"a","{"x" * n}\\"{"y" * n}":1}}\n' for n in range(1, 11))
    history = read_trace(saved(tmp_path, written(FIRST) + bad))
    list(history.seen())
    assert len(history.problems) == 4
    assert history.problems[-1].sentence == "7 further lines up to here cannot be used"


def test_the_same_mistake_in_many_lines_is_told_once_with_how_many_there_are(tmp_path):
    bad = "".join(f'{{"at":"16.03.2026 10:{n}","finish":"a"}}\n' for n in range(10, 30))
    history = read_trace(saved(tmp_path, written(FIRST) + "what\n" * 22 + bad))
    for _ in range(2):
        list(history.seen())
        first, *dates, rest = [(p.place, p.sentence) for p in history.problems]
        assert first[0] == "trace.ndjson:6" and first[1].endswith(" (22 lines like this, the first trace.ndjson:6)")
        assert [place for place, _ in dates] == [f"trace.ndjson:{n}" for n in (28, 29, 30)]
        assert rest[1].startswith('"16.03.2026 10:13" is no time')
        assert rest[1].endswith("(17 lines like this, the first trace.ndjson:31)")


def test_what_follows_from_a_submission_that_cannot_be_used_is_counted_once(tmp_path):
    lines = ['{"at":1,"submit":"x","share":"QS1"}', '{"at":2,"submit":"y","share":"QS9","size":{"u":1}}']
    lines += [
        f'{{"at":{n},"{word}":"{job}"}}' for n, word in enumerate(("dispatch", "run", "finish"), 3) for job in "xy"
    ]
    history = read_trace(saved(tmp_path, written(FIRST) + "\n".join(lines)))
    assert len(list(history.seen())) == len(FIRST)
    told = [p.sentence for p in history.problems]
    assert told[0] == "size is missing; add size."
    assert 'there is no share "QS9"' in told[1]
    assert told[2:] == ["the submission of its job cannot be used, and this line is left out with it "
                        "(6 lines like this, the first trace.ndjson:8)"]  # fmt: skip


def test_a_stop_that_a_claim_has_told_already_changes_nothing(tmp_path):
    claim = ev.Claim("d", ("a",))
    again = seen(
        claim, Preempting("a", "d"), Preempting("a"), Preempting("a", JOBS[2]), Preempted("a"), Preempting("a", "d")
    )
    history = read_trace(saved(tmp_path, written(again)))
    kept = [claim, Preempting("a", JOBS[2]), Preempted("a"), Preempting("a", "d")]
    assert [one.what for one in history.seen()][len(FIRST) :] == kept and history.problems == []


def test_lines_without_a_header_are_told_apart_from_files_without_records(tmp_path):
    path = saved(tmp_path, written(FIRST).split("\n", 1)[1])
    with pytest.raises(InputError, match="these are lines of a trace without its header") as error:
        load_history([path], readings=Readings())
    assert error.value.where == f"{path}:1" and '{"trace": 1, ' in error.value.fix


@pytest.mark.parametrize(
    ("first", "what"),
    [
        ("", "the first line is empty"),
        ("{", "not valid JSON"),
        ('{"trace":2,"config":{}}', "version 2 of the form is not known"),
        ('{"trace":1}', "config is missing"),
        ('{"trace":1,"config":[]}', "a list is not an object"),
        ('{"trace":1,"config":{"quotaproof":1}}', "queue is missing"),
        ('{"trace":1,"config":{"jobQueueName":"q"}}', "environment is missing"),
        ('{"trace":1,"ordered":1,"config":{}}', "1 is not true or false"),
    ],
)
def test_a_header_that_cannot_be_used_is_one_message_with_its_place(tmp_path, first, what):
    with pytest.raises(InputError, match=what) as error:
        read_trace(saved(tmp_path, first + '\n{"at":5,"dispatch":"a"}\n'))
    assert error.value.where.startswith("trace.ndjson:1")


def test_the_name_of_the_queue_has_to_be_that_of_its_configuration(tmp_path):
    text = written(FIRST).replace('"queue":"q"', '"queue":"other"')
    with pytest.raises(InputError, match='the queue is "other", its configuration is of "q"'):
        read_trace(saved(tmp_path, text))


def test_gzip_and_standard_input_are_read_as_often_as_needed(tmp_path, monkeypatch):
    text = written(seen(ev.Dispatch("a"), ev.Finish("a")))
    zipped = read_trace(saved(tmp_path, gzip.compress(text.encode()), "t.gz"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    trace_lines.standard_input.cache_clear()
    assert is_trace("-")
    piped = read_trace("-")
    expected = bare(seen(ev.Dispatch("a"), ev.Finish("a")))
    for history in (zipped, piped):
        assert bare(history.seen()) == bare(history.seen()) == expected
        assert (history.end, history.problems) == (2, [])
    trace_lines.standard_input.cache_clear()


def test_a_file_that_is_cut_off_is_named_and_what_is_there_is_read(tmp_path):
    text = written(seen(*[ev.SetPriority("a", i) for i in range(9000)]))
    plain = read_trace(saved(tmp_path, text[:-9]))
    assert len(list(plain.seen())) == len(FIRST) + 8999
    assert "not valid JSON" in plain.problems[0].sentence
    packed = gzip.compress(text.encode())
    cut = read_trace(saved(tmp_path, packed[: len(packed) // 2], "t.gz"))
    assert 0 < len(list(cut.seen())) < 9000
    assert any("cut off" in p.sentence for p in cut.problems)


def test_lines_that_are_no_text_or_too_long_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(trace_lines, "LONGEST", 1000)
    monkeypatch.setattr(trace_lines, "BLOCK", 64)
    text = written(seen(ev.Dispatch("a")), queue(1, share("QS1", 1))).encode()
    bad = (
        b'{"at":5,"finish":"\xff"}\n{"at":5,"misconfigured":"a","reason":"'
        + b"x" * 5000
        + b'"}\r\n{"at":5,"finish":"a"}\r\n'
    )
    history = read_trace(saved(tmp_path, text + bad))
    assert [one.what for one in history.seen()][-1] == ev.Finish("a")
    assert [p.sentence.split(":")[0] for p in history.problems] == ["not UTF-8", "the line is longer than 0 MiB"]


def test_a_trace_is_known_by_its_first_line(tmp_path):
    assert is_trace(saved(tmp_path, written(FIRST)))
    for other in (b"", b"\xff\xfe", b"[1]", b"trace", b'{"quotaproof": 1}', b"\x1f\x8bnot gzip"):
        assert not is_trace(saved(tmp_path, other))
    assert not is_trace(str(tmp_path / "missing"))
    assert not is_trace(str(tmp_path))


@repeatable
@given(st.lists(observation.filter(lambda w: not isinstance(w, ev.ShareGone)), max_size=5), st.booleans())
def test_a_table_is_read_back_equal_too(tmp_path, whats, ordered):
    observations, path = seen(*whats, width=3), str(tmp_path / "t.parquet")
    write_table(path, walkthrough(), observations, ordered=ordered, claims=False)
    assert is_trace(path)
    history = read_trace(path)
    assert bare(history.seen()) == bare(history.seen()) == bare(observations)
    assert (history.config, history.ordered, history.claims) == (walkthrough(), ordered, False)
    assert (history.end, history.problems) == (observations[-1].until, [])


def test_a_table_that_is_no_trace_or_damaged_is_an_input_error(tmp_path):
    path = tmp_path / "t.parquet"
    write_table(str(path), walkthrough(), FIRST, ordered=True, claims=False)
    whole = path.read_bytes()
    for part in (whole[: len(whole) // 2], b"PAR1", whole[:200] + b"x" * 50 + whole[250:]):
        path.write_bytes(part)
        try:
            history = read_trace(str(path))
        except InputError:
            assert not is_trace(str(path))
        else:
            assert len(list(history.seen())) == len(FIRST) or history.problems


def test_without_the_extra_the_command_that_installs_it_is_named(tmp_path, monkeypatch):
    path = str(tmp_path / "t.parquet")
    write_table(path, walkthrough(), FIRST, ordered=True, claims=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"pip install 'quotaproof\[scale\]'"):
        raise_text(read_trace, path)


def raise_text(call, path):
    try:
        call(path)
    except InputError as error:
        raise InputError(str(error), where="", why="", fix=error.fix) from None


TEXT = written(seen(Reached("a", Stage.RUNNING), Preempting("a", "d", "in-share"), ev.Claim("d", ("a",)),
                    ev.SetLimits("QS1", {"u": 3}), ev.CreateShare(share("x", 2))))  # fmt: skip


@repeatable
@given(st.data())
def test_damage_is_an_input_error_or_a_problem_and_nothing_else(tmp_path, data):
    damaged = bytearray(TEXT.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        end = data.draw(st.integers(at, min(len(damaged), at + 30)))
        damaged[at:end] = data.draw(
            st.binary(max_size=6) | st.sampled_from([b'"', b"\n", b"{", b"null", b"1e999", b"\\u0000"])
        )
        damaged = damaged or bytearray(b"\n")
    try:
        history = read_trace(saved(tmp_path, bytes(damaged)))
    except InputError as error:
        assert "\n" not in error.where and error.what and error.fix
        return
    found = list(history.seen())
    assert len(found) + len(history.problems) > 0
    assert all(one.at <= one.until for one in found)
    assert walkthrough().job_queue_name
