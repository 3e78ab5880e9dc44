"""Where each field stands: the line a finding points to."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("share", "field", "unit", "line"),
    [
        ("foundation", "limit", "ml.p5.48xlarge", 9),
        ("robotics", "unit", "ml.p5e.48xlarge", 96),
        ("speech", "borrowLimit", None, 42),
        ("foundation", "borrowLimit", None, 17),
        ("vision", "borrowLimit", None, 81),
        ("foundation", "share", None, 4),
        ("foundation", "strategy", None, 18),
        ("foundation", "inSharePreemption", None, 21),
        ("foundation", "state", None, 23),
        ("foundation", "limit", "ml.g5.xlarge", 13),
        ("foundation", "limit", "ml.other", 4),
    ],
)
def test_broken6_places_are_those_of_the_screen(read, samples, share, field, unit, line):
    assert read(samples / "broken6").place(share, field, unit) == f"list-quota-shares.json:{line}"


def test_capacity_is_placed_in_the_environment_file(read, samples):
    loaded = read(samples / "broken6")
    assert loaded.place(None, "capacity", "ml.g5.xlarge") == "describe-service-environments.json:15"
    assert loaded.place(None, "capacity", "ml.p5e.48xlarge") == "describe-service-environments.json:4"


def test_capacity_that_no_file_says_has_no_place(read, write, share):
    assert read(write("s.json", share())).place(None, "capacity", "ml.p5.48xlarge") == ""


def test_the_own_form_is_placed_through_its_own_fields(read, write):
    loaded = read(
        write(
            "q.yaml",
            "quotaproof: 1\nqueue: r\nenvironment:\n  a: 3\n  b: 4\nshares:\n- limits:\n    a: 1\n    b: 2\n"
            "  strategy: LEND_AND_BORROW\n  name: x\n- {name: y, limits: {a: 1}, strategy: LEND,\n"
            "   state: DISABLED}\n",
        )
    )
    fields = ("share", "strategy", "borrowLimit", "inSharePreemption", "state")
    assert [loaded.place("x", f) for f in fields] == [f"q.yaml:{n}" for n in (11, 10, 10, 11, 11)]
    assert [loaded.place("y", f) for f in fields] == [f"q.yaml:{n}" for n in (12, 12, 12, 12, 13)]
    assert loaded.place("x", "limit", "b") == loaded.place("x", "unit", "b") == "q.yaml:9"
    assert loaded.place(None, "capacity", "b") == "q.yaml:5"
    assert loaded.place(None, "capacity", "c") == "q.yaml:3"


def test_a_key_written_with_escapes_is_placed_by_what_surrounds_it(read, write):
    text = (
        '{"quotaproof": 1, "queue": "r", "shares": [\n{"name": "x", "strategy": "LEND",\n "limits": {"\\u0061": 1}}]}'
    )
    assert read(write("q.json", text)).place("x", "limit", "a") == "q.json:3"


def test_lines_are_worked_out_only_when_asked(read, write, share, monkeypatch):
    import json_source_map

    asked = []
    real = json_source_map.calculate
    monkeypatch.setattr(json_source_map, "calculate", lambda text: asked.append(1) or real(text))
    loaded = read(write("s.json", share()))
    assert asked == []
    assert loaded.place("vision", "share") == "s.json:2"
    assert loaded.place("vision", "state") == "s.json:17"
    assert asked == [1]


def test_a_share_or_field_that_does_not_exist_is_a_key_error(read, write, share):
    loaded = read(write("s.json", share()))
    for arguments in (("nobody", "share"), ("vision", "colour"), (None, "limit")):
        with pytest.raises(KeyError):
            loaded.place(*arguments)
