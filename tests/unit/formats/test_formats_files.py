"""Which files of a folder are read, what each is called, and what of them is left out and said."""

from __future__ import annotations

import json
import os
import socket
import threading
from importlib import import_module
from importlib.resources import files
from io import BytesIO, TextIOWrapper

import pytest
from quotaproof.checker.report.options import Options
from quotaproof.spec.formats import REPORTS, inputs, kind_of

from ..report.samples import everything


def waivers(*findings):
    return {"waivers": 1, "accept": [{"finding": f, "until": "2999-01-01", "reason": "agreed"} for f in findings]}


@pytest.fixture
def put(tmp_path):
    def put(path, content):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(content))
        return str(file)

    return put


def test_a_name_has_as_many_folders_as_tell_it_from_the_others(read, put, share, tmp_path):
    files = ("prod/shares/q.json", "dev/shares/q.json", "dev/limits/q.json", "dev/limits/r.json")
    loaded = read(*(put(path, share(str(number))) for number, path in enumerate(files)))
    assert [s.name for s in loaded.sources] == ["prod/shares/q.json", "dev/shares/q.json", "limits/q.json", "r.json"]
    assert [s.path for s in loaded.sources] == [str(tmp_path / path) for path in files]


def test_a_comment_accepts_nothing_in_a_file_of_the_same_name_elsewhere(read, put, share, tmp_path):
    remark = "# quotaproof: accept QP112 until 2999-01-01: agreed\n"
    for stage in ("prod", "dev"):
        put(f"{stage}/shares/q.yaml", "")
        text = (remark if stage == "dev" else "#\n") + json.dumps(share(stage))
        (tmp_path / stage / "shares" / "q.yaml").write_text(text)
    loaded = read(tmp_path / "prod" / "shares", tmp_path / "dev" / "shares")
    (waiver,) = loaded.waivers
    assert waiver.about == ("dev/shares/q.yaml", 2, 2)
    assert loaded.place("dev", "share") == "dev/shares/q.yaml:2"
    assert loaded.place("prod", "share") == "prod/shares/q.yaml:2"


def test_a_way_round_is_no_part_of_a_name(read, put, share, tmp_path):
    put("a/x/q.json", share("1"))
    put("b/x/q.json", share("2"))
    loaded = read(tmp_path / "a/x/../x/q.json", tmp_path / "b/x/q.json")
    assert [s.name for s in loaded.sources] == ["a/x/q.json", "b/x/q.json"]


def test_a_file_called_like_standard_input_is_told_from_it(read, put, share, monkeypatch, tmp_path):
    put("-", share("2"))
    stream = TextIOWrapper(BytesIO(json.dumps(share("1")).encode()))
    monkeypatch.setattr("quotaproof.spec.formats.sources.sys.stdin", stream)
    assert [s.name for s in read("-", tmp_path / "-").sources] == ["-", f"{tmp_path.name}/-"]


def test_what_is_left_out_of_two_folders_of_one_name_is_said_of_each(read, put, share, tmp_path):
    for stage in ("dev", "prod"):
        put(f"{stage}/cdk.out/cdk.out", {"version": "1"})
    loaded = read(put("s.json", share()), tmp_path / "dev" / "cdk.out", tmp_path / "prod" / "cdk.out")
    assert [line.partition(":")[0] for line in loaded.left_out] == ["dev/cdk.out/cdk.out", "prod/cdk.out/cdk.out"]


def test_what_is_no_regular_file_is_left_out_of_a_folder(read, put, share, tmp_path, monkeypatch):
    put("f/s.json", share())
    os.mkfifo(tmp_path / "f" / "pipe.yaml")
    monkeypatch.chdir(tmp_path / "f")
    with socket.socket(socket.AF_UNIX) as end:
        end.bind("socket.json")
        (tmp_path / "f" / "lost.json").symlink_to("nowhere")
        (tmp_path / "f" / "round.json").symlink_to("round.json")
        (tmp_path / "f" / "linked.json").symlink_to(put("w.json", waivers("QP101")))
        loaded = read(tmp_path / "f")
    assert [s.name for s in loaded.sources] == ["linked.json", "s.json"]
    assert loaded.left_out == (
        "lost.json: a link to nothing",
        "pipe.yaml: not a regular file",
        "round.json: a link to nothing",
        "socket.json: not a regular file",
    )


def test_a_pipe_that_is_named_is_read_also_beside_its_folder(read, share, tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(json.dumps(share())))
    writer.start()
    loaded = read(tmp_path, pipe)
    writer.join()
    assert [s.name for s in loaded.sources] == ["pipe.json"]
    assert loaded.left_out == ()


def test_a_pipe_among_cdk_s_templates_is_left_out(refused, put, tmp_path):
    put("cdk.out/cdk.out", {"version": "1"})
    os.mkfifo(tmp_path / "cdk.out" / "Stack.template.json")
    assert "Stack.template.json: not a regular file" in refused(tmp_path / "cdk.out").why


@pytest.mark.parametrize("name", ["app.py", "app.ts", "app.tsx", "app.js", "App.java", "Program.cs", "main.go"])
@pytest.mark.parametrize("content", ["import * as cdk from 'aws-cdk-lib';\nnew cdk.App({", ""])
def test_the_program_of_a_cdk_app_is_said_with_the_command_that_evaluates_it(refused, write, name, content):
    error = refused(write(name, content))
    assert "of a CDK app run `cdk synth` and give the folder cdk.out" in error.why


def test_what_a_run_has_written_is_left_out_of_the_next(read, write, share, tmp_path):
    write("s.json", share())
    for form in ("json", "sarif"):
        text = import_module(f"quotaproof.checker.report.{form}").write(everything(), Options())
        write(f"{form}.json", text)
        assert kind_of(str(tmp_path / f"{form}.json")) in REPORTS
    write("QP101-a.json", {"scenario": 1, "name": "x", "queue": {}, "steps": []})
    assert read(tmp_path).left_out == (
        "QP101-a.json, scenario: not configuration; `quotaproof replay` plays it",
        "json.json, quotaproof report: a report, not configuration",
        "sarif.json, SARIF log: a report, not configuration",
    )


@pytest.mark.parametrize("form", ["verification", "simulation", "status", "why"])
def test_a_report_of_any_command_is_left_out_whatever_it_tells(put, form):
    schema = json.loads(files("quotaproof.spec.schemas").joinpath(f"{form}.schema.json").read_text())
    for keys in (schema["required"], schema["properties"]):
        assert kind_of(put("r.json", dict.fromkeys(keys))) in REPORTS


def test_a_badge_is_left_out(put):
    badge = json.loads(import_module("quotaproof.checker.report.badge").write(everything(), Options()))
    assert kind_of(put("badge.json", badge)) in REPORTS


def test_the_inputs_are_known_without_opening_one(put, tmp_path):
    os.mkfifo(tmp_path / "pipe.json")
    file = put("a.yaml", {})
    (tmp_path / "link.json").symlink_to("a.yaml")
    given = inputs([str(tmp_path), "-", str(tmp_path / "new" / "x"), ""])
    assert given == {file, str(tmp_path / "pipe.json"), str(tmp_path / "new" / "x")}
