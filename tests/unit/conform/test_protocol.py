"""Messages: what is written fits the shipped schema, what is read is equal to what was meant or is refused in words."""

from __future__ import annotations

import json

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from quotaproof.checker.conform import protocol
from quotaproof.checker.conform.backend import Declaration, Report, Unable
from quotaproof.checker.conform.failures import FAILURES, Failure, Garbage, InvalidMessage, WrongVersion
from quotaproof.checker.conform.protocol_schema import KINDS, schema
from quotaproof.checker.generate.scenarios import decoded
from quotaproof.spec import events as ev
from quotaproof.spec.formats.trace_words import form
from quotaproof.spec.observations import Preempting, Settled

from ...support.observations import observation
from ...support.scenarios import ROOT

SHIPPED = json.loads((ROOT / "spec" / "schemas" / "protocol.schema.json").read_text(encoding="utf-8"))
repeatable = settings(derandomize=True, deadline=None, max_examples=100, database=None)


def validator(kind):
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SHIPPED["$defs"]})


ANY, ANSWER, DECLARATION = jsonschema.Draft202012Validator(SHIPPED), validator("answer"), validator("declaration")


def encoded(value):
    return json.dumps(value).encode()


def lines(seen):
    claims = 0
    for what in seen:
        claims += isinstance(what, ev.Claim)
        yield form(what, claims)


def test_the_shipped_schema_is_the_one_that_the_tables_make():
    assert schema() == SHIPPED
    jsonschema.Draft202012Validator.check_schema(SHIPPED)


@repeatable
@given(st.binary(max_size=400))
def test_every_message_of_the_harness_fits_the_schema(data):
    scenario = decoded(data)
    told = [protocol.Start(), protocol.Configure(scenario.config), protocol.Run(7, scenario.steps), protocol.Stop()]
    for kind, message in zip(KINDS, told, strict=False):
        raw = protocol.written(message)
        assert raw.count(b"\n") == 1
        assert raw.endswith(b"\n")
        validator(kind).validate(json.loads(raw))
        ANY.validate(json.loads(raw))


@repeatable
@given(st.lists(observation, max_size=8))
def test_every_trace_is_read_as_it_was_meant_by_the_quick_way_and_by_the_slow_one(seen):
    message = {"id": 3, "trace": list(lines(seen))}
    ANSWER.validate(message)
    expected = protocol._once(seen, sum(isinstance(what, ev.Claim) for what in seen))
    for raw in (encoded(message), json.dumps(message, indent=1, ensure_ascii=False).encode()):
        found = protocol.answer(raw)
        assert found.id == 3
        assert isinstance(found.answer, Report)
        assert list(found.answer.seen) == list(expected)
    assert list(protocol._slowly(encoded(message)).answer.seen) == list(expected)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2**70) | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)


@repeatable
@given(st.data())
def test_an_answer_that_was_tampered_with_fits_the_schema_and_is_read_alike_by_both_ways_or_is_refused_by_name(data):
    seen = data.draw(st.lists(observation, min_size=1, max_size=4))
    message = {"id": 3, "trace": list(lines(seen))}
    place = data.draw(st.sampled_from([message, *message["trace"]]))
    key = data.draw(st.sampled_from([*place, "at", "job", "errored", "skipped", "number", "victims", "settled"]))
    if data.draw(st.booleans()):
        place[key] = data.draw(json_values)
    else:
        place.pop(key, None)
    raw = encoded(message)
    quick = protocol._quickly(raw.decode(), json.loads(raw))
    try:
        slow = protocol._slowly(raw)
    except Failure as failure:
        assert quick is None
        assert failure.why
        assert failure.fix or failure.hint
    else:
        assert quick in (None, slow)
        if key != "at":
            ANSWER.validate(message)


rubbish = st.one_of(st.binary(max_size=60), json_values.map(encoded), st.text(max_size=30).map(str.encode))


@repeatable
@given(rubbish)
def test_whatever_is_written_in_place_of_a_message_is_refused_as_a_failure(raw):
    for read in (protocol.answer, protocol.greeting):
        with pytest.raises((Garbage, InvalidMessage)) as caught:
            read(raw)
        assert caught.value.why.isprintable()


