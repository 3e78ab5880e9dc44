"""`quotaproof play`: the server as a process of its own, asked as a browser asks and as one that means harm; and --text."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from quotaproof.checker.conform.corpus import index
from quotaproof.spec.readings import READINGS
from quotaproof.spec.rules.guarantees import GUARANTEES

from ..support.served import Served, served

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
QUEUE = {"quotaproof": 1, "queue": "q", "environment": {"g5": 2},
         "shares": [{"name": "QS1", "limits": {"g5": 1}, "strategy": "LEND"}]}  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("play")) as server:
        yield server


# how it is reached


def test_it_says_where_the_page_is_in_one_line(page: Served):
    assert page.said == f"play    http://127.0.0.1:{page.port}/  (Ctrl-C ends it)\n"


def test_the_page_and_its_files_are_served_with_their_types(page: Served):
    for path, kind in (("/", "text/html"), ("/assets/play.js", "text/javascript"), ("/assets/play.css", "text/css")):
        answer = page.ask(path)
        assert (answer.status, answer.headers["content-type"].split(";")[0]) == (200, kind), path


def test_nothing_may_be_loaded_but_from_this_server(page: Served):
    for path in ("/", "/assets/play.js", "/api/menu", "/nothing"):
        headers = page.ask(path).headers
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1:1", "127.0.0.1", "", "[::1]:{port}"]
)
def test_another_name_for_this_machine_is_refused(page: Served, host: str):
    for path in ("/", "/api/menu"):
        answer = page.ask(path, Host=host.format(port=page.port))
        assert (answer.status, answer.form["where"]) == (403, "Host")


def test_localhost_is_this_machine(page: Served):
    assert page.ask("/", Host=f"localhost:{page.port}").status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:{port}", "http://127.0.0.1:1"])
def test_another_page_is_refused(page: Served, origin: str):
    answer = page.ask("/api/cut", {}, Origin=origin.format(port=page.port))
    assert (answer.status, answer.form["where"]) == (403, "Origin")
    assert page.ask("/api/menu", Sec_Fetch_Site="cross-site").status == 403


def test_its_own_page_is_answered(page: Served):
    own = f"http://127.0.0.1:{page.port}"
    assert page.ask("/api/menu", Origin=own, Sec_Fetch_Site="same-origin").status == 200


def test_a_link_to_the_page_may_stand_anywhere(page: Served):
    assert page.ask("/", Sec_Fetch_Site="cross-site").status == 200


@pytest.mark.parametrize("path", [
    "/assets/../server.py", "/assets/..%2fserver.py", "/assets/%2e%2e/server.py", "/assets/..%5cserver.py", "/assets/",
    "/assets//etc/passwd", "/assets/%2fetc%2fpasswd", "/assets/play.html%00.js", "/assets/PLAY.html", "/assets", "//",
    "/api", "/api/scenario/..%2f..%2fpyproject.toml", "/docs", "/api/menu/",
])  # fmt: skip
def test_only_files_of_the_page_are_served_by_their_exact_names(page: Served, path: str):
    answer = page.ask(path)
    assert answer.status in (404, 422)
    assert set(answer.form) == {"what", "where", "why", "fix"}


def test_what_is_too_large_is_refused_with_a_sentence(page: Served):
    answer = page.ask("/api/play", b"[" * ((8 << 20) + 1))
    assert (answer.status, answer.form["what"]) == (413, "it is larger than 8 MiB")


@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/"), ("GET", "/api/play"), ("DELETE", "/api/menu"), ("PUT", "/api/cut")]
)
def test_another_method_is_refused_with_a_sentence(page: Served, method: str, path: str):
    assert page.send(method, path, None, {}).form["what"] == "it is asked in another way"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"1", b"\xff", b'{"game": NaN}', b'{"game": 1, "game": 2}', b"[" * 5000]
)
def test_what_is_no_object_of_json_is_refused_with_a_sentence(page: Served, body: bytes):
    answer = page.ask("/api/play", body)
    assert answer.status == 422
    assert all(answer.form[part] for part in ("what", "where", "why", "fix"))


# the API


def test_the_menu_has_everything_to_choose_from(page: Served):
    menu = page.ask("/api/menu").form
    assert set(menu) == {"scenarios", "schedulers", "readings", "guarantees", "clauses", "lessons", "start"}
    assert {s["source"] for s in menu["scenarios"]} == {"aws", "seed", "report", "bug"}
    assert menu["schedulers"][0]["name"] == "reference"
    names = {s["name"] for s in menu["scenarios"]} | {row.name for row in index()}
    assert {s["shows"] for s in menu["schedulers"][1:]} <= names
    assert [g["code"] for g in menu["guarantees"]] == list(GUARANTEES)
    assert {r["code"] for r in menu["readings"]} == {r.code for r in READINGS.values() if r.modelled}
    assert [one["number"] for one in menu["lessons"]] == list(range(1, 13))
    assert [next(iter(move)) for move in menu["start"]["moves"]] == ["submit"] * 3


def test_a_play_goes_on_step_by_step_to_rest(page: Served):
    game = page.ask("/api/menu").form["start"]
    first = page.ask("/api/play", {"game": game}).form
    assert (first["count"], first["at"], len(first["lines"])) == (4, 3, 4)
    assert first["possible"]["submit"] == ["QS1", "QS2", "QS3"]
    assert first["frame"]["next"]["sentence"] == "qs1_job_high starts."
    game["moves"].append({"settle": "all"})
    rest = page.ask("/api/play", {"game": game, "since": first["count"]}).form
    assert [line["kind"] for line in rest["lines"]] == ["dispatch", "dispatch", "rest"]
    assert rest["possible"]["jobs"]["finish"] == ["qs1_job_high", "qs1_job_med"]
    assert page.ask("/api/play", {"game": game, "at": 3, "since": 9}).form["frame"]["bars"] == first["frame"]["bars"]
    cut = page.ask("/api/cut", {"game": game, "at": 4}).form["game"]
    assert cut["moves"][3:] == [{"tick": 1}]
    assert page.ask("/api/play", {"game": cut}).form["count"] == 5


def test_two_sides_stand_beside_each_other(page: Served):
    game = page.ask("/api/scenario/DEMO-1").form["game"]
    game["beside"] = {"scheduler": "never-reclaims", "assume": {"A23": "no"}}
    played = page.ask("/api/play", {"game": game}).form
    assert (played["label"], played["beside_label"]) == ("the reference", "never-reclaims, A23 no")
    lamps = [{lamp["code"]: lamp["state"] for lamp in played[side]["lamps"]} for side in ("frame", "beside")]
    assert [lamp["G14"] for lamp in lamps] == ["kept", "broken"]


def test_what_is_saved_is_replayed_the_same_and_opened_again(page: Served, here: Path, quotaproof):
    game = page.ask("/api/scenario/own-job-ends").form["game"]
    saved = page.ask("/api/save", {"game": game}).form
    (here / saved["name"]).write_text(saved["text"])
    assert quotaproof("replay", saved["name"]).code == 0
    again = page.ask("/api/open", {"files": [saved]}).form["game"]
    ends = [page.ask("/api/play", {"game": one}).form["frame"]["jobs"] for one in (game, again)]
    assert ends[0] == ends[1]


def test_what_breaks_a_promise_is_saved_as_a_witness(page: Served, here: Path, quotaproof):
    game = page.ask("/api/scenario/reserve-idle").form["game"] | {"scheduler": "lends-reserve"}
    lines = page.ask("/api/play", {"game": game}).form["lines"]
    at = next(line["number"] for line in lines if line["broken"])
    saved = page.ask("/api/save", {"game": game, "at": at}).form
    (here / saved["name"]).write_text(saved["text"])
    ran = quotaproof("replay", saved["name"])
    assert (ran.code, "G2" in ran.out) == (1, True)


def test_files_of_every_kind_are_opened(page: Served):
    for path in ("own-form/queue.yaml", "research-gpu/list-quota-shares.json", "trace/walkthrough.ndjson",
                 "scenarios/half-of-three.yaml"):  # fmt: skip
        file = EXAMPLES / path
        opened = page.ask("/api/open", {"files": [{"name": file.name, "text": file.read_text()}]})
        assert opened.status == 200, opened.body
        assert page.ask("/api/play", {"game": opened.form["game"]}).status == 200


def test_a_lesson_keeps_its_answer_until_it_is_asked_for(page: Served):
    lesson = page.ask("/api/lessons/2").form
    assert '"right"' not in json.dumps(lesson)
    answers = [page.ask("/api/lessons/2/answer", {"question": 0, "choice": n}).form for n in range(2)]
    assert [a["right"] for a in answers].count(True) <= 1
    assert all(a["why"] and a["certainty"] for a in answers)
    for number in ("99", "x", "0", "999999999999", "1.0"):
        refused = page.ask(f"/api/lessons/{number}")
        assert (refused.status, refused.form["where"]) == (422, "the address")
        assert number in refused.form["what"]


def test_a_job_tells_its_story_up_to_the_event_that_is_shown(page: Served):
    game = page.ask("/api/scenario/DEMO-1").form["game"]
    told = page.ask("/api/job", {"game": game, "job": "qs1_job_med"}).form
    assert "for qs2_job_1" in told["stopped"]
    stop = next(one for one in told["passages"] if one["what"] == "Told to stop for qs2_job_1")
    early = page.ask("/api/job", {"game": game, "job": "qs1_job_med", "at": stop["number"] - 1}).form
    assert early["stopped"] == ""
    for wrong in ({"job": "nobody"}, {"job": 1}, {"job": "qs1_job_med", "at": 0}, {"job": "qs1_job_med", "at": 999}):
        refused = page.ask("/api/job", {"game": game, **wrong})
        assert refused.status == 422
        assert all(refused.form[part] for part in ("what", "where", "why", "fix"))


def test_a_code_is_explained(page: Served):
    assert "A share always gets its own back" in page.ask("/api/explain/G14").form["text"]
    assert page.ask("/api/explain/G144").form["fix"].startswith("did you mean G14")
    assert "kept idle for their owners" in page.ask("/api/explain/dispatch.reserved").form["text"]
    assert page.ask("/api/explain/rule%2022").status == 200


def test_a_move_that_is_impossible_is_refused_to_whoever_adds_it_whatever_was_asked_before(page: Served):
    game = page.ask("/api/menu").form["start"]
    wrong = {**game, "moves": [*game["moves"], {"finish": "nobody"}]}
    for _ in range(2):
        added = page.ask("/api/play", {"game": wrong, "adds": True})
        assert (added.status, added.form["what"]) == (422, "it is not possible now: nobody ends")
        opened = page.ask("/api/play", {"game": wrong}).form
        assert opened["frame"]["line"]["said"][0]["sentence"] == "Not possible here, and left out: nobody ends."
        assert page.ask("/api/cut", {"game": wrong, "at": 1}).status == 200
    on = {**game, "moves": [*wrong["moves"], {"settle": "all"}]}
    assert page.ask("/api/play", {"game": on, "adds": True}).status == 200


@pytest.mark.parametrize("change", [
    {"moves": [{"tick": 2}]}, {"moves": [{"submit": "x"}]}, {"queue": {}},
    {"scheduler": "never-reclaim"}, {"assume": {"A23": "maybe"}}, {"play": 2}, {"more": 1}, {"beside": {"scheduler": "x"}},
    {"moves": [{"tick": 1}] * 20_001}, {"name": "x" * 5000},
])  # fmt: skip
def test_a_game_that_cannot_be_played_is_refused_with_a_sentence(page: Served, change: dict[str, object]):
    game = page.ask("/api/menu").form["start"] | change
    answer = page.ask("/api/play", {"game": game})
    assert answer.status == 422
    assert all(answer.form[part] for part in ("what", "where", "why", "fix"))


@pytest.mark.parametrize("body", [
    {}, {"game": 1}, {"gam": {}}, {"at": 1}, {"game": None, "at": 0},
])  # fmt: skip
def test_what_lacks_something_is_refused_with_a_sentence(page: Served, body: object):
    for path in ("play", "cut", "open", "save", "job", "lessons/1/answer"):
        answer = page.ask(f"/api/{path}", body)
        assert answer.status == 422
        assert all(answer.form[part] for part in ("what", "where", "why", "fix"))


@pytest.mark.parametrize("at", [-1, 99, 1.5, "1", True, None, [], 10**30])
def test_a_frame_that_there_is_not_is_refused_with_a_sentence(page: Served, at: object):
    game = page.ask("/api/menu").form["start"]
    for path in ("play", "cut", "save"):
        assert page.ask(f"/api/{path}", {"game": game, "at": at}).status == 422


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 10**20) | st.text(max_size=6) | st.sampled_from(["QS1", "x", "all"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
VERB = st.sampled_from(["submit", "finish", "set-limits", "settle", "tick", "claim", "expect", "create-share", "size"])


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(["play", "cut", "open", "save", "job"]), st.data())
def test_whatever_is_sent_is_answered_or_refused_and_never_fails(page: Served, path: str, data: st.DataObject):
    moves = data.draw(JSON | st.lists(st.dictionaries(VERB, JSON, max_size=2), max_size=3))
    game = {"play": 1, "queue": data.draw(st.just(QUEUE) | JSON), "moves": moves} | data.draw(
        st.dictionaries(
            st.sampled_from(["beside", "assume", "scheduler", "name", "shows", "history"]), JSON, max_size=2
        )
    )
    body = data.draw(
        JSON
        | st.just({"game": game})
        | st.just({"game": game, "at": 0})
        | st.just({"files": [{"name": "a", "text": "b"}]})
    )
    answer = page.ask(f"/api/{path}", json.dumps(body).encode())
    assert answer.status in (200, 422), (body, answer.body)
    assert answer.status == 200 or all(answer.form[part] for part in ("what", "where", "why", "fix"))


# how it ends


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_when_it_is_told_to(tmp_path: Path, number: signal.Signals):
    with served(tmp_path) as server:
        assert server.ask("/").status == 200
        server.process.send_signal(number)
        out, err = server.process.communicate(timeout=10)
        assert (server.process.returncode, out, err) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_taken_is_one_message(page: Served, quotaproof):
    ran = quotaproof("play", "--no-open", "--port", str(page.port))
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert f"--port: 127.0.0.1:{page.port} cannot be listened on" in ran.err


def test_without_the_extra_it_says_how_to_install_it(quotaproof, monkeypatch):
    import sys

    for name in [m for m in sys.modules if m.startswith("quotaproof.checker.teach.server")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    ran = quotaproof("play", "--no-open")
    assert ran.code == 2
    assert "pip install 'quotaproof[serve]'" in ran.err
    assert "quotaproof play --text" in ran.err


# in the terminal


def test_the_walkthrough_in_the_terminal_is_as_it_was_read(script):
    ran = script("play", "--text", input="run\nsubmit qs2_job_1 QS2 1 priority 1\nrun\npriority qs1_job_low 4\nrun\n")
    assert (ran.returncode, ran.stderr) == (0, "")
    golden = Path(__file__).with_name("play_walkthrough.txt")
    if os.environ.get("REWRITE_GOLDEN"):
        golden.write_text(ran.stdout)
    assert ran.stdout == golden.read_text()


def typed(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    """What standard input holds; nobody sits before it."""
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text), encoding="utf-8"))


def test_a_lesson_in_the_terminal_ends_with_the_input(quotaproof, monkeypatch: pytest.MonkeyPatch):
    typed(monkeypatch, b"A\n")
    ran = quotaproof("play", "--text", "--lesson", "2")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("Lesson 2: ")
    assert "Your answer" in ran.out


def test_bytes_that_are_no_text_are_a_command_that_there_is_not(quotaproof, monkeypatch: pytest.MonkeyPatch):
    typed(monkeypatch, b"\xff\xfe\x00\n\n# a remark\nquit\nrun\n")
    ran = quotaproof("play", "--text")
    assert (ran.code, ran.err) == (0, "")
    assert "there is no command" in ran.out
    assert "starts. (rule 16)\n        QS1" not in ran.out


def test_a_bug_is_named_on_the_command_line_and_its_lamp_goes_red(
    quotaproof, here: Path, monkeypatch: pytest.MonkeyPatch
):
    typed(monkeypatch, b"run\nlamps\n")
    (here / "queue.yaml").write_bytes((EXAMPLES / "scenarios" / "reserve-idle.yaml").read_bytes())
    ran = quotaproof("play", "--text", "queue.yaml", "--scheduler", "lends-reserve")
    assert ran.code == 0
    assert "\nBROKEN  G2 reserve untouched" in ran.out


def test_lessons_are_printed_as_one_file(quotaproof, here: Path):
    assert quotaproof("play", "--lesson", "all", "--handout", "lessons.html").code == 0
    assert (here / "lessons.html").read_text().count('<section class="lesson">') == 12


@pytest.mark.parametrize(("arguments", "said"), [
    (["--lesson", "99", "--text"], "there is no lesson 99"),
    (["--lesson", "x"], "'x' is no number of a lesson"),
    (["--lesson", "1", "queue.yaml"], "a lesson brings its own queue"),
    (["--handout", "x.html"], "--handout FILE prints a lesson"),
    (["--lesson", "1", "--answers"], "--handout FILE prints a lesson"),
    (["--text", "--scheduler", "never-reclaim"], "did you mean never-reclaims?"),
    (["--text", "--assume", "A23"], "is not READING=CHOICE"),
    (["--text", "--assume", "A23=maybe"], "A23 has no choice 'maybe'"),
    (["--text", "--since", "2026-01-01"], "name one"),
    (["--text", "nowhere.yaml"], "nowhere.yaml"),
    (["nowhere.yaml"], "nowhere.yaml"),
])  # fmt: skip
def test_what_cannot_be_played_is_one_message(quotaproof, arguments: list[str], said: str):
    ran = quotaproof("play", "--no-open", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in " ".join(ran.err.split())


def test_a_failure_of_our_own_is_a_sentence_and_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    broken = tmp_path / "sitecustomize.py"
    broken.write_text(
        "import sys\n"
        "class Breaks:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'quotaproof.checker.cli.topics':\n"
        "            raise RuntimeError('planted')\n"
        "sys.meta_path.insert(0, Breaks())\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with served(tmp_path) as server:
        answer = server.ask("/api/explain/G14")
        assert answer.status == 500
        assert answer.form["what"] == "quotaproof itself failed (RuntimeError)"
        assert "content-security-policy" in answer.headers
        (report,) = tmp_path.glob("quotaproof-crash-*.txt")
        assert report.name in answer.form["why"]
        assert server.ask("/api/menu").status == 200
        server.process.send_signal(signal.SIGINT)
        _, err = server.process.communicate(timeout=10)
        assert "Traceback" not in err