REFUSED = [
    (b'{"id": 1, "trace": [', Garbage, "not valid JSON"),
    (b"listening on port 80", Garbage, '"listening on port 80" where an answer was expected'),
    (b"", Garbage, "an empty line"),
    (b"\xff\xfe", Garbage, "not UTF-8"),
    (b"[" * 100_000, InvalidMessage, "nested too deeply"),
    (b"[]", InvalidMessage, "a list is not an object"),
    (b'{"trace": []}', InvalidMessage, "id is missing"),
    (b'{"id": true, "trace": []}', InvalidMessage, "answer, id: true is not a whole number"),
    (b'{"id": 1}', InvalidMessage, "not exactly one thing"),
    (b'{"id": 1, "skipped": "no", "trace": []}', InvalidMessage, "not exactly one thing"),
    (b'{"id": 1, "errored": ""}', InvalidMessage, "it is empty"),
    (b'{"id": 1, "id": 2, "trace": []}', InvalidMessage, "given twice"),
    (b'{"id": 1, "trace": [{"dispatch": "a", "dispatch": "b"}]}', InvalidMessage, "given twice"),
    (b'{"id": 1, "trace": [{"dispatch": "a"}, {"settled": 1}]}', InvalidMessage, "answer 1, trace[1], settled: settled is 1"),
    (b'{"id": 1, "trace": [{"dispatch": ["a"]}]}', InvalidMessage, "trace[0], dispatch: a list is not text"),
    (b'{"id": 1, "trace": [{"dispatch": "a", "share": "s"}]}', InvalidMessage, "stand in one line"),
    (b'{"id": 1, "trace": [{"submit": "a", "share": "s", "size": {"u": 1.5}}]}', InvalidMessage, "size.u: 1.5 is not a whole"),
    (b'{"id": 1, "trace": [{"submit": "a", "share": "s", "size": {"u": NaN}}]}', InvalidMessage, "NaN is not a number"),
    (b'{"id": 1, "trace": [{"claim": "a", "number": 2}]}', InvalidMessage, "the claim is number 1 of the trace, not 2"),
    (b'{"id": 1, "trace": [{"claim": "a", "victim": ["b"]}]}', InvalidMessage, '"victim" is not known here'),
]  # fmt: skip


@pytest.mark.parametrize(("raw", "kind", "why"), REFUSED, ids=range(len(REFUSED)))
def test_a_mistake_in_an_answer_is_named_by_its_place(raw, kind, why):
    with pytest.raises(kind) as caught:
        protocol.answer(raw)
    assert why in caught.value.why


def test_a_backend_that_skips_or_errs_says_why():
    assert protocol.answer(b'{"id": 2, "skipped": "no gangs"}').answer == Unable("no gangs", skipped=True)
    partly = protocol.answer(b'{"id": 2, "errored": "stuck", "trace": [{"settled": true}]}').answer
    assert partly == Unable("stuck", code="errored", seen=(Settled(),))


def test_a_stop_that_a_claim_has_told_counts_once():
    raw = b'{"id":1,"trace":[{"claim":"a","victims":["v"]},{"preempt":"v","claimant":"a"},{"preempt":"w","claimant":"a"}]}'
    assert [type(what) for what in protocol.answer(raw).answer.seen] == [ev.Claim, Preempting]


def test_times_may_stand_in_a_trace_and_count_for_nothing():
    message = {"id": 1, "trace": [{"at": 5, "dispatch": "a"}, {"dispatch": "b", "at": "1970-01-01T00:00:07Z"}]}
    ANSWER.validate(message)
    assert list(protocol.answer(encoded(message)).answer.seen) == [ev.Dispatch("a"), ev.Dispatch("b")]


def test_a_declaration_says_what_a_backend_is():
    message = {"protocol": 1, "name": "x", "version": "2", "features": ["gangs"], "claims": True, "choices": {"A13": "a"},
               "ownTime": True, "issueUrl": "https://example.org", "deadline": 60, "capacity": "per-lender",
               "profile": "lend-borrow"}  # fmt: skip
    DECLARATION.validate(message)
    declared = Declaration("x", "2", frozenset({"gangs"}), True, {"A13": "a"}, True, "https://example.org", 60,
                           "per-lender", "lend-borrow")  # fmt: skip
    assert protocol.greeting(encoded(message)) == declared
    assert protocol.greeting(b'{"protocol": 1, "name": "x"}') == Declaration("x")


@pytest.mark.parametrize(("raw", "kind", "why"), [
    (b'{"protocol": 2, "name": "x"}', WrongVersion, "speaks version 2"),
    (b'{"protocol": "1", "name": "x"}', InvalidMessage, '"1" is not a whole number'),
    (b'{"name": "x"}', InvalidMessage, "protocol is missing"),
    (b'{"protocol": 1, "name": ""}', InvalidMessage, "it is empty"),
    (b'{"protocol": 1, "name": "x", "claim": true}', InvalidMessage, '"claim" is not known here'),
    (b'{"protocol": 1, "name": "x", "choices": {"A13": "z"}}', InvalidMessage, "A13 has no choice"),
    (b'{"protocol": 1, "name": "x", "features": ["gang"]}', InvalidMessage, "gang"),
    (b'{"protocol": 1, "name": "x", "capacity": "lender"}', InvalidMessage, "lender"),
])  # fmt: skip
def test_a_mistake_in_a_declaration_is_named(raw, kind, why):
    with pytest.raises(kind) as caught:
        protocol.greeting(raw)
    assert why in caught.value.why


def test_failures_have_codes_of_their_own_with_causes_and_hints():
    assert len({f.code for f in FAILURES}) == len(FAILURES)
    assert set(Failure.__subclasses__()) == set(FAILURES)
    assert all(f.causes.endswith(".") and f.hint.endswith(".") and f.__doc__ for f in FAILURES)
